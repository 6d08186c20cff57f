/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What was taken away from CPUs whose interrupts were off: the records of a
 * test that reads a clock all the time and counts how long it did so.
 */
#ifndef RTK_GAPS_H
#define RTK_GAPS_H

#include <stdio.h>

#include "result.h"

/**
 * struct rtk_gap - a pair of readings with a gap above the threshold
 * @o: record of the larger gap of the pair
 * @begin: from when on the CPU was away, CLOCK_MONOTONIC, ns
 * @end: when it was back
 * @wall_ns: the same, CLOCK_REALTIME, -1 not known
 * @inner_ns: gap within the pair, -1 not known
 * @outer_ns: gap before it, -1 not known
 * @smi: SMIs in it, -1 not counted
 * @nmi: NMIs in it, -1 not counted
 * @seen: CPUs that were away at the same time, this one included; 0 not known
 * @watching: CPUs that could have seen it, where @seen is known
 */
struct rtk_gap {
	const struct rtk_outlier *o;
	__s64 begin;
	__s64 end;
	__s64 wall_ns;
	__s64 inner_ns;
	__s64 outer_ns;
	__s64 smi;
	__s64 nmi;
	__u32 seen;
	__u32 watching;
};

/**
 * struct rtk_gaps - those of a result
 * @v: the records that there are, in the order of their ends
 * @n: their number
 * @above: how many gaps there were above the threshold
 * @kept: how many of them are on record; two of them can be one of @v
 * @threshold_ns: threshold, 0 none
 * @smis_known: what was counted as SMIs, were such
 * @unexplained: records without SMI and NMI, where @smis_known
 */
struct rtk_gaps {
	struct rtk_gap *v;
	size_t n;
	__u64 above;
	size_t kept;
	__s64 threshold_ns;
	bool smis_known;
	size_t unexplained;
};

/**
 * rtk_gaps_covered() - how long a clock was read
 * @s: summary of a CPU, or of all
 *
 * Return: ns; -1 the test does not measure like that
 */
__s64 rtk_gaps_covered(const struct rtk_summary *s);

/**
 * rtk_gaps_measured() - is this a result of such a test?
 * @r: summarized result
 *
 * Return: yes or no
 */
bool rtk_gaps_measured(const struct rtk_result *r);

/**
 * rtk_gaps_unbalanced() - a CPU whose gaps are not the time that it covered
 * @r: summarized result of an ended run
 *
 * Between its first reading and its last each ns is in one gap.
 *
 * Return: the first that is off by more than 1 %, or NULL
 */
const struct rtk_summary *rtk_gaps_unbalanced(const struct rtk_result *r);

/**
 * rtk_gaps_thin() - a CPU that was covered for less than was asked for
 * @r: summarized result of an ended run
 * @asked: set to what was asked for, ns, where there is one
 *
 * All the time of the widths is to be covered, but for 2 %, and for one width where
 * CPUs take turns.
 *
 * Return: the least covered of those, or NULL
 */
const struct rtk_summary *rtk_gaps_thin(const struct rtk_result *r,
					__s64 *asked);

/**
 * rtk_gaps_collect() - compare the records
 * @r: summarized result, for which rtk_gaps_measured() holds
 * @g: filled; free with rtk_gaps_free()
 *
 * Return: 0 or -ENOMEM
 */
int rtk_gaps_collect(const struct rtk_result *r, struct rtk_gaps *g);

/**
 * rtk_gaps_free() - free what was collected
 * @g: gaps
 */
void rtk_gaps_free(struct rtk_gaps *g);

/**
 * rtk_gaps_print() - how many, which of them explained, the largest
 * @out: where to
 * @r: summarized result, for which rtk_gaps_measured() holds
 *
 * Return: 0 or -ENOMEM
 */
int rtk_gaps_print(FILE *out, const struct rtk_result *r);

#endif
