// SPDX-License-Identifier: GPL-2.0
/*
 * msi_latency: from the write that makes a device raise an interrupt to its handler.
 *
 * On work_cpu a timer on a grid wakes a thread, which takes the time and writes to the
 * device, with interrupts off. On irq_cpu the device's interrupt is handled:
 *
 * Series irq: clock in the hard handler minus clock just before the write.
 * Series thread: clock in the threaded handler minus that (handler=threaded).
 * Series work: clock in the thread on work_cpu, woken by the hard handler, minus that.
 * Series write: clock just after the write minus that.
 * Series irq_adj: irq less offset_ns, and no less than 0.
 *
 * The timer does not write by itself: where both CPUs are the same, the interrupt would
 * have to wait for the rest of the timer's.
 */
#include <linux/slab.h>
#include <linux/timex.h>

#include "msi.h"
#include "task.h"

#define LATENCY_BLOCK_MAX	(10 * NSEC_PER_MSEC)

/* Series, in the order of struct rtk_cpu.lane; and a counter. */
enum { LATENCY_WRITE, LATENCY_WORK, LATENCY_ADJ, LATENCY_IRQ, LATENCY_THREAD };
enum { LATENCY_CLAMPED = RTK_MSI_N_COMMON };

enum { LATENCY_HARD, LATENCY_THREADED };
static const char * const latency_handlers[] = {
	[LATENCY_HARD] = "hard", [LATENCY_THREADED] = "threaded", NULL
};

/**
 * struct latency_config - parameters
 * @msi: those of both tests; the first member
 * @handler: LATENCY_HARD or LATENCY_THREADED
 * @offset_ns: what series irq_adj is less by, 0 for no such series
 * @block_ns: interrupts of work_cpu stay off after the write
 * @block_ticks: the same, in ticks of the CPU's counter
 */
struct latency_config {
	struct rtk_msi_config msi;
	s64 handler;
	u64 offset_ns;
	u64 block_ns;
	u64 block_ticks;
};

/**
 * struct latency - a run
 * @m: device and both sides; the first member
 * @due: grid point for which the timer has woken the thread last
 * @asked: that for which the thread has raised an interrupt last
 * @served: number of the interrupt that the handler has seen last; it wakes the thread,
 * @noted: which has seen this one
 * @ticks: calls of the timer
 * @threaded: there is a threaded handler,
 * @fitted: which has the policy of the run's threads
 */
struct latency {
	struct rtk_msi m;
	u64 due;
	u64 asked;
	u64 served;
	u64 noted;
	u64 ticks;
	bool threaded;
	bool fitted;
};

static struct latency *latency_of(const struct rtk_cpu *c)
{
	const struct latency_config *cfg = c->config;

	return container_of(cfg->msi.m, struct latency, m);
}

static void latency_record(struct rtk_cpu *c, u64 planned, u64 value, u64 now)
{
	const struct latency_config *cfg = c->config;

	if (!rtk_grid_record(c->lane[LATENCY_IRQ], planned, value, now) || !cfg->offset_ns)
		return;
	if (value < cfg->offset_ns)
		rtk_msi_count(c, LATENCY_CLAMPED);
	rtk_record(c->lane[LATENCY_ADJ],
		   value < cfg->offset_ns ? 0 : value - cfg->offset_ns, now);
}

/* Hard interrupt context, on PREEMPT_RT, too. */
static irqreturn_t latency_irq(int irq, void *data)
{
	u64 now = ktime_get();
	struct latency *l = data;
	/* Pairs with rtk_msi_arm(). */
	struct rtk_cpu *c = smp_load_acquire(&l->m.irq);

	if (unlikely(!c)) {
		rtk_nic_note(l->m.nic);
		return IRQ_HANDLED;
	}
	rtk_nic_ack(l->m.nic);
	if (!rtk_msi_take(&l->m, c, now))
		return IRQ_HANDLED;
	if (l->m.counts)
		latency_record(c, l->m.planned, now - l->m.stamp, now);
	/* Pairs with the thread: it finds planned and stamp, which stay until it asks. */
	smp_store_release(&l->served, l->m.number);
	if (!l->threaded)
		rtk_msi_release(&l->m);
	rtk_wake(l->m.work);
	return l->threaded ? IRQ_WAKE_THREAD : IRQ_HANDLED;
}

/*
 * The interrupt's own thread, which follows it to its CPU. It is woken only for an
 * interrupt that the hard handler has taken, and always releases it.
 */
static irqreturn_t latency_irq_thread(int irq, void *data)
{
	u64 now = ktime_get();
	struct latency *l = data;
	struct rtk_cpu *c = l->m.irq_side;

	if (l->m.counts)
		rtk_grid_record(c->lane[LATENCY_THREAD], l->m.planned, now - l->m.stamp, now);
	/* In warm-up, so that what is measured has it. The kernel's choice is another. */
	if (unlikely(!l->fitted)) {
		rtk_task_set_policy(current, c->common);
		l->fitted = true;
	}
	rtk_msi_release(&l->m);
	return IRQ_HANDLED;
}

/* The clock too, for a CPU whose counter does not count. */
static void latency_block(const struct latency_config *cfg, u64 begin)
{
	cycles_t ticks = get_cycles();
	u64 passed;

	if (!cfg->block_ns && !cfg->block_ticks)
		return;
	do {
		cpu_relax();
		passed = ktime_get() - begin;
	} while (passed < LATENCY_BLOCK_MAX &&
		 (passed < cfg->block_ns || get_cycles() - ticks < cfg->block_ticks));
}

/* The write, with nothing between it and its time stamps. */
static void latency_ask(struct rtk_cpu *c, struct latency *l, u64 planned)
{
	bool raised = false;
	unsigned long flags;
	u64 end;

	local_irq_save(flags);
	/* The scheduler moves a thread whose CPU goes offline. */
	if (smp_processor_id() == c->cpu)
		raised = rtk_msi_raise(&l->m, c, planned);
	if (raised) {
		end = ktime_get();
		latency_block(c->config, end);
	}
	local_irq_restore(flags);
	if (raised && l->m.counts)
		rtk_grid_record(c->lane[LATENCY_WRITE], planned, end - l->m.stamp, end);
}

/* Woken by the timer, and by the handler. */
static void latency_thread(struct rtk_cpu *c)
{
	u64 now = ktime_get(), served, due;
	struct latency *l = latency_of(c);

	/* Pairs with the handler; what it saw stays until we ask for the next one. */
	served = smp_load_acquire(&l->served);
	if (served != l->noted) {
		l->noted = served;
		if (l->m.counts)
			rtk_grid_record(c->lane[LATENCY_WORK], l->m.planned,
					now - l->m.stamp, now);
	}
	due = READ_ONCE(l->due);
	if (due == l->asked)
		return;
	latency_ask(c, l, due);
	/* The timer reads it. */
	WRITE_ONCE(l->asked, due);
}

/* Hard interrupt context, on work_cpu. */
static enum hrtimer_restart latency_tick(struct hrtimer *timer)
{
	u64 now = ktime_get(), planned = hrtimer_get_expires_ns(timer), passed = 1;
	struct latency *l = container_of(timer, struct latency, m.timer);
	struct rtk_cpu *c = l->m.work;

	/* The thread first, which has still to ask for the last one. */
	if (rtk_msi_ends(&l->m, c, planned) && READ_ONCE(l->asked) == l->due)
		return rtk_msi_over(&l->m, c);
	if (now > planned)
		passed += div64_u64(now - planned, c->period);
	hrtimer_set_expires(timer, ns_to_ktime(planned + passed * c->period));
	if (planned < READ_ONCE(c->end))
		WRITE_ONCE(l->due, planned);
	rtk_wake(c);
	l->ticks++;
	return (passed > 1 || rtk_guard_due(c, l->ticks)) &&
	       rtk_guard(c->lane[LATENCY_WRITE], now, passed) ? HRTIMER_NORESTART :
								HRTIMER_RESTART;
}

static int latency_arm(struct rtk_cpu *c)
{
	const struct latency_config *cfg = c->config;

	rtk_msi_arm(cfg->msi.m, c, &cfg->msi, latency_tick);
	return 0;
}

static void latency_disarm(struct rtk_cpu *c)
{
	const struct latency_config *cfg = c->config;

	rtk_msi_disarm(cfg->msi.m);
}

static int latency_prepare(void *config, struct cpumask *cpus, struct cpumask *busy,
			   struct rtk_err *err)
{
	struct latency_config *cfg = config;
	struct latency *l = kzalloc(sizeof(*l), GFP_KERNEL);
	struct rtk_nic_request req = {
		.user = "msi_latency",
		.handler = latency_irq,
		.thread_fn = cfg->handler == LATENCY_THREADED ? latency_irq_thread : NULL,
		.data = l,
	};
	int rc;

	if (!l)
		return rtk_fail(err, -ENOMEM, "no memory for a run");
	l->threaded = req.thread_fn;
	rc = rtk_msi_prepare(&cfg->msi, &l->m, &req, err);
	if (rc)
		kfree(l);
	return rc;
}

static void latency_unprepare(void *config)
{
	struct latency_config *cfg = config;
	struct latency *l = container_of(cfg->msi.m, struct latency, m);

	rtk_msi_unprepare(&l->m);
	kfree(l);
}

static bool latency_is_threaded(const void *config)
{
	const struct latency_config *cfg = config;

	return cfg->handler == LATENCY_THREADED;
}

static bool latency_has_offset(const void *config)
{
	const struct latency_config *cfg = config;

	return cfg->offset_ns;
}

static const struct rtk_series latency_series[] = {
	[LATENCY_WRITE] = {
		.name = "write", .unit = "ns",
		.flags = RTK_SERIES_LEDGER | RTK_SERIES_THREAD,
		.on_cpu = rtk_msi_on_work_cpu,
	},
	[LATENCY_WORK] = {
		.name = "work", .unit = "ns",
		.flags = RTK_SERIES_LEDGER | RTK_SERIES_THREAD,
		.on_cpu = rtk_msi_on_work_cpu,
	},
	[LATENCY_ADJ] = {
		.name = "irq_adj", .unit = "ns", .flags = RTK_SERIES_HARDIRQ,
		.enabled = latency_has_offset, .on_cpu = rtk_msi_on_irq_cpu,
	},
	[LATENCY_IRQ] = {
		.name = "irq", .unit = "ns",
		.flags = RTK_SERIES_HARDIRQ | RTK_SERIES_LEDGER,
		.on_cpu = rtk_msi_on_irq_cpu,
	},
	/* By the interrupt's own thread, not by the core's. */
	[LATENCY_THREAD] = {
		.name = "thread", .unit = "ns", .flags = RTK_SERIES_LEDGER,
		.enabled = latency_is_threaded, .on_cpu = rtk_msi_on_irq_cpu,
	},
};

static const struct rtk_counter latency_counters[] = {
	RTK_MSI_COUNTERS,
	[LATENCY_CLAMPED] = { .name = "clamped" },
};

static const struct rtk_param latency_params[] = {
	RTK_MSI_PARAM_DEVICE,
	RTK_MSI_PARAM_BACKEND,
	RTK_MSI_PARAM_IRQ_CPU,
	RTK_MSI_PARAM_WORK_CPU,
	RTK_MSI_PARAM_PERIOD(100),
	RTK_MSI_PARAM_COUNT,
	RTK_MSI_PARAM_RESET,
	{
		.name = "handler", .type = RTK_PARAM_TYPE_ENUM, .def = "threaded",
		.choices = latency_handlers,
		.help = "hard: series irq alone; threaded: the hard handler wakes a thread, series irq and thread",
		RTK_FIELD(struct latency_config, handler),
	}, {
		.name = "offset_ns", .type = RTK_PARAM_TYPE_U64, .unit = "ns",
		.min = 0, .max = NSEC_PER_SEC, .def = "0",
		.help = "not 0: series irq_adj, which is irq less this, and no less than 0",
		RTK_FIELD(struct latency_config, offset_ns),
	}, {
		.name = "block_ns", .type = RTK_PARAM_TYPE_U64, .unit = "ns",
		.min = 0, .max = LATENCY_BLOCK_MAX, .def = "0",
		.help = "time for which work_cpu keeps interrupts off after the write",
		RTK_FIELD(struct latency_config, block_ns),
	}, {
		.name = "block_ticks", .type = RTK_PARAM_TYPE_U64,
		.min = 0, .max = U32_MAX, .def = "0",
		.help = "the same in ticks of the CPU's counter; no longer than 10 ms",
		RTK_FIELD(struct latency_config, block_ticks),
	},
};

const struct rtk_test rtk_test_msi_latency = {
	.name = "msi_latency",
	.summary = "interrupt latency: from a write to a device to the handler of its interrupt",
	.owner = THIS_MODULE,
	.params = latency_params,
	.n_params = ARRAY_SIZE(latency_params),
	.config_size = sizeof(struct latency_config),
	.series = latency_series,
	.n_series = ARRAY_SIZE(latency_series),
	.counters = latency_counters,
	.n_counters = ARRAY_SIZE(latency_counters),
	.check = rtk_msi_check,
	.choose = rtk_msi_choose,
	.prepare = latency_prepare,
	.unprepare = latency_unprepare,
	.watch = rtk_msi_watch,
	.arm = latency_arm,
	.disarm = latency_disarm,
	.thread = latency_thread,
};
