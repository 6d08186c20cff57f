// SPDX-License-Identifier: GPL-2.0
/*
 * hrtimer: wake-up latency.
 *
 * On each CPU one absolute CLOCK_MONOTONIC timer in hard interrupt context
 * expires on the grid t0 + k * period. Series irq: clock in the handler minus
 * planned expiry. Series thread: clock in the woken thread minus the planned
 * expiry of the oldest activation that it has not served yet; were it the
 * newest, a thread held off for many periods would report less than one.
 * Series user: the same for a program that reads per_cpu/cpuN/wait, until it
 * enters its next read (reader.c).
 *
 * The grid is never moved: the next expiry is the last one plus the period,
 * however late the handler ran. Points that passed meanwhile are counted as
 * missed, in each series by itself.
 */
#include <linux/hrtimer.h>

#include "compat/hrtimer.h"
#include "rtk.h"

struct hrt_config {
	u64 period_ns;
	s64 align;
	u64 offset_ns;
	s64 thread;
	s64 user;
};

struct hrt_cpu {
	struct hrtimer timer;
	struct rtk_cpu *c;
	struct rtk_lane *irq;
	struct rtk_lane *thread;
	u64 period;
};

/* Series, in the order of struct rtk_cpu.lane. */
enum { HRT_IRQ, HRT_THREAD, HRT_USER };

/*
 * Everything that is not an on-time expiry inside the window: warm-up, the
 * end, and expiries so late that later grid points have passed. Not inline, so
 * that the ordinary way doesn't save registers for it.
 */
static noinline enum hrtimer_restart hrtimer_tick_odd(struct hrt_cpu *h, s64 value)
{
	u64 planned = hrtimer_get_expires_ns(&h->timer), now = planned + value;
	struct rtk_cpu *c = h->c;
	u64 passed;

	if (planned >= c->end) {
		rtk_ended(c);
		return HRTIMER_NORESTART;
	}
	passed = rtk_grid_serve(h->irq, planned, now);
	hrtimer_set_expires(&h->timer, ns_to_ktime(h->irq->next));
	rtk_wake(c);
	return rtk_grid_guard(h->irq, now, passed) ? HRTIMER_NORESTART : HRTIMER_RESTART;
}

/* Not inline, so that the ordinary call keeps one register across the wake-up. */
static noinline bool hrtimer_guard(struct hrt_cpu *h)
{
	return rtk_guard(h->irq, h->irq->next - h->period + h->irq->m.last, 1);
}

/*
 * Hard interrupt context, interrupts off, on the CPU that was armed. What is
 * plain is less than a period late and not the first, so it lies in the window
 * if it lies before its end.
 */
static enum hrtimer_restart hrtimer_tick(struct hrtimer *timer)
{
	struct hrt_cpu *h = container_of(timer, struct hrt_cpu, timer);
	s64 value = ktime_get() - hrtimer_get_expires(timer);
	u64 next = hrtimer_get_expires_ns(timer);
	struct rtk_lane *lane = h->irq;
	struct rtk_cpu *c = h->c;

	if (unlikely(!rtk_lane_plain(lane, value) || next >= c->end))
		return hrtimer_tick_odd(h, value);

	rtk_lane_add(lane, value);
	next += h->period;
	/* The thread reads it: on this CPU, so program order is enough. */
	WRITE_ONCE(lane->next, next);
	hrtimer_set_expires(timer, ns_to_ktime(next));
	rtk_wake(c);
	if (unlikely(rtk_guard_due(c, lane->m.n)) && hrtimer_guard(h))
		return HRTIMER_NORESTART;
	return HRTIMER_RESTART;
}

/* More than one activation to serve, or none, or not all in the window. */
static noinline void hrtimer_thread_odd(struct hrt_cpu *h, u64 oldest, u64 fired,
					u64 now)
{
	struct rtk_cpu *c = h->c;

	if (oldest < c->first)
		oldest = c->first;
	c->stamp = 0;
	if (oldest >= fired)
		return;
	if (rtk_in_window(c, oldest) && rtk_record(h->thread, now - oldest, now)) {
		c->served = oldest;
		c->stamp = now;
		oldest += h->period;
	}
	/* What was dropped, since the CPU is going away, is missed with the rest. */
	rtk_missed(h->thread, rtk_lane_points(h->thread, oldest, fired));
}

static void hrtimer_thread(struct rtk_cpu *c)
{
	struct hrt_cpu *h = c->priv;
	/*
	 * End of what the timer has fired, read before the clock: an expiry
	 * after this line is served by the next call and not lost in this one.
	 */
	u64 fired = READ_ONCE(h->irq->next);
	u64 now = ktime_get();
	struct rtk_lane *lane = h->thread;
	u64 oldest = lane->next;

	WRITE_ONCE(lane->next, fired);
	if (unlikely(fired - oldest != h->period ||
		     !rtk_lane_plain(lane, now - oldest) ||
		     oldest >= READ_ONCE(c->end))) {
		hrtimer_thread_odd(h, oldest, fired, now);
		return;
	}
	rtk_lane_add(lane, now - oldest);
	c->served = oldest;
	c->stamp = now;
}

static int hrtimer_arm(struct rtk_cpu *c)
{
	const struct hrt_config *config = c->config;
	struct hrt_cpu *h = c->priv;
	u64 now = ktime_get();
	u64 t0 = now + config->period_ns;

	h->c = c;
	h->period = config->period_ns;
	h->irq = c->lane[HRT_IRQ];
	h->thread = c->lane[HRT_THREAD];
	if (config->align) {
		t0 = c->base + c->index * config->offset_ns;
		/* Never in the past: its lateness would be ours. */
		if (t0 <= now)
			t0 += DIV64_U64_ROUND_UP(now + 1 - t0, h->period) * h->period;
	}
	rtk_grid_start(c, t0, h->period);
	hrtimer_setup(&h->timer, hrtimer_tick, CLOCK_MONOTONIC,
		      HRTIMER_MODE_ABS_PINNED_HARD);
	/* PINNED means the calling CPU: this is the worker pinned to it. */
	hrtimer_start(&h->timer, ns_to_ktime(t0), HRTIMER_MODE_ABS_PINNED_HARD);
	return 0;
}

static void hrtimer_disarm(struct rtk_cpu *c)
{
	struct hrt_cpu *h = c->priv;

	rtk_grid_drain(h->irq);
	hrtimer_cancel(&h->timer);
}

static int hrtimer_check(const struct rtk_common *common, const void *config,
			 struct rtk_err *err)
{
	const struct hrt_config *cfg = config;

	if (cfg->offset_ns && !cfg->align)
		return rtk_fail(err, -EINVAL,
				"offset_ns=%llu needs align=1: without it the CPUs have no common start",
				cfg->offset_ns);
	if (cfg->user && !cfg->thread)
		return rtk_fail(err, -EINVAL,
				"user=1 needs thread=1: the reader is the thread");
	return 0;
}

static bool hrtimer_has_thread(const void *config)
{
	const struct hrt_config *cfg = config;

	return cfg->thread;
}

static bool hrtimer_has_user(const void *config)
{
	const struct hrt_config *cfg = config;

	return cfg->user;
}

static const struct rtk_series hrtimer_series[] = {
	[HRT_IRQ] = {
		.name = "irq", .unit = "ns",
		.flags = RTK_SERIES_HARDIRQ | RTK_SERIES_LEDGER,
	},
	[HRT_THREAD] = {
		.name = "thread", .unit = "ns",
		.flags = RTK_SERIES_THREAD | RTK_SERIES_LEDGER,
		.enabled = hrtimer_has_thread,
	},
	[HRT_USER] = {
		.name = "user", .unit = "ns",
		.flags = RTK_SERIES_USER | RTK_SERIES_LEDGER,
		.enabled = hrtimer_has_user,
	},
};

static const struct rtk_param hrtimer_params[] = {
	{
		.name = "period_ns", .type = RTK_PARAM_TYPE_U64, .unit = "ns",
		.min = 10000, .max = NSEC_PER_SEC, .def = "250000",
		.help = "distance of two activations",
		RTK_FIELD(struct hrt_config, period_ns),
	}, {
		.name = "align", .type = RTK_PARAM_TYPE_BOOL, .def = "0",
		.help = "all CPUs on one grid, instead of each on its own",
		RTK_FIELD(struct hrt_config, align),
	}, {
		.name = "offset_ns", .type = RTK_PARAM_TYPE_U64, .unit = "ns",
		.min = 0, .max = NSEC_PER_SEC, .def = "0",
		.help = "with align=1: each CPU's grid this much after that of the CPU before",
		RTK_FIELD(struct hrt_config, offset_ns),
	}, {
		.name = "thread", .type = RTK_PARAM_TYPE_BOOL, .def = "1",
		.help = "wake a thread at each activation and record series thread",
		RTK_FIELD(struct hrt_config, thread),
	}, {
		.name = "user", .type = RTK_PARAM_TYPE_BOOL, .def = "0",
		.help = "a reader of per_cpu/cpuN/wait takes the thread's place: record series user",
		RTK_FIELD(struct hrt_config, user),
	},
};

const struct rtk_test rtk_test_hrtimer = {
	.name = "hrtimer",
	.summary = "wake-up latency of a timer: interrupt handler and thread",
	.owner = THIS_MODULE,
	.params = hrtimer_params,
	.n_params = ARRAY_SIZE(hrtimer_params),
	.config_size = sizeof(struct hrt_config),
	.cpu_size = sizeof(struct hrt_cpu),
	.series = hrtimer_series,
	.n_series = ARRAY_SIZE(hrtimer_series),
	.check = hrtimer_check,
	.arm = hrtimer_arm,
	.disarm = hrtimer_disarm,
	.thread = hrtimer_thread,
};
