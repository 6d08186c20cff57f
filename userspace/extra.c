// SPDX-License-Identifier: GPL-2.0
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "extra.h"

struct rtk_datatable *rtk_extra_table(struct rtk_extra *e, const char *name,
				      const char *const *columns)
{
	struct rtk_datatable *t = rtk_grow(&e->table, &e->tables, sizeof(*t));

	if (!t) {
		e->nomem = true;
		return NULL;
	}
	rtk_copy(t->name, sizeof(t->name), name);
	for (; *columns && t->columns < RTK_TABLE_COLUMNS; columns++)
		rtk_copy(t->column[t->columns++], RTK_NAME_SIZE, *columns);
	return t;
}

const struct rtk_datatable *rtk_extra_find(const struct rtk_extra *e,
					   const char *name)
{
	size_t i;

	for (i = 0; i < e->tables; i++)
		if (!strcmp(e->table[i].name, name))
			return &e->table[i];
	return NULL;
}

void rtk_extra_row(struct rtk_extra *e, struct rtk_datatable *t, const __s64 *v)
{
	void *row;

	if (!t)
		return;
	row = rtk_grow(&t->v, &t->n, t->columns * sizeof(*v));
	if (row)
		memcpy(row, v, t->columns * sizeof(*v));
	else
		e->nomem = true;
}

void rtk_extra_named_row(struct rtk_extra *e, struct rtk_datatable *t,
			 const char *name, const __s64 *v)
{
	char *row;

	if (!t)
		return;
	row = rtk_grow(&t->row, &t->rows, RTK_NAME_SIZE);
	if (!row) {
		e->nomem = true;
		return;
	}
	rtk_copy(row, RTK_NAME_SIZE, name);
	rtk_extra_row(e, t, v);
}

__s64 rtk_extra_cell(const struct rtk_datatable *t, size_t row,
		     const char *column)
{
	size_t i;

	for (i = 0; i < t->columns; i++)
		if (!strcmp(t->column[i], column))
			return t->v[row * t->columns + i];
	return 0;
}

void rtk_extra_value(struct rtk_extra *e, const char *name, double v)
{
	struct rtk_value *value;

	if (!isfinite(v))
		return;
	value = rtk_grow(&e->value, &e->values, sizeof(*value));
	if (!value) {
		e->nomem = true;
		return;
	}
	rtk_copy(value->name, sizeof(value->name), name);
	value->v = v;
}

bool rtk_extra_get(const struct rtk_extra *e, const char *name, double *v)
{
	size_t i;

	for (i = 0; i < e->values; i++) {
		if (strcmp(e->value[i].name, name))
			continue;
		*v = e->value[i].v;
		return true;
	}
	return false;
}

void rtk_extra_note(struct rtk_extra *e, const char *fmt, ...)
{
	char **note = rtk_grow(&e->note, &e->notes, sizeof(*note));
	va_list ap;

	if (!note) {
		e->nomem = true;
		return;
	}
	va_start(ap, fmt);
	if (vasprintf(note, fmt, ap) < 0) {
		e->notes--;
		e->nomem = true;
	}
	va_end(ap);
}

void rtk_extra_free(struct rtk_extra *e)
{
	size_t i;

	for (i = 0; i < e->tables; i++) {
		free(e->table[i].v);
		free(e->table[i].row);
	}
	for (i = 0; i < e->notes; i++)
		free(e->note[i]);
	free(e->table);
	free(e->value);
	free(e->note);
	memset(e, 0, sizeof(*e));
}
