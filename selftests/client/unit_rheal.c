// SPDX-License-Identifier: GPL-2.0
/* rhealstone without its tasks: what is in order, and what becomes of it. */
#include <math.h>

#include "eci.h"
#include "rheal.h"
#include "results.h"
#include "ucpus.h"

#define BIT(n) (1U << (n))

static void test_inside(void)
{
	static const struct {
		struct rheal_events e;
		bool good;
		const char *what;
	} cases[] = {
		{ { .before = 10, .high = 20, .after = 30 }, true, "between" },
		{ { .before = 10, .high = 10, .after = 10 },
		  true,
		  "within one tick" },
		{ { .before = 10, .high = 31, .after = 30 },
		  false,
		  "after low went on" },
		{ { .before = 10, .high = 9, .after = 30 },
		  false,
		  "before low began" },
		{ { .before = 10, .high = 0, .after = 30 },
		  false,
		  "not at all" },
	};
	size_t i;

	for (i = 0; i < RTK_ARRAY_SIZE(cases); i++)
		ok(rheal_inside(&cases[i].e) == cases[i].good, "high ran %s",
		   cases[i].what);
}

/* Of the six events in their order two neighbours change places, or one is none. */
static void test_unlocked(void)
{
	static const struct rheal_events good = { 1, 2, 3, 4, 5, 6 };
	__u64 v[6], swap;
	struct rheal_events e;
	size_t i;

	ok(rheal_unlocked(&good), "the order of a broken deadlock");
	for (i = 0; i < 5; i++) {
		memcpy(v, &good, sizeof(v));
		swap = v[i];
		v[i] = v[i + 1];
		v[i + 1] = swap;
		memcpy(&e, v, sizeof(e));
		ok(!rheal_unlocked(&e), "not with event %zu before %zu", i + 1,
		   i);
	}
	for (i = 1; i < 6; i++) {
		memcpy(v, &good, sizeof(v));
		v[i] = 0;
		memcpy(&e, v, sizeof(e));
		ok(!rheal_unlocked(&e), "not without event %zu", i);
	}
	e = good;
	e.middle = 3;
	ok(!rheal_unlocked(&e), "not if middle ran before high had the lock");
}

static void test_only(void)
{
	unsigned int asked;

	ok_num(rheal_only("", &asked), 0, "only= may be empty");
	ok_num(asked, BIT(RHEAL_SERIES) - 1, "and is all");
	ok_num(rheal_only("switch", &asked), 0, "a word");
	ok_num(asked, BIT(RHEAL_SWITCH), "and its series");
	ok_num(rheal_only("message,interrupt,deadlock", &asked), 0, "three");
	ok_num(asked,
	       BIT(RHEAL_MESSAGE_MQ) | BIT(RHEAL_MESSAGE_PIPE) |
		       BIT(RHEAL_MESSAGE_EVENTFD) | BIT(RHEAL_INTERRUPT) |
		       BIT(RHEAL_INTERRUPT_IPI) | BIT(RHEAL_DEADLOCK),
	       "and theirs");
	ok_num(rheal_only("semaphore,preemption,semaphore", &asked), 0,
	       "twice the same");
	ok_num(asked, BIT(RHEAL_SEMAPHORE) | BIT(RHEAL_PREEMPTION), "is once");
	ok(rheal_only("switches", &asked), "a longer word");
	ok(rheal_only("swit", &asked), "a shorter one");
	ok(rheal_only("switch,", &asked), "an empty one at the end");
	ok(rheal_only(",", &asked), "or nothing else");
	ok(rheal_only("switch deadlock", &asked), "a space");
}

/* 1, 2, 4, 5, 8 and 10 us: (1000 + 500 + 250 + 200 + 125 + 100) * 1000 / 6. */
static void test_composite(void)
{
	double ps[] = { 1e6, 2e6, 4e6, 5e6, 8e6, 10e6 };

	ok(fabs(rheal_composite(ps) - 362500) < 1e-6, "1/t, and their mean");
	ps[3] = 0;
	ok(isnan(rheal_composite(ps)), "none with a time of 0");
	ps[3] = -1;
	ok(isnan(rheal_composite(ps)), "none with one below");
}

static void test_median(void)
{
	__u64 v[] = { 7, 1000000, 3, 5, 4 };

	ok_num(rheal_median(v, RTK_ARRAY_SIZE(v)), 5, "the middle one");
}

/* Costs above what was measured: below 0, and nothing wraps. */
static void test_record(void)
{
	struct rtk_ucommon common = { 0 };
	struct rtk_ucpu c = { .common = &common };
	struct rheal h = { .c = &c };
	struct rtk_ulane *lane = &c.lane[RHEAL_SEMAPHORE];

	c.cpu = sched_getcpu();
	ok_num(rtk_ucpus_pin(0, c.cpu), 0, "on one CPU");
	rtk_ulane_init(lane, c.cpu, true, INT64_MAX);
	rheal_record(&h, RHEAL_SEMAPHORE, 1000, 3600);
	rheal_record(&h, RHEAL_SEMAPHORE, 5000, 3600);
	ok_num(lane->m.n, 2, "two samples");
	ok_num(lane->m.min, -3, "-2.6 ns is -3");
	ok_num(lane->m.max, 1, "1.4 ns is 1");
	ok_num(h.sum[RHEAL_SEMAPHORE].raw_ps, 6000, "as measured");
	ok_num(h.sum[RHEAL_SEMAPHORE].cost_ps, 7200, "what was subtracted");
	ok_num(h.sum[RHEAL_SEMAPHORE].run_ps, -1200, "what is left, in ps");
	rtk_ulane_free(lane);
}

static void test_merge(void)
{
	struct rtk_result r = { 0 };
	struct rtk_ulane lane;
	struct rtk_lane *from = add_lane(&r, "timer", 1, 9, 1000);

	rtk_ulane_init(&lane, 1, true, INT64_MAX);
	rtk_ulane_merge(&lane, from);
	from->min = 10;
	rtk_ulane_merge(&lane, from);
	ok_num(lane.m.n, 20, "twice ten samples");
	ok_num((__s64)lane.m.sum, 22000, "their sum");
	ok_num((__s64)lane.m.sumsq, 26000000, "their squares'");
	ok_num(lane.m.min, 10, "the least of both");
	ok_num(lane.m.max, 2000, "the largest");
	ok_num(lane.count[rtk_hist_index(1000)], 18, "a bucket");
	ok_num(lane.count[rtk_hist_index(2000)], 2, "another one");
	rtk_ulane_free(&lane);
	rtk_result_free(&r);
}

/* All six, and one of them with a sample that was left out. */
static void test_collect(void)
{
	static const __s64 us[RHEAL_SERIES] = { 1, 2, 4, 0, 5, 8, 10 };
	struct rtk_ucpu c = { 0 };
	struct rheal h = { .c = &c };
	struct rtk_extra e = { 0 };
	const struct rtk_datatable *t;
	double v = -1;
	size_t i;

	c.priv = &h;
	for (i = 0; i < RHEAL_SERIES; i++) {
		rtk_ulane_init(&c.lane[i], 0, true, INT64_MAX);
		h.sum[i].n = us[i] ? 2 : 0;
		h.sum[i].raw_ps = us[i] * 2000000 + 1000;
		h.sum[i].cost_ps = 1000;
	}
	h.sum[RHEAL_DEADLOCK].out_of_order = 3;
	rheal_collect(&c, &e);
	t = rtk_extra_find(&e, "values");
	ok_num((__s64)t->n, 6, "a row for each value that was measured");
	ok_str(t->row[3], "semaphore", "by its name");
	ok_num(rtk_extra_cell(t, 3, "raw_mean_ps"), 5000500, "as measured");
	ok_num(rtk_extra_cell(t, 3, "cost_ps"), 500, "what was subtracted");
	ok_num(rtk_extra_cell(t, 3, "net_mean_ps"), 5000000, "what is left");
	ok(rtk_extra_get(&e, "composite_per_s", &v) && fabs(v - 362500) < 1e-6,
	   "the composite");
	ok(rtk_extra_get(&e, "out_of_order", &v) && v == 3, "those left out");
	ok(!strncmp(e.note[0], "deadlock: 3 samples ", 20), "and of which");
	for (i = 0; i < RHEAL_SERIES; i++)
		rtk_ulane_free(&c.lane[i]);
	rtk_extra_free(&e);
}

static char *print_eci(const struct rtk_result *r)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	rtk_eci_rhealstone(out, r, NULL);
	fclose(out);
	return text;
}

/* The numbers of a published run; the formats are that run's, too. */
static void test_eci(void)
{
	static const char *const columns[] = {
		"cpu",		 "run",		 "switch_ps", "deadlock_ps",
		"preemption_ps", "semaphore_ps", NULL
	};
	static const __s64 rows[2][6] = {
		{ 1, 1, 1777430, 6895520, 6762415, 3626610 },
		{ 1, 2, 1753550, 6299760, 6823440, 5100095 },
	};
	struct rtk_result r = { 0 };
	struct rtk_datatable *t;
	char *text;

	add_series(&r.test, "task_switch", true);
	add_series(&r.test, "deadlock", true);
	add_series(&r.test, "preemption", true);
	add_series(&r.test, "semaphore", true);
	add_lane(&r, "task_switch", 1, 1, 1000);
	add_lane(&r, "deadlock", 1, 1, 1000);
	add_lane(&r, "preemption", 1, 1, 1000);
	add_lane(&r, "semaphore", 1, 1, 1000);
	rtk_result_summarize(&r);
	t = rtk_extra_table(&r.extra, "runs", columns);
	rtk_extra_row(&r.extra, t, rows[0]);
	rtk_extra_row(&r.extra, t, rows[1]);
	text = print_eci(&r);
	ok_str(text,
	       "[1777.43, 1753.55]\n"
	       "#ctx_sum is 3530.98\n"
	       "#ctx_avg is 1765.49\n"
	       "[6895.52, 6299.76]\n"
	       "#dead_sum is 13195.280000\n"
	       "#dead_avg is 6597.640000\n"
	       "[6762.415, 6823.44]\n"
	       "#pree_sum is 13585.855000\n"
	       "#pree_avg is 6792.927500\n"
	       "[3626.61, 5100.095]\n"
	       "#sem_sum is 8726.705000\n"
	       "#sem_avg is 4363.352500\n",
	       "the lines of the scripts");
	free(text);
	rtk_result_free(&r);
}

/* One value, one run, and below 0. */
static void test_eci_one(void)
{
	static const char *const columns[] = { "semaphore_ps", NULL };
	struct rtk_result r = { 0 };
	char *text;

	add_series(&r.test, "semaphore", true);
	add_lane(&r, "semaphore", 1, 1, 1000);
	rtk_result_summarize(&r);
	rtk_extra_row(&r.extra, rtk_extra_table(&r.extra, "runs", columns),
		      (__s64[]){ -5000 });
	text = print_eci(&r);
	ok_str(text,
	       "[-5.0]\n"
	       "#sem_sum is -5.000000\n"
	       "#sem_avg is -5.000000\n",
	       "what was not measured has no lines");
	free(text);
	rtk_result_free(&r);
}

int main(void)
{
	tap_begin();
	test_inside();
	test_unlocked();
	test_only();
	test_composite();
	test_median();
	test_record();
	test_merge();
	test_collect();
	test_eci();
	test_eci_one();
	return tap_end();
}
