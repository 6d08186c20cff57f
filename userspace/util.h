/* SPDX-License-Identifier: GPL-2.0 */
/* What every file of the client needs: errors, small files, growing arrays. */
#ifndef RTK_UTIL_H
#define RTK_UTIL_H

#include <stdbool.h>
#include <stddef.h>
#include <linux/types.h>

#define RTK_ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

#ifndef __printf
#define __printf(a, b) __attribute__((__format__(printf, a, b)))
#endif

/**
 * enum rtk_exit - exit status of every command
 * @RTK_EXIT_OK: passed
 * @RTK_EXIT_FAILED: threshold exceeded, or a check failed
 * @RTK_EXIT_ERROR: wrong usage, or an error at run time
 * @RTK_EXIT_INVALID: the result says nothing about this machine
 * @RTK_EXIT_CANNOT: cannot run here: no module, no privilege
 */
enum rtk_exit {
	RTK_EXIT_OK = 0,
	RTK_EXIT_FAILED = 1,
	RTK_EXIT_ERROR = 2,
	RTK_EXIT_INVALID = 3,
	RTK_EXIT_CANNOT = 4,
};

/**
 * rtk_err() - print one line "rtk: ..." on stderr
 * @fmt: cause, and where there is one the command that mends it
 */
void rtk_err(const char *fmt, ...) __printf(1, 2);

/**
 * rtk_err_nomem() - report that memory ran out
 *
 * Return: -ENOMEM
 */
int rtk_err_nomem(void);

/**
 * rtk_copy() - copy a string into a buffer, cut where it does not fit
 * @dst: buffer, zero-terminated afterwards
 * @size: its size, not 0
 * @src: string; NULL counts as empty
 */
void rtk_copy(char *dst, size_t size, const char *src);

/**
 * rtk_printable() - make a text fit for a terminal
 * @s: text, whose control characters become "?"
 */
void rtk_printable(char *s);

/**
 * rtk_grow() - add one zeroed element to an array
 * @array: address of the pointer to the elements
 * @n: number of elements, incremented
 * @size: size of an element
 *
 * Grows by powers of two, so that appending is linear in all.
 *
 * Return: the new element, or NULL and nothing changed
 */
void *rtk_grow(void *array, size_t *n, size_t size);

/**
 * rtk_read_text() - read a small text file, without its trailing newline
 * @buf: zero-terminated afterwards
 * @size: its size; what does not fit is left out
 * @fmt: path
 *
 * Return: length, or -errno with @buf empty
 */
int rtk_read_text(char *buf, size_t size, const char *fmt, ...) __printf(3, 4);

/**
 * rtk_read_number() - read a file that holds one decimal number
 * @value: set on success
 * @fmt: path
 *
 * Return: 0 or -errno; -EINVAL where something else is in it
 */
int rtk_read_number(__s64 *value, const char *fmt, ...) __printf(2, 3);

/**
 * rtk_nearest() - the word of a list that a mistyped one may have meant
 * @word: what was typed
 * @best: nearest word so far, or NULL
 * @next: next word of the list
 *
 * To be called over the list, starting with @best NULL.
 *
 * Return: @best or @next; NULL while nothing is near
 */
const char *rtk_nearest(const char *word, const char *best, const char *next);

/**
 * rtk_prog() - how this program is called, for commands in hints
 *
 * Return: "rtk", or the path that was typed: then PATH may not lead here
 */
const char *rtk_prog(void);

/**
 * rtk_set_prog() - remember how this program was called
 * @argv0: as typed; kept, not copied
 */
void rtk_set_prog(const char *argv0);

/**
 * rtk_self_dir() - folder of the running program's own file
 * @buf: filled without a trailing slash
 * @size: its size
 *
 * Return: 0 or -errno
 */
int rtk_self_dir(char *buf, size_t size);

/**
 * rtk_signals() - take SIGINT, SIGTERM and SIGHUP as events
 *
 * They are read like any other event, so that none falls into a gap. Prints its
 * error.
 *
 * Return: file descriptor as of signalfd(), or -errno
 */
int rtk_signals(void);

/**
 * rtk_signals_end() - let these signals end the process again
 *
 * Those that came in meanwhile are forgotten: they have been obeyed.
 */
void rtk_signals_end(void);

/**
 * rtk_wall_ns() - CLOCK_REALTIME
 *
 * Return: nanoseconds
 */
__s64 rtk_wall_ns(void);

/**
 * rtk_mono_ns() - CLOCK_MONOTONIC
 *
 * Return: nanoseconds
 */
__s64 rtk_mono_ns(void);

#endif
