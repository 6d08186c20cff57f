// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "caches.h"
#include "util.h"

#define INDEX "%s/sys/devices/system/cpu/cpu%d/cache/index%d/"
/* More than any CPU has: caches of instructions are among them. */
#define INDICES 16

/* "48K", as the kernel writes it. */
static __s64 parse_size(const char *text)
{
	static const char units[] = "KMG";
	const char *unit;
	char *end;
	long v = strtol(text, &end, 10);

	if (end == text || v <= 0 || v > 1 << 24)
		return 0;
	if (!*end)
		return v;
	unit = strchr(units, *end);
	return unit && !end[1] ? (__s64)v << (10 * (unit - units + 1)) : 0;
}

/* Is it there, for data, and of a known size? */
static bool read_cache(struct rtk_cache *cache, const char *root, int cpu,
		       int index)
{
	char text[32];
	__s64 level;

	if (rtk_read_text(text, sizeof(text), INDEX "type", root, cpu, index) <=
		    0 ||
	    !strcmp(text, "Instruction"))
		return false;
	if (rtk_read_number(&level, INDEX "level", root, cpu, index) ||
	    level < 1)
		return false;
	rtk_read_text(text, sizeof(text), INDEX "size", root, cpu, index);
	cache->level = (unsigned int)level;
	cache->size = parse_size(text);
	cache->line = 0;
	rtk_read_number(&cache->line, INDEX "coherency_line_size", root, cpu,
			index);
	return cache->size > 0;
}

static int by_level(const void *a, const void *b)
{
	const struct rtk_cache *x = a, *y = b;

	return x->level < y->level ? -1 : x->level > y->level;
}

int rtk_caches_read(struct rtk_caches *c, const char *root, int cpu)
{
	int i;

	memset(c, 0, sizeof(*c));
	for (i = 0; i < INDICES && c->n < RTK_CACHES_MAX; i++)
		if (read_cache(&c->v[c->n], root, cpu, i))
			c->n++;
	qsort(c->v, c->n, sizeof(c->v[0]), by_level);
	return c->n ? 0 : -ENOENT;
}

const struct rtk_cache *rtk_caches_level(const struct rtk_caches *c,
					 unsigned int level)
{
	size_t i;

	for (i = 0; i < c->n; i++)
		if (c->v[i].level == level)
			return &c->v[i];
	return NULL;
}
