// SPDX-License-Identifier: GPL-2.0
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gaps.h"
#include "params.h"
#include "rep_html.h"

/* --- environment ------------------------------------------------------------ */

static void put_fact(void *arg, const char *key, const char *text, bool known)
{
	struct rtk_xml *x = arg;

	rtk_html_row(x, "%s", key);
	rtk_xml_open(x, "td");
	if (!known)
		rtk_xml_attr(x, "class", "dim");
	rtk_xml_text(x, known ? "%s" : "not known: %s", text);
	rtk_xml_close(x);
	rtk_xml_close(x);
}

static void put_environment(struct rtk_xml *x, const struct rtk_result *r)
{
	static const char *const head[] = { "fact", "value", NULL };

	rtk_html_table(x, "text", "The machine during the run", head);
	if (rtk_rep_facts(r, put_fact, x))
		x->failed = true;
	rtk_html_table_end(x);
}

static void put_params(struct rtk_xml *x, const struct rtk_result *r)
{
	static const char *const head[] = { "parameter", "value", "", NULL };
	const struct rtk_test *t = &r->test;
	const struct rtk_param *p;
	const char *value;

	rtk_html_table(x, "text", "Parameters of the run", head);
	for (p = t->params; p < t->params + t->nparams; p++) {
		value = rtk_params_value(t, p->name) ?: "";
		rtk_html_row(x, "%s", p->name);
		rtk_xml_leaf(x, "td", "%s", *value ? value : "-");
		rtk_xml_leaf(x, "td", "%s",
			     p->def && strcmp(p->def, value) ? "" : "default");
		rtk_xml_close(x);
	}
	rtk_html_table_end(x);
}

/* What is a text for people already. */
static void put_text(struct rtk_xml *x, const struct rtk_result *r,
		     int (*print)(FILE *out, const struct rtk_result *r))
{
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);
	int err = f ? print(f, r) : -1;

	if (!f || fclose(f) || err) {
		x->failed = true;
	} else {
		rtk_html_open(x, "pre", "scroll");
		rtk_xml_attr(x, "tabindex", "0");
		rtk_xml_text(x, "%s", text + strspn(text, "\n"));
		rtk_xml_close(x);
	}
	free(text);
}

static int print_device(FILE *out, const struct rtk_result *r)
{
	rtk_device_print(out, &r->device);
	return 0;
}

void rtk_html_machine(struct rtk_xml *x, const struct rtk_result *r)
{
	rtk_xml_raw(x, "\n");
	rtk_xml_leaf(x, "h2", "Parameters and machine");
	if (r->device.bdf[0])
		put_text(x, r, print_device);
	if (r->test.nparams)
		put_params(x, r);
	if (r->environment)
		put_environment(x, r);
}

/* --- what only this test has -------------------------------------------------- */

static void put_datatable(struct rtk_xml *x, const struct rtk_datatable *t)
{
	const char *head[RTK_TABLE_COLUMNS + 2] = { "row" };
	size_t i, k, from = t->n > RTK_HTML_ROWS ? t->n - RTK_HTML_ROWS : 0;

	for (k = 0; k < t->columns; k++)
		head[k + 1] = t->column[k];
	rtk_html_fold(x, t->n <= RTK_HTML_OPEN, "%s: the last %zu of %zu rows",
		      t->name, t->n - from, t->n);
	rtk_html_table(x, NULL, t->name, head);
	for (i = from; i < t->n; i++) {
		if (t->rows)
			rtk_html_row(x, "%s", t->row[i]);
		else
			rtk_html_row(x, "%zu", i + 1);
		for (k = 0; k < t->columns; k++)
			rtk_xml_leaf(x, "td", "%lld", t->v[i * t->columns + k]);
		rtk_xml_close(x);
	}
	rtk_html_table_end(x);
	rtk_xml_close(x);
}

static void put_values(struct rtk_xml *x, const struct rtk_extra *e)
{
	static const char *const head[] = { "value", "", NULL };
	const struct rtk_value *v;

	rtk_html_table(x, NULL, "Computed from the samples", head);
	for (v = e->value; v < e->value + e->values; v++) {
		rtk_html_row(x, "%s", v->name);
		rtk_xml_leaf(x, "td", v->v == rint(v->v) ? "%.0f" : "%.6g",
			     v->v);
		rtk_xml_close(x);
	}
	rtk_html_table_end(x);
}

void rtk_html_extra(struct rtk_xml *x, const struct rtk_result *r)
{
	const struct rtk_extra *e = &r->extra;
	bool gaps = rtk_gaps_measured(r);
	size_t i;

	if (!e->tables && !e->values && !e->notes && !gaps)
		return;
	rtk_xml_raw(x, "\n");
	rtk_xml_leaf(x, "h2", "Of this test");
	for (i = 0; i < e->notes; i++)
		rtk_xml_leaf(x, "p", "Note: %s", e->note[i]);
	if (gaps)
		put_text(x, r, rtk_gaps_print);
	if (e->values)
		put_values(x, e);
	for (i = 0; i < e->tables; i++)
		put_datatable(x, &e->table[i]);
}
