// SPDX-License-Identifier: GPL-2.0
/* From measured threads that have ended to lanes. */
#include <errno.h>
#include <stdint.h>

#include "uthread.h"

static void set_items(const struct rtk_uthread *t, struct rtk_lane *lane)
{
	const struct {
		const char *name;
		__s64 value;
	} items[] = {
		{ "page_faults", t->after.ru_minflt - t->before.ru_minflt },
		{ "major_faults", t->after.ru_majflt - t->before.ru_majflt },
		{ "switches", t->after.ru_nvcsw - t->before.ru_nvcsw },
		{ "rests", (__s64)t->c.rests },
		{ "rest_late_ns", t->c.rest_late_ns },
		{ "preemptions", t->after.ru_nivcsw - t->before.ru_nivcsw },
	};
	size_t i;

	for (i = 0; i < RTK_ARRAY_SIZE(items); i++) {
		rtk_copy(lane->counters.v[i].name, RTK_NAME_SIZE,
			 items[i].name);
		lane->counters.v[i].value = (__u64)items[i].value;
	}
	lane->counters.n = i;
}

/*
 * A run that was ended early has no samples of what it did not come to. That is
 * no part of the result, unless it is what was to be judged, or all that there is.
 */
static bool is_left_out(const struct rtk_uthread *t,
			const struct rtk_ulane *lane, bool complete)
{
	size_t i;

	if (lane->off)
		return true;
	if (complete || lane->m.n || lane->negative || lane->wrong_cpu ||
	    lane->limit != INT64_MAX)
		return false;
	for (i = 0; i < t->team->test->n_series; i++)
		if (t->c.lane[i].m.n)
			return true;
	return false;
}

/* What is running has not counted yet what the kernel counts of threads. */
static int export_thread(const struct rtk_uthread *t, bool complete,
			 bool running, struct rtk_result *r)
{
	const struct rtk_useries *s = t->team->test->series;
	const struct rtk_ulane *from;
	bool first = !running;
	struct rtk_lane *lane;
	size_t i;
	int err;

	for (i = 0; i < t->team->test->n_series; i++) {
		from = &t->c.lane[i];
		if (is_left_out(t, from, complete))
			continue;
		lane = rtk_grow(&r->lanes.v, &r->lanes.n, sizeof(*lane));
		if (!lane)
			return -ENOMEM;
		rtk_copy(lane->series, sizeof(lane->series), s[i].name);
		rtk_copy(lane->unit, sizeof(lane->unit), s[i].unit);
		err = running ? rtk_ulane_snap(from, lane, &r->outliers) :
				rtk_ulane_export(from, lane, &r->outliers);
		if (err)
			return err;
		if (first)
			set_items(t, lane);
		first = false;
	}
	return 0;
}

int rtk_uteam_snap(const struct rtk_uteam *team, struct rtk_result *r)
{
	const struct rtk_uthread *t;
	int err = 0;

	for (t = team->v; !err && t < team->v + team->n; t++)
		err = export_thread(t, false, true, r);
	return err;
}

int rtk_uteam_collect(struct rtk_uteam *team, bool complete,
		      struct rtk_result *r)
{
	struct rtk_uthread *t;

	for (t = team->v; t < team->v + team->n; t++) {
		if (export_thread(t, complete, false, r))
			return -ENOMEM;
		if (team->test->collect)
			team->test->collect(&t->c, &r->extra);
		r->cond.rows_lost += t->rows.lost + t->rows.over;
	}
	return 0;
}
