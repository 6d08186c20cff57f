// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memcurve.h"
#include "util.h"

#define KIB 1024

static bool is_stride(const struct rtk_strides *s, __s64 v, __s64 largest,
		      char *why, size_t len)
{
	size_t i;

	if (v < (__s64)sizeof(void *) || v > largest || v % sizeof(void *)) {
		snprintf(why, len, "%lld: allowed %zu..%lld, multiples of %zu",
			 v, sizeof(void *), largest, sizeof(void *));
		return false;
	}
	for (i = 0; i < s->n; i++) {
		if (s->v[i] != v)
			continue;
		snprintf(why, len, "%lld is there twice", v);
		return false;
	}
	if (s->n == RTK_STRIDES_MAX)
		snprintf(why, len, "more than %d", RTK_STRIDES_MAX);
	return s->n < RTK_STRIDES_MAX;
}

int rtk_strides_parse(struct rtk_strides *s, const char *text, __s64 largest,
		      char *why, size_t len)
{
	const char *p = text;
	char *end;
	long long v;

	s->n = 0;
	for (;; p = end + 1) {
		errno = 0;
		v = strtoll(p, &end, 10);
		if (end == p || errno || (*end && *end != ',')) {
			snprintf(why, len,
				 "not a list of bytes such as 64,512");
			return -EINVAL;
		}
		if (!is_stride(s, v, largest, why, len))
			return -EINVAL;
		s->v[s->n++] = v;
		if (!*end)
			return 0;
	}
}

/* Two in an octave, from 4 KiB on. */
__s64 rtk_memcurve_next(__s64 size)
{
	__s64 above;

	if (size < KIB)
		return size * 2;
	if (size < 4 * KIB)
		return size + KIB;
	for (above = 8 * KIB; above <= size; above *= 2)
		;
	return size + above / 4;
}

size_t rtk_memcurve_points(__s64 stride, __s64 largest)
{
	size_t n = 0;
	__s64 size;

	for (size = RTK_MEMCURVE_FIRST; size <= largest;
	     size = rtk_memcurve_next(size))
		n += size >= stride;
	return n;
}

__s64 rtk_memcurve_median(const __s64 *v, size_t n)
{
	return (v[(n - 1) / 2] + v[n / 2]) / 2;
}

void rtk_memcurve_insert(__s64 *v, size_t *n, __s64 value)
{
	size_t i = (*n)++;

	for (; i && v[i - 1] > value; i--)
		v[i] = v[i - 1];
	v[i] = value;
}

/* All rows of a point, of which the first is given. */
static void merge_point(struct rtk_mempoint *p, const struct rtk_datatable *t,
			size_t first, __s64 *medians)
{
	__s64 min;
	size_t i, n = 0;

	p->stride = rtk_extra_cell(t, first, "stride_bytes");
	p->size = rtk_extra_cell(t, first, "size_bytes");
	p->min_ps = rtk_extra_cell(t, first, "min_ps");
	for (i = first; i < t->n; i++) {
		if (rtk_extra_cell(t, i, "stride_bytes") != p->stride ||
		    rtk_extra_cell(t, i, "size_bytes") != p->size)
			continue;
		min = rtk_extra_cell(t, i, "min_ps");
		if (min < p->min_ps)
			p->min_ps = min;
		rtk_memcurve_insert(medians, &n,
				    rtk_extra_cell(t, i, "median_ps"));
		p->loads += rtk_extra_cell(t, i, "loads");
	}
	p->median_ps = rtk_memcurve_median(medians, n);
}

static bool has_point(const struct rtk_memcurve *c, __s64 stride, __s64 size)
{
	size_t i;

	for (i = 0; i < c->n; i++)
		if (c->v[i].stride == stride && c->v[i].size == size)
			return true;
	return false;
}

int rtk_memcurve_merge(struct rtk_memcurve *c, const struct rtk_datatable *t)
{
	__s64 *medians = calloc(t->n + 1, sizeof(*medians));
	struct rtk_mempoint *p;
	int err = 0;
	size_t i;

	memset(c, 0, sizeof(*c));
	if (!medians)
		return -ENOMEM;
	for (i = 0; !err && i < t->n; i++) {
		if (has_point(c, rtk_extra_cell(t, i, "stride_bytes"),
			      rtk_extra_cell(t, i, "size_bytes")))
			continue;
		p = rtk_grow(&c->v, &c->n, sizeof(*p));
		if (p)
			merge_point(p, t, i, medians);
		else
			err = -ENOMEM;
	}
	free(medians);
	if (err)
		rtk_memcurve_free(c);
	return err;
}

void rtk_memcurve_free(struct rtk_memcurve *c)
{
	free(c->v);
	memset(c, 0, sizeof(*c));
}
