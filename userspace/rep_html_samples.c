// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>
#include <string.h>

#include "json.h"
#include "rep_html.h"

/* The largest of a series that are shown. */
#define SAMPLES 16

/* Records of the same series, the largest first; of equal ones the earliest. */
static int by_value(const void *a, const void *b)
{
	const struct rtk_outlier *p = *(const struct rtk_outlier *const *)a;
	const struct rtk_outlier *q = *(const struct rtk_outlier *const *)b;
	int order = strcmp(p->series, q->series);

	if (order)
		return order;
	if (p->value != q->value)
		return p->value < q->value ? 1 : -1;
	if (p->mono_ns != q->mono_ns)
		return p->mono_ns > q->mono_ns ? 1 : -1;
	if (p->cpu != q->cpu)
		return p->cpu > q->cpu ? 1 : -1;
	return (p->sequence > q->sequence) - (p->sequence < q->sequence);
}

/* The worst of a lane may be among its outliers, too. */
static bool is_same(const struct rtk_outlier *a, const struct rtk_outlier *b)
{
	return a->cpu == b->cpu && a->sequence == b->sequence &&
	       a->value == b->value && !strcmp(a->series, b->series);
}

/* Cells of a sample; empty where there is nothing to be said. */
static void value_cell(const struct rtk_result *r, const struct rtk_outlier *o,
		       char *buf, size_t size)
{
	const struct rtk_series *s = rtk_test_series(&r->test, o->series);

	snprintf(buf, size, "%lld %s", o->value, s ? s->unit : "");
}

static void cpu_cell(const struct rtk_result *r, const struct rtk_outlier *o,
		     char *buf, size_t size)
{
	(void)r;
	snprintf(buf, size, "%u", o->cpu);
}

static void time_cell(const struct rtk_result *r, const struct rtk_outlier *o,
		      char *buf, size_t size)
{
	(void)r;
	if (o->wall_ns >= 0)
		rtk_json_time(buf, size, o->wall_ns);
}

static void task_cell(const struct rtk_result *r, const struct rtk_outlier *o,
		      char *buf, size_t size)
{
	const struct rtk_outlier *task = rtk_result_task(r, o);

	if (task)
		snprintf(buf, size, "%s (%u)", task->comm, task->pid);
}

static void count_cell(__s64 v, char *buf, size_t size)
{
	if (v >= 0)
		snprintf(buf, size, "%lld", v);
}

static void irq_cell(const struct rtk_result *r, const struct rtk_outlier *o,
		     char *buf, size_t size)
{
	(void)r;
	count_cell(o->irq, buf, size);
}

static void softirq_cell(const struct rtk_result *r,
			 const struct rtk_outlier *o, char *buf, size_t size)
{
	(void)r;
	count_cell(o->softirq, buf, size);
}

static void nmi_cell(const struct rtk_result *r, const struct rtk_outlier *o,
		     char *buf, size_t size)
{
	(void)r;
	count_cell(o->nmi, buf, size);
}

static void smi_cell(const struct rtk_result *r, const struct rtk_outlier *o,
		     char *buf, size_t size)
{
	(void)r;
	count_cell(o->smi, buf, size);
}

static void details_cell(const struct rtk_result *r,
			 const struct rtk_outlier *o, char *buf, size_t size)
{
	size_t i, len = 0;

	(void)r;
	for (i = 0; i < o->details.n && len < size; i++)
		len += (size_t)snprintf(buf + len, size - len, "%s%s=%llu",
					i ? " " : "", o->details.v[i].name,
					o->details.v[i].value);
}

static const struct sample_column {
	const char *head;
	void (*cell)(const struct rtk_result *r, const struct rtk_outlier *o,
		     char *buf, size_t size);
} columns[] = {
	{ "value", value_cell },     { "CPU", cpu_cell },
	{ "time (UTC)", time_cell }, { "interrupted task (pid)", task_cell },
	{ "IRQs", irq_cell },	     { "softirqs", softirq_cell },
	{ "NMIs", nmi_cell },	     { "SMIs", smi_cell },
	{ "besides", details_cell },
};

static const char *cell_of(const struct sample_column *c,
			   const struct rtk_result *r,
			   const struct rtk_outlier *o, char *buf, size_t size)
{
	*buf = '\0';
	c->cell(r, o, buf, size);
	return buf;
}

/* A column of which no sample has anything is left out. */
static bool is_used(const struct sample_column *c, const struct rtk_result *r,
		    const struct rtk_outlier *const *v, size_t n)
{
	char buf[512];
	size_t i;

	for (i = 0; i < n; i++)
		if (*cell_of(c, r, v[i], buf, sizeof(buf)))
			return true;
	return false;
}

/* Sorts, and keeps the largest of each series. */
static size_t pick_samples(const struct rtk_outlier **v, size_t n)
{
	const struct rtk_outlier *last = NULL;
	size_t i, kept = 0, same = 0;

	qsort(v, n, sizeof(*v), by_value);
	for (i = 0; i < n; last = v[i++]) {
		if (!last || strcmp(v[i]->series, last->series))
			same = 0;
		else if (is_same(v[i], last))
			continue;
		if (same++ < SAMPLES)
			v[kept++] = v[i];
	}
	return kept;
}

static void put_samples(struct rtk_xml *x, const struct rtk_result *r,
			const struct rtk_outlier *const *v, size_t n)
{
	const char *head[RTK_ARRAY_SIZE(columns) + 2] = { "series" };
	const struct sample_column *used[RTK_ARRAY_SIZE(columns)];
	size_t i, k, cols = 0;
	char buf[512];

	for (k = 0; k < RTK_ARRAY_SIZE(columns); k++) {
		if (!is_used(&columns[k], r, v, n))
			continue;
		used[cols++] = &columns[k];
		head[cols] = columns[k].head;
	}
	rtk_html_table(x, NULL, "Up to 16 of each series", head);
	for (i = 0; i < n; i++) {
		rtk_html_row(x, "%s", v[i]->series);
		for (k = 0; k < cols; k++)
			rtk_xml_leaf(x, "td", "%s",
				     cell_of(used[k], r, v[i], buf,
					     sizeof(buf)));
		rtk_xml_close(x);
	}
	rtk_html_table_end(x);
}

/* How many there were above the threshold: not all of them are on record. */
static void put_above(struct rtk_xml *x, const struct rtk_result *r)
{
	const struct rtk_summary *s;

	for (s = r->sums; s < r->sums + r->nsums; s++) {
		if (s->cpu != RTK_CPU_ALL || !s->outliers)
			continue;
		rtk_html_open(x, "p", NULL);
		rtk_xml_text(x, "%llu samples of %s are above the threshold.",
			     s->outliers, s->series->name);
		rtk_xml_close(x);
	}
}

void rtk_html_samples(struct rtk_xml *x, const struct rtk_result *r)
{
	const struct rtk_outlier **v;
	size_t i;

	if (!r->outliers.n)
		return;
	v = calloc(r->outliers.n, sizeof(*v));
	if (!v) {
		x->failed = true;
		return;
	}
	for (i = 0; i < r->outliers.n; i++)
		v[i] = &r->outliers.v[i];
	rtk_xml_raw(x, "\n");
	rtk_xml_leaf(x, "h2", "Largest samples");
	put_above(x, r);
	put_samples(x, r, v, pick_samples(v, r->outliers.n));
	rtk_xml_leaf(x, "p",
		     "IRQs, softirqs and NMIs are those since the sample before, the measurement's own among them.");
	free(v);
}
