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

int main(void)
{
	tap_begin();
	test_latency();
	test_jitter();
	return tap_end();
}
