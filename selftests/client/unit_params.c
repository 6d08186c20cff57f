// SPDX-License-Identifier: GPL-2.0
/* "name=value" and CPU lists. Errors go to stderr, which is kept in a file. */
#include <errno.h>

#include "captured.h"
#include "cpuset.h"
#include "params.h"
#include "tap.h"
#include "util.h"

static void add(struct rtk_test *t, const char *name, __u32 type,
		const char *unit)
{
	struct rtk_param *p = rtk_grow(&t->params, &t->nparams, sizeof(*p));

	rtk_copy(p->name, sizeof(p->name), name);
	rtk_copy(p->unit, sizeof(p->unit), unit);
	p->type = type;
	p->value = strdup("now");
}

static const struct {
	const char *arg;
	const char *value;	/* NULL: refused */
	const char *error;
} rows[] = {
	{ "period_ns=250us", "250000", NULL },
	{ "period_ns=7", "7", NULL },
	{ "period_ns=0x10", "0x10", NULL },
	{ "warmup_ms=1s", "1000", NULL },
	{ "dma_latency_us=-1", "-1", NULL },
	{ "dma_latency_us=1ms", "1000", NULL },
	{ "priority=95", "95", NULL },
	{ "priority=abc", "abc", NULL },	/* the kernel's to judge */
	{ "cpus=0-3,5", "0-3,5", NULL },
	{ "cpus=", "", NULL },
	{ "threshold_series=irq", "irq", NULL },
	{ "warmup_ms=1us", NULL,
	  "rtk: warmup_ms=1us: not a whole number of ms\n" },
	{ "period_ns=", NULL,
	  "rtk: period_ns=: not a number with a unit (ns us ms s m h d; without one: ns)\n" },
	{ "period_ns=1pc", NULL,
	  "rtk: period_ns=1pc: not a number with a unit (ns us ms s m h d; without one: ns)\n" },
	{ "period_ns=999999d", NULL,
	  "rtk: period_ns=999999d: too large\n" },
	{ "perod_ns=1ms", NULL,
	  "rtk: hrtimer has no parameter 'perod_ns'; did you mean 'period_ns'?\n" },
	{ "nonsense=1", NULL,
	  "rtk: hrtimer has no parameter 'nonsense'; they are shown by: rtk get hrtimer\n" },
	{ "period_ns", NULL,
	  "rtk: 'period_ns': expected name=value; names are shown by: rtk get hrtimer\n" },
	{ "=1", NULL,
	  "rtk: '=1': expected name=value; names are shown by: rtk get hrtimer\n" },
};

static void test_rows(struct rtk_test *t)
{
	struct rtk_kvs kvs;
	const char *text;
	size_t i;
	int rc;

	for (i = 0; i < RTK_ARRAY_SIZE(rows); i++) {
		memset(&kvs, 0, sizeof(kvs));
		rc = rtk_params_add(t, rows[i].arg, &kvs);
		text = captured();
		if (rows[i].value)
			ok(!rc && kvs.n == 1 && !*text &&
			   !strcmp(kvs.v[0].value, rows[i].value),
			   "%s becomes '%s'", rows[i].arg, rows[i].value);
		else if (ok(rc == -EINVAL && !kvs.n, "%s is refused", rows[i].arg))
			ok_str(text, rows[i].error, "in one clear line");
		rtk_kvs_free(&kvs);
	}
}

static void test_twice(struct rtk_test *t)
{
	struct rtk_kvs kvs = { 0 };

	rtk_params_add(t, "period_ns=1ms", &kvs);
	ok_num(rtk_params_add(t, "period_ns=2ms", &kvs), -EINVAL, "twice");
	ok_str(captured(), "rtk: period_ns is given twice\n", "is refused");
	ok_str(rtk_params_find(&kvs, "period_ns"), "1000000", "the first stays");
	rtk_params_set(&kvs, "period_ns", "5");
	ok(kvs.n == 1 && !strcmp(rtk_params_find(&kvs, "period_ns"), "5"),
	   "and can be replaced on purpose");
	ok(!rtk_params_find(&kvs, "warmup_ms"), "what is not set is not found");
	rtk_kvs_free(&kvs);

	ok_str(rtk_params_value(t, "period_ns"), "now", "without a run: the present value");
	t->params[0].run_value = strdup("then");
	ok_str(rtk_params_value(t, "period_ns"), "then", "with one: the run's");
	ok(!rtk_params_value(t, "nonsense"), "no such parameter: none");
}

static const struct {
	const char *list;
	int err;
	int cpus;
	int last;
} lists[] = {
	{ "", 0, 0, -1 },	   { "0", 0, 1, 0 },
	{ "0-3", 0, 4, 3 },	   { "0-3,8,10-11", 0, 7, 11 },
	{ "8191", 0, 1, 8191 },	   { "8192", -ERANGE, 0, 0 },
	{ "3-1", -EINVAL, 0, 0 },  { "1,", -EINVAL, 0, 0 },
	{ ",1", -EINVAL, 0, 0 },   { "1-", -EINVAL, 0, 0 },
	{ "a", -EINVAL, 0, 0 },	   { "1 2", -EINVAL, 0, 0 },
	{ "5,5,5", 0, 1, 5 },
};

static void test_cpus(void)
{
	struct rtk_cpuset set;
	int cpu, n, last, err;
	size_t i;

	for (i = 0; i < RTK_ARRAY_SIZE(lists); i++) {
		err = rtk_cpuset_parse(&set, lists[i].list);
		n = 0;
		last = -1;
		for (cpu = rtk_cpuset_next(&set, 0); !err && cpu >= 0;
		     cpu = rtk_cpuset_next(&set, cpu + 1)) {
			n++;
			last = cpu;
		}
		ok(err == lists[i].err &&
		   (err || (n == lists[i].cpus && last == lists[i].last)),
		   "CPU list '%s'", lists[i].list);
	}
	ok(!rtk_cpuset_has(&set, 100000), "no CPU beyond the largest");
}

/* As the kernel writes them: ranges joined, in order. */
static void test_cpu_text(void)
{
	static const struct {
		const char *list;
		const char *text;
	} texts[] = {
		{ "", "" },
		{ "0", "0" },
		{ "5,5,5", "5" },
		{ "0-3", "0-3" },
		{ "3,2,1,0", "0-3" },
		{ "8,0-1,3-4,4-6", "0-1,3-6,8" },
		{ "63-64", "63-64" },
		{ "0-8191", "0-8191" },
		{ "8191", "8191" },
	};
	char list[4096], *text;
	struct rtk_cpuset set;
	size_t i, len = 0;

	for (i = 0; i < RTK_ARRAY_SIZE(texts); i++) {
		rtk_cpuset_parse(&set, texts[i].list);
		text = rtk_cpuset_text(&set);
		ok_str(text, texts[i].text, "list '%s' as text", texts[i].list);
		free(text);
	}
	/* 256 CPUs without two neighbours: nothing can be a range. */
	for (i = 0; i < 256; i++)
		len += (size_t)sprintf(list + len, "%s%zu", i ? "," : "", 2 * i);
	rtk_cpuset_parse(&set, list);
	text = rtk_cpuset_text(&set);
	ok_str(text, list, "256 CPUs, each by itself");
	free(text);
}

static void test_nearest(void)
{
	ok_str(rtk_nearest("lst", rtk_nearest("lst", NULL, "run"), "list"),
	       "list", "a letter that is missing");
	ok(!rtk_nearest("xyzzy", NULL, "list"), "nothing near is nothing");
	ok_str(rtk_nearest("stat", rtk_nearest("stat", NULL, "start"), "stop"),
	       "start", "the nearer of two");
}

/* What the kernel has settled otherwise than it was asked for is noted. */
static void test_settled(void)
{
	static const struct {
		const char *name, *given, *run;
		__u32 type;
		bool noted;
	} c[] = {
		{ "source", "device", "hrtimer", RTK_PARAM_TYPE_ENUM, true },
		{ "same", "device", "device", RTK_PARAM_TYPE_ENUM, false },
		{ "backend", "auto", "igb", RTK_PARAM_TYPE_ENUM, false },
		{ "irq_cpu", "-1", "3", RTK_PARAM_TYPE_S64, false },
		{ "count", "0x10", "16", RTK_PARAM_TYPE_S64, false },
		{ "period_us", "10", "20", RTK_PARAM_TYPE_U64, true },
		{ "cpus", "0-3", "0-2", RTK_PARAM_TYPE_CPULIST, false },
		{ "share", "yes", "1", RTK_PARAM_TYPE_BOOL, false },
		{ "not_given", "1", "2", RTK_PARAM_TYPE_U64, false },
	};
	struct rtk_extra e = { 0 };
	struct rtk_kvs kvs = { 0 };
	struct rtk_test t;
	size_t i, n = 0;

	rtk_test_init(&t);
	for (i = 0; i < RTK_ARRAY_SIZE(c); i++) {
		add(&t, c[i].name, c[i].type, "");
		t.params[i].run_value = strdup(c[i].run);
		rtk_params_set(&kvs, c[i].name, c[i].given);
		n += c[i].noted;
	}
	rtk_params_settled(&t, &kvs, kvs.n - 1, &e);
	ok_num(e.notes, n, "what the kernel has settled otherwise is noted");
	ok_str(e.notes ? e.note[0] : NULL,
	       "source=device: not there, measured with hrtimer", "in words");
	ok_str(e.notes > 1 ? e.note[1] : NULL,
	       "period_us=10: not there, measured with 20", "numbers, too");
	rtk_extra_free(&e);
	rtk_kvs_free(&kvs);
	rtk_test_free(&t);
}

int main(void)
{
	struct rtk_test t;

	tap_begin();
	capture_errors();
	rtk_test_init(&t);
	rtk_copy(t.name, sizeof(t.name), "hrtimer");
	add(&t, "period_ns", RTK_PARAM_TYPE_U64, "ns");
	add(&t, "warmup_ms", RTK_PARAM_TYPE_U64, "ms");
	add(&t, "dma_latency_us", RTK_PARAM_TYPE_S64, "us");
	add(&t, "priority", RTK_PARAM_TYPE_S64, "");
	add(&t, "cpus", RTK_PARAM_TYPE_CPULIST, "");
	add(&t, "threshold_series", RTK_PARAM_TYPE_STRING, "");
	test_rows(&t);
	test_twice(&t);
	test_settled();
	test_cpus();
	test_cpu_text();
	test_nearest();
	rtk_test_free(&t);
	return tap_end();
}
