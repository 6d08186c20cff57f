/* SPDX-License-Identifier: GPL-2.0 */
/* Reports: what rtk-report makes of results. A format is a file rep_*.c. */
#ifndef RTK_REP_H
#define RTK_REP_H

#include <stdio.h>

#include "result.h"

/**
 * struct rtk_rep - what is to be reported
 * @v: results, each judged
 * @file: where each was read from
 * @n: their number
 * @fail_above_ns: limit for all of them, -1 that of each document
 */
struct rtk_rep {
	struct rtk_result *v;
	char **file;
	size_t n;
	__s64 fail_above_ns;
};

/**
 * rtk_rep_text() - as rtk run prints it, with the machine
 * @out: where to
 * @rep: results
 *
 * Return: 0 or -ENOMEM
 */
int rtk_rep_text(FILE *out, const struct rtk_rep *rep);

/**
 * rtk_rep_html() - a page for a browser
 * @out: where to
 * @rep: results
 *
 * Return: 0 or -ENOMEM
 */
int rtk_rep_html(FILE *out, const struct rtk_rep *rep);

/**
 * rtk_rep_rteval() - the text report of rteval
 * @out: where to
 * @rep: results
 *
 * Return: 0, -ENODATA or -ENOMEM
 */
int rtk_rep_rteval(FILE *out, const struct rtk_rep *rep);

/**
 * rtk_rep_rteval_xml() - the document that rteval writes
 * @out: where to
 * @rep: one result
 *
 * Return: 0; -EINVAL there are several, printed; -ENODATA; -ENOMEM
 */
int rtk_rep_rteval_xml(FILE *out, const struct rtk_rep *rep);

#endif
