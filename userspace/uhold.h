/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a user-space test holds of the machine while it runs: locked memory, a CPU
 * latency limit, a real-time priority. All of it ends with the process at the
 * latest. What can't be had is said in words, which the verdict takes up.
 */
#ifndef RTK_UHOLD_H
#define RTK_UHOLD_H

#include "utest.h"

/**
 * struct rtk_uhold - what is held
 * @latency_fd: open /dev/cpu_dma_latency, or -1
 * @locked: memory is locked
 */
struct rtk_uhold {
	int latency_fd;
	bool locked;
};

/**
 * rtk_uhold_take() - lock memory, limit idle states
 * @h: filled; give back with rtk_uhold_give()
 * @common: parameters
 * @how: what can't be had is noted here
 */
void rtk_uhold_take(struct rtk_uhold *h, const struct rtk_ucommon *common,
		    struct rtk_ucond *how);

/**
 * rtk_uhold_give() - give back what is held
 * @h: hold
 */
void rtk_uhold_give(struct rtk_uhold *h);

/**
 * rtk_uhold_policy() - find out by trying which policy there is
 * @common: parameters
 * @policy: set: as of sched_setscheduler(2)
 * @priority: set: 0 where it is no real-time policy
 * @why: filled where the one asked for is refused: cause and mend
 * @size: its size
 *
 * The calling thread's policy is as it was.
 *
 * Return: 0, or -errno of the refusal; then @policy is SCHED_OTHER
 */
int rtk_uhold_policy(const struct rtk_ucommon *common, int *policy,
		     int *priority, char *why, size_t size);

/**
 * rtk_uhold_throttled() - does the kernel take time from real-time threads?
 * @runtime_us: set: how much they may use
 * @period_us: set: of how much
 *
 * Return: yes or no
 */
bool rtk_uhold_throttled(__s64 *runtime_us, __s64 *period_us);

#endif
