// SPDX-License-Identifier: GPL-2.0
/* Tests in user space: their structs, and from words to a configuration. */
#include <errno.h>
#include <stdint.h>

#include "captured.h"
#include "params.h"
#include "tap.h"
#include "utest.h"

struct config {
	__s64 number;
	__s64 sign;
	__s64 large;
	__s64 on;
	__s64 word;
	char text[RTK_USTRING];
	struct rtk_cpuset list;
};

#define FIELD(field) .offset = offsetof(struct config, field)

static const char *const words[] = { "one", "two", "three", NULL };

static const struct rtk_uparam params[] = {
	{ .name = "number_us", .type = RTK_PARAM_TYPE_U64, .unit = "us", .min = 1,
	  .max = 1000, .def = "10", .help = "a number", FIELD(number) },
	{ .name = "sign", .type = RTK_PARAM_TYPE_S64, .min = -5, .max = 5,
	  .def = "-1", .help = "a signed one", FIELD(sign) },
	{ .name = "large", .type = RTK_PARAM_TYPE_S64, .min = INT64_MIN,
	  .max = INT64_MAX, .def = "0", .help = "any", FIELD(large) },
	{ .name = "on", .type = RTK_PARAM_TYPE_BOOL, .def = "1",
	  .help = "a switch", FIELD(on) },
	{ .name = "word", .type = RTK_PARAM_TYPE_ENUM, .choices = words,
	  .def = "two", .help = "a word", FIELD(word) },
	{ .name = "text", .type = RTK_PARAM_TYPE_STRING, .def = "abc",
	  .help = "a string", FIELD(text) },
	{ .name = "list", .type = RTK_PARAM_TYPE_CPULIST, .def = "",
	  .help = "CPUs", FIELD(list) },
};

static const struct rtk_useries series[] = {
	{ .name = "first", .unit = "ns", .is_signed = true },
	{ .name = "second", .unit = "ticks" },
};

static const struct rtk_utest made_up = {
	.name = "madeup",
	.summary = "not a test",
	.params = params,
	.n_params = RTK_ARRAY_SIZE(params),
	.series = series,
	.n_series = RTK_ARRAY_SIZE(series),
	.config_size = sizeof(struct config),
};

/* One setting; what it makes of it. */
static int set(const char *name, const char *value, struct rtk_ucommon *common,
	       struct config *config)
{
	struct rtk_kvs kvs = { 0 };
	int err;

	memset(common, 0, sizeof(*common));
	memset(config, 0, sizeof(*config));
	if (name)
		rtk_params_set(&kvs, name, value);
	err = rtk_utest_config(&made_up, &kvs, common, config);
	rtk_kvs_free(&kvs);
	return err;
}

static void test_defaults(void)
{
	struct rtk_ucommon common;
	struct config c;

	ok_num(set(NULL, NULL, &common, &c), 0, "defaults fit");
	ok(c.number == 10 && c.sign == -1 && !c.large && c.on == 1 &&
	   c.word == 1 && rtk_cpuset_next(&c.list, 0) == -1,
	   "the test's defaults");
	ok_str(c.text, "abc", "also of a string");
	ok(common.duration_ms == -1 && common.policy == RTK_UPOLICY_FIFO &&
	   common.priority == 95 && common.dma_latency_us == 0 &&
	   common.threshold_ns == 0 && !common.stop_on_threshold &&
	   rtk_cpuset_next(&common.cpus, 0) == -1, "the common ones");
}

static void test_values(void)
{
	struct rtk_ucommon common;
	struct config c;

#define SET(name, value, got, want)                                     \
	do {                                                            \
		ok_num(set(name, value, &common, &c), 0, name "=" value); \
		ok_num(got, want, "is %s", #want);                      \
	} while (0)
	SET("number_us", "1", c.number, 1);
	SET("number_us", "1000", c.number, 1000);
	SET("number_us", "0x10", c.number, 16);
	SET("number_us", "010", c.number, 10);
	SET("sign", "-5", c.sign, -5);
	SET("large", "-9223372036854775808", c.large, INT64_MIN);
	SET("large", "9223372036854775807", c.large, INT64_MAX);
	SET("on", "0", c.on, 0);
	SET("on", "1", c.on, 1);
	SET("word", "one", c.word, 0);
	SET("word", "three", c.word, 2);
	SET("list", "1,200-255", rtk_cpuset_next(&c.list, 2), 200);
	SET("cpus", "7", rtk_cpuset_next(&common.cpus, 0), 7);
	SET("policy", "other", common.policy, RTK_UPOLICY_OTHER);
	SET("priority", "98", common.priority, 98);
	SET("duration_ms", "0", common.duration_ms, 0);
	SET("stop_on_threshold", "1", common.stop_on_threshold, 1);
	SET("text", "", c.text[0], 0);
	SET("text",
	    "123456789012345678901234567890123456789012345678901234567890123",
	    (long long)strlen(c.text), 63);
}

static const struct {
	const char *name;
	const char *value;
	const char *error;
} bad[] = {
	{ "number_us", "0", "number_us=0: allowed 1..1000 us" },
	{ "number_us", "1001", "number_us=1001: allowed 1..1000 us" },
	{ "number_us", "-1", "number_us=-1: allowed 1..1000 us" },
	{ "number_us", "", "number_us=: allowed 1..1000 us" },
	{ "number_us", "1x", "number_us=1x: allowed 1..1000 us" },
	{ "number_us", "1 ", "number_us=1 : allowed 1..1000 us" },
	{ "number_us", " 1", "number_us= 1: allowed 1..1000 us" },
	{ "number_us", "1.5", "number_us=1.5: allowed 1..1000 us" },
	{ "number_us", "0x", "number_us=0x: allowed 1..1000 us" },
	{ "number_us", "18446744073709551617",
	  "number_us=18446744073709551617: allowed 1..1000 us" },
	{ "sign", "6", "sign=6: allowed -5..5" },
	{ "sign", "-6", "sign=-6: allowed -5..5" },
	{ "sign", "- 5", "sign=- 5: allowed -5..5" },
	{ "sign", "--5", "sign=--5: allowed -5..5" },
	{ "large", "9223372036854775808",
	  "large=9223372036854775808: allowed -9223372036854775808..9223372036854775807" },
	{ "large", "-9223372036854775809",
	  "large=-9223372036854775809: allowed -9223372036854775808..9223372036854775807" },
	{ "on", "2", "on=2: allowed 0|1" },
	{ "on", "", "on=: allowed 0|1" },
	{ "on", "yes", "on=yes: allowed 0|1" },
	{ "word", "four", "word=four: allowed one|two|three" },
	{ "word", "", "word=: allowed one|two|three" },
	{ "word", "tw", "word=tw: allowed one|two|three" },
	{ "word", "two ", "word=two : allowed one|two|three" },
	{ "list", "a", "list=a: not a list of CPUs such as 0-3,8" },
	{ "list", "3-1", "list=3-1: not a list of CPUs such as 0-3,8" },
	{ "list", "8192",
	  "list=8192: not a list of CPUs such as 0-3,8, or a number too large" },
	{ "text",
	  "1234567890123456789012345678901234567890123456789012345678901234",
	  "text=1234567890123456789012345678901234567890...: longer than 63 characters" },
	{ "policy", "idle", "policy=idle: allowed fifo|rr|other" },
	{ "priority", "99", "priority=99: allowed 1..98" },
	{ "priority", "0", "priority=0: allowed 1..98" },
	{ "duration_ms", "-2", "duration_ms=-2: allowed -1..9223372036854 ms" },
	{ "dma_latency_us", "-2",
	  "dma_latency_us=-2: allowed -1..1000000000 us" },
	{ "threshold_ns", "-1",
	  "threshold_ns=-1: allowed 0..9223372036854775807 ns" },
};

static void test_errors(void)
{
	struct rtk_ucommon common;
	char line[256];
	struct config c;
	size_t i;

	for (i = 0; i < RTK_ARRAY_SIZE(bad); i++) {
		ok_num(set(bad[i].name, bad[i].value, &common, &c), -EINVAL,
		       "%s=%s is refused", bad[i].name, bad[i].value);
		snprintf(line, sizeof(line), "rtk: %s\n", bad[i].error);
		ok_str(captured(), line, "in one line that says what is allowed");
	}
}

static void test_description(void)
{
	const struct rtk_param *p;
	struct rtk_test t;

	ok_num(rtk_utest_describe(&made_up, &t), 0, "described");
	ok(t.nparams == 16 && t.nseries == 2, "own and common rows, series");
	ok_str(t.name, "madeup", "name");
	ok_str(t.summary, "not a test", "summary");
	p = &t.params[0];
	ok(p->ranged && p->min == 1 && p->max == 1000 &&
	   !strcmp(p->unit, "us") && !strcmp(p->value, "10") &&
	   !strcmp(p->def, "10") && !strcmp(p->help, "a number") &&
	   !*p->choices, "a number");
	p = &t.params[4];
	ok_str(p->choices, "one|two|three", "words");
	ok(!p->ranged && !t.params[3].ranged && !t.params[5].ranged,
	   "only numbers have a range");
	ok_str(t.params[7].name, "cpus", "common ones come last");
	ok(t.series[0].is_signed && !t.series[1].is_signed &&
	   !strcmp(t.series[1].unit, "ticks"), "series");
	rtk_test_free(&t);
}

/* What a document says of a run. */
static void test_run_values(void)
{
	struct rtk_kvs kvs = { 0 };
	struct rtk_test t;

	rtk_utest_describe(&made_up, &t);
	rtk_params_set(&kvs, "number_us", "0x10");
	rtk_params_set(&kvs, "sign", "-03");
	rtk_params_set(&kvs, "text", "0x10");
	ok_num(rtk_utest_values(&t, &kvs), 0, "values of a run");
	ok_str(rtk_params_value(&t, "number_us"), "16", "decimal");
	ok_str(rtk_params_value(&t, "sign"), "-3", "without noughts");
	ok_str(rtk_params_value(&t, "text"), "0x10", "a string as it is");
	ok_str(rtk_params_value(&t, "word"), "two", "a default");
	ok_str(rtk_params_value(&t, "duration_ms"), "-1", "a common one");
	rtk_kvs_free(&kvs);
	rtk_test_free(&t);
}

/* What the engine takes for granted. */
static void check_struct(const struct rtk_utest *u)
{
	size_t columns = 0, i;
	struct rtk_ucommon common;
	struct rtk_kvs kvs = { 0 };
	struct rtk_test t;
	void *config = calloc(1, u->config_size + 1);

	ok(rtk_utest_find(u->name) == u, "%s: found by its name", u->name);
	ok(u->summary && u->measure && u->n_series &&
	   u->n_series <= RTK_USERIES_MAX, "%s: what must be there is",
	   u->name);
	for (i = 0; i < u->n_series; i++)
		ok(!strcmp(u->series[i].unit, "ns") ||
		   !strcmp(u->series[i].unit, "ps") ||
		   !strcmp(u->series[i].unit, "ticks"),
		   "%s: unit of %s", u->name, u->series[i].name);
	ok(!u->rows == !u->columns, "%s: rows have columns", u->name);
	while (u->columns && u->columns[columns])
		columns++;
	/* The CPU comes before them. */
	ok(columns < RTK_TABLE_COLUMNS, "%s: not too many", u->name);
	ok_num(rtk_utest_config(u, &kvs, &common, config), 0,
	       "%s: its defaults are allowed", u->name);
	ok_num(rtk_utest_describe(u, &t), 0, "%s: described", u->name);
	rtk_test_free(&t);
	free(config);
}

int main(void)
{
	size_t i;

	tap_begin();
	capture_errors();
	test_defaults();
	test_values();
	test_errors();
	test_description();
	test_run_values();
	for (i = 0; rtk_utest_at(i); i++)
		check_struct(rtk_utest_at(i));
	ok(i >= 2 && !rtk_utest_find("nonsense"), "tests are found, others not");
	return tap_end();
}
