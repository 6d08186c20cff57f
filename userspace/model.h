/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the kernel says about a test and its run, freed of netlink.
 *
 * Sentinels: a time that the kernel did not give is -1.
 */
#ifndef RTK_MODEL_H
#define RTK_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <linux/rtk.h>
#include <linux/rtk_hist.h>

#define RTK_NAME_SIZE (RTK_TEST_NAME_MAX + 1)
#define RTK_UNIT_SIZE 16

/* Numbers of a test's own that a lane or an outlier can have here. */
#define RTK_ITEMS_MAX 8

/**
 * struct rtk_item - a number that only this test has
 * @name: name, with its unit in it
 * @value: value
 */
struct rtk_item {
	char name[RTK_NAME_SIZE];
	__u64 value;
};

/**
 * struct rtk_items - a few of these
 * @v: array
 * @n: how many are set
 */
struct rtk_items {
	struct rtk_item v[RTK_ITEMS_MAX];
	size_t n;
};

/**
 * struct rtk_param - a parameter of a test
 * @name: name, with its unit in it
 * @value: present value as text
 * @run_value: value that the run with the results was started with, or NULL
 * @def: default as text
 * @choices: allowed words separated by "|", or empty
 * @help: one line
 * @unit: unit or empty
 * @type: one of enum rtk_param_type
 * @min: smallest value where @ranged
 * @max: largest value where @ranged
 * @ranged: a number with limits
 */
struct rtk_param {
	char name[RTK_NAME_SIZE];
	char *value;
	char *run_value;
	char *def;
	char *choices;
	char *help;
	char unit[RTK_UNIT_SIZE];
	__u32 type;
	__s64 min;
	__s64 max;
	bool ranged;
};

/**
 * struct rtk_series - a series of a test
 * @name: name
 * @unit: unit of its values
 * @is_signed: negative values belong to it
 * @ledger: activations are counted
 */
struct rtk_series {
	char name[RTK_NAME_SIZE];
	char unit[RTK_UNIT_SIZE];
	bool is_signed;
	bool ledger;
};

/**
 * struct rtk_test - a test and its run
 * @name: name
 * @version: module's version
 * @summary: one line
 * @reason: why the last run ended, one word or empty
 * @cause: more words about @reason, or NULL
 * @last_error: why the last set or start was refused, or empty
 * @cpus: CPUs of the run as a list
 * @lost_cpus: CPUs that went offline during the run
 * @shared_with: another test on one of the same CPUs, or empty
 * @smi_source: what counts SMIs here: msr, virtual or none; empty not known
 * @owner_comm: name of the process that started the run
 * @owner_pid: its number, 0 where there is none
 * @generation: number of the run
 * @features: enum rtk_feature
 * @state: enum rtk_state
 * @started_wall_ns: CLOCK_REALTIME at the end of warm-up, or -1
 * @started_mono_ns: CLOCK_MONOTONIC at the same time, or -1
 * @ended_mono_ns: CLOCK_MONOTONIC at the end of the window, or -1
 * @elapsed_ns: measured time so far, or -1
 * @planned_ns: measured time asked for, 0 endless, or -1
 * @done: how far a test with an end of its own has got
 * @total: where that end is, 0 unknown
 * @series: array
 * @nseries: its length
 * @params: array
 * @nparams: its length
 */
struct rtk_test {
	char name[RTK_NAME_SIZE];
	char version[RTK_VERSION_STRING_MAX];
	char *summary;
	char *reason;
	char *cause;
	char *last_error;
	char *cpus;
	char *lost_cpus;
	char *shared_with;
	char smi_source[RTK_NAME_SIZE];
	char owner_comm[RTK_NAME_SIZE];
	__u32 owner_pid;
	__u32 generation;
	__u32 features;
	__u32 state;
	__s64 started_wall_ns;
	__s64 started_mono_ns;
	__s64 ended_mono_ns;
	__s64 elapsed_ns;
	__s64 planned_ns;
	__u64 done;
	__u64 total;
	struct rtk_series *series;
	size_t nseries;
	struct rtk_param *params;
	size_t nparams;
};

/**
 * struct rtk_lane - one series on one CPU
 * @series: name
 * @unit: unit of the values
 * @cpu: CPU
 * @running: still being written
 * @moments: min, max, last, sum and sumsq are set
 * @ledger: expected, delivered, late and missed are set
 * @complete: all buckets are here
 * @count: samples in the histogram
 * @negative: negative values of an unsigned series
 * @wrong_cpu: values dropped because they came from another CPU
 * @min: smallest value
 * @max: largest value
 * @last: latest value
 * @sum: sum
 * @moments_count: samples in the moments
 * @sumsq_lo: low half of the sum of squares
 * @sumsq_hi: high half
 * @period_ns: activation period
 * @expected: activations by clock and grid
 * @delivered: activations recorded
 * @late: delivered a period late or more
 * @missed: not delivered
 * @outliers: values above the threshold
 * @smi: SMIs during the run, 0 where they are not counted
 * @nmi: NMIs during the run, -1 not counted
 * @counters: the CPU's own numbers; with its first series only
 * @buckets: those that are not zero, by index
 * @nbuckets: their number
 */
struct rtk_lane {
	char series[RTK_NAME_SIZE];
	char unit[RTK_UNIT_SIZE];
	__u32 cpu;
	bool running;
	bool moments;
	bool ledger;
	bool complete;
	__u64 count;
	__u64 negative;
	__u64 wrong_cpu;
	__s64 min;
	__s64 max;
	__s64 last;
	__s64 sum;
	__u64 moments_count;
	__u64 sumsq_lo;
	__u64 sumsq_hi;
	__u64 period_ns;
	__u64 expected;
	__u64 delivered;
	__u64 late;
	__u64 missed;
	__u64 outliers;
	__u32 smi;
	__s64 nmi;
	struct rtk_items counters;
	struct rtk_bucket *buckets;
	size_t nbuckets;
};

/**
 * struct rtk_outlier - a sample with its circumstances
 * @series: series
 * @comm: interrupted task, or empty
 * @cpu: CPU
 * @pid: interrupted task, meaningless without @comm
 * @worst: from the list of the worst, not above the threshold necessarily
 * @value: value in the unit of the series
 * @sequence: number of the sample in its lane
 * @wall_ns: CLOCK_REALTIME
 * @mono_ns: CLOCK_MONOTONIC
 * @irq: interrupts since the lane's previous sample, -1 not known; those of the
 *	measurement itself are among them
 * @softirq: softirqs likewise
 * @nmi: NMIs likewise
 * @smi: SMIs within @smi_span_ns, -1 not counted
 * @smi_span_ns: time over which @smi was counted, meaningless without it
 * @details: what the test keeps with a sample besides
 */
struct rtk_outlier {
	char series[RTK_NAME_SIZE];
	char comm[RTK_NAME_SIZE];
	__u32 cpu;
	__u32 pid;
	bool worst;
	__s64 value;
	__u64 sequence;
	__s64 wall_ns;
	__s64 mono_ns;
	__s64 irq;
	__s64 softirq;
	__s64 nmi;
	__s64 smi;
	__s64 smi_span_ns;
	struct rtk_items details;
};

/**
 * struct rtk_tests - several tests
 * @v: array
 * @n: its length
 */
struct rtk_tests {
	struct rtk_test *v;
	size_t n;
};

/**
 * struct rtk_lanes - several lanes
 * @generation: run that they belong to
 * @v: array
 * @n: its length
 */
struct rtk_lanes {
	__u32 generation;
	struct rtk_lane *v;
	size_t n;
};

/**
 * struct rtk_outliers - several outliers
 * @v: array
 * @n: its length
 */
struct rtk_outliers {
	struct rtk_outlier *v;
	size_t n;
};

/**
 * struct rtk_kv - a parameter to be set
 * @name: parameter
 * @value: as the kernel reads it
 */
struct rtk_kv {
	char name[RTK_NAME_SIZE];
	char *value;
};

/**
 * struct rtk_kvs - several parameters to be set
 * @v: array
 * @n: its length
 */
struct rtk_kvs {
	struct rtk_kv *v;
	size_t n;
};

/**
 * struct rtk_event - what the module tells unasked
 * @test: test; where @is_state with its run, without parameters
 * @is_state: the state of the run changed
 * @has_worst: @worst is set
 * @fresh: outliers since the last event
 * @lost: those of them that are overwritten already
 * @worst: worst sample of the run so far
 */
struct rtk_event {
	struct rtk_test test;
	bool is_state;
	bool has_worst;
	__u64 fresh;
	__u64 lost;
	struct rtk_outlier worst;
};

/**
 * rtk_event_init() - an event of which nothing is known yet
 * @e: filled
 */
void rtk_event_init(struct rtk_event *e);

/**
 * rtk_event_free() - free what an event holds, leave it as after init
 * @e: event
 */
void rtk_event_free(struct rtk_event *e);

/**
 * rtk_tests_find() - a test by name
 * @tests: tests
 * @name: test
 *
 * Return: test or NULL
 */
struct rtk_test *rtk_tests_find(const struct rtk_tests *tests,
				const char *name);

/**
 * rtk_test_init() - a test of which nothing is known yet
 * @t: filled
 */
void rtk_test_init(struct rtk_test *t);

/**
 * rtk_test_free() - free what a test holds, leave it as after init
 * @t: test
 */
void rtk_test_free(struct rtk_test *t);

/**
 * rtk_tests_free() - free tests, leave none
 * @t: tests
 */
void rtk_tests_free(struct rtk_tests *t);

/**
 * rtk_lanes_find() - a lane by series and CPU
 * @l: lanes
 * @at: where it is, if they are in the order of the caller's list
 * @series: name, NULL for any
 * @cpu: CPU
 *
 * Return: the first from @at on, and around the end; or NULL
 */
struct rtk_lane *rtk_lanes_find(const struct rtk_lanes *l, size_t at,
				const char *series, __s64 cpu);

/**
 * rtk_lanes_add() - append a copy of a lane
 * @l: lanes
 * @from: lane
 *
 * Return: 0 or -ENOMEM
 */
int rtk_lanes_add(struct rtk_lanes *l, const struct rtk_lane *from);

/**
 * rtk_lanes_free() - free lanes, leave none
 * @l: lanes
 */
void rtk_lanes_free(struct rtk_lanes *l);

/**
 * rtk_outliers_free() - free outliers, leave none
 * @o: outliers
 */
void rtk_outliers_free(struct rtk_outliers *o);

/**
 * rtk_outlier_init() - an outlier of which nothing is known yet
 * @o: filled
 */
void rtk_outlier_init(struct rtk_outlier *o);

/**
 * rtk_items_value() - one of a test's own numbers
 * @items: numbers
 * @name: its name
 *
 * Return: value, -1 where there is none
 */
__s64 rtk_items_value(const struct rtk_items *items, const char *name);

/**
 * rtk_kvs_free() - free settings, leave none
 * @s: settings
 */
void rtk_kvs_free(struct rtk_kvs *s);

/**
 * rtk_test_param() - a parameter by name
 * @t: test
 * @name: parameter
 *
 * Return: parameter or NULL
 */
struct rtk_param *rtk_test_param(const struct rtk_test *t, const char *name);

/**
 * rtk_test_series() - a series by name
 * @t: test
 * @name: series
 *
 * Return: series or NULL
 */
struct rtk_series *rtk_test_series(const struct rtk_test *t, const char *name);

/**
 * rtk_state_name() - a state as text
 * @state: enum rtk_state
 *
 * Return: one word
 */
const char *rtk_state_name(__u32 state);

#endif
