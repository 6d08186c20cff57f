// SPDX-License-Identifier: GPL-2.0
/*
 * Verdicts and exit statuses of runs made up here, each reason provoked.
 * With a folder as argument the JSON documents are left there, for validate.py.
 */
#include "report.h"
#include "results.h"
#include "spoil_user.h"

/* How a good result is spoilt, and the one reason that must follow. */
static void spoil_ledger(struct rtk_result *r)
{
	r->lanes.v[1].missed++;
}

static void spoil_delivered(struct rtk_result *r)
{
	r->lanes.v[1].delivered++;
	r->lanes.v[1].expected++;
}

static void spoil_moments(struct rtk_result *r)
{
	r->lanes.v[0].moments_count--;
}

static void spoil_negative(struct rtk_result *r)
{
	r->lanes.v[2].negative = 1;
	r->lanes.v[2].delivered++;
	r->lanes.v[2].expected++;
}

static void spoil_samples(struct rtk_result *r)
{
	struct rtk_lane *l = &r->lanes.v[3];

	l->count = 0;
	l->moments_count = 0;
	l->moments = false;
	l->nbuckets = 0;
	l->delivered = 0;
	l->missed = l->expected;
}

static void spoil_cpu(struct rtk_result *r)
{
	free(r->test.cpus);
	r->test.cpus = strdup("0-2");
}

static void spoil_clock(struct rtk_result *r)
{
	rtk_copy(r->clocksource_after, sizeof(r->clocksource_after), "hpet");
}

static void set_reason(struct rtk_result *r, const char *reason)
{
	free(r->test.reason);
	r->test.reason = strdup(reason);
}

static void spoil_overload(struct rtk_result *r)
{
	set_reason(r, "overload");
}

static void spoil_cause(struct rtk_result *r)
{
	spoil_overload(r);
	r->test.state = RTK_STATE_FAILED;
	r->test.cause = strdup("CPU 1 cannot carry this");
}

static void spoil_failed(struct rtk_result *r)
{
	set_reason(r, "on-fire");
	r->test.state = RTK_STATE_FAILED;
	r->test.cause = strdup("CPU 1 is too hot");
}

static void spoil_suspended(struct rtk_result *r)
{
	set_reason(r, "suspended");
}

static void spoil_owner(struct rtk_result *r)
{
	set_reason(r, "owner-gone");
}

static void spoil_stopped(struct rtk_result *r)
{
	set_reason(r, "stopped");
	r->test.elapsed_ns /= 2;
}

static void spoil_emulated(struct rtk_result *r)
{
	r->env.emulated = true;
	r->env.hypervisor = true;
}

static void spoil_hypervisor(struct rtk_result *r)
{
	r->env.hypervisor = true;
}

static void spoil_rt(struct rtk_result *r)
{
	r->env.rt = 0;
}

static void spoil_idle(struct rtk_result *r)
{
	r->env.deep_cpu = 1;
	r->env.deep_us = 100;
	free(r->test.params[1].run_value);
	r->test.params[1].run_value = strdup("-1");
}

static void spoil_idle_limit(struct rtk_result *r)
{
	spoil_idle(r);
	free(r->test.params[1].run_value);
	r->test.params[1].run_value = strdup("100");
}

static void spoil_governor(struct rtk_result *r)
{
	rtk_copy(r->env.cpus[1].governor, sizeof(r->env.cpus[1].governor),
		 "schedutil");
}

static void spoil_isolation(struct rtk_result *r)
{
	set_fact(&r->env, RTK_FACT_CPUS_ISOLATED, "1");
}

static void spoil_shared(struct rtk_result *r)
{
	r->test.shared_with = strdup("hwlat");
}

static void spoil_lost(struct rtk_result *r)
{
	free(r->test.lost_cpus);
	r->test.lost_cpus = strdup("1");
}

static void spoil_smi(struct rtk_result *r)
{
	rtk_copy(r->test.smi_source, sizeof(r->test.smi_source), "msr");
	r->lanes.v[0].smi = 3;
}

static void spoil_signal(struct rtk_result *r)
{
	r->interrupted = true;
}

static void spoil_reader(struct rtk_result *r)
{
	r->readers_failed = 2;
	rtk_copy(r->readers_why, sizeof(r->readers_why),
		 "the reader of CPU 1 ended: made up");
}

/* Leaves n of the samples of the first lane; missed stays what it is. */
static void leave(struct rtk_result *r, __u64 n)
{
	struct rtk_lane *l = &r->lanes.v[0];
	__u64 taken = l->count - n;

	l->count -= taken;
	l->moments_count -= taken;
	l->delivered -= taken;
	l->expected -= taken;
	l->buckets[0].count -= taken;
	l->sum -= (__s64)taken * 1000;
	l->sumsq_lo -= taken * 1000000;
}

static void spoil_few(struct rtk_result *r)
{
	leave(r, 40001);
}

static void spoil_coverage(struct rtk_result *r)
{
	struct rtk_lane *l = &r->lanes.v[0];

	add_param(&r->test, "mode", RTK_PARAM_TYPE_ENUM, "parallel", "parallel");
	add_param(&r->test, "window_us", RTK_PARAM_TYPE_U64, "1000", "1000");
	add_param(&r->test, "width_us", RTK_PARAM_TYPE_U64, "500", "500");
	add_item(&l->counters, "covered_ns", (__u64)l->sum);
	add_item(&l->counters, "wall_ns", 3 * (__u64)l->sum);
}

static void spoil_running(struct rtk_result *r)
{
	r->test.state = RTK_STATE_RUNNING;
	r->lanes.v[0].running = true;
	r->lanes.v[0].expected += 5;
}

static void count_interrupts(struct rtk_result *r, __u64 lost, __u64 spurious)
{
	add_item(&r->lanes.v[0].counters, "lost", lost);
	add_item(&r->lanes.v[0].counters, "spurious", spurious);
}

static void spoil_lost_interrupt(struct rtk_result *r)
{
	count_interrupts(r, 1, 0);
}

static void spoil_rt_throttled(struct rtk_result *r)
{
	r->env.rt_throttled = true;
}

static void spoil_rt_task(struct rtk_result *r)
{
	r->env.rt_tasks = 2;
	rtk_copy(r->env.rt_task, sizeof(r->env.rt_task),
		 "plc (pid 7, fifo 98, CPUs 1)");
}

static void spoil_tsc(struct rtk_result *r)
{
	r->env.tsc_unstable = true;
}

static void spoil_throttled(struct rtk_result *r)
{
	r->env.throttled = 3;
}

static void spoil_tracer(struct rtk_result *r)
{
	rtk_copy(r->env.tracer, sizeof(r->env.tracer), "hwlat");
}

static void spoil_sibling(struct rtk_result *r)
{
	r->env.sibling = 3;
	r->env.sibling_of = 1;
}

static void spoil_partition(struct rtk_result *r)
{
	rtk_copy(r->env.partition, sizeof(r->env.partition),
		 "rt has ways in common with the default group");
}

static void spoil_spurious(struct rtk_result *r)
{
	count_interrupts(r, 0, 1);
}

static const struct {
	void (*spoil)(struct rtk_result *r);
	const char *id;
	enum rtk_status status;
} cases[] = {
	{ spoil_ledger, "ledger", RTK_INVALID },
	{ spoil_delivered, "ledger", RTK_INVALID },
	{ spoil_moments, "ledger", RTK_INVALID },
	{ spoil_negative, "negative", RTK_INVALID },
	{ spoil_samples, "no-samples", RTK_INVALID },
	{ spoil_cpu, "no-samples", RTK_INVALID },
	{ spoil_clock, "clocksource-changed", RTK_INVALID },
	{ spoil_overload, "overload", RTK_INVALID },
	{ spoil_cause, "overload", RTK_INVALID },
	{ spoil_suspended, "suspended", RTK_INVALID },
	{ spoil_failed, "failed", RTK_INVALID },
	{ spoil_emulated, "emulated", RTK_INVALID },
	{ spoil_hypervisor, "hypervisor", RTK_DEGRADED },
	{ spoil_rt, "not-rt", RTK_DEGRADED },
	{ spoil_idle, "idle-states", RTK_DEGRADED },
	{ spoil_idle_limit, "idle-states", RTK_DEGRADED },
	{ spoil_governor, "frequency-scaling", RTK_DEGRADED },
	{ spoil_isolation, "not-isolated", RTK_DEGRADED },
	{ spoil_shared, "shared", RTK_DEGRADED },
	{ spoil_smi, "smi", RTK_DEGRADED },
	{ spoil_lost, "cpu-lost", RTK_DEGRADED },
	{ spoil_owner, "interrupted", RTK_DEGRADED },
	{ spoil_stopped, "interrupted", RTK_DEGRADED },
	{ spoil_signal, "interrupted", RTK_DEGRADED },
	{ spoil_few, "few-samples", RTK_DEGRADED },
	{ spoil_coverage, "coverage", RTK_DEGRADED },
	{ spoil_reader, "reader", RTK_DEGRADED },
	{ spoil_running, "running", RTK_DEGRADED },
	{ spoil_priority, "priority", RTK_DEGRADED },
	{ spoil_memory, "memory", RTK_DEGRADED },
	{ spoil_faults, "page-faults", RTK_DEGRADED },
	{ spoil_preempted, "preempted", RTK_DEGRADED },
	{ spoil_rests, "rests", RTK_DEGRADED },
	{ spoil_rows, "rows-lost", RTK_DEGRADED },
	{ spoil_controller, "controller", RTK_DEGRADED },
	{ spoil_counter, "counter", RTK_DEGRADED },
	{ spoil_latency, "idle-states", RTK_DEGRADED },
	{ spoil_lost_interrupt, "interrupts", RTK_DEGRADED },
	{ spoil_spurious, "interrupts", RTK_DEGRADED },
	{ spoil_rt_throttled, "rt-throttled", RTK_DEGRADED },
	{ spoil_rt_task, "rt-tasks", RTK_DEGRADED },
	{ spoil_tsc, "clocksource-changed", RTK_INVALID },
	{ spoil_throttled, "throttled", RTK_DEGRADED },
	{ spoil_tracer, "tracer", RTK_DEGRADED },
	{ spoil_sibling, "smt-sibling", RTK_DEGRADED },
	{ spoil_partition, "cache-shared", RTK_DEGRADED },
};

static void test_verdicts(const char *dir)
{
	struct rtk_allow none = { 0 }, strict = { .strict = true };
	struct rtk_allow allowed = { .strict = true };
	struct rtk_result r;
	bool invalid;
	size_t i;

	for (i = 0; i < RTK_ARRAY_SIZE(cases); i++) {
		make(&r);
		cases[i].spoil(&r);
		judge(&r);
		ok(r.verdict.n == 1 && r.verdict.status == cases[i].status &&
		   !strcmp(r.verdict.v[0].id, cases[i].id),
		   "%zu: %s, and nothing else", i, cases[i].id);
		if (r.verdict.n)
			printf("# %s\n", r.verdict.v[0].text);
		invalid = cases[i].status == RTK_INVALID;
		ok(rtk_verdict_exit(&r.verdict, &none) ==
		   (invalid ? RTK_EXIT_INVALID : RTK_EXIT_OK) &&
		   rtk_verdict_exit(&r.verdict, &strict) ==
		   (invalid ? RTK_EXIT_INVALID : RTK_EXIT_FAILED),
		   "%zu: exit status", i);
		allowed.n = 0;
		rtk_verdict_allow(&allowed, cases[i].id);
		ok(rtk_verdict_exit(&r.verdict, &allowed) == RTK_EXIT_OK &&
		   r.verdict.status == cases[i].status,
		   "%zu: allowed, but in the verdict", i);
		keep_json(&r, dir, cases[i].id, i);
		rtk_result_free(&r);
	}
}

static void test_every_reason_is_tested(void)
{
	const char *id;
	size_t i, k;
	bool hit;

	for (i = 0; (id = rtk_verdict_id(i)); i++) {
		hit = false;
		for (k = 0; k < RTK_ARRAY_SIZE(cases); k++)
			hit |= !strcmp(cases[k].id, id);
		ok(hit, "reason %s is provoked above", id);
		ok(strstr(RTK_REPORT_HELP, id), "and named by --help");
	}
}

static void test_cause(void)
{
	struct rtk_event e;
	struct rtk_result r;
	char *text;

	make(&r);
	spoil_cause(&r);
	judge(&r);
	text = print(&r, false, false);
	ok(strstr(text, "  overload: CPU 1 cannot carry this\n"),
	   "the cause of the end is the reason's text");
	free(text);
	text = rtk_json_text(&r);
	ok(text && strstr(text, "\"text\": \"CPU 1 cannot carry this\""),
	   "in JSON, too");
	free(text);
	rtk_result_free(&r);

	make(&r);
	spoil_failed(&r);
	judge(&r);
	ok_str(r.verdict.n ? r.verdict.v[0].text : "",
	       "the run failed: on-fire: CPU 1 is too hot",
	       "a reason that is not known is told with its cause");
	rtk_result_free(&r);

	make(&r);
	spoil_cause(&r);
	spoil_samples(&r);
	judge(&r);
	ok(r.verdict.n == 2 && !strcmp(r.verdict.v[0].id, "overload"),
	   "and stands before what follows from it");
	rtk_result_free(&r);

	rtk_event_init(&e);
	e.is_state = true;
	e.test.state = RTK_STATE_FAILED;
	e.test.reason = strdup("overload");
	e.test.cause = strdup("CPU 1 cannot carry this");
	text = rtk_json_event(&e, NULL, 0);
	ok(text && strstr(text, "\"cause\":\"CPU 1 cannot carry this\""),
	   "and in an event");
	free(text);
	rtk_event_free(&e);
}

static void test_few(void)
{
	static const struct {
		__u64 samples;
		__s64 elapsed_ns;
		const char *end;
	} few[] = {
		/* A sample each millisecond, although the period is 250 us. */
		{ 60000, 60000000000LL, "--duration 100s" },
		{ 1000, 1000000000LL, "--duration 100s" },
		{ 50000, 60000000000LL, "--duration 120s" },
		{ 49999, 60000000000LL, "--duration 3m" },
		{ 6000, 60000000000LL, "--duration 17m" },
		{ 100, 60000000000LL, "--duration 17h" },
		{ 2, 172800000000000LL, "--duration 2400000h" },
		{ 99999, 0, "of the 100000 wanted" },
		{ 99999, -1, "of the 100000 wanted" },
	};
	const char *text;
	struct rtk_result r;
	size_t i;

	for (i = 0; i < RTK_ARRAY_SIZE(few); i++) {
		make(&r);
		leave(&r, few[i].samples);
		r.test.elapsed_ns = few[i].elapsed_ns;
		judge(&r);
		text = r.verdict.n == 1 ? r.verdict.v[0].text : "";
		if (strlen(text) > strlen(few[i].end))
			text += strlen(text) - strlen(few[i].end);
		ok_str(text, few[i].end, "%llu samples in %lld ns",
		       few[i].samples, few[i].elapsed_ns);
		rtk_result_free(&r);
	}
	make(&r);
	add_param(&r.test, "count", RTK_PARAM_TYPE_S64, "1000", "-1");
	leave(&r, 1000);
	r.test.elapsed_ns = 1000000000LL;
	judge(&r);
	text = r.verdict.n == 1 ? r.verdict.v[0].text : "";
	ok(strstr(text, "--duration 100s count=-1"),
	   "a run that a number ended needs to have none");
	rtk_result_free(&r);
	make(&r);
	spoil_samples(&r);
	judge(&r);
	ok(r.verdict.n == 1 && !strstr(r.verdict.v[0].text, "--duration"),
	   "no sample: no duration is said to be enough");
	rtk_result_free(&r);
}

static void test_idle_held(void)
{
	struct rtk_result r;

	make(&r);
	r.env.deep_cpu = 0;
	r.env.deep_us = 2;
	judge(&r);
	ok(!r.verdict.n, "deep idle states don't matter while the limit is 0");
	rtk_result_free(&r);
}

static void test_limit(const char *dir)
{
	struct rtk_allow none = { 0 };
	struct rtk_result r;

	make(&r);
	r.fail_above_ns = 9999;
	add_outlier(&r, "thread", 10000, 5010000, "");
	add_outlier(&r, "irq", 2200, 5002200, "stress-ng");
	add_outlier(&r, "irq", 1900, 9002200, "other");
	judge(&r);
	ok(r.verdict.exceeded && !r.verdict.n, "above the limit, yet VALID");
	ok_str(r.verdict.worst,
	       "10000 ns in thread on CPU 1 at 2023-11-14T22:13:21.000000007Z, interrupted stress-ng (pid 77)",
	       "what, where, when, and whom the same activation interrupted");
	ok_num(rtk_verdict_exit(&r.verdict, &none), RTK_EXIT_FAILED, "status 1");
	keep_json(&r, dir, "exceeded", 0);
	rtk_result_free(&r);

	make(&r);
	r.fail_above_ns = 10000;
	judge(&r);
	ok(!r.verdict.exceeded, "the limit itself is not above it");
	rtk_result_free(&r);

	make(&r);
	r.fail_above_ns = 9999;
	free(r.test.params[4].run_value);
	r.test.params[4].run_value = strdup("irq");
	judge(&r);
	ok(!r.verdict.exceeded, "another series may be above it");
	rtk_result_free(&r);

	make(&r);
	set_reason(&r, "threshold");
	judge(&r);
	ok(r.verdict.exceeded, "a run that its threshold stopped has failed");
	rtk_result_free(&r);

	make(&r);
	r.fail_above_ns = 1;
	spoil_clock(&r);
	judge(&r);
	ok_num(rtk_verdict_exit(&r.verdict, &none), RTK_EXIT_INVALID,
	       "INVALID goes before the limit");
	rtk_result_free(&r);
}

/* What is advised takes nothing from what the result is worth. */
static void test_advice(void)
{
	struct rtk_result r;

	make(&r);
	judge(&r);
	ok_num((long long)r.verdict.n_advice, 1, "240000 samples a CPU: advice");
	ok_str(r.verdict.advice[0],
	       "the run is short: a larger sample has p < 6.3e-06; with --duration 7m p < 1e-06",
	       "for how long to run");
	ok(r.verdict.status == RTK_VALID, "it is VALID");
	rtk_result_free(&r);

	make(&r);
	r.env.load[0] = 0.03;
	judge(&r);
	ok(r.verdict.n_advice == 2 &&
	   strstr(r.verdict.advice[1], "idle (load average 0.03)"),
	   "an idle machine: load it");
	rtk_result_free(&r);

	make(&r);
	r.env.load[0] = -1;
	judge(&r);
	ok_num((long long)r.verdict.n_advice, 1, "a load that is not known");
	rtk_result_free(&r);
}

int main(int argc, char **argv)
{
	const char *dir = argc > 1 ? argv[1] : "";

	tap_begin();
	test_verdicts(dir);
	test_every_reason_is_tested();
	test_cause();
	test_few();
	test_idle_held();
	test_limit(dir);
	test_advice();
	return tap_end();
}
