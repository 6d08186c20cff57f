/* SPDX-License-Identifier: GPL-2.0 */
/* Results as the programs of Intel's ECI print theirs. */
#ifndef RTK_ECI_H
#define RTK_ECI_H

#include <stdio.h>

#include "result.h"

struct rtk_report;

/**
 * rtk_eci_jitter() - test jitter as the program jitter 1.9 prints it
 * @out: where to
 * @r: judged result
 * @rep: not used: it has no options
 *
 * Return: 0
 */
int rtk_eci_jitter(FILE *out, const struct rtk_result *r,
		   const struct rtk_report *rep);

/**
 * rtk_eci_caterpillar() - test caterpillar as that program, 1.1, prints it
 * @out: where to
 * @r: judged result
 * @rep: not used: it has no options
 *
 * Return: 0
 */
int rtk_eci_caterpillar(FILE *out, const struct rtk_result *r,
			const struct rtk_report *rep);

/**
 * rtk_eci_rhealstone() - test rhealstone as run_rhealstone_bmark prints it
 * @out: where to
 * @r: judged result; a value that was not measured has no lines
 * @rep: not used: it has no options
 *
 * Return: 0
 */
int rtk_eci_rhealstone(FILE *out, const struct rtk_result *r,
		       const struct rtk_report *rep);

/**
 * rtk_eci_msi_latency() - test msi_latency as the module msi_lat.ko logs it
 * @out: where to
 * @r: judged result; without a sample nothing is printed
 * @rep: not used: it has no options
 *
 * Return: 0
 */
int rtk_eci_msi_latency(FILE *out, const struct rtk_result *r,
			const struct rtk_report *rep);

/**
 * rtk_eci_msi_jitter() - test msi_jitter as that module for jitter logs it
 * @out: where to
 * @r: judged result; without a sample nothing is printed
 * @rep: not used: it has no options
 *
 * Return: 0
 */
int rtk_eci_msi_jitter(FILE *out, const struct rtk_result *r,
		       const struct rtk_report *rep);

/**
 * rtk_eci_mmio() - test mmio as the module behind mmioLatency.sh tells its counters
 * @out: where to
 * @r: judged result; without a read nothing is printed
 * @rep: not used: it has no options
 *
 * Return: 0
 */
int rtk_eci_mmio(FILE *out, const struct rtk_result *r,
		 const struct rtk_report *rep);

#endif
