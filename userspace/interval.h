/* SPDX-License-Identifier: GPL-2.0 */
/* The largest samples of parts of a run, from one look at its lanes to the next. */
#ifndef RTK_INTERVAL_H
#define RTK_INTERVAL_H

#include "model.h"

/* Kept of a run; when there are as many, two become one. */
#define RTK_INTERVALS_MAX 4096

/**
 * struct rtk_interval - a series between two looks
 * @series: name
 * @cpu: CPU of the largest sample
 * @count: samples in it, on all CPUs
 * @max: the largest; it is never less than the true one
 * @exact: it is the true one; else the upper end of its bucket
 * @wall_ns: end, CLOCK_REALTIME
 * @mono_ns: the same, CLOCK_MONOTONIC
 */
struct rtk_interval {
	char series[RTK_NAME_SIZE];
	__u32 cpu;
	__u64 count;
	__s64 max;
	bool exact;
	__s64 wall_ns;
	__s64 mono_ns;
};

/**
 * struct rtk_intervals - those of a run, and what it takes to make the next
 * @v: array, in the order of their ends
 * @n: its length
 * @last: lanes at the last look
 * @last_mono_ns: when that was, CLOCK_MONOTONIC, 0 at the run's beginning
 */
struct rtk_intervals {
	struct rtk_interval *v;
	size_t n;
	struct rtk_lanes last;
	__s64 last_mono_ns;
};

/**
 * rtk_intervals_look() - end an interval of each series that has samples in it
 * @list: appended to
 * @lanes: lanes now
 * @kept: samples on record with their times
 * @wall_ns: CLOCK_REALTIME now
 * @mono_ns: CLOCK_MONOTONIC now
 *
 * Return: 0 or -ENOMEM
 */
int rtk_intervals_look(struct rtk_intervals *list,
		       const struct rtk_lanes *lanes,
		       const struct rtk_outliers *kept, __s64 wall_ns,
		       __s64 mono_ns);

/**
 * rtk_intervals_add() - append an interval
 * @list: list
 * @one: interval
 *
 * Return: 0 or -ENOMEM
 */
int rtk_intervals_add(struct rtk_intervals *list,
		      const struct rtk_interval *one);

/**
 * rtk_intervals_free() - free intervals, leave none
 * @list: list
 */
void rtk_intervals_free(struct rtk_intervals *list);

#endif
