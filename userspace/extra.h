/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a user-space test has beside its series: tables of integers, single
 * values, and notes in words.
 */
#ifndef RTK_EXTRA_H
#define RTK_EXTRA_H

#include <stddef.h>

#include "model.h"
#include "util.h"

#define RTK_TABLE_COLUMNS 16
/* More is nothing to be read, and would fill the memory: 48 hours have less. */
#define RTK_TABLE_ROWS 500000

/**
 * struct rtk_datatable - a table of integers
 * @name: name
 * @column: names of the columns, with their units in them
 * @columns: how many
 * @v: values, row by row
 * @n: number of rows
 * @row: names of the rows
 * @rows: how many have one: all or none
 */
struct rtk_datatable {
	char name[RTK_NAME_SIZE];
	char column[RTK_TABLE_COLUMNS][RTK_NAME_SIZE];
	size_t columns;
	__s64 *v;
	size_t n;
	char (*row)[RTK_NAME_SIZE];
	size_t rows;
};

/**
 * struct rtk_value - a number that is computed from the samples
 * @name: name, with its unit in it
 * @v: value
 */
struct rtk_value {
	char name[RTK_NAME_SIZE];
	double v;
};

/**
 * struct rtk_extra - all of it
 * @table: tables
 * @tables: their number
 * @value: values
 * @values: their number
 * @note: lines of text
 * @notes: their number
 * @nomem: something is missing
 */
struct rtk_extra {
	struct rtk_datatable *table;
	size_t tables;
	struct rtk_value *value;
	size_t values;
	char **note;
	size_t notes;
	bool nomem;
};

/**
 * rtk_extra_table() - add a table
 * @e: extra
 * @name: its name
 * @columns: names of its columns; ends with NULL
 *
 * Return: table, valid until the next is added; NULL without memory, which is
 * remembered in nomem
 */
struct rtk_datatable *rtk_extra_table(struct rtk_extra *e, const char *name,
				      const char *const *columns);

/**
 * rtk_extra_find() - a table by name
 * @e: extra
 * @name: its name
 *
 * Return: table or NULL
 */
const struct rtk_datatable *rtk_extra_find(const struct rtk_extra *e,
					   const char *name);

/**
 * rtk_extra_row() - add a row
 * @e: extra
 * @t: table of it, or NULL: then nothing happens
 * @v: a value for each column
 */
void rtk_extra_row(struct rtk_extra *e, struct rtk_datatable *t,
		   const __s64 *v);

/**
 * rtk_extra_named_row() - add a row that has a name
 * @e: extra
 * @t: table of it all of whose rows have names, or NULL: then nothing happens
 * @name: the row's
 * @v: a value for each column
 */
void rtk_extra_named_row(struct rtk_extra *e, struct rtk_datatable *t,
			 const char *name, const __s64 *v);

/**
 * rtk_extra_cell() - a value of a table
 * @t: table
 * @row: row, from 0
 * @column: name of its column
 *
 * Return: value, 0 where there is no such column
 */
__s64 rtk_extra_cell(const struct rtk_datatable *t, size_t row,
		     const char *column);

/**
 * rtk_extra_value() - add a value
 * @e: extra
 * @name: its name, with the unit in it
 * @v: value; what is no number is left out
 */
void rtk_extra_value(struct rtk_extra *e, const char *name, double v);

/**
 * rtk_extra_get() - a value by name
 * @e: extra
 * @name: its name
 * @v: set on success
 *
 * Return: it is there
 */
bool rtk_extra_get(const struct rtk_extra *e, const char *name, double *v);

/**
 * rtk_extra_note() - add a line of text
 * @e: extra
 * @fmt: text without a newline
 */
void rtk_extra_note(struct rtk_extra *e, const char *fmt, ...) __printf(2, 3);

/**
 * rtk_extra_free() - free what it holds
 * @e: extra
 */
void rtk_extra_free(struct rtk_extra *e);

#endif
