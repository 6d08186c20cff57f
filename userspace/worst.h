/* SPDX-License-Identifier: GPL-2.0 */
/* The circumstances of a sample, in words. */
#ifndef RTK_WORST_H
#define RTK_WORST_H

#include <stdio.h>

#include "result.h"

/**
 * rtk_worst_series() - the series that a limit applies to
 * @r: summarized result
 *
 * Return: over all CPUs, threshold_series or the last one recorded; NULL where
 * there is none
 */
const struct rtk_summary *rtk_worst_series(const struct rtk_result *r);

/**
 * rtk_worst_text() - the worst sample of a series in one line
 * @r: result
 * @s: series, of all CPUs
 * @buf: filled: value, series, CPU, time, interrupted task
 * @size: its size
 */
void rtk_worst_text(const struct rtk_result *r, const struct rtk_summary *s,
		    char *buf, size_t size);

/**
 * rtk_worst_between() - what ran on the CPU since the sample before
 * @o: sample
 * @buf: filled, empty where the kernel did not count
 * @size: its size
 *
 * Return: @buf
 */
const char *rtk_worst_between(const struct rtk_outlier *o, char *buf,
			      size_t size);

/**
 * rtk_worst_smis() - what is known of system management interrupts
 * @o: sample
 * @source: what counts them: msr, virtual, none or empty
 * @buf: filled, empty where nothing can be said
 * @size: its size
 *
 * Return: @buf
 */
const char *rtk_worst_smis(const struct rtk_outlier *o, const char *source,
			   char *buf, size_t size);

/**
 * rtk_worst_print() - the worst sample with its circumstances, in a few lines
 * @out: where to
 * @r: judged result
 *
 * Nothing where the kernel kept no record.
 */
void rtk_worst_print(FILE *out, const struct rtk_result *r);

#endif
