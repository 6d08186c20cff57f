/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Readers of <debugfs>/rtk/TEST/per_cpu/cpuN/wait: a thread for each measured
 * CPU, for a run that records series user.
 */
#ifndef RTK_READERS_H
#define RTK_READERS_H

#include "cpuset.h"
#include "model.h"

struct rtk_readers;

/**
 * rtk_readers_wanted() - does a run need readers?
 * @t: test with its parameters, started
 *
 * Return: it was started with user=1
 */
bool rtk_readers_wanted(const struct rtk_test *t);

/**
 * rtk_readers_debugfs() - where debugfs is mounted
 * @buf: filled
 * @size: its size
 * @mounts: /proc/mounts, or another file of that form
 *
 * Return: 0; -ENOENT nowhere; other -errno
 */
int rtk_readers_debugfs(char *buf, size_t size, const char *mounts);

/**
 * rtk_readers_start() - start the readers of a run
 * @t: test with its parameters and CPUs, started
 * @out: set, also where an error left only some of them; end with
 *	rtk_readers_end() once the run has ended
 *
 * Locks the memory of this process. To be called with signals blocked: a
 * reader that a signal interrupts would miss activations. Prints its errors.
 *
 * Return: 0 or -errno
 */
int rtk_readers_start(const struct rtk_test *t, struct rtk_readers **out);

/**
 * rtk_readers_report() - print, once each, readers that failed
 * @rs: readers or NULL
 * @last_error: what the module said last, or NULL
 *
 * To be called from time to time during the run: it also finds those that were
 * moved to another CPU.
 */
void rtk_readers_report(struct rtk_readers *rs, const char *last_error);

/**
 * rtk_readers_end() - wait for the readers after the end of the run, free them
 * @rs: readers or NULL
 * @last_error: what the module said last, or NULL
 * @why: filled: the first error in words, empty where there was none
 * @size: its size
 *
 * Return: number of readers that ended by an error
 */
size_t rtk_readers_end(struct rtk_readers *rs, const char *last_error,
		       char *why, size_t size);

#endif
