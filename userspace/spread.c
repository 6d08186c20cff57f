// SPDX-License-Identifier: GPL-2.0
#include "spread.h"

/* Middle of the values that are possible in a bucket: none is beyond min and max. */
static double middle(const struct rtk_summary *s, const struct rtk_row *row)
{
	__s64 low = row->low, last = row->high - 1;

	if (low < s->m.min)
		low = s->m.min;
	if (last > s->m.max)
		last = s->m.max;
	return (double)low + (double)(last - low) / 2;
}

static double at_rank(const struct rtk_summary *s, __u64 rank)
{
	const struct rtk_row *row = s->rows;
	__u64 sum = row->count;

	while (sum < rank)
		sum += (++row)->count;
	return middle(s, row);
}

static double most_frequent(const struct rtk_summary *s)
{
	const struct rtk_row *row, *best = s->rows;

	for (row = s->rows; row < s->rows + s->nrows; row++)
		if (row->count > best->count)
			best = row;
	return middle(s, best);
}

/*
 * What lies below the mean deviates as much, in sum, as what lies above. Below
 * it, where latencies crowd, the buckets are finer; and the mean is exact.
 */
static double mean_deviation(const struct rtk_summary *s)
{
	const struct rtk_row *row;
	double v, sum = 0;

	for (row = s->rows; row < s->rows + s->nrows; row++) {
		v = middle(s, row);
		if (v < s->mean)
			sum += (s->mean - v) * (double)row->count;
	}
	return 2 * sum / (double)s->count;
}

void rtk_spread(const struct rtk_summary *s, struct rtk_spread *d)
{
	d->median = (at_rank(s, (s->count + 1) / 2) +
		     at_rank(s, s->count / 2 + 1)) /
		    2;
	d->mode = most_frequent(s);
	d->deviation = mean_deviation(s);
}
