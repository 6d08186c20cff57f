// SPDX-License-Identifier: GPL-2.0
/* What a test of a device's interrupts counted beside its samples. */
#include <stdio.h>

#include "reasons.h"
#include "util.h"

int rtk_judge_interrupts(struct rtk_result *r)
{
	const struct rtk_summary *s;
	struct rtk_items sum;
	__s64 lost, spurious;
	__u64 wrong = 0;
	size_t i;

	rtk_result_counters(r, &sum);
	lost = rtk_items_value(&sum, "lost");
	spurious = rtk_items_value(&sum, "spurious");
	if (lost < 0 || spurious < 0)
		return 0;
	for (i = 0; i < r->nsums; i++) {
		s = &r->sums[i];
		if (s->cpu != RTK_CPU_ALL)
			wrong += s->wrong_cpu;
	}
	if (!lost && !spurious && !wrong)
		return 0;
	return rtk_reason_add(&r->verdict, RTK_REASON_INTERRUPTS,
			      "of the device's interrupts %lld never came, %lld were not asked for, and %llu came to another CPU; a sample can be too short where some were not asked for",
			      lost, spurious, wrong);
}
