/* SPDX-License-Identifier: GPL-2.0 */
/* What is said of the test mmio, besides what is said of any test. */
#ifndef RTK_MMIO_H
#define RTK_MMIO_H

#include <stdio.h>

#include "result.h"

/**
 * struct rtk_mmio - the reads of a run, on all CPUs
 * @loops: their number, not 0
 * @total_ns: their sum
 * @avg: of one, rounded down
 * @min: the fastest
 * @max: the slowest
 * @slow: those above the limit
 * @gaps: times from one to the next that were above theirs
 * @all_ones: reads of nothing but ones
 */
struct rtk_mmio {
	__s64 loops;
	__s64 total_ns;
	__s64 avg;
	__s64 min;
	__s64 max;
	__s64 slow;
	__s64 gaps;
	__s64 all_ones;
};

/**
 * rtk_mmio_get() - the reads of a run
 * @r: summarized result of the test
 * @m: filled
 *
 * Return: false where there is none
 */
bool rtk_mmio_get(const struct rtk_result *r, struct rtk_mmio *m);

/**
 * rtk_mmio_explain() - what its counters are held against, a line
 * @out: where to
 * @r: summarized result; that of another test has no such line
 */
void rtk_mmio_explain(FILE *out, const struct rtk_result *r);

#endif
