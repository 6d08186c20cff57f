// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "merge.h"
#include "util.h"
#include "verdict.h"

/* Of outliers so many are kept of all parts. */
#define OUTLIERS_MAX 8192
#define WORST 8

__u64 rtk_merge_close(struct rtk_result *before)
{
	__u64 open, most, all = 0;
	struct rtk_lane *lane;

	if (before->test.state != RTK_STATE_RUNNING)
		return 0;
	for (lane = before->lanes.v; lane < before->lanes.v + before->lanes.n;
	     lane++) {
		if (!lane->ledger || !lane->period_ns)
			continue;
		open = lane->expected - lane->delivered - lane->missed;
		most = ((__u64)lane->max + 1000000000) / lane->period_ns + 2;
		if (open > most)
			continue;
		lane->expected -= open;
		all += open;
	}
	return all;
}

static int add_buckets(struct rtk_lane *lane, const struct rtk_lane *from)
{
	__u64 *full = calloc(RTK_STATS_BUCKETS, sizeof(*full));
	struct rtk_bucket *b;
	__u32 i;

	if (!full)
		return -ENOMEM;
	rtk_stats_add(full, lane->buckets, lane->nbuckets);
	rtk_stats_add(full, from->buckets, from->nbuckets);
	free(lane->buckets);
	lane->buckets = NULL;
	lane->nbuckets = 0;
	for (i = 0; i < RTK_STATS_BUCKETS; i++) {
		if (!full[i])
			continue;
		b = rtk_grow(&lane->buckets, &lane->nbuckets, sizeof(*b));
		if (!b)
			break;
		b->index = i;
		b->count = full[i];
	}
	free(full);
	return i < RTK_STATS_BUCKETS ? -ENOMEM : 0;
}

static void add_moments(struct rtk_lane *lane, const struct rtk_lane *from)
{
	struct rtk_moments m, other;

	rtk_lane_moments(lane, &m);
	rtk_lane_moments(from, &other);
	rtk_moments_merge(&m, &other);
	lane->moments = true;
	lane->moments_count = m.n;
	lane->min = m.min;
	lane->max = m.max;
	lane->sum = (__s64)m.sum;
	lane->sumsq_lo = (__u64)m.sumsq;
	lane->sumsq_hi = (__u64)(m.sumsq >> 64);
}

/* Limits and extremes: of these the larger is that of both. */
static bool is_extreme(const char *name)
{
	static const char *const extremes[] = { "rest_late_ns", "mmio_limit_ns",
						"clock_ns", "device_fast_ppb",
						"device_slow_ppb" };
	size_t i;

	for (i = 0; i < RTK_ARRAY_SIZE(extremes); i++)
		if (!strcmp(extremes[i], name))
			return true;
	return false;
}

/* A checkpoint of a test in user space has none, but those of before. */
static void add_counters(struct rtk_items *to, const struct rtk_items *from)
{
	const struct rtk_item *f;
	struct rtk_item *item;

	for (f = from->v; f < from->v + from->n; f++) {
		for (item = to->v; item < to->v + to->n; item++)
			if (!strcmp(item->name, f->name))
				break;
		if (item == to->v + RTK_ITEMS_MAX)
			continue;
		if (item == to->v + to->n) {
			*item = *f;
			to->n++;
		} else if (!is_extreme(f->name)) {
			item->value += f->value;
		} else if (f->value > item->value) {
			item->value = f->value;
		}
	}
}

static int add_lane(struct rtk_lane *lane, const struct rtk_lane *from)
{
	add_moments(lane, from);
	lane->count += from->count;
	lane->negative += from->negative;
	lane->wrong_cpu += from->wrong_cpu;
	lane->outliers += from->outliers;
	lane->expected += from->expected;
	lane->delivered += from->delivered;
	lane->late += from->late;
	lane->missed += from->missed;
	lane->smi += from->smi;
	if (from->nmi > 0)
		lane->nmi = (lane->nmi < 0 ? 0 : lane->nmi) + from->nmi;
	add_counters(&lane->counters, &from->counters);
	return add_buckets(lane, from);
}

static int add_lanes(struct rtk_result *r, const struct rtk_result *before)
{
	const struct rtk_lane *from;
	struct rtk_lane *lane;
	size_t i;
	int err = 0;

	for (i = 0; !err && i < before->lanes.n; i++) {
		from = &before->lanes.v[i];
		lane = rtk_lanes_find(&r->lanes, i, from->series, from->cpu);
		/* The present part may not have that CPU any more. */
		err = lane ? add_lane(lane, from) :
			     rtk_lanes_add(&r->lanes, from);
	}
	return err;
}

/* Outliers in the order of time; then the worst, lane by lane, worst first. */
static int compare(const void *a, const void *b)
{
	const struct rtk_outlier *x = a, *y = b;
	int order;

	if (x->worst != y->worst)
		return x->worst ? 1 : -1;
	if (!x->worst)
		return (x->wall_ns > y->wall_ns) - (x->wall_ns < y->wall_ns);
	order = strcmp(x->series, y->series);
	if (order)
		return order;
	if (x->cpu != y->cpu)
		return x->cpu < y->cpu ? -1 : 1;
	return (x->value < y->value) - (x->value > y->value);
}

static bool is_same_lane(const struct rtk_outlier *a,
			 const struct rtk_outlier *b)
{
	return a->cpu == b->cpu && !strcmp(a->series, b->series);
}

/* Of each lane as many of the worst as one part has; not all the others. */
static int add_outliers(struct rtk_result *r, const struct rtk_result *before)
{
	struct rtk_outliers *list = &r->outliers;
	struct rtk_outlier *o, *kept;
	size_t i, n = 0, rank = 0;

	for (i = 0; i < before->outliers.n; i++) {
		o = rtk_grow(&list->v, &list->n, sizeof(*o));
		if (!o)
			return -ENOMEM;
		*o = before->outliers.v[i];
	}
	if (list->n)
		qsort(list->v, list->n, sizeof(*list->v), compare);
	for (i = 0; i < list->n; i++) {
		o = &list->v[i];
		kept = n ? &list->v[n - 1] : NULL;
		rank = kept && kept->worst && is_same_lane(kept, o) ? rank + 1 :
								      0;
		if (o->worst ? rank < WORST : i < OUTLIERS_MAX)
			list->v[n++] = *o;
	}
	list->n = n;
	return 0;
}

static int add_part(struct rtk_result *r, const struct rtk_result *of)
{
	struct rtk_part *part = rtk_grow(&r->parts, &r->nparts, sizeof(*part));

	if (!part)
		return -ENOMEM;
	part->started_wall_ns = of->test.started_wall_ns;
	part->duration_ns = of->test.elapsed_ns < 0 ? 0 : of->test.elapsed_ns;
	rtk_copy(part->ended, sizeof(part->ended), of->test.reason);
	part->status = of->verdict.status;
	return 0;
}

/* All before it, then the present one: it is the last, and not judged yet. */
static int set_parts(struct rtk_result *r, const struct rtk_result *before)
{
	size_t i;
	int err = 0;

	free(r->parts);
	r->parts = NULL;
	r->nparts = 0;
	for (i = 0; !err && i < before->nparts; i++) {
		err = add_part(r, r);
		if (!err)
			r->parts[i] = before->parts[i];
	}
	if (!err && !before->nparts)
		err = add_part(r, before);
	if (!err)
		err = add_part(r, r);
	return err;
}

int rtk_merge_data(struct rtk_result *r, const struct rtk_result *before)
{
	struct rtk_test *t = &r->test;
	int err = set_parts(r, before);

	if (!err)
		err = add_lanes(r, before);
	if (!err)
		err = add_outliers(r, before);
	/* A checkpoint may have come before the first sample. */
	if (before->test.started_wall_ns >= 0)
		t->started_wall_ns = before->test.started_wall_ns;
	if (t->elapsed_ns < 0)
		t->elapsed_ns = 0;
	t->elapsed_ns += before->test.elapsed_ns;
	if (t->planned_ns > 0)
		t->planned_ns += before->test.elapsed_ns;
	return err;
}

static bool is_mended(const char *id)
{
	static const char *const mended[] = { "running", "few-samples",
					      "interrupted" };
	size_t i;

	for (i = 0; i < RTK_ARRAY_SIZE(mended); i++)
		if (!strcmp(mended[i], id))
			return true;
	return false;
}

static bool has_reason(const struct rtk_verdict *v, const char *id)
{
	size_t i;

	for (i = 0; i < v->n; i++)
		if (!strcmp(v->v[i].id, id))
			return true;
	return false;
}

int rtk_merge_verdict(struct rtk_result *r, const struct rtk_result *before)
{
	struct rtk_verdict *v = &r->verdict;
	const struct rtk_reason *from;
	struct rtk_reason *reason;
	size_t i;

	r->parts[r->nparts - 1].status = v->status;
	for (i = 0; i < before->verdict.n; i++) {
		from = &before->verdict.v[i];
		if (is_mended(from->id) || has_reason(v, from->id))
			continue;
		reason = rtk_grow(&v->v, &v->n, sizeof(*reason));
		if (!reason)
			return -ENOMEM;
		*reason = *from;
		if (reason->status > v->status)
			v->status = reason->status;
	}
	return 0;
}
