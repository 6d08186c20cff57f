// SPDX-License-Identifier: GPL-2.0
/* Results of very long runs and of very large machines, in every form. */
#include <time.h>

#include "rep.h"
#include "results.h"

#define MIB (1024 * 1024)
#ifndef __SANITIZE_ADDRESS__
#define __SANITIZE_ADDRESS__ 0
#endif

static int (*const prints[])(FILE *out, const struct rtk_rep *rep) = {
	rtk_rep_text, rtk_rep_markdown, rtk_rep_html,	rtk_rep_csv,
	rtk_rep_junit, rtk_rep_ktap,	rtk_rep_rteval, rtk_rep_rteval_xml,
};

/* A sample in each bucket from @first on, all the others in the first. */
static void fill(struct rtk_lane *l, __u32 first, __u32 buckets, __u64 samples)
{
	unsigned __int128 squares = 0;
	__s64 low, high;
	__u32 i;

	l->complete = true;
	l->moments = true;
	l->ledger = true;
	l->period_ns = 250000;
	l->buckets = calloc(buckets, sizeof(*l->buckets));
	l->nbuckets = buckets;
	for (i = 0; i < buckets; i++) {
		rtk_stats_row(first + i, &low, &high);
		l->buckets[i].index = first + i;
		l->buckets[i].count = i ? 1 : samples - buckets + 1;
		l->sum += low * (__s64)l->buckets[i].count;
		squares += (unsigned __int128)((__u64)low * (__u64)low) *
			   l->buckets[i].count;
		if (!i)
			l->min = low;
		l->max = low;
	}
	l->sumsq_lo = (__u64)squares;
	l->sumsq_hi = (__u64)(squares >> 64);
	l->count = samples;
	l->moments_count = samples;
	l->expected = samples;
	l->delivered = samples;
}

static char *document(__u32 cpus, __u32 buckets, __u64 samples)
{
	static const char *const names[] = { "irq", "thread", "user" };
	struct rtk_result r;
	struct rtk_lane *l;
	char *text;
	__u32 cpu;
	size_t i;

	make_machine(&r, "hrtimer", 0, cpus - 1);
	for (i = 0; i < RTK_ARRAY_SIZE(names); i++) {
		add_series(&r.test, names[i], false);
		for (cpu = 0; cpu < cpus; cpu++) {
			l = rtk_grow(&r.lanes.v, &r.lanes.n, sizeof(*l));
			rtk_copy(l->series, sizeof(l->series), names[i]);
			l->cpu = cpu;
			fill(l, 500, buckets, samples);
		}
	}
	r.fail_above_ns = 100000;
	judge(&r);
	text = rtk_json_text(&r);
	rtk_result_free(&r);
	return text;
}

/* From the document to all reports. CPU time: who shares the machine does not count. */
static double render(const char *text, const char *what)
{
	char name[] = "big.json", *file = name, *out = NULL;
	clock_t begin = clock();
	struct rtk_result r;
	struct rtk_rep rep = { .v = &r, .file = &file, .n = 1 };
	size_t i, size;
	FILE *f;

	if (rtk_load_text(what, text, &r)) {
		ok(false, "%s: read back", what);
		return 0;
	}
	for (i = 0; i < RTK_ARRAY_SIZE(prints); i++) {
		f = open_memstream(&out, &size);
		ok(!prints[i](f, &rep), "%s: form %zu", what, i);
		fclose(f);
		ok(size > 400, "has something to say");
		free(out);
	}
	rtk_result_free(&r);
	return (double)(clock() - begin) / CLOCKS_PER_SEC;
}

int main(void)
{
	char *text;
	double took;

	tap_begin();
	/* Pictures are gnuplot's; its time is another process's. */
	setenv("PATH", "/nonexistent", 1);
	/* All buckets from 45 us to 5.7 ms: more than a real machine has. */
	text = document(8, 450, 345600000);
	printf("# 8 CPUs, 345.6 million samples in each series: %zu bytes\n",
	       strlen(text));
	ok(strlen(text) < MIB, "the document is below 1 MiB");
	took = render(text, "345.6 million samples");
	printf("# %.3f s\n", took);
	/* Sanitizers take ten times as long. */
	ok(took < (__SANITIZE_ADDRESS__ ? 10 : 1), "in below a second, all of them");
	free(text);
	text = document(4096, 20, 100000);
	took = render(text, "4096 CPUs");
	printf("# 4096 CPUs: %zu MiB, %.1f s\n", strlen(text) / MIB, took);
	ok(took < (__SANITIZE_ADDRESS__ ? 200 : 20), "in time");
	free(text);
	return tap_end();
}
