// SPDX-License-Identifier: GPL-2.0
/* Statistics against brute force, GSL, and published numbers. */
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdint.h>

#include "random.h"
#include "stats.h"
#include "tap.h"
#include "util.h"

static void count(__u64 *full, __s64 v)
{
	if (v >= 0)
		full[rtk_hist_index((__u64)v)]++;
	else
		full[RTK_HIST_BUCKETS + rtk_hist_index(0 - (__u64)v)]++;
}

static int by_value(const void *a, const void *b)
{
	__s64 x = *(const __s64 *)a, y = *(const __s64 *)b;

	return x < y ? -1 : x > y;
}

static bool near(double got, double want, double rel)
{
	return fabs(got - want) <= rel * fabs(want) || got == want;
}

/* Every bucket's edges map back to it, and the ranges join without a gap. */
static void test_edges(void)
{
	__s64 low, high, before = 0;
	int bad = 0;
	__u32 i;

	for (i = 0; i < RTK_HIST_BUCKETS; i++) {
		rtk_stats_row(i, &low, &high);
		bad += low != before;
		bad += rtk_hist_index((__u64)low) != i;
		bad += i && rtk_hist_index((__u64)low - 1) != i - 1;
		bad += rtk_hist_index((__u64)high - (high != INT64_MAX)) != i;
		if (i + 1 < RTK_HIST_BUCKETS)
			bad += rtk_hist_index((__u64)high) != i + 1;
		before = high;
	}
	ok_num(bad, 0, "rows of all %u buckets join and map back",
	       RTK_HIST_BUCKETS);
	ok_num(before, INT64_MAX, "the last row ends at the largest value");
	bad = 0;
	for (i = 1; i < RTK_HIST_BUCKETS; i++) {
		rtk_stats_row(RTK_HIST_BUCKETS + i, &low, &high);
		bad += rtk_hist_index((__u64)-low) != i;
		bad += rtk_hist_index((__u64)-(high - 1)) != i;
	}
	ok_num(bad, 0, "rows of negative values mirror them");
	rtk_stats_row(RTK_HIST_BUCKETS + 1, &low, &high);
	ok(low == -1 && high == 0, "the first negative row is [-1, 0)");
	bad = 0;
	before = INT64_MIN + 1;
	for (i = 0; i < RTK_STATS_BUCKETS; i++) {
		rtk_stats_row(rtk_stats_order(i), &low, &high);
		/* Magnitude 0 of the mirrored half is the row [0, 1) again. */
		if (rtk_stats_order(i) == RTK_HIST_BUCKETS)
			continue;
		bad += low != before;
		before = high;
	}
	ok_num(bad, 0, "in order, all rows join over both signs");
}

static void check_percentiles(const __s64 *v, size_t n, const char *what)
{
	__u64 *full = calloc(RTK_STATS_BUCKETS, sizeof(*full)), rank;
	__s64 *sorted = malloc(n * sizeof(*sorted)), got, want;
	const struct rtk_percentile *p;
	int bad = 0;
	size_t i;

	memcpy(sorted, v, n * sizeof(*v));
	qsort(sorted, n, sizeof(*sorted), by_value);
	for (i = 0; i < n; i++)
		count(full, v[i]);
	for (i = 0; i < RTK_STATS_PERCENTILES; i++) {
		p = &rtk_stats_percentiles[i];
		rank = (__u64)(((unsigned __int128)n * p->num + p->den - 1) /
			       p->den);
		want = sorted[rank - 1];
		got = rtk_stats_percentile(full, n, p, sorted[n - 1]);
		/* Never below the true one, and at most a bucket above. */
		bad += got < want || got - want > llabs(want) / 64 + 1 ||
		       (llabs(want) < 128 && got != want);
	}
	ok_num(bad, 0, "percentiles of %zu %s values", n, what);
	free(full);
	free(sorted);
}

static void test_percentiles(void)
{
	static const size_t sizes[] = { 1, 2, 3, 9, 10, 99, 100, 101, 1000,
					9999, 10000, 10001, 100000 };
	__s64 *v = malloc(100000 * sizeof(*v));
	__u64 state = 88172645463325252ULL, r;
	size_t i, k;

	for (k = 0; k < RTK_ARRAY_SIZE(sizes); k++) {
		for (i = 0; i < sizes[k]; i++)
			v[i] = (__s64)(next(&state) % 2000);
		check_percentiles(v, sizes[k], "small");
		for (i = 0; i < sizes[k]; i++) {
			r = next(&state);
			v[i] = (__s64)(r >> 1 >> (r & 63));
		}
		check_percentiles(v, sizes[k], "log-uniform");
		for (i = 0; i < sizes[k]; i++) {
			r = next(&state);
			v[i] = (__s64)(r >> 2 >> (r & 60)) * (r & 64 ? 1 : -1);
		}
		check_percentiles(v, sizes[k], "signed");
	}
	free(v);
}

/* GSL works in doubles: values far from zero would test GSL's rounding. */
static void test_gsl(void)
{
	enum { N = 20000 };
	static double d[N];
	__u64 state = 362436069;
	struct rtk_moments m, part[3];
	int shift, i;
	__s64 v;

	for (shift = 0; shift < 4; shift++) {
		memset(&m, 0, sizeof(m));
		memset(part, 0, sizeof(part));
		for (i = 0; i < N; i++) {
			v = (__s64)(next(&state) >> (30 + 10 * shift)) -
			    (shift & 1 ? 5000 : 0);
			rtk_moments_add(&part[i % 7 / 3], v);
			d[i] = (double)v;
		}
		for (i = 0; i < 3; i++)
			rtk_moments_merge(&m, &part[i]);
		ok(near(rtk_moments_mean(&m), gsl_stats_mean(d, 1, N), 1e-12),
		   "mean as GSL's, set %d", shift);
		ok(near(rtk_moments_variance(&m), gsl_stats_variance(d, 1, N),
			1e-10), "variance as GSL's, set %d", shift);
	}
}

/* What doubles can't: a small spread far from zero. */
static void test_cancellation(void)
{
	struct rtk_moments m = { 0 };
	__s64 base = 9000000000000000000LL;
	int i;

	for (i = 0; i < 1000; i++)
		rtk_moments_add(&m, base + (i & 1));
	ok(near(rtk_moments_variance(&m), 0.25 * 1000 / 999, 1e-14),
	   "variance of 0 and 1 at 9e18");
	memset(&m, 0, sizeof(m));
	for (i = 0; i < 4; i++)
		rtk_moments_add(&m, -base);
	ok(rtk_moments_variance(&m) == 0.0, "equal values have variance 0");
	ok(near(rtk_moments_mean(&m), -9e18, 1e-15), "mean of negative values");
	memset(&m, 0, sizeof(m));
	rtk_moments_add(&m, INT64_MAX);
	rtk_moments_add(&m, INT64_MAX);
	rtk_moments_add(&m, 0);
	ok(near(rtk_moments_variance(&m), pow(2, 126) / 3, 1e-12),
	   "variance of the largest values");
	memset(&m, 0, sizeof(m));
	rtk_moments_add(&m, -3);
	rtk_moments_add(&m, -4);
	ok(near(rtk_moments_variance(&m), 0.5, 1e-15) &&
	   rtk_moments_mean(&m) == -3.5, "mean half-way below zero");
}

/*
 * The published statistics of a cyclictest run on eight cores, in us. Samples
 * are whole microseconds, so the sums behind the rounded digits are known
 * exactly: pooling them must give the published whole.
 */
static void test_published(void)
{
	static const struct {
		__u64 n;
		double mean;
		double variance;
		double stddev;
		__s64 min;
		__s64 max;
	} cores[] = {
		{ 109626, 2.61308448726, 90.2609495244, 9.50057627328, 0, 645 },
		{ 109870, 1.86766178211, 34.2588155195, 5.85310306756, 1, 711 },
		{ 109463, 2.37517700045, 31.7869418697, 5.63799094268, 0, 621 },
		{ 107860, 2.1190246616, 27.0425459294, 5.20024479514, 0, 652 },
		{ 108567, 2.1447309035, 29.0171586253, 5.38675770991, 0, 684 },
		{ 108366, 1.66483029733, 6.99546256844, 2.6448936781, 0, 571 },
		{ 107590, 2.14418626266, 37.2396828533, 6.10243253575, 0, 731 },
		{ 107848, 2.0935761442, 28.6649385662, 5.35396475205, 0, 693 },
	};
	struct rtk_moments all = { 0 }, m;
	double sum, squares;
	size_t i;

	for (i = 0; i < RTK_ARRAY_SIZE(cores); i++) {
		sum = round(cores[i].mean * (double)cores[i].n);
		squares = round(cores[i].variance * (double)(cores[i].n - 1) +
				sum * sum / (double)cores[i].n);
		m = (struct rtk_moments){
			.n = cores[i].n, .min = cores[i].min,
			.max = cores[i].max, .sum = (__int128)sum,
			.sumsq = (unsigned __int128)squares,
		};
		ok(near(rtk_moments_mean(&m), cores[i].mean, 1e-11) &&
		   near(rtk_moments_variance(&m), cores[i].variance, 1e-11) &&
		   near(sqrt(rtk_moments_variance(&m)), cores[i].stddev, 1e-11),
		   "core %zu as published", i);
		rtk_moments_merge(&all, &m);
	}
	ok_num((long long)all.n, 869190, "pooled: number");
	ok(near(rtk_moments_mean(&all), 2.12836433921, 1e-11), "pooled: mean");
	ok(near(rtk_moments_variance(&all), 35.8090162273, 1e-11),
	   "pooled: variance");
	ok(near(sqrt(rtk_moments_variance(&all)), 5.98406352133, 1e-11),
	   "pooled: standard deviation");
	ok(all.min == 0 && all.max == 731, "pooled: range");
}

static void test_merge(void)
{
	struct rtk_moments whole = { 0 }, parts[3] = { 0 }, pool = { 0 };
	const struct rtk_moments none = { 0 };
	__u64 state = 521288629;
	__s64 v;
	int i;

	for (i = 0; i < 10000; i++) {
		v = (__s64)(next(&state) >> 20) - 100000;
		rtk_moments_add(&whole, v);
		rtk_moments_add(&parts[i % 3], v);
	}
	rtk_moments_merge(&pool, &none);
	for (i = 0; i < 3; i++)
		rtk_moments_merge(&pool, &parts[i]);
	rtk_moments_merge(&pool, &none);
	ok(pool.n == whole.n && pool.min == whole.min &&
	   pool.max == whole.max && pool.sum == whole.sum &&
	   pool.sumsq == whole.sumsq, "merged parts are the whole");
}

static void test_add(void)
{
	struct rtk_bucket b[] = { { 0, 0, 3 }, { 5, 0, 4 }, { RTK_STATS_BUCKETS - 1, 0, 1 } };
	struct rtk_bucket bad = { RTK_STATS_BUCKETS, 0, 1 };
	__u64 *full = calloc(RTK_STATS_BUCKETS, sizeof(*full));

	ok_num(rtk_stats_add(full, b, 3), 8, "buckets are added up");
	ok_num(rtk_stats_add(full, b, 3), 8, "and again");
	ok(full[0] == 6 && full[5] == 8 && full[RTK_STATS_BUCKETS - 1] == 2,
	   "in their places");
	ok_num(rtk_stats_add(full, &bad, 1), -1, "an index out of range is refused");
	free(full);
}

/* The same, value by value. */
static __u64 correct_slowly(__u64 *out, __s64 v, __s64 period, __u64 n)
{
	__u64 added = 0;

	for (v -= period; v >= 0; v -= period, added += n)
		out[rtk_hist_index((__u64)v)] += n;
	return added;
}

static void test_correct(void)
{
	__u64 *full = calloc(RTK_STATS_BUCKETS, sizeof(*full));
	__u64 *out = calloc(RTK_STATS_BUCKETS, sizeof(*out));
	__u64 *want = calloc(RTK_STATS_BUCKETS, sizeof(*want));
	const size_t size = RTK_STATS_BUCKETS * sizeof(*full);
	__u64 state = 123456789, added = 0, n;
	__s64 v;
	int i;

	count(full, 731);
	ok_num((long long)rtk_stats_correct(full, out, 100, 731), 7,
	       "731 us at 100 us is 7 more");
	correct_slowly(want, 731, 100, 1);
	ok(!memcmp(out, want, size), "631, 531, ... 31");
	count(full, 99);
	count(full, 0);
	count(full, -500);
	ok_num((long long)rtk_stats_correct(full, out, 100, 731), 7,
	       "values below the period, and negative ones, add nothing");
	memset(full, 0, size);
	count(full, 100);
	count(full, 100);
	ok_num((long long)rtk_stats_correct(full, out, 100, 100), 2,
	       "a period late adds one of 0");
	memset(full, 0, size);
	count(full, 99999);
	ok_num((long long)rtk_stats_correct(full, out, 100000, 99999), 0,
	       "nothing below the period, also in the bucket that it is in");
	memset(full, 0, size);
	memset(out, 0, size);
	memset(want, 0, size);
	for (i = 0; i < 200; i++) {
		/* Upper ends of buckets: what the histogram takes a value for. */
		v = (__s64)rtk_hist_last((__u32)(next(&state) % 900));
		n = next(&state) % 5;
		full[rtk_hist_index((__u64)v)] += n;
		if ((__s64)rtk_hist_low((__u32)rtk_hist_index((__u64)v)) >= 77)
			added += correct_slowly(want, v, 77, n);
	}
	ok_num((long long)rtk_stats_correct(full, out, 77, INT64_MAX),
	       (long long)added, "as many as counted one by one");
	ok(!memcmp(out, want, size), "and in the same places");
	memset(full, 0, size);
	count(full, INT64_MAX);
	ok_num((long long)rtk_stats_correct(full, out, 10000, INT64_MAX),
	       (long long)(INT64_MAX / 10000), "a value without end takes no time");
	free(full);
	free(out);
	free(want);
}

int main(void)
{
	tap_begin();
	test_edges();
	test_percentiles();
	test_gsl();
	test_cancellation();
	test_published();
	test_merge();
	test_add();
	test_correct();
	return tap_end();
}
