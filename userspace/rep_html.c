// SPDX-License-Identifier: GPL-2.0
#include <jansson.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <linux/rtk_version.h>

#include "json.h"
#include "rep_html.h"
#include "units.h"
#include "verdict.h"
#include "worst.h"

static const char *start_text(const struct rtk_result *r, char *buf,
			      size_t size)
{
	if (r->test.started_wall_ns < 0)
		return "?";
	rtk_json_time(buf, size, r->test.started_wall_ns);
	/* Down to the second is enough for people. */
	buf[strcspn(buf, ".")] = '\0';
	buf[strcspn(buf, "T")] = ' ';
	return buf;
}

static const char *span_text(const struct rtk_result *r, char *buf, size_t size)
{
	return rtk_units_print(buf, size,
			       r->test.elapsed_ns < 0 ? 0 : r->test.elapsed_ns);
}

static const char *rt_text(const struct rtk_result *r)
{
	static const char *const kinds[] = { "RT unknown", "not RT",
					     "PREEMPT_RT" };

	return kinds[r->env.rt + 1];
}

static void put_title(struct rtk_xml *x, const struct rtk_result *r,
		      const char *file)
{
	char when[64], span[32];

	rtk_html_open(x, "h1", NULL);
	rtk_xml_text(x, "%s on CPUs %s", r->test.name, r->test.cpus ?: "?");
	rtk_xml_close(x);
	rtk_html_open(x, "p", NULL);
	rtk_xml_text(x, "%s from %s UTC, kernel %s (%s), %s, clock %s; %s",
		     span_text(r, span, sizeof(span)),
		     start_text(r, when, sizeof(when)),
		     rtk_result_env(r, "kernel_release") ?: "?", rt_text(r),
		     rtk_result_env(r, "cpu_model") ?: "processor not known",
		     rtk_result_env(r, "clocksource") ?: "?", file);
	rtk_xml_close(x);
}

static void put_limit(struct rtk_xml *x, const struct rtk_result *r)
{
	const struct rtk_verdict *v = &r->verdict;
	char limit[32] = "the threshold";

	if (r->fail_above_ns >= 0)
		rtk_units_print(limit, sizeof(limit), r->fail_above_ns);
	else if (!v->exceeded)
		return;
	rtk_html_open(x, "p", NULL);
	if (v->exceeded)
		rtk_xml_text(x, "FAILED: above %s: %s", limit, v->worst);
	else
		rtk_xml_text(x, "Passed: nothing above %s", limit);
	rtk_xml_close(x);
}

static void put_advice(struct rtk_xml *x, const struct rtk_result *r)
{
	const json_t *verdict = json_object_get(r->document, "verdict"), *line;
	size_t i;

	json_array_foreach(json_object_get(verdict, "advice"), i, line) {
		rtk_html_open(x, "p", "advice");
		rtk_xml_leaf(x, "b", "Advice: ");
		rtk_xml_text(x, "%s", json_string_value(line) ?: "");
		rtk_xml_close(x);
	}
}

static void put_verdict(struct rtk_xml *x, const struct rtk_result *r)
{
	const struct rtk_verdict *v = &r->verdict;
	const char *word = rtk_verdict_name(v->status);
	char class[64];
	size_t i;

	snprintf(class, sizeof(class), "verdict %s",
		 v->exceeded ? "exceeded" : word);
	rtk_html_open(x, "section", class);
	rtk_xml_attr(x, "aria-label", "Verdict");
	rtk_html_open(x, "p", "word");
	rtk_xml_text(x, "%s%s", word, v->exceeded ? ", limit exceeded" : "");
	rtk_xml_close(x);
	put_limit(x, r);
	if (v->n)
		rtk_html_open(x, "ul", NULL);
	for (i = 0; i < v->n; i++) {
		rtk_html_open(x, "li", NULL);
		rtk_xml_leaf(x, "b",
			     "%s %s: ", rtk_verdict_name(v->v[i].status),
			     v->v[i].id);
		rtk_xml_text(x, "%s", v->v[i].text);
		rtk_xml_close(x);
	}
	if (v->n)
		rtk_xml_close(x);
	put_advice(x, r);
	rtk_xml_close(x);
}

/* A maximum is worth what the number of samples below it is. */
static void put_maximum(struct rtk_xml *x, const struct rtk_result *r,
			const struct rtk_summary *s)
{
	const struct rtk_outlier *o = rtk_result_worst(r, s->series->name);
	char text[64];

	rtk_html_open(x, "li", NULL);
	rtk_xml_text(x, "%s, largest", s->series->name);
	rtk_xml_leaf(x, "b", "%s",
		     rtk_html_value(r, s->series, s->m.max, text,
				    sizeof(text)));
	if (o)
		rtk_xml_text(x, "on CPU %u%s%s; ", o->cpu,
			     o->wall_ns < 0 ? "" : " at ",
			     o->wall_ns < 0 ? "" :
					      rtk_json_time(text, sizeof(text),
							    o->wall_ns));
	rtk_xml_text(x, "none above in %llu: p %s %.2g at 95 %%", s->count, "<",
		     rtk_stats_bound(s->count));
	rtk_xml_close(x);
}

static void put_maxima(struct rtk_xml *x, const struct rtk_result *r)
{
	size_t i, n = 0;

	for (i = 0; i < r->nsums; i++) {
		if (r->sums[i].cpu != RTK_CPU_ALL || !r->sums[i].m.n)
			continue;
		if (!n++)
			rtk_html_open(x, "ul", "maxima");
		put_maximum(x, r, &r->sums[i]);
	}
	if (n)
		rtk_xml_close(x);
}

static void put_run(struct rtk_xml *x, const struct rtk_rep *rep, size_t i)
{
	const struct rtk_result *r = &rep->v[i];

	rtk_html_open(x, "article", "run");
	rtk_xml_attr(x, "id", "run%zu", i + 1);
	put_title(x, r, rep->file[i]);
	put_verdict(x, r);
	put_maxima(x, r);
	rtk_html_plots(x, r, i + 1);
	rtk_html_stats(x, r);
	rtk_html_samples(x, r);
	rtk_html_ledger(x, r);
	rtk_html_extra(x, r);
	rtk_html_machine(x, r);
	rtk_xml_close(x);
}

static void put_summary(struct rtk_xml *x, const struct rtk_summary *s)
{
	rtk_xml_leaf(x, "td", "%s", s ? s->series->name : "-");
	rtk_xml_leaf(x, "td", "%llu", s ? s->count : 0);
	if (!s || !s->m.n) {
		rtk_xml_leaf(x, "td", "-");
		rtk_xml_leaf(x, "td", "-");
		rtk_xml_leaf(x, "td", "-");
		rtk_xml_leaf(x, "td", "-");
		return;
	}
	rtk_xml_leaf(x, "td", "%.0f", s->mean);
	rtk_xml_leaf(x, "td", "%lld", s->percentile[RTK_STATS_PERCENTILES - 1]);
	rtk_xml_leaf(x, "td", "%lld %s", s->m.max, s->series->unit);
	rtk_xml_leaf(x, "td", "%.2g", rtk_stats_bound(s->count));
}

static void put_compared(struct rtk_xml *x, const struct rtk_rep *rep, size_t i)
{
	const struct rtk_result *r = &rep->v[i];
	const struct rtk_summary *s = rtk_worst_series(r);
	char text[64];

	rtk_html_open(x, "tr", NULL);
	rtk_xml_open(x, "th");
	rtk_xml_attr(x, "scope", "row");
	rtk_xml_open(x, "a");
	rtk_xml_attr(x, "href", "#run%zu", i + 1);
	rtk_xml_text(x, "%s", rep->file[i]);
	rtk_xml_close(x);
	rtk_xml_close(x);
	rtk_xml_leaf(x, "td", "%s", r->test.name);
	rtk_xml_leaf(x, "td", "%s%s", rtk_verdict_name(r->verdict.status),
		     r->verdict.exceeded ? ", exceeded" : "");
	put_summary(x, s);
	rtk_xml_leaf(x, "td", "%s", r->test.cpus ?: "?");
	rtk_xml_leaf(x, "td", "%s", span_text(r, text, sizeof(text)));
	rtk_xml_leaf(x, "td", "%s (%s)",
		     rtk_result_env(r, "kernel_release") ?: "?", rt_text(r));
	rtk_xml_close(x);
}

static void put_comparison(struct rtk_xml *x, const struct rtk_rep *rep)
{
	static const char *const head[] = { "file",   "test",	  "verdict",
					    "series", "n",	  "mean",
					    "p99.99", "max",	  "p above max",
					    "CPUs",   "duration", "kernel",
					    NULL };
	size_t i;

	rtk_html_open(x, "h1", NULL);
	rtk_xml_text(x, "%zu results", rep->n);
	rtk_xml_close(x);
	rtk_html_table(x, NULL, "Compared", head);
	for (i = 0; i < rep->n; i++)
		put_compared(x, rep, i);
	rtk_html_table_end(x);
}

static void put_meta(struct rtk_xml *x, const char *name, const char *value)
{
	rtk_xml_raw(x, "\n");
	rtk_xml_open(x, "meta");
	rtk_xml_attr(x, name, "%s", value);
	if (strcmp(name, "charset"))
		rtk_xml_attr(x, "content",
			     "width=device-width, initial-scale=1");
	rtk_xml_void(x);
}

static void put_head(struct rtk_xml *x, const struct rtk_rep *rep)
{
	const struct rtk_result *r = &rep->v[0];

	rtk_html_open(x, "head", NULL);
	put_meta(x, "charset", "utf-8");
	put_meta(x, "name", "viewport");
	rtk_html_open(x, "title", NULL);
	if (rep->n == 1)
		rtk_xml_text(x, "%s: %s", r->test.name,
			     rtk_verdict_name(r->verdict.status));
	else
		rtk_xml_text(x, "%zu results of rtk", rep->n);
	rtk_xml_close(x);
	rtk_html_open(x, "style", NULL);
	rtk_xml_raw(x, rtk_html_css());
	rtk_xml_close(x);
	rtk_xml_close(x);
}

int rtk_rep_html(FILE *out, const struct rtk_rep *rep)
{
	struct rtk_xml x;
	size_t i;

	rtk_xml_begin(&x, true);
	rtk_xml_open(&x, "html");
	rtk_xml_attr(&x, "xmlns", "http://www.w3.org/1999/xhtml");
	rtk_xml_attr(&x, "lang", "en");
	put_head(&x, rep);
	rtk_html_open(&x, "body", NULL);
	rtk_html_open(&x, "main", NULL);
	if (rep->n > 1)
		put_comparison(&x, rep);
	for (i = 0; i < rep->n; i++)
		put_run(&x, rep, i);
	rtk_xml_close(&x);
	rtk_html_open(&x, "footer", NULL);
	rtk_xml_leaf(&x, "p", "rtk %s", RTK_VERSION);
	rtk_xml_close(&x);
	rtk_xml_close(&x);
	rtk_xml_close(&x);
	rtk_xml_raw(&x, "\n");
	return rtk_xml_end(&x, out);
}
