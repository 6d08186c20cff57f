// SPDX-License-Identifier: GPL-2.0
/* Runs that were cut and taken up again. */
#include <errno.h>
#include <unistd.h>

#include "checkpoint.h"
#include "merge.h"
#include "params.h"
#include "resume.h"
#include "results.h"

static int settle(const struct rtk_resume *s, struct rtk_result *r)
{
	struct rtk_checkpoint c = { .resume = s };
	int err = rtk_checkpoint_sum(&c, r);

	return err ? err : rtk_checkpoint_judge(&c, r);
}

/* A run of 60 s, of which a checkpoint is left, @open activations on their way. */
static void make_cut(struct rtk_result *r, __u64 open)
{
	size_t i;

	make(r);
	r->test.state = RTK_STATE_RUNNING;
	r->test.reason[0] = '\0';
	r->test.elapsed_ns = 20000000000LL;
	add_outlier(r, "irq", 9000, 5, "a");
	for (i = 0; i < r->lanes.n; i++)
		r->lanes.v[i].expected += open;
	judge(r);
}

static void test_merge(void)
{
	struct rtk_resume s = { 0 };
	const struct rtk_summary *sum;
	struct rtk_result r;
	size_t i, worst = 0;

	make_cut(&s.before, 1);
	s.lost = rtk_merge_close(&s.before);
	ok_num((long long)s.lost, 4, "one on its way on each lane");
	make(&r);
	r.test.elapsed_ns = 40000000000LL;
	r.test.planned_ns = 40000000000LL;
	for (i = 0; i < 8; i++)
		add_outlier(&r, "irq", 5000 + (__s64)i, 6, "b");
	r.lanes.v[0].min = 7;
	ok(!settle(&s, &r), "both parts");
	sum = find(&r, "irq", 0);
	ok(sum->count == 2 * 240001 && sum->expected == 2 * 240004 &&
	   sum->delivered == 2 * 240001 && sum->missed == 6 && sum->late == 2,
	   "the ledger is their sum");
	ok(sum->m.n == 2 * 240001 && sum->m.min == 7 && sum->m.max == 2000 &&
	   sum->m.sum == 2 * (240000LL * 1000 + 2000), "and so are the sums");
	ok(sum->nrows == 2 && sum->rows[0].count == 480000,
	   "and the buckets");
	ok(r.test.elapsed_ns == 60000000000LL &&
	   r.test.planned_ns == 60000000000LL, "and the times");
	for (i = 0; i < r.outliers.n; i++)
		worst += r.outliers.v[i].worst;
	ok(worst == 8 && r.outliers.v[0].value == 9000 &&
	   r.outliers.v[7].value == 5001, "the worst of both");
	ok(r.verdict.status == RTK_VALID && !r.verdict.n,
	   "the cut is no reason any more");
	ok(r.nparts == 2 && !r.parts[0].ended[0] &&
	   !strcmp(r.parts[1].ended, "duration"), "two parts");
	rtk_result_free(&r);
	rtk_result_free(&s.before);
}

static __s64 counter(const struct rtk_result *r, const char *name)
{
	return rtk_items_value(&r->lanes.v[0].counters, name);
}

static void test_counters(void)
{
	struct rtk_resume s = { 0 };
	struct rtk_items *items;
	struct rtk_result r;

	make_cut(&s.before, 1);
	items = &s.before.lanes.v[0].counters;
	add_item(items, "mmio_limit_ns", 400);
	add_item(items, "loops", 5);
	add_item(items, "rests", 3);
	make(&r);
	items = &r.lanes.v[0].counters;
	add_item(items, "loops", 7);
	add_item(items, "mmio_limit_ns", 300);
	ok(!settle(&s, &r) && counter(&r, "loops") == 12,
	   "a counter is the sum of both, wherever it stands");
	ok_num(counter(&r, "mmio_limit_ns"), 400, "a limit is none");
	ok_num(counter(&r, "rests"), 3, "what this part has none of stays");
	rtk_result_free(&r);
	rtk_result_free(&s.before);
}

/* What no stall explains is not smoothed over. */
static void test_imbalance(void)
{
	struct rtk_resume s = { 0 };
	struct rtk_result r;

	make_cut(&s.before, 1000000);
	ok_num((long long)rtk_merge_close(&s.before), 0,
	       "a million can't be on their way");
	make(&r);
	ok(!settle(&s, &r) && r.verdict.status == RTK_INVALID &&
	   !strcmp(r.verdict.v[0].id, "ledger"), "out of balance it stays");
	rtk_result_free(&r);
	rtk_result_free(&s.before);

	make_cut(&s.before, (__u64)-2);
	ok_num((long long)rtk_merge_close(&s.before), 0,
	       "nor can fewer than none");
	rtk_result_free(&s.before);
}

/* A reason that going on does not mend. */
static void test_reasons(void)
{
	struct rtk_resume s = { 0 };
	struct rtk_result r;

	make(&s.before);
	rtk_copy(s.before.clocksource_after, 8, "hpet");
	s.before.interrupted = true;
	judge(&s.before);
	ok_num((long long)s.before.verdict.n, 2, "two reasons before");
	make(&r);
	ok(!settle(&s, &r) && r.verdict.status == RTK_INVALID &&
	   r.verdict.n == 1 &&
	   !strcmp(r.verdict.v[0].id, "clocksource-changed"),
	   "one of them after");
	rtk_result_free(&r);
	rtk_result_free(&s.before);
}

static int load(struct rtk_result *r, __s64 total_ns, struct rtk_resume *s)
{
	char path[] = "/tmp/rtk-unit-XXXXXX", *text = rtk_json_text(r);
	int fd = mkstemp(path), err;

	err = rtk_outfile_save(path, text);
	if (!err)
		err = rtk_resume_load(path, total_ns, s);
	free(text);
	close(fd);
	unlink(path);
	return err;
}

static void test_load(void)
{
	struct rtk_kvs kvs = { 0 };
	struct rtk_resume s = { 0 };
	struct rtk_result r;

	make(&r);
	judge(&r);
	ok_num(load(&r, -1, &s), -EALREADY, "a run that had its time");
	add_param(&r.test, "duration_ms", RTK_PARAM_TYPE_S64, "60000", "0");
	add_param(&r.test, "cpus", RTK_PARAM_TYPE_CPULIST, "", "");
	ok(!load(&r, 90000000000LL, &s), "it can be given more");
	ok(!rtk_resume_settings(&s, &r.test, 90000000000LL, &kvs) &&
	   kvs.n == 3, "what was not its default is set again");
	ok_str(kvs.v[0].value, "rr", "a word");
	ok_str(kvs.v[1].value, "30000", "the rest of the time");
	ok_str(kvs.v[2].value, "0-1", "the CPUs that it had");
	rtk_kvs_free(&kvs);
	r.test.params[0].def[0] = '9';
	ok(!rtk_resume_settings(&s, &r.test, 90000000000LL, &kvs),
	   "a version with another default");
	ok_str(rtk_params_find(&kvs, "period_ns"), "250000",
	       "does not change what was its default");
	ok_num(rtk_resume_check(&s, &r.env), 0, "the same machine");
	rtk_copy(r.test.series[1].unit, RTK_UNIT_SIZE, "us");
	ok_num(rtk_resume_settings(&s, &r.test, 90000000000LL, &kvs), -EINVAL,
	       "a series in another unit");
	rtk_copy(r.test.series[1].unit, RTK_UNIT_SIZE, "ns");
	set_fact(&r.env, RTK_FACT_KERNEL_RELEASE, "another");
	ok_num(rtk_resume_check(&s, &r.env), -EXDEV, "another kernel");
	rtk_kvs_free(&kvs);
	rtk_resume_free(&s);
	rtk_copy(r.test.name, sizeof(r.test.name), "memlat");
	ok_num(load(&r, 90000000000LL, &s), -EINVAL,
	       "a test whose parts don't add up");
	rtk_result_free(&r);
}

/* A test with an end of its own has no planned time. */
static void test_durations(void)
{
	struct rtk_kvs kvs = { 0 };
	struct rtk_resume s = { 0 };
	struct rtk_result r;

	make(&r);
	add_param(&r.test, "duration_ms", RTK_PARAM_TYPE_S64, "60000", "0");
	judge(&r);
	ok_num(load(&r, 60000000000LL, &s), -EALREADY, "the same time again");
	ok(!load(&r, 0, &s) && !rtk_resume_settings(&s, &r.test, 0, &kvs),
	   "a run that had its time goes on until it is stopped");
	ok_str(rtk_params_find(&kvs, "duration_ms"), "0", "without an end");
	rtk_kvs_free(&kvs);
	rtk_resume_free(&s);
	r.test.planned_ns = -1;
	ok_num(load(&r, 50000000000LL, &s), -EALREADY,
	       "less time than it has had is not without an end");
	rtk_result_free(&r);
}

int main(void)
{
	tap_begin();
	test_merge();
	test_counters();
	test_imbalance();
	test_reasons();
	test_load();
	test_durations();
	return tap_end();
}
