/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The contract between rtk's core and a test.
 *
 * A test is one file and one const struct rtk_test. It says what can be set,
 * what is measured and how; the core does everything else: threads, pinning,
 * policy, warm-up, duration, histograms, ledger, both control surfaces, CPU
 * hotplug, and the end of the run. Only rtk_test_register() and
 * rtk_test_unregister() are exported, the rest of this file is inline.
 */
#ifndef RTK_H
#define RTK_H

#include <linux/cpumask.h>
#include <linux/irqflags.h>
#include <linux/kernel.h>
#include <linux/ktime.h>
#include <linux/module.h>
#include <linux/sched.h>
#include <linux/stddef.h>
#include <linux/types.h>

#include "hist.h"

/* Series that a test can have. */
#define RTK_SERIES_MAX	8
/* Separate stalls in a second that the overload guard takes for overload. */
#define RTK_GUARD_STALLS	100
/* Size of a string parameter, with its terminator. */
#define RTK_STRING_SIZE	(RTK_TEST_NAME_MAX + 1)

/**
 * struct rtk_err - why something was refused, in words for the user
 * @text: one line, no newline at its end
 */
struct rtk_err {
	char text[256];
};

/**
 * rtk_fail() - note the cause of an error
 * @err: struct rtk_err to fill
 * @code: negative error number, the value of this expression
 * @fmt: format of the text, and what it takes
 */
#define rtk_fail(err, code, fmt, ...) \
({ \
	scnprintf((err)->text, sizeof((err)->text), fmt, ##__VA_ARGS__); \
	(code); \
})

/**
 * struct rtk_param - one parameter: a debugfs file, a netlink description, an
 *	option of the client and a row in the documentation
 * @name: name; carries its unit (period_ns)
 * @type: type; decides the field's C type: u64 for U64, s64 for S64, BOOL and
 *	ENUM (index into @choices), struct cpumask for CPULIST,
 *	char[RTK_STRING_SIZE] for STRING
 * @unit: unit, NULL for none
 * @min: smallest value, numbers only
 * @max: largest value, numbers only; a u64 is bounded by S64_MAX
 * @def: default, in the grammar that is written to the file
 * @choices: words of an ENUM, NULL-terminated
 * @help: one line
 * @offset: offset of the field in the configuration struct
 * @size: size of that field, to check the row at registration
 */
struct rtk_param {
	const char *name;
	enum rtk_param_type type;
	const char *unit;
	s64 min;
	s64 max;
	const char *def;
	const char * const *choices;
	const char *help;
	size_t offset;
	size_t size;
};

/* Offset and size of a row's field. */
#define RTK_FIELD(type, field) \
	.offset = offsetof(type, field), .size = sizeof_field(type, field)

/**
 * struct rtk_common - the parameters that every test has (rows in param.c)
 * @cpus: CPUs to measure; empty for the default
 * @duration_ms: measured time, 0 is endless
 * @warmup_ms: time before it, outside statistics and ledger
 * @policy: SCHED_FIFO, SCHED_RR or SCHED_NORMAL, as an index: 0, 1, 2
 * @priority: real-time priority of the workers, 1 to 99
 * @dma_latency_us: CPU latency limit held during the run, -1 for none
 * @threshold_ns: a sample above it is an outlier; 0 for none
 * @threshold_series: series that it applies to; empty for the default
 * @stop_on_threshold: the first outlier ends the run
 * @stop_tracing: the first outlier stops the kernel's trace buffer
 * @outlier_slots: slots of the outlier ring of a lane
 * @share: run on CPUs on which another test runs
 */
struct rtk_common {
	struct cpumask cpus;
	u64 duration_ms;
	u64 warmup_ms;
	s64 policy;
	s64 priority;
	s64 dma_latency_us;
	u64 threshold_ns;
	char threshold_series[RTK_STRING_SIZE];
	s64 stop_on_threshold;
	s64 stop_tracing;
	u64 outlier_slots;
	s64 share;
};

/* Flags of a series. */
#define RTK_SERIES_SIGNED	BIT(0)	/* negative values belong to it */
#define RTK_SERIES_HARDIRQ	BIT(1)	/* recorded in interrupt context */
#define RTK_SERIES_LEDGER	BIT(2)	/* one activation for each grid point */

/**
 * struct rtk_series - one series of a test; there is a lane for it on each CPU
 * @name: name, one word
 * @unit: unit of the values
 * @flags: RTK_SERIES_*
 * @enabled: is it recorded with this configuration? NULL for always. May be
 *	called from any context that may sleep.
 */
struct rtk_series {
	const char *name;
	const char *unit;
	unsigned int flags;
	bool (*enabled)(const void *config);
};

/**
 * struct rtk_cpu - one CPU of a run, as a test sees it
 * @first: first grid point that counts, ns on CLOCK_MONOTONIC
 * @span: length of the window [@first, @first + @span); shortened to now when
 *	the run is stopped, always by code on this CPU with interrupts off, so
 *	that a handler sees one value or the other and never a mixture
 * @period: distance of grid points, ns
 * @cpu: CPU number
 * @index: position among the CPUs of the run, from 0
 * @pending: a wake-up that the worker has not taken yet
 * @worker: the core's thread on this CPU
 * @lane: lanes by number of series; NULL where the series isn't recorded
 * @priv: the test's own memory, cpu_size bytes, zeroed at start
 * @config: the test's parameters, constant during a run
 * @common: the common ones
 * @base: earliest start of the run's grids, the same on all CPUs, ns
 * @measure_from: end of warm-up, the same on all CPUs, ns
 * @deadline: planned end, the same on all CPUs, ns
 * @ended: the writer has ended by itself
 * @tripped: ... because of the threshold
 * @overload: ... because it could not keep up: the shortest period, ns, that
 *	would have kept this CPU half idle; else 0
 */
struct rtk_cpu {
	u64 first;
	u64 span;
	u64 period;
	int cpu;
	unsigned int index;
	bool pending;
	struct task_struct *worker;
	struct rtk_lane *lane[RTK_SERIES_MAX];
	void *priv;
	const void *config;
	const struct rtk_common *common;
	u64 base;
	u64 measure_from;
	u64 deadline;
	bool ended;
	bool tripped;
	u64 overload;
};

/**
 * struct rtk_test - a test
 * @name: one word, unique
 * @summary: one line
 * @owner: THIS_MODULE
 * @params: the test's own parameters
 * @n_params: number of them
 * @config_size: size of the configuration struct
 * @cpu_size: size of the private memory for each CPU
 * @series: what is measured
 * @n_series: number of series, at most RTK_SERIES_MAX
 * @check: relations between parameters; fills @err and returns -errno where
 *	they don't fit together. May sleep. Optional.
 * @arm: starts measuring on one CPU: calls rtk_grid_start(), then starts the
 *	timer or device. Called by the pinned worker on that CPU with its final
 *	policy, interrupts on. Returns 0 or -errno, then nothing is running.
 * @disarm: ends it. Called once for each successful @arm, after the window was
 *	closed; from any CPU, may sleep, must return within a second or so.
 *	When it returns no handler runs and none will.
 * @thread: work of the worker, called once after one or more rtk_wake();
 *	pinned to the CPU, in task context. Optional.
 *
 * A test writes in a lane only from the one context that the lane belongs to.
 */
struct rtk_test {
	const char *name;
	const char *summary;
	struct module *owner;
	const struct rtk_param *params;
	unsigned int n_params;
	size_t config_size;
	size_t cpu_size;
	const struct rtk_series *series;
	unsigned int n_series;
	int (*check)(const struct rtk_common *common, const void *config,
		     struct rtk_err *err);
	int (*arm)(struct rtk_cpu *c);
	void (*disarm)(struct rtk_cpu *c);
	void (*thread)(struct rtk_cpu *c);
};

/**
 * rtk_test_register() - add a test
 * @test: test; must stay until rtk_test_unregister()
 *
 * Context: may sleep; not from a test's callbacks.
 * Return: 0, -EINVAL for a description that isn't complete or names a file of
 * the core's, -EEXIST for a name in use, -ENOMEM
 */
int rtk_test_register(const struct rtk_test *test);

/**
 * rtk_test_unregister() - remove a test; its run is stopped first
 * @test: test; one that isn't registered is ignored
 *
 * Context: may sleep; not from a test's callbacks. When it returns, no code
 * and no data of the test is in use.
 */
void rtk_test_unregister(const struct rtk_test *test);

/**
 * rtk_grid_start() - set the grid of activations of a CPU
 * @c: CPU
 * @t0: a grid point, ns on CLOCK_MONOTONIC
 * @period: distance of grid points, ns, not 0
 *
 * The window begins at the first grid point at or after the end of warm-up,
 * and not before the grid itself.
 *
 * Context: @arm only, on the CPU, before anything can fire.
 */
static inline void rtk_grid_start(struct rtk_cpu *c, u64 t0, u64 period)
{
	unsigned int i;

	c->period = period;
	c->first = t0;
	if (c->measure_from > t0)
		c->first += DIV_ROUND_UP_ULL(c->measure_from - t0, period) * period;
	c->span = c->deadline > c->first ? c->deadline - c->first : 0;
	for (i = 0; i < RTK_SERIES_MAX; i++) {
		if (!c->lane[i])
			continue;
		c->lane[i]->next = t0;
		c->lane[i]->guard_start = c->first;
		if (c->lane[i]->series->flags & RTK_SERIES_LEDGER)
			rtk_lane_set_period(c->lane[i], period);
	}
}

/**
 * rtk_in_window() - does a grid point count?
 * @c: CPU
 * @at: grid point, ns
 *
 * Context: any, on the CPU.
 * Return: true from the end of warm-up to the end of the run
 */
static __always_inline bool rtk_in_window(const struct rtk_cpu *c, u64 at)
{
	return at - READ_ONCE(c->first) < READ_ONCE(c->span);
}

/**
 * rtk_grid_points() - number of grid points that count in a range
 * @c: CPU
 * @from: a grid point, ns
 * @to: end of the range, exclusive, ns; need not be a grid point
 *
 * Context: any.
 * Return: number of grid points in [from, to) and in the window
 */
static inline u64 rtk_grid_points(const struct rtk_cpu *c, u64 from, u64 to)
{
	u64 first = READ_ONCE(c->first), end = first + READ_ONCE(c->span);

	if (from < first)
		from = first;
	if (to > end)
		to = end;
	return from < to ? DIV_ROUND_UP_ULL(to - from, c->period) : 0;
}

/**
 * rtk_ended() - the writer has ended by itself
 * @c: CPU
 *
 * Context: any, on the CPU.
 */
static inline void rtk_ended(struct rtk_cpu *c)
{
	WRITE_ONCE(c->ended, true);
}

/**
 * rtk_window_end() - end the window
 * @c: CPU
 * @now: end, CLOCK_MONOTONIC, ns; grid points from here on don't count. A
 *	window that has ended before is left alone.
 *
 * Context: on the CPU. Interrupts are off for the two stores, so that the
 * handler sees a window or another, never a mixture.
 */
static inline void rtk_window_end(struct rtk_cpu *c, u64 now)
{
	unsigned long flags;

	local_irq_save(flags);
	if (now <= c->first)
		WRITE_ONCE(c->span, 0);
	else if (now - c->first < c->span)
		WRITE_ONCE(c->span, now - c->first);
	local_irq_restore(flags);
}

/**
 * rtk_missed() - count activations that were not delivered
 * @lane: lane
 * @n: how many
 * @now: CLOCK_MONOTONIC, ns
 *
 * Also the overload guard: when for a second more than half of the
 * activations are missed, in many separate stalls (one long stall is a
 * latency, and a result), the CPU cannot keep up and the writer has to end.
 *
 * Context: the lane's writer context. Lock-free, bounded.
 * Return: true if the window was ended and the writer must end
 */
static inline bool rtk_missed(struct rtk_lane *lane, u64 n, u64 now)
{
	struct rtk_cpu *c = lane->c;
	u64 elapsed = now - lane->guard_start;
	bool over;

	WRITE_ONCE(lane->missed, lane->missed + n);
	lane->guard_missed += n;
	lane->guard_stalls++;
	if (elapsed < NSEC_PER_SEC)
		return false;
	over = lane->guard_missed > elapsed / c->period / 2 &&
	       lane->guard_stalls > RTK_GUARD_STALLS;
	if (over) {
		WRITE_ONCE(c->overload,
			   2 * elapsed / (lane->m.n - lane->guard_n + 1));
		rtk_window_end(c, now);
		rtk_ended(c);
	}
	lane->guard_start = now;
	lane->guard_missed = 0;
	lane->guard_stalls = 0;
	lane->guard_n = lane->m.n;
	return over;
}

/**
 * rtk_wake() - let the worker call the test's @thread
 * @c: CPU
 *
 * Context: any down to hard interrupt, on the CPU; not NMI.
 */
static __always_inline void rtk_wake(struct rtk_cpu *c)
{
	/* The wake-up orders this store before the worker's look at it. */
	WRITE_ONCE(c->pending, true);
	wake_up_process(c->worker);
}

/* The tests in rtk.ko; each is the one symbol of its file. */
extern const struct rtk_test rtk_test_hrtimer;

#endif /* RTK_H */
