/* SPDX-License-Identifier: ((GPL-2.0 WITH Linux-syscall-note) OR BSD-3-Clause) */
/*
 * Log-linear histogram buckets: pure integer arithmetic, no state.
 *
 * The module, the client and the tests compile this one file, so that a
 * bucket means the same everywhere. Callable from any context.
 *
 * An octave (a power of two) is cut into 2^RTK_HIST_SUB_BITS buckets of equal
 * width; below 2^(RTK_HIST_SUB_BITS + 1) a bucket is one value wide. So every
 * non-negative __s64 has a place, nothing overflows, and a bucket is never
 * wider than 1/64 of the values in it. Bucket i holds the half-open
 * range [low(i), high(i)).
 *
 * A signed series has a second, mirrored array behind the first: index
 * RTK_HIST_BUCKETS + i holds the negative values whose magnitude lies in
 * bucket i.
 */
#ifndef _UAPI_LINUX_RTK_HIST_H
#define _UAPI_LINUX_RTK_HIST_H

#include <linux/types.h>

/* Binary logarithm of the number of buckets in an octave. */
#define RTK_HIST_SUB_BITS	6
/* Values below this have a bucket each. */
#define RTK_HIST_EXACT		(2U << RTK_HIST_SUB_BITS)
/* Buckets for 0 .. 2^63 - 1: the exact part, then 56 octaves of 64. */
#define RTK_HIST_BUCKETS	((66U - RTK_HIST_SUB_BITS - 2U) << RTK_HIST_SUB_BITS)

/**
 * struct rtk_bucket - one bucket on the wire
 * @index: bucket number, RTK_HIST_BUCKETS and more for negative values
 * @pad: 0
 * @count: number of samples in it
 */
struct rtk_bucket {
	__u32 index;
	__u32 pad;
	__u64 count;
};

/**
 * rtk_hist_index() - bucket of a non-negative value
 * @v: value, 0 .. 2^63 - 1
 *
 * With s = max(bit length of v - 7, 0) the index is (s << 6) + (v >> s); the
 * bit ORed in makes s 0 for small values without a branch.
 *
 * Return: index, less than RTK_HIST_BUCKETS
 */
static inline __u64 rtk_hist_index(__u64 v)
{
	__u64 s = (63U - RTK_HIST_SUB_BITS) -
		  __builtin_clzll(v | (1ULL << RTK_HIST_SUB_BITS));

	return (s << RTK_HIST_SUB_BITS) + (v >> s);
}

/**
 * rtk_hist_low() - smallest value of a bucket
 * @i: index, less than RTK_HIST_BUCKETS
 *
 * Return: smallest value that rtk_hist_index() maps to @i
 */
static inline __u64 rtk_hist_low(__u32 i)
{
	__u32 s;

	if (i < RTK_HIST_EXACT)
		return i;
	s = (i >> RTK_HIST_SUB_BITS) - 1;
	return (__u64)(i - (s << RTK_HIST_SUB_BITS)) << s;
}

/**
 * rtk_hist_last() - largest value of a bucket
 * @i: index, less than RTK_HIST_BUCKETS
 *
 * The exclusive upper bound that reports print is this plus 1.
 *
 * Return: largest value that rtk_hist_index() maps to @i
 */
static inline __u64 rtk_hist_last(__u32 i)
{
	__u32 s;

	if (i < RTK_HIST_EXACT)
		return i;
	s = (i >> RTK_HIST_SUB_BITS) - 1;
	return rtk_hist_low(i) + ((1ULL << s) - 1);
}

/**
 * rtk_hist_rank() - rank of a percentile
 * @count: number of samples, not 0, below 2^63
 * @num: percentile's numerator
 * @den: percentile's denominator: p = 100 * num / den percent; num <= den,
 *	den not above 2^20
 *
 * ceil(count * num / den) without a 128-bit product, at least 1.
 *
 * Return: rank, 1 .. count
 */
static inline __u64 rtk_hist_rank(__u64 count, __u32 num, __u32 den)
{
	__u64 rank = count / den * num + (count % den * num + den - 1) / den;

	return rank ? rank : 1;
}

/**
 * rtk_hist_percentile() - percentile of an unsigned series
 * @buckets: RTK_HIST_BUCKETS counts
 * @count: their sum, not 0
 * @num: see rtk_hist_rank()
 * @den: see rtk_hist_rank()
 * @max: exact maximum of the series
 *
 * Return: largest value of the first bucket in which the rank is reached, not
 * above @max: never less than the true percentile, and at most 1/64 more
 */
static inline __u64 rtk_hist_percentile(const __u64 *buckets, __u64 count,
					__u32 num, __u32 den, __u64 max)
{
	__u64 rank = rtk_hist_rank(count, num, den), sum = 0, v;
	__u32 i;

	for (i = 0; i < RTK_HIST_BUCKETS; i++) {
		sum += buckets[i];
		if (sum >= rank) {
			v = rtk_hist_last(i);
			return v < max ? v : max;
		}
	}
	return max;
}

#endif /* _UAPI_LINUX_RTK_HIST_H */
