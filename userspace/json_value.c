// SPDX-License-Identifier: GPL-2.0
#include <math.h>

#include "json.h"
#include "json_value.h"
#include "util.h"

/* Readers with doubles only are exact up to here. */
#define EXACT_MAX (1LL << 53)

json_t *rtk_json_integer(__s64 v)
{
	if (v > EXACT_MAX)
		v = EXACT_MAX;
	if (v < -EXACT_MAX)
		v = -EXACT_MAX;
	return json_integer(v);
}

json_t *rtk_json_counter(__u64 v)
{
	return rtk_json_integer(v > (__u64)EXACT_MAX ? EXACT_MAX : (__s64)v);
}

json_t *rtk_json_moment(bool there, __s64 v)
{
	return there ? rtk_json_integer(v) : json_null();
}

json_t *rtk_json_big(unsigned __int128 v, bool negative)
{
	char text[48], *p = text + sizeof(text) - 1;

	*p = '\0';
	do {
		*--p = (char)('0' + (int)(v % 10));
		v /= 10;
	} while (v);
	if (negative)
		*--p = '-';
	return json_string(p);
}

json_t *rtk_json_real(bool there, double v)
{
	return there && isfinite(v) ? json_real(v) : json_null();
}

/* A comm is any bytes; JSON is UTF-8. */
json_t *rtk_json_string(const char *s)
{
	json_t *j = json_string(s ? s : "");
	char ascii[256];
	size_t i;

	if (j)
		return j;
	rtk_copy(ascii, sizeof(ascii), s);
	for (i = 0; ascii[i]; i++)
		if (ascii[i] & 0x80)
			ascii[i] = '?';
	return json_string(ascii);
}

void rtk_json_items(json_t *o, const struct rtk_items *items)
{
	size_t i;

	for (i = 0; i < items->n; i++)
		json_object_set_new(o, items->v[i].name,
				    rtk_json_counter(items->v[i].value));
}

json_t *rtk_json_time_or_null(__s64 wall_ns)
{
	char buf[64];

	if (wall_ns < 0)
		return json_null();
	return json_string(rtk_json_time(buf, sizeof(buf), wall_ns));
}
