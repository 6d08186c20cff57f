/* SPDX-License-Identifier: GPL-2.0 */
/* Files that are there wholly or not at all. */
#ifndef RTK_OUTFILE_H
#define RTK_OUTFILE_H

#include <stdbool.h>

#include <stddef.h>

/**
 * rtk_outfile_check() - can this file be written?
 * @path: file, or "-" for standard output
 *
 * To be asked before a run, so that its result is not lost. Prints its error.
 *
 * Return: 0 or -errno
 */
int rtk_outfile_check(const char *path);

/**
 * rtk_outfile_is_file() - can what is written be replaced later?
 * @path: file, or "-" for standard output
 *
 * Return: no for standard output, pipes, terminals and devices
 */
bool rtk_outfile_is_file(const char *path);

/**
 * rtk_outfile_write() - write a text
 * @path: regular file, replaced in one step once all of it is on the disk; or
 *	a device, a pipe, or "-" for standard output
 * @text: what to write
 *
 * Prints its error, which names the file.
 *
 * Return: 0 or -errno
 */
int rtk_outfile_write(const char *path, const char *text);

/**
 * rtk_outfile_write_bytes() - write what is no text
 * @path: as above
 * @data: what to write
 * @len: its length
 *
 * Return: as above
 */
int rtk_outfile_write_bytes(const char *path, const char *data, size_t len);

/**
 * rtk_outfile_save() - write a text, without a word
 * @path: as above, not "-"
 * @text: what to write
 *
 * Return: 0 or -errno
 */
int rtk_outfile_save(const char *path, const char *text);

#endif
