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
#include <linux/delay.h>
#include <linux/irqflags.h>
#include <linux/kernel.h>
#include <linux/ktime.h>
#include <linux/log2.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/module.h>
#include <linux/sched.h>
#include <linux/stddef.h>
#include <linux/types.h>

#include "hist.h"

/* Series that a test can have. */
#define RTK_SERIES_MAX	8
/* Counters that a test can have. */
#define RTK_COUNTERS_MAX	8
/* One in so many calls of a handler that come in time is looked at, a power of 2, */
#define RTK_GUARD_EVERY		64
/* and no fewer than one in this time, if there are so many. */
#define RTK_GUARD_SELDOM	(64 * NSEC_PER_MSEC)
/* Fewer stalls in a second are no overload. */
#define RTK_GUARD_STALLS	10
/* Fewer looks tell nothing, and a view goes on until it has them. */
#define RTK_GUARD_LOOKS		8
/* So many views, of a second or more, without the controller are too many. */
#define RTK_GUARD_QUIET		5
/* Choices of the parameter policy, by index. */
enum { RTK_POLICY_FIFO, RTK_POLICY_RR, RTK_POLICY_OTHER };
/* Size of a string parameter, with its terminator. */
#define RTK_STRING_SIZE	(RTK_TEST_NAME_MAX + 1)
/* Size of a parameter of type PCI, with its terminator: "10000:ff:1f.7". */
#define RTK_PCI_SIZE	24

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
 *	char[RTK_STRING_SIZE] for STRING, char[RTK_PCI_SIZE] for PCI ("auto", or
 *	the full address of a device)
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
 * @policy: RTK_POLICY_*
 * @priority: real-time priority of the workers, 1 to 99
 * @dma_latency_us: CPU latency limit held during the run, -1 for none
 * @threshold_ns: a sample above it is an outlier; 0 for none
 * @threshold_series: series that it applies to; empty for the default
 * @stop_on_threshold: the first outlier ends the run
 * @stop_tracing: the first outlier stops the kernel's trace buffer
 * @outlier_slots: slots of the outlier ring of a lane
 * @verbosity: what is said of the run in the kernel log, 0 is nothing
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
	u64 verbosity;
	s64 share;
};

/* Flags of a series. */
#define RTK_SERIES_SIGNED	BIT(0)	/* negative values belong to it */
#define RTK_SERIES_HARDIRQ	BIT(1)	/* recorded in interrupt context */
#define RTK_SERIES_LEDGER	BIT(2)	/* one activation for each grid point */
#define RTK_SERIES_THREAD	BIT(3)	/* recorded by rtk_test.thread, or with its help */
#define RTK_SERIES_USER		BIT(4)	/* recorded by the core: return of a reader */

/**
 * struct rtk_series - one series of a test; there is a lane for it on each CPU
 * @name: name, one word
 * @unit: unit of the values
 * @flags: RTK_SERIES_*
 * @enabled: is it recorded with this configuration? NULL for always. May be
 *	called from any context that may sleep.
 * @on_cpu: is it recorded on this CPU of the run? NULL for each. Called for the
 *	run's own configuration, after rtk_test.prepare; may sleep.
 */
struct rtk_series {
	const char *name;
	const char *unit;
	unsigned int flags;
	bool (*enabled)(const void *config);
	bool (*on_cpu)(const void *config, int cpu);
};

/**
 * struct rtk_counter - a number for each CPU of a run
 * @name: name, one word; carries its unit
 * @unit: unit, NULL for none
 */
struct rtk_counter {
	const char *name;
	const char *unit;
};

/**
 * struct rtk_default - another default of a common parameter
 * @name: parameter
 * @def: default
 */
struct rtk_default {
	const char *name;
	const char *def;
};

/**
 * struct rtk_guard - the overload guard's view of about a second
 * @start: its beginning, CLOCK_MONOTONIC, ns
 * @calls: calls of the handler that recorded nothing; it counts them itself
 * @recorded: samples of the handler's lane at @start
 * @stalls: those that came so late that grid points passed
 * @skipped: grid points that passed
 * @longest: the most in one stall
 * @looks: calls that came in time and were looked at
 * @heavy: those that took more than half of the period
 * @quiet: such views before this one in which the controller did not run
 */
struct rtk_guard {
	u64 start;
	u64 calls;
	u64 recorded;
	u64 stalls;
	u64 skipped;
	u64 longest;
	u64 looks;
	u64 heavy;
	unsigned int quiet;
};

/**
 * struct rtk_cpu - one CPU of a run, as a test sees it
 * @first: first grid point that counts, ns on CLOCK_MONOTONIC
 * @end: end of the window [@first, @end); set to now when the run is stopped,
 *	by code on this CPU with interrupts off
 * @period: distance of grid points, ns
 * @guard_mask: see rtk_guard_due()
 * @cpu: CPU number
 * @index: position among the CPUs of the run, from 0
 * @n: number of these
 * @pending: a wake-up that @waiter has not taken yet
 * @waiter: who is woken by rtk_wake(): the core's worker, a reader in user
 *	space, or nobody; changed while nothing is armed, or on this CPU with
 *	interrupts off
 * @served: planned time of the activation that rtk_test.thread served last
 * @stamp: its time stamp there; both for readers in user space
 * @lane: lanes by number of series; NULL where the series isn't recorded
 * @priv: the test's own memory, cpu_size bytes, zeroed at start
 * @config: the test's parameters, constant during a run
 * @common: the common ones
 * @base: earliest start of the run's grids, the same on all CPUs, ns
 * @measure_from: end of warm-up, the same on all CPUs, ns
 * @deadline: planned end, the same on all CPUs, ns
 * @ended: the writer has ended by itself
 * @tripped: ... because of the threshold
 * @overload: ... because it could not keep up: a period, ns, that this CPU could
 *	carry; else 0
 * @guard: see rtk_guard()
 * @counter: of rtk_test.counters; the test writes them with WRITE_ONCE()
 * @heartbeat: when the controller ran last, CLOCK_MONOTONIC, ns; NULL if at the
 *	start there was a CPU for it that isn't measured, where this run can't
 *	keep it from running
 */
struct rtk_cpu {
	u64 first;
	u64 end;
	u64 period;
	u64 guard_mask;
	int cpu;
	unsigned int index;
	unsigned int n;
	bool pending;
	struct task_struct *waiter;
	u64 served;
	u64 stamp;
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
	struct rtk_guard guard;
	u64 counter[RTK_COUNTERS_MAX];
	const u64 *heartbeat;
};

/**
 * struct rtk_test - a test
 *
 * There are two sorts. A push test has @arm and @disarm, and a timer or a device
 * of its own in between, whose handler records. A pull test has @measure, which
 * the core calls over and over again.
 *
 * @name: one word, unique
 * @summary: one line
 * @owner: THIS_MODULE
 * @params: the test's own parameters
 * @n_params: number of them
 * @defaults: its own defaults of common parameters, the last one without a name.
 *	Optional
 * @config_size: size of the configuration struct
 * @cpu_size: size of the private memory for each CPU, may be 0
 * @series: what is measured
 * @n_series: number of series, at most RTK_SERIES_MAX
 * @counters: further numbers of each CPU. Optional
 * @n_counters: number of these, at most RTK_COUNTERS_MAX
 * @details: names of what it keeps with samples (struct rtk_lane); NULL for none
 * @spares_cpu: it takes its CPUs away from everything else, so one that is online
 *	must stay free. Without a choice of the user's, or isolated CPUs, that is
 *	the lowest one
 * @one_cpu: one CPU is enough for it. Without a choice of the user's that is the last
 *	isolated one, or the second that is online, or the only one
 * @check: relations between parameters; fills @err and returns -errno where
 *	they don't fit together. May sleep. Optional.
 * @choose: puts those CPUs into the place of @cpus, all of which are online and stay
 *	so meanwhile, that parameters of its own name, and says in @config, the run's
 *	own copy, which they are. They are online, too. Touches nothing of the machine:
 *	the run may still be refused for these CPUs. Fills @err and returns -errno
 *	where they can't be had. May sleep. Optional.
 * @prepare: settles in @config what parameters leave open, for a run on @cpus; that is
 *	what the results are said to have been measured with, and decides which
 *	series are recorded. May leave out CPUs that it finds not to need. Adds to
 *	@busy the CPUs that the run keeps busy besides. Fills @err and returns -errno
 *	where this machine can't do it. May sleep. Optional.
 * @unprepare: gives back what @prepare has taken. Called once for each successful
 *	@prepare, when nothing of the run is left but its results. May sleep. Optional.
 * @watch: has the run to end for a reason of the test's own? Called by the
 *	controller, about every 10 ms while it runs. Fills @err and returns the
 *	reason, a constant; NULL to go on. The run has failed then. May sleep, for
 *	some ms. Optional.
 * @arm: starts measuring on one CPU: calls rtk_grid_start(), then starts the
 *	timer or device. Called by the pinned worker on that CPU with its final
 *	policy, interrupts on. Returns 0 or -errno, then nothing is running. A
 *	worker that is kept from its CPU for seconds in the middle of it is let
 *	go on elsewhere; the run has failed then, and @disarm follows.
 * @disarm: ends it. Called once for each successful @arm, after the window was
 *	closed; from any CPU, may sleep, must return within a second or so.
 *	When it returns no handler runs and none will.
 * @measure: measures once, for a time that is bounded, 20 ms at most, and within
 *	the window; earlier it warms up. Returns when it is to be called again, ns
 *	on CLOCK_MONOTONIC; that can be over. Called by the core's worker, on the
 *	CPU, interrupts off; it may let them in meanwhile, and the worker may then find
 *	itself on another CPU, if its own goes offline. The lanes' context and SMI
 *	counts have been taken just before.
 * @publish: puts into lanes and counters what @measure has gathered; called after
 *	it, and when the window has ended, by the same thread, interrupts on.
 *	Optional.
 * @thread: serves activations; called once after one or more rtk_wake(), by
 *	the core's worker or, in a run with a series of RTK_SERIES_USER, by a
 *	reader in user space; pinned to the CPU, in task context; must not
 *	sleep, nor take locks that do so on PREEMPT_RT. For readers it sets
 *	@served and @stamp of struct rtk_cpu, or clears @stamp if it found
 *	nothing to serve. Optional.
 *
 * A test writes in a lane only from the one context that the lane belongs to.
 */
struct rtk_test {
	const char *name;
	const char *summary;
	struct module *owner;
	const struct rtk_param *params;
	unsigned int n_params;
	const struct rtk_default *defaults;
	size_t config_size;
	size_t cpu_size;
	const struct rtk_series *series;
	unsigned int n_series;
	const struct rtk_counter *counters;
	unsigned int n_counters;
	const char *details[RTK_DETAILS];
	bool spares_cpu;
	bool one_cpu;
	int (*check)(const struct rtk_common *common, const void *config,
		     struct rtk_err *err);
	int (*choose)(void *config, struct cpumask *cpus, struct rtk_err *err);
	int (*prepare)(void *config, struct cpumask *cpus, struct cpumask *busy,
		       struct rtk_err *err);
	void (*unprepare)(void *config);
	const char *(*watch)(const void *config, struct rtk_err *err);
	int (*arm)(struct rtk_cpu *c);
	void (*disarm)(struct rtk_cpu *c);
	u64 (*measure)(struct rtk_cpu *c);
	void (*publish)(struct rtk_cpu *c);
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

	c->first = t0;
	if (c->measure_from > t0)
		c->first += DIV64_U64_ROUND_UP(c->measure_from - t0, period) * period;
	c->end = max(c->deadline, c->first);
	c->guard.start = t0;
	c->guard_mask = rounddown_pow_of_two(clamp_t(u64, RTK_GUARD_SELDOM / period, 1,
						     RTK_GUARD_EVERY)) - 1;
	/* Readers that see a period see the window, too (hist.c). */
	smp_store_release(&c->period, period);
	for (i = 0; i < RTK_SERIES_MAX; i++) {
		if (!c->lane[i])
			continue;
		c->lane[i]->next = t0;
		if (c->lane[i]->series->flags & RTK_SERIES_LEDGER)
			c->lane[i]->period = period;
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
	return at >= c->first && at < READ_ONCE(c->end);
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
	u64 first = READ_ONCE(c->first), end = READ_ONCE(c->end);

	if (from < first)
		from = first;
	if (to > end)
		to = end;
	return from < to ? DIV64_U64_ROUND_UP(to - from, c->period) : 0;
}

/**
 * rtk_ended() - the writer has ended by itself
 * @c: CPU
 *
 * Context: any, on the CPU.
 */
static inline void rtk_ended(struct rtk_cpu *c)
{
	/* Pairs with control_verdict(): who sees it sees why. */
	smp_store_release(&c->ended, true);
}

/**
 * rtk_window_end() - end the window now
 * @c: CPU
 *
 * Grid points after now don't count; one that is now may have been delivered
 * already, so it does. A window that has ended before is left alone.
 *
 * Context: on the CPU. The clock is read with interrupts off: what is before
 * it has been delivered or will be, what is after it has not and won't.
 */
static inline void rtk_window_end(struct rtk_cpu *c)
{
	unsigned long flags;
	u64 end;

	local_irq_save(flags);
	end = max_t(u64, ktime_get() + 1, c->first);
	if (end < c->end)
		WRITE_ONCE(c->end, end);
	local_irq_restore(flags);
}

/**
 * rtk_lane_points() - number of grid points that count for a lane
 * @lane: lane
 * @from: a grid point, ns
 * @to: end of the range, exclusive, ns
 *
 * As rtk_grid_points(), and only while somebody was there to serve them.
 *
 * Context: any.
 * Return: number of grid points
 */
static inline u64 rtk_lane_points(const struct rtk_lane *lane, u64 from, u64 to)
{
	return rtk_grid_points(lane->c, max(from, READ_ONCE(lane->from)), to);
}

/**
 * rtk_missed() - count activations that were not delivered
 * @lane: lane
 * @n: how many
 *
 * Context: the lane's writer context. Lock-free, bounded.
 */
static inline void rtk_missed(struct rtk_lane *lane, u64 n)
{
	if (RTK_BREAKS(missed) && n)
		n--;
	WRITE_ONCE(lane->missed, lane->missed + n);
}

/**
 * rtk_grid_record() - record the one sample of a grid point
 * @lane: lane with a ledger
 * @planned: grid point
 * @value: sample
 * @now: CLOCK_MONOTONIC at which it was taken, ns
 *
 * For lanes that are not a timer's own: those grid points before it that got none
 * are missed. Also where the CPU's window has ended before, when another one's counts.
 *
 * Context: the lane's writer context, @planned in the window. Lock-free, bounded.
 * Return: as rtk_record()
 */
static inline bool rtk_grid_record(struct rtk_lane *lane, u64 planned, s64 value, u64 now)
{
	u64 from = max(lane->next, lane->c->first);
	u64 before = from < planned ? div64_u64(planned - from, lane->c->period) : 0;

	/* From another CPU: left to be missed. */
	if (!rtk_record(lane, value, now))
		return false;
	rtk_missed(lane, before);
	WRITE_ONCE(lane->next, planned + lane->c->period);
	return true;
}

/**
 * rtk_overload() - end a run that this machine cannot carry
 * @c: CPU
 * @period: a period that it could, ns
 *
 * Context: on the CPU.
 */
static inline void rtk_overload(struct rtk_cpu *c, u64 period)
{
	WRITE_ONCE(c->overload, period);
	rtk_window_end(c);
	rtk_ended(c);
}

/**
 * rtk_guard_due() - is it time to look at a call of the handler?
 * @c: CPU
 * @n: number of the call
 *
 * Context: the handler.
 * Return: true if rtk_guard() is to be called for a call that came in time
 */
static __always_inline bool rtk_guard_due(const struct rtk_cpu *c, u64 n)
{
	return !(n & c->guard_mask);
}

/**
 * rtk_guard() - keep a handler from taking the machine
 * @lane: the handler's lane
 * @start: beginning of this call of the handler, CLOCK_MONOTONIC, ns
 * @passed: grid points that have passed since the planned one, that included
 *
 * To be called at the end of the handler, each time that @passed is more than
 * 1, and when rtk_guard_due() says so; during warm-up, too. Ends the run when
 * - for 100 ms and RTK_GUARD_LOOKS looks most of the calls that are looked at
 *   take more than half of the period;
 * - for a second most calls come too late for the next one, and more than half
 *   of the grid points pass, the longest stall not counted: one long stall, or
 *   some, are latencies, and what rtk is there to find;
 * - the controller, an ordinary task, has not run for RTK_GUARD_QUIET views of a
 *   second or more in a row: whoever would stop the run does not get to do so
 *   either. Where it runs on another CPU, that one can.
 *
 * Between these the machine stays usable: after three expiries in a row the kernel
 * itself puts the next one off by as long as they took (hrtimer_interrupt()).
 *
 * Context: the handler, on the CPU, interrupts off. Lock-free, bounded.
 * Return: true if the window was ended and the handler must end
 */
static inline bool rtk_guard(struct rtk_lane *lane, u64 start, u64 passed)
{
	struct rtk_cpu *c = lane->c;
	struct rtk_guard *g = &c->guard;
	u64 now = ktime_get(), elapsed = now - g->start, calls;
	unsigned int quiet;

	if (passed > 1) {
		g->stalls++;
		g->skipped += passed - 1;
		g->longest = max(g->longest, passed - 1);
	} else {
		g->looks++;
		g->heavy += now - start > c->period / 2;
	}
	if (elapsed < 100 * NSEC_PER_MSEC)
		return false;
	if (g->looks >= RTK_GUARD_LOOKS && 2 * g->heavy > g->looks) {
		rtk_overload(c, 2 * (now - start));
		return true;
	}
	if (elapsed < NSEC_PER_SEC || g->looks + g->stalls < RTK_GUARD_LOOKS)
		return false;
	calls = max(g->calls + lane->m.n - g->recorded, 1ULL);
	if (g->stalls >= RTK_GUARD_STALLS && 2 * g->stalls > calls &&
	    g->skipped - g->longest > elapsed / c->period / 2) {
		rtk_overload(c, 2 * elapsed / calls);
		return true;
	}
	quiet = c->heartbeat && READ_ONCE(*c->heartbeat) < g->start ? g->quiet + 1 : 0;
	if (quiet >= RTK_GUARD_QUIET) {
		rtk_overload(c, 2 * c->period);
		return true;
	}
	*g = (struct rtk_guard){
		.start = now, .recorded = lane->m.n, .quiet = quiet
	};
	return false;
}

/**
 * rtk_grid_serve() - serve an activation: record it, and count what passed
 * @lane: lane of the timer whose handler this is
 * @planned: grid point that it was called for, before the end of the window
 * @now: CLOCK_MONOTONIC at the beginning of this call, ns
 *
 * The grid stays where it is, however late the handler runs. The next expiry is
 * then @lane->next; not hrtimer_forward(), which without high resolution takes the
 * tick for the period. An expiry before its time, which a clock that is read twice
 * could give, is one that is on time.
 *
 * Context: the handler, on the CPU. Lock-free, bounded.
 * Return: grid points that have passed since @planned, that included
 */
static inline u64 rtk_grid_serve(struct rtk_lane *lane, u64 planned, u64 now)
{
	struct rtk_cpu *c = lane->c;
	u64 passed = 1, next;

	if (planned >= c->first)
		rtk_record(lane, now - planned, now);
	else
		c->guard.calls++;
	if (now > planned)
		passed += div64_u64(now - planned, c->period);
	next = planned + passed * c->period;
	rtk_missed(lane, rtk_grid_points(c, planned + c->period, next));
	/* A thread on this CPU reads it. */
	WRITE_ONCE(lane->next, next);
	return passed;
}

/**
 * rtk_grid_guard() - rtk_guard() at the end of a handler, when it is due
 * @lane: see rtk_guard()
 * @start: see there
 * @passed: what rtk_grid_serve() has returned
 *
 * Context: see rtk_guard().
 * Return: true if the handler must end
 */
static inline bool rtk_grid_guard(struct rtk_lane *lane, u64 start, u64 passed)
{
	struct rtk_cpu *c = lane->c;

	return (passed > 1 || rtk_guard_due(c, c->guard.calls + lane->m.n)) &&
	       rtk_guard(lane, start, passed);
}

/**
 * rtk_grid_drain() - let come what was due before the window was closed
 * @lane: lane of the handler
 *
 * An expiry that lies before the end, but whose interrupt has not been taken yet,
 * gets its chance. One that never comes is missed.
 *
 * Context: @disarm, before the handler is kept from running. Sleeps, for 20 ms or
 * little more at most.
 */
static inline void rtk_grid_drain(const struct rtk_lane *lane)
{
	const struct rtk_cpu *c = lane->c;
	int tries = 100;

	while (c->end > c->first && READ_ONCE(lane->next) < c->end &&
	       !READ_ONCE(c->ended) && --tries)
		usleep_range(100, 200);
}

/**
 * rtk_wake() - let rtk_test.thread be called, if anybody waits to do so
 * @c: CPU
 *
 * Context: any down to hard interrupt, on the CPU; not NMI. From another CPU only
 * in a test without series for readers, between @arm and @unprepare of the run.
 */
static __always_inline void rtk_wake(struct rtk_cpu *c)
{
	struct task_struct *waiter = c->waiter;

	if (!waiter)
		return;
	/* The wake-up orders this store before the waiter's look at it. */
	WRITE_ONCE(c->pending, true);
	wake_up_process(waiter);
}

/* The tests in rtk.ko; each is the one symbol of its file. */
extern const struct rtk_test rtk_test_hrtimer;
extern const struct rtk_test rtk_test_hwlat;
extern const struct rtk_test rtk_test_selfirq;
extern const struct rtk_test rtk_test_msi_latency;
extern const struct rtk_test rtk_test_msi_jitter;
extern const struct rtk_test rtk_test_mmio;

#endif /* RTK_H */
