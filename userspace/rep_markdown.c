// SPDX-License-Identifier: GPL-2.0
/* Markdown with tables, as forges and wikis render it. */
#include <string.h>

#include "rep.h"
#include "units.h"
#include "verdict.h"

/* Of more CPUs than these only the sum is shown. */
#define MANY_CPUS 64

/* Any text as text: no markup, no markup of HTML, no end of a table's cell. */
static void put(FILE *out, const char *text)
{
	for (; *text; text++) {
		if ((unsigned char)*text < ' ') {
			fputc(' ', out);
			continue;
		}
		if (strchr("\\`*_{}[]<>#|~", *text))
			fputc('\\', out);
		fputc(*text, out);
	}
}

static void print_fact(void *arg, const char *key, const char *text, bool known)
{
	fputs("| ", arg);
	put(arg, key);
	fputs(known ? " | " : " | not known: ", arg);
	put(arg, text);
	fputs(" |\n", arg);
}

static void print_stats(FILE *out, const struct rtk_summary *s)
{
	char cpu[16];
	size_t i;

	fprintf(out, "| %s | %llu |", rtk_rep_cpu(s, cpu, sizeof(cpu)),
		s->count);
	if (!s->m.n) {
		for (i = 0; i < RTK_STATS_PERCENTILES + 4; i++)
			fputs(" - |", out);
	} else {
		fprintf(out, " %lld | %.0f |", s->m.min, s->mean);
		for (i = 0; i < RTK_STATS_PERCENTILES; i++)
			fprintf(out, " %lld |", s->percentile[i]);
		fprintf(out, " **%lld** | %.2g |", s->m.max,
			rtk_stats_bound(s->count));
	}
	fputc('\n', out);
}

/* The summaries of one series stand together, that of all CPUs last. */
static const struct rtk_summary *print_series(FILE *out,
					      const struct rtk_summary *s)
{
	const struct rtk_summary *all = s;
	size_t i;

	while (all->cpu != RTK_CPU_ALL)
		all++;
	fprintf(out, "\n### %s, in %s\n\n| CPU | samples | min | mean |",
		s->series->name, s->series->unit);
	for (i = 0; i < RTK_STATS_PERCENTILES; i++)
		fprintf(out, " p%s |", rtk_stats_percentiles[i].name);
	fputs(" max | p above max < |\n|", out);
	for (i = 0; i < RTK_STATS_PERCENTILES + 6; i++)
		fputs("--:|", out);
	fputc('\n', out);
	if (all - s > MANY_CPUS)
		s = all;
	for (; s <= all; s++)
		print_stats(out, s);
	return s;
}

static void print_ledger(FILE *out, const struct rtk_result *r)
{
	const struct rtk_summary *s;
	bool head = false;

	for (s = r->sums; s < r->sums + r->nsums; s++) {
		if (s->cpu != RTK_CPU_ALL || !s->ledger)
			continue;
		if (!head)
			fputs("\n### activations\n\n| series | expected | delivered | late | missed |\n|---|--:|--:|--:|--:|\n",
			      out);
		head = true;
		fprintf(out, "| %s | %llu | %llu | %llu | %llu |\n",
			s->series->name, s->expected, s->delivered, s->late,
			s->missed);
	}
}

static void print_verdict(FILE *out, const struct rtk_result *r)
{
	const struct rtk_verdict *v = &r->verdict;
	char limit[32];
	size_t i;

	fprintf(out, "**%s**", rtk_verdict_name(v->status));
	if (v->exceeded) {
		fputs(", **FAILED**: ", out);
		put(out, v->worst);
	} else if (r->fail_above_ns >= 0) {
		fprintf(out, ", passed: nothing above %s",
			rtk_units_print(limit, sizeof(limit),
					r->fail_above_ns));
	}
	fputs(v->n ? "\n\n" : "\n", out);
	for (i = 0; i < v->n; i++) {
		fprintf(out, "- %s %s: ", rtk_verdict_name(v->v[i].status),
			v->v[i].id);
		put(out, v->v[i].text);
		fputc('\n', out);
	}
}

static int print_result(FILE *out, const struct rtk_result *r, const char *file)
{
	const struct rtk_summary *s = r->sums;
	char span[32];
	int err;

	fprintf(out, "## %s: %s on CPUs %s\n\n", r->test.name,
		rtk_units_print(span, sizeof(span),
				r->test.elapsed_ns < 0 ? 0 :
							 r->test.elapsed_ns),
		*r->test.cpus ? r->test.cpus : "?");
	put(out, file);
	fputs("\n\n", out);
	print_verdict(out, r);
	while (s < r->sums + r->nsums)
		s = print_series(out, s);
	print_ledger(out, r);
	fputs("\n<details><summary>machine</summary>\n\n| fact | value |\n|---|---|\n",
	      out);
	err = rtk_rep_facts(r, print_fact, out);
	fputs("\n</details>\n", out);
	return err;
}

int rtk_rep_markdown(FILE *out, const struct rtk_rep *rep)
{
	size_t i;
	int err = 0;

	for (i = 0; !err && i < rep->n; i++) {
		if (i)
			fputc('\n', out);
		err = print_result(out, &rep->v[i], rep->file[i]);
	}
	return err;
}
