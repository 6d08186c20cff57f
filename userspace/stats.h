/* SPDX-License-Identifier: GPL-2.0 */
/* Statistics from integer moments and histograms. Pure. */
#ifndef RTK_STATS_H
#define RTK_STATS_H

#include <stdbool.h>
#include <stddef.h>
#include <linux/rtk_hist.h>

/* Buckets of both signs, as numbered on the wire. */
#define RTK_STATS_BUCKETS (2 * RTK_HIST_BUCKETS)

/* The percentiles that every report has, see rtk_stats_percentiles[]. */
#define RTK_STATS_PERCENTILES 5

/**
 * struct rtk_percentile - a percentile of every report
 * @name: percent, as text
 * @num: numerator of the fraction
 * @den: denominator
 */
struct rtk_percentile {
	const char *name;
	__u32 num;
	__u32 den;
};

extern const struct rtk_percentile rtk_stats_percentiles[RTK_STATS_PERCENTILES];

/**
 * struct rtk_moments - exact sums over samples
 * @n: number of samples
 * @min: smallest, meaningless while @n is 0
 * @max: largest, likewise
 * @sum: sum
 * @sumsq: sum of squares
 */
struct rtk_moments {
	__u64 n;
	__s64 min;
	__s64 max;
	__int128 sum;
	unsigned __int128 sumsq;
};

/**
 * rtk_moments_add() - count a sample
 * @m: moments
 * @value: sample
 */
static inline void rtk_moments_add(struct rtk_moments *m, __s64 value)
{
	if (!m->n || value < m->min)
		m->min = value;
	if (!m->n || value > m->max)
		m->max = value;
	m->n++;
	m->sum += value;
	m->sumsq += (unsigned __int128)((__int128)value * value);
}

/**
 * rtk_stats_bound() - how likely the next sample is above all before it, at most
 * @n: samples, not 0
 *
 * The rule of three: with no event in n independent trials its probability is below
 * 3/n with 95 % confidence, since (1 - 3/n)^n is about e^-3 = 0.0498.
 *
 * Return: probability, at most 1
 */
static inline double rtk_stats_bound(__u64 n)
{
	return n > 3 ? 3.0 / (double)n : 1;
}

/**
 * rtk_moments_merge() - pool two sets of samples
 * @into: pool
 * @from: what comes to it
 */
void rtk_moments_merge(struct rtk_moments *into,
		       const struct rtk_moments *from);

/**
 * rtk_moments_mean() - arithmetic mean
 * @m: moments, n not 0
 *
 * Return: mean, in the samples' unit
 */
double rtk_moments_mean(const struct rtk_moments *m);

/**
 * rtk_moments_variance() - sample variance, with N - 1
 * @m: moments, n at least 2
 *
 * The squares around the rounded mean are exact integers, so nothing cancels,
 * however far the samples lie from zero.
 *
 * Return: variance, in the samples' unit squared
 */
double rtk_moments_variance(const struct rtk_moments *m);

/**
 * rtk_stats_add() - add buckets to a full array
 * @full: RTK_STATS_BUCKETS counts
 * @buckets: those that are not zero
 * @n: their number
 *
 * Return: sum of the counts added, or -1 where an index is out of range
 */
__s64 rtk_stats_add(__u64 *full, const struct rtk_bucket *buckets, size_t n);

/**
 * rtk_stats_percentile() - percentile over both signs
 * @full: RTK_STATS_BUCKETS counts, their sum not 0
 * @count: their sum
 * @p: which
 * @max: exact maximum
 *
 * As rtk_hist_percentile(), with the negative values before the others.
 *
 * Return: largest value of the first bucket in which the rank is reached, not
 * above @max
 */
__s64 rtk_stats_percentile(const __u64 *full, __u64 count,
			   const struct rtk_percentile *p, __s64 max);

/**
 * rtk_stats_correct() - the activations that late ones kept from being seen
 * @full: RTK_STATS_BUCKETS counts as observed
 * @out: RTK_STATS_BUCKETS counts; what is missing is added to them
 * @period: distance of activations, not 0
 * @max: exact maximum
 *
 * Who arrives at v of an activation has let those at one, two, ... periods later
 * wait for v - period, v - 2 * period, ... down to 0. A value counts as the
 * upper end of its bucket, not above @max; a bucket that begins below @period
 * adds nothing. Negative values add nothing.
 *
 * Return: number of values added
 */
__u64 rtk_stats_correct(const __u64 *full, __u64 *out, __u64 period, __s64 max);

/**
 * rtk_stats_row() - range of a bucket, half-open
 * @index: bucket as numbered on the wire
 * @low: smallest value
 * @high: largest value plus 1; 2^63 - 1 for the last bucket
 */
void rtk_stats_row(__u32 index, __s64 *low, __s64 *high);

/**
 * rtk_stats_order() - bucket at a place in the order of values
 * @place: 0 .. RTK_STATS_BUCKETS - 1, the smallest values first
 *
 * Return: index as on the wire
 */
__u32 rtk_stats_order(__u32 place);

#endif
