// SPDX-License-Identifier: GPL-2.0
/*
 * Summaries and JSON of runs made up here.
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

#include "report.h"
#include "results.h"

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

/* A device of which as much is known as of a card in a slot. */
static void set_device(struct rtk_device *d)
{
	rtk_copy(d->bdf, sizeof(d->bdf), "0000:03:00.0");
	rtk_copy(d->vendor, sizeof(d->vendor), "8086");
	rtk_copy(d->id, sizeof(d->id), "1533");
	rtk_copy(d->name, sizeof(d->name), "I210");
	rtk_copy(d->family, sizeof(d->family), "igb");
	d->claimed = true;
	d->netifs = 1;
	rtk_copy(d->netif[0].name, sizeof(d->netif[0].name), "lan0");
	d->aspm = RTK_ASPM_L0S | RTK_ASPM_L1;
	d->vector = 45;
}

static void test_json(const char *dir)
{
	json_t *o, *series, *p;
	struct rtk_result r;
	char *text;

	make(&r);
	r.lanes.v[0].max = INT64_MAX;
	add_outlier(&r, "irq", 5, 6, "\xff\xfezz");
	set_device(&r.device);
	rtk_extra_note(&r.extra, "a note");
	judge(&r);
	text = rtk_json_text(&r);
	o = json_loads(text ? text : "", 0, NULL);
	ok(o, "the document can be read");
	ok_str(json_string_value(json_object_get(o, "started")),
	       "2023-11-14T22:13:20.000000042Z", "time with nanoseconds");
	p = json_object_get(o, "device");
	ok(json_integer_value(json_object_get(p, "vector")) == 45 &&
	   !strcmp(json_string_value(json_object_get(p, "aspm")), "L0s+L1"),
	   "the device that was measured");
	ok_num(json_array_size(json_object_get(o, "notes")), 1, "a note");
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

static void test_unknown_series(void)
{
	struct rtk_result r;

	make(&r);
	add_lane(&r, "nonsense", 0, 1, 1);
	ok_num(rtk_result_summarize(&r), -EBADMSG,
	       "a lane of an unknown series is refused");
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

int main(int argc, char **argv)
{
	const char *dir = argc > 1 ? argv[1] : "";

	tap_begin();
	test_summaries();
	test_signed();
	test_json(dir);
	test_unknown_series();
	test_early_reader();
	return tap_end();
}
