// SPDX-License-Identifier: GPL-2.0
/* Rows on their way from the measured thread, and what is kept of a test's own. */
#include <math.h>
#include <pthread.h>
#include <sched.h>

#include "tap.h"
#include "urows.h"
#include "utest.h"

/* Rows to take from a thread that writes without an end. */
#define HAMMERED 20000

static const char *const columns[] = { "number", "square", "minus", NULL };
static const char *const names[] = { "cpu", "number", "square", "minus", NULL };

static void put_row(struct rtk_ucpu *c, __s64 i)
{
	__s64 row[] = { i, i * i, -i };

	rtk_urow(c, row);
}

/* Rows that are not I, I * I, -I of CPU 7 with an I above the one before. */
static int wrong_rows(const struct rtk_datatable *t)
{
	const __s64 *v = t->v;
	__s64 before = -1;
	int bad = 0;
	size_t i;

	for (i = 0; i < t->n; i++, v += 4) {
		bad += v[0] != 7 || v[2] != v[1] * v[1] || v[3] != -v[1] ||
		       v[1] <= before;
		before = v[1];
	}
	return bad;
}

static void test_slots(void)
{
	static const struct {
		__u64 wanted;
		size_t slots;
	} rows[] = { { 1, 1 },	     { 2, 2 },	     { 3, 4 },
		     { 200, 256 },   { 8192, 8192 }, { 1000000, 8192 },
		     { 0, 8192 } };
	struct rtk_urows r;
	size_t i;

	for (i = 0; i < RTK_ARRAY_SIZE(rows); i++) {
		rtk_urows_init(&r, columns, rows[i].wanted);
		ok(r.slots == rows[i].slots && r.columns == 3,
		   "%zu places where %llu are wanted", r.slots,
		   rows[i].wanted);
		rtk_urows_free(&r);
	}
	ok(!rtk_urows_init(&r, NULL, 5) && !r.v, "no columns, no ring");
	rtk_urows_free(&r);
}

static void test_order(void)
{
	struct rtk_extra e = { 0 };
	struct rtk_datatable *t = rtk_extra_table(&e, "rows", names);
	struct rtk_urows r;
	struct rtk_ucpu c = { .rows = &r };
	__s64 i, k;

	rtk_urows_init(&r, columns, 8);
	rtk_urows_drain(&r, 7, &e, t);
	ok_num((long long)t->n, 0, "nothing is there to take");
	/* Five at a time in eight places: round and round. */
	for (i = 0; i < 100; i += 5) {
		for (k = 0; k < 5; k++)
			put_row(&c, i + k);
		rtk_urows_drain(&r, 7, &e, t);
	}
	ok(t->n == 100 && !r.lost, "all of them came, round and round");
	ok_num(wrong_rows(t), 0, "whole, and in order");
	for (k = 0; k < 11; k++)
		put_row(&c, 100 + k);
	rtk_urows_drain(&r, 7, &e, t);
	ok(t->n == 108 && r.lost == 3, "three too many are lost, and counted");
	ok(!wrong_rows(t) && rtk_extra_cell(t, 107, "number") == 107,
	   "those that were there stay");
	put_row(&c, 200);
	rtk_urows_drain(&r, 7, &e, t);
	ok(t->n == 109 && !wrong_rows(t), "and it goes on");
	rtk_urows_free(&r);
	rtk_extra_free(&e);
}

static atomic_bool enough;
static __s64 written;

static void *hammer(void *arg)
{
	for (; !atomic_load(&enough); written++)
		put_row(arg, written);
	return NULL;
}

/* What one thread writes as fast as it can, another takes. */
static void test_threads(void)
{
	struct rtk_extra e = { 0 };
	struct rtk_datatable *t = rtk_extra_table(&e, "rows", names);
	struct rtk_urows r;
	struct rtk_ucpu c = { .rows = &r };
	pthread_t thread;

	rtk_urows_init(&r, columns, 64);
	if (pthread_create(&thread, NULL, hammer, &c)) {
		ok(false, "a thread");
		return;
	}
	while (t->n < HAMMERED)
		rtk_urows_drain(&r, 7, &e, t);
	atomic_store(&enough, true);
	pthread_join(thread, NULL);
	rtk_urows_drain(&r, 7, &e, t);
	printf("# %zu taken, %llu lost\n", t->n, (__u64)r.lost);
	ok(t->n + r.lost == (__u64)written, "taken or lost: no third");
	ok_num(wrong_rows(t), 0, "whole, and in order");
	rtk_urows_free(&r);
	rtk_extra_free(&e);
}

static void test_extra(void)
{
	static const char *const many[] = { "a", "b", "c", "d", "e", "f", "g",
					    "h", "i", "j", "k", "l", "m", "n",
					    "o", "p", "q", NULL };
	struct rtk_extra e = { 0 };
	struct rtk_datatable *t;
	__s64 row[RTK_TABLE_COLUMNS] = { 1, 2, 3 };
	double v = 5;

	t = rtk_extra_table(&e, "wide", many);
	ok(t && t->columns == RTK_TABLE_COLUMNS, "a table has so many columns");
	rtk_extra_row(&e, t, row);
	rtk_extra_row(&e, NULL, row);
	ok(t->n == 1 && rtk_extra_cell(t, 0, "c") == 3 &&
	   rtk_extra_cell(t, 0, "q") == 0, "cells by name, 0 where there is none");
	rtk_extra_table(&e, "other", names);
	ok(rtk_extra_find(&e, "wide")->n == 1 && !rtk_extra_find(&e, "none"),
	   "tables by name");
	rtk_extra_value(&e, "x_ns", 1.5);
	rtk_extra_value(&e, "nan", NAN);
	rtk_extra_value(&e, "inf", -INFINITY);
	ok(rtk_extra_get(&e, "x_ns", &v) && v == 1.5, "a value");
	ok(!rtk_extra_get(&e, "nan", &v) && !rtk_extra_get(&e, "inf", &v) &&
	   v == 1.5 && e.values == 1, "what is no number is left out");
	rtk_extra_note(&e, "%d of %s", 3, "these");
	ok_str(e.note[0], "3 of these", "a note");
	rtk_extra_free(&e);
	ok(!e.tables && !e.values && !e.notes && !e.nomem, "freed");
}

int main(void)
{
	tap_begin();
	test_slots();
	test_order();
	test_threads();
	test_extra();
	return tap_end();
}
