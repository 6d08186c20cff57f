/* SPDX-License-Identifier: GPL-2.0 */
/* Values of the JSON documents. For json*.c and what makes them only. */
#ifndef RTK_JSON_VALUE_H
#define RTK_JSON_VALUE_H

#include <stdbool.h>
#include <jansson.h>
#include <linux/types.h>

#include "result.h"

/**
 * rtk_json_integer() - an integer, exact in a double
 * @v: value; ends at 2^53
 *
 * Return: new reference or NULL
 */
json_t *rtk_json_integer(__s64 v);

/**
 * rtk_json_counter() - the same for a counter
 * @v: value
 *
 * Return: new reference or NULL
 */
json_t *rtk_json_counter(__u64 v);

/**
 * rtk_json_moment() - an integer that there is, or null
 * @there: is it?
 * @v: value
 *
 * Return: new reference or NULL
 */
json_t *rtk_json_moment(bool there, __s64 v);

/**
 * rtk_json_big() - an integer that may be above 2^53, as decimal text
 * @v: magnitude
 * @negative: below 0
 *
 * Return: new reference or NULL
 */
json_t *rtk_json_big(unsigned __int128 v, bool negative);

/**
 * rtk_json_real() - a real number that there is, or null
 * @there: is it?
 * @v: value
 *
 * Return: new reference or NULL
 */
json_t *rtk_json_real(bool there, double v);

/**
 * rtk_json_string() - a text
 * @s: any bytes; what is not ASCII becomes "?" where it is not UTF-8; NULL is
 *	the empty text
 *
 * Return: new reference or NULL
 */
json_t *rtk_json_string(const char *s);

/**
 * rtk_json_items() - set a test's own numbers
 * @o: object, which gets a key for each
 * @items: numbers
 */
void rtk_json_items(json_t *o, const struct rtk_items *items);

/**
 * rtk_json_time_or_null() - a time that there is, or null
 * @wall_ns: CLOCK_REALTIME, or -1
 *
 * Return: new reference or NULL
 */
json_t *rtk_json_time_or_null(__s64 wall_ns);

/**
 * rtk_json_per_cpu() - what was counted on each CPU
 * @r: summarized result
 *
 * Return: array, new reference or NULL
 */
json_t *rtk_json_per_cpu(const struct rtk_result *r);

/**
 * rtk_json_gaps() - gaps above the threshold
 * @r: summarized result, for which rtk_gaps_measured() holds
 *
 * Return: object, new reference or NULL
 */
json_t *rtk_json_gaps(const struct rtk_result *r);

/**
 * rtk_json_set() - set a key, or null and why
 * @o: object, which gets @name, and "<name>_reason" where it is null
 * @name: key
 * @value: reference that is taken over, NULL not known
 * @reason: why, NULL likewise
 */
void rtk_json_set(json_t *o, const char *name, json_t *value,
		  const char *reason);

/**
 * rtk_env_json() - the machine that a result comes from
 * @r: result
 *
 * What is not known is null, with its reason beside it.
 *
 * Return: object, new reference or NULL
 */
json_t *rtk_env_json(const struct rtk_result *r);

/**
 * rtk_json_user() - set what only tests in user space have
 * @o: document
 * @r: summarized result of such a test
 */
void rtk_json_user(json_t *o, const struct rtk_result *r);

/**
 * rtk_json_intervals() - largest samples from checkpoint to checkpoint
 * @r: result
 *
 * Return: array, new reference or NULL
 */
json_t *rtk_json_intervals(const struct rtk_result *r);

/**
 * rtk_json_parts() - the parts of a run that was taken up again
 * @r: result
 *
 * Return: array, new reference or NULL
 */
json_t *rtk_json_parts(const struct rtk_result *r);

#endif
