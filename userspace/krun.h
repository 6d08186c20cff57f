/* SPDX-License-Identifier: GPL-2.0 */
/* A run in the kernel, from its start to its result. */
#ifndef RTK_KRUN_H
#define RTK_KRUN_H

#include "checkpoint.h"
#include "nl.h"
#include "readers.h"
#include "result.h"

/**
 * struct rtk_krun - a run in the kernel
 * @nl: connection, which owns the run: whatever happens to this process, the kernel
 *	ends it
 * @test: test
 * @kvs: parameters
 * @given: the first of them: what the user gave
 * @fail_above_ns: limit asked for, -1 none
 * @signals: as rtk_signals() returned it
 * @live: show the progress
 * @checkpoint: when to save what there is
 * @interrupted: such a signal has ended it
 * @generation: number of the run
 * @overdue: CLOCK_MONOTONIC at which it must have ended, ns
 * @readers: readers in user space, or NULL
 * @replaced: somebody else's run is there by now: hands off
 *
 * From @generation on it belongs to krun.c.
 */
struct rtk_krun {
	struct rtk_nl *nl;
	const char *test;
	struct rtk_kvs kvs;
	size_t given;
	__s64 fail_above_ns;
	int signals;
	bool live;
	struct rtk_checkpoint checkpoint;
	bool interrupted;
	__u32 generation;
	__s64 overdue;
	struct rtk_readers *readers;
	bool replaced;
};

/**
 * rtk_krun_start() - start it
 * @run: run
 * @r: its result; the environment is captured
 *
 * Return: 0 or -errno, which rtk_cmd_fail() can explain
 */
int rtk_krun_start(struct rtk_krun *run, struct rtk_result *r);

/**
 * rtk_krun_interrupted() - has a signal come in that is to end it?
 * @run: run
 *
 * Return: true or false
 */
bool rtk_krun_interrupted(struct rtk_krun *run);

/**
 * rtk_krun_finish() - wait for the end, fetch the result and judge it
 * @run: started run
 * @r: its result; the device is filled where there is one
 *
 * Prints its error, after which nothing runs any more.
 *
 * Return: RTK_EXIT_OK, or the status to exit with
 */
int rtk_krun_finish(struct rtk_krun *run, struct rtk_result *r);

#endif
