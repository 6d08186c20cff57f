// SPDX-License-Identifier: GPL-2.0
/* The payload of caterpillar and its rows, against published numbers and GSL. */
#include <gsl/gsl_statistics_double.h>
#include <math.h>

#include "caterpillar.h"
#include "random.h"
#include "tap.h"
#include "util.h"

#define STEP (RTK_CATERPILLAR_LINE / sizeof(__u64))
#define MANY 10000

/* Each line as often as it must be, and nothing between and behind them. */
static void test_walk(__u64 lines, __u64 ops)
{
	__u64 words[5 * STEP] = { 0 }, want, i;
	int bad = 0;

	rtk_caterpillar_walk(words, lines, ops);
	for (i = 0; i < RTK_ARRAY_SIZE(words); i++) {
		want = ops / lines + (i / STEP < ops % lines);
		if (i % STEP || i / STEP >= lines)
			want = 0;
		bad += words[i] != want;
	}
	ok_num(bad, 0, "%llu operations on %llu lines", ops, lines);
}

/* Rows of a run of the original, as its documentation shows them. */
static void test_published(void)
{
	static const __s64 smpl[] = { 557, 551, 561, 553, 554, 547, 588 };
	static const __s64 want[] = { 557, 554, 556, 556, 555, 554, 559 };
	struct rtk_session s = { 0 };
	size_t i;

	for (i = 0; i < RTK_ARRAY_SIZE(smpl); i++)
		ok_num(rtk_session_jitter(&s, (double)(smpl[i] * smpl[i])),
		       want[i], "session jitter after published row %zu", i);
}

/* There the mean of the standard deviations would do, too. Here it is 400. */
static void test_unequal(void)
{
	struct rtk_session s = { 0 };

	rtk_session_jitter(&s, 100.0 * 100);
	ok_num(rtk_session_jitter(&s, 700.0 * 700), 500,
	       "jitters 100 and 700 make 500");
}

/* 2.12, printed as 2, and 0 make 1.5; 2 and 0 would make 1.41. */
static void test_unrounded(void)
{
	struct rtk_session s = { 0 };
	__s64 row[RTK_SAMPLE_COLUMNS];

	rtk_moments_add(&s.now, 10);
	rtk_moments_add(&s.now, 13);
	rtk_session_end(&s, row);
	ok_num(row[RTK_SMPL_JITTER], 2, "the sample's is rounded to nearest");
	rtk_moments_add(&s.now, 11);
	rtk_moments_add(&s.now, 11);
	rtk_session_end(&s, row);
	ok_num(row[RTK_SMPL_JITTER], 0, "a sample without any jitter");
	ok_num(row[RTK_SESSION_JITTER], 2,
	       "the session's is that of unrounded variances");
}

/* Extremes and numbers of a row, and those of the session. */
static void test_rows(void)
{
	static const __s64 want[3][RTK_SAMPLE_COLUMNS] = {
		{ 100, 102, 1, 100, 102, 1, 0 },
		{ 90, 90, 0, 90, 102, 1, 1 },
		{ 95, 300, 145, 90, 300, 84, 2 },
	};
	static const __s64 exec[3][2] = { { 102, 100 }, { 90, 90 }, { 95, 300 } };
	struct rtk_session s = { 0 };
	__s64 row[RTK_SAMPLE_COLUMNS];
	int i, k;

	for (i = 0; i < 3; i++) {
		rtk_moments_add(&s.now, exec[i][0]);
		rtk_moments_add(&s.now, exec[i][1]);
		rtk_session_end(&s, row);
		for (k = 0; k < RTK_SAMPLE_COLUMNS; k++)
			ok_num(row[k], want[i][k], "row %d, column %d", i, k);
	}
}

/* Far from zero, as after a day of ticks, where a sum of doubles loses the rest. */
static void test_gsl(__s64 base)
{
	static double d[MANY];
	struct rtk_session s = { 0 };
	__s64 row[RTK_SAMPLE_COLUMNS], v;
	double var[3], mean = 0;
	__u64 state = 88172645463325252ULL;
	int i, k;

	for (k = 0; k < 3; k++) {
		for (i = 0; i < MANY; i++) {
			v = (__s64)(next(&state) % (1000ULL << k));
			rtk_moments_add(&s.now, base + v);
			d[i] = (double)v;
		}
		rtk_session_end(&s, row);
		var[k] = gsl_stats_variance(d, 1, MANY);
		ok_num(row[RTK_SMPL_JITTER], llround(sqrt(var[k])),
		       "sample %d from %lld: as GSL's", k, base);
		mean = gsl_stats_mean(var, 1, (size_t)k + 1);
		ok_num(row[RTK_SESSION_JITTER], llround(sqrt(mean)),
		       "session after sample %d: as GSL's", k);
	}
}

int main(void)
{
	tap_begin();
	test_walk(5, 23);
	test_walk(5, 5);
	test_walk(4, 4000);
	test_walk(3, 2);
	test_walk(1, 7);
	test_walk(2, 0);
	test_published();
	test_unequal();
	test_unrounded();
	test_rows();
	test_gsl(0);
	test_gsl(1LL << 52);
	return tap_end();
}
