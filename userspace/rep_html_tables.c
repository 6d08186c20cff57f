// SPDX-License-Identifier: GPL-2.0
#include <string.h>

#include "rep_html.h"

static const char *const stats_head[] = { "series", "n",      "min", "mean",
					  "stddev", "p50",    "p90", "p99",
					  "p99.9",  "p99.99", "max", NULL };

static void put_percentiles(struct rtk_xml *x, const __s64 *v)
{
	size_t i;

	for (i = 0; i < RTK_STATS_PERCENTILES; i++)
		rtk_xml_leaf(x, "td", "%lld", v[i]);
}

static void put_numbers(struct rtk_xml *x, const struct rtk_summary *s)
{
	rtk_xml_leaf(x, "td", "%llu", s->count);
	if (s->count && s->m.n) {
		rtk_xml_leaf(x, "td", "%lld", s->m.min);
		rtk_xml_leaf(x, "td", "%.0f", s->mean);
		rtk_xml_leaf(x, "td", s->m.n > 1 ? "%.0f" : "-", s->stddev);
		put_percentiles(x, s->percentile);
		rtk_xml_leaf(x, "td", "%lld", s->m.max);
	}
	rtk_xml_close(x);
}

/* As if nobody had been waited for; moments of it there are none. */
static void put_corrected(struct rtk_xml *x, const struct rtk_summary *s)
{
	rtk_html_row(x, "corrected");
	rtk_xml_leaf(x, "td", "%llu", s->count + s->added);
	rtk_xml_leaf(x, "td", "-");
	rtk_xml_leaf(x, "td", "-");
	rtk_xml_leaf(x, "td", "-");
	put_percentiles(x, s->corrected);
	rtk_xml_leaf(x, "td", "%lld", s->m.max);
	rtk_xml_close(x);
}

/* One series, CPU by CPU: @all is its summary, behind those of the CPUs. */
static void put_cpus(struct rtk_xml *x, const struct rtk_result *r,
		     const struct rtk_summary *all)
{
	const char *head[RTK_ARRAY_SIZE(stats_head)];
	const struct rtk_summary *s = all;
	char caption[64];
	size_t n;

	while (s > r->sums && s[-1].series == all->series)
		s--;
	n = (size_t)(all - s);
	if (n < 2)
		return;
	memcpy(head, stats_head, sizeof(head));
	head[0] = "CPU";
	rtk_html_fold(x, n <= RTK_HTML_OPEN, "%s on each of %zu CPUs",
		      all->series->name, n);
	snprintf(caption, sizeof(caption), "%s, %s", all->series->name,
		 all->series->unit);
	rtk_html_table(x, NULL, caption, head);
	for (; s < all; s++) {
		rtk_html_row(x, "%d", s->cpu);
		put_numbers(x, s);
	}
	rtk_html_table_end(x);
	rtk_xml_close(x);
}

void rtk_html_stats(struct rtk_xml *x, const struct rtk_result *r)
{
	const struct rtk_summary *s, *end = r->sums + r->nsums;

	if (!r->nsums)
		return;
	rtk_xml_raw(x, "\n");
	rtk_xml_leaf(x, "h2", "Statistics");
	rtk_html_table(x, NULL, "All CPUs", stats_head);
	for (s = r->sums; s < end; s++) {
		if (s->cpu != RTK_CPU_ALL)
			continue;
		rtk_html_row(x, "%s, %s", s->series->name, s->series->unit);
		put_numbers(x, s);
		if (s->added && s->m.n)
			put_corrected(x, s);
	}
	rtk_html_table_end(x);
	for (s = r->sums; s < end; s++)
		if (s->cpu == RTK_CPU_ALL)
			put_cpus(x, r, s);
}

/* --- what was counted ------------------------------------------------------- */

static void put_count(struct rtk_xml *x, __s64 v)
{
	rtk_xml_leaf(x, "td", v < 0 ? "-" : "%lld", v);
}

static void put_ledger(struct rtk_xml *x, const struct rtk_summary *s)
{
	if (s->cpu == RTK_CPU_ALL)
		rtk_html_row(x, "%s, all CPUs", s->series->name);
	else
		rtk_html_row(x, "%s, CPU %d", s->series->name, s->cpu);
	rtk_xml_leaf(x, "td", "%llu", s->expected);
	rtk_xml_leaf(x, "td", "%llu", s->delivered);
	rtk_xml_leaf(x, "td", "%llu", s->late);
	rtk_xml_leaf(x, "td", "%llu", s->missed);
	rtk_xml_close(x);
}

static void put_ledgers(struct rtk_xml *x, const struct rtk_result *r)
{
	static const char *const head[] = { "series", "expected", "delivered",
					    "late",   "missed",	  NULL };
	const struct rtk_summary *s;
	size_t n = 0, left = 0;

	rtk_html_table(x, NULL,
		       "Activations, in all and where one was late or missed",
		       head);
	for (s = r->sums; s < r->sums + r->nsums; s++) {
		if (!s->ledger ||
		    (s->cpu != RTK_CPU_ALL && !s->late && !s->missed))
			continue;
		if (s->cpu == RTK_CPU_ALL || n++ < RTK_HTML_ROWS)
			put_ledger(x, s);
		else
			left++;
	}
	rtk_html_table_end(x);
	if (left) {
		rtk_html_open(x, "p", NULL);
		rtk_xml_text(x, "%zu more CPUs in the JSON document.", left);
		rtk_xml_close(x);
	}
}

static void put_counters(struct rtk_xml *x, const struct rtk_result *r)
{
	const struct rtk_summary *s = rtk_result_next_cpu(r, NULL);
	const char *head[RTK_ITEMS_MAX + 4] = { "CPU", "SMIs", "NMIs" };
	const char *source = r->test.smi_source;
	bool smis = *source && strcmp(source, "none");
	size_t i, cpus = 0;

	for (i = 0; i < s->counters.n; i++)
		head[i + 3] = s->counters.v[i].name;
	for (; s; s = rtk_result_next_cpu(r, s))
		cpus++;
	rtk_html_fold(x, cpus <= RTK_HTML_OPEN, "Counted on each of %zu CPUs",
		      cpus);
	rtk_html_table(x, NULL, "While measuring", head);
	for (s = NULL; (s = rtk_result_next_cpu(r, s));) {
		rtk_html_row(x, "%d", s->cpu);
		put_count(x, smis ? (__s64)s->smi : -1);
		put_count(x, s->nmi);
		for (i = 0; i < s->counters.n; i++)
			rtk_xml_leaf(x, "td", "%llu", s->counters.v[i].value);
		rtk_xml_close(x);
	}
	rtk_html_table_end(x);
	rtk_xml_close(x);
}

void rtk_html_ledger(struct rtk_xml *x, const struct rtk_result *r)
{
	size_t i = 0;

	if (!r->nsums)
		return;
	rtk_xml_raw(x, "\n");
	rtk_xml_leaf(x, "h2", "Counted");
	while (i < r->nsums && !r->sums[i].ledger)
		i++;
	if (i < r->nsums)
		put_ledgers(x, r);
	put_counters(x, r);
}
