// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gaps.h"
#include "grid.h"
#include "json.h"
#include "mmio.h"
#include "params.h"
#include "table.h"
#include "table_user.h"
#include "units.h"
#include "util.h"
#include "verdict.h"
#include "worst.h"

/* Above this many CPUs only the worst are shown, unless all are asked for. */
#define MANY_CPUS 64
#define WORST_CPUS 16

static void put_cpu(struct rtk_grid *g, const struct rtk_summary *s)
{
	if (s->cpu == RTK_CPU_ALL)
		rtk_grid_put(g, "all");
	else
		rtk_grid_put(g, "%d", s->cpu);
}

static void put_stats(struct rtk_grid *g, const struct rtk_summary *s)
{
	size_t i;

	put_cpu(g, s);
	rtk_grid_put(g, "%llu", s->count);
	if (!s->count || !s->m.n) {
		for (i = 0; i < 4 + RTK_STATS_PERCENTILES; i++)
			rtk_grid_put(g, "-");
		return;
	}
	rtk_grid_put(g, "%lld", s->m.min);
	rtk_grid_put(g, "%.0f", s->mean);
	if (s->m.n > 1)
		rtk_grid_put(g, "%.0f", s->stddev);
	else
		rtk_grid_put(g, "-");
	for (i = 0; i < RTK_STATS_PERCENTILES; i++)
		rtk_grid_put(g, "%lld", s->percentile[i]);
	rtk_grid_put(g, "%lld", s->m.max);
}

/* As if nobody had been waited for; moments of it there are none. */
static void put_corrected(struct rtk_grid *g, const struct rtk_summary *s)
{
	size_t i;

	rtk_grid_put(g, "corrected");
	rtk_grid_put(g, "%llu", s->count + s->added);
	for (i = 0; i < 3; i++)
		rtk_grid_put(g, "-");
	for (i = 0; i < RTK_STATS_PERCENTILES; i++)
		rtk_grid_put(g, "%lld", s->corrected[i]);
	rtk_grid_put(g, "%lld", s->m.max);
}

/* The summaries of one series stand together: CPUs, then all. */
static size_t series_end(const struct rtk_result *r, size_t from)
{
	size_t i = from;

	while (r->sums[i].cpu != RTK_CPU_ALL)
		i++;
	return i;
}

static int worse(const void *a, const void *b)
{
	const struct rtk_summary *x = *(const struct rtk_summary *const *)a;
	const struct rtk_summary *y = *(const struct rtk_summary *const *)b;
	__s64 vx = x->m.n ? x->m.max : INT64_MIN;
	__s64 vy = y->m.n ? y->m.max : INT64_MIN;

	if (vx != vy)
		return vx < vy ? 1 : -1;
	return x->cpu - y->cpu;
}

/* The lines of one series: its CPUs, or the worst of many; then all. */
static const struct rtk_summary **pick(const struct rtk_result *r, size_t from,
				       size_t end, bool all_cpus, size_t *n)
{
	const struct rtk_summary **list;
	size_t i;

	*n = end - from;
	list = calloc(*n + 1, sizeof(*list));
	if (!list)
		return NULL;
	for (i = 0; i < *n; i++)
		list[i] = &r->sums[from + i];
	if (*n > MANY_CPUS && !all_cpus) {
		qsort(list, *n, sizeof(*list), worse);
		*n = WORST_CPUS;
	}
	list[(*n)++] = &r->sums[end];
	return list;
}

/* What the largest value says of those that were not seen. */
static void print_bound(FILE *out, const struct rtk_summary *s)
{
	if (s->m.n)
		fprintf(out,
			"no sample above %lld %s in %llu: p < %.2g at 95 %%\n",
			s->m.max, s->series->unit, s->count,
			rtk_stats_bound(s->count));
}

static int print_series(FILE *out, const struct rtk_result *r, size_t from,
			size_t end, bool all_cpus)
{
	struct rtk_grid g = { .cols = 6 + RTK_STATS_PERCENTILES };
	const struct rtk_series *series = r->sums[from].series;
	const struct rtk_summary **list;
	size_t n, i;

	list = pick(r, from, end, all_cpus, &n);
	if (!list)
		return -ENOMEM;
	if (n - 1 < end - from)
		fprintf(out,
			"\n%s, the %d worst of %zu CPUs (all of them: --all-cpus), in %s:\n",
			series->name, WORST_CPUS, end - from, series->unit);
	else
		fprintf(out, "\n%s, in %s:\n", series->name, series->unit);
	rtk_grid_put(&g, "CPU");
	rtk_grid_put(&g, "n");
	rtk_grid_put(&g, "min");
	rtk_grid_put(&g, "mean");
	rtk_grid_put(&g, "stddev");
	for (i = 0; i < RTK_STATS_PERCENTILES; i++)
		rtk_grid_put(&g, "p%s", rtk_stats_percentiles[i].name);
	rtk_grid_put(&g, "max");
	for (i = 0; i < n; i++) {
		put_stats(&g, list[i]);
		if (list[i]->added && list[i]->m.n)
			put_corrected(&g, list[i]);
	}
	free(list);
	if (rtk_grid_end(out, &g))
		return -ENOMEM;
	print_bound(out, &r->sums[end]);
	return 0;
}

static void put_ledger(struct rtk_grid *g, const struct rtk_summary *s)
{
	put_cpu(g, s);
	rtk_grid_put(g, "%s", s->series->name);
	rtk_grid_put(g, "%llu", s->expected);
	rtk_grid_put(g, "%llu", s->delivered);
	rtk_grid_put(g, "%llu", s->late);
	rtk_grid_put(g, "%llu", s->missed);
	rtk_grid_put(g, "%llu", s->added);
}

/* Of many CPUs only those on which something was late or missed. */
static void put_series_ledger(struct rtk_grid *g, const struct rtk_result *r,
			      size_t from, bool all_cpus)
{
	size_t end = series_end(r, from), i;
	const struct rtk_summary *s;

	all_cpus |= end - from <= MANY_CPUS;
	for (i = from; i <= end; i++) {
		s = &r->sums[i];
		if (s->ledger &&
		    (all_cpus || s->cpu == RTK_CPU_ALL || s->missed || s->late))
			put_ledger(g, s);
	}
}

static int print_ledger(FILE *out, const struct rtk_result *r, bool all_cpus)
{
	struct rtk_grid g = { .cols = 7 };
	size_t from;

	rtk_grid_put(&g, "CPU");
	rtk_grid_put(&g, "series");
	rtk_grid_put(&g, "expected");
	rtk_grid_put(&g, "delivered");
	rtk_grid_put(&g, "late");
	rtk_grid_put(&g, "missed");
	rtk_grid_put(&g, "added");
	for (from = 0; from < r->nsums; from = series_end(r, from) + 1)
		put_series_ledger(&g, r, from, all_cpus);
	if (g.cells > g.cols)
		fputs("\nactivations:\n", out);
	else
		g.cells = 0;
	return rtk_grid_end(out, &g);
}

static void put_coverage(struct rtk_grid *g, const struct rtk_summary *s)
{
	__s64 covered = rtk_gaps_covered(s);
	__s64 wall = rtk_items_value(&s->counters, "wall_ns");

	put_cpu(g, s);
	rtk_grid_put(g, "%llu", s->count);
	rtk_grid_put(g, "%.3f", (double)covered / 1e9);
	if (wall > 0)
		rtk_grid_put(g, "%.2f", (double)covered * 100 / (double)wall);
	else
		rtk_grid_put(g, "-");
	rtk_grid_put(g, "%llu", s->outliers);
	rtk_grid_put(g, "%u", s->smi);
	if (s->nmi >= 0)
		rtk_grid_put(g, "%lld", s->nmi);
	else
		rtk_grid_put(g, "-");
}

/* How much of the time a clock was read, and what the CPUs counted meanwhile. */
static int print_coverage(FILE *out, const struct rtk_result *r, bool all_cpus)
{
	static const char *const head[] = { "CPU", "samples", "covered s",
					    "%",   "above",   "SMIs",
					    "NMIs" };
	struct rtk_grid g = { .cols = RTK_ARRAY_SIZE(head) };
	const char *source = r->test.smi_source;
	const struct rtk_summary **list;
	size_t n, i;

	list = pick(r, 0, series_end(r, 0), all_cpus, &n);
	if (!list)
		return -ENOMEM;
	fprintf(out, "\ncovered, of the time that passed (SMIs by: %s):\n",
		*source ? source : "?");
	for (i = 0; i < g.cols; i++)
		rtk_grid_put(&g, "%s", head[i]);
	for (i = 0; i < n; i++)
		put_coverage(&g, list[i]);
	free(list);
	return rtk_grid_end(out, &g);
}

/* Parameters that differ from their defaults, in lines of 100 columns. */
static void print_params(FILE *out, const struct rtk_test *t)
{
	const char *value;
	size_t i, len, col = 0;

	for (i = 0; i < t->nparams; i++) {
		value = rtk_params_value(t, t->params[i].name);
		if (!value || !t->params[i].def ||
		    !strcmp(value, t->params[i].def))
			continue;
		len = strlen(t->params[i].name) + strlen(value) + 2;
		if (!col)
			col = (size_t)fprintf(out, "parameters:");
		else if (col + len > 100)
			col = (size_t)fprintf(out, "\n           ") - 1;
		col += (size_t)fprintf(out, " %s=%s", t->params[i].name, value);
	}
	if (col)
		fputs("; the others have their defaults\n", out);
}

/* What each CPU counted besides. Of gaps the coverage is made of it. */
static int print_counters(FILE *out, const struct rtk_result *r)
{
	const struct rtk_summary *s = rtk_result_next_cpu(r, NULL);
	struct rtk_grid g = { 0 };
	size_t k;
	int err;

	if (!s || !s->counters.n || rtk_gaps_measured(r))
		return 0;
	fputs("\nwhile measuring:\n", out);
	g.cols = s->counters.n + 1;
	rtk_grid_put(&g, "CPU");
	for (k = 0; k < s->counters.n; k++)
		rtk_grid_put(&g, "%s", s->counters.v[k].name);
	for (; s; s = rtk_result_next_cpu(r, s)) {
		rtk_grid_put(&g, "%d", s->cpu);
		for (k = 0; k < s->counters.n; k++)
			rtk_grid_put(&g, "%llu", s->counters.v[k].value);
	}
	err = rtk_grid_end(out, &g);
	rtk_mmio_explain(out, r);
	return err;
}

void rtk_table_warn(FILE *out, const struct rtk_env *e)
{
	if (e->emulated)
		fputs("every number below is emulated, not a latency measurement\n",
		      out);
}

static void print_head(FILE *out, const struct rtk_result *r)
{
	const struct rtk_test *t = &r->test;
	const struct rtk_env *e = &r->env;
	static const char *const kinds[] = { "RT unknown", "not RT",
					     "PREEMPT_RT" };
	const char *release = e->fact[RTK_FACT_KERNEL_RELEASE].value;
	char when[64] = "", span[32];

	rtk_table_warn(out, e);
	if (t->started_wall_ns >= 0)
		rtk_json_time(when, sizeof(when), t->started_wall_ns);
	/* Down to the second is enough for people. */
	if (strlen(when) > 20)
		rtk_copy(when + 19, 2, "Z");
	fprintf(out, "%s: %s on CPUs %s from %s\n", t->name,
		rtk_units_print(span, sizeof(span),
				t->elapsed_ns < 0 ? 0 : t->elapsed_ns),
		t->cpus ? t->cpus : "?", *when ? when : "?");
	fprintf(out, "kernel %s, %s, clock %s, hypervisor %s\n",
		release ? release : "?", kinds[e->rt + 1],
		e->fact[RTK_FACT_CLOCKSOURCE].value ?: "?",
		e->fact[RTK_FACT_HYPERVISOR].value ?: "?");
	if (r->device.bdf[0])
		rtk_device_print(out, &r->device);
	print_params(out, t);
}

static void print_notes(FILE *out, const struct rtk_extra *e)
{
	size_t i;

	if (e->notes)
		fputc('\n', out);
	for (i = 0; i < e->notes; i++)
		fprintf(out, "note: %s\n", e->note[i]);
}

int rtk_table_print(FILE *out, const struct rtk_result *r, bool all_cpus)
{
	size_t from, end;
	int err;

	print_head(out, r);
	for (from = 0; from < r->nsums; from = end + 1) {
		end = series_end(r, from);
		err = print_series(out, r, from, end, all_cpus);
		if (err)
			return err;
	}
	err = print_ledger(out, r, all_cpus);
	if (!err && rtk_gaps_measured(r))
		err = print_coverage(out, r, all_cpus);
	if (!err && rtk_gaps_measured(r))
		err = rtk_gaps_print(out, r);
	if (!err && r->cond.is_user)
		err = rtk_table_user(out, r);
	if (!err)
		err = print_counters(out, r);
	if (err)
		return err;
	print_notes(out, &r->extra);
	rtk_worst_print(out, r);
	return 0;
}

void rtk_table_histogram(FILE *out, const struct rtk_result *r, bool all_cpus)
{
	const struct rtk_summary *s;
	const char *gap = "";
	size_t i, k;

	fputc('\n', out);
	for (i = 0; i < r->nsums; i++) {
		s = &r->sums[i];
		if (s->cpu != RTK_CPU_ALL && !all_cpus)
			continue;
		fputs(gap, out);
		gap = "\n\n";
		if (s->cpu == RTK_CPU_ALL)
			fprintf(out, "# cpu=all series=%s\n", s->series->name);
		else
			fprintf(out, "# cpu=%d series=%s\n", s->cpu,
				s->series->name);
		for (k = 0; k < s->nrows; k++)
			fprintf(out, "%lld %lld %llu\n", s->rows[k].low,
				s->rows[k].high, s->rows[k].count);
	}
}

void rtk_table_verdict(FILE *out, const struct rtk_result *r, bool reasons)
{
	const struct rtk_verdict *v = &r->verdict;
	char limit[32];
	size_t i;

	if (reasons)
		fputc('\n', out);
	for (i = 0; reasons && i < v->n; i++)
		fprintf(out, "%s %s: %s\n",
			v->v[i].status == RTK_INVALID ? "INVALID " : "DEGRADED",
			v->v[i].id, v->v[i].text);
	for (i = 0; reasons && i < v->n_advice; i++)
		fprintf(out, "advice: %s\n", v->advice[i]);
	fprintf(out, "verdict: %s", rtk_verdict_name(v->status));
	for (i = 0; !reasons && i < v->n; i++)
		fprintf(out, "%s%s", i ? ", " : " (", v->v[i].id);
	if (!reasons && v->n)
		fputc(')', out);
	if (v->exceeded && r->fail_above_ns >= 0)
		fprintf(out, "; FAILED: above %s: %s",
			rtk_units_print(limit, sizeof(limit), r->fail_above_ns),
			v->worst);
	else if (v->exceeded)
		fprintf(out, "; FAILED: above the threshold: %s", v->worst);
	else if (r->fail_above_ns >= 0)
		fprintf(out, "; passed: nothing above %s",
			rtk_units_print(limit, sizeof(limit),
					r->fail_above_ns));
	fputc('\n', out);
}
