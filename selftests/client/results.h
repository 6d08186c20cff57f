/* SPDX-License-Identifier: GPL-2.0 */
/* Results of runs that are made up, for the tests of what comes of them. */
#ifndef RESULTS_H
#define RESULTS_H

#include "json.h"
#include "load.h"
#include "outfile.h"
#include "result.h"
#include "table.h"
#include "tap.h"
#include "verdict.h"

static inline void add_series(struct rtk_test *t, const char *name,
			      bool is_signed)
{
	struct rtk_series *s = rtk_grow(&t->series, &t->nseries, sizeof(*s));

	rtk_copy(s->name, sizeof(s->name), name);
	rtk_copy(s->unit, sizeof(s->unit), "ns");
	s->is_signed = is_signed;
	s->ledger = true;
}

static inline void add_item(struct rtk_items *items, const char *name, __u64 value)
{
	rtk_copy(items->v[items->n].name, RTK_NAME_SIZE, name);
	items->v[items->n++].value = value;
}

static inline void add_param(struct rtk_test *t, const char *name, __u32 type,
			     const char *value, const char *def)
{
	struct rtk_param *p = rtk_grow(&t->params, &t->nparams, sizeof(*p));

	rtk_copy(p->name, sizeof(p->name), name);
	p->type = type;
	p->value = strdup("not the run's");
	p->run_value = strdup(value);
	p->def = strdup(def);
}

/* A lane with n samples of value v and one of twice that. */
static inline struct rtk_lane *
add_lane(struct rtk_result *r, const char *series, __u32 cpu, __u64 n, __s64 v)
{
	struct rtk_lane *l = rtk_grow(&r->lanes.v, &r->lanes.n, sizeof(*l));
	unsigned __int128 sq =
		(unsigned __int128)n * (__u64)(v * v) + (__u64)(4 * v * v);

	rtk_copy(l->series, sizeof(l->series), series);
	l->cpu = cpu;
	l->complete = true;
	l->moments = true;
	l->ledger = true;
	l->period_ns = 250000;
	l->count = n + 1;
	l->moments_count = n + 1;
	l->min = v;
	l->max = 2 * v;
	l->sum = (__s64)n * v + 2 * v;
	l->sumsq_lo = (__u64)sq;
	l->sumsq_hi = (__u64)(sq >> 64);
	l->expected = n + 4;
	l->delivered = n + 1;
	l->missed = 3;
	l->late = 1;
	l->buckets = calloc(2, sizeof(*l->buckets));
	l->nbuckets = 2;
	l->buckets[0] = (struct rtk_bucket){ rtk_hist_index((__u64)v), 0, n };
	l->buckets[1] =
		(struct rtk_bucket){ rtk_hist_index((__u64)(2 * v)), 0, 1 };
	return l;
}

static inline void set_fact(struct rtk_env *e, enum rtk_fact_id id,
			    const char *value)
{
	free(e->fact[id].value);
	free(e->fact[id].reason);
	e->fact[id].value = value ? strdup(value) : NULL;
	e->fact[id].reason = value ? NULL : strdup("made up");
}

/* A run on CPUs FIRST to LAST of a machine to which nothing can be objected. */
static inline void make_machine(struct rtk_result *r, const char *test,
				__u32 first, __u32 last)
{
	struct rtk_env_cpu *c;
	struct rtk_test *t = &r->test;
	char cpus[32];
	int i;

	rtk_result_init(r);
	snprintf(cpus, sizeof(cpus), "%u-%u", first, last);
	rtk_copy(t->name, sizeof(t->name), test);
	rtk_copy(t->version, sizeof(t->version), "0.1");
	t->state = RTK_STATE_DONE;
	t->reason = strdup("duration");
	t->cpus = strdup(cpus);
	t->lost_cpus = strdup("");
	t->started_wall_ns = 1700000000000000042LL;
	t->started_mono_ns = 123456789;
	t->elapsed_ns = 60000000000LL;
	t->planned_ns = 60000000000LL;
	for (i = 0; i < RTK_FACTS; i++)
		set_fact(&r->env, (enum rtk_fact_id)i, "fact");
	set_fact(&r->env, RTK_FACT_CPUS_ONLINE, "0-3");
	set_fact(&r->env, RTK_FACT_CPUS_ISOLATED, cpus);
	set_fact(&r->env, RTK_FACT_CLOCKSOURCE, "tsc");
	set_fact(&r->env, RTK_FACT_HYPERVISOR, "none");
	rtk_copy(r->clocksource_after, sizeof(r->clocksource_after), "tsc");
	r->env.rt = 1;
	r->env.deep_cpu = -1;
	r->env.sibling = -1;
	r->env.throttled = -1;
	r->env.load[0] = 1;
	r->env.cpu_latency_us = 2000000000;
	for (; first <= last; first++) {
		c = rtk_grow(&r->env.cpus, &r->env.ncpus, sizeof(*c));
		c->cpu = first;
		rtk_copy(c->governor, sizeof(c->governor), "performance");
	}
}

/* One of test hrtimer there, on CPUs 0 and 1. */
static inline void make(struct rtk_result *r)
{
	struct rtk_test *t = &r->test;
	__u32 cpu;

	make_machine(r, "hrtimer", 0, 1);
	add_series(t, "irq", false);
	add_series(t, "thread", false);
	add_param(t, "period_ns", RTK_PARAM_TYPE_U64, "250000", "250000");
	add_param(t, "dma_latency_us", RTK_PARAM_TYPE_S64, "0", "0");
	add_param(t, "thread", RTK_PARAM_TYPE_BOOL, "1", "1");
	add_param(t, "policy", RTK_PARAM_TYPE_ENUM, "rr", "fifo");
	add_param(t, "threshold_series", RTK_PARAM_TYPE_STRING, "", "");
	for (cpu = 0; cpu < 2; cpu++) {
		add_lane(r, "irq", cpu, 240000, 1000 + 100 * cpu);
		add_lane(r, "thread", cpu, 239990, 5000);
	}
}

static inline void judge(struct rtk_result *r)
{
	if (rtk_result_summarize(r) || rtk_verdict_judge(r))
		ok(false, "the result is judged");
}

static inline const struct rtk_summary *find(const struct rtk_result *r,
					     const char *series, int cpu)
{
	size_t i;

	for (i = 0; i < r->nsums; i++)
		if (r->sums[i].cpu == cpu &&
		    !strcmp(r->sums[i].series->name, series))
			return &r->sums[i];
	return NULL;
}

static inline void add_outlier(struct rtk_result *r, const char *series,
			       __s64 value, __s64 mono, const char *comm)
{
	struct rtk_outlier *o =
		rtk_grow(&r->outliers.v, &r->outliers.n, sizeof(*o));

	rtk_outlier_init(o);
	rtk_copy(o->series, sizeof(o->series), series);
	rtk_copy(o->comm, sizeof(o->comm), comm);
	o->cpu = 1;
	o->pid = 77;
	o->worst = true;
	o->value = value;
	o->mono_ns = mono;
	o->wall_ns = 1700000001000000007LL;
}

static inline char *print(const struct rtk_result *r, bool all, bool histogram)
{
	char *text = NULL;
	size_t size = 0;
	FILE *f = open_memstream(&text, &size);

	rtk_table_print(f, r, all);
	if (histogram)
		rtk_table_histogram(f, r, all);
	rtk_table_verdict(f, r, true);
	fclose(f);
	return text;
}

/* Read back, a document is that result: it and the table of it are the same again. */
static inline void read_again(const struct rtk_result *r, const char *text)
{
	char *table = print(r, true, true), *again;
	struct rtk_result back;

	if (rtk_load_text("a document of this test", text, &back)) {
		ok(false, "a document is read back");
		free(table);
		return;
	}
	again = rtk_json_text(&back);
	ok_str(again, text, "a document read back is the same");
	free(again);
	again = print(&back, true, true);
	ok_str(again, table, "so is its table");
	free(again);
	free(table);
	rtk_result_free(&back);
}

static inline void keep_json(const struct rtk_result *r, const char *dir,
			     const char *name, size_t i)
{
	char path[512], *text = rtk_json_text(r);

	snprintf(path, sizeof(path), "%s/result-%s-%zu.json", dir, name, i);
	if (!text || (*dir && rtk_outfile_write(path, text)))
		ok(false, "the document %s is written", path);
	else
		read_again(r, text);
	free(text);
}

#endif
