/* SPDX-License-Identifier: GPL-2.0 */
/* A run and everything known about it; table and JSON are made from this. */
#ifndef RTK_RESULT_H
#define RTK_RESULT_H

#include "device.h"
#include "env.h"
#include "extra.h"
#include "interval.h"
#include "model.h"
#include "stats.h"

/* struct rtk_summary.cpu of a merged series. */
#define RTK_CPU_ALL (-1)

/**
 * struct rtk_row - a bucket of a histogram
 * @low: smallest value
 * @high: largest value plus 1
 * @count: samples, not 0
 */
struct rtk_row {
	__s64 low;
	__s64 high;
	__u64 count;
};

/**
 * struct rtk_summary - a series on one CPU, or on all
 * @series: its description
 * @cpu: CPU or RTK_CPU_ALL
 * @count: samples, the sum over @rows
 * @negative: negative values of an unsigned series
 * @wrong_cpu: values dropped
 * @outliers: values above the threshold
 * @smi: SMIs during the run on the CPU, or on the one that had the most
 * @nmi: NMIs likewise, -1 not counted
 * @counters: the test's own numbers, for all CPUs their sum
 * @m: moments; m.n is 0 where there is no sample
 * @mean: mean, where m.n is not 0
 * @stddev: sample standard deviation, where m.n is above 1
 * @percentile: as in rtk_stats_percentiles[], where @count is not 0
 * @ledger: expected to missed are set
 * @expected: activations by clock and grid
 * @delivered: activations recorded
 * @late: delivered a period late or more
 * @missed: not delivered
 * @period_ns: activation period, 0 unknown
 * @added: values that the corrected distribution has more, see
 *	rtk_stats_correct(); 0 without a ledger
 * @corrected: its percentiles, where @count is not 0
 * @rows: histogram in the order of values
 * @nrows: its length
 */
struct rtk_summary {
	const struct rtk_series *series;
	int cpu;
	__u64 count;
	__u64 negative;
	__u64 wrong_cpu;
	__u64 outliers;
	__u32 smi;
	__s64 nmi;
	struct rtk_items counters;
	struct rtk_moments m;
	double mean;
	double stddev;
	__s64 percentile[RTK_STATS_PERCENTILES];
	bool ledger;
	__u64 expected;
	__u64 delivered;
	__u64 late;
	__u64 missed;
	__u64 period_ns;
	__u64 added;
	__s64 corrected[RTK_STATS_PERCENTILES];
	struct rtk_row *rows;
	size_t nrows;
};

/**
 * enum rtk_status - what a result is worth
 * @RTK_VALID: nothing known against it
 * @RTK_DEGRADED: right, but the machine was not at its best
 * @RTK_INVALID: says nothing about this machine
 */
enum rtk_status {
	RTK_VALID,
	RTK_DEGRADED,
	RTK_INVALID,
};

/**
 * struct rtk_reason - a reason for a status
 * @id: stable short name
 * @status: what it makes of the result
 * @text: cause, with its numbers
 */
struct rtk_reason {
	const char *id;
	enum rtk_status status;
	char text[256];
};

/* Pieces of advice that a result can have. */
#define RTK_ADVICE_MAX 4

/**
 * struct rtk_verdict - judgment of a result
 * @status: the worst of the reasons
 * @v: reasons
 * @n: their number
 * @exceeded: a sample lay above the limit asked for
 * @worst: its record as text, where @exceeded
 * @advice: what would make it say more
 * @n_advice: how many
 */
struct rtk_verdict {
	enum rtk_status status;
	struct rtk_reason *v;
	size_t n;
	bool exceeded;
	char worst[256];
	char advice[RTK_ADVICE_MAX][256];
	size_t n_advice;
};

/**
 * struct rtk_ucond - the conditions under which a user-space test ran
 * @is_user: it was such a test
 * @priority: why it did not run at the priority asked for, or empty
 * @memory: why its memory was not locked, or empty
 * @latency_held: the CPU latency limit asked for was held
 * @alone: the controller had a CPU that was not measured
 * @busy: its threads never slept
 * @realtime: they had a real-time policy
 * @throttle_us: what real-time throttling leaves them of @throttle_of_us, or -1
 * @throttle_of_us: see there
 * @rows_lost: rows of the test's table that are missing
 * @ticks_hz: ticks of the counter in a second, 0 not known
 * @ticks_constant: the counter runs at one rate all the time
 */
struct rtk_ucond {
	bool is_user;
	char priority[320];
	char memory[128];
	bool latency_held;
	bool alone;
	bool busy;
	bool realtime;
	__s64 throttle_us;
	__s64 throttle_of_us;
	__u64 rows_lost;
	double ticks_hz;
	bool ticks_constant;
};

/**
 * struct rtk_part - a part of a run that was taken up again
 * @started_wall_ns: its beginning, CLOCK_REALTIME
 * @duration_ns: measured time
 * @ended: why it ended, one word; empty: it did not, or nobody knows of it
 * @status: what it was worth
 */
struct rtk_part {
	__s64 started_wall_ns;
	__s64 duration_ns;
	char ended[32];
	enum rtk_status status;
};

/**
 * struct rtk_result - a run
 * @test: test, with the run and its parameters
 * @env: machine
 * @device: device that was measured, its address empty where there was none
 * @lanes: raw lanes with buckets
 * @outliers: the worst and the outliers
 * @sums: summaries: for every series its CPUs, then all
 * @nsums: their number
 * @fail_above_ns: limit asked for, -1 none
 * @interrupted: ended by a signal to the client
 * @readers_failed: readers of this client that ended by an error
 * @readers_why: the first of these errors
 * @clocksource_after: clock source after the run, empty unknown
 * @cond: conditions of a user-space test
 * @extra: its tables and values; notes of any test
 * @verdict: judgment
 * @intervals: largest samples, from checkpoint to checkpoint
 * @parts: of a run that was taken up again; none for one that was not
 * @nparts: their number
 * @environment: key "environment" of its document, or NULL
 * @document: the document that it was read from, or NULL
 */
struct rtk_result {
	struct rtk_test test;
	struct rtk_env env;
	struct rtk_device device;
	struct rtk_lanes lanes;
	struct rtk_outliers outliers;
	struct rtk_summary *sums;
	size_t nsums;
	__s64 fail_above_ns;
	bool interrupted;
	size_t readers_failed;
	char readers_why[192];
	char clocksource_after[64];
	struct rtk_ucond cond;
	struct rtk_extra extra;
	struct rtk_verdict verdict;
	struct rtk_intervals intervals;
	struct rtk_part *parts;
	size_t nparts;
	struct json_t *environment;
	struct json_t *document;
};

/**
 * rtk_result_init() - an empty result
 * @r: filled; free with rtk_result_free()
 */
void rtk_result_init(struct rtk_result *r);

/**
 * rtk_result_forget() - forget what was measured, and what was made of it
 * @r: result; what is known of machine, device, user and intervals stays
 */
void rtk_result_forget(struct rtk_result *r);

/**
 * rtk_result_summarize() - compute the summaries from the lanes
 * @r: result with test and lanes
 *
 * Return: 0; -ENOMEM; -EBADMSG a lane's series is not the test's
 */
int rtk_result_summarize(struct rtk_result *r);

/**
 * rtk_result_measured() - a series on all CPUs
 * @r: summarized result
 * @series: name
 *
 * Return: its summary; NULL where it has no sample
 */
const struct rtk_summary *rtk_result_measured(const struct rtk_result *r,
					      const char *series);

/**
 * rtk_result_worst() - the largest sample of a series, with its record
 * @r: result
 * @series: name
 *
 * Return: record, or NULL where the kernel kept none
 */
const struct rtk_outlier *rtk_result_worst(const struct rtk_result *r,
					   const char *series);

/**
 * rtk_result_task() - the task that an outlier's activation interrupted
 * @r: result
 * @o: outlier
 *
 * Recorded in interrupt context only; for a later stage of the same activation
 * it is looked up by CPU and planned time.
 *
 * Return: record with the task, or NULL
 */
const struct rtk_outlier *rtk_result_task(const struct rtk_result *r,
					  const struct rtk_outlier *o);

/**
 * rtk_lane_moments() - the sums of a lane
 * @lane: lane
 * @m: filled; empty where the lane has none
 */
void rtk_lane_moments(const struct rtk_lane *lane, struct rtk_moments *m);

/**
 * rtk_result_ns() - a value of a series as a time
 * @r: result
 * @unit: unit of the series
 * @value: value
 *
 * Return: nanoseconds, rounded down; @value where the unit is no time
 */
__s64 rtk_result_ns(const struct rtk_result *r, const char *unit, __s64 value);

/**
 * rtk_result_us() - what a unit of a series is in microseconds
 * @r: result
 * @unit: unit of the series
 *
 * Return: factor; 0 where the unit is no time
 */
double rtk_result_us(const struct rtk_result *r, const char *unit);

/**
 * rtk_result_env() - a fact of the machine, by its key in the document
 * @r: loaded or judged result
 * @key: key of "environment"
 *
 * Return: text; NULL where it is not known, or is no text
 */
const char *rtk_result_env(const struct rtk_result *r, const char *key);

/**
 * rtk_result_free() - free what a result holds
 * @r: result
 */
void rtk_result_free(struct rtk_result *r);

/**
 * rtk_result_next_cpu() - the CPUs of a result, one after the other
 * @r: summarized result
 * @s: what it returned before, NULL to begin
 *
 * Return: the CPU's first series, with which its counters come; NULL past the last
 */
const struct rtk_summary *rtk_result_next_cpu(const struct rtk_result *r,
					      const struct rtk_summary *s);

/**
 * rtk_result_counters() - a test's own numbers, over all CPUs
 * @r: summarized result
 * @sum: filled
 */
void rtk_result_counters(const struct rtk_result *r, struct rtk_items *sum);

#endif
