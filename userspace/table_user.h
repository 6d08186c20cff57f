/* SPDX-License-Identifier: GPL-2.0 */
/* The tables of tests in user space, as text. For table.c only. */
#ifndef RTK_TABLE_USER_H
#define RTK_TABLE_USER_H

#include <stdio.h>

#include "result.h"

/**
 * rtk_table_user() - print tables, values and notes
 * @out: where to
 * @r: summarized result of such a test
 *
 * Of a long table the last rows.
 *
 * Return: 0 or -ENOMEM
 */
int rtk_table_user(FILE *out, const struct rtk_result *r);

#endif
