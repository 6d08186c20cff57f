/* SPDX-License-Identifier: GPL-2.0 */
/* A result as text for people. */
#ifndef RTK_TABLE_H
#define RTK_TABLE_H

#include <stdio.h>

#include "result.h"

/**
 * rtk_table_warn() - that the numbers below are no latencies, where they are none
 * @out: where to
 * @e: machine
 */
void rtk_table_warn(FILE *out, const struct rtk_env *e);

/**
 * rtk_table_print() - head, statistics, ledger, worst sample
 * @out: where to
 * @r: judged result
 * @all_cpus: every CPU, also where there are many
 *
 * Return: 0 or -ENOMEM
 */
int rtk_table_print(FILE *out, const struct rtk_result *r, bool all_cpus);

/**
 * rtk_table_histogram() - buckets, one block for each series
 * @out: where to
 * @r: result
 * @all_cpus: also a block for each CPU
 *
 * Blocks as in debugfs: two empty lines between them (gnuplot's index).
 */
void rtk_table_histogram(FILE *out, const struct rtk_result *r, bool all_cpus);

/**
 * rtk_table_verdict() - status and reasons
 * @out: where to
 * @r: judged result
 * @reasons: the reasons too, each on a line
 */
void rtk_table_verdict(FILE *out, const struct rtk_result *r, bool reasons);

#endif
