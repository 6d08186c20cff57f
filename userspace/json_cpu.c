// SPDX-License-Identifier: GPL-2.0
#include <string.h>

#include "gaps.h"
#include "json_value.h"

/* SMIs that a hypervisor invented are numbers, too: smi_source tells. */
static json_t *cpu_json(const struct rtk_result *r, const struct rtk_summary *s)
{
	__s64 covered = rtk_gaps_covered(s);
	__s64 wall = rtk_items_value(&s->counters, "wall_ns");
	const char *source = r->test.smi_source;
	json_t *o = json_object();

	json_object_set_new(o, "cpu", rtk_json_integer(s->cpu));
	json_object_set_new(o, "samples", rtk_json_counter(s->count));
	json_object_set_new(o, "smi",
			    rtk_json_moment(*source && strcmp(source, "none"),
					    s->smi));
	json_object_set_new(o, "nmi", rtk_json_moment(s->nmi >= 0, s->nmi));
	rtk_json_items(o, &s->counters);
	if (covered >= 0)
		json_object_set_new(o, "coverage",
				    rtk_json_real(wall > 0,
						  (double)covered /
							  (double)wall));
	return o;
}

json_t *rtk_json_per_cpu(const struct rtk_result *r)
{
	const struct rtk_summary *s = NULL;
	json_t *list = json_array();

	while ((s = rtk_result_next_cpu(r, s)))
		json_array_append_new(list, cpu_json(r, s));
	return list;
}

static json_t *gap_json(const struct rtk_gap *gap)
{
	const struct rtk_outlier *o = gap->o;
	json_t *j = json_object();

	json_object_set_new(j, "time", rtk_json_time_or_null(gap->wall_ns));
	json_object_set_new(j, "mono_ns", rtk_json_integer(gap->end));
	json_object_set_new(j, "cpu", rtk_json_integer(o->cpu));
	json_object_set_new(j, "value", rtk_json_integer(o->value));
	json_object_set_new(j, "inner_ns",
			    rtk_json_moment(gap->inner_ns >= 0, gap->inner_ns));
	json_object_set_new(j, "outer_ns",
			    rtk_json_moment(gap->outer_ns >= 0, gap->outer_ns));
	json_object_set_new(j, "smi", rtk_json_moment(gap->smi >= 0, gap->smi));
	json_object_set_new(j, "nmi", rtk_json_moment(gap->nmi >= 0, gap->nmi));
	json_object_set_new(j, "seen_on",
			    rtk_json_moment(gap->seen, gap->seen));
	json_object_set_new(j, "watching",
			    rtk_json_moment(gap->seen, gap->watching));
	return j;
}

json_t *rtk_json_gaps(const struct rtk_result *r)
{
	json_t *o, *list;
	struct rtk_gaps g;
	size_t i;

	if (rtk_gaps_collect(r, &g))
		return NULL;
	o = json_object();
	list = json_array();
	json_object_set_new(o, "above", rtk_json_counter(g.above));
	json_object_set_new(o, "unexplained",
			    rtk_json_moment(g.smis_known,
					    (__s64)g.unexplained));
	for (i = 0; i < g.n; i++)
		json_array_append_new(list, gap_json(&g.v[i]));
	json_object_set_new(o, "list", list);
	rtk_gaps_free(&g);
	return o;
}
