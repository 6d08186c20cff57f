/* SPDX-License-Identifier: GPL-2.0 */
/* rtk run mmio --all-safe: one device after the other. */
#ifndef RTK_ALLSAFE_H
#define RTK_ALLSAFE_H

#include "krun.h"
#include "report.h"

/**
 * rtk_allsafe() - read the known register of each device that has one
 * @k: run with the parameters of each; nothing of it is started
 * @t: test, which reads registers
 * @rep: how to report
 *
 * Prints a line for each, or why it was not read, and a verdict on all. A signal ends
 * it with the device that is being read.
 *
 * Return: the status to exit with
 */
int rtk_allsafe(struct rtk_krun *k, const struct rtk_test *t,
		const struct rtk_report *rep);

/**
 * rtk_allsafe_line() - the line of a device
 * @out: where to
 * @r: judged result
 */
void rtk_allsafe_line(FILE *out, const struct rtk_result *r);

#endif
