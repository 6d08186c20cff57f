/* SPDX-License-Identifier: GPL-2.0 */
/* Times as people write them: "250us", "1.5ms", "10m". Pure. */
#ifndef RTK_UNITS_H
#define RTK_UNITS_H

#include <stddef.h>
#include <linux/types.h>

/**
 * rtk_units_ns() - length of a unit of time
 * @unit: ns, us, ms, s, m, h or d
 *
 * Return: nanoseconds, 0 where @unit is no unit of time
 */
__s64 rtk_units_ns(const char *unit);

/**
 * rtk_units_parse() - read a time
 * @text: decimal number, fraction allowed, and a unit
 * @bare: unit of a number that names none
 * @target: unit of the result
 * @value: set on success, in units of @target
 *
 * Exact: what is not a whole number of @target is refused, not rounded.
 *
 * Return: 0; -EINVAL no number or no unit of time; -ERANGE does not fit;
 * -EDOM not a whole number of @target
 */
int rtk_units_parse(const char *text, const char *bare, const char *target,
		    __s64 *value);

/**
 * rtk_units_explain() - the rest of the sentence "period_ns=abc: ..."
 * @buf: filled
 * @size: its size
 * @err: what rtk_units_parse() returned
 * @target: unit of the result
 *
 * Return: @buf
 */
const char *rtk_units_explain(char *buf, size_t size, int err,
			      const char *target);

/**
 * rtk_units_print() - nanoseconds for people, three to four digits
 * @buf: filled with, for example, "31.6 us"
 * @size: its size
 * @ns: time
 *
 * Return: @buf
 */
const char *rtk_units_print(char *buf, size_t size, __s64 ns);

#endif
