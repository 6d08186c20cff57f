// SPDX-License-Identifier: GPL-2.0
/* The block of results is to the character that of the documentation. */
#include "eci.h"
#include "results.h"

typedef int print_fn(FILE *out, const struct rtk_result *r,
		     const struct rtk_report *rep);

static void ok_text(const struct rtk_result *r, print_fn *print_it,
		    const char *want, const char *name)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	ok(out && !print_it(out, r, NULL), "%s: printed", name);
	fclose(out);
	ok_str(text, want, "%s", name);
	free(text);
}

/* A series of the sum, the least and the largest of COUNT samples on CPU 1. */
static void add(struct rtk_result *r, const char *series, bool is_signed,
		__u64 count, __s64 sum, __s64 min, __s64 max)
{
	struct rtk_lane *l;

	add_series(&r->test, series, is_signed);
	l = add_lane(r, series, 1, 1, 1);
	l->count = count;
	l->moments_count = count;
	l->sum = sum;
	l->min = min;
	l->max = max;
	l->nbuckets = 1;
	l->buckets[0].count = count;
}

static void test_latency(void)
{
	static const char raw[] = "************ RESULTS (ns) ************\n"
				  "\n"
				  "* Max: 9056\n"
				  "* Avg: 6626\n"
				  "* Min: 5360\n";
	static const char adjusted[] = "************ RESULTS (ns) ************\n"
				       "\n"
				       "* Max: 8056\n"
				       "* Avg: 5626\n"
				       "* Min: 4360\n";
	struct rtk_result r;

	make_machine(&r, "msi_latency", 1, 1);
	add(&r, "write", false, 1000, 300000, 200, 900);
	/* The mean is 6626.999. */
	add(&r, "irq", false, 1000, 6626999, 5360, 9056);
	judge(&r);
	ok_text(&r, rtk_eci_msi_latency, raw, "latency");
	rtk_result_free(&r);

	make_machine(&r, "msi_latency", 1, 1);
	add(&r, "irq", false, 1000, 6626999, 5360, 9056);
	add(&r, "irq_adj", false, 1000, 5626999, 4360, 8056);
	judge(&r);
	ok_text(&r, rtk_eci_msi_latency, adjusted, "latency less its offset");
	rtk_result_free(&r);
}

static void test_jitter(void)
{
	static const char want[] = "************ RESULTS (ns) ************\n"
				   "\n"
				   "* Max: 3184\n"
				   "* Avg: 222\n"
				   "* Min: 0\n";
	struct rtk_result r;

	make_machine(&r, "msi_jitter", 1, 1);
	add(&r, "period", true, 1000, -12, -3184, 3100);
	add(&r, "period_abs", false, 1000, 222500, 0, 3184);
	judge(&r);
	ok_text(&r, rtk_eci_msi_jitter, want, "jitter");
	rtk_result_free(&r);

	make_machine(&r, "msi_jitter", 1, 1);
	add(&r, "trigger_lateness", false, 1000, 222500, 0, 3184);
	judge(&r);
	ok_text(&r, rtk_eci_msi_jitter, "", "jitter without a sample");
	rtk_result_free(&r);
}

/* What a CPU counted; its numbers come with its first series. */
static void count(struct rtk_result *r, __u64 loops, __u64 total, __u64 slow,
		  __u64 gaps)
{
	struct rtk_items *c = &r->lanes.v[r->lanes.n - 1].counters;

	add_item(c, "loops", loops);
	add_item(c, "total_ns", total);
	add_item(c, "all_ones", 0);
	add_item(c, "mmio_outliers", slow);
	add_item(c, "sched_outliers", gaps);
	add_item(c, "mmio_limit_ns", 15000);
	add_item(c, "clock_ns", 21);
}

static void test_mmio(void)
{
	static const char want[] = "RT Core Module\n"
				   "------------------------\n"
				   " Stats:\n"
				   "  max= 6472\n"
				   "  avg= 2814\n"
				   "  min= 588\n"
				   "  total= 973791140\n"
				   "  loops= 346010\n"
				   "\n"
				   " mmio-outliers: 247\n"
				   " sched-outliers: 9\n";
	struct rtk_result r;

	make_machine(&r, "mmio", 1, 1);
	add(&r, "read", false, 346010, 973791140, 588, 6472);
	count(&r, 346010, 973791140, 247, 9);
	judge(&r);
	ok_text(&r, rtk_eci_mmio, want, "reads: the mean is 2814.3");
	rtk_result_free(&r);

	make_machine(&r, "mmio", 1, 2);
	add(&r, "read", false, 346000, 973700000, 600, 6472);
	count(&r, 346000, 973700000, 240, 0);
	add_lane(&r, "read", 2, 9, 588);
	r.lanes.v[1].max = 700;
	count(&r, 10, 91140, 7, 9);
	judge(&r);
	ok_text(&r, rtk_eci_mmio, want, "reads on two CPUs");
	rtk_result_free(&r);

	make_machine(&r, "mmio", 1, 1);
	add_series(&r.test, "read", false);
	judge(&r);
	ok_text(&r, rtk_eci_mmio, "", "no read");
	rtk_result_free(&r);
}

int main(void)
{
	tap_begin();
	test_latency();
	test_jitter();
	test_mmio();
	return tap_end();
}
