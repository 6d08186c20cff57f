// SPDX-License-Identifier: GPL-2.0
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "load_value.h"
#include "util.h"

static int read_u128(const char *text, unsigned __int128 *v)
{
	unsigned __int128 before;

	*v = 0;
	if (!*text)
		return -EBADMSG;
	for (; *text; text++) {
		before = *v;
		*v = *v * 10 + (unsigned int)(*text - '0');
		if (!isdigit(*text) || *v / 10 != before)
			return -EBADMSG;
	}
	return 0;
}

/* Documents of the first days have no sums; mean and deviation are rounded. */
static void estimate(const json_t *o, struct rtk_lane *lane)
{
	double n = (double)lane->moments_count, sum, squares;

	sum = json_number_value(json_object_get(o, "mean")) * n;
	squares = json_number_value(json_object_get(o, "stddev"));
	squares = squares * squares * (n - 1) + sum * sum / n;
	lane->sum = llround(sum);
	lane->sumsq_hi = (__u64)(squares / 0x1p64);
	lane->sumsq_lo = (__u64)(squares - (double)lane->sumsq_hi * 0x1p64);
}

static int load_moments(const json_t *o, struct rtk_lane *lane)
{
	const char *sum = rtk_load_string(o, "sum");
	unsigned __int128 squares;
	char *end;

	lane->moments = true;
	if (!json_is_integer(json_object_get(o, "max")))
		return 0;
	lane->min = rtk_load_int(o, "min", 0);
	lane->max = rtk_load_int(o, "max", 0);
	lane->moments_count =
		(__u64)rtk_load_int(o, "sum_samples", (__s64)lane->count);
	if (!*sum) {
		estimate(o, lane);
		return 0;
	}
	errno = 0;
	lane->sum = strtoll(sum, &end, 10);
	if (errno || *end ||
	    read_u128(rtk_load_string(o, "sum_of_squares"), &squares))
		return -EBADMSG;
	lane->sumsq_lo = (__u64)squares;
	lane->sumsq_hi = (__u64)(squares >> 64);
	return 0;
}

static __u32 index_of(__s64 low)
{
	if (low < 0)
		return RTK_HIST_BUCKETS + (__u32)rtk_hist_index((__u64)-low);
	return (__u32)rtk_hist_index((__u64)low);
}

/* Both ends are held against the bucket, so that it can be no other's. */
static int load_bucket(const json_t *row, struct rtk_lane *lane)
{
	__s64 want_low = json_integer_value(json_array_get(row, 0));
	__s64 want_high = json_integer_value(json_array_get(row, 1));
	__s64 count = json_integer_value(json_array_get(row, 2));
	struct rtk_bucket *b =
		rtk_grow(&lane->buckets, &lane->nbuckets, sizeof(*b));
	__s64 low, high;

	if (!b)
		return -ENOMEM;
	b->index = index_of(want_low < 0 ? want_high - 1 : want_low);
	b->count = (__u64)count;
	rtk_stats_row(b->index, &low, &high);
	/* The last one's end is rounded in the document. */
	if (count < 1 || low != want_low ||
	    (high != want_high && want_high < 1LL << 53))
		return -EBADMSG;
	return 0;
}

static int load_histogram(const json_t *o, struct rtk_lane *lane)
{
	const json_t *list = json_object_get(o, "histogram"), *row;
	__u64 count = 0;
	size_t i;
	int err;

	json_array_foreach(list, i, row) {
		err = load_bucket(row, lane);
		if (err)
			return err;
		count += lane->buckets[i].count;
	}
	lane->complete = true;
	return count == lane->count ? 0 : -EBADMSG;
}

static int load_lane(struct rtk_loading *l, const json_t *o, __s64 cpu)
{
	struct rtk_result *r = l->r;
	struct rtk_lane *lane =
		rtk_grow(&r->lanes.v, &r->lanes.n, sizeof(*lane));
	int err;

	if (!lane)
		return -ENOMEM;
	rtk_copy(lane->series, sizeof(lane->series),
		 rtk_load_string(o, "name"));
	rtk_copy(lane->unit, sizeof(lane->unit), rtk_load_string(o, "unit"));
	lane->cpu = (__u32)cpu;
	lane->nmi = -1;
	lane->count = (__u64)rtk_load_int(o, "count", 0);
	lane->negative = (__u64)rtk_load_int(o, "negative", 0);
	lane->wrong_cpu = (__u64)rtk_load_int(o, "wrong_cpu", 0);
	lane->outliers = (__u64)rtk_load_int(o, "outliers", 0);
	err = load_moments(o, lane);
	if (!err)
		err = load_histogram(o, lane);
	if (err != -EBADMSG)
		return err;
	return rtk_load_bad(l,
			    "series %s of CPU %lld: its numbers do not fit its histogram",
			    lane->series, cpu);
}

static int add_series(struct rtk_loading *l, const json_t *o)
{
	struct rtk_test *t = &l->r->test;
	const char *name = rtk_load_string(o, "name");
	struct rtk_series *s;

	if (!*name || strlen(name) >= sizeof(s->name))
		return rtk_load_bad(l, "a series without a name");
	if (rtk_test_series(t, name))
		return 0;
	s = rtk_grow(&t->series, &t->nseries, sizeof(*s));
	if (!s)
		return -ENOMEM;
	rtk_copy(s->name, sizeof(s->name), name);
	rtk_copy(s->unit, sizeof(s->unit), rtk_load_string(o, "unit"));
	s->is_signed = json_is_true(json_object_get(o, "signed"));
	return 0;
}

/* Most often it is the one behind the last that was looked for. */
static struct rtk_lane *next_lane(const struct rtk_lanes *lanes, size_t *at,
				  const char *series, __s64 cpu)
{
	struct rtk_lane *lane = rtk_lanes_find(lanes, *at, series, cpu);

	if (lane)
		*at = (size_t)(lane - lanes->v) + 1;
	return lane;
}

static int load_ledger(struct rtk_loading *l)
{
	__s64 period =
		rtk_load_int(json_object_get(l->doc, "params"), "period_ns", 0);
	struct rtk_lane *lane;
	size_t i, at = 0;
	const json_t *o;

	json_array_foreach(json_object_get(l->doc, "ledger"), i, o) {
		lane = next_lane(&l->r->lanes, &at,
				 rtk_load_string(o, "series"),
				 rtk_load_int(o, "cpu", -1));
		if (!lane)
			return rtk_load_bad(l,
					    "ledger: CPU %lld has no series '%s'",
					    rtk_load_int(o, "cpu", -1),
					    rtk_load_string(o, "series"));
		lane->ledger = true;
		lane->expected = (__u64)rtk_load_int(o, "expected", 0);
		lane->delivered = (__u64)rtk_load_int(o, "delivered", 0);
		lane->late = (__u64)rtk_load_int(o, "late", 0);
		lane->missed = (__u64)rtk_load_int(o, "missed", 0);
		lane->period_ns = (__u64)rtk_load_int(o, "period_ns", period);
		rtk_test_series(&l->r->test, lane->series)->ledger = true;
	}
	return 0;
}

static int load_per_cpu(struct rtk_loading *l)
{
	static const char *const known[] = { "cpu", "samples", "smi", "nmi",
					     NULL };
	struct rtk_lane *lane;
	size_t i, at = 0;
	json_t *o;

	json_array_foreach(json_object_get(l->doc, "per_cpu"), i, o) {
		lane = next_lane(&l->r->lanes, &at, NULL,
				 rtk_load_int(o, "cpu", -1));
		if (!lane)
			return rtk_load_bad(l,
					    "per_cpu: CPU %lld has no series",
					    rtk_load_int(o, "cpu", -1));
		lane->smi = (__u32)rtk_load_int(o, "smi", 0);
		lane->nmi = rtk_load_int(o, "nmi", -1);
		rtk_load_items(o, known, &lane->counters);
	}
	return 0;
}

int rtk_load_lanes(struct rtk_loading *l)
{
	const json_t *list = json_object_get(l->doc, "series"), *o, *cpu;
	size_t i;
	int err = 0;

	json_array_foreach(list, i, o) {
		err = add_series(l, o);
		cpu = json_object_get(o, "cpu");
		/* "all" is their sum, which is made again. */
		if (!err && json_is_integer(cpu))
			err = load_lane(l, o, json_integer_value(cpu));
		if (err)
			return err;
	}
	err = load_ledger(l);
	return err ? err : load_per_cpu(l);
}
