// SPDX-License-Identifier: GPL-2.0
#include <stdint.h>
#include <time.h>

#include "ticks.h"

#define TRIES 10

static __s64 raw_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC_RAW, &ts);
	return ts.tv_sec * 1000000000LL + ts.tv_nsec;
}

/* Of a few tries the one in which nothing came between the two. */
void rtk_clockpair_read(struct rtk_clockpair *p)
{
	__u64 before, after, best = UINT64_MAX;
	__s64 now;
	int i;

	for (i = 0; i < TRIES; i++) {
		before = rtk_ticks();
		now = raw_ns();
		after = rtk_ticks();
		if (after - before >= best)
			continue;
		best = after - before;
		p->ticks = before + best / 2;
		p->ns = now;
	}
}

double rtk_clockpair_rate(const struct rtk_clockpair *p)
{
	struct rtk_clockpair now;

	if (rtk_ticks_rate())
		return (double)rtk_ticks_rate();
	rtk_clockpair_read(&now);
	return (double)(now.ticks - p->ticks) * 1e9 / (double)(now.ns - p->ns);
}
