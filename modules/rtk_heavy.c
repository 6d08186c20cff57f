// SPDX-License-Identifier: GPL-2.0
/*
 * rtk_heavy: a test whose handler takes as long as it is told to, to hold the
 * overload guard against. For test machines: it stops CPUs on request.
 *
 * Series irq is the lateness of a timer on a grid. After each sample, or the
 * first few, the handler spins.
 */
#define pr_fmt(fmt) "rtk_heavy: " fmt

#include <linux/hrtimer.h>
#include <linux/module.h>

#include "compat/hrtimer.h"
#include "rtk.h"
#include "rtk_inject.h"

struct heavy_config {
	u64 period_ns;
	u64 spin_ns;
	u64 spins;
};

struct heavy_cpu {
	struct hrtimer timer;
	struct rtk_cpu *c;
	u64 spun;
};

static void heavy_spin(struct heavy_cpu *h, u64 begin)
{
	const struct heavy_config *config = h->c->config;

	if (config->spins && h->spun >= config->spins)
		return;
	h->spun++;
	while (ktime_get() - begin < config->spin_ns)
		cpu_relax();
}

static enum hrtimer_restart heavy_tick(struct hrtimer *timer)
{
	struct heavy_cpu *h = container_of(timer, struct heavy_cpu, timer);
	u64 planned = hrtimer_get_expires_ns(timer), now = ktime_get();
	struct rtk_cpu *c = h->c;
	struct rtk_lane *lane = c->lane[0];
	u64 passed;

	if (planned >= READ_ONCE(c->end)) {
		rtk_ended(c);
		return HRTIMER_NORESTART;
	}
	passed = rtk_grid_serve(lane, planned, now);
	hrtimer_set_expires(timer, ns_to_ktime(lane->next));
	heavy_spin(h, now);
	return rtk_grid_guard(lane, now, passed) ? HRTIMER_NORESTART : HRTIMER_RESTART;
}

static int heavy_check(const struct rtk_common *common, const void *config,
		       struct rtk_err *err)
{
	int rc = rtk_inject_locked_down();

	return rc ? rtk_fail(err, rc, "the kernel is locked down") : 0;
}

static int heavy_arm(struct rtk_cpu *c)
{
	const struct heavy_config *config = c->config;
	struct heavy_cpu *h = c->priv;
	u64 t0 = ktime_get() + config->period_ns;

	h->c = c;
	rtk_grid_start(c, t0, config->period_ns);
	hrtimer_setup(&h->timer, heavy_tick, CLOCK_MONOTONIC, HRTIMER_MODE_ABS_PINNED_HARD);
	hrtimer_start(&h->timer, ns_to_ktime(t0), HRTIMER_MODE_ABS_PINNED_HARD);
	return 0;
}

static void heavy_disarm(struct rtk_cpu *c)
{
	struct heavy_cpu *h = c->priv;

	hrtimer_cancel(&h->timer);
}

static const struct rtk_series heavy_series[] = {
	{
		.name = "irq", .unit = "ns",
		.flags = RTK_SERIES_HARDIRQ | RTK_SERIES_LEDGER,
	},
};

static const struct rtk_param heavy_params[] = {
	{
		.name = "period_ns", .type = RTK_PARAM_TYPE_U64, .unit = "ns",
		.min = 10000, .max = NSEC_PER_SEC, .def = "1000000",
		.help = "distance of two activations",
		RTK_FIELD(struct heavy_config, period_ns),
	}, {
		.name = "spin_ns", .type = RTK_PARAM_TYPE_U64, .unit = "ns",
		.min = 0, .max = 3 * NSEC_PER_SEC, .def = "0",
		.help = "time that the handler takes",
		RTK_FIELD(struct heavy_config, spin_ns),
	}, {
		.name = "spins", .type = RTK_PARAM_TYPE_U64,
		.min = 0, .max = 1000000, .def = "0",
		.help = "how many calls of it do, 0 for all",
		RTK_FIELD(struct heavy_config, spins),
	},
};

static const struct rtk_test heavy_test = {
	.name = "heavy",
	.summary = "a timer whose handler takes long",
	.owner = THIS_MODULE,
	.params = heavy_params,
	.n_params = ARRAY_SIZE(heavy_params),
	.config_size = sizeof(struct heavy_config),
	.cpu_size = sizeof(struct heavy_cpu),
	.series = heavy_series,
	.n_series = ARRAY_SIZE(heavy_series),
	.check = heavy_check,
	.arm = heavy_arm,
	.disarm = heavy_disarm,
};

static bool i_know;
module_param(i_know, bool, 0);
MODULE_PARM_DESC(i_know, "1: I know that this stops CPUs on request");

static int __init rtk_heavy_init(void)
{
	return rtk_inject_permit(i_know) ?: rtk_test_register(&heavy_test);
}

static void __exit rtk_heavy_exit(void)
{
	rtk_test_unregister(&heavy_test);
}

module_init(rtk_heavy_init);
module_exit(rtk_heavy_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("A test with a handler that takes long, for rtk's self-tests");
MODULE_AUTHOR("the rtk developers");
