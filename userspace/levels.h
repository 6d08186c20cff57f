/* SPDX-License-Identifier: GPL-2.0 */
/* The levels of memory that a curve of latency over size shows. Pure. */
#ifndef RTK_LEVELS_H
#define RTK_LEVELS_H

#include <stdbool.h>

#include "caches.h"

#define RTK_LEVELS_MAX 8

/**
 * struct rtk_level - a flat part of a curve
 * @size: the largest size that is still part of it; 0 where the curve ends in it,
 *	so that nobody knows
 * @ps: latency: median over its points
 */
struct rtk_level {
	__s64 size;
	__s64 ps;
};

/**
 * struct rtk_levels - the flat parts of a curve, by ascending size
 * @v: parts
 * @n: their number
 */
struct rtk_levels {
	struct rtk_level v[RTK_LEVELS_MAX];
	size_t n;
};

/**
 * struct rtk_levelrow - what is stated beside what is seen
 * @level: of the cache stated; 0 where none is
 * @stated: its size, or 0
 * @seen: size that is seen, 0 where none is or nobody knows
 * @ps: latency that is seen, or 0
 */
struct rtk_levelrow {
	unsigned int level;
	__s64 stated;
	__s64 seen;
	__s64 ps;
};

/* Room for all that rtk_levels_match() may fill. */
#define RTK_LEVELROWS_MAX (RTK_LEVELS_MAX + RTK_CACHES_MAX)

/**
 * rtk_levels_find() - find the flat parts
 * @l: filled
 * @size: sizes of the points, ascending, two in an octave
 * @ps: their latencies
 * @n: their number
 *
 * What disturbs a point makes it slower: a point counts as no slower than any
 * larger one. Flat is what rises by less than a quarter over an octave; it ends
 * where the latency is 1.6 times that at its beginning.
 */
void rtk_levels_find(struct rtk_levels *l, const __s64 *size, const __s64 *ps,
		     size_t n);

/**
 * rtk_levels_match() - hold them against the caches that a CPU states
 * @l: levels
 * @c: caches
 * @row: filled, at most RTK_LEVELROWS_MAX, by ascending size
 *
 * A cache is seen where a flat part ends between its half and its double: the
 * last of these. Parts that are no cache's have rows of their own.
 *
 * Return: number of rows
 */
size_t rtk_levels_match(const struct rtk_levels *l, const struct rtk_caches *c,
			struct rtk_levelrow *row);

#endif
