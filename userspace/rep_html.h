/* SPDX-License-Identifier: GPL-2.0 */
/* The parts of the HTML report. A page is HTML and XML at once. */
#ifndef RTK_REP_HTML_H
#define RTK_REP_HTML_H

#include "rep.h"
#include "rep_xml.h"

/* More rows than these are left out, or folded away. */
#define RTK_HTML_ROWS 64
#define RTK_HTML_OPEN 16

/**
 * rtk_html_css() - the page's style
 *
 * Return: text without characters that HTML and XML read differently
 */
const char *rtk_html_css(void);

/**
 * rtk_html_open() - begin an element on a line of its own
 * @x: page
 * @name: element
 * @class: class, or NULL
 */
void rtk_html_open(struct rtk_xml *x, const char *name, const char *class);

/**
 * rtk_html_table() - begin a table in a box that scrolls by itself
 * @x: page; end with rtk_html_table_end()
 * @class: class of the table: "text" where cells are words, or NULL
 * @caption: what it is about
 * @head: names of the columns; ends with NULL
 */
void rtk_html_table(struct rtk_xml *x, const char *class, const char *caption,
		    const char *const *head);

/**
 * rtk_html_table_end() - end a table
 * @x: page
 */
void rtk_html_table_end(struct rtk_xml *x);

/**
 * rtk_html_row() - begin a row
 * @x: page; end with rtk_xml_close()
 * @fmt: its first cell, a header
 */
void rtk_html_row(struct rtk_xml *x, const char *fmt, ...) __printf(2, 3);

/**
 * rtk_html_fold() - begin what is unfolded by a click
 * @x: page; end with rtk_xml_close()
 * @open: unfolded to begin with, and in print
 * @fmt: what is in it
 */
void rtk_html_fold(struct rtk_xml *x, bool open, const char *fmt, ...)
	__printf(3, 4);

/**
 * rtk_html_value() - a value of a series for people
 * @r: result
 * @series: series
 * @v: value
 * @buf: filled, with the unit
 * @size: its size
 *
 * Return: @buf
 */
const char *rtk_html_value(const struct rtk_result *r,
			   const struct rtk_series *series, __s64 v, char *buf,
			   size_t size);

/**
 * rtk_html_stats() - statistics of all series, then of each CPU
 * @x: page
 * @r: result
 */
void rtk_html_stats(struct rtk_xml *x, const struct rtk_result *r);

/**
 * rtk_html_ledger() - activations, and what CPUs counted
 * @x: page
 * @r: result
 */
void rtk_html_ledger(struct rtk_xml *x, const struct rtk_result *r);

/**
 * rtk_html_samples() - the largest samples with their circumstances
 * @x: page
 * @r: result
 */
void rtk_html_samples(struct rtk_xml *x, const struct rtk_result *r);

/**
 * rtk_html_extra() - tables, values and notes of a test
 * @x: page
 * @r: result
 */
void rtk_html_extra(struct rtk_xml *x, const struct rtk_result *r);

/**
 * rtk_html_machine() - environment and parameters
 * @x: page
 * @r: result
 */
void rtk_html_machine(struct rtk_xml *x, const struct rtk_result *r);

/**
 * rtk_html_plots() - pictures, or why there are none
 * @x: page
 * @r: result
 * @id: number of the result on the page
 */
void rtk_html_plots(struct rtk_xml *x, const struct rtk_result *r, size_t id);

#endif
