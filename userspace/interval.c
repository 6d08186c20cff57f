// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "interval.h"
#include "stats.h"
#include "util.h"

static __u64 count_at(const struct rtk_lane *lane, __u32 index)
{
	size_t i;

	for (i = 0; lane && i < lane->nbuckets; i++)
		if (lane->buckets[i].index == index)
			return lane->buckets[i].count;
	return 0;
}

static __s64 upper_end(__u32 index)
{
	__s64 low, high;

	rtk_stats_row(index, &low, &high);
	return index == RTK_HIST_BUCKETS - 1 ? high : high - 1;
}

static bool has_value(__u32 index, __s64 value)
{
	__s64 low, high;

	rtk_stats_row(index, &low, &high);
	return value >= low && value <= upper_end(index);
}

static bool has_grown(const struct rtk_lane *before, const struct rtk_bucket *b)
{
	return b->count > count_at(before, b->index);
}

/*
 * The bucket of the largest values that has more samples than before. They are in
 * the order of their indices: those of negative values come last, the largest first.
 */
static const struct rtk_bucket *top_grown(const struct rtk_lane *before,
					  const struct rtk_lane *now)
{
	const struct rtk_bucket *b = now->buckets + now->nbuckets;

	while (b-- > now->buckets)
		if (b->index < RTK_HIST_BUCKETS && has_grown(before, b))
			return b;
	for (b = now->buckets; b < now->buckets + now->nbuckets; b++)
		if (b->index >= RTK_HIST_BUCKETS && has_grown(before, b))
			return b;
	return NULL;
}

/*
 * One of the worst that is in this interval and bucket: what is larger is among them,
 * too. Of the other outliers a larger one may be overwritten.
 */
static bool is_in(const struct rtk_outlier *o, const struct rtk_lane *lane,
		  __u32 index, __s64 after_ns)
{
	return o->worst && o->cpu == lane->cpu &&
	       !strcmp(o->series, lane->series) && o->mono_ns > after_ns &&
	       has_value(index, o->value);
}

static void lane_max(const struct rtk_intervals *list,
		     const struct rtk_lane *before, const struct rtk_lane *now,
		     const struct rtk_outliers *kept, struct rtk_interval *one)
{
	const struct rtk_bucket *top = top_grown(before, now);
	const struct rtk_outlier *o;

	if (!top)
		return;
	one->cpu = now->cpu;
	one->max = upper_end(top->index);
	/*
	 * Buckets and maximum are copied one after the other: only where they agree is
	 * the sample of the one in the other.
	 */
	if (has_value(top->index, now->max)) {
		one->max = now->max;
		one->exact = !before || !before->count ||
			     now->max > before->max;
	}
	if (one->exact || !kept)
		return;
	for (o = kept->v; o < kept->v + kept->n; o++) {
		if (!is_in(o, now, top->index, list->last_mono_ns))
			continue;
		if (!one->exact || o->value > one->max)
			one->max = o->value;
		one->exact = true;
	}
}

static int look(struct rtk_intervals *list, const struct rtk_lanes *lanes,
		const struct rtk_outliers *kept, struct rtk_interval *one,
		size_t from)
{
	const struct rtk_lane *lane, *before;
	struct rtk_interval best = *one, cpu;
	bool found = false;
	size_t i;

	for (i = from; i < lanes->n; i++) {
		lane = &lanes->v[i];
		if (strcmp(lane->series, one->series))
			continue;
		before =
			rtk_lanes_find(&list->last, i, lane->series, lane->cpu);
		if (lane->count <= (before ? before->count : 0))
			continue;
		best.count += lane->count - (before ? before->count : 0);
		cpu = *one;
		lane_max(list, before, lane, kept, &cpu);
		if (found && cpu.max <= best.max)
			continue;
		found = true;
		best.cpu = cpu.cpu;
		best.max = cpu.max;
		best.exact = cpu.exact;
	}
	return found ? rtk_intervals_add(list, &best) : 0;
}

static bool is_first(const struct rtk_lanes *lanes, size_t at)
{
	size_t i = 0;

	while (strcmp(lanes->v[i].series, lanes->v[at].series))
		i++;
	return i == at;
}

static int remember(struct rtk_lanes *last, const struct rtk_lanes *lanes)
{
	size_t i;
	int err = 0;

	rtk_lanes_free(last);
	for (i = 0; !err && i < lanes->n; i++)
		err = rtk_lanes_add(last, &lanes->v[i]);
	return err;
}

int rtk_intervals_look(struct rtk_intervals *list,
		       const struct rtk_lanes *lanes,
		       const struct rtk_outliers *kept, __s64 wall_ns,
		       __s64 mono_ns)
{
	struct rtk_interval one = { .wall_ns = wall_ns, .mono_ns = mono_ns };
	size_t i;
	int err = 0;

	for (i = 0; !err && i < lanes->n; i++) {
		if (!is_first(lanes, i))
			continue;
		rtk_copy(one.series, sizeof(one.series), lanes->v[i].series);
		err = look(list, lanes, kept, &one, i);
	}
	if (!err)
		err = remember(&list->last, lanes);
	list->last_mono_ns = mono_ns;
	return err;
}

/* The next interval of the same series, from @i on. */
static struct rtk_interval *next(struct rtk_intervals *list, size_t i)
{
	struct rtk_interval *one = &list->v[i], *other;

	for (other = one + 1; other < list->v + list->n; other++)
		if (!strcmp(other->series, one->series))
			return other;
	return NULL;
}

/* Two become one, with the end of the later. */
static void halve(struct rtk_intervals *list)
{
	struct rtk_interval *one, *other;
	size_t i, n = 0;

	for (i = 0; i < list->n; i++) {
		one = &list->v[i];
		if (!one->series[0])
			continue;
		other = next(list, i);
		if (other) {
			one->count += other->count;
			one->wall_ns = other->wall_ns;
			one->mono_ns = other->mono_ns;
			if (other->max > one->max) {
				one->max = other->max;
				one->cpu = other->cpu;
				one->exact = other->exact;
			}
			other->series[0] = '\0';
		}
		list->v[n++] = *one;
	}
	list->n = n;
}

int rtk_intervals_add(struct rtk_intervals *list,
		      const struct rtk_interval *one)
{
	struct rtk_interval *place;

	if (list->n >= RTK_INTERVALS_MAX)
		halve(list);
	place = rtk_grow(&list->v, &list->n, sizeof(*place));
	if (!place)
		return -ENOMEM;
	*place = *one;
	return 0;
}

void rtk_intervals_free(struct rtk_intervals *list)
{
	free(list->v);
	rtk_lanes_free(&list->last);
	memset(list, 0, sizeof(*list));
}
