// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gaps.h"
#include "params.h"
#include "util.h"

__s64 rtk_gaps_covered(const struct rtk_summary *s)
{
	return rtk_items_value(&s->counters, "covered_ns");
}

bool rtk_gaps_measured(const struct rtk_result *r)
{
	return r->nsums && rtk_gaps_covered(&r->sums[0]) >= 0;
}

const struct rtk_summary *rtk_gaps_unbalanced(const struct rtk_result *r)
{
	const struct rtk_summary *s;
	double covered;
	size_t i;

	for (i = 0; i < r->nsums; i++) {
		s = &r->sums[i];
		covered = (double)rtk_gaps_covered(s);
		if (s->cpu != RTK_CPU_ALL && covered >= 0 && s->m.n &&
		    fabs((double)s->m.sum - covered) > covered / 100)
			return s;
	}
	return NULL;
}

static double number(const struct rtk_result *r, const char *name)
{
	const char *text = rtk_params_value(&r->test, name);

	return text ? strtod(text, NULL) : 0;
}

/* In turn each CPU has its part of the windows, the last of which may be another's. */
static __s64 wanted_of(const struct rtk_result *r, const struct rtk_summary *s)
{
	const char *mode = rtk_params_value(&r->test, "mode");
	double window = number(r, "window_us"), width = number(r, "width_us");
	double wall = (double)rtk_items_value(&s->counters, "wall_ns");
	size_t i, cpus = 0;

	if (!mode || window <= 0)
		return 0;
	for (i = 0; i < r->nsums; i++)
		cpus += r->sums[i].cpu != RTK_CPU_ALL;
	if (!strcmp(mode, "roundrobin"))
		return (__s64)(wall * width / window / (double)cpus -
			       width * 1e3);
	return (__s64)(wall * width / window);
}

const struct rtk_summary *rtk_gaps_thin(const struct rtk_result *r,
					__s64 *asked)
{
	const struct rtk_summary *s, *thin = NULL;
	__s64 covered, wanted;
	size_t i;

	for (i = 0; i < r->nsums; i++) {
		s = &r->sums[i];
		covered = rtk_gaps_covered(s);
		wanted = wanted_of(r, s);
		if (s->cpu == RTK_CPU_ALL || !s->count || covered < 0 ||
		    (double)covered >= 0.98 * (double)wanted ||
		    (thin && covered >= rtk_gaps_covered(thin)))
			continue;
		thin = s;
		*asked = wanted;
	}
	return thin;
}

static int by_cpu(const void *a, const void *b)
{
	const struct rtk_gap *x = a, *y = b;

	if (x->o->cpu != y->o->cpu)
		return x->o->cpu < y->o->cpu ? -1 : 1;
	if (x->o->mono_ns != y->o->mono_ns)
		return x->o->mono_ns < y->o->mono_ns ? -1 : 1;
	return x->o->worst - y->o->worst;
}

static int by_begin(const void *a, const void *b)
{
	const struct rtk_gap *x = a, *y = b;

	return x->begin < y->begin ? -1 : x->begin > y->begin;
}

static int by_end(const void *a, const void *b)
{
	const struct rtk_gap *x = a, *y = b;

	if (x->end != y->end)
		return x->end < y->end ? -1 : 1;
	return x->o->cpu < y->o->cpu ? -1 : x->o->cpu > y->o->cpu;
}

static int add(struct rtk_gaps *g, const struct rtk_outlier *o)
{
	struct rtk_gap *gap = rtk_grow(&g->v, &g->n, sizeof(*gap));

	if (!gap)
		return -ENOMEM;
	gap->o = o;
	gap->inner_ns = rtk_items_value(&o->details, "inner_ns");
	gap->outer_ns = rtk_items_value(&o->details, "outer_ns");
	/* The record's time is that of the pair, of which outer comes first. */
	gap->end = o->mono_ns;
	if (o->value == gap->outer_ns && o->value != gap->inner_ns)
		gap->end -= gap->inner_ns;
	gap->begin = gap->end - o->value;
	gap->wall_ns = o->wall_ns < 0 ? -1 :
					o->wall_ns - (o->mono_ns - gap->end);
	g->kept += !o->worst;
	gap->smi = o->smi;
	gap->nmi = o->nmi;
	return 0;
}

static __s64 larger(__s64 a, __s64 b)
{
	return a > b ? a : b;
}

static void merge(struct rtk_gap *into, const struct rtk_gap *from)
{
	if (from->o->value > into->o->value) {
		into->o = from->o;
		into->begin = from->begin;
		into->end = from->end;
		into->wall_ns = from->wall_ns;
	}
	into->smi = larger(into->smi, from->smi);
	into->nmi = larger(into->nmi, from->nmi);
}

/*
 * Both gaps of a pair may be above the threshold, and one of the worst may be
 * in the ring, too: records of the same CPU and time are one.
 */
static void merge_all(struct rtk_gaps *g)
{
	size_t i, n = 0;

	if (!g->n)
		return;
	qsort(g->v, g->n, sizeof(*g->v), by_cpu);
	for (i = 1; i < g->n; i++) {
		if (g->v[i].o->cpu != g->v[n].o->cpu ||
		    g->v[i].o->mono_ns != g->v[n].o->mono_ns) {
			g->v[++n] = g->v[i];
			continue;
		}
		merge(&g->v[n], &g->v[i]);
	}
	g->n = n + 1;
}

static void compare(struct rtk_gap *gap, const struct rtk_gap *other,
		    struct rtk_cpuset *cpus)
{
	__s64 watching = rtk_items_value(&other->o->details, "watching");

	if (other->end < gap->begin || other->begin > gap->end ||
	    rtk_cpuset_has(cpus, other->o->cpu))
		return;
	rtk_cpuset_add(cpus, other->o->cpu);
	gap->seen++;
	if (watching > gap->watching)
		gap->watching = (__u32)watching;
}

/* Who was away at the same time: the neighbours, by begin, up to where none can be. */
static void see(struct rtk_gaps *g, const __s64 *reach, size_t i)
{
	struct rtk_gap *gap = &g->v[i];
	struct rtk_cpuset cpus = { 0 };
	size_t k;

	for (k = i; k < g->n && g->v[k].begin <= gap->end; k++)
		compare(gap, &g->v[k], &cpus);
	for (k = i; k-- && reach[k] >= gap->begin;)
		compare(gap, &g->v[k], &cpus);
	/* Who had left its burst by the time of its record has seen it nevertheless. */
	if (gap->watching < gap->seen)
		gap->watching = gap->seen;
}

static int see_all(struct rtk_gaps *g)
{
	__s64 *reach = calloc(g->n ? g->n : 1, sizeof(*reach));
	size_t i;

	if (!reach)
		return -ENOMEM;
	if (g->n)
		qsort(g->v, g->n, sizeof(*g->v), by_begin);
	/* The latest end up to each. */
	for (i = 0; i < g->n; i++)
		reach[i] = i ? larger(reach[i - 1], g->v[i].end) : g->v[i].end;
	for (i = 0; i < g->n; i++)
		see(g, reach, i);
	free(reach);
	return 0;
}

static __s64 threshold(const struct rtk_result *r)
{
	const char *text = rtk_params_value(&r->test, "threshold_ns");
	__s64 ns = text ? strtoll(text, NULL, 10) : 0;

	return ns > 0 ? ns : 0;
}

int rtk_gaps_collect(const struct rtk_result *r, struct rtk_gaps *g)
{
	const char *clock = rtk_params_value(&r->test, "clock");
	size_t i;
	int err = 0;

	memset(g, 0, sizeof(*g));
	g->threshold_ns = threshold(r);
	g->smis_known = !strcmp(r->test.smi_source, "msr");
	for (i = 0; i < r->nsums; i++)
		if (r->sums[i].cpu == RTK_CPU_ALL)
			g->above += r->sums[i].outliers;
	for (i = 0; !err && i < r->outliers.n; i++)
		if (g->threshold_ns && r->outliers.v[i].value > g->threshold_ns)
			err = add(g, &r->outliers.v[i]);
	if (err)
		goto out;
	merge_all(g);
	/* While it runs the records are of a later time than the counts. */
	if (g->above < g->kept)
		g->above = g->kept;
	for (i = 0; i < g->n; i++)
		g->unexplained += g->smis_known && !g->v[i].smi &&
				  g->v[i].nmi <= 0;
	/* Other clocks are not the same on all CPUs to the last ns. */
	if (clock && !strcmp(clock, "tsc"))
		err = see_all(g);
	if (g->n)
		qsort(g->v, g->n, sizeof(*g->v), by_end);
out:
	if (err)
		rtk_gaps_free(g);
	return err;
}

void rtk_gaps_free(struct rtk_gaps *g)
{
	free(g->v);
	memset(g, 0, sizeof(*g));
}
