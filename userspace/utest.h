/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The contract between the client and a test that runs in user space.
 *
 * As in the module, a test is one file and one const struct: what can be set,
 * what is measured, and the callbacks. The engine (urun.c) does the rest:
 * threads, pinning, policy, locked memory, progress, and the end of the run. Such
 * a test needs no module.
 */
#ifndef RTK_UTEST_H
#define RTK_UTEST_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cpuset.h"
#include "result.h"
#include "ticks.h"
#include "ticks.h"
#include "ulane.h"
#include "util.h"

/* Series that a test can have. */
#define RTK_USERIES_MAX 12

/**
 * struct rtk_uparam - a parameter
 * @name: name; carries its unit
 * @type: type; decides the field's: __s64 for U64, S64, BOOL and ENUM (index
 *	into @choices), struct rtk_cpuset for CPULIST, char[RTK_USTRING] for STRING
 * @unit: unit or NULL
 * @min: smallest value, numbers only
 * @max: largest value, numbers only
 * @def: default as text
 * @choices: words of an ENUM, NULL-terminated
 * @help: one line
 * @offset: offset of the field in the configuration struct
 */
struct rtk_uparam {
	const char *name;
	enum rtk_param_type type;
	const char *unit;
	__s64 min;
	__s64 max;
	const char *def;
	const char *const *choices;
	const char *help;
	size_t offset;
};

/* Size of a string parameter, with its terminator. */
#define RTK_USTRING 64

/**
 * struct rtk_ucommon - the parameters that every test has (rows in uparams.c)
 * @cpus: CPUs to measure; empty for the default
 * @duration_ms: -1 the test's own end, 0 until stopped, else measured time
 * @policy: enum rtk_upolicy
 * @priority: real-time priority of the measured threads, 1 to 98
 * @dma_latency_us: CPU latency limit held during the run, -1 for none
 * @threshold_ns: a sample above it is an outlier; 0 for none
 * @threshold_series: series that it applies to; empty for the last one
 * @threshold_index: its number
 * @stop_on_threshold: the first outlier ends the run
 * @share: measure CPUs that another run measures
 */
struct rtk_ucommon {
	struct rtk_cpuset cpus;
	__s64 duration_ms;
	__s64 policy;
	__s64 priority;
	__s64 dma_latency_us;
	__s64 threshold_ns;
	char threshold_series[RTK_USTRING];
	size_t threshold_index;
	__s64 stop_on_threshold;
	__s64 share;
};

/* Values of struct rtk_ucommon.policy. */
enum rtk_upolicy { RTK_UPOLICY_FIFO, RTK_UPOLICY_RR, RTK_UPOLICY_OTHER };

/**
 * struct rtk_useries - a series
 * @name: name, one word
 * @unit: ns, ps or ticks
 * @is_signed: negative values belong to it
 */
struct rtk_useries {
	const char *name;
	const char *unit;
	bool is_signed;
};

struct rtk_urows;

/**
 * struct rtk_ucpu - one CPU of a run, as a test sees it
 * @cpu: CPU number
 * @index: position among the CPUs of the run, from 0
 * @n: number of these
 * @lane: by number of series
 * @config: the test's parameters, constant during a run
 * @common: the common ones
 * @priv: the test's own memory, cpu_size bytes, zeroed, on the CPU's node
 * @policy: as of sched_setscheduler(2), the one that was got
 * @priority: likewise; 0 where it is no real-time policy
 * @pair: counter and clock of a while ago, for rtk_clockpair_rate()
 * @rest_after: ticks from one rest to the next, 0 without rests; see
 *	rtk_ucpu_rest()
 * @rest_at: when the next one is due, ticks
 * @rest_ns: how long it is
 * @rests: how many there were, those by rtk_ucpu_sleep() included
 * @rest_late_ns: how much longer than asked for the longest was: nothing is timed
 *	then, so that what held it up is in no sample
 * @stop: the run is to end, by whatever reason
 * @done: how much of the way to its own end the test has gone; it writes
 * @error: why it can't go on, in words; it writes, and returns
 * @rows: see rtk_urow()
 */
struct rtk_ucpu {
	int cpu;
	unsigned int index;
	unsigned int n;
	struct rtk_ulane lane[RTK_USERIES_MAX];
	const void *config;
	const struct rtk_ucommon *common;
	void *priv;
	int policy;
	int priority;
	const struct rtk_clockpair *pair;
	__u64 rest_after;
	__u64 rest_at;
	__s64 rest_ns;
	__u64 rests;
	__s64 rest_late_ns;
	atomic_bool *stop;
	atomic_ullong done;
	char error[256];
	struct rtk_urows *rows;
};

/**
 * struct rtk_utest - a test
 * @name: one word, unique, and none of the module's
 * @summary: one line
 * @params: the test's own parameters
 * @n_params: their number
 * @series: what is measured; without threshold_series= the last one is judged by
 *	--fail-above
 * @n_series: their number
 * @config_size: size of the configuration struct
 * @cpu_size: size of the private memory of each CPU
 * @rows: name of the table of its rows (rtk_urow()), or NULL
 * @columns: of that table, without the CPU; ends with NULL
 * @needs_rt: without a real-time policy it has no meaning
 * @busy: its thread never sleeps but by rtk_ucpu_rest()
 * @check: do the parameters fit together and the CPUs? Prints its error, returns
 *	0 or -errno. Optional
 * @cpus: how many CPUs it wants where none are named. Optional: 1
 * @total: what @done of a CPU is at the test's own end. Optional
 * @prepare: takes memory and so on; called by the measured thread, pinned, at an
 *	ordinary priority. Fills @error and returns -errno. Optional
 * @measure: measures, until its own end (with duration_ms it need not have one),
 *	in any case until @stop; called by the measured thread with its final
 *	policy. It allocates nothing and prints nothing; it looks at @stop every
 *	few milliseconds at least
 * @unprepare: paired with @prepare, by the same thread. Optional
 * @collect: adds what a CPU's @priv has to the result: tables, values, notes.
 *	Called by the controller after the threads have ended. Optional
 * @finish: adds tables, values and notes to a summarized result; called by the
 *	controller. Prints its error, returns 0 or -errno. Optional
 */
struct rtk_utest {
	const char *name;
	const char *summary;
	const struct rtk_uparam *params;
	size_t n_params;
	const struct rtk_useries *series;
	size_t n_series;
	size_t config_size;
	size_t cpu_size;
	const char *rows;
	const char *const *columns;
	bool needs_rt;
	bool busy;
	int (*check)(const void *config, const struct rtk_ucommon *common);
	unsigned int (*cpus)(const void *config);
	__u64 (*total)(const void *config);
	int (*prepare)(struct rtk_ucpu *c);
	void (*measure)(struct rtk_ucpu *c);
	void (*unprepare)(struct rtk_ucpu *c);
	void (*collect)(const struct rtk_ucpu *c, struct rtk_extra *e);
	int (*finish)(const void *config, struct rtk_result *r);
};

/**
 * rtk_utest_find() - a test by name
 * @name: name
 *
 * Return: test, or NULL
 */
const struct rtk_utest *rtk_utest_find(const char *name);

/**
 * rtk_utest_at() - all tests
 * @i: from 0
 *
 * Return: test, or NULL behind the last
 */
const struct rtk_utest *rtk_utest_at(size_t i);

/**
 * rtk_utest_describe() - a test as the module would describe its own
 * @u: test
 * @t: filled, with its parameters; free with rtk_test_free()
 *
 * Return: 0 or -ENOMEM
 */
int rtk_utest_describe(const struct rtk_utest *u, struct rtk_test *t);

/**
 * rtk_utest_config() - settings as numbers
 * @u: test
 * @kvs: settings; what has none gets its default
 * @common: filled
 * @config: filled, config_size bytes
 *
 * Prints its error, which names what is allowed.
 *
 * Return: 0 or -EINVAL
 */
int rtk_utest_config(const struct rtk_utest *u, const struct rtk_kvs *kvs,
		     struct rtk_ucommon *common, void *config);

/**
 * rtk_utest_values() - note what a run was started with, as the module does
 * @t: test; the run's values are set, numbers in decimal
 * @kvs: settings, allowed ones; what has none had its default
 *
 * Return: 0 or -ENOMEM
 */
int rtk_utest_values(struct rtk_test *t, const struct rtk_kvs *kvs);

/**
 * rtk_ucpu_over() - is the run to end?
 * @c: CPU
 *
 * Also true as soon as a sample was dropped, since the thread is on another CPU.
 *
 * Return: yes or no; one load each
 */
static inline bool rtk_ucpu_over(const struct rtk_ucpu *c)
{
	return atomic_load_explicit(c->stop, memory_order_relaxed) ||
	       c->lane[0].wrong_cpu;
}

/**
 * rtk_ucpu_sleep() - let others have the CPU
 * @c: CPU
 * @ns: for so long
 */
void rtk_ucpu_sleep(struct rtk_ucpu *c, __s64 ns);

/**
 * rtk_ucpu_rest_now() - sleep for as long as others need the CPU
 * @c: CPU
 */
void rtk_ucpu_rest_now(struct rtk_ucpu *c);

/**
 * rtk_ucpu_rest() - let others have the CPU, if it is time
 * @c: CPU
 *
 * A busy test calls it several times a second, between two things that it times.
 *
 * Return: true if it has slept: caches may be cold now
 */
static inline bool rtk_ucpu_rest(struct rtk_ucpu *c)
{
	if (!c->rest_after || (__s64)(rtk_ticks() - c->rest_at) < 0)
		return false;
	rtk_ucpu_rest_now(c);
	return true;
}

/**
 * rtk_ucpu_record() - record a sample, and end the run if it is one to stop at
 * @c: CPU
 * @series: number of the series; only that of the threshold ends a run
 * @value: value
 *
 * Of the measured thread only, outside of what is timed.
 */
void rtk_ucpu_record(struct rtk_ucpu *c, size_t series, __s64 value);

/**
 * rtk_urow() - a row for the test's table
 * @c: CPU
 * @v: a value for each column
 *
 * Of the measured thread only. Takes no lock and allocates nothing: a row for
 * which there is no place, since the controller did not come, is counted.
 */
void rtk_urow(struct rtk_ucpu *c, const __s64 *v);

/**
 * rtk_ucpu_fail() - say why a callback can't go on
 * @c: CPU
 * @err: -errno, the value of this call
 * @fmt: cause, and the mend
 *
 * Return: @err
 */
int rtk_ucpu_fail(struct rtk_ucpu *c, int err, const char *fmt, ...)
	__printf(3, 4);

extern const struct rtk_utest rtk_utest_jitter;
extern const struct rtk_utest rtk_utest_caterpillar;
extern const struct rtk_utest rtk_utest_rhealstone;
extern const struct rtk_utest rtk_utest_memlat;

#endif
