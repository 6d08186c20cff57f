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
 */
struct rtk_rep {
	struct rtk_result *v;
	char **file;
	size_t n;
};

/* Of a list in the environment so many entries are shown. */
#define RTK_REP_ROWS 64

/**
 * enum rtk_case_status - how a case ended
 * @RTK_CASE_OK: it passed
 * @RTK_CASE_FAILED: it failed
 * @RTK_CASE_SKIPPED: nothing was asked for
 */
enum rtk_case_status {
	RTK_CASE_OK,
	RTK_CASE_FAILED,
	RTK_CASE_SKIPPED,
};

/**
 * struct rtk_case - what a result is held against
 * @status: how it ended
 * @name: what: "verdict", "ledger/SERIES", "max/SERIES/cpuN"
 * @text: why, with its numbers
 */
struct rtk_case {
	enum rtk_case_status status;
	char name[64];
	char text[256];
};

/**
 * struct rtk_cases - those of a result
 * @v: cases
 * @n: their number
 * @failed: how many of them failed
 * @skipped: how many were skipped
 */
struct rtk_cases {
	struct rtk_case *v;
	size_t n;
	size_t failed;
	size_t skipped;
};

/**
 * rtk_rep_cases() - hold a result against all that is asked of it
 * @r: result
 * @c: filled; free with rtk_rep_cases_free()
 *
 * Return: 0 or -ENOMEM
 */
int rtk_rep_cases(const struct rtk_result *r, struct rtk_cases *c);

/**
 * rtk_rep_cases_free() - free cases, leave none
 * @c: cases
 */
void rtk_rep_cases_free(struct rtk_cases *c);

/**
 * rtk_rep_facts() - what is known of the machine, one fact after the other
 * @r: result
 * @fact: called for each, with its value for people, or why there is none
 * @arg: its first argument
 *
 * Return: 0 or -ENOMEM
 */
int rtk_rep_facts(const struct rtk_result *r,
		  void (*fact)(void *arg, const char *key, const char *text,
			       bool known),
		  void *arg);

/**
 * rtk_rep_cpu() - the CPU of a summary
 * @s: summary
 * @buf: filled
 * @size: its size
 *
 * Return: @buf: a number, or "all"
 */
const char *rtk_rep_cpu(const struct rtk_summary *s, char *buf, size_t size);

/**
 * rtk_rep_markdown() - for a pull request or a wiki
 * @out: where to
 * @rep: results
 *
 * Return: 0 or -ENOMEM
 */
int rtk_rep_markdown(FILE *out, const struct rtk_rep *rep);

/**
 * rtk_rep_csv() - comma-separated values by RFC 4180
 * @out: where to
 * @rep: results
 *
 * Return: 0
 */
int rtk_rep_csv(FILE *out, const struct rtk_rep *rep);

/**
 * rtk_rep_junit() - test cases as build servers read them
 * @out: where to
 * @rep: results
 *
 * Return: 0 or -ENOMEM
 */
int rtk_rep_junit(FILE *out, const struct rtk_rep *rep);

/**
 * rtk_rep_ktap() - test cases as the kernel's self-tests print them
 * @out: where to
 * @rep: results
 *
 * Return: 0 or -ENOMEM
 */
int rtk_rep_ktap(FILE *out, const struct rtk_rep *rep);

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
