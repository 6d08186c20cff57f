/* SPDX-License-Identifier: GPL-2.0 */
/* Points of a curve of memory latency over the size of what is read. Pure. */
#ifndef RTK_MEMCURVE_H
#define RTK_MEMCURVE_H

#include "extra.h"

/* Where the curve begins, in bytes. */
#define RTK_MEMCURVE_FIRST 512
#define RTK_STRIDES_MAX 16

/**
 * struct rtk_strides - strides, in the order in which they were named
 * @v: bytes
 * @n: their number
 */
struct rtk_strides {
	__s64 v[RTK_STRIDES_MAX];
	size_t n;
};

/**
 * struct rtk_mempoint - a point of a curve, over all CPUs
 * @stride: bytes from load to load
 * @size: bytes that are read
 * @min_ps: smallest time for a load
 * @median_ps: median of the CPUs' medians
 * @loads: number of loads timed
 */
struct rtk_mempoint {
	__s64 stride;
	__s64 size;
	__s64 min_ps;
	__s64 median_ps;
	__s64 loads;
};

/**
 * struct rtk_memcurve - points in the order of a run: by stride, then by size
 * @v: points
 * @n: their number
 */
struct rtk_memcurve {
	struct rtk_mempoint *v;
	size_t n;
};

/**
 * rtk_strides_parse() - read a list such as "64,512"
 * @s: filled
 * @text: list
 * @largest: largest value allowed
 * @why: filled where it is none: what is wrong
 * @len: its size
 *
 * Return: 0 or -EINVAL
 */
int rtk_strides_parse(struct rtk_strides *s, const char *text, __s64 largest,
		      char *why, size_t len);

/**
 * rtk_memcurve_next() - size of the next point
 * @size: size of the one before; RTK_MEMCURVE_FIRST is the first
 *
 * Return: bytes
 */
__s64 rtk_memcurve_next(__s64 size);

/**
 * rtk_memcurve_points() - how many points have a stride
 * @stride: stride; sizes below it have no room for an element
 * @largest: largest size
 *
 * Return: number
 */
size_t rtk_memcurve_points(__s64 stride, __s64 largest);

/**
 * rtk_memcurve_merge() - one curve from those of all CPUs
 * @c: filled; free with rtk_memcurve_free()
 * @t: rows of the test: columns stride_bytes, size_bytes, min_ps, median_ps,
 *	loads; a point that a CPU lacks is made of the others
 *
 * Return: 0 or -ENOMEM
 */
int rtk_memcurve_merge(struct rtk_memcurve *c, const struct rtk_datatable *t);

/**
 * rtk_memcurve_free() - free a curve
 * @c: curve
 */
void rtk_memcurve_free(struct rtk_memcurve *c);

/**
 * rtk_memcurve_median() - median of values
 * @v: values in ascending order
 * @n: their number, not 0
 *
 * Return: median; of the two in the middle the mean, rounded down
 */
__s64 rtk_memcurve_median(const __s64 *v, size_t n);

/**
 * rtk_memcurve_insert() - add a value to ascending ones
 * @v: values, with room for one more
 * @n: their number, incremented
 * @value: value
 */
void rtk_memcurve_insert(__s64 *v, size_t *n, __s64 value);

#endif
