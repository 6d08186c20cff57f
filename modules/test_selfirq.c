// SPDX-License-Identifier: GPL-2.0
/*
 * selfirq: interrupt latency, to the first instruction of a handler of ours.
 *
 * Series timer: a timer on a grid t0 + k * period, as in hrtimer; clock in the
 * handler minus planned expiry.
 *
 * Series ipi: an interrupt that another CPU sends; clock in the handler minus clock
 * of the other CPU just before it sends. The handler of the timer wakes a thread,
 * the thread asks the other CPU, that one sends, and the thread waits for it without
 * sleeping. For an idle CPU may poll, and is then told of the call by a flag in its
 * memory: its handler is called, but without any interrupt. So a CPU is interrupted
 * that is busy. Handlers that were called in the other way are counted apart.
 */
#include <linux/hrtimer.h>
#include <linux/preempt.h>
#include <linux/smp.h>

#include "compat/hrtimer.h"
#include "rtk.h"

/* The thread waits no longer, and never for more than half of a period. */
#define SELFIRQ_WAIT	NSEC_PER_MSEC
/* What sending one takes at most, ns; in a virtual machine it is costly. */
#define SELFIRQ_SEND	10000ULL
/* No more interrupts are asked for. */
#define SELFIRQ_CLOSED	U64_MAX

/* Series, in the order of struct rtk_cpu.lane, and counters. */
enum { SELFIRQ_TIMER, SELFIRQ_IPI };
enum { SELFIRQ_BUSY, SELFIRQ_OFFLINE, SELFIRQ_POLLED };

/**
 * struct selfirq_config - parameters, and what follows from them
 * @period_ns: distance of two activations
 * @ipi: series ipi is recorded; decided by prepare()
 * @from_cpu: who sends, -1 for any
 * @senders: those that may
 */
struct selfirq_config {
	u64 period_ns;
	s64 ipi;
	s64 from_cpu;
	struct cpumask senders;
};

/**
 * struct selfirq_cpu - a CPU's part of a run
 * @timer: series timer
 * @c: the core's view
 * @from: CPU that sends to this one
 * @asked: activation for which the thread has asked last, ns
 * @planned: activation whose interrupt is on its way, 0 for none, SELFIRQ_CLOSED.
 *	Taken by the thread, given back by the handler: who has it owns the rest
 * @stamp: when it was sent, ns
 * @ask: takes it to the sender,
 * @ipi: and back
 */
struct selfirq_cpu {
	struct hrtimer timer;
	struct rtk_cpu *c;
	int from;
	u64 asked;
	u64 planned;
	u64 stamp;
	call_single_data_t ask;
	call_single_data_t ipi;
};

/* Each counter has one writer; what is in warm-up is in no number. */
static void selfirq_count(struct rtk_cpu *c, unsigned int counter, u64 planned)
{
	if (rtk_in_window(c, planned))
		WRITE_ONCE(c->counter[counter], c->counter[counter] + 1);
}

/* The last touch: then the next one may begin, or the run may end. */
static void selfirq_release(struct selfirq_cpu *s)
{
	/* Pairs with the cmpxchg() of both: what was done with it is over. */
	smp_store_release(&s->planned, 0);
}

/* On the measured CPU, interrupts off; without an interrupt, if it was polling. */
static void selfirq_ipi(void *data)
{
	u64 now = ktime_get();
	struct selfirq_cpu *s = data;
	struct rtk_cpu *c = s->c;
	struct rtk_lane *lane = c->lane[SELFIRQ_IPI];
	u64 planned = s->planned;

	if (!in_hardirq())
		selfirq_count(c, SELFIRQ_POLLED, planned);
	else if (rtk_in_window(c, planned))
		rtk_grid_record(lane, planned, now - s->stamp, now);
	selfirq_release(s);
}

/* On the sending CPU, interrupts off. */
static void selfirq_send(void *data)
{
	struct selfirq_cpu *s = data;
	/* Before the stamp: the other CPU keeps writing next to it. */
	int cpu = s->c->cpu;

	s->stamp = ktime_get();
	/* Fails if the other one has just gone; its part of the run is over then. */
	if (smp_call_function_single_async(cpu, &s->ipi))
		selfirq_release(s);
}

/* Asks for the interrupt of an activation; 0 if it is on its way. */
static int selfirq_ask(struct selfirq_cpu *s, u64 planned)
{
	unsigned long flags;
	u64 under_way;
	int rc = -EBUSY;

	/* Nobody takes the CPU in between: disarm() waits for whom has begun. */
	local_irq_save(flags);
	under_way = cmpxchg(&s->planned, 0, planned);
	if (!under_way) {
		rc = smp_call_function_single_async(s->from, &s->ask);
		if (rc)
			selfirq_release(s);
	}
	local_irq_restore(flags);
	if (rc && under_way != SELFIRQ_CLOSED)
		selfirq_count(s->c, rc == -EBUSY ? SELFIRQ_BUSY : SELFIRQ_OFFLINE, planned);
	return rc;
}

/* Serves the latest activation; what it has no time for is missed. */
static void selfirq_thread(struct rtk_cpu *c)
{
	struct selfirq_cpu *s = c->priv;
	u64 planned = READ_ONCE(c->lane[SELFIRQ_TIMER]->next) - c->period;
	u64 until = ktime_get() + min_t(u64, c->period / 2, SELFIRQ_WAIT);

	/*
	 * Woken once more for what it had already seen, or by an expiry so late that
	 * the end has passed meanwhile.
	 */
	if (planned == s->asked || planned >= READ_ONCE(c->end))
		return;
	s->asked = planned;
	if (selfirq_ask(s, planned))
		return;
	while (READ_ONCE(s->planned) == planned && ktime_get() < until)
		cpu_relax();
}

/* Hard interrupt context, on the CPU that was armed. */
static enum hrtimer_restart selfirq_tick(struct hrtimer *timer)
{
	u64 now = ktime_get(), planned = hrtimer_get_expires_ns(timer), passed;
	struct selfirq_cpu *s = container_of(timer, struct selfirq_cpu, timer);
	struct rtk_lane *lane = s->c->lane[SELFIRQ_TIMER];

	if (planned >= s->c->end) {
		rtk_ended(s->c);
		return HRTIMER_NORESTART;
	}
	passed = rtk_grid_serve(lane, planned, now);
	hrtimer_set_expires(timer, ns_to_ktime(lane->next));
	rtk_wake(s->c);
	return rtk_grid_guard(lane, now, passed) ? HRTIMER_NORESTART : HRTIMER_RESTART;
}

/* Who sends to a CPU: they share it out, and nobody sends to itself. */
static int selfirq_sender(const struct cpumask *senders, int cpu, unsigned int index)
{
	unsigned int skip = index % cpumask_weight(senders);
	int from = cpumask_first(senders);

	while (skip--)
		from = cpumask_next(from, senders);
	if (from == cpu)
		from = cpumask_next(from, senders);
	return from < nr_cpu_ids ? from : cpumask_first(senders);
}

static int selfirq_arm(struct rtk_cpu *c)
{
	const struct selfirq_config *cfg = c->config;
	struct selfirq_cpu *s = c->priv;
	u64 t0 = ktime_get() + cfg->period_ns;

	s->c = c;
	if (c->lane[SELFIRQ_IPI])
		s->from = selfirq_sender(&cfg->senders, c->cpu, c->index);
	INIT_CSD(&s->ask, selfirq_send, s);
	INIT_CSD(&s->ipi, selfirq_ipi, s);
	rtk_grid_start(c, t0, cfg->period_ns);
	hrtimer_setup(&s->timer, selfirq_tick, CLOCK_MONOTONIC, HRTIMER_MODE_ABS_PINNED_HARD);
	hrtimer_start(&s->timer, ns_to_ktime(t0), HRTIMER_MODE_ABS_PINNED_HARD);
	return 0;
}

static void selfirq_disarm(struct rtk_cpu *c)
{
	struct selfirq_cpu *s = c->priv;

	rtk_grid_drain(c->lane[SELFIRQ_TIMER]);
	hrtimer_cancel(&s->timer);
	if (!c->lane[SELFIRQ_IPI])
		return;
	rtk_grid_drain(c->lane[SELFIRQ_IPI]);
	/*
	 * The thread goes on until it is joined, and asks no more. What is on its way
	 * comes back as soon as two CPUs have let an interrupt in: no task can hold
	 * that up, and a CPU that goes offline takes what it was sent before.
	 */
	while (cmpxchg(&s->planned, 0, SELFIRQ_CLOSED))
		usleep_range(100, 200);
}

static int selfirq_check_from(int from, const struct cpumask *cpus, struct rtk_err *err)
{
	if (from >= nr_cpu_ids || !cpu_online(from))
		return rtk_fail(err, -ENODEV, "from_cpu=%d: there is no such CPU online", from);
	if (cpumask_test_cpu(from, cpus))
		return rtk_fail(err, -EINVAL,
				"from_cpu=%d: it is measured itself, and must be another one; choose that, take it out of cpus=%*pbl, or set ipi=0",
				from, cpumask_pr_args(cpus));
	return 0;
}

/* A CPU that sends all the time does so before anything else of it. */
static int selfirq_check_load(const struct selfirq_config *cfg, const struct cpumask *cpus,
			      struct rtk_err *err)
{
	u64 most = DIV_ROUND_UP(cpumask_weight(cpus), cpumask_weight(&cfg->senders));

	most += cpumask_intersects(cpus, &cfg->senders);
	if (cfg->period_ns >= most * SELFIRQ_SEND)
		return 0;
	return rtk_fail(err, -EINVAL,
			"period_ns=%llu: a CPU would send to %llu others, which takes at least %llu; fewer cpus=, or ipi=0",
			cfg->period_ns, most, most * SELFIRQ_SEND);
}

static int selfirq_prepare(void *config, struct cpumask *cpus, struct cpumask *busy,
			   struct rtk_err *err)
{
	struct selfirq_config *cfg = config;
	unsigned int index = 0;
	int rc = 0, cpu;

	/* On a machine with one CPU there is no other that could send. */
	if (num_online_cpus() == 1 && cfg->from_cpu < 0)
		cfg->ipi = 0;
	if (!cfg->ipi)
		return 0;
	if (cfg->from_cpu >= 0) {
		rc = selfirq_check_from(cfg->from_cpu, cpus, err);
		if (rc)
			return rc;
		cpumask_set_cpu(cfg->from_cpu, &cfg->senders);
	} else if (!cpumask_andnot(&cfg->senders, cpu_online_mask, cpus)) {
		cpumask_copy(&cfg->senders, cpu_online_mask);
	}
	for_each_cpu(cpu, cpus)
		cpumask_set_cpu(selfirq_sender(&cfg->senders, cpu, index++), busy);
	return selfirq_check_load(cfg, cpus, err);
}

static bool selfirq_has_ipi(const void *config)
{
	const struct selfirq_config *cfg = config;

	return cfg->ipi;
}

static const struct rtk_series selfirq_series[] = {
	[SELFIRQ_TIMER] = {
		.name = "timer", .unit = "ns",
		.flags = RTK_SERIES_HARDIRQ | RTK_SERIES_LEDGER,
	},
	[SELFIRQ_IPI] = {
		.name = "ipi", .unit = "ns",
		.flags = RTK_SERIES_HARDIRQ | RTK_SERIES_LEDGER | RTK_SERIES_THREAD,
		.enabled = selfirq_has_ipi,
	},
};

/* Why an activation has no interrupt from another CPU. */
static const struct rtk_counter selfirq_counters[] = {
	[SELFIRQ_BUSY] = { .name = "ipi_busy" },
	[SELFIRQ_OFFLINE] = { .name = "ipi_offline" },
	[SELFIRQ_POLLED] = { .name = "ipi_polled" },
};

static const struct rtk_param selfirq_params[] = {
	{
		.name = "period_ns", .type = RTK_PARAM_TYPE_U64, .unit = "ns",
		.min = 50000, .max = NSEC_PER_SEC, .def = "1000000",
		.help = "distance of two activations",
		RTK_FIELD(struct selfirq_config, period_ns),
	}, {
		.name = "ipi", .type = RTK_PARAM_TYPE_BOOL, .def = "1",
		.help = "record series ipi, where there is another CPU that can send",
		RTK_FIELD(struct selfirq_config, ipi),
	}, {
		.name = "from_cpu", .type = RTK_PARAM_TYPE_S64,
		.min = -1, .max = NR_CPUS - 1, .def = "-1",
		.help = "CPU that sends them; -1: those that are not measured share it, or else all do",
		RTK_FIELD(struct selfirq_config, from_cpu),
	},
};

const struct rtk_test rtk_test_selfirq = {
	.name = "selfirq",
	.summary = "interrupt latency: from a timer, and from another CPU, to the handler",
	.owner = THIS_MODULE,
	.params = selfirq_params,
	.n_params = ARRAY_SIZE(selfirq_params),
	.config_size = sizeof(struct selfirq_config),
	.cpu_size = sizeof(struct selfirq_cpu),
	.series = selfirq_series,
	.n_series = ARRAY_SIZE(selfirq_series),
	.counters = selfirq_counters,
	.n_counters = ARRAY_SIZE(selfirq_counters),
	.prepare = selfirq_prepare,
	.arm = selfirq_arm,
	.disarm = selfirq_disarm,
	.thread = selfirq_thread,
};
