/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Rows on their way from a measured thread to the controller: a ring with one
 * writer and one reader, without locks.
 */
#ifndef RTK_UROWS_H
#define RTK_UROWS_H

#include <stdatomic.h>

#include "extra.h"

/**
 * struct rtk_urows - a ring
 * @v: places
 * @columns: values in a row
 * @slots: how many places, a power of two
 * @head: rows written; the writer's
 * @tail: rows taken; the reader's
 * @lost: rows for which there was no place; the writer's
 * @over: rows that came when the table had RTK_TABLE_ROWS; the reader's
 */
struct rtk_urows {
	__s64 *v;
	size_t columns;
	size_t slots;
	atomic_size_t head;
	atomic_size_t tail;
	atomic_ullong lost;
	__u64 over;
};

/**
 * rtk_urows_init() - an empty ring
 * @r: filled
 * @columns: values in a row
 * @wanted: rows that would be good to have a place for, 0 not known
 *
 * Return: 0 or -ENOMEM
 */
int rtk_urows_init(struct rtk_urows *r, const char *const *columns,
		   __u64 wanted);

/**
 * rtk_urows_free() - free a ring
 * @r: ring
 */
void rtk_urows_free(struct rtk_urows *r);

/**
 * rtk_urows_drain() - take all rows that are there
 * @r: ring
 * @cpu: first value of each row in the table
 * @e: extra that owns the table
 * @t: table
 */
void rtk_urows_drain(struct rtk_urows *r, int cpu, struct rtk_extra *e,
		     struct rtk_datatable *t);

#endif
