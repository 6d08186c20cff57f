// SPDX-License-Identifier: GPL-2.0
/*
 * A run of test hwlat made up here: what its records have in common, its reports
 * and verdicts. With a folder as argument the JSON document is left there.
 */
#include <errno.h>
#include <jansson.h>
#include <unistd.h>

#include "gaps.h"
#include "report.h"
#include "results.h"

#define WALL 1716179830249172536LL
#define MONO 1000000000LL
#define SEC 1000000000LL

static void set_param(struct rtk_result *r, const char *name, const char *value)
{
	struct rtk_param *p = rtk_test_param(&r->test, name);

	free(p->run_value);
	p->run_value = strdup(value);
}

/* 57 s in gaps of 100 ns, 2 % of a second less than 60 * 0.95. */
static struct rtk_lane *add_cpu(struct rtk_result *r, __u32 cpu)
{
	struct rtk_lane *l = rtk_grow(&r->lanes.v, &r->lanes.n, sizeof(*l));

	rtk_copy(l->series, sizeof(l->series), "gap");
	l->cpu = cpu;
	l->complete = true;
	l->moments = true;
	l->count = 570000000;
	l->moments_count = l->count;
	l->min = 100;
	l->max = 100;
	l->sum = 57 * SEC;
	l->sumsq_lo = l->count * 10000;
	l->buckets = calloc(1, sizeof(*l->buckets));
	l->nbuckets = 1;
	l->buckets[0] = (struct rtk_bucket){ rtk_hist_index(100), 0, l->count };
	add_item(&l->counters, "covered_ns", 57 * SEC - 20000000);
	add_item(&l->counters, "wall_ns", 60 * SEC);
	return l;
}

/* Ends at MONO + after and WALL + after. */
static struct rtk_outlier *add_gap(struct rtk_result *r, __u32 cpu, __s64 after,
				   __s64 inner, __s64 outer)
{
	struct rtk_outlier *o =
		rtk_grow(&r->outliers.v, &r->outliers.n, sizeof(*o));

	rtk_outlier_init(o);
	rtk_copy(o->series, sizeof(o->series), "gap");
	o->cpu = cpu;
	o->value = inner > outer ? inner : outer;
	o->mono_ns = MONO + after;
	o->wall_ns = WALL + after;
	o->irq = 0;
	o->softirq = 0;
	o->nmi = 0;
	o->smi = 0;
	o->smi_span_ns = 1000;
	add_item(&o->details, "inner_ns", (__u64)inner);
	add_item(&o->details, "outer_ns", (__u64)outer);
	add_item(&o->details, "watching", 3);
	return o;
}

/*
 * One SMI that two of three CPUs have seen, an NMI that made both gaps of a pair
 * long, 1.5 us without a cause; and 2 us that only the list of the worst still has,
 * where the first is, too.
 */
static void add_gaps(struct rtk_result *r)
{
	struct rtk_outlier *o;

	add_gap(r, 1, 0, 120, 8509123)->smi = 1;
	add_gap(r, 2, -50000, 8400000, 130)->smi = 1;
	add_gap(r, 3, SEC, 11200, 13700)->nmi = 1;
	add_gap(r, 3, SEC, 11200, 13700)->value = 11200;
	add_gap(r, 1, 2 * SEC, 1500, 120);
	o = add_gap(r, 1, 0, 120, 8509123);
	o->smi = 1;
	o->worst = true;
	o = add_gap(r, 1, 0, 120, 2000);
	o->mono_ns = MONO - SEC + 10827464;
	o->wall_ns = WALL - SEC + 10827464;
	o->worst = true;
	r->lanes.v[0].outliers = 3;
	r->lanes.v[0].max = 8509123;
	r->lanes.v[1].outliers = 1;
	r->lanes.v[2].outliers = 2;
}

static void add_u64(struct rtk_test *t, const char *name, const char *value)
{
	add_param(t, name, RTK_PARAM_TYPE_U64, value, value);
}

/* On CPUs 1 to 3, not isolated, of a machine that is not made for real time. */
static void make_hwlat(struct rtk_result *r)
{
	struct rtk_test *t = &r->test;
	__u32 cpu;

	make_machine(r, "hwlat", 1, 3);
	rtk_copy(t->smi_source, sizeof(t->smi_source), "msr");
	t->started_wall_ns = WALL - 10 * SEC;
	add_series(t, "gap", false);
	add_u64(t, "window_us", "1000000");
	add_u64(t, "width_us", "950000");
	add_u64(t, "threshold_ns", "1000");
	add_param(t, "mode", RTK_PARAM_TYPE_ENUM, "parallel", "parallel");
	add_param(t, "clock", RTK_PARAM_TYPE_ENUM, "tsc", "auto");
	add_param(t, "dma_latency_us", RTK_PARAM_TYPE_S64, "-1", "0");
	set_fact(&r->env, RTK_FACT_CPUS_ISOLATED, "");
	r->env.rt = 0;
	r->env.deep_cpu = 1;
	r->env.deep_us = 100;
	r->env.cpu_latency_us = -1;
	for (cpu = 1; cpu <= 3; cpu++) {
		add_cpu(r, cpu)->smi = cpu < 3;
		r->lanes.v[cpu - 1].nmi = cpu == 3;
	}
}

static bool is_gap(const struct rtk_gap *g, __u32 cpu, __s64 value, __u32 seen)
{
	return g->o->cpu == cpu && g->o->value == value && g->seen == seen &&
	       (!seen || g->watching == 3);
}

static void test_gaps(void)
{
	struct rtk_result r;
	struct rtk_gaps g;

	make_hwlat(&r);
	add_gaps(&r);
	judge(&r);
	ok(rtk_gaps_measured(&r) && !rtk_gaps_collect(&r, &g), "gaps are compared");
	ok_num((long long)g.n, 5, "each once: a pair, and what is in two lists");
	ok(g.above == 6 && g.kept == 5, "each gap is counted; one more was kept once");
	ok_num((long long)g.unexplained, 2, "without an SMI or NMI: two");
	ok(g.n == 5 && is_gap(&g.v[0], 1, 2000, 1) &&
	   is_gap(&g.v[1], 2, 8400000, 2) && is_gap(&g.v[2], 1, 8509123, 2) &&
	   is_gap(&g.v[3], 3, 13700, 1) && is_gap(&g.v[4], 1, 1500, 1),
	   "in the order of time, and on how many of three CPUs");
	ok(g.n == 5 && g.v[3].nmi == 1 && g.v[3].inner_ns == 11200 &&
	   g.v[3].outer_ns == 13700, "a pair has both gaps, and what either counted");
	rtk_gaps_free(&g);

	set_param(&r, "clock", "raw");
	rtk_copy(r.test.smi_source, sizeof(r.test.smi_source), "virtual");
	ok(!rtk_gaps_collect(&r, &g) && g.n == 5 && !g.v[1].seen,
	   "with another clock nothing is said of other CPUs");
	ok(!g.smis_known && !g.unexplained,
	   "nor of explanations where a hypervisor counts");
	rtk_gaps_free(&g);
	rtk_result_free(&r);
}

/* A long one that begins first, with a short one in between that ends first. */
static void test_overlap(void)
{
	struct rtk_result r;
	struct rtk_gaps g;

	make_hwlat(&r);
	add_gap(&r, 1, 0, 0, 1000000);
	add_gap(&r, 2, -500000, 0, 2000);
	add_gap(&r, 2, -200000, 0, 2000);
	add_gap(&r, 3, -100, 0, 2000);
	add_gap(&r, 3, 5000, 0, 4000);
	/* It has left its burst, and two others theirs, by the time of its record. */
	r.outliers.v[3].details.v[2].value = 1;
	judge(&r);
	ok(!rtk_gaps_collect(&r, &g) && g.n == 5 && is_gap(&g.v[0], 2, 2000, 2) &&
	   is_gap(&g.v[1], 2, 2000, 2) && is_gap(&g.v[2], 3, 2000, 2) &&
	   is_gap(&g.v[3], 1, 1000000, 3) && is_gap(&g.v[4], 3, 4000, 1),
	   "who is away twice meanwhile is one CPU, who ended before is none");
	rtk_gaps_free(&g);
	rtk_result_free(&r);
}

static char *slurp(const char *path)
{
	char *text = calloc(1, 65536);
	FILE *f = fopen(path, "r");

	if (f) {
		if (!fread(text, 1, 65535, f))
			ok(false, "%s is not empty", path);
		fclose(f);
	}
	return text;
}

/* What rtk show prints; the exit status of the result is *STATUS. */
static char *report(const struct rtk_result *r, const struct rtk_report *rep,
		    int *status)
{
	char path[] = "/tmp/rtk-unit-XXXXXX", *text;
	int fd = mkstemp(path), old = dup(STDOUT_FILENO);

	fflush(stdout);
	dup2(fd, STDOUT_FILENO);
	*status = rtk_report_print(rep, r);
	fflush(stdout);
	dup2(old, STDOUT_FILENO);
	close(old);
	close(fd);
	text = slurp(path);
	unlink(path);
	return text;
}

static void test_hwlatdetect(void)
{
	char dir[] = "/tmp/rtk-unit-XXXXXX";
	char *want = slurp(TEST_DIR "/hwlatdetect.txt"), *got, *saved;
	struct rtk_report rep = { 0 };
	struct rtk_result r;
	int status;

	make_hwlat(&r);
	add_gaps(&r);
	judge(&r);
	ok(!rtk_report_option(&rep, RTK_OPT_FORMAT, "hwlatdetect") &&
	   !rtk_report_option(&rep, RTK_OPT_REPORT, "hwlat.log"), "its options");
	if (!mkdtemp(dir) || chdir(dir))
		ok(false, "a folder for the report");
	got = report(&r, &rep, &status);
	ok_str(got, want, "hwlatdetect's report to the byte");
	ok_num(status, RTK_EXIT_OK, "its status");
	free(got);
	saved = slurp("hwlat.log");
	ok(strlen(saved) > 100 && strstr(want, saved) &&
	   !strncmp(saved, "ts: 1716179829.", 15), "the same samples in the file");
	free(saved);

	rep.hwlatdetect.file = NULL;
	rtk_report_option(&rep, RTK_OPT_CPU, NULL);
	rtk_copy(r.test.smi_source, sizeof(r.test.smi_source), "none");
	/* The sum over all CPUs. */
	r.sums[3].outliers += 40;
	got = report(&r, &rep, &status);
	ok(strstr(got, "Output File:       None\n"), "no file");
	ok(strstr(got, ", inner:8400, outer:0, cpu:2\n"), "with the CPU");
	ok(!strstr(got, "SMIs occured") && strstr(got, "\n# SMIs are not counted here\n"),
	   "no counter of SMIs");
	ok(strstr(got, "Samples recorded: 5\nSamples exceeding threshold: 46\n") &&
	   strstr(got, "# samples that are not recorded were overwritten"),
	   "overwritten ones are told");
	free(got);
	free(want);
	unlink("hwlat.log");
	if (chdir("/") || rmdir(dir))
		ok(false, "%s goes away", dir);
	rtk_result_free(&r);

	make_hwlat(&r);
	set_param(&r, "threshold_ns", "1500");
	judge(&r);
	got = report(&r, &rep, &status);
	ok(strstr(got, "Latency threshold: 1.500us\n") &&
	   strstr(got, "Max Latency: Below threshold\nSamples recorded: 0\n"),
	   "nothing above the threshold");
	free(got);
	rtk_result_free(&r);
}

static void test_options(void)
{
	struct rtk_report rep = { 0 };

	ok(!rtk_report_check(&rep, "hrtimer"), "without a format");
	ok_num(rtk_report_option(&rep, RTK_OPT_FORMAT, "xml"), -EINVAL,
	       "an unknown format");
	rtk_report_option(&rep, RTK_OPT_CPU, NULL);
	ok_num(rtk_report_check(&rep, "hwlat"), -EINVAL,
	       "an option of a format that was not chosen");
	rtk_report_option(&rep, RTK_OPT_FORMAT, "hwlatdetect");
	ok(!rtk_report_check(&rep, "hwlat"), "of one that was");
	ok_num(rtk_report_check(&rep, "hrtimer"), -EINVAL, "but for another test");
	rtk_report_option(&rep, RTK_OPT_REPORT, "/nowhere/x");
	ok_num(rtk_report_check(&rep, "hwlat"), -ENOENT,
	       "a file that can't be written");
	rep.hwlatdetect.file = NULL;
	rtk_report_option(&rep, RTK_OPT_HISTOGRAM, NULL);
	ok_num(rtk_report_check(&rep, "hwlat"), -EINVAL,
	       "an option of the table with another format");
}

static void test_table(void)
{
	struct rtk_report rep = { 0 };
	struct rtk_result r;
	int status, i;
	char *got;

	make_hwlat(&r);
	add_gaps(&r);
	judge(&r);
	got = report(&r, &rep, &status);
	ok(strstr(got, "\ncovered, of the time that passed (SMIs by: msr):\n"
		       "CPU     samples  covered s      %  above  SMIs  NMIs\n"
		       "1     570000000     56.980  94.97      3     1     0\n"
		       "2     570000000     56.980  94.97      1     1     0\n"
		       "3     570000000     56.980  94.97      2     0     1\n"
		       "all  1710000000    170.940  94.97      6     1     1\n"),
	   "coverage");
	ok(strstr(got, "\ngaps above 1 us: 6, of which 5 are on record; ") &&
	   strstr(got, "; unexplained, without an SMI or an NMI: 2\n"),
	   "how many gaps are explained");
	ok(strstr(got, "\n05-20T04:37:10.249172    1  8509123 ") &&
	   strstr(got, "       120   8509123     1     0   2 of 3\n"),
	   "a gap and who has seen it");
	ok(strstr(got, "\n  inner_ns=120 outer_ns=8509123 watching=3, 0 NMIs since"),
	   "the worst with its details");
	free(got);
	for (i = 0; i < 20; i++)
		add_gap(&r, 2, (3 + i) * SEC, 20000 + i, 0);
	rtk_copy(r.test.smi_source, sizeof(r.test.smi_source), "virtual");
	got = report(&r, &rep, &status);
	ok(strstr(got, "explains none\nthe 16 largest (all: --json):\n") &&
	   !strstr(got, " 13700 ") && strstr(got, "\n05-20T04:37:32."),
	   "of many the largest, and a hypervisor's number explains none");
	free(got);
	rtk_result_free(&r);
}

static void test_json(const char *dir)
{
	json_t *o, *cpu, *gap;
	struct rtk_result r;
	char *text;

	make_hwlat(&r);
	add_gaps(&r);
	judge(&r);
	text = rtk_json_text(&r);
	o = json_loads(text ? text : "", 0, NULL);
	cpu = json_array_get(json_object_get(o, "per_cpu"), 2);
	ok(json_integer_value(json_object_get(cpu, "cpu")) == 3 &&
	   json_integer_value(json_object_get(cpu, "samples")) == 570000000 &&
	   json_integer_value(json_object_get(cpu, "nmi")) == 1 &&
	   json_integer_value(json_object_get(cpu, "wall_ns")) == 60 * SEC &&
	   json_real_value(json_object_get(cpu, "coverage")) > 0.949,
	   "a CPU's numbers");
	cpu = json_object_get(o, "counters");
	ok(json_integer_value(json_object_get(cpu, "smi")) == 1 &&
	   json_integer_value(json_object_get(cpu, "wall_ns")) == 180 * SEC,
	   "of all: SMIs the maximum, times the sum");
	gap = json_object_get(o, "gaps");
	ok(json_integer_value(json_object_get(gap, "above")) == 6 &&
	   json_integer_value(json_object_get(gap, "unexplained")) == 2,
	   "gaps are counted");
	gap = json_array_get(json_object_get(gap, "list"), 2);
	ok(json_integer_value(json_object_get(gap, "seen_on")) == 2 &&
	   json_integer_value(json_object_get(gap, "outer_ns")) == 8509123,
	   "and listed");
	gap = json_array_get(json_object_get(o, "outliers"), 1);
	ok(json_integer_value(json_object_get(gap, "watching")) == 3,
	   "an outlier has its details");
	keep_json(&r, dir, "gaps", 0);
	json_decref(o);
	free(text);
	rtk_result_free(&r);
}

static void no_smis(struct rtk_result *r)
{
	r->lanes.v[0].smi = 0;
	r->lanes.v[1].smi = 0;
}

static void blind_cpu(struct rtk_result *r)
{
	struct rtk_lane *l = &r->lanes.v[1];

	no_smis(r);
	l->count = 0;
	l->moments = false;
	l->nbuckets = 0;
	l->counters.v[0].value = 0;
}

static void absent_cpu(struct rtk_result *r)
{
	no_smis(r);
	free(r->test.cpus);
	r->test.cpus = strdup("1-4");
}

static void lost_time(struct rtk_result *r)
{
	no_smis(r);
	r->lanes.v[2].counters.v[0].value = 58 * SEC;
}

static void backwards(struct rtk_result *r)
{
	no_smis(r);
	r->lanes.v[2].negative = 1;
}

static void shared(struct rtk_result *r)
{
	no_smis(r);
	r->test.shared_with = strdup("hrtimer");
}

/* Gaps of 100 ns each. */
static void set_gaps(struct rtk_lane *l, __u64 n)
{
	l->count = n;
	l->moments_count = n;
	l->sum = (__s64)n * 100;
	l->sumsq_lo = n * 10000;
	l->buckets[0].count = n;
	l->counters.v[0].value = n * 100;
}

static void short_run(struct rtk_result *r)
{
	no_smis(r);
	set_gaps(&r->lanes.v[0], 100);
	r->lanes.v[0].counters.v[1].value = 10000;
}

/* 98 % of 57 s are 55.86 s. */
static void others_too(struct rtk_result *r)
{
	no_smis(r);
	set_gaps(&r->lanes.v[0], 558500000);
}

static void just_enough(struct rtk_result *r)
{
	no_smis(r);
	set_gaps(&r->lanes.v[0], 558700000);
}

static void test_verdicts(void)
{
	static const struct {
		const char *what;
		void (*spoil)(struct rtk_result *r);
		const char *id;
	} rows[] = {
		{ "no PREEMPT_RT, deep idle states, not isolated", no_smis, "" },
		{ "few gaps", short_run, "" },
		{ "a CPU without a gap", blind_cpu, "no-samples" },
		{ "a CPU without a lane", absent_cpu, "no-samples" },
		{ "gaps that are not the time covered", lost_time, "ledger" },
		{ "less than was asked for", others_too, "coverage" },
		{ "just enough of it", just_enough, "" },
		{ "a clock that goes backwards", backwards, "negative" },
		{ "another test beside it", shared, "shared" },
		{ "SMIs", NULL, "smi" },
	};
	struct rtk_result r;
	size_t i;

	for (i = 0; i < RTK_ARRAY_SIZE(rows); i++) {
		make_hwlat(&r);
		if (rows[i].spoil)
			rows[i].spoil(&r);
		judge(&r);
		ok_str(r.verdict.n ? r.verdict.v[0].id : "", rows[i].id, "%s",
		       rows[i].what);
		ok(r.verdict.n <= 1, "and nothing else");
		rtk_result_free(&r);
	}
}

int main(int argc, char **argv)
{
	tap_begin();
	test_gaps();
	test_overlap();
	test_hwlatdetect();
	test_options();
	test_table();
	test_json(argc > 1 ? argv[1] : "");
	test_verdicts();
	return tap_end();
}
