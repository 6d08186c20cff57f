// SPDX-License-Identifier: GPL-2.0
#include "json_value.h"

static json_t *table_json(const struct rtk_datatable *t)
{
	json_t *o = json_object(), *list = json_array(), *row;
	const __s64 *v = t->v;
	size_t i, k;

	for (k = 0; k < t->columns; k++)
		json_array_append_new(list, rtk_json_string(t->column[k]));
	json_object_set_new(o, "columns", list);
	list = json_array();
	for (i = 0; i < t->n; i++) {
		row = json_array();
		for (k = 0; k < t->columns; k++)
			json_array_append_new(row, rtk_json_integer(*v++));
		json_array_append_new(list, row);
	}
	json_object_set_new(o, "rows", list);
	if (!t->rows)
		return o;
	list = json_array();
	for (i = 0; i < t->rows; i++)
		json_array_append_new(list, rtk_json_string(t->row[i]));
	json_object_set_new(o, "names", list);
	return o;
}

static json_t *conditions_json(const struct rtk_ucond *c)
{
	json_t *o = json_object();

	json_object_set_new(o, "realtime", json_boolean(c->realtime));
	json_object_set_new(o, "memory_locked", json_boolean(!c->memory[0]));
	json_object_set_new(o, "latency_held", json_boolean(c->latency_held));
	json_object_set_new(o, "controller_apart", json_boolean(c->alone));
	json_object_set_new(o, "throttle_runtime_us",
			    rtk_json_moment(c->throttle_us >= 0,
					    c->throttle_us));
	json_object_set_new(o, "rows_lost", rtk_json_counter(c->rows_lost));
	json_object_set_new(o, "ticks_hz",
			    rtk_json_real(c->ticks_hz > 0, c->ticks_hz));
	json_object_set_new(o, "ticks_constant",
			    json_boolean(c->ticks_constant));
	return o;
}

void rtk_json_user(json_t *o, const struct rtk_result *r)
{
	const struct rtk_extra *e = &r->extra;
	json_t *tables = json_object(), *values = json_object();
	size_t i;

	for (i = 0; i < e->tables; i++)
		json_object_set_new(tables, e->table[i].name,
				    table_json(&e->table[i]));
	for (i = 0; i < e->values; i++)
		json_object_set_new(values, e->value[i].name,
				    json_real(e->value[i].v));
	json_object_set_new(o, "conditions", conditions_json(&r->cond));
	json_object_set_new(o, "tables", tables);
	json_object_set_new(o, "values", values);
}
