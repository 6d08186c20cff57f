// SPDX-License-Identifier: GPL-2.0
/* Lanes of tests in user space, against a straightforward way and GSL. */
#include <errno.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdint.h>

#include "random.h"
#include "tap.h"
#include "ulane.h"
#include "util.h"

#define N 20000

/* Who runs where: the lane asks the C library, which is us. */
static int here = 3;

int sched_getcpu(void)
{
	return here;
}

static int by_value(const void *a, const void *b)
{
	__s64 x = *(const __s64 *)a, y = *(const __s64 *)b;

	return (x < y) - (x > y);
}

static bool near(double got, double want)
{
	return fabs(got - want) <= 1e-10 * fabs(want);
}

static void get(const struct rtk_ulane *lane, struct rtk_lane *out,
		struct rtk_outliers *worst)
{
	memset(out, 0, sizeof(*out));
	memset(worst, 0, sizeof(*worst));
	rtk_copy(out->series, sizeof(out->series), "made-up");
	ok_num(rtk_ulane_export(lane, out, worst), 0, "exported");
}

static void put_away(struct rtk_ulane *lane, struct rtk_lane *out,
		     struct rtk_outliers *worst)
{
	free(out->buckets);
	free(worst->v);
	rtk_ulane_free(lane);
}

/* Each bucket, by counting all values that lie in its range. */
static int wrong_buckets(const struct rtk_lane *out, const __s64 *v, int n)
{
	__s64 low, high;
	__u64 count;
	int bad = 0, i;
	size_t k;

	for (k = 0; k < out->nbuckets; k++) {
		rtk_stats_row(out->buckets[k].index, &low, &high);
		count = 0;
		for (i = 0; i < n; i++)
			count += v[i] >= low && v[i] < high;
		bad += count != out->buckets[k].count;
		bad += k && out->buckets[k].index <= out->buckets[k - 1].index;
	}
	return bad;
}

static void check_worst(const struct rtk_outliers *worst, const __s64 *v, int n)
{
	static __s64 sorted[N];
	const struct rtk_outlier *o;
	int bad = 0;
	size_t i;

	memcpy(sorted, v, (size_t)n * sizeof(*v));
	qsort(sorted, (size_t)n, sizeof(*v), by_value);
	ok_num((long long)worst->n, RTK_ULANE_WORST, "the worst are kept");
	for (i = 0; i < worst->n; i++) {
		o = &worst->v[i];
		bad += o->value != sorted[i] || o->sequence >= (__u64)n ||
		       v[o->sequence] != o->value || o->cpu != 3 || !o->worst ||
		       o->wall_ns <= 0 || o->mono_ns <= 0 ||
		       strcmp(o->series, "made-up") != 0;
	}
	ok_num(bad, 0, "they are the largest, in order, each with its number");
}

/* SPREAD: how many bits of a random number count. */
static void test_random(int spread, bool is_signed, __s64 limit)
{
	static double d[N];
	static __s64 v[N];
	__u64 state = 88172645463325252ULL, outliers = 0;
	struct rtk_outliers worst;
	struct rtk_moments m = { 0 };
	struct rtk_ulane lane;
	struct rtk_lane out;
	int i;

	rtk_ulane_init(&lane, here, is_signed, limit);
	for (i = 0; i < N; i++) {
		v[i] = (__s64)(next(&state) >> (64 - spread));
		if (is_signed && i % 3)
			v[i] = -v[i];
		d[i] = (double)v[i];
		outliers += v[i] > limit;
		rtk_ulane_add(&lane, v[i]);
	}
	get(&lane, &out, &worst);
	printf("# %d bits, %ssigned\n", spread, is_signed ? "" : "un");
	ok(out.count == N && out.moments_count == N && out.complete &&
	   !out.negative && !out.wrong_cpu, "every value is counted");
	ok_num(wrong_buckets(&out, v, N), 0, "in its bucket");
	ok_num((long long)out.outliers, (long long)outliers,
	       "those above the limit");
	ok_num(out.last, v[N - 1], "the last one");
	m = lane.m;
	ok(near(rtk_moments_mean(&m), gsl_stats_mean(d, 1, N)) &&
	   near(rtk_moments_variance(&m), gsl_stats_variance(d, 1, N)),
	   "mean and variance as GSL's");
	ok(out.min == (__s64)gsl_stats_min(d, 1, N) &&
	   out.max == (__s64)gsl_stats_max(d, 1, N), "extremes, too");
	ok(out.sum == (__s64)m.sum && out.sumsq_lo == (__u64)m.sumsq &&
	   out.sumsq_hi == (__u64)(m.sumsq >> 64), "sums as they are");
	check_worst(&worst, v, N);
	put_away(&lane, &out, &worst);
}

static void test_negative(void)
{
	struct rtk_outliers worst;
	struct rtk_ulane lane;
	struct rtk_lane out;

	rtk_ulane_init(&lane, here, false, INT64_MAX);
	rtk_ulane_add(&lane, -1);
	rtk_ulane_add(&lane, INT64_MIN);
	rtk_ulane_add(&lane, 0);
	get(&lane, &out, &worst);
	ok(out.negative == 2 && out.count == 1 && out.moments_count == 1 &&
	   out.min == 0 && out.max == 0 && worst.n == 1,
	   "negative values of an unsigned series are counted apart");
	put_away(&lane, &out, &worst);

	rtk_ulane_init(&lane, here, true, INT64_MAX);
	rtk_ulane_add(&lane, INT64_MIN);
	rtk_ulane_add(&lane, INT64_MAX);
	get(&lane, &out, &worst);
	ok(!out.negative && out.count == 2 && out.min == INT64_MIN &&
	   out.max == INT64_MAX, "a signed one takes the extremes");
	put_away(&lane, &out, &worst);
}

static void test_wrong_cpu(void)
{
	struct rtk_outliers worst;
	struct rtk_ulane lane;
	struct rtk_lane out;

	rtk_ulane_init(&lane, here, false, 10);
	rtk_ulane_add(&lane, 5);
	here++;
	rtk_ulane_add(&lane, 1000);
	here--;
	rtk_ulane_add(&lane, 7);
	get(&lane, &out, &worst);
	ok(out.wrong_cpu == 1 && out.count == 2 && out.max == 7 &&
	   !out.outliers && worst.n == 2,
	   "what is recorded on another CPU is dropped, and counted");
	put_away(&lane, &out, &worst);
}

/* Rising values push all others out, falling ones none, equal ones are first come. */
static void test_worst_order(void)
{
	struct rtk_outliers worst;
	struct rtk_ulane lane;
	struct rtk_lane out;
	int i;

	rtk_ulane_init(&lane, here, false, INT64_MAX);
	for (i = 0; i < 100; i++)
		rtk_ulane_add(&lane, i);
	for (i = 99; i >= 0; i--)
		rtk_ulane_add(&lane, i);
	get(&lane, &out, &worst);
	ok(worst.n == 8 && worst.v[0].value == 99 && worst.v[0].sequence == 99 &&
	   worst.v[1].value == 99 && worst.v[1].sequence == 100 &&
	   worst.v[7].value == 96, "rising, then falling again");
	put_away(&lane, &out, &worst);

	rtk_ulane_init(&lane, here, false, INT64_MAX);
	for (i = 0; i < 20; i++)
		rtk_ulane_add(&lane, 5);
	get(&lane, &out, &worst);
	ok(worst.n == 8 && worst.v[7].sequence < 8, "equal ones: the first");
	put_away(&lane, &out, &worst);
}

static void test_empty(void)
{
	struct rtk_outliers worst;
	struct rtk_ulane lane;
	struct rtk_lane out;

	rtk_ulane_init(&lane, here, false, INT64_MAX);
	get(&lane, &out, &worst);
	ok(!out.count && !out.nbuckets && !worst.n && out.complete &&
	   !out.running && out.nmi == -1, "no value at all");
	put_away(&lane, &out, &worst);
	rtk_ulane_init(&lane, here, false, INT64_MAX);
	rtk_ulane_add(&lane, 41);
	rtk_ulane_add(&lane, 42);
	memset(&out, 0, sizeof(out));
	rtk_ulane_look(&lane, &out);
	ok(out.running && out.count == 2 && out.min == 41 && out.max == 42 &&
	   out.last == 42 && out.cpu == 3, "looked at while it is written");
	rtk_ulane_free(&lane);
}

int main(void)
{
	tap_begin();
	test_random(10, false, 1000);
	test_random(20, true, 1000000);
	test_random(40, false, 0);
	test_random(40, true, INT64_MAX);
	test_negative();
	test_wrong_cpu();
	test_worst_order();
	test_empty();
	return tap_end();
}
