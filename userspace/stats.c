// SPDX-License-Identifier: GPL-2.0
#include "stats.h"

const struct rtk_percentile rtk_stats_percentiles[RTK_STATS_PERCENTILES] = {
	{ "50", 50, 100 },     { "90", 90, 100 },	 { "99", 99, 100 },
	{ "99.9", 999, 1000 }, { "99.99", 9999, 10000 },
};

void rtk_moments_merge(struct rtk_moments *into, const struct rtk_moments *from)
{
	if (!from->n)
		return;
	if (!into->n || from->min < into->min)
		into->min = from->min;
	if (!into->n || from->max > into->max)
		into->max = from->max;
	into->n += from->n;
	into->sum += from->sum;
	into->sumsq += from->sumsq;
}

double rtk_moments_mean(const struct rtk_moments *m)
{
	return (double)m->sum / (double)m->n;
}

/*
 * Sum of (x - mean)^2. Steps may wrap, the result does not: with the rounded
 * mean it is at most n / 4 above the sum of squares around the true one.
 */
static unsigned __int128 squares_around(const struct rtk_moments *m,
					unsigned __int128 mean)
{
	return m->sumsq - 2 * mean * (unsigned __int128)m->sum +
	       m->n * mean * mean;
}

double rtk_moments_variance(const struct rtk_moments *m)
{
	__int128 n = m->n, mean = m->sum / n, rest;
	double squares, correction;

	rest = m->sum - mean * n;
	if (rest * 2 > n)
		mean++;
	else if (rest * 2 < -n)
		mean--;
	rest = m->sum - mean * n;
	squares = (double)squares_around(m, (unsigned __int128)mean);
	/* At most half of squares, since each square is at least |x - mean|. */
	correction = (double)rest * (double)rest / (double)n;
	return (squares - correction) / (double)(n - 1);
}

__s64 rtk_stats_add(__u64 *full, const struct rtk_bucket *buckets, size_t n)
{
	__u64 sum = 0;
	size_t i;

	for (i = 0; i < n; i++) {
		if (buckets[i].index >= RTK_STATS_BUCKETS)
			return -1;
		full[buckets[i].index] += buckets[i].count;
		sum += buckets[i].count;
	}
	return (__s64)sum;
}

__u32 rtk_stats_order(__u32 place)
{
	if (place < RTK_HIST_BUCKETS)
		return RTK_STATS_BUCKETS - 1 - place;
	return place - RTK_HIST_BUCKETS;
}

void rtk_stats_row(__u32 index, __s64 *low, __s64 *high)
{
	__u32 i = index % RTK_HIST_BUCKETS;

	if (index < RTK_HIST_BUCKETS) {
		*low = (__s64)rtk_hist_low(i);
		*high = (__s64)rtk_hist_last(i);
		if (i < RTK_HIST_BUCKETS - 1)
			(*high)++;
		return;
	}
	*low = -(__s64)rtk_hist_last(i);
	*high = -(__s64)rtk_hist_low(i) + 1;
}

__s64 rtk_stats_percentile(const __u64 *full, __u64 count,
			   const struct rtk_percentile *p, __s64 max)
{
	__u64 rank = rtk_hist_rank(count, p->num, p->den), sum = 0;
	__s64 low, high, last;
	__u32 place, i;

	for (place = 0; place < RTK_STATS_BUCKETS; place++) {
		i = rtk_stats_order(place);
		sum += full[i];
		if (sum < rank)
			continue;
		rtk_stats_row(i, &low, &high);
		last = i == RTK_HIST_BUCKETS - 1 ? high : high - 1;
		return last < max ? last : max;
	}
	return max;
}

/* How many of v - period, v - 2 * period, ... are x or more? */
static __u64 steps_above(__u64 v, __u64 x, __u64 period)
{
	return x > v ? 0 : (v - x) / period;
}

/* By the buckets that are hit, not by the steps: those may be billions. */
static void add_steps(__u64 *out, __u64 v, __u64 period, __u64 count)
{
	__u64 low;
	__u32 i;

	for (i = 0; i < RTK_HIST_BUCKETS; i++) {
		low = rtk_hist_low(i);
		if (low > v - period)
			break;
		out[i] +=
			count * (steps_above(v, low, period) -
				 steps_above(v, rtk_hist_last(i) + 1, period));
	}
}

__u64 rtk_stats_correct(const __u64 *full, __u64 *out, __u64 period, __s64 max)
{
	__u64 v, added = 0;
	__u32 i;

	for (i = 0; i < RTK_HIST_BUCKETS; i++) {
		v = rtk_hist_last(i);
		if (v > (__u64)max)
			v = (__u64)max;
		if (!full[i] || rtk_hist_low(i) < period || v < period)
			continue;
		add_steps(out, v, period, full[i]);
		added += full[i] * (v / period);
	}
	return added;
}
