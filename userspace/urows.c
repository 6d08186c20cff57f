// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "urows.h"
#include "utest.h"

/* Where the test does not know how many there will be, and at most. */
#define SLOTS 8192

int rtk_urows_init(struct rtk_urows *r, const char *const *columns,
		   __u64 wanted)
{
	memset(r, 0, sizeof(*r));
	if (!columns)
		return 0;
	while (columns[r->columns])
		r->columns++;
	for (r->slots = 1; r->slots < SLOTS && (!wanted || r->slots < wanted);)
		r->slots *= 2;
	r->v = calloc(r->slots * r->columns, sizeof(*r->v));
	if (!r->v)
		return -ENOMEM;
	/* Written, so that the thread does not fault on it. */
	memset(r->v, 0xff, r->slots * r->columns * sizeof(*r->v));
	return 0;
}

void rtk_urows_free(struct rtk_urows *r)
{
	free(r->v);
	r->v = NULL;
}

void rtk_urow(struct rtk_ucpu *c, const __s64 *v)
{
	struct rtk_urows *r = c->rows;
	size_t head = atomic_load_explicit(&r->head, memory_order_relaxed);
	/* Pairs with the reader's release: it is done with that place. */
	size_t tail = atomic_load_explicit(&r->tail, memory_order_acquire);

	if (head - tail >= r->slots) {
		atomic_store_explicit(&r->lost, r->lost + 1,
				      memory_order_relaxed);
		return;
	}
	memcpy(&r->v[(head & (r->slots - 1)) * r->columns], v,
	       r->columns * sizeof(*v));
	/* Pairs with the reader's acquire: it sees the row. */
	atomic_store_explicit(&r->head, head + 1, memory_order_release);
}

void rtk_urows_drain(struct rtk_urows *r, int cpu, struct rtk_extra *e,
		     struct rtk_datatable *t)
{
	__s64 row[RTK_TABLE_COLUMNS] = { cpu };
	size_t head = atomic_load_explicit(&r->head, memory_order_acquire);
	size_t tail = atomic_load_explicit(&r->tail, memory_order_relaxed);

	for (; tail != head; tail++) {
		memcpy(row + 1, &r->v[(tail & (r->slots - 1)) * r->columns],
		       r->columns * sizeof(*row));
		if (t && t->n >= RTK_TABLE_ROWS)
			r->over++;
		else
			rtk_extra_row(e, t, row);
	}
	atomic_store_explicit(&r->tail, tail, memory_order_release);
}
