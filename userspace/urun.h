/* SPDX-License-Identifier: GPL-2.0 */
/* Running a test in user space. */
#ifndef RTK_URUN_H
#define RTK_URUN_H

#include "checkpoint.h"
#include "utest.h"

/**
 * struct rtk_urun_how - how the user wants it
 * @signals: file of rtk_signals()
 * @live: show the progress
 * @fail_above_ns: limit, -1 none
 * @checkpoint: when to save what there is
 */
struct rtk_urun_how {
	int signals;
	bool live;
	__s64 fail_above_ns;
	struct rtk_checkpoint checkpoint;
};

/**
 * rtk_urun() - run a test, summarize and judge it
 * @u: test
 * @kvs: settings
 * @how: how
 * @r: result, initialized; its environment is captured already
 *
 * Prints its errors.
 *
 * Return: RTK_EXIT_OK, or the status to exit with
 */
int rtk_urun(const struct rtk_utest *u, const struct rtk_kvs *kvs,
	     struct rtk_urun_how *how, struct rtk_result *r);

#endif
