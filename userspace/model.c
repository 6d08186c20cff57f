// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "model.h"
#include "util.h"

void rtk_test_init(struct rtk_test *t)
{
	memset(t, 0, sizeof(*t));
	t->started_wall_ns = -1;
	t->started_mono_ns = -1;
	t->ended_mono_ns = -1;
	t->elapsed_ns = -1;
	t->planned_ns = -1;
}

void rtk_test_free(struct rtk_test *t)
{
	size_t i;

	for (i = 0; i < t->nparams; i++) {
		free(t->params[i].value);
		free(t->params[i].run_value);
		free(t->params[i].def);
		free(t->params[i].choices);
		free(t->params[i].help);
	}
	free(t->params);
	free(t->series);
	free(t->summary);
	free(t->reason);
	free(t->cause);
	free(t->last_error);
	free(t->cpus);
	free(t->lost_cpus);
	free(t->shared_with);
	rtk_test_init(t);
}

void rtk_tests_free(struct rtk_tests *t)
{
	size_t i;

	for (i = 0; i < t->n; i++)
		rtk_test_free(&t->v[i]);
	free(t->v);
	memset(t, 0, sizeof(*t));
}

void rtk_lanes_free(struct rtk_lanes *l)
{
	size_t i;

	for (i = 0; i < l->n; i++)
		free(l->v[i].buckets);
	free(l->v);
	memset(l, 0, sizeof(*l));
}

struct rtk_lane *rtk_lanes_find(const struct rtk_lanes *l, size_t at,
				const char *series, __s64 cpu)
{
	struct rtk_lane *lane;
	size_t i;

	for (i = 0; i < l->n; i++) {
		lane = &l->v[(at + i) % l->n];
		if (lane->cpu == cpu &&
		    (!series || !strcmp(lane->series, series)))
			return lane;
	}
	return NULL;
}

int rtk_lanes_add(struct rtk_lanes *l, const struct rtk_lane *from)
{
	size_t size = from->nbuckets * sizeof(*from->buckets);
	struct rtk_lane *lane = rtk_grow(&l->v, &l->n, sizeof(*lane));

	if (!lane)
		return -ENOMEM;
	*lane = *from;
	/* One place more, since there may be none. */
	lane->buckets = malloc(size + sizeof(*lane->buckets));
	if (!lane->buckets) {
		lane->nbuckets = 0;
		return -ENOMEM;
	}
	if (size)
		memcpy(lane->buckets, from->buckets, size);
	return 0;
}

void rtk_outliers_free(struct rtk_outliers *o)
{
	free(o->v);
	memset(o, 0, sizeof(*o));
}

void rtk_outlier_init(struct rtk_outlier *o)
{
	memset(o, 0, sizeof(*o));
	o->wall_ns = -1;
	o->mono_ns = -1;
	o->irq = -1;
	o->softirq = -1;
	o->nmi = -1;
	o->smi = -1;
}

__s64 rtk_items_value(const struct rtk_items *items, const char *name)
{
	size_t i;

	for (i = 0; i < items->n; i++)
		if (!strcmp(items->v[i].name, name))
			return (__s64)items->v[i].value;
	return -1;
}

void rtk_kvs_free(struct rtk_kvs *s)
{
	size_t i;

	for (i = 0; i < s->n; i++)
		free(s->v[i].value);
	free(s->v);
	memset(s, 0, sizeof(*s));
}

void rtk_event_init(struct rtk_event *e)
{
	memset(e, 0, sizeof(*e));
	rtk_test_init(&e->test);
	rtk_outlier_init(&e->worst);
}

void rtk_event_free(struct rtk_event *e)
{
	rtk_test_free(&e->test);
	rtk_event_init(e);
}

struct rtk_test *rtk_tests_find(const struct rtk_tests *tests, const char *name)
{
	size_t i;

	for (i = 0; i < tests->n; i++)
		if (!strcmp(tests->v[i].name, name))
			return &tests->v[i];
	return NULL;
}

struct rtk_param *rtk_test_param(const struct rtk_test *t, const char *name)
{
	size_t i;

	for (i = 0; i < t->nparams; i++)
		if (!strcmp(t->params[i].name, name))
			return &t->params[i];
	return NULL;
}

struct rtk_series *rtk_test_series(const struct rtk_test *t, const char *name)
{
	size_t i;

	for (i = 0; i < t->nseries; i++)
		if (!strcmp(t->series[i].name, name))
			return &t->series[i];
	return NULL;
}

const char *rtk_state_name(__u32 state)
{
	static const char *const names[] = {
		[RTK_STATE_IDLE] = "idle",
		[RTK_STATE_RUNNING] = "running",
		[RTK_STATE_STOPPING] = "stopping",
		[RTK_STATE_DONE] = "done",
		[RTK_STATE_FAILED] = "failed",
	};

	return state < RTK_ARRAY_SIZE(names) ? names[state] : "unknown";
}
