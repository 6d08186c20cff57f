// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "load_value.h"
#include "util.h"

int rtk_load_bad(struct rtk_loading *l, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(l->why, sizeof(l->why), fmt, ap);
	va_end(ap);
	return -EBADMSG;
}

__s64 rtk_load_int(const json_t *o, const char *name, __s64 none)
{
	const json_t *v = json_object_get(o, name);

	return json_is_integer(v) ? json_integer_value(v) : none;
}

const char *rtk_load_string(const json_t *o, const char *name)
{
	return json_string_value(json_object_get(o, name)) ?: "";
}

__s64 rtk_load_time(const json_t *o, const char *name)
{
	struct tm tm = { 0 };
	const char *p;
	long ns;
	char *end;

	p = strptime(rtk_load_string(o, name), "%Y-%m-%dT%H:%M:%S", &tm);
	if (!p || *p != '.')
		return -1;
	ns = strtol(p + 1, &end, 10);
	if (end != p + 10 || *end != 'Z')
		return -1;
	return timegm(&tm) * 1000000000LL + ns;
}

static bool is_known(const char *key, const char *const *known)
{
	while (*known && strcmp(*known, key))
		known++;
	return *known;
}

void rtk_load_items(json_t *o, const char *const *known,
		    struct rtk_items *items)
{
	struct rtk_item *item;
	const char *key;
	json_t *v;

	json_object_foreach(o, key, v) {
		if (is_known(key, known) || !json_is_integer(v) ||
		    items->n == RTK_ITEMS_MAX)
			continue;
		item = &items->v[items->n++];
		rtk_copy(item->name, sizeof(item->name), key);
		item->value = (__u64)json_integer_value(v);
	}
}
