// SPDX-License-Identifier: GPL-2.0
/* Largest samples from look to look, of lanes made up here. */
#include "interval.h"
#include "results.h"

/* Values of one look: added to what the lane has. */
static void add(struct rtk_lane *l, __s64 value, __u64 n)
{
	__u32 index = value < 0 ? RTK_HIST_BUCKETS +
					  (__u32)rtk_hist_index((__u64)-value) :
				  (__u32)rtk_hist_index((__u64)value);
	struct rtk_bucket *b;
	size_t i;

	for (i = 0; i < l->nbuckets && l->buckets[i].index != index; i++)
		;
	b = &l->buckets[i];
	if (i == l->nbuckets)
		l->nbuckets++;
	b->index = index;
	b->count += n;
	if (!l->count || value > l->max)
		l->max = value;
	l->count += n;
}

static void make_lanes(struct rtk_lanes *lanes)
{
	struct rtk_lane *l;
	size_t i;

	memset(lanes, 0, sizeof(*lanes));
	for (i = 0; i < 4; i++) {
		l = rtk_grow(&lanes->v, &lanes->n, sizeof(*l));
		rtk_copy(l->series, sizeof(l->series), i < 2 ? "irq" : "diff");
		l->cpu = i % 2;
		l->buckets = calloc(16, sizeof(*l->buckets));
	}
}

static const struct rtk_interval *last(const struct rtk_intervals *list,
				       const char *series)
{
	size_t i = list->n;

	while (i--)
		if (!strcmp(list->v[i].series, series))
			return &list->v[i];
	return NULL;
}

static void test_looks(void)
{
	struct rtk_intervals list = { 0 };
	struct rtk_outlier record;
	struct rtk_outliers kept = { &record, 1 };
	const struct rtk_interval *one;
	struct rtk_lanes lanes;

	make_lanes(&lanes);
	add(&lanes.v[0], 100, 10);
	add(&lanes.v[1], 5000, 1);
	rtk_intervals_look(&list, &lanes, NULL, 1000, 10);
	ok_num(list.n, 1, "a series without samples has none");
	one = last(&list, "irq");
	ok(one->max == 5000 && one->exact && one->cpu == 1 && one->count == 11,
	   "the first: the largest of both CPUs, exact");

	add(&lanes.v[1], 4000, 3);
	rtk_intervals_look(&list, &lanes, NULL, 2000, 20);
	one = last(&list, "irq");
	/* 4000 is in the bucket from 3968 to 4031. */
	ok(one->max == 4031 && !one->exact && one->count == 3 &&
	   one->wall_ns == 2000 && one->mono_ns == 20,
	   "not above the maximum: the end of its bucket");

	rtk_outlier_init(&record);
	rtk_copy(record.series, sizeof(record.series), "irq");
	record.cpu = 1;
	record.value = 4002;
	record.mono_ns = 25;
	record.worst = true;
	add(&lanes.v[1], 4002, 1);
	rtk_intervals_look(&list, &lanes, &kept, 3000, 30);
	one = last(&list, "irq");
	ok(one->max == 4002 && one->exact, "with a record of it: exact");

	add(&lanes.v[1], 4001, 1);
	rtk_intervals_look(&list, &lanes, &kept, 4000, 40);
	one = last(&list, "irq");
	ok(one->max == 4031 && !one->exact, "a record of before is none");

	record.mono_ns = 42;
	record.worst = false;
	add(&lanes.v[1], 4003, 1);
	rtk_intervals_look(&list, &lanes, &kept, 4500, 45);
	one = last(&list, "irq");
	ok(one->max == 4031 && !one->exact,
	   "an outlier tells nothing of those that are overwritten");

	add(&lanes.v[1], 4999, 1);
	rtk_intervals_look(&list, &lanes, NULL, 5000, 50);
	one = last(&list, "irq");
	ok(one->max == 5000 && !one->exact,
	   "never above the maximum of the run");

	add(&lanes.v[2], -100, 2);
	add(&lanes.v[2], -300, 2);
	rtk_intervals_look(&list, &lanes, NULL, 6000, 60);
	one = last(&list, "diff");
	ok(one && one->max == -100 && one->count == 4, "negative values");
	ok(last(&list, "irq")->mono_ns == 50, "and nothing for the others");
	rtk_intervals_free(&list);
	rtk_lanes_free(&lanes);
}

/* A lane that is written between the copies of its buckets and its maximum. */
static void test_between(void)
{
	struct rtk_intervals list = { 0 };
	const struct rtk_interval *one;
	struct rtk_lanes lanes;
	struct rtk_lane *l;

	make_lanes(&lanes);
	l = &lanes.v[0];
	add(l, 100, 1);
	l->max = 9000;
	rtk_intervals_look(&list, &lanes, NULL, 1000, 10);
	one = last(&list, "irq");
	ok(one->max == 100 && !one->exact,
	   "a maximum that is in no bucket yet: not in this interval");
	add(l, 9000, 1);
	rtk_intervals_look(&list, &lanes, NULL, 2000, 20);
	ok_num(last(&list, "irq")->max, 9000, "but in the next");

	add(l, 20000, 1);
	l->max = 9000;
	rtk_intervals_look(&list, &lanes, NULL, 3000, 30);
	one = last(&list, "irq");
	/* 20000 is in the bucket from 19968 to 20223. */
	ok(one->max == 20223 && !one->exact,
	   "a bucket above the maximum: not too small");
	add(l, 100, 1);
	l->max = 20000;
	rtk_intervals_look(&list, &lanes, NULL, 4000, 40);
	one = last(&list, "irq");
	ok(one->max == 100 && !one->exact, "... and it is counted there only");
	rtk_intervals_free(&list);
	rtk_lanes_free(&lanes);
}

/* Years of it are no more than so many. */
static void test_bound(void)
{
	struct rtk_interval one = { .series = "irq" };
	struct rtk_intervals list = { 0 };
	__u64 samples = 0;
	__s64 max = 0;
	size_t i;

	for (i = 0; i < 10 * RTK_INTERVALS_MAX; i++) {
		rtk_copy(one.series, sizeof(one.series), i % 2 ? "irq" : "b");
		one.count = 1;
		one.max = i == 7001 ? 99 : 5;
		one.mono_ns = (__s64)i;
		if (rtk_intervals_add(&list, &one))
			ok(false, "there is memory");
	}
	for (i = 0; i < list.n; i++) {
		samples += list.v[i].count;
		if (list.v[i].max > max)
			max = list.v[i].max;
	}
	ok(list.n <= RTK_INTERVALS_MAX, "%zu intervals", list.n);
	ok_num((long long)samples, 10 * RTK_INTERVALS_MAX, "no sample is lost");
	ok_num(max, 99, "nor is the largest");
	ok_num(last(&list, "irq")->mono_ns, 10 * RTK_INTERVALS_MAX - 1,
	       "nor is the last");
	rtk_intervals_free(&list);
}

int main(void)
{
	tap_begin();
	test_looks();
	test_between();
	test_bound();
	return tap_end();
}
