// SPDX-License-Identifier: GPL-2.0
/* What is said of reads besides what is said of any samples. */
#include "allsafe.h"
#include "mmio.h"
#include "results.h"

/* Of 1001 reads, the slowest took 1200 ns. */
static void make_reads(struct rtk_result *r)
{
	struct rtk_items *c;
	size_t i;

	make_machine(r, "mmio", 1, 1);
	add_series(&r->test, "gap", false);
	add_series(&r->test, "read", false);
	add_param(&r->test, "sched_outlier_ns", RTK_PARAM_TYPE_U64, "50000",
		  "100000");
	c = &add_lane(r, "gap", 1, 999, 900)->counters;
	add_item(c, "loops", 1001);
	add_item(c, "total_ns", 601999);
	add_item(c, "all_ones", 3);
	add_item(c, "mmio_outliers", 2);
	add_item(c, "sched_outliers", 1);
	add_item(c, "mmio_limit_ns", 1000);
	add_item(c, "clock_ns", 21);
	add_lane(r, "read", 1, 1000, 600);
	add_outlier(r, "read", 1200, 5000, "");
	r->outliers.v[0].irq = 1;
	r->outliers.v[0].softirq = 0;
	r->outliers.v[0].nmi = 0;
	for (i = 0; i < 2; i++) {
		r->lanes.v[i].ledger = false;
		r->test.series[i].ledger = false;
	}
	judge(r);
}

static void test_numbers(void)
{
	struct rtk_result r;
	struct rtk_mmio m;

	make_reads(&r);
	ok(rtk_mmio_get(&r, &m), "a run with reads");
	ok_num(m.loops, 1001, "their number");
	ok_num(m.avg, 601, "the mean is 601.4");
	ok(m.min == 600 && m.max == 1200, "the fastest and the slowest");
	ok(m.slow == 2 && m.gaps == 1 && m.all_ones == 3, "what was counted");
	rtk_result_free(&r);
	make(&r);
	judge(&r);
	ok(!rtk_mmio_get(&r, &m), "another test has none");
	rtk_result_free(&r);
}

static void test_table(void)
{
	struct rtk_result r;
	char *text;

	make_reads(&r);
	text = print(&r, false, false);
	ok(strstr(text, " mmio_limit_ns  clock_ns\n"), "what each CPU counted");
	ok(strstr(text, "mmio_outliers: reads above mmio_limit_ns; sched_outliers: gaps above 50000 ns; reading the clock\n"
			"takes clock_ns or more, which is part of each read\n"),
	   "is held against what is told");
	ok(strstr(text, "  1 interrupt, 0 softirqs, 0 NMIs since the sample before\n"),
	   "no interrupt is the measurement's own");
	free(text);
	rtk_result_free(&r);
	make(&r);
	judge(&r);
	text = print(&r, false, false);
	ok(!strstr(text, "mmio_"), "which is none of another test's");
	free(text);
	rtk_result_free(&r);
}

static void ok_line(const struct rtk_result *r, const char *want,
		    const char *name)
{
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	rtk_allsafe_line(f, r);
	fclose(f);
	ok_str(text, want, "%s", name);
	free(text);
}

/* One of many devices. */
static void test_line(void)
{
	struct rtk_result r;

	make_reads(&r);
	add_param(&r.test, "bar", RTK_PARAM_TYPE_S64, "0", "-1");
	add_param(&r.test, "offset", RTK_PARAM_TYPE_STRING, "0x8", "");
	rtk_copy(r.device.bdf, sizeof(r.device.bdf), "0000:03:00.0");
	rtk_copy(r.device.name, sizeof(r.device.name), "Intel I210");
	ok_line(&r, "0000:03:00.0  BAR 0 + 0x8           1001      600      601       1200       2         3  Intel I210\n",
		"a device in a line");
	r.test.state = RTK_STATE_FAILED;
	free(r.test.reason);
	r.test.reason = strdup("device-gone");
	ok_line(&r, "0000:03:00.0  BAR 0 + 0x8           1001      600      601       1200       2         3  Intel I210; ended early: device-gone\n",
		"one that went away");
	rtk_result_free(&r);

	make_machine(&r, "mmio", 1, 1);
	add_series(&r.test, "read", false);
	judge(&r);
	rtk_copy(r.device.bdf, sizeof(r.device.bdf), "0000:03:00.0");
	r.test.cause = strdup("0000:03:00.0 does not answer");
	ok_line(&r, "0000:03:00.0  no read: 0000:03:00.0 does not answer\n",
		"one that was never there");
	rtk_result_free(&r);
}

int main(void)
{
	tap_begin();
	test_numbers();
	test_table();
	test_line();
	return tap_end();
}
