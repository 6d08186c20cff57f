// SPDX-License-Identifier: GPL-2.0
/* Median, mode and mean absolute deviation against brute force and GSL. */
#include <gsl/gsl_statistics_double.h>
#include <gsl/gsl_sort_double.h>
#include <math.h>

#include "random.h"
#include "spread.h"
#include "tap.h"
#include "util.h"

enum { N = 20001 };

/* A result with one lane of these values. */
static void fill(struct rtk_result *r, const double *v, size_t n)
{
	static __u64 full[RTK_HIST_BUCKETS];
	struct rtk_moments m = { 0 };
	struct rtk_bucket *b;
	struct rtk_series *s;
	struct rtk_lane *l;
	size_t i;

	rtk_result_init(r);
	s = rtk_grow(&r->test.series, &r->test.nseries, sizeof(*s));
	rtk_copy(s->name, sizeof(s->name), "values");
	l = rtk_grow(&r->lanes.v, &r->lanes.n, sizeof(*l));
	rtk_copy(l->series, sizeof(l->series), "values");
	memset(full, 0, sizeof(full));
	for (i = 0; i < n; i++) {
		rtk_moments_add(&m, (__s64)v[i]);
		full[rtk_hist_index((__u64)v[i])]++;
	}
	for (i = 0; i < RTK_HIST_BUCKETS; i++) {
		if (!full[i])
			continue;
		b = rtk_grow(&l->buckets, &l->nbuckets, sizeof(*b));
		*b = (struct rtk_bucket){ (__u32)i, 0, full[i] };
	}
	l->moments = true;
	l->count = m.n;
	l->moments_count = m.n;
	l->min = m.min;
	l->max = m.max;
	l->sum = (__s64)m.sum;
	l->sumsq_lo = (__u64)m.sumsq;
	l->sumsq_hi = (__u64)(m.sumsq >> 64);
	if (rtk_result_summarize(r))
		ok(false, "values are summarized");
}

static struct rtk_spread spread_of(const double *v, size_t n)
{
	struct rtk_spread d;
	struct rtk_result r;

	fill(&r, v, n);
	rtk_spread(&r.sums[0], &d);
	rtk_result_free(&r);
	return d;
}

/* Largest difference allowed: none below 128, else a bucket's width. */
static bool fits(double got, double want, double tolerance)
{
	return fabs(got - want) <= want * tolerance + 1e-9;
}

static void test_gsl(size_t n, __u64 range, double tolerance)
{
	double v[N] = { 0 }, sorted[N], mean;
	__u64 state = 88172645463325252ULL;
	struct rtk_spread d;
	size_t i;

	/* More small ones than large ones, as latencies have. */
	for (i = 0; i < n; i++)
		v[i] = (double)(next(&state) % (next(&state) % range + 1));
	memcpy(sorted, v, n * sizeof(*v));
	gsl_sort(sorted, 1, n);
	mean = gsl_stats_mean(v, 1, n);
	d = spread_of(v, n);
	ok(fits(d.median, gsl_stats_median_from_sorted_data(sorted, 1, n), tolerance),
	   "median of %zu values below %llu as GSL's", n, range);
	ok(fits(d.deviation, gsl_stats_absdev_m(v, 1, n, mean), tolerance),
	   "their mean absolute deviation as GSL's");
}

static void test_middle(void)
{
	static const double odd[] = { 5, 1, 100 };
	static const double even[] = { 5, 1, 100, 8 };
	static const double twice[] = { 9, 3, 9, 3, 4 };
	static const double one[] = { 77777 };
	struct rtk_spread d;

	ok(spread_of(odd, 3).median == 5, "of three values the second is the median");
	ok(spread_of(even, 4).median == 6.5, "of four the mean of the two in the middle");
	ok(spread_of(twice, 5).mode == 3, "of two modes the smaller one");
	d = spread_of(one, 1);
	ok(d.median == 77777 && d.mode == 77777 && d.deviation == 0,
	   "one value is exact, in a wide bucket too");
}

static void test_signed(void)
{
	static const struct rtk_row rows[] = { { -4, -3, 2 }, { 0, 1, 1 }, { 8, 9, 1 } };
	struct rtk_summary s = {
		.count = 4, .mean = 0, .m = { .n = 4, .min = -4, .max = 8 },
		.rows = (struct rtk_row *)rows, .nrows = 3,
	};
	struct rtk_spread d;

	rtk_spread(&s, &d);
	ok(d.median == -2 && d.mode == -4 && d.deviation == 4, "negative values");
}

int main(void)
{
	tap_begin();
	test_middle();
	test_signed();
	test_gsl(N, 128, 0);
	test_gsl(N - 1, 128, 0);
	test_gsl(N, 1000000, 1.0 / 64);
	test_gsl(N - 1, 1ULL << 50, 1.0 / 64);
	return tap_end();
}
