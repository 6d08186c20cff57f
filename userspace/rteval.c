// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "params.h"
#include "rteval.h"
#include "spread.h"
#include "verdict.h"
#include "worst.h"

#define UNKNOWN "(unknown)"
#define NS_PER_S 1000000000LL

const char *rtk_rteval_fact(const struct rtk_rteval *t, const char *key)
{
	return rtk_result_env(t->r, key) ?: UNKNOWN;
}

const char *rtk_rteval_dmi(const struct rtk_rteval *t, const char *key)
{
	const json_t *dmi = json_object_get(t->r->environment, "dmi");

	return json_string_value(json_object_get(dmi, key)) ?: "";
}

__s64 rtk_rteval_number(const struct rtk_rteval *t, const char *key)
{
	const json_t *v = json_object_get(t->r->environment, key);

	return json_is_integer(v) ? json_integer_value(v) : -1;
}

const char *rtk_rteval_priority(const struct rtk_rteval *t)
{
	return rtk_params_value(&t->r->test, "priority") ?: "0";
}

/* Times are in us, anything else is left as it is. */
static void set_unit(struct rtk_rteval *t)
{
	const char *unit = t->all->series->unit;

	t->scale = rtk_result_us(t->r, unit);
	t->unit = t->scale > 0 ? "us" : unit;
	if (t->scale <= 0)
		t->scale = 1;
}

static void set_time(struct rtk_rteval *t)
{
	const struct rtk_test *test = &t->r->test;
	__s64 s = test->elapsed_ns < 0 ? 0 : test->elapsed_ns / NS_PER_S;
	time_t start = test->started_wall_ns / NS_PER_S;
	struct tm tm;

	if (test->started_wall_ns >= 0) {
		gmtime_r(&start, &tm);
		strftime(t->date, sizeof(t->date), "%Y-%m-%d", &tm);
		strftime(t->time, sizeof(t->time), "%H:%M:%S", &tm);
	}
	t->days = s / 86400;
	t->hours = (int)(s / 3600 % 24);
	t->minutes = (int)(s / 60 % 60);
	t->seconds = (int)(s % 60);
}

static void set_machine(struct rtk_rteval *t)
{
	static const char *const units[] = { "KB", "MB", "GB", "TB" };
	const json_t *topology = json_object_get(t->r->environment, "topology");
	const json_t *cpus;
	const char *online = rtk_result_env(t->r, "cpus_online");
	double size = (double)rtk_rteval_number(t, "memory_kib");
	struct rtk_cpuset set;
	size_t i = 0;
	int cpu = -1;

	if (online && !rtk_cpuset_parse(&set, online))
		while ((cpu = rtk_cpuset_next(&set, cpu + 1)) >= 0)
			t->online++;
	cpus = json_object_get(topology, "threads");
	t->cpus = (size_t)json_integer_value(cpus);
	if (t->cpus < t->online)
		t->cpus = t->online;
	for (; size >= 1024 && i + 1 < RTK_ARRAY_SIZE(units); i++)
		size /= 1024;
	t->memory_unit = units[i];
	if (size > 0)
		snprintf(t->memory, sizeof(t->memory), "%.3f", size);
}

/* The run's own command, with what is not its default. */
static int set_command(struct rtk_rteval *t)
{
	const struct rtk_test *test = &t->r->test;
	const struct rtk_param *p;
	const char *value;
	size_t size;
	FILE *f = open_memstream(&t->command, &size);

	if (!f)
		return -ENOMEM;
	fprintf(f, "rtk run %s", test->name);
	for (p = test->params; p < test->params + test->nparams; p++) {
		value = rtk_params_value(test, p->name);
		if (value && p->def && strcmp(value, p->def))
			fprintf(f, " %s=%s", p->name, value);
	}
	return fclose(f) ? -ENOMEM : 0;
}

static void set_remark(struct rtk_rteval *t)
{
	const struct rtk_verdict *v = &t->r->verdict;
	size_t i, len = 0, size = sizeof(t->remark);

	len += (size_t)snprintf(t->remark, size, "%s of test %s by rtk; %s",
				t->all->series->name, t->r->test.name,
				rtk_verdict_name(v->status));
	for (i = 0; i < v->n && len < size; i++)
		len += (size_t)snprintf(t->remark + len, size - len, "%s%s%s",
					i ? ", " : " (", v->v[i].id,
					i + 1 < v->n ? "" : ")");
}

int rtk_rteval_init(struct rtk_rteval *t, const struct rtk_result *r)
{
	memset(t, 0, sizeof(*t));
	t->r = r;
	t->all = rtk_worst_series(r);
	if (!t->all)
		return -ENODATA;
	for (t->core = t->all; t->core > r->sums; t->core--, t->cores++)
		if (t->core[-1].series != t->all->series)
			break;
	set_unit(t);
	set_time(t);
	set_machine(t);
	set_remark(t);
	return set_command(t);
}

void rtk_rteval_free(struct rtk_rteval *t)
{
	free(t->command);
	t->command = NULL;
}

size_t rtk_rteval_stats(const struct rtk_rteval *t, const struct rtk_summary *s,
			struct rtk_rteval_stat *v)
{
	double variance = 0, scale = t->scale, range;
	struct rtk_spread d;

	if (!s->count || !s->m.n)
		return 0;
	rtk_spread(s, &d);
	range = (double)((__int128)s->m.max - s->m.min);
	if (s->m.n > 1)
		variance = rtk_moments_variance(&s->m) * scale * scale;
	const struct rtk_rteval_stat all[RTK_RTEVAL_STATS] = {
		{ "Mean", "mean", 12, s->mean * scale },
		{ "Median", "median", 15, d.median * scale },
		{ "Mode", "mode", 15, d.mode * scale },
		{ "Range", "range", 15, range * scale },
		{ "Min", "minimum", 15, (double)s->m.min * scale },
		{ "Max", "maximum", 15, (double)s->m.max * scale },
		{ "Mean Absolute Dev", "mean_absolute_deviation", 12,
		  d.deviation * scale },
		{ "Variance", "variance", 12, variance },
		{ "Std.dev", "standard_deviation", 12, s->stddev * scale },
	};
	memcpy(v, all, sizeof(all));
	return s->m.n > 1 ? RTK_RTEVAL_STATS : RTK_RTEVAL_STATS - 2;
}
