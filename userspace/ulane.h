/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A lane of a user-space test: one series on one CPU, as in the module. It has
 * one writer, the measured thread; another thread may look at its moments.
 */
#ifndef RTK_ULANE_H
#define RTK_ULANE_H

#include <sched.h>
#include <stdint.h>

#include "model.h"
#include "stats.h"

/* Worst samples kept. */
#define RTK_ULANE_WORST 8

/**
 * struct rtk_ulane_worst - one of the worst samples
 * @value: value
 * @sequence: its number in the lane, from 0
 * @wall_ns: CLOCK_REALTIME just after it
 * @mono_ns: CLOCK_MONOTONIC likewise
 */
struct rtk_ulane_worst {
	__s64 value;
	__u64 sequence;
	__s64 wall_ns;
	__s64 mono_ns;
};

/**
 * struct rtk_ulane - a lane
 * @cpu: CPU that it belongs to
 * @is_signed: negative values belong to it
 * @off: the run does not measure it, its result does not have it
 * @limit: what is above it is an outlier
 * @count: buckets, those of negative values behind the others
 * @negative: negative values of an unsigned series; they are in no bucket
 * @wrong_cpu: values dropped: the writer was on another CPU
 * @outliers: values above @limit
 * @m: moments
 * @last: latest value
 * @worst: the worst, unordered
 * @n_worst: how many
 * @least: value that the next of them must be above
 */
struct rtk_ulane {
	int cpu;
	bool is_signed;
	bool off;
	__s64 limit;
	__u64 *count;
	__u64 negative;
	__u64 wrong_cpu;
	__u64 outliers;
	struct rtk_moments m;
	__s64 last;
	struct rtk_ulane_worst worst[RTK_ULANE_WORST];
	size_t n_worst;
	__s64 least;
};

/**
 * rtk_ulane_init() - an empty lane
 * @lane: filled
 * @cpu: CPU
 * @is_signed: negative values belong to it
 * @limit: what is above it is an outlier; INT64_MAX for none
 *
 * Its memory is that of the calling thread's node, which should be the writer.
 *
 * Return: 0 or -ENOMEM
 */
int rtk_ulane_init(struct rtk_ulane *lane, int cpu, bool is_signed,
		   __s64 limit);

/**
 * rtk_ulane_free() - free what a lane holds
 * @lane: lane
 */
void rtk_ulane_free(struct rtk_ulane *lane);

/**
 * rtk_ulane_keep() - a sample that may be one of the worst, or an outlier
 * @lane: lane
 * @value: value, counted already
 */
void rtk_ulane_keep(struct rtk_ulane *lane, __s64 value);

/**
 * rtk_ulane_add() - record a sample
 * @lane: lane
 * @value: value
 *
 * Of the lane's writer only, and outside of what is timed. No system call but
 * where the sample is one of the worst, and then clocks only.
 */
static inline void rtk_ulane_add(struct rtk_ulane *lane, __s64 value)
{
	struct rtk_moments *m = &lane->m;
	__u64 index;

	/* A number in the thread's own memory (rseq), no system call. */
	if (sched_getcpu() != lane->cpu) {
		lane->wrong_cpu++;
		return;
	}
	if (value < 0 && !lane->is_signed) {
		lane->negative++;
		return;
	}
	if (value >= 0)
		index = rtk_hist_index((__u64)value);
	else
		/* As in the module: the smallest of all has no magnitude. */
		index = RTK_HIST_BUCKETS +
			rtk_hist_index(value == INT64_MIN ? INT64_MAX :
							    -(__u64)value);
	lane->count[index]++;
	if (!m->n || value < m->min)
		m->min = value;
	if (!m->n || value > m->max)
		m->max = value;
	m->sum += value;
	m->sumsq += (unsigned __int128)((__int128)value * value);
	lane->last = value;
	/* Last: who sees the number sees a minimum and a maximum. */
	__atomic_store_n(&m->n, m->n + 1, __ATOMIC_RELEASE);
	if (value > lane->least || value > lane->limit)
		rtk_ulane_keep(lane, value);
}

/**
 * rtk_ulane_merge() - take in what was measured elsewhere, as in the module
 * @lane: lane
 * @from: a complete lane of the same unit; its samples are in no order any more, so
 *	that they are not among the worst
 *
 * Of the lane's writer only.
 */
void rtk_ulane_merge(struct rtk_ulane *lane, const struct rtk_lane *from);

/**
 * rtk_ulane_look() - moments of a lane that may be written meanwhile
 * @lane: lane
 * @out: n, min, max and last are set, each by itself; it is for the eye
 */
void rtk_ulane_look(const struct rtk_ulane *lane, struct rtk_lane *out);

/**
 * rtk_ulane_export() - a lane that is not written any more, as a module's lane
 * @lane: lane
 * @out: series and unit are set already; the rest is filled, with its buckets
 * @outliers: the worst are appended
 *
 * Return: 0 or -ENOMEM
 */
int rtk_ulane_export(const struct rtk_ulane *lane, struct rtk_lane *out,
		     struct rtk_outliers *outliers);

/**
 * rtk_ulane_snap() - the same of one that is written meanwhile
 * @lane: lane
 * @out: see there
 * @outliers: see there
 *
 * It is copied again where a sample came in between, a few times. Then sums and
 * buckets may differ by what came.
 *
 * Return: 0 or -ENOMEM
 */
int rtk_ulane_snap(const struct rtk_ulane *lane, struct rtk_lane *out,
		   struct rtk_outliers *outliers);

#endif
