// SPDX-License-Identifier: GPL-2.0
/* Of long runs: largest samples from checkpoint to checkpoint, and their parts. */
#include "json_value.h"
#include "verdict.h"

static json_t *interval_json(const struct rtk_interval *i)
{
	json_t *o = json_object();

	json_object_set_new(o, "end", rtk_json_time_or_null(i->wall_ns));
	json_object_set_new(o, "mono_ns", rtk_json_integer(i->mono_ns));
	json_object_set_new(o, "series", rtk_json_string(i->series));
	json_object_set_new(o, "cpu", rtk_json_integer(i->cpu));
	json_object_set_new(o, "count", rtk_json_counter(i->count));
	json_object_set_new(o, "max", rtk_json_integer(i->max));
	json_object_set_new(o, "exact", json_boolean(i->exact));
	return o;
}

json_t *rtk_json_intervals(const struct rtk_result *r)
{
	json_t *list = json_array();
	size_t i;

	for (i = 0; i < r->intervals.n; i++)
		json_array_append_new(list, interval_json(&r->intervals.v[i]));
	return list;
}

static json_t *part_json(const struct rtk_part *p)
{
	json_t *o = json_object();

	json_object_set_new(o, "started",
			    rtk_json_time_or_null(p->started_wall_ns));
	json_object_set_new(o, "duration_ns", rtk_json_integer(p->duration_ns));
	json_object_set_new(o, "ended", rtk_json_string(p->ended));
	json_object_set_new(o, "verdict",
			    rtk_json_string(rtk_verdict_name(p->status)));
	return o;
}

json_t *rtk_json_parts(const struct rtk_result *r)
{
	json_t *list = json_array();
	size_t i;

	for (i = 0; i < r->nparts; i++)
		json_array_append_new(list, part_json(&r->parts[i]));
	return list;
}
