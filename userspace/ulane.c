// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "result.h"
#include "ulane.h"
#include "util.h"

int rtk_ulane_init(struct rtk_ulane *lane, int cpu, bool is_signed, __s64 limit)
{
	size_t size = RTK_STATS_BUCKETS * sizeof(*lane->count);

	memset(lane, 0, sizeof(*lane));
	lane->cpu = cpu;
	lane->is_signed = is_signed;
	lane->limit = limit;
	lane->least = INT64_MIN;
	lane->count = malloc(size);
	if (!lane->count)
		return -ENOMEM;
	/* Written, not only mapped: the first sample must not fault. */
	memset(lane->count, 0, size);
	return 0;
}

void rtk_ulane_free(struct rtk_ulane *lane)
{
	free(lane->count);
	lane->count = NULL;
}

static struct rtk_ulane_worst *least(struct rtk_ulane *lane)
{
	struct rtk_ulane_worst *w = &lane->worst[0];
	size_t i;

	for (i = 1; i < lane->n_worst; i++)
		if (lane->worst[i].value < w->value)
			w = &lane->worst[i];
	return w;
}

void rtk_ulane_keep(struct rtk_ulane *lane, __s64 value)
{
	struct rtk_ulane_worst *w;

	if (value > lane->limit)
		lane->outliers++;
	if (value <= lane->least)
		return;
	if (lane->n_worst < RTK_ULANE_WORST)
		w = &lane->worst[lane->n_worst++];
	else
		w = least(lane);
	w->value = value;
	w->sequence = lane->m.n - 1;
	w->wall_ns = rtk_wall_ns();
	w->mono_ns = rtk_mono_ns();
	if (lane->n_worst == RTK_ULANE_WORST)
		lane->least = least(lane)->value;
}

void rtk_ulane_merge(struct rtk_ulane *lane, const struct rtk_lane *from)
{
	struct rtk_moments m;

	rtk_lane_moments(from, &m);
	rtk_stats_add(lane->count, from->buckets, from->nbuckets);
	rtk_moments_merge(&lane->m, &m);
	lane->last = from->last;
	lane->negative += from->negative;
	lane->wrong_cpu += from->wrong_cpu;
}

void rtk_ulane_look(const struct rtk_ulane *lane, struct rtk_lane *out)
{
	out->cpu = (__u32)lane->cpu;
	out->moments_count = __atomic_load_n(&lane->m.n, __ATOMIC_ACQUIRE);
	out->count = out->moments_count;
	out->moments = out->moments_count;
	out->running = true;
	out->nmi = -1;
	out->min = __atomic_load_n(&lane->m.min, __ATOMIC_RELAXED);
	out->max = __atomic_load_n(&lane->m.max, __ATOMIC_RELAXED);
	out->last = __atomic_load_n(&lane->last, __ATOMIC_RELAXED);
}

static int export_buckets(const struct rtk_ulane *lane, struct rtk_lane *out)
{
	struct rtk_bucket *b;
	__u32 i;

	for (i = 0; i < RTK_STATS_BUCKETS; i++) {
		if (!lane->count[i])
			continue;
		b = rtk_grow(&out->buckets, &out->nbuckets, sizeof(*b));
		if (!b)
			return -ENOMEM;
		b->index = i;
		b->count = lane->count[i];
		out->count += b->count;
	}
	out->complete = true;
	return 0;
}

static int worse(const void *a, const void *b)
{
	const struct rtk_ulane_worst *x = a, *y = b;

	return (x->value < y->value) - (x->value > y->value);
}

static int export_worst(const struct rtk_ulane *lane, const char *series,
			struct rtk_outliers *outliers)
{
	struct rtk_ulane_worst sorted[RTK_ULANE_WORST];
	struct rtk_outlier *o;
	size_t i;

	memcpy(sorted, lane->worst, sizeof(sorted));
	qsort(sorted, lane->n_worst, sizeof(sorted[0]), worse);
	for (i = 0; i < lane->n_worst; i++) {
		o = rtk_grow(&outliers->v, &outliers->n, sizeof(*o));
		if (!o)
			return -ENOMEM;
		rtk_outlier_init(o);
		rtk_copy(o->series, sizeof(o->series), series);
		o->cpu = (__u32)lane->cpu;
		o->worst = true;
		o->value = sorted[i].value;
		o->sequence = sorted[i].sequence;
		o->wall_ns = sorted[i].wall_ns;
		o->mono_ns = sorted[i].mono_ns;
	}
	return 0;
}

int rtk_ulane_export(const struct rtk_ulane *lane, struct rtk_lane *out,
		     struct rtk_outliers *outliers)
{
	rtk_ulane_look(lane, out);
	out->running = false;
	out->count = 0;
	/* Sums of a series and sum of squares as the module gives them. */
	out->sum = (__s64)lane->m.sum;
	out->sumsq_lo = (__u64)lane->m.sumsq;
	out->sumsq_hi = (__u64)(lane->m.sumsq >> 64);
	out->negative = lane->negative;
	out->wrong_cpu = lane->wrong_cpu;
	out->outliers = lane->outliers;
	if (export_buckets(lane, out))
		return -ENOMEM;
	return export_worst(lane, out->series, outliers);
}

/* Each try takes some ten microseconds; samples are most often further apart. */
#define TRIES 8

static bool is_whole(const struct rtk_ulane *lane, const struct rtk_ulane *copy,
		     const __u64 *count)
{
	__u64 sum = 0;
	size_t i;

	for (i = 0; i < RTK_STATS_BUCKETS; i++)
		sum += count[i];
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	return sum == copy->m.n &&
	       __atomic_load_n(&lane->m.n, __ATOMIC_RELAXED) == copy->m.n &&
	       !memcmp(lane->worst, copy->worst, sizeof(copy->worst));
}

/*
 * The writer counts in a bucket first, in m.n last. A copy of the sums that was made
 * before that of the buckets is whole if these add up to m.n and m.n has not moved.
 */
int rtk_ulane_snap(const struct rtk_ulane *lane, struct rtk_lane *out,
		   struct rtk_outliers *outliers)
{
	size_t size = RTK_STATS_BUCKETS * sizeof(*lane->count);
	__u64 *count = malloc(size);
	struct rtk_ulane copy;
	int tries = TRIES, err;

	if (!count)
		return -ENOMEM;
	do {
		copy = *lane;
		__atomic_thread_fence(__ATOMIC_ACQUIRE);
		memcpy(count, lane->count, size);
	} while (!is_whole(lane, &copy, count) && --tries);
	copy.count = count;
	err = rtk_ulane_export(&copy, out, outliers);
	out->running = true;
	free(count);
	return err;
}
