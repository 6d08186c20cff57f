// SPDX-License-Identifier: GPL-2.0
#include "mmio.h"
#include "params.h"

bool rtk_mmio_get(const struct rtk_result *r, struct rtk_mmio *m)
{
	const struct rtk_summary *s = rtk_result_measured(r, "read");
	struct rtk_items sum;

	rtk_result_counters(r, &sum);
	m->loops = rtk_items_value(&sum, "loops");
	if (!s || m->loops <= 0)
		return false;
	m->total_ns = rtk_items_value(&sum, "total_ns");
	m->avg = m->total_ns / m->loops;
	m->min = s->m.min;
	m->max = s->m.max;
	m->slow = rtk_items_value(&sum, "mmio_outliers");
	m->gaps = rtk_items_value(&sum, "sched_outliers");
	m->all_ones = rtk_items_value(&sum, "all_ones");
	return true;
}

void rtk_mmio_explain(FILE *out, const struct rtk_result *r)
{
	const char *gap = rtk_params_value(&r->test, "sched_outlier_ns");
	const struct rtk_summary *s = rtk_result_next_cpu(r, NULL);

	if (!gap || !s || rtk_items_value(&s->counters, "clock_ns") < 0)
		return;
	fprintf(out,
		"mmio_outliers: reads above mmio_limit_ns; sched_outliers: gaps above %s ns; reading the clock\ntakes clock_ns or more, which is part of each read\n",
		gap);
}
