/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Lanes: where samples go.
 *
 * A lane is one series on one CPU and has exactly one writer context: one
 * interrupt handler or one thread, on that CPU. Everything that the writer
 * changes is here. Readers run elsewhere and take copies (hist.c).
 *
 * rtk_record() is the sample path: no lock, no allocation, no printing, no
 * wake-up, a bounded number of instructions. It is inline, and its slow path
 * is reached through a pointer, so that tests in other modules need no
 * further exported symbol.
 */
#ifndef RTK_HIST_H
#define RTK_HIST_H

#include <linux/cache.h>
#include <linux/compiler.h>
#include <linux/minmax.h>
#include <linux/sched.h>
#include <linux/seqlock.h>
#include <linux/smp.h>
#include <linux/types.h>

#include <uapi/linux/rtk.h>
#include <uapi/linux/rtk_hist.h>

/* Worst samples kept for each lane. */
#define RTK_WORST	8

struct rtk_cpu;
struct rtk_series;

/**
 * struct rtk_sample - a sample with its context
 * @value: what was recorded
 * @sequence: number of samples recorded in the lane before it
 * @mono: CLOCK_MONOTONIC of the recording, ns
 * @pid: interrupted task, 0 is the idle task; -1 in lanes not written in
 *	interrupt context
 * @comm: its name, not necessarily terminated
 */
struct rtk_sample {
	s64 value;
	u64 sequence;
	u64 mono;
	pid_t pid;
	char comm[TASK_COMM_LEN];
};

/**
 * struct rtk_moments - moments of what a lane recorded
 * @n: samples, negative ones of an unsigned series not included
 * @min: smallest sample, S64_MAX while @n is 0
 * @last: latest sample
 * @sum: sum of the samples; 2^63 ns are 292 years of latency
 * @sumsq: sum of their squares
 */
struct rtk_moments {
	u64 n;
	s64 min;
	s64 last;
	s64 sum;
	unsigned __int128 sumsq;
};

/**
 * struct rtk_lane - one series on one CPU
 * @seq: protects @m and @max for readers on other CPUs; the one writer needs
 *	no lock
 * @cpu: CPU of the writer
 * @limit: values from here on, compared as unsigned (so negative ones too),
 *	take the slow path
 * @buckets: RTK_HIST_BUCKETS counts, twice as many for a signed series; each
 *	is read with READ_ONCE(), no order among them is promised
 * @m: moments, see above
 * @next: next grid point that is neither delivered nor missed, ns; the test
 *	moves it on
 * @missed: activations that passed without being delivered
 * @slow: slow path of rtk_record(); same context and rules
 * @max: largest sample
 * @late: samples of one period or more
 * @negative: negative samples of an unsigned series
 * @wrong_cpu: values dropped because they came from another CPU; atomic,
 *	since those writers are by definition not the one writer
 * @outliers: samples above the threshold
 * @worst: the largest samples, largest first
 * @ring: outliers, slot is number of outlier modulo @ring_size
 * @ring_size: slots of @ring, 0 where this lane keeps none
 * @threshold: a sample above this is an outlier
 * @floor: a sample above this belongs into @worst; -1 while there is room
 * @period: a sample from here on is late; S64_MAX without a grid
 * @hardirq: written in interrupt context, so current is the interrupted task
 * @guard_start: start of the overload guard's second, CLOCK_MONOTONIC ns
 * @guard_missed: activations missed in it
 * @guard_stalls: times at which some were missed in it
 * @guard_n: @m.n at its start
 * @c: the CPU's part of the run
 * @series: description
 */
struct rtk_lane {
	/* Touched for each sample. */
	seqcount_t seq;
	int cpu;
	u64 limit;
	u64 *buckets;
	u64 next;
	struct rtk_moments m;

	/* Touched by the slow path. */
	u64 missed ____cacheline_aligned;
	void (*slow)(struct rtk_lane *lane, s64 value, u64 now);
	s64 max;
	u64 late;
	u64 negative;
	atomic64_t wrong_cpu;
	u64 outliers;
	s64 threshold;
	s64 floor;
	s64 period;
	bool hardirq;
	struct rtk_sample worst[RTK_WORST];
	struct rtk_sample *ring;
	u32 ring_size;
	u64 guard_start;
	u64 guard_missed;
	u64 guard_stalls;
	u64 guard_n;
	struct rtk_cpu *c;
	const struct rtk_series *series;
};

/*
 * The limit of the fast path: the lowest of the three bounds that the slow
 * path looks after. By the writer, or before it is armed.
 */
static inline void rtk_lane_set_limit(struct rtk_lane *lane)
{
	lane->limit = min3((u64)lane->floor + 1, (u64)lane->threshold + 1,
			   (u64)lane->period);
}

/* Before the lane's first sample. */
static inline void rtk_lane_set_period(struct rtk_lane *lane, u64 period)
{
	lane->period = period;
	rtk_lane_set_limit(lane);
}

/*
 * The part of recording that every sample of an unsigned series goes through:
 * bucket and moments. @value is not negative.
 */
static __always_inline void rtk_lane_add(struct rtk_lane *lane, s64 value)
{
	u64 *bucket = &lane->buckets[rtk_hist_index(value)];

	/* One writer: a plain increment, a single store for the readers. */
	WRITE_ONCE(*bucket, *bucket + 1);
	/*
	 * The raw variant: the only writer is this one, and an interrupt that
	 * comes in between writes to another lane. Readers never run in a
	 * context that could keep this writer from finishing.
	 */
	raw_write_seqcount_begin(&lane->seq);
	lane->m.n++;
	lane->m.last = value;
	lane->m.sum += value;
	lane->m.sumsq += (unsigned __int128)((__int128)value * value);
	if (value < lane->m.min)
		lane->m.min = value;
	raw_write_seqcount_end(&lane->seq);
}

/**
 * rtk_record() - record one sample
 * @lane: lane
 * @value: sample, in the series' unit
 * @now: CLOCK_MONOTONIC at which it was taken, ns
 *
 * Context: the lane's writer context, on the lane's CPU; any context down to
 * hard interrupt with interrupts off. Not NMI. From another CPU the value is
 * dropped and counted as wrong_cpu. Lock-free, bounded.
 */
static __always_inline void rtk_record(struct rtk_lane *lane, s64 value, u64 now)
{
	if (unlikely(raw_smp_processor_id() != lane->cpu ||
		     (u64)value >= lane->limit)) {
		lane->slow(lane, value, now);
		return;
	}
	rtk_lane_add(lane, value);
}

#endif /* RTK_HIST_H */
