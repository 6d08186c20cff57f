/* SPDX-License-Identifier: GPL-2.0 */
/* A result as a JSON document; see Documentation/result.schema.json. */
#ifndef RTK_JSON_H
#define RTK_JSON_H

#include "result.h"

/**
 * rtk_json_text() - a judged result as text
 * @r: result
 *
 * Return: text to be freed, its last line ended; NULL where memory ran out
 */
char *rtk_json_text(const struct rtk_result *r);

/**
 * rtk_json_event() - an event as a document in one line
 * @e: event
 * @t: its test with its series, or NULL
 * @wall_ns: CLOCK_REALTIME
 *
 * Return: text to be freed, without newline, or NULL where memory ran out
 */
char *rtk_json_event(const struct rtk_event *e, const struct rtk_test *t,
		     __s64 wall_ns);

/**
 * rtk_json_time() - a time as ISO 8601 in UTC with nanoseconds
 * @buf: filled
 * @size: its size, at least 31
 * @wall_ns: CLOCK_REALTIME
 *
 * Return: @buf
 */
const char *rtk_json_time(char *buf, size_t size, __s64 wall_ns);

#endif
