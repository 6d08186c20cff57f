/* SPDX-License-Identifier: GPL-2.0 */
/* A result of test hwlat as the program hwlatdetect of rt-tests reports it. */
#ifndef RTK_HWLATDETECT_H
#define RTK_HWLATDETECT_H

#include <stdio.h>

#include "result.h"

/**
 * struct rtk_hwlatdetect - its options
 * @file: where the samples are written to, or NULL
 * @cpu: say the CPU of each sample, too
 * @quiet: SMIs and samples only
 */
struct rtk_hwlatdetect {
	const char *file;
	bool cpu;
	bool quiet;
};

/**
 * rtk_hwlatdetect_print() - the whole report
 * @out: where to
 * @r: judged result, for which rtk_gaps_measured() holds
 * @opt: options
 *
 * What that program does not say stands in lines that begin with "#".
 *
 * Return: 0 or -errno; that of the file is printed
 */
int rtk_hwlatdetect_print(FILE *out, const struct rtk_result *r,
			  const struct rtk_hwlatdetect *opt);

#endif
