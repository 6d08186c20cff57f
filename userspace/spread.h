/* SPDX-License-Identifier: GPL-2.0 */
/* Where the samples of a series lie: what its sums don't tell. Pure. */
#ifndef RTK_SPREAD_H
#define RTK_SPREAD_H

#include "result.h"

/**
 * struct rtk_spread - statistics of a histogram, in the unit of the series
 * @median: the middle value; of an even number the mean of the two
 * @mode: value that most samples have, the smallest of several
 * @deviation: mean absolute deviation around the mean
 *
 * A sample counts as the middle of its bucket, which is exact below 128 and off
 * by less than 1/64 above.
 */
struct rtk_spread {
	double median;
	double mode;
	double deviation;
};

/**
 * rtk_spread() - compute them
 * @s: summary that has a sample
 * @d: filled
 */
void rtk_spread(const struct rtk_summary *s, struct rtk_spread *d);

#endif
