/* SPDX-License-Identifier: GPL-2.0 */
/* Results as the programs of Intel's ECI print theirs. */
#ifndef RTK_ECI_H
#define RTK_ECI_H

#include <stdio.h>

#include "result.h"

/**
 * rtk_eci_jitter() - test jitter as the program jitter 1.9 prints it
 * @out: where to
 * @r: judged result
 *
 * Return: 0
 */
int rtk_eci_jitter(FILE *out, const struct rtk_result *r);

#endif
