/* SPDX-License-Identifier: GPL-2.0 */
/* Results as the programs of lmbench print theirs. */
#ifndef RTK_LMBENCH_H
#define RTK_LMBENCH_H

#include <stdio.h>

#include "result.h"

struct rtk_report;

/**
 * rtk_lmbench_memlat() - test memlat as lat_mem_rd prints it
 * @out: where to
 * @r: judged result
 * @rep: not used: it has no options
 *
 * For each stride a line "stride=N, then size in MiB and ns for a load: the
 * smallest over repetitions and CPUs.
 *
 * Return: 0 or -ENOMEM
 */
int rtk_lmbench_memlat(FILE *out, const struct rtk_result *r,
		       const struct rtk_report *rep);

#endif
