/* SPDX-License-Identifier: GPL-2.0 */
/* Values out of a JSON document. For load*.c only. */
#ifndef RTK_LOAD_VALUE_H
#define RTK_LOAD_VALUE_H

#include <jansson.h>

#include "result.h"

/* A document, and what is wrong with it. */
struct rtk_loading {
	struct rtk_result *r;
	const json_t *doc;
	char why[256];
};

/**
 * rtk_load_bad() - say what is wrong
 * @l: document
 * @fmt: as of printf()
 *
 * Return: -EBADMSG
 */
int rtk_load_bad(struct rtk_loading *l, const char *fmt, ...) __printf(2, 3);

/**
 * rtk_load_int() - an integer
 * @o: object
 * @name: its key
 * @none: what stands for null, another type, or no such key
 *
 * Return: value
 */
__s64 rtk_load_int(const json_t *o, const char *name, __s64 none);

/**
 * rtk_load_string() - a text
 * @o: object
 * @name: its key
 *
 * Return: text, owned by the document; empty where there is none
 */
const char *rtk_load_string(const json_t *o, const char *name);

/**
 * rtk_load_time() - a time
 * @o: object
 * @name: its key
 *
 * Return: CLOCK_REALTIME, ns; -1 where there is none
 */
__s64 rtk_load_time(const json_t *o, const char *name);

/**
 * rtk_load_items() - keys that only this test has
 * @o: object
 * @known: keys that are something else, behind the last NULL
 * @items: filled with the other integers
 */
void rtk_load_items(json_t *o, const char *const *known,
		    struct rtk_items *items);

/**
 * rtk_load_lanes() - the series of each CPU
 * @l: document; its test is filled in
 *
 * Return: 0, -EBADMSG or -ENOMEM
 */
int rtk_load_lanes(struct rtk_loading *l);

/**
 * rtk_load_extra() - conditions, tables, values and notes
 * @l: document
 *
 * Return: 0, -EBADMSG or -ENOMEM
 */
int rtk_load_extra(struct rtk_loading *l);

#endif
