// SPDX-License-Identifier: GPL-2.0
/* The tables and lines for people, of runs made up here. */
#include "live.h"
#include "results.h"
#include "worst.h"

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
	ok(strstr(text, "\nno sample above 2200 ns in 480002: p < 6.2e-06 at 95 %\n"),
	   "the bound under the statistics");
	ok(strstr(text, "policy=rr"), "parameters that are not the default");
	ok(!strstr(text, "period_ns="), "but not the others");
	ok(strstr(text, "verdict: VALID\n"), "the verdict");
	free(text);
	rtk_result_free(&r);

	make(&r);
	r.env.emulated = true;
	r.env.hypervisor = true;
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
			"  the measurement's own interrupt among them\n"
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

int main(void)
{
	tap_begin();
	test_table();
	test_live();
	test_between();
	test_worst();
	test_corrected();
	return tap_end();
}
