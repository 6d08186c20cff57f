// SPDX-License-Identifier: GPL-2.0
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "units.h"
#include "util.h"

static const struct {
	const char *name;
	__s64 ns;
} units[] = {
	{ "ns", 1 },
	{ "us", 1000 },
	{ "ms", 1000000 },
	{ "s", 1000000000 },
	{ "m", 60 * 1000000000LL },
	{ "h", 3600 * 1000000000LL },
	{ "d", 86400 * 1000000000LL },
};

__s64 rtk_units_ns(const char *unit)
{
	size_t i;

	for (i = 0; i < RTK_ARRAY_SIZE(units); i++)
		if (!strcmp(unit, units[i].name))
			return units[i].ns;
	return 0;
}

/* The digits of "12.5" as 125 and 10; at most 18 digits behind the point. */
static int parse_digits(const char **text, __u64 *digits, __u64 *divisor)
{
	const char *p = *text;
	bool point = false, any = false;
	__u64 v = 0, div = 1;

	for (; isdigit((unsigned char)*p) || (*p == '.' && !point); p++) {
		if (*p == '.') {
			point = true;
			continue;
		}
		any = true;
		if (__builtin_mul_overflow(v, 10ULL, &v) ||
		    __builtin_add_overflow(v, (__u64)(*p - '0'), &v))
			return -ERANGE;
		if (point && __builtin_mul_overflow(div, 10ULL, &div))
			return -ERANGE;
	}
	if (!any || p[-1] == '.')
		return -EINVAL;
	*text = p;
	*digits = v;
	*divisor = div;
	return 0;
}

int rtk_units_parse(const char *text, const char *bare, const char *target,
		    __s64 *value)
{
	bool negative = *text == '-';
	__u64 digits, divisor;
	__int128 v, div;
	__s64 scale;
	int err;

	if (*text == '-' || *text == '+')
		text++;
	err = parse_digits(&text, &digits, &divisor);
	if (err)
		return err;
	while (*text == ' ')
		text++;
	scale = rtk_units_ns(*text ? text : bare);
	if (!scale)
		return -EINVAL;

	/* 64 bits times at most 47 bits: no overflow in either product. */
	v = (__int128)digits * scale;
	div = (__int128)divisor * rtk_units_ns(target);
	if (v % div)
		return -EDOM;
	v /= div;
	if (negative)
		v = -v;
	if (v != (__s64)v)
		return -ERANGE;
	*value = (__s64)v;
	return 0;
}

const char *rtk_units_explain(char *buf, size_t size, int err,
			      const char *target)
{
	if (err == -ERANGE)
		snprintf(buf, size, "too large");
	else if (err == -EDOM)
		snprintf(buf, size, "not a whole number of %s", target);
	else
		snprintf(buf, size,
			 "not a number with a unit (ns us ms s m h d; without one: %s)",
			 target);
	return buf;
}

const char *rtk_units_print(char *buf, size_t size, __s64 ns)
{
	static const struct {
		const char *name;
		double ns;
	} steps[] = {
		{ "s", 1e9 },
		{ "ms", 1e6 },
		{ "us", 1e3 },
	};
	size_t i;
	double v;

	for (i = 0; i < RTK_ARRAY_SIZE(steps); i++) {
		if (llabs(ns) < (__s64)steps[i].ns)
			continue;
		v = (double)ns / steps[i].ns;
		snprintf(buf, size, fabs(v) < 1000 ? "%.4g %s" : "%.0f %s", v,
			 steps[i].name);
		return buf;
	}
	snprintf(buf, size, "%lld ns", ns);
	return buf;
}
