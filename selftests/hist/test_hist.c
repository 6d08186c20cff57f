// SPDX-License-Identifier: GPL-2.0
/*
 * The bucket arithmetic of linux/rtk_hist.h against a table that is made by
 * adding up widths, and its percentiles against sorted samples. Runs anywhere.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <linux/rtk_hist.h>

#include "kselftest_harness.h"

#define BUCKETS		3712
#define EXACT		128
#define SUB_BUCKETS	64
#define RANDOM_VALUES	2000000

typedef unsigned __int128 u128;

/* Lower bounds; the last one is the end of the range, 2^63. */
static __u64 bound[BUCKETS + 1];

/* Width 1 below 128, then 64 buckets of each width 2, 4, 8 ... */
static void make_bounds(void)
{
	__u64 width = 1;
	unsigned int i;

	for (i = 0; i < BUCKETS; i++) {
		if (i >= EXACT && i % SUB_BUCKETS == 0)
			width *= 2;
		bound[i + 1] = bound[i] + width;
	}
}

static unsigned int naive_index(__u64 v)
{
	unsigned int low = 0, high = BUCKETS;

	while (high - low > 1) {
		unsigned int mid = (low + high) / 2;

		if (bound[mid] <= v)
			low = mid;
		else
			high = mid;
	}
	return low;
}

/* xorshift64*: the same values on every machine. */
static __u64 rng_state = 0x9e3779b97f4a7c15;

static __u64 rng(void)
{
	rng_state ^= rng_state >> 12;
	rng_state ^= rng_state << 25;
	rng_state ^= rng_state >> 27;
	return rng_state * 0x2545f4914f6cdd1d;
}

/* Every bit length from 0 to 63 is equally likely. */
static __u64 rng_value(void)
{
	unsigned int bits = rng() % 64;

	return bits ? (rng() >> 1 >> (63 - bits)) : 0;
}

FIXTURE(hist) {};

FIXTURE_SETUP(hist)
{
	make_bounds();
}

FIXTURE_TEARDOWN(hist)
{
}

TEST_F(hist, size)
{
	EXPECT_EQ(BUCKETS, RTK_HIST_BUCKETS);
	EXPECT_EQ(EXACT, RTK_HIST_EXACT);
	EXPECT_EQ(1 << RTK_HIST_SUB_BITS, SUB_BUCKETS);
	/* The table itself: it ends where the range does. */
	EXPECT_EQ(1ULL << 63, bound[BUCKETS]);
}

TEST_F(hist, wire_format)
{
	EXPECT_EQ(16, sizeof(struct rtk_bucket));
	EXPECT_EQ(0, offsetof(struct rtk_bucket, index));
	EXPECT_EQ(4, offsetof(struct rtk_bucket, pad));
	EXPECT_EQ(8, offsetof(struct rtk_bucket, count));
}

TEST_F(hist, edges)
{
	unsigned int i;

	for (i = 0; i < BUCKETS; i++) {
		ASSERT_EQ(bound[i], rtk_hist_low(i));
		ASSERT_EQ(bound[i + 1] - 1, rtk_hist_last(i));
		ASSERT_EQ(i, rtk_hist_index(bound[i]));
		ASSERT_EQ(i, rtk_hist_index(bound[i + 1] - 1));
		ASSERT_TRUE(!i || rtk_hist_index(bound[i] - 1) == i - 1);
		ASSERT_TRUE(i + 1 == BUCKETS ||
			    rtk_hist_index(bound[i + 1]) == i + 1);
		/* A second value inside, where there is one. */
		ASSERT_TRUE(bound[i + 1] - bound[i] == 1 ||
			    rtk_hist_index(bound[i] + 1) == i);
	}
	EXPECT_EQ(BUCKETS - 1, rtk_hist_index(INT64_MAX));
}

TEST_F(hist, exact_below_128)
{
	unsigned int v;

	for (v = 0; v < EXACT; v++) {
		ASSERT_EQ(v, rtk_hist_index(v));
		ASSERT_EQ(v, rtk_hist_low(v));
		ASSERT_EQ(v, rtk_hist_last(v));
	}
	/* And not a single value beyond. */
	EXPECT_EQ(rtk_hist_index(128), rtk_hist_index(129));
}

TEST_F(hist, relative_width)
{
	unsigned int i;

	for (i = EXACT; i < BUCKETS; i++) {
		u128 width = (u128)rtk_hist_last(i) - rtk_hist_low(i) + 1;

		ASSERT_TRUE(width * 64 <= rtk_hist_low(i));
	}
}

TEST_F(hist, every_small_value)
{
	unsigned int v;

	for (v = 0; v < 1 << 20; v++)
		if (naive_index(v) != rtk_hist_index(v))
			break;
	EXPECT_EQ(1 << 20, v);
}

TEST_F(hist, random_values)
{
	unsigned int k;

	for (k = 0; k < RANDOM_VALUES; k++) {
		__u64 v = rng_value();
		__u32 i = rtk_hist_index(v);

		ASSERT_EQ(naive_index(v), i) {
			TH_LOG("value %llu", v);
		}
		ASSERT_TRUE(rtk_hist_low(i) <= v && v <= rtk_hist_last(i));
	}
}

/* ceil(count * num / den), at least 1, with as many bits as it takes. */
static __u64 naive_rank(__u64 count, __u32 num, __u32 den)
{
	u128 product = (u128)count * num;
	__u64 rank = product / den + (product % den != 0);

	return rank ? rank : 1;
}

static const struct {
	__u32 num;
	__u32 den;
} fraction[] = {
	{ 0, 1 }, { 0, 1 << 20 }, { 1, 1 << 20 }, { 1, 100 }, { 1, 3 },
	{ 50, 100 }, { 1, 2 }, { 2, 3 }, { 90, 100 }, { 99, 100 },
	{ 999, 1000 }, { 9999, 10000 }, { 99999, 100000 },
	{ 999999, 1000000 }, { (1 << 20) - 1, 1 << 20 }, { 1 << 20, 1 << 20 },
	{ 100, 100 }, { 1, 1 },
};

#define FRACTIONS ARRAY_SIZE(fraction)

/* Around a count; none of them where it leaves the range 1 .. 2^63 - 1. */
static bool ranks_agree(__u64 around, __u32 num, __u32 den)
{
	__u64 n;
	int d;

	for (d = -2; d <= 2; d++) {
		n = around + d;
		if (n - 1 < INT64_MAX &&
		    naive_rank(n, num, den) != rtk_hist_rank(n, num, den))
			return false;
	}
	return true;
}

TEST_F(hist, rank_at_edges)
{
	static const __u64 near[] = {
		1, 2, 3, 100, 1000, 10000, 1 << 20, 1000000007,
		1ULL << 32, 1ULL << 52, 1ULL << 62, INT64_MAX,
	};
	unsigned int f, i;

	for (f = 0; f < FRACTIONS; f++) {
		__u32 num = fraction[f].num, den = fraction[f].den;

		for (i = 0; i < ARRAY_SIZE(near); i++) {
			ASSERT_TRUE(ranks_agree(near[i], num, den));
			/* A multiple of the denominator: nothing to round. */
			ASSERT_TRUE(ranks_agree(near[i] / den * den, num, den));
		}
	}
}

TEST_F(hist, rank_at_random)
{
	unsigned int k;

	for (k = 0; k < RANDOM_VALUES; k++) {
		__u32 den = 1 + rng() % (1 << 20), num = rng() % (den + 1);
		__u64 n = rng_value() | 1, rank = rtk_hist_rank(n, num, den);

		ASSERT_EQ(naive_rank(n, num, den), rank) {
			TH_LOG("count %llu num %u den %u", n, num, den);
		}
		ASSERT_TRUE(rank >= 1 && rank <= n);
	}
}

static int by_value(const void *a, const void *b)
{
	__u64 x = *(const __u64 *)a, y = *(const __u64 *)b;

	return (x > y) - (x < y);
}

/* Samples of one of several shapes, sorted, with their histogram. */
static void fill(__u64 *sample, unsigned int n, unsigned int shape,
		 __u64 *buckets)
{
	unsigned int i;

	memset(buckets, 0, BUCKETS * sizeof(*buckets));
	for (i = 0; i < n; i++) {
		switch (shape) {
		case 0:
			sample[i] = rng_value();
			break;
		case 1:
			sample[i] = 5000 + rng() % 300;
			break;
		case 2:
			sample[i] = rng() % 3;
			break;
		case 3:
			sample[i] = INT64_MAX - rng() % 2;
			break;
		default:
			sample[i] = 1000003;
		}
		buckets[naive_index(sample[i])]++;
	}
	qsort(sample, n, sizeof(*sample), by_value);
}

TEST_F(hist, percentiles)
{
	static const unsigned int sizes[] = { 1, 2, 3, 7, 99, 100, 101, 10007 };
	static __u64 sample[10007], buckets[BUCKETS];
	unsigned int k, f, shape;

	for (k = 0; k < ARRAY_SIZE(sizes); k++)
		for (shape = 0; shape < 5; shape++) {
			unsigned int n = sizes[k];

			fill(sample, n, shape, buckets);
			for (f = 0; f < FRACTIONS; f++) {
				__u32 num = fraction[f].num, den = fraction[f].den;
				__u64 max = sample[n - 1];
				__u64 exact = sample[naive_rank(n, num, den) - 1];
				__u64 last = bound[naive_index(exact) + 1] - 1;
				__u64 p = rtk_hist_percentile(buckets, n, num, den, max);

				ASSERT_EQ(last < max ? last : max, p) {
					TH_LOG("%u samples, shape %u, %u/%u",
					       n, shape, num, den);
				}
				ASSERT_TRUE(p >= exact && p - exact <= exact / 64);
			}
			/* The last of all is the maximum itself. */
			ASSERT_EQ(sample[n - 1],
				  rtk_hist_percentile(buckets, n, 1, 1, sample[n - 1]));
		}
}

/* Rank arithmetic and bucket search together, at counts no test can record. */
TEST_F(hist, percentile_of_huge_counts)
{
	static __u64 buckets[BUCKETS];
	__u64 half = 1ULL << 61;

	buckets[100] = half;
	buckets[200] = half;
	EXPECT_EQ(100, rtk_hist_percentile(buckets, 2 * half, 1, 2, bound[200]));
	EXPECT_EQ(bound[200], rtk_hist_percentile(buckets, 2 * half, 524289, 1 << 20,
						  bound[200]));
	EXPECT_EQ(bound[201] - 1, rtk_hist_percentile(buckets, 2 * half, 1, 1, INT64_MAX));
	/* One more below, and the median is still there; one more above, and not. */
	buckets[200]++;
	EXPECT_EQ(bound[200], rtk_hist_percentile(buckets, 2 * half + 1, 1, 2, bound[200]));
	buckets[200]--;
	buckets[100]++;
	EXPECT_EQ(100, rtk_hist_percentile(buckets, 2 * half + 1, 1, 2, bound[200]));
}

TEST_HARNESS_MAIN
