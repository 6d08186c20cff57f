// SPDX-License-Identifier: GPL-2.0
/*
 * hrtimer: wake-up latency.
 *
 * On each CPU one absolute CLOCK_MONOTONIC timer in hard interrupt context
 * expires on the grid t0 + k * period. Series irq: clock in the handler minus
 * planned expiry. Series thread: clock in the woken thread minus the planned
 * expiry of the oldest activation that it has not served yet; were it the
 * newest, a thread held off for many periods would report less than one.
 *
 * The grid is never moved: the next expiry is the last one plus the period,
 * however late the handler ran. Points that passed meanwhile are counted as
 * missed, in each series by itself.
 */
#include <linux/hrtimer.h>
#include <linux/delay.h>

#include "compat/hrtimer.h"
#include "rtk.h"

struct hrt_config {
	u64 period_ns;
	s64 align;
	u64 offset_ns;
	s64 thread;
};

struct hrt_cpu {
	struct hrtimer timer;
	struct rtk_cpu *c;
	struct rtk_lane *irq;
	struct rtk_lane *thread;
	u64 period;
};

/* Series, in the order of struct rtk_cpu.lane. */
enum { HRT_IRQ, HRT_THREAD };

/*
 * Everything that is not an on-time expiry inside the window: warm-up, the
 * end, and expiries so late that later grid points have passed.
 */
static enum hrtimer_restart hrtimer_tick_odd(struct hrt_cpu *h, u64 now,
					     u64 planned)
{
	struct rtk_cpu *c = h->c;
	u64 passed, missed, next;

	if (planned >= c->first && !rtk_in_window(c, planned)) {
		rtk_ended(c);
		return HRTIMER_NORESTART;
	}
	if (rtk_in_window(c, planned))
		rtk_record(h->irq, now - planned, now);

	/* 1 for an expiry on time, 0 for one before its time. */
	passed = hrtimer_forward(&h->timer, ns_to_ktime(now),
				 ns_to_ktime(h->period));
	if (!passed) {
		hrtimer_add_expires_ns(&h->timer, h->period);
		passed = 1;
	}
	next = planned + passed * h->period;
	missed = rtk_grid_points(c, planned + h->period, next);
	WRITE_ONCE(h->irq->next, next);
	if (h->thread)
		rtk_wake(c);
	if (missed && rtk_missed(h->irq, missed, now))
		return HRTIMER_NORESTART;
	return HRTIMER_RESTART;
}

/* Hard interrupt context, interrupts off, on the CPU that was armed. */
static enum hrtimer_restart hrtimer_tick(struct hrtimer *timer)
{
	struct hrt_cpu *h = container_of(timer, struct hrt_cpu, timer);
	u64 now = ktime_get();
	u64 planned = hrtimer_get_expires_ns(timer);
	u64 next = planned + h->period;

	/* As unsigned, so an early expiry goes the long way, too. */
	if (unlikely(now - planned >= h->period ||
		     !rtk_in_window(h->c, planned)))
		return hrtimer_tick_odd(h, now, planned);

	rtk_record(h->irq, now - planned, now);
	/* The thread reads it: on this CPU, so program order is enough. */
	WRITE_ONCE(h->irq->next, next);
	if (h->thread)
		rtk_wake(h->c);
	hrtimer_set_expires(timer, ns_to_ktime(next));
	return HRTIMER_RESTART;
}

/* More than one activation to serve, or none, or not all in the window. */
static void hrtimer_thread_odd(struct hrt_cpu *h, u64 oldest, u64 fired)
{
	u64 now = ktime_get();
	struct rtk_cpu *c = h->c;
	u64 missed;

	if (oldest < c->first)
		oldest = c->first;
	if (oldest >= fired)
		return;
	if (rtk_in_window(c, oldest))
		rtk_record(h->thread, now - oldest, now);
	missed = rtk_grid_points(c, oldest + h->period, fired);
	/* If that ends the window, the timer sees it at its next expiry. */
	if (missed)
		rtk_missed(h->thread, missed, now);
}

static void hrtimer_thread(struct rtk_cpu *c)
{
	struct hrt_cpu *h = c->priv;
	u64 oldest = h->thread->next;
	/*
	 * End of what the timer has fired, read before the clock: an expiry
	 * after this line is served by the next call and not lost in this one.
	 */
	u64 fired = READ_ONCE(h->irq->next);
	u64 now;

	WRITE_ONCE(h->thread->next, fired);
	if (unlikely(fired - oldest != h->period || !rtk_in_window(c, oldest))) {
		hrtimer_thread_odd(h, oldest, fired);
		return;
	}
	now = ktime_get();
	rtk_record(h->thread, now - oldest, now);
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
			t0 += DIV_ROUND_UP_ULL(now + 1 - t0, h->period) * h->period;
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
	u64 end = c->first + c->span;
	int tries = 100;

	/*
	 * An expiry that lies before the end, but whose interrupt has not been
	 * taken yet, gets its chance. One that never comes is missed.
	 */
	while (READ_ONCE(h->irq->next) < end && !READ_ONCE(c->ended) && --tries)
		usleep_range(100, 200);
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
	return 0;
}

static bool hrtimer_has_thread(const void *config)
{
	const struct hrt_config *cfg = config;

	return cfg->thread;
}

static const struct rtk_series hrtimer_series[] = {
	[HRT_IRQ] = {
		.name = "irq", .unit = "ns",
		.flags = RTK_SERIES_HARDIRQ | RTK_SERIES_LEDGER,
	},
	[HRT_THREAD] = {
		.name = "thread", .unit = "ns", .flags = RTK_SERIES_LEDGER,
		.enabled = hrtimer_has_thread,
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
