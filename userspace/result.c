// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <jansson.h>

#include "result.h"
#include "units.h"
#include "util.h"

void rtk_result_init(struct rtk_result *r)
{
	memset(r, 0, sizeof(*r));
	rtk_test_init(&r->test);
	r->fail_above_ns = -1;
}

void rtk_result_forget(struct rtk_result *r)
{
	size_t i;

	for (i = 0; i < r->nsums; i++)
		free(r->sums[i].rows);
	free(r->sums);
	r->sums = NULL;
	r->nsums = 0;
	free(r->verdict.v);
	memset(&r->verdict, 0, sizeof(r->verdict));
	rtk_lanes_free(&r->lanes);
	rtk_outliers_free(&r->outliers);
	json_decref(r->environment);
	r->environment = NULL;
}

void rtk_result_free(struct rtk_result *r)
{
	rtk_result_forget(r);
	rtk_test_free(&r->test);
	rtk_env_free(&r->env);
	rtk_extra_free(&r->extra);
	rtk_intervals_free(&r->intervals);
	free(r->parts);
	json_decref(r->document);
	rtk_result_init(r);
}

__s64 rtk_result_ns(const struct rtk_result *r, const char *unit, __s64 value)
{
	if (!strcmp(unit, "ps"))
		return value / 1000;
	if (!strcmp(unit, "ticks") && r->cond.ticks_hz > 0)
		return (__s64)((double)value * 1e9 / r->cond.ticks_hz);
	return rtk_units_ns(unit) ? value * rtk_units_ns(unit) : value;
}

double rtk_result_us(const struct rtk_result *r, const char *unit)
{
	if (!strcmp(unit, "ps"))
		return 1e-6;
	if (!strcmp(unit, "ticks") && r->cond.ticks_hz > 0)
		return 1e6 / r->cond.ticks_hz;
	return (double)rtk_units_ns(unit) / 1000;
}

const char *rtk_result_env(const struct rtk_result *r, const char *key)
{
	return json_string_value(json_object_get(r->environment, key));
}

void rtk_lane_moments(const struct rtk_lane *lane, struct rtk_moments *m)
{
	memset(m, 0, sizeof(*m));
	if (!lane->moments)
		return;
	m->n = lane->moments_count;
	m->min = lane->min;
	m->max = lane->max;
	m->sum = lane->sum;
	m->sumsq = (unsigned __int128)lane->sumsq_hi << 64 | lane->sumsq_lo;
}

/* A test has the same ones on each CPU. */
static void add_counters(struct rtk_items *sum, const struct rtk_items *lane)
{
	__u64 before;
	size_t i;

	for (i = 0; i < lane->n; i++) {
		before = i < sum->n ? sum->v[i].value : 0;
		sum->v[i] = lane->v[i];
		sum->v[i].value += before;
	}
	if (sum->n < lane->n)
		sum->n = lane->n;
}

static void add_lane(struct rtk_summary *s, const struct rtk_lane *lane)
{
	struct rtk_moments m;

	rtk_lane_moments(lane, &m);
	rtk_moments_merge(&s->m, &m);
	s->count += lane->count;
	s->negative += lane->negative;
	s->wrong_cpu += lane->wrong_cpu;
	s->outliers += lane->outliers;
	/* One that stops all CPUs is counted by each. */
	if (lane->smi > s->smi)
		s->smi = lane->smi;
	if (lane->nmi > s->nmi)
		s->nmi = lane->nmi;
	add_counters(&s->counters, &lane->counters);
	s->ledger |= lane->ledger;
	s->expected += lane->expected;
	s->delivered += lane->delivered;
	s->late += lane->late;
	s->missed += lane->missed;
	s->period_ns = lane->period_ns;
}

static void percentiles(const struct rtk_summary *s, const __u64 *full,
			__u64 count, __s64 *out)
{
	__s64 max = s->m.n ? s->m.max : INT64_MAX;
	size_t i;

	for (i = 0; count && i < RTK_STATS_PERCENTILES; i++)
		out[i] = rtk_stats_percentile(full, count,
					      &rtk_stats_percentiles[i], max);
}

/*
 * Full arrays: a lane's buckets as observed and corrected, and likewise the
 * sums over the lanes of a series.
 */
struct full {
	__u64 lane[RTK_STATS_BUCKETS];
	__u64 lane_corrected[RTK_STATS_BUCKETS];
	__u64 all[RTK_STATS_BUCKETS];
	__u64 all_corrected[RTK_STATS_BUCKETS];
};

/* Rows and percentiles; full is the sum of the buckets of the lanes added. */
static int finish(struct rtk_summary *s, const __u64 *full,
		  const __u64 *corrected)
{
	struct rtk_row *row;
	__u32 place, index;

	if (s->m.n)
		s->mean = rtk_moments_mean(&s->m);
	if (s->m.n > 1)
		s->stddev = sqrt(rtk_moments_variance(&s->m));
	percentiles(s, full, s->count, s->percentile);
	percentiles(s, corrected, s->count + s->added, s->corrected);
	for (place = 0; place < RTK_STATS_BUCKETS; place++) {
		index = rtk_stats_order(place);
		if (!full[index])
			continue;
		row = rtk_grow(&s->rows, &s->nrows, sizeof(*row));
		if (!row)
			return -ENOMEM;
		rtk_stats_row(index, &row->low, &row->high);
		row->count = full[index];
	}
	return 0;
}

static struct rtk_summary *new_sum(struct rtk_result *r,
				   const struct rtk_series *series, int cpu)
{
	struct rtk_summary *s = rtk_grow(&r->sums, &r->nsums, sizeof(*s));

	if (s) {
		s->series = series;
		s->cpu = cpu;
		s->nmi = -1;
	}
	return s;
}

static int sum_lane(struct rtk_result *r, const struct rtk_series *series,
		    const struct rtk_lane *lane, struct full *full)
{
	struct rtk_summary *s = new_sum(r, series, (int)lane->cpu);
	size_t i;

	if (!s)
		return -ENOMEM;
	memset(full->lane, 0, sizeof(full->lane));
	rtk_stats_add(full->lane, lane->buckets, lane->nbuckets);
	memcpy(full->lane_corrected, full->lane, sizeof(full->lane));
	add_lane(s, lane);
	if (s->ledger && s->period_ns)
		s->added = rtk_stats_correct(full->lane, full->lane_corrected,
					     s->period_ns,
					     s->m.n ? s->m.max : INT64_MAX);
	for (i = 0; i < RTK_STATS_BUCKETS; i++) {
		full->all[i] += full->lane[i];
		full->all_corrected[i] += full->lane_corrected[i];
	}
	return finish(s, full->lane, full->lane_corrected);
}

static int sum_series(struct rtk_result *r, const struct rtk_series *series,
		      struct full *full)
{
	struct rtk_summary all = { .series = series,
				   .cpu = RTK_CPU_ALL,
				   .nmi = -1 },
			   *s;
	const struct rtk_lane *lane;
	size_t i, n = 0;
	int err;

	memset(full->all, 0, sizeof(full->all));
	memset(full->all_corrected, 0, sizeof(full->all_corrected));
	for (i = 0; i < r->lanes.n; i++) {
		lane = &r->lanes.v[i];
		if (strcmp(lane->series, series->name))
			continue;
		n++;
		err = sum_lane(r, series, lane, full);
		if (err)
			return err;
		add_lane(&all, lane);
		all.added += r->sums[r->nsums - 1].added;
	}
	if (!n)
		return 0;
	s = new_sum(r, series, RTK_CPU_ALL);
	if (!s)
		return -ENOMEM;
	*s = all;
	return finish(s, full->all, full->all_corrected);
}

int rtk_result_summarize(struct rtk_result *r)
{
	struct full *full;
	size_t i;
	int err = 0;

	for (i = 0; i < r->lanes.n; i++)
		if (!rtk_test_series(&r->test, r->lanes.v[i].series))
			return -EBADMSG;
	full = malloc(sizeof(*full));
	if (!full)
		return -ENOMEM;
	for (i = 0; !err && i < r->test.nseries; i++)
		err = sum_series(r, &r->test.series[i], full);
	free(full);
	return err;
}

const struct rtk_summary *rtk_result_measured(const struct rtk_result *r,
					      const char *series)
{
	const struct rtk_summary *s;

	for (s = r->sums; s < r->sums + r->nsums; s++)
		if (s->cpu == RTK_CPU_ALL && s->m.n &&
		    !strcmp(s->series->name, series))
			return s;
	return NULL;
}

const struct rtk_outlier *rtk_result_worst(const struct rtk_result *r,
					   const char *series)
{
	const struct rtk_outlier *worst = NULL, *o;
	size_t i;

	for (i = 0; i < r->outliers.n; i++) {
		o = &r->outliers.v[i];
		if (!strcmp(o->series, series) &&
		    (!worst || o->value > worst->value))
			worst = o;
	}
	return worst;
}

const struct rtk_outlier *rtk_result_task(const struct rtk_result *r,
					  const struct rtk_outlier *o)
{
	const struct rtk_outlier *other;
	size_t i;

	if (o->comm[0])
		return o;
	for (i = 0; i < r->outliers.n; i++) {
		other = &r->outliers.v[i];
		if (other->comm[0] && other->cpu == o->cpu &&
		    other->mono_ns - other->value == o->mono_ns - o->value)
			return other;
	}
	return NULL;
}

const struct rtk_summary *rtk_result_next_cpu(const struct rtk_result *r,
					      const struct rtk_summary *s)
{
	size_t i = s ? (size_t)(s - r->sums) + 1 : 0, k;

	for (; i < r->nsums; i++) {
		if (r->sums[i].cpu == RTK_CPU_ALL)
			continue;
		for (k = 0; r->sums[k].cpu != r->sums[i].cpu; k++)
			;
		if (k == i)
			return &r->sums[i];
	}
	return NULL;
}

void rtk_result_counters(const struct rtk_result *r, struct rtk_items *sum)
{
	const struct rtk_summary *s = NULL;

	memset(sum, 0, sizeof(*sum));
	while ((s = rtk_result_next_cpu(r, s)))
		add_counters(sum, &s->counters);
}
