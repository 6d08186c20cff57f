/* SPDX-License-Identifier: GPL-2.0 */
/* What test caterpillar executes, and how its rows are computed. Pure. */
#ifndef RTK_CATERPILLAR_H
#define RTK_CATERPILLAR_H

#include <stddef.h>

#include "stats.h"

/* Distance of the words that are changed: a cache line of x86, and of most arm64. */
#define RTK_CATERPILLAR_LINE 64

/* Columns of a row. */
enum {
	RTK_SAMPLE_MIN,
	RTK_SAMPLE_MAX,
	RTK_SMPL_JITTER,
	RTK_SESSION_MIN,
	RTK_SESSION_MAX,
	RTK_SESSION_JITTER,
	RTK_SAMPLE,
	RTK_SAMPLE_COLUMNS,
};

/**
 * struct rtk_session - all samples so far
 * @now: execution times of the sample that is measured
 * @min: shortest of the samples before it
 * @max: longest of them
 * @variances: sum of their variances
 * @samples: their number
 */
struct rtk_session {
	struct rtk_moments now;
	__s64 min;
	__s64 max;
	double variances;
	__u64 samples;
};

/**
 * rtk_caterpillar_walk() - change one word in each cache line, again and again
 * @words: first word; aligned to a line
 * @lines: lines, at least 1
 * @ops: words to change: operation k adds 1 to the first word of line k modulo
 *	@lines
 */
void rtk_caterpillar_walk(__u64 *words, __u64 lines, __u64 ops);

/**
 * rtk_session_end() - end a sample, begin the next
 * @s: session; the sample has two times at least
 * @row: filled, RTK_SAMPLE_COLUMNS values; the jitter of a sample is its standard
 *	deviation, that of the session the root of the mean of the variances
 */
void rtk_session_end(struct rtk_session *s, __s64 *row);

/**
 * rtk_session_jitter() - take in the variance of a sample
 * @s: session
 * @variance: its variance
 *
 * Return: jitter of the session, rounded to nearest
 */
__s64 rtk_session_jitter(struct rtk_session *s, double variance);

#endif
