/* SPDX-License-Identifier: GPL-2.0 */
/* The line on a terminal that says how a run is going. */
#ifndef RTK_LIVE_H
#define RTK_LIVE_H

#include "model.h"

/**
 * rtk_live_wanted() - is there a terminal for it?
 *
 * Return: standard error is a terminal; nothing is written elsewhere
 */
bool rtk_live_wanted(void);

/**
 * rtk_live_text() - the line as text, without control characters
 * @buf: filled
 * @size: its size; more does not fit on the terminal
 * @t: test and its run
 * @lanes: statistics now
 */
void rtk_live_text(char *buf, size_t size, const struct rtk_test *t,
		   const struct rtk_lanes *lanes);

/**
 * rtk_live_print() - replace the line
 * @t: test and its run
 * @lanes: statistics now
 */
void rtk_live_print(const struct rtk_test *t, const struct rtk_lanes *lanes);

/**
 * rtk_live_clear() - take the line away
 */
void rtk_live_clear(void);

#endif
