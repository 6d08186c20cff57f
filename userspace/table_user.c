// SPDX-License-Identifier: GPL-2.0
#include <math.h>
#include <string.h>

#include "grid.h"
#include "table_user.h"

/* Of a table that is longer than this the last rows are shown. */
#define MANY_ROWS 64
#define LAST_ROWS 10

static int print_datatable(FILE *out, const struct rtk_datatable *t)
{
	struct rtk_grid g = { .cols = t->columns + !!t->rows };
	size_t i, k, from = t->n > MANY_ROWS ? t->n - LAST_ROWS : 0;

	if (!t->n)
		return 0;
	if (from)
		fprintf(out,
			"\n%s, the last %d of %zu (all of them: --json):\n",
			t->name, LAST_ROWS, t->n);
	else
		fprintf(out, "\n%s:\n", t->name);
	if (t->rows)
		rtk_grid_put(&g, "%s", "");
	for (k = 0; k < t->columns; k++)
		rtk_grid_put(&g, "%s", t->column[k]);
	for (i = from; i < t->n; i++) {
		if (t->rows)
			rtk_grid_put(&g, "%s", t->row[i]);
		for (k = 0; k < t->columns; k++)
			rtk_grid_put(&g, "%lld", t->v[i * t->columns + k]);
	}
	return rtk_grid_end(out, &g);
}

static int print_values(FILE *out, const struct rtk_extra *e)
{
	struct rtk_grid g = { .cols = 2 };
	size_t i;

	if (!e->values)
		return 0;
	fputc('\n', out);
	for (i = 0; i < e->values; i++) {
		rtk_grid_put(&g, "%s", e->value[i].name);
		rtk_grid_put(&g,
			     e->value[i].v == rint(e->value[i].v) ? "%.0f" :
								    "%.6g",
			     e->value[i].v);
	}
	return rtk_grid_end(out, &g);
}

/* What a tick is: without it nobody knows how long anything took. */
static void print_rate(FILE *out, const struct rtk_result *r)
{
	size_t i;

	for (i = 0; i < r->test.nseries; i++)
		if (!strcmp(r->test.series[i].unit, "ticks"))
			break;
	if (i < r->test.nseries && r->cond.ticks_hz > 0)
		fprintf(out,
			"\na tick is %.4f ns: the counter runs at %.3f MHz\n",
			1e9 / r->cond.ticks_hz, r->cond.ticks_hz / 1e6);
}

int rtk_table_user(FILE *out, const struct rtk_result *r)
{
	const struct rtk_extra *e = &r->extra;
	size_t i;
	int err = 0;

	print_rate(out, r);
	for (i = 0; !err && i < e->tables; i++)
		err = print_datatable(out, &e->table[i]);
	if (!err)
		err = print_values(out, e);
	return err;
}
