// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <string.h>

#include "load_value.h"
#include "util.h"

static void load_conditions(const json_t *o, struct rtk_ucond *c)
{
	c->is_user = o;
	if (!o)
		return;
	c->realtime = json_is_true(json_object_get(o, "realtime"));
	if (!json_is_true(json_object_get(o, "memory_locked")))
		rtk_copy(c->memory, sizeof(c->memory), "not locked");
	c->latency_held = json_is_true(json_object_get(o, "latency_held"));
	c->alone = json_is_true(json_object_get(o, "controller_apart"));
	c->throttle_us = rtk_load_int(o, "throttle_runtime_us", -1);
	c->rows_lost = (__u64)rtk_load_int(o, "rows_lost", 0);
	c->ticks_hz = json_number_value(json_object_get(o, "ticks_hz"));
	c->ticks_constant = json_is_true(json_object_get(o, "ticks_constant"));
}

static int load_rows(struct rtk_loading *l, const json_t *o,
		     struct rtk_datatable *t)
{
	const json_t *names = json_object_get(o, "names"), *row, *cell;
	__s64 v[RTK_TABLE_COLUMNS];
	const char *name;
	size_t i, k;

	json_array_foreach(json_object_get(o, "rows"), i, row) {
		if (json_array_size(row) != t->columns)
			return rtk_load_bad(l,
					    "table %s: row %zu has not as many values as there are columns",
					    t->name, i);
		json_array_foreach(row, k, cell)
			v[k] = json_integer_value(cell);
		name = json_string_value(json_array_get(names, i));
		if (name)
			rtk_extra_named_row(&l->r->extra, t, name, v);
		else
			rtk_extra_row(&l->r->extra, t, v);
	}
	if (t->rows && t->rows != t->n)
		return rtk_load_bad(l, "table %s: not all rows have names",
				    t->name);
	return 0;
}

static int load_table(struct rtk_loading *l, const char *name, const json_t *o)
{
	const char *columns[RTK_TABLE_COLUMNS + 1] = { NULL };
	const json_t *list = json_object_get(o, "columns"), *column;
	struct rtk_datatable *t;
	size_t i;

	json_array_foreach(list, i, column)
		if (i < RTK_TABLE_COLUMNS)
			columns[i] = json_string_value(column) ?: "";
	if (json_array_size(list) > RTK_TABLE_COLUMNS)
		return rtk_load_bad(l, "table %s: too many columns", name);
	t = rtk_extra_table(&l->r->extra, name, columns);
	return t ? load_rows(l, o, t) : -ENOMEM;
}

int rtk_load_extra(struct rtk_loading *l)
{
	struct rtk_extra *e = &l->r->extra;
	const char *name;
	json_t *o;
	size_t i;
	int err;

	load_conditions(json_object_get(l->doc, "conditions"), &l->r->cond);
	json_object_foreach(json_object_get(l->doc, "tables"), name, o) {
		err = load_table(l, name, o);
		if (err)
			return err;
	}
	json_object_foreach(json_object_get(l->doc, "values"), name, o)
		rtk_extra_value(e, name, json_number_value(o));
	json_array_foreach(json_object_get(l->doc, "notes"), i, o)
		rtk_extra_note(e, "%s", json_string_value(o) ?: "");
	return e->nomem ? -ENOMEM : 0;
}
