// SPDX-License-Identifier: GPL-2.0
#include <string.h>

#include "levels.h"
#include "memcurve.h"

/* Points in an octave. */
#define OCTAVE 2
#define POINTS_MAX 64

/* No slower than any larger size. */
static __s64 clean(const __s64 *ps, size_t n, size_t i)
{
	__s64 least = ps[i];

	for (; i < n; i++)
		if (ps[i] < least)
			least = ps[i];
	return least;
}

static bool is_flat(const __s64 *ps, size_t n, size_t i)
{
	return clean(ps, n, i + OCTAVE) * 4 <= clean(ps, n, i) * 5;
}

static __s64 median(const __s64 *ps, size_t n)
{
	__s64 sorted[POINTS_MAX];
	size_t i, k = 0;

	for (i = 0; i < n; i++)
		rtk_memcurve_insert(sorted, &k, ps[i]);
	return rtk_memcurve_median(sorted, n);
}

void rtk_levels_find(struct rtk_levels *l, const __s64 *size, const __s64 *ps,
		     size_t n)
{
	size_t i = 0, first;
	__s64 begin;

	memset(l, 0, sizeof(*l));
	if (n > POINTS_MAX)
		n = POINTS_MAX;
	while (i + OCTAVE < n && l->n < RTK_LEVELS_MAX) {
		if (!is_flat(ps, n, i)) {
			i++;
			continue;
		}
		first = i;
		begin = clean(ps, n, i);
		while (i < n && clean(ps, n, i) * 10 <= begin * 16)
			i++;
		l->v[l->n].ps = median(ps + first, i - first);
		l->v[l->n++].size = i < n ? size[i - 1] : 0;
	}
}

/* The last part that ends near this size, or n. */
static size_t near_to(const struct rtk_levels *l, size_t from, __s64 stated)
{
	size_t i, found = l->n;

	for (i = from; i < l->n; i++)
		if (l->v[i].size * 2 >= stated && l->v[i].size <= stated * 2)
			found = i;
	return found;
}

static void put_seen(struct rtk_levelrow *row, const struct rtk_level *l)
{
	row->seen = l->size;
	row->ps = l->ps;
}

size_t rtk_levels_match(const struct rtk_levels *l, const struct rtk_caches *c,
			struct rtk_levelrow *row)
{
	size_t i, k, at = 0, n = 0;

	memset(row, 0, RTK_LEVELROWS_MAX * sizeof(*row));
	for (i = 0; i < c->n; i++) {
		k = near_to(l, at, c->v[i].size);
		/* Parts of smaller sizes are nobody's. */
		while (at < l->n && at != k && l->v[at].size &&
		       (k < l->n || l->v[at].size < c->v[i].size))
			put_seen(&row[n++], &l->v[at++]);
		row[n].level = c->v[i].level;
		row[n].stated = c->v[i].size;
		if (k < l->n)
			put_seen(&row[n], &l->v[at++]);
		n++;
	}
	while (at < l->n)
		put_seen(&row[n++], &l->v[at++]);
	return n;
}
