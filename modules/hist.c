// SPDX-License-Identifier: GPL-2.0
/*
 * Lanes: their memory, the slow path of recording, copies for readers.
 */
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/overflow.h>
#include <linux/slab.h>
#include <linux/topology.h>

#include "internal.h"

/* A reader that loses this many races with a writer takes what it has. */
#define SNAP_RETRIES	100

static bool lane_is_signed(const struct rtk_lane *lane)
{
	return lane->series->flags & RTK_SERIES_SIGNED;
}

static u32 lane_buckets(const struct rtk_series *series)
{
	return series->flags & RTK_SERIES_SIGNED ? 2 * RTK_HIST_BUCKETS :
						   RTK_HIST_BUCKETS;
}

/* A negative value of a signed series: its bucket is in the mirrored half. */
static void lane_add_negative(struct rtk_lane *lane, s64 value)
{
	u64 magnitude = value == S64_MIN ? S64_MAX : -value;
	unsigned __int128 square = (unsigned __int128)magnitude * magnitude;

	rtk_lane_add_square(lane, value, square, square >> 64,
			    RTK_HIST_BUCKETS + rtk_hist_index(magnitude));
}

static void lane_add_positive(struct rtk_lane *lane, s64 value)
{
	unsigned __int128 square = (unsigned __int128)value * value;

	rtk_lane_add_square(lane, value, square, square >> 64, rtk_hist_index(value));
}

/*
 * The lowest of the bounds that the slow path looks after. A square must fit
 * into 64 bits for the fast one, too.
 */
static void lane_set_limit(struct rtk_lane *lane)
{
	u64 limit = min3((u64)lane->floor + 1, (u64)lane->threshold + 1,
			 (u64)lane->period);

	lane->limit = min(limit, 1ULL << 32);
}

static void lane_trip(struct rtk_lane *lane)
{
	struct rtk_cpu *c = lane->c;

	if (c->common->stop_tracing)
		tracing_off();
	if (!c->common->stop_on_threshold)
		return;
	rtk_window_end(c);
	WRITE_ONCE(c->tripped, true);
	rtk_ended(c);
}

static void lane_add_slow(struct rtk_lane *lane, s64 value, u64 now)
{
	if (RTK_BREAKS(delivered) && value >= lane->period)
		return;
	if (value > lane->max && (value >= 0 || lane_is_signed(lane))) {
		/* Before the bucket, like the other moments. */
		raw_write_seqcount_begin(&lane->seq);
		lane->max = value;
		raw_write_seqcount_end(&lane->seq);
	}
	if (value >= 0)
		lane_add_positive(lane, value);
	else if (lane_is_signed(lane))
		lane_add_negative(lane, value);
	else
		WRITE_ONCE(lane->negative, lane->negative + 1);
	if (value >= lane->period)
		WRITE_ONCE(lane->late, lane->late + 1);

	if (value > lane->floor || value > lane->threshold)
		rtk_outlier_note(lane, value, now);
	if (value > lane->threshold)
		lane_trip(lane);
	lane_set_limit(lane);
	rtk_context_read(&lane->ctx);
}

/*
 * All that is not an ordinary sample: from another CPU, negative, late, above
 * the threshold, or one of the worst. The lane's writer context.
 *
 * Preemption is off for threads, which the scheduler moves when their CPU goes
 * offline: what ends the window must run on that CPU (rtk_window_end()).
 */
static bool lane_slow(struct rtk_lane *lane, s64 value, u64 now)
{
	bool here;

	preempt_disable();
	here = smp_processor_id() == lane->cpu;
	if (here)
		lane_add_slow(lane, value, now);
	else
		atomic64_inc(&lane->wrong_cpu);
	preempt_enable();
	return here;
}

struct rtk_lane *rtk_lane_alloc(struct rtk_run *run, struct rtk_cpu *c,
				const struct rtk_series *series, bool ring)
{
	int node = cpu_to_node(c->cpu);
	struct rtk_lane *lane;

	/* Too big for the per-CPU allocator; need not be contiguous. */
	lane = kvzalloc_node(struct_size(lane, buckets, lane_buckets(series)),
			     GFP_KERNEL, node);
	if (!lane)
		return NULL;
	seqcount_init(&lane->seq);
	lane->cpu = c->cpu;
	lane->c = c;
	lane->series = series;
	lane->slow = lane_slow;
	lane->hardirq = series->flags & RTK_SERIES_HARDIRQ;
	lane->m.min = S64_MAX;
	lane->max = S64_MIN;
	lane->floor = -1;
	lane->threshold = S64_MAX;
	lane->period = S64_MAX;
	if (ring && run->common.threshold_ns) {
		lane->threshold = run->common.threshold_ns;
		lane->ring_size = run->common.outlier_slots;
		lane->ring = kvzalloc_node(lane->ring_size * sizeof(*lane->ring),
					   GFP_KERNEL, node);
		if (!lane->ring) {
			rtk_lane_free(lane);
			return NULL;
		}
	}
	return lane;
}

void rtk_lane_free(struct rtk_lane *lane)
{
	if (!lane)
		return;
	kvfree(lane->ring);
	kvfree(lane);
}

int rtk_snap_alloc(struct rtk_snap *snap)
{
	snap->buckets = kvcalloc(2 * RTK_HIST_BUCKETS, sizeof(u64), GFP_KERNEL);
	return snap->buckets ? 0 : -ENOMEM;
}

void rtk_snap_free(struct rtk_snap *snap)
{
	kvfree(snap->buckets);
	snap->buckets = NULL;
}

struct rtk_lane *rtk_lane_at(struct rtk_inst *inst, unsigned int pos)
{
	struct rtk_run *run = inst->run;
	unsigned int i, k;

	lockdep_assert_held(&rtk_lock);
	if (!run)
		return NULL;
	for (i = 0; i < run->n; i++) {
		for (k = 0; k < inst->test->n_series; k++) {
			struct rtk_lane *lane = run->w[i]->c.lane[k];

			if (lane && !pos--)
				return lane;
		}
	}
	return NULL;
}

static void snap_copy_buckets(struct rtk_snap *snap, const struct rtk_lane *lane)
{
	u32 i;

	snap->n_buckets = lane_buckets(lane->series);
	snap->count = 0;
	for (i = 0; i < snap->n_buckets; i++) {
		snap->buckets[i] = READ_ONCE(lane->buckets[i]);
		snap->count += snap->buckets[i];
	}
}

/*
 * A writer is a few instructions long, but can be one sample after the other
 * and its virtual CPU can be halted halfway, so the retries are bounded. Only
 * a running run's copy can then be uneven.
 */
static void snap_copy_moments(struct rtk_snap *snap, const struct rtk_lane *lane)
{
	int tries = SNAP_RETRIES;
	unsigned int seq;

	do {
		seq = raw_read_seqcount(&lane->seq);
		snap->m = lane->m;
		snap->max = lane->max;
	} while ((seq & 1 || read_seqcount_retry(&lane->seq, seq)) && --tries);
}

static void snap_copy_ledger(struct rtk_snap *snap, const struct rtk_lane *lane,
			     const struct rtk_worker *w)
{
	u64 end = snap->running ? ktime_get() : U64_MAX;

	/* Pairs with the release in rtk_grid_start(). */
	snap->period = smp_load_acquire(&w->c.period);
	if (!(lane->series->flags & RTK_SERIES_LEDGER) || !snap->period)
		return;
	snap->expected = READ_ONCE(lane->expected) +
			 rtk_lane_points(lane, w->c.first, end);
	snap->late = READ_ONCE(lane->late);
	snap->missed = READ_ONCE(lane->missed);
}

static bool lane_is_first(const struct rtk_lane *lane)
{
	unsigned int i = 0;

	while (!lane->c->lane[i])
		i++;
	return lane->c->lane[i] == lane;
}

/* Once for each CPU. */
static void snap_copy_counters(struct rtk_snap *snap, const struct rtk_lane *lane,
			       const struct rtk_test *test)
{
	unsigned int i;

	if (!lane_is_first(lane))
		return;
	snap->counters = test->counters;
	snap->n_counters = test->n_counters;
	for (i = 0; i < test->n_counters; i++)
		snap->counter[i] = READ_ONCE(lane->c->counter[i]);
}

int rtk_snap_take(struct rtk_inst *inst, unsigned int pos,
		  struct rtk_snap *snap)
{
	struct rtk_lane *lane = rtk_lane_at(inst, pos);
	struct rtk_snap copy = { .buckets = snap->buckets };
	struct rtk_worker *w;

	if (!lane)
		return -ENOENT;
	w = container_of(lane->c, struct rtk_worker, c);
	copy.cpu = lane->cpu;
	copy.series = lane->series;
	/* Before the rest, so that what is called final is. */
	copy.running = !rtk_worker_closed(w);
	copy.ended_mono = copy.running ? 0 : w->ended_mono;
	copy.smis = copy.running ? -1 : w->smis;
	copy.nmis = copy.running ? -1 : w->nmis;
	if (copy.buckets)
		snap_copy_buckets(&copy, lane);
	/* Moments after them: they are then never behind (rtk_lane_add_square()). */
	smp_rmb();
	snap_copy_moments(&copy, lane);
	if (!copy.buckets)
		copy.count = copy.m.n;
	copy.negative = READ_ONCE(lane->negative);
	copy.wrong_cpu = atomic64_read(&lane->wrong_cpu);
	copy.outliers = READ_ONCE(lane->outliers);
	snap_copy_ledger(&copy, lane, w);
	snap_copy_counters(&copy, lane, inst->test);
	*snap = copy;
	return 0;
}

s64 rtk_snap_mean(const struct rtk_snap *snap)
{
	s64 sum = snap->m.sum, n = snap->m.n;

	if (!n)
		return 0;
	return div64_s64(sum >= 0 ? sum + n / 2 : sum - n / 2, n);
}

/*
 * Around the rounded mean m: the sum of (v - m)^2 is
 * sumsq - 2 * m * sum + n * m^2, exact in 128 bits; m is off by at most 1/2,
 * which adds n/4 ns^2 at most. The kernel has no 128-bit division, so a large
 * sum loses low bits in pairs, which come back behind the square root.
 */
u64 rtk_snap_stddev(const struct rtk_snap *snap)
{
	const struct rtk_moments *m = &snap->m;
	unsigned __int128 squares = (unsigned __int128)m->sumsq_hi << 64 | m->sumsq_lo;
	s64 mean = rtk_snap_mean(snap);
	unsigned int shift = 0;

	if (m->n < 2)
		return 0;
	squares += (unsigned __int128)((__int128)mean * mean) * m->n -
		   2 * (__int128)mean * m->sum;
	while (squares >> 64) {
		squares >>= 2;
		shift++;
	}
	return (u64)int_sqrt64(div64_u64((u64)squares, m->n - 1)) << shift;
}

s64 rtk_snap_percentile(const struct rtk_snap *snap, u32 num, u32 den)
{
	const u64 *negative = snap->buckets + RTK_HIST_BUCKETS;
	u64 rank = rtk_hist_rank(snap->count, num, den), sum = 0;
	s64 v = snap->max;
	u32 i;

	if (!(snap->series->flags & RTK_SERIES_SIGNED))
		return rtk_hist_percentile(snap->buckets, snap->count, num, den,
					   snap->max);
	/* Ascending: the negative ones from the largest magnitude on. */
	for (i = 2 * RTK_HIST_BUCKETS; i-- > 0;) {
		bool neg = i >= RTK_HIST_BUCKETS;
		u32 k = neg ? i - RTK_HIST_BUCKETS : RTK_HIST_BUCKETS - 1 - i;

		sum += neg ? negative[k] : snap->buckets[k];
		if (sum < rank)
			continue;
		v = neg ? -(s64)rtk_hist_low(k) : (s64)rtk_hist_last(k);
		break;
	}
	return min(v, snap->max);
}
