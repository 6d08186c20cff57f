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
#include <linux/sched.h>
#include <linux/seqlock.h>
#include <linux/smp.h>
#include <linux/types.h>

#include <uapi/linux/rtk.h>
#include <uapi/linux/rtk_hist.h>

#include "context.h"

/*
 * Constant false but in a build for the self-tests, to see the ledger notice it:
 * make modules RTK_BREAK_LEDGER=delivered loses late samples, =missed one of
 * each gap's missed activations.
 */
#define RTK_BREAKS(what)	__is_defined(RTK_BREAK_##what)

/* Worst samples kept for each lane. */
#define RTK_WORST	8
/* Values of its own that a test can keep with a sample. */
#define RTK_DETAILS	3

struct rtk_cpu;
struct rtk_series;

/**
 * struct rtk_sample - a sample with its context
 * @value: what was recorded
 * @sequence: number of samples recorded in the lane before it; without those that
 *	a pull test has yet to publish
 * @mono: CLOCK_MONOTONIC of the recording, ns
 * @irqs: interrupts (see struct rtk_context) since the lane's previous sample, or,
 *	in pull tests, since the last one that was recorded by itself or the
 *	measurement's beginning; those of the measurement itself are among them
 * @softirqs: softirqs likewise
 * @nmis: NMIs likewise
 * @smis: SMIs in the @smi_span before @mono, see smi.h; -1 for unknown
 * @smi_span: time since the SMI counter was read before, ns
 * @detail: the test's own values, see struct rtk_test
 * @pid: interrupted task, 0 is the idle task; -1 in lanes not written in
 *	interrupt context
 * @comm: its name, not necessarily terminated
 */
struct rtk_sample {
	s64 value;
	u64 sequence;
	u64 mono;
	u32 irqs;
	u32 softirqs;
	u32 nmis;
	s32 smis;
	u64 smi_span;
	u64 detail[RTK_DETAILS];
	pid_t pid;
	char comm[TASK_COMM_LEN];
};

/**
 * struct rtk_moments - moments of what a lane recorded
 * @n: samples, negative ones of an unsigned series not included
 * @min: smallest sample, S64_MAX while @n is 0
 * @last: latest sample
 * @sum: sum of the samples; 2^63 ns are 292 years of latency
 * @sumsq_lo: sum of their squares, low 64 bits
 * @sumsq_hi: high 64 bits
 */
struct rtk_moments {
	u64 n;
	s64 min;
	s64 last;
	s64 sum;
	u64 sumsq_lo;
	u64 sumsq_hi;
};

/**
 * struct rtk_lane - one series on one CPU
 * @seq: protects @m, @max and @worst for readers on other CPUs; the one writer
 *	needs no lock
 * @cpu: CPU of the writer
 * @limit: values from here on, compared as unsigned (so negative ones too),
 *	take the slow path; 0 until the first sample, so that one does
 * @m: moments, see above
 * @ctx: the CPU's counters at the latest sample
 * @next: next grid point that is neither delivered nor missed, ns; the test
 *	moves it on
 * @missed: activations that passed without being delivered
 * @from: no grid point before it counts; 0 but for lanes of readers, which come
 *	and go
 * @expected: grid points that counted in earlier stays of readers
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
 * @smi_count: SMIs at @smi_at
 * @smi_at: when the SMI counter was read last, CLOCK_MONOTONIC ns
 * @detail: what the next sample that is kept is kept with
 * @c: the CPU's part of the run
 * @series: description
 * @buckets: RTK_HIST_BUCKETS counts, twice as many for a signed series; each
 *	is read with READ_ONCE(), no order among them is promised
 */
struct rtk_lane {
	/* Touched for each sample. */
	seqcount_t seq;
	int cpu;
	u64 limit;
	u64 next;
	struct rtk_moments m;
	struct rtk_context ctx;

	/* Touched by the slow path. */
	u64 missed ____cacheline_aligned;
	u64 from;
	u64 expected;
	bool (*slow)(struct rtk_lane *lane, s64 value, u64 now);
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
	u32 smi_count;
	u64 smi_at;
	u64 detail[RTK_DETAILS];
	struct rtk_cpu *c;
	const struct rtk_series *series;
	u64 buckets[];
};

/*
 * The part of recording that every sample goes through. @lo and @hi are the
 * square of @value, @bucket is the number of its bucket.
 */
static __always_inline void rtk_lane_add_square(struct rtk_lane *lane, s64 value,
						u64 lo, u64 hi, u32 bucket)
{
	/*
	 * The raw variant: the only writer is this one, and an interrupt that
	 * comes in between writes to another lane. A reader that keeps this
	 * writer from finishing gives up after some retries (hist.c).
	 */
	raw_write_seqcount_begin(&lane->seq);
	lane->m.n++;
	lane->m.last = value;
	lane->m.sum += value;
	hi += __builtin_add_overflow(lane->m.sumsq_lo, lo, &lane->m.sumsq_lo);
	lane->m.sumsq_hi += hi;
	if (value < lane->m.min)
		lane->m.min = value;
	raw_write_seqcount_end(&lane->seq);
	/*
	 * After the moments, for which the section's end has a barrier: who
	 * sees a sample in a bucket finds it in the moments. One writer, and an
	 * aligned word, which no compiler writes in parts.
	 */
	lane->buckets[bucket]++;
}

/**
 * rtk_lane_plain() - is this an ordinary sample?
 * @lane: lane
 * @value: sample
 *
 * Context: as rtk_record().
 * Return: true if the caller may rtk_lane_add() it: on the lane's CPU, neither
 * negative nor late nor an outlier nor one of the worst nor the first
 */
static __always_inline bool rtk_lane_plain(const struct rtk_lane *lane, s64 value)
{
	return likely(raw_smp_processor_id() == lane->cpu &&
		      (u64)value < lane->limit);
}

/**
 * rtk_lane_add() - record an ordinary sample
 * @lane: lane
 * @value: sample, rtk_lane_plain(); so below 2^32, and its square fits
 *
 * Context: as rtk_record().
 */
static __always_inline void rtk_lane_add(struct rtk_lane *lane, s64 value)
{
	rtk_lane_add_square(lane, value, (u64)value * value, 0, rtk_hist_index(value));
	rtk_context_read(&lane->ctx);
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
 * Return: false if it was dropped
 */
static __always_inline bool rtk_record(struct rtk_lane *lane, s64 value, u64 now)
{
	if (!rtk_lane_plain(lane, value))
		return lane->slow(lane, value, now);
	rtk_lane_add(lane, value);
	return true;
}

/**
 * struct rtk_batch - ordinary samples that the test has counted by itself
 * @n: number of them
 * @min: smallest
 * @last: latest
 * @sum: sum; may be more exact than that of the values in their buckets
 * @sumsq: sum of squares, not less than that of what @sum is a sum of
 */
struct rtk_batch {
	u64 n;
	s64 min;
	s64 last;
	u64 sum;
	unsigned __int128 sumsq;
};

/**
 * rtk_lane_add_batch() - record the moments of ordinary samples
 * @lane: lane
 * @b: samples, each of them rtk_lane_plain() when it was taken
 *
 * rtk_lane_add_bucket() for each value of it is to follow.
 *
 * Context: as rtk_record(); also from another CPU, once the lane's own CPU has
 * gone offline and taken its writer's place.
 */
static inline void rtk_lane_add_batch(struct rtk_lane *lane, const struct rtk_batch *b)
{
	u64 lo = b->sumsq, hi = b->sumsq >> 64;

	raw_write_seqcount_begin(&lane->seq);
	lane->m.n += b->n;
	lane->m.last = b->last;
	lane->m.sum += b->sum;
	hi += __builtin_add_overflow(lane->m.sumsq_lo, lo, &lane->m.sumsq_lo);
	lane->m.sumsq_hi += hi;
	if (b->min < lane->m.min)
		lane->m.min = b->min;
	raw_write_seqcount_end(&lane->seq);
}

/* Counts samples of a batch, after its moments (rtk_lane_add_square()). */
static inline void rtk_lane_add_bucket(struct rtk_lane *lane, u64 value, u64 n)
{
	lane->buckets[rtk_hist_index(value)] += n;
}

#endif /* RTK_HIST_H */
