// SPDX-License-Identifier: GPL-2.0
/*
 * Summaries, verdicts, exit statuses, JSON and tables of runs made up here.
 * With a folder as argument the JSON documents are left there, for validate.py.
 */
#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <signal.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "json.h"
#include "live.h"
#include "outfile.h"
#include "report.h"
#include "result.h"
#include "table.h"
#include "tap.h"
#include "verdict.h"
#include "worst.h"

static void add_series(struct rtk_test *t, const char *name, bool is_signed)
{
	struct rtk_series *s = rtk_grow(&t->series, &t->nseries, sizeof(*s));

	rtk_copy(s->name, sizeof(s->name), name);
	rtk_copy(s->unit, sizeof(s->unit), "ns");
	s->is_signed = is_signed;
	s->ledger = true;
}

static void add_param(struct rtk_test *t, const char *name, __u32 type,
		      const char *value, const char *def)
{
	struct rtk_param *p = rtk_grow(&t->params, &t->nparams, sizeof(*p));

	rtk_copy(p->name, sizeof(p->name), name);
	p->type = type;
	p->value = strdup("not the run's");
	p->run_value = strdup(value);
	p->def = strdup(def);
}

/* A lane with n samples of value v and one of twice that. */
static struct rtk_lane *add_lane(struct rtk_result *r, const char *series,
				 __u32 cpu, __u64 n, __s64 v)
{
	struct rtk_lane *l = rtk_grow(&r->lanes.v, &r->lanes.n, sizeof(*l));
	unsigned __int128 sq = (unsigned __int128)n * (__u64)(v * v) +
			       (__u64)(4 * v * v);

	rtk_copy(l->series, sizeof(l->series), series);
	l->cpu = cpu;
	l->complete = true;
	l->moments = true;
	l->ledger = true;
	l->period_ns = 250000;
	l->count = n + 1;
	l->moments_count = n + 1;
	l->min = v;
	l->max = 2 * v;
	l->sum = (__s64)n * v + 2 * v;
	l->sumsq_lo = (__u64)sq;
	l->sumsq_hi = (__u64)(sq >> 64);
	l->expected = n + 4;
	l->delivered = n + 1;
	l->missed = 3;
	l->late = 1;
	l->buckets = calloc(2, sizeof(*l->buckets));
	l->nbuckets = 2;
	l->buckets[0] = (struct rtk_bucket){ rtk_hist_index((__u64)v), 0, n };
	l->buckets[1] = (struct rtk_bucket){ rtk_hist_index((__u64)(2 * v)), 0, 1 };
	return l;
}

static void set_fact(struct rtk_env *e, enum rtk_fact_id id, const char *value)
{
	free(e->fact[id].value);
	free(e->fact[id].reason);
	e->fact[id].value = value ? strdup(value) : NULL;
	e->fact[id].reason = value ? NULL : strdup("made up");
}

/* A run on CPUs 0 and 1 of a machine to which nothing can be objected. */
static void make(struct rtk_result *r)
{
	struct rtk_env_cpu *c;
	struct rtk_test *t = &r->test;
	__u32 cpu;
	int i;

	rtk_result_init(r);
	rtk_copy(t->name, sizeof(t->name), "hrtimer");
	rtk_copy(t->version, sizeof(t->version), "0.1");
	t->state = RTK_STATE_DONE;
	t->reason = strdup("duration");
	t->cpus = strdup("0-1");
	t->lost_cpus = strdup("");
	t->started_wall_ns = 1700000000000000042LL;
	t->started_mono_ns = 123456789;
	t->elapsed_ns = 60000000000LL;
	t->planned_ns = 60000000000LL;
	add_series(t, "irq", false);
	add_series(t, "thread", false);
	add_param(t, "period_ns", RTK_PARAM_TYPE_U64, "250000", "250000");
	add_param(t, "dma_latency_us", RTK_PARAM_TYPE_S64, "0", "0");
	add_param(t, "thread", RTK_PARAM_TYPE_BOOL, "1", "1");
	add_param(t, "policy", RTK_PARAM_TYPE_ENUM, "rr", "fifo");
	add_param(t, "threshold_series", RTK_PARAM_TYPE_STRING, "", "");
	for (i = 0; i < RTK_FACTS; i++)
		set_fact(&r->env, (enum rtk_fact_id)i, "fact");
	set_fact(&r->env, RTK_FACT_CPUS_ONLINE, "0-3");
	set_fact(&r->env, RTK_FACT_CPUS_ISOLATED, "0-1");
	set_fact(&r->env, RTK_FACT_CLOCKSOURCE, "tsc");
	set_fact(&r->env, RTK_FACT_HYPERVISOR, "none");
	rtk_copy(r->clocksource_after, sizeof(r->clocksource_after), "tsc");
	r->env.rt = 1;
	r->env.deep_cpu = -1;
	r->env.cpu_latency_us = 2000000000;
	for (cpu = 0; cpu < 2; cpu++) {
		c = rtk_grow(&r->env.cpus, &r->env.ncpus, sizeof(*c));
		c->cpu = cpu;
		rtk_copy(c->governor, sizeof(c->governor), "performance");
		add_lane(r, "irq", cpu, 240000, 1000 + 100 * cpu);
		add_lane(r, "thread", cpu, 239990, 5000);
	}
}

static void judge(struct rtk_result *r)
{
	if (rtk_result_summarize(r) || rtk_verdict_judge(r))
		ok(false, "the result is judged");
}

static const struct rtk_summary *find(const struct rtk_result *r,
				      const char *series, int cpu)
{
	size_t i;

	for (i = 0; i < r->nsums; i++)
		if (r->sums[i].cpu == cpu &&
		    !strcmp(r->sums[i].series->name, series))
			return &r->sums[i];
	return NULL;
}

static void test_summaries(void)
{
	const struct rtk_summary *s;
	struct rtk_result r;

	make(&r);
	judge(&r);
	ok_num((long long)r.nsums, 6, "two CPUs and all, twice");
	s = find(&r, "irq", 1);
	ok(s && s->count == 240001 && s->m.min == 1100 && s->m.max == 2200 &&
	   s->nrows == 2, "a CPU's series");
	ok(s && s->percentile[0] >= 1100 && s->percentile[0] < 1118,
	   "its median is within its bucket");
	s = find(&r, "irq", RTK_CPU_ALL);
	ok(s && s->count == 480002 && s->m.min == 1000 && s->m.max == 2200 &&
	   s->nrows == 4 && s->expected == 480008 && s->missed == 6 &&
	   s->late == 2, "the merged series");
	ok(s && fabs(s->mean - (240000.0 * 2100 + 4200) / 480002) < 1e-9,
	   "its mean");
	ok(r.verdict.status == RTK_VALID && !r.verdict.n, "nothing to object");
	rtk_result_free(&r);
}

static void test_signed(void)
{
	const struct rtk_summary *s;
	struct rtk_lane *l;
	struct rtk_result r;

	make(&r);
	add_series(&r.test, "diff", true);
	l = add_lane(&r, "diff", 0, 9, 100);
	l->buckets[0].index += RTK_HIST_BUCKETS;
	l->min = -100;
	l->max = 200;
	l->sum = 9 * -100 + 200;
	judge(&r);
	s = find(&r, "diff", RTK_CPU_ALL);
	ok(s && s->rows[0].low == -100 && s->rows[0].high == -99 &&
	   s->rows[1].low == 200, "rows of a signed series are in order");
	ok(s && s->percentile[0] == -100 && s->percentile[2] == 200 &&
	   s->mean == -70, "and so are percentiles");
	rtk_result_free(&r);
}

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
	r->lanes.v[1].smi = 3;
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

static void spoil_running(struct rtk_result *r)
{
	r->test.state = RTK_STATE_RUNNING;
	r->lanes.v[0].running = true;
	r->lanes.v[0].expected += 5;
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
	{ spoil_reader, "reader", RTK_DEGRADED },
	{ spoil_running, "running", RTK_DEGRADED },
};

static void keep_json(const struct rtk_result *r, const char *dir,
		      const char *name, size_t i)
{
	char path[512], *text = rtk_json_text(r);

	snprintf(path, sizeof(path), "%s/result-%s-%zu.json", dir, name, i);
	if (!text || (*dir && rtk_outfile_write(path, text)))
		ok(false, "the document %s is written", path);
	free(text);
}

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

static char *print(const struct rtk_result *r, bool all, bool histogram)
{
	char *text = NULL;
	size_t size = 0;
	FILE *f = open_memstream(&text, &size);

	rtk_table_print(f, r, all);
	if (histogram)
		rtk_table_histogram(f, r, all);
	rtk_table_verdict(f, r, true);
	fclose(f);
	return text;
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

static void add_outlier(struct rtk_result *r, const char *series, __s64 value,
			__s64 mono, const char *comm)
{
	struct rtk_outlier *o = rtk_grow(&r->outliers.v, &r->outliers.n,
					 sizeof(*o));

	rtk_outlier_init(o);
	rtk_copy(o->series, sizeof(o->series), series);
	rtk_copy(o->comm, sizeof(o->comm), comm);
	o->cpu = 1;
	o->pid = 77;
	o->worst = true;
	o->value = value;
	o->mono_ns = mono;
	o->wall_ns = 1700000001000000007LL;
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

static void test_json(const char *dir)
{
	json_t *o, *series, *p;
	struct rtk_result r;
	char *text;

	make(&r);
	r.lanes.v[0].max = INT64_MAX;
	add_outlier(&r, "irq", 5, 6, "\xff\xfezz");
	judge(&r);
	text = rtk_json_text(&r);
	o = json_loads(text ? text : "", 0, NULL);
	ok(o, "the document can be read");
	ok_str(json_string_value(json_object_get(o, "started")),
	       "2023-11-14T22:13:20.000000042Z", "time with nanoseconds");
	p = json_object_get(o, "params");
	ok(json_integer_value(json_object_get(p, "period_ns")) == 250000 &&
	   json_is_true(json_object_get(p, "thread")) &&
	   !strcmp(json_string_value(json_object_get(p, "policy")), "rr"),
	   "parameters are the run's, numbers, booleans and words");
	series = json_array_get(json_object_get(o, "series"), 0);
	ok_num(json_integer_value(json_object_get(series, "max")), 1LL << 53,
	       "integers end at 2^53");
	ok_num((long long)json_array_size(json_object_get(o, "ledger")), 4,
	       "the ledger has each CPU and series once");
	json_decref(o);
	free(text);
	r.lanes.v[0].max = 2000;
	keep_json(&r, "", "clamped", 0);
	rtk_result_free(&r);

	make(&r);
	set_fact(&r.env, RTK_FACT_CPU_MODEL, NULL);
	r.env.rt = -1;
	judge(&r);
	text = rtk_json_text(&r);
	o = json_loads(text ? text : "", 0, NULL);
	p = json_object_get(o, "environment");
	ok(json_is_null(json_object_get(p, "cpu_model")) &&
	   json_is_string(json_object_get(p, "cpu_model_reason")) &&
	   json_is_null(json_object_get(p, "rt")), "what is missing has a reason");
	keep_json(&r, dir, "missing", 0);
	json_decref(o);
	free(text);
	rtk_result_free(&r);
}

static size_t widest(const char *text)
{
	size_t max = 0, len;

	while (*text) {
		len = strcspn(text, "\n");
		if (len > max)
			max = len;
		text += len + (text[len] != '\0');
	}
	return max;
}

static size_t lines(const char *text)
{
	size_t n = 0;

	for (; *text; text++)
		n += *text == '\n';
	return n;
}

static void test_table(void)
{
	struct rtk_result r;
	char *text, *all;
	__u32 cpu;

	make(&r);
	judge(&r);
	text = print(&r, false, true);
	printf("# %zu columns\n", widest(text));
	ok(widest(text) <= 100, "the table fits 100 columns");
	ok(strstr(text, "# cpu=all series=irq\n1000 1008 240000\n"),
	   "buckets as low, high, count");
	ok(strstr(text, "policy=rr"), "parameters that are not the default");
	ok(!strstr(text, "period_ns="), "but not the others");
	ok(strstr(text, "verdict: VALID\n"), "the verdict");
	free(text);
	rtk_result_free(&r);

	make(&r);
	spoil_emulated(&r);
	for (cpu = 2; cpu < 130; cpu++)
		add_lane(&r, "irq", cpu, 240000, 1000 + cpu);
	r.lanes.v[r.lanes.n - 1].late = 0;
	r.lanes.v[r.lanes.n - 1].missed = 0;
	r.lanes.v[r.lanes.n - 1].expected -= 3;
	judge(&r);
	text = print(&r, false, false);
	all = print(&r, true, false);
	ok(!strncmp(text, "every number below is emulated, not a latency measurement\n", 58),
	   "an emulated machine is named first");
	ok(strstr(text, "--all-cpus") && strstr(text, "\n129 "),
	   "of many CPUs the worst are shown, and how to see all");
	ok(!strstr(all, "--all-cpus") && lines(all) > lines(text) + 100,
	   "--all-cpus shows all");
	free(text);
	free(all);
	rtk_result_free(&r);
}

static void test_live(void)
{
	struct rtk_lanes none = { 0 };
	struct rtk_result r;
	char text[80];

	make(&r);
	r.test.elapsed_ns = 0;
	rtk_live_text(text, sizeof(text), &r.test, &none);
	ok_str(text, "hrtimer warms up", "live line of the warm-up");
	r.test.elapsed_ns = 15100000000LL;
	rtk_live_text(text, sizeof(text), &r.test, &none);
	ok_str(text, "hrtimer 15 of 60 s (25 %)", "of a run with an end");
	r.test.planned_ns = 0;
	rtk_live_text(text, sizeof(text), &r.test, &r.lanes);
	ok_str(text, "hrtimer 15 s  irq max 2.2 us (CPU 1)  thread max 10 us (CPU 0)",
	       "of an endless one, with its maxima");
	rtk_result_free(&r);
}

static void test_between(void)
{
	struct rtk_outlier o;
	char text[160];

	rtk_outlier_init(&o);
	ok_str(rtk_worst_between(&o, text, sizeof(text)), "",
	       "an older module counts no interrupts");
	o.irq = 2;
	o.softirq = 1;
	o.nmi = 0;
	ok_str(rtk_worst_between(&o, text, sizeof(text)),
	       "2 interrupts, 1 softirq, 0 NMIs since the sample before",
	       "what ran in between");
	ok_str(rtk_worst_smis(&o, "", text, sizeof(text)), "",
	       "an older module says nothing of SMIs");
	ok_str(rtk_worst_smis(&o, "none", text, sizeof(text)),
	       "SMIs are not counted here", "SMIs without a counter");
	ok_str(rtk_worst_smis(&o, "msr", text, sizeof(text)),
	       "SMIs are counted above threshold_ns only", "SMIs not looked at");
	o.smi = 0;
	o.smi_span_ns = 200000000;
	ok_str(rtk_worst_smis(&o, "msr", text, sizeof(text)),
	       "no SMI in 200 ms (msr)", "no SMI");
	o.smi = 2;
	ok_str(rtk_worst_smis(&o, "virtual", text, sizeof(text)),
	       "2 SMIs in 200 ms (virtual): the hypervisor's number, which explains nothing",
	       "a hypervisor's count is said to explain nothing");
}

static void test_worst(void)
{
	struct rtk_outlier *o;
	struct rtk_result r;
	char *text;

	make(&r);
	rtk_copy(r.test.smi_source, sizeof(r.test.smi_source), "none");
	add_outlier(&r, "thread", 10000, 5010000, "");
	add_outlier(&r, "irq", 2200, 5002200, "stress-ng");
	o = &r.outliers.v[0];
	o->irq = 1;
	o->softirq = 2;
	o->nmi = 1;
	judge(&r);
	text = print(&r, false, false);
	ok(strstr(text, "\nworst of thread: 10000 ns on CPU 1 at 2023-11-14T22:13:21.000000007Z\n"
			"  interrupted stress-ng (pid 77)\n"
			"  1 interrupt, 2 softirqs, 1 NMI since the sample before,\n"
			"  the measurement's own timer among them\n"
			"  SMIs are not counted here\n"),
	   "the worst sample in words");
	ok(widest(text) <= 100, "within 100 columns");
	free(text);
	rtk_result_free(&r);
}

static void test_corrected(void)
{
	const struct rtk_summary *s;
	struct rtk_result r;
	char *text;

	make(&r);
	/* One of 731 us at 250 us: 481 and 231 waited for it. */
	r.lanes.v[1].max = 731000;
	r.lanes.v[1].buckets[1].index = (__u32)rtk_hist_index(731000);
	judge(&r);
	s = find(&r, "thread", 0);
	ok(s && s->added == 2 && s->corrected[0] == s->percentile[0],
	   "a CPU's corrected distribution");
	s = find(&r, "thread", RTK_CPU_ALL);
	ok(s && s->added == 2, "and that of all");
	s = find(&r, "irq", 0);
	ok(s && !s->added &&
	   !memcmp(s->corrected, s->percentile, sizeof(s->corrected)),
	   "what is never late is as observed");
	text = print(&r, false, false);
	ok(strstr(text, "\ncorrected  239993 ") && strstr(text, "\ncorrected  479984 "),
	   "in lines of their own");
	ok(strstr(text, "  missed  added\n"), "beside missed");
	ok(widest(text) <= 100, "within 100 columns");
	free(text);
	rtk_result_free(&r);
}

/* The reader of the text goes before it comes: rtk run --json F | head -1. */
static void test_early_reader(void)
{
	char path[] = "/tmp/rtk-unit-XXXXXX";
	struct rtk_report rep = { .json = path };
	int fd = mkstemp(path), p[2], status = 0;
	struct rtk_result r;
	struct stat st;
	pid_t pid;

	make(&r);
	judge(&r);
	fflush(stdout);
	pid = fd < 0 || pipe(p) ? -1 : fork();
	if (!pid) {
		close(p[0]);
		dup2(p[1], STDOUT_FILENO);
		rtk_report_print(&rep, &r);
		_exit(0);
	}
	close(p[0]);
	close(p[1]);
	ok(pid > 0 && waitpid(pid, &status, 0) == pid && WIFSIGNALED(status) &&
	   WTERMSIG(status) == SIGPIPE, "ended by its reader");
	ok(!stat(path, &st) && st.st_size > 1000,
	   "but the document is written by then");
	close(fd);
	unlink(path);
	rtk_result_free(&r);
}

static void test_unknown_series(void)
{
	struct rtk_result r;

	make(&r);
	add_lane(&r, "nonsense", 0, 1, 1);
	ok_num(rtk_result_summarize(&r), -EBADMSG,
	       "a lane of an unknown series is refused");
	rtk_result_free(&r);
}

int main(int argc, char **argv)
{
	const char *dir = argc > 1 ? argv[1] : "";

	tap_begin();
	test_summaries();
	test_signed();
	test_verdicts(dir);
	test_every_reason_is_tested();
	test_cause();
	test_few();
	test_idle_held();
	test_limit(dir);
	test_json(dir);
	test_table();
	test_live();
	test_between();
	test_worst();
	test_corrected();
	test_unknown_series();
	test_early_reader();
	return tap_end();
}
