// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <jansson.h>
#include <linux/rtk_version.h>

#include "gaps.h"
#include "json.h"
#include "json_value.h"
#include "params.h"
#include "verdict.h"

const char *rtk_json_time(char *buf, size_t size, __s64 wall_ns)
{
	time_t secs = wall_ns / 1000000000;
	struct tm tm;
	size_t len;

	gmtime_r(&secs, &tm);
	len = strftime(buf, size, "%Y-%m-%dT%H:%M:%S", &tm);
	snprintf(buf + len, size - len, ".%09lldZ", wall_ns % 1000000000);
	return buf;
}

static json_t *param_json(const struct rtk_param *p, const char *value)
{
	char *end;
	long long v;

	if (p->type == RTK_PARAM_TYPE_BOOL)
		return json_boolean(!strcmp(value, "1"));
	if (p->type == RTK_PARAM_TYPE_U64 || p->type == RTK_PARAM_TYPE_S64) {
		v = strtoll(value, &end, 10);
		if (end != value && !*end)
			return rtk_json_integer(v);
	}
	return rtk_json_string(value);
}

static json_t *params_json(const struct rtk_test *t)
{
	json_t *o = json_object();
	const char *value;
	size_t i;

	for (i = 0; i < t->nparams; i++) {
		value = rtk_params_value(t, t->params[i].name);
		json_object_set_new(o, t->params[i].name,
				    param_json(&t->params[i],
					       value ? value : ""));
	}
	return o;
}

/* Those that have not their defaults. */
static json_t *changed_json(const struct rtk_test *t)
{
	json_t *list = json_array();
	const struct rtk_param *p;
	const char *value;

	for (p = t->params; p < t->params + t->nparams; p++) {
		value = rtk_params_value(t, p->name);
		if (value && p->def && strcmp(value, p->def))
			json_array_append_new(list, rtk_json_string(p->name));
	}
	return list;
}

static json_t *cpu_json(int cpu)
{
	return cpu == RTK_CPU_ALL ? json_string("all") : rtk_json_integer(cpu);
}

static json_t *ledger_json(const struct rtk_result *r)
{
	json_t *list = json_array(), *o;
	const struct rtk_summary *s;
	size_t i;

	for (i = 0; i < r->nsums; i++) {
		s = &r->sums[i];
		if (!s->ledger || s->cpu == RTK_CPU_ALL)
			continue;
		o = json_object();
		json_object_set_new(o, "cpu", cpu_json(s->cpu));
		json_object_set_new(o, "series",
				    rtk_json_string(s->series->name));
		json_object_set_new(o, "expected",
				    rtk_json_counter(s->expected));
		json_object_set_new(o, "delivered",
				    rtk_json_counter(s->delivered));
		json_object_set_new(o, "late", rtk_json_counter(s->late));
		json_object_set_new(o, "missed", rtk_json_counter(s->missed));
		json_object_set_new(o, "period_ns",
				    rtk_json_counter(s->period_ns));
		json_array_append_new(list, o);
	}
	return list;
}

static json_t *histogram_json(const struct rtk_summary *s)
{
	json_t *list = json_array(), *row;
	size_t i;

	for (i = 0; i < s->nrows; i++) {
		row = json_array();
		json_array_append_new(row, rtk_json_integer(s->rows[i].low));
		json_array_append_new(row, rtk_json_integer(s->rows[i].high));
		json_array_append_new(row, rtk_json_counter(s->rows[i].count));
		json_array_append_new(list, row);
	}
	return list;
}

static json_t *percentiles_json(const struct rtk_summary *s, const __s64 *v)
{
	json_t *o = json_object();
	size_t i;

	for (i = 0; i < RTK_STATS_PERCENTILES; i++)
		json_object_set_new(o, rtk_stats_percentiles[i].name,
				    rtk_json_moment(s->count, v[i]));
	return o;
}

static json_t *corrected_json(const struct rtk_summary *s)
{
	json_t *o;

	if (!s->ledger)
		return json_null();
	o = json_object();
	json_object_set_new(o, "added", rtk_json_counter(s->added));
	json_object_set_new(o, "percentiles",
			    percentiles_json(s, s->corrected));
	return o;
}

/* What mean and deviation are made of, exact: results can be merged. */
static void set_sums(json_t *o, const struct rtk_summary *s)
{
	bool negative = s->m.sum < 0;
	unsigned __int128 sum = (unsigned __int128)s->m.sum;

	json_object_set_new(o, "sum",
			    rtk_json_big(negative ? -sum : sum, negative));
	json_object_set_new(o, "sum_of_squares",
			    rtk_json_big(s->m.sumsq, false));
	/* While it runs one may be ahead of the other. */
	if (s->m.n != s->count)
		json_object_set_new(o, "sum_samples", rtk_json_counter(s->m.n));
}

static json_t *bound_json(const struct rtk_summary *s)
{
	if (!s->m.n)
		return json_null();
	return json_pack("{s:o, s:o, s:f, s:f}", "above",
			 rtk_json_integer(s->m.max), "samples",
			 rtk_json_counter(s->count), "p",
			 rtk_stats_bound(s->count), "confidence", 0.95);
}

static json_t *summary_json(const struct rtk_summary *s)
{
	json_t *o = json_object();

	json_object_set_new(o, "name", rtk_json_string(s->series->name));
	json_object_set_new(o, "unit", rtk_json_string(s->series->unit));
	json_object_set_new(o, "signed", json_boolean(s->series->is_signed));
	json_object_set_new(o, "cpu", cpu_json(s->cpu));
	json_object_set_new(o, "count", rtk_json_counter(s->count));
	json_object_set_new(o, "negative", rtk_json_counter(s->negative));
	json_object_set_new(o, "outliers", rtk_json_counter(s->outliers));
	json_object_set_new(o, "wrong_cpu", rtk_json_counter(s->wrong_cpu));
	json_object_set_new(o, "min", rtk_json_moment(s->m.n, s->m.min));
	json_object_set_new(o, "max", rtk_json_moment(s->m.n, s->m.max));
	json_object_set_new(o, "mean", rtk_json_real(s->m.n, s->mean));
	json_object_set_new(o, "stddev", rtk_json_real(s->m.n > 1, s->stddev));
	set_sums(o, s);
	json_object_set_new(o, "bound", bound_json(s));
	json_object_set_new(o, "percentiles",
			    percentiles_json(s, s->percentile));
	json_object_set_new(o, "corrected", corrected_json(s));
	json_object_set_new(o, "histogram", histogram_json(s));
	return o;
}

static json_t *series_json(const struct rtk_result *r)
{
	json_t *list = json_array();
	size_t i;

	for (i = 0; i < r->nsums; i++)
		json_array_append_new(list, summary_json(&r->sums[i]));
	return list;
}

static json_t *counters_json(const struct rtk_result *r)
{
	__u64 wrong = 0, negative = 0, outliers = 0;
	const char *source = r->test.smi_source;
	json_t *o = json_object();
	struct rtk_items sum;
	__u32 smi = 0;
	size_t i;

	for (i = 0; i < r->nsums; i++) {
		if (r->sums[i].cpu != RTK_CPU_ALL)
			continue;
		wrong += r->sums[i].wrong_cpu;
		negative += r->sums[i].negative;
		outliers += r->sums[i].outliers;
		if (r->sums[i].smi > smi)
			smi = r->sums[i].smi;
	}
	rtk_result_counters(r, &sum);
	rtk_json_items(o, &sum);
	json_object_set_new(o, "wrong_cpu", rtk_json_counter(wrong));
	json_object_set_new(o, "negative", rtk_json_counter(negative));
	json_object_set_new(o, "outliers", rtk_json_counter(outliers));
	if (*source && strcmp(source, "none"))
		json_object_set_new(o, "smi", rtk_json_counter(smi));
	return o;
}

static json_t *outlier_json(const struct rtk_test *t,
			    const struct rtk_outlier *out,
			    const struct rtk_outlier *task)
{
	const struct rtk_series *s = t ? rtk_test_series(t, out->series) : NULL;
	json_t *o = json_object();

	json_object_set_new(o, "cpu", rtk_json_integer(out->cpu));
	json_object_set_new(o, "series", rtk_json_string(out->series));
	json_object_set_new(o, "value", rtk_json_integer(out->value));
	json_object_set_new(o, "unit", rtk_json_string(s ? s->unit : ""));
	json_object_set_new(o, "sequence", rtk_json_counter(out->sequence));
	json_object_set_new(o, "time", rtk_json_time_or_null(out->wall_ns));
	json_object_set_new(o, "mono_ns",
			    rtk_json_moment(out->mono_ns >= 0, out->mono_ns));
	json_object_set_new(o, "pid",
			    rtk_json_moment(task, task ? task->pid : 0));
	json_object_set_new(o, "comm",
			    task ? rtk_json_string(task->comm) : json_null());
	json_object_set_new(o, "irq", rtk_json_moment(out->irq >= 0, out->irq));
	json_object_set_new(o, "softirq",
			    rtk_json_moment(out->softirq >= 0, out->softirq));
	json_object_set_new(o, "nmi", rtk_json_moment(out->nmi >= 0, out->nmi));
	json_object_set_new(o, "smi", rtk_json_moment(out->smi >= 0, out->smi));
	json_object_set_new(o, "smi_span_ns",
			    rtk_json_moment(out->smi >= 0, out->smi_span_ns));
	rtk_json_items(o, &out->details);
	return o;
}

static json_t *outliers_json(const struct rtk_result *r, bool worst)
{
	const struct rtk_outlier *o;
	json_t *list = json_array();
	size_t i;

	for (i = 0; i < r->outliers.n; i++) {
		o = &r->outliers.v[i];
		if (o->worst == worst)
			json_array_append_new(list,
					      outlier_json(&r->test, o,
							   rtk_result_task(r,
									   o)));
	}
	return list;
}

static json_t *verdict_json(const struct rtk_result *r)
{
	const struct rtk_verdict *v = &r->verdict;
	json_t *o = json_object(), *list = json_array(), *reason;
	const char *status;
	size_t i;

	for (i = 0; i < v->n; i++) {
		status = rtk_verdict_name(v->v[i].status);
		reason = json_object();
		json_object_set_new(reason, "id", rtk_json_string(v->v[i].id));
		json_object_set_new(reason, "status", rtk_json_string(status));
		json_object_set_new(reason, "text",
				    rtk_json_string(v->v[i].text));
		json_array_append_new(list, reason);
	}
	json_object_set_new(o, "status",
			    rtk_json_string(rtk_verdict_name(v->status)));
	json_object_set_new(o, "reasons", list);
	list = json_array();
	for (i = 0; i < v->n_advice; i++)
		json_array_append_new(list, rtk_json_string(v->advice[i]));
	json_object_set_new(o, "advice", list);
	json_object_set_new(o, "fail_above_ns",
			    rtk_json_moment(r->fail_above_ns >= 0,
					    r->fail_above_ns));
	json_object_set_new(o, "exceeded", json_boolean(v->exceeded));
	json_object_set_new(o, "exceeded_by",
			    v->exceeded ? rtk_json_string(v->worst) :
					  json_null());
	return o;
}

static json_t *notes_json(const struct rtk_extra *e)
{
	json_t *list = json_array();
	size_t i;

	for (i = 0; i < e->notes; i++)
		json_array_append_new(list, rtk_json_string(e->note[i]));
	return list;
}

static __s64 duration_ns(const struct rtk_test *t)
{
	return t->elapsed_ns < 0 ? 0 : t->elapsed_ns;
}

/* A text file ends with a newline. Takes over @text. */
static char *with_newline(char *text)
{
	size_t len = text ? strlen(text) : 0;
	char *grown = text ? realloc(text, len + 2) : NULL;

	if (grown)
		memcpy(grown + len, "\n", 2);
	else
		free(text);
	return grown;
}

char *rtk_json_text(const struct rtk_result *r)
{
	const struct rtk_test *t = &r->test;
	json_t *o = json_object();
	char *out;

	json_object_set_new(o, "schema", json_string("rtk-result/1"));
	json_object_set_new(o, "test", rtk_json_string(t->name));
	json_object_set_new(o, "rtk_version", json_string(RTK_VERSION));
	json_object_set_new(o, "started",
			    rtk_json_time_or_null(t->started_wall_ns));
	json_object_set_new(o, "started_mono_ns",
			    rtk_json_moment(t->started_mono_ns >= 0,
					    t->started_mono_ns));
	json_object_set_new(o, "duration_ns", rtk_json_integer(duration_ns(t)));
	json_object_set_new(o, "planned_ns",
			    rtk_json_moment(t->planned_ns >= 0, t->planned_ns));
	json_object_set_new(o, "ended", rtk_json_string(t->reason));
	json_object_set_new(o, "cpus", rtk_json_string(t->cpus));
	json_object_set_new(o, "params", params_json(t));
	json_object_set_new(o, "changed_params", changed_json(t));
	json_object_set_new(o, "environment",
			    r->environment ? json_incref(r->environment) :
					     rtk_env_json(r));
	if (r->device.bdf[0])
		json_object_set_new(o, "device", rtk_device_json(&r->device));
	json_object_set_new(o, "ledger", ledger_json(r));
	json_object_set_new(o, "series", series_json(r));
	json_object_set_new(o, "counters", counters_json(r));
	json_object_set_new(o, "per_cpu", rtk_json_per_cpu(r));
	if (r->cond.is_user)
		rtk_json_user(o, r);
	json_object_set_new(o, "notes", notes_json(&r->extra));
	if (rtk_gaps_measured(r))
		json_object_set_new(o, "gaps", rtk_json_gaps(r));
	if (r->intervals.n)
		json_object_set_new(o, "intervals", rtk_json_intervals(r));
	if (r->nparts)
		json_object_set_new(o, "parts", rtk_json_parts(r));
	json_object_set_new(o, "outliers", outliers_json(r, false));
	json_object_set_new(o, "worst", outliers_json(r, true));
	json_object_set_new(o, "verdict", verdict_json(r));
	/* Setting into or of NULL does nothing: a hole shows as no text. */
	out = o ? json_dumps(o, JSON_INDENT(1) | JSON_REAL_PRECISION(12)) :
		  NULL;
	json_decref(o);
	return with_newline(out);
}

char *rtk_json_event(const struct rtk_event *e, const struct rtk_test *t,
		     __s64 wall_ns)
{
	const struct rtk_outlier *w = &e->worst;
	const char *state = rtk_state_name(e->test.state);
	json_t *o = json_object();
	char *out;

	json_object_set_new(o, "time", rtk_json_time_or_null(wall_ns));
	json_object_set_new(o, "test", rtk_json_string(e->test.name));
	json_object_set_new(o, "generation",
			    rtk_json_integer(e->test.generation));
	json_object_set_new(o, "event",
			    json_string(e->is_state ? "state" : "outliers"));
	if (e->is_state) {
		json_object_set_new(o, "state", rtk_json_string(state));
		json_object_set_new(o, "reason",
				    rtk_json_string(e->test.reason));
		if (e->test.cause)
			json_object_set_new(o, "cause",
					    rtk_json_string(e->test.cause));
		json_object_set_new(o, "cpus", rtk_json_string(e->test.cpus));
	} else {
		json_object_set_new(o, "new", rtk_json_counter(e->fresh));
		json_object_set_new(o, "lost", rtk_json_counter(e->lost));
		json_object_set_new(o, "worst",
				    e->has_worst ?
					    outlier_json(t, w,
							 w->comm[0] ? w :
								      NULL) :
					    json_null());
	}
	out = o ? json_dumps(o, JSON_COMPACT) : NULL;
	json_decref(o);
	return out;
}
