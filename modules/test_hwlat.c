// SPDX-License-Identifier: GPL-2.0
/*
 * Hardware latency: time that is taken away from a CPU although its interrupts
 * are off. A loop reads a clock as fast as it can; where two readings lie far
 * apart, the machine did something else, such as a system management interrupt
 * (SMI), an NMI, or a hypervisor's.
 *
 * The readings come in pairs. The gap within a pair is called inner, the gap before
 * it outer, as the kernel's tracer does, but here both are equally long, and every
 * single one is a sample of the series "gap".
 */
#include <linux/atomic.h>
#include <linux/clocksource.h>
#include <linux/hrtimer.h>
#include <linux/math64.h>
#include <linux/string.h>
#include <linux/timekeeping.h>

#include "compat/clock.h"
#include "rtk.h"

/* Gaps below this, in ticks of the clock, are only counted while measuring. */
#define HWLAT_GAPS	4096
/* Ticks are turned into ns exactly enough for a gap of so long, ms. */
#define HWLAT_SPAN_MS	10000
/* Of a second, real-time tasks get this much and no more. */
#define HWLAT_RT_PERCENT	90
#define HWLAT_RT_US		(USEC_PER_SEC / 100 * HWLAT_RT_PERCENT)
/* Two readings take longer than so many ns. */
#define HWLAT_PAIR_NS		4

enum { HWLAT_PARALLEL, HWLAT_ROUNDROBIN };
enum { HWLAT_AUTO, HWLAT_TSC, HWLAT_RAW };
enum { HWLAT_COVERED, HWLAT_WALL };
enum { HWLAT_INNER, HWLAT_OUTER, HWLAT_WATCHING };

/**
 * struct hwlat_config - parameters, and what follows from them
 * @mode: all CPUs at once, or one after the other
 * @window_us: a window begins each time that it has passed
 * @width_us: so long is measured in each of them
 * @burst_us: so long interrupts are off at a time
 * @clock: what is read; decided by prepare()
 * @force: real-time policy although it will be throttled
 * @mult: a tick is @mult / 2^@shift ns
 * @shift: see there
 */
struct hwlat_config {
	s64 mode;
	u64 window_us;
	u64 width_us;
	u64 burst_us;
	s64 clock;
	s64 force;
	u32 mult;
	u32 shift;
};

/**
 * struct hwlat_cpu - a CPU's part of a run; the worker's alone
 * @gap: gaps that were only counted since publish(), by ticks
 * @limit: gaps from here on, in ticks, are recorded one by one
 * @covered: ticks between the first and the last reading of bursts since publish()
 * @counts: they lie within the window; before it the CPU warms up
 * @total: ticks that were covered
 * @counted: sum of the gaps that were only counted, ticks
 * @last: the latest gap, ticks
 * @until: end of the last burst, ns; a gap can be longer than the window
 */
struct hwlat_cpu {
	u32 gap[HWLAT_GAPS];
	u64 limit;
	u64 covered;
	bool counts;
	u64 total;
	u64 counted;
	u64 last;
	u64 until;
};

/* CPUs that are inside a burst now; a test has one run at a time. */
static atomic_t hwlat_watching;

/* --- clocks ------------------------------------------------------------------ */

/*
 * Not slewed: a gap is as long as it is. And of the fast sort, which does not wait
 * for the CPU that is just setting the clock, whose gaps would then be ours.
 */
static __always_inline u64 hwlat_raw(void)
{
	return ktime_get_raw_fast_ns();
}

#ifdef CONFIG_X86
/* Not ordered: waiting for what comes before would make each gap longer. */
static __always_inline u64 hwlat_tsc(void)
{
	return rdtsc();
}

static u32 hwlat_tsc_khz(void)
{
	return tsc_khz;
}
#else
#define hwlat_tsc	hwlat_raw
static u32 hwlat_tsc_khz(void)
{
	return 0;
}
#endif

static u64 hwlat_ns(const struct hwlat_config *cfg, u64 ticks)
{
	return mul_u64_u32_shr(ticks, cfg->mult, cfg->shift);
}

/* A gap for the reader: one of a clock that went backwards has no length. */
static u64 hwlat_length(const struct hwlat_config *cfg, u64 ticks)
{
	return (s64)ticks < 0 ? 0 : hwlat_ns(cfg, ticks);
}

/* The fewest ticks that are not less than so many ns, which are 2^32 at most. */
static u64 hwlat_ticks(const struct hwlat_config *cfg, u64 ns)
{
	return DIV64_U64_ROUND_UP(ns << cfg->shift, cfg->mult);
}

/* --- measuring: interrupts are off --------------------------------------------- */

/* What is neither an outlier nor one of the worst is only counted. */
static void hwlat_set_limit(struct rtk_cpu *c)
{
	struct hwlat_cpu *h = c->priv;
	u64 limit = HWLAT_GAPS;

	/* Before the window nothing is kept. */
	if (h->counts)
		limit = min(limit, hwlat_ticks(c->config, c->lane[0]->limit));
	h->limit = limit;
}

static void hwlat_record(struct rtk_cpu *c, u64 gap, u64 now)
{
	const struct hwlat_config *cfg = c->config;
	struct hwlat_cpu *h = c->priv;

	if (gap < h->limit) {
		h->gap[gap]++;
		return;
	}
	/* A clock that goes backwards is told as what it is. */
	if ((s64)gap < 0)
		rtk_record(c->lane[0], -(s64)hwlat_ns(cfg, -gap), now);
	else
		rtk_record(c->lane[0], hwlat_ns(cfg, gap), now);
	hwlat_set_limit(c);
}

static void hwlat_record_pair(struct rtk_cpu *c, u64 outer, u64 inner)
{
	const struct hwlat_config *cfg = c->config;
	const struct hwlat_cpu *h = c->priv;
	struct rtk_lane *lane = c->lane[0];
	struct rtk_context ctx = lane->ctx;
	u64 now = ktime_get(), smi_at = lane->smi_at;
	u32 smi_count = lane->smi_count;

	lane->detail[HWLAT_INNER] = hwlat_length(cfg, inner);
	lane->detail[HWLAT_OUTER] = hwlat_length(cfg, outer);
	lane->detail[HWLAT_WATCHING] = atomic_read(&hwlat_watching);
	hwlat_record(c, outer, now);
	if (inner >= h->limit) {
		/* What came in, came in during the pair; in which half, who knows. */
		lane->ctx = ctx;
		lane->smi_count = smi_count;
		lane->smi_at = smi_at;
	}
	hwlat_record(c, inner, now);
}

/*
 * A pair that is not an ordinary one, of which @outer may have been @counted. Returns
 * true if the burst is to end. The time that this takes is nobody's gap: the caller
 * begins anew.
 */
static noinline bool hwlat_odd(struct rtk_cpu *c, u64 outer, u64 inner, bool counted)
{
	struct hwlat_cpu *h = c->priv;

	if (counted)
		h->gap[outer]--;
	h->last = inner;
	if (h->counts)
		hwlat_record_pair(c, outer, inner);
	/* Backwards: when the burst ends is not known then. */
	return READ_ONCE(c->ended) || (s64)outer < 0 || (s64)inner < 0;
}

/*
 * The loop that all this is about, for each clock a copy of its own. What lies
 * between two readings is a subtraction, a comparison and a counter's increment.
 * A gap beyond the last counter is above @limit.
 *
 * @pairs ends it should the clock stand still, which the TSC can't.
 */
static __always_inline void hwlat_burst(struct rtk_cpu *c, u64 ticks, u64 pairs,
					u64 (*clock)(void))
{
	struct hwlat_cpu *h = c->priv;
	u64 limit = h->limit;
	u64 begin, end, t1, t2, outer, inner;
	bool counted;

	/* Before the first reading, not after it: there is a division in it. */
	OPTIMIZER_HIDE_VAR(ticks);
	begin = clock();
	end = begin + ticks;
	t2 = begin;
	do {
		t1 = clock();
		outer = t1 - t2;
		if (unlikely(outer >= limit)) {
			t2 = clock();
			inner = t2 - t1;
			counted = false;
			goto odd;
		}
		h->gap[outer]++;
		t2 = clock();
		inner = t2 - t1;
		if (likely(inner < limit)) {
			h->gap[inner]++;
			continue;
		}
		counted = true;
odd:
		if (t2 > begin)
			h->covered += t2 - begin;
		if (hwlat_odd(c, outer, inner, counted))
			return;
		limit = h->limit;
		begin = clock();
		t2 = begin;
	} while (t2 < end && (clock == hwlat_tsc || --pairs));
	h->covered += t2 - begin;
	h->last = inner;
}

/* How many windows the turn of this CPU is away, 0 for now. */
static u32 hwlat_turn(const struct rtk_cpu *c, u64 number)
{
	const struct hwlat_config *cfg = c->config;
	u32 at;

	if (cfg->mode == HWLAT_PARALLEL)
		return 0;
	div_u64_rem(number, c->n, &at);
	return (c->index + c->n - at) % c->n;
}

/*
 * How long to measure now, ns; else 0, and @next is when to come again. A window
 * begins where the measurement does; those before it are to warm up. The first may
 * have begun before the clock did: differences are right nevertheless.
 */
static u64 hwlat_plan(const struct rtk_cpu *c, u64 now, u64 *next)
{
	const struct hwlat_config *cfg = c->config;
	u64 window = cfg->window_us * NSEC_PER_USEC;
	u64 width = cfg->width_us * NSEC_PER_USEC;
	u64 origin = c->first - DIV64_U64_ROUND_UP(c->first - c->base, window) * window;
	u64 end = now < c->first ? c->first : READ_ONCE(c->end);
	u64 number = div64_u64(now - origin, window);
	u64 into = now - origin - number * window;
	u32 turn = hwlat_turn(c, number);

	if (!turn && into < width && now < end)
		return min3(width - into, end - now, cfg->burst_us * NSEC_PER_USEC);
	*next = now - into + (turn ?: 1) * window;
	return 0;
}

static u64 hwlat_measure(struct rtk_cpu *c)
{
	const struct hwlat_config *cfg = c->config;
	struct hwlat_cpu *h = c->priv;
	u64 now = ktime_get();
	u64 next = now, ns = hwlat_plan(c, now, &next);

	if (!ns)
		return next;
	h->counts = now >= c->first;
	hwlat_set_limit(c);
	atomic_inc(&hwlat_watching);
	if (cfg->clock == HWLAT_TSC)
		hwlat_burst(c, hwlat_ticks(cfg, ns), 0, hwlat_tsc);
	else
		hwlat_burst(c, ns, ns / HWLAT_PAIR_NS + 1, hwlat_raw);
	atomic_dec(&hwlat_watching);
	h->until = ktime_get();
	return next;
}

/* --- publishing: interrupts are on -------------------------------------------- */

/*
 * The gaps that were only counted become samples. Each is rounded down to a whole ns
 * in its bucket; their sum is taken of the ticks, or a gap of a few ns would make
 * it wrong by a tenth. With the mult's of hwlat_prepare() nothing overflows.
 */
static void hwlat_fold(struct rtk_cpu *c)
{
	const struct hwlat_config *cfg = c->config;
	struct hwlat_cpu *h = c->priv;
	struct rtk_batch b = { .min = S64_MAX };
	u64 before = hwlat_ns(cfg, h->counted);
	u32 i;

	for (i = 0; i < HWLAT_GAPS; i++) {
		u64 n = h->gap[i], scaled = (u64)i * cfg->mult;

		if (!n)
			continue;
		if (!b.n)
			b.min = scaled >> cfg->shift;
		b.n += n;
		b.sumsq += (unsigned __int128)scaled * scaled * n;
		h->counted += i * n;
	}
	if (!b.n)
		return;
	b.last = hwlat_length(cfg, h->last);
	b.sum = hwlat_ns(cfg, h->counted) - before;
	/* Rounded up, or a variance could be below 0. */
	b.sumsq = (b.sumsq >> 2 * cfg->shift) + !!cfg->shift;
	rtk_lane_add_batch(c->lane[0], &b);
	for (i = 0; i < HWLAT_GAPS; i++) {
		if (!h->gap[i])
			continue;
		rtk_lane_add_bucket(c->lane[0], ((u64)i * cfg->mult) >> cfg->shift, h->gap[i]);
		h->gap[i] = 0;
	}
}

static void hwlat_publish(struct rtk_cpu *c)
{
	struct hwlat_cpu *h = c->priv;
	u64 now = max(h->until, min_t(u64, ktime_get(), READ_ONCE(c->end)));

	if (h->counts) {
		hwlat_fold(c);
		h->total += h->covered;
		WRITE_ONCE(c->counter[HWLAT_COVERED], hwlat_ns(c->config, h->total));
	} else {
		memset(h->gap, 0, sizeof(h->gap));
	}
	h->covered = 0;
	if (now > c->first)
		WRITE_ONCE(c->counter[HWLAT_WALL], now - c->first);
}

/* --- the test --------------------------------------------------------------- */

static int hwlat_check(const struct rtk_common *common, const void *config,
		       struct rtk_err *err)
{
	const struct hwlat_config *cfg = config;
	bool realtime = common->policy != RTK_POLICY_OTHER;
	bool much = cfg->width_us * 100 > cfg->window_us * HWLAT_RT_PERCENT ||
		    cfg->width_us > HWLAT_RT_US;

	if (cfg->width_us > cfg->window_us)
		return rtk_fail(err, -EINVAL,
				"width_us=%llu: longer than window_us=%llu",
				cfg->width_us, cfg->window_us);
	if (realtime && much && !cfg->force)
		return rtk_fail(err, -EINVAL,
				"width_us=%llu of window_us=%llu: the kernel stops real-time tasks that take more than %d %% of a second; use policy=other, a smaller width, or force=1",
				cfg->width_us, cfg->window_us, HWLAT_RT_PERCENT);
	return 0;
}

static int hwlat_prepare(void *config, struct cpumask *cpus, struct cpumask *busy,
			 struct rtk_err *err)
{
	struct hwlat_config *cfg = config;
	bool trusted = rtk_clock_is_tsc() && hwlat_tsc_khz();

	if (cfg->clock == HWLAT_TSC && !trusted)
		return rtk_fail(err, -EOPNOTSUPP,
				"clock=tsc: the kernel does not tell the time with the TSC, so it can't be trusted; use clock=auto or clock=raw");
	if (cfg->clock == HWLAT_AUTO)
		cfg->clock = trusted ? HWLAT_TSC : HWLAT_RAW;
	/* Such a clock moves with the tick, which interrupts off keep from coming. */
	if (cfg->clock == HWLAT_RAW && hrtimer_resolution > 1)
		return rtk_fail(err, -EOPNOTSUPP,
				"the kernel's clock moves in steps of %u ns here: with it no gap can be measured",
				hrtimer_resolution);
	cfg->mult = 1;
	cfg->shift = 0;
	if (cfg->clock == HWLAT_TSC)
		clocks_calc_mult_shift(&cfg->mult, &cfg->shift, hwlat_tsc_khz(),
				       NSEC_PER_MSEC, HWLAT_SPAN_MS);
	return 0;
}

static const char * const hwlat_modes[] = { "parallel", "roundrobin", NULL };
static const char * const hwlat_clocks[] = { "auto", "tsc", "raw", NULL };

static const struct rtk_param hwlat_params[] = {
	{
		.name = "mode", .type = RTK_PARAM_TYPE_ENUM, .def = "parallel",
		.choices = hwlat_modes,
		.help = "all CPUs at the same time, or one in each window",
		RTK_FIELD(struct hwlat_config, mode),
	}, {
		.name = "window_us", .type = RTK_PARAM_TYPE_U64, .unit = "us",
		.min = 100, .max = 3600LL * 1000 * 1000, .def = "1000000",
		.help = "from the beginning of one measurement to that of the next",
		RTK_FIELD(struct hwlat_config, window_us),
	}, {
		.name = "width_us", .type = RTK_PARAM_TYPE_U64, .unit = "us",
		.min = 100, .max = 3600LL * 1000 * 1000, .def = "950000",
		.help = "how long it is measured in each window",
		RTK_FIELD(struct hwlat_config, width_us),
	}, {
		.name = "burst_us", .type = RTK_PARAM_TYPE_U64, .unit = "us",
		.min = 100, .max = 20000, .def = "5000",
		.help = "how long interrupts are off at a time; between that, all others are let in",
		RTK_FIELD(struct hwlat_config, burst_us),
	}, {
		.name = "clock", .type = RTK_PARAM_TYPE_ENUM, .def = "auto",
		.choices = hwlat_clocks,
		.help = "what is read: the TSC, CLOCK_MONOTONIC_RAW, or the first where the kernel trusts it",
		RTK_FIELD(struct hwlat_config, clock),
	}, {
		.name = "force", .type = RTK_PARAM_TYPE_BOOL, .def = "0",
		.help = "measure with a real-time policy for more of the time than the kernel lets it have",
		RTK_FIELD(struct hwlat_config, force),
	},
};

static const struct rtk_default hwlat_defaults[] = {
	/* What interrupts off can't keep from the CPU, no priority can either. */
	{ "policy", "other" },
	{ "threshold_ns", "10000" },
	{ }
};

static const struct rtk_series hwlat_series[] = {
	{ .name = "gap", .unit = "ns" },
};

static const struct rtk_counter hwlat_counters[] = {
	[HWLAT_COVERED] = { .name = "covered_ns", .unit = "ns" },
	[HWLAT_WALL] = { .name = "wall_ns", .unit = "ns" },
};

const struct rtk_test rtk_test_hwlat = {
	.name = "hwlat",
	.summary = "time that the hardware takes away from a CPU with interrupts off",
	.owner = THIS_MODULE,
	.params = hwlat_params,
	.n_params = ARRAY_SIZE(hwlat_params),
	.defaults = hwlat_defaults,
	.config_size = sizeof(struct hwlat_config),
	.cpu_size = sizeof(struct hwlat_cpu),
	.series = hwlat_series,
	.n_series = ARRAY_SIZE(hwlat_series),
	.counters = hwlat_counters,
	.n_counters = ARRAY_SIZE(hwlat_counters),
	.details = {
		[HWLAT_INNER] = "inner_ns",
		[HWLAT_OUTER] = "outer_ns",
		[HWLAT_WATCHING] = "watching",
	},
	.spares_cpu = true,
	.check = hwlat_check,
	.prepare = hwlat_prepare,
	.measure = hwlat_measure,
	.publish = hwlat_publish,
};
