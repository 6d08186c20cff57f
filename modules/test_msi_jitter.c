// SPDX-License-Identifier: GPL-2.0
/*
 * msi_jitter: how evenly cyclic interrupts of a device are handled.
 *
 * t(n) is the clock in the hard handler of interrupt n, cycle the distance asked for.
 *
 * Series period: t(n) - t(n-1) - cycle. Series period_abs: its absolute value. One
 * interrupt that is late counts twice in these. Distances above 1.5 cycles are in
 * neither; they are counted (long_cycles).
 * Series phase: deviation of t(n) from a grid, where it counts once.
 *
 * source=hrtimer: a timer on work_cpu lets the device raise them, on a grid of
 * CLOCK_MONOTONIC, from which phase is taken. Series trigger_lateness: how late the
 * timer itself was, which is part of all the others.
 *
 * source=device: the device raises them in a cycle of its own. It has a crystal of its
 * own, too, so the grid's place and rate are fitted to the interrupts of a window, and
 * phase is the deviation of those of the next window from that line. The line goes
 * through the means of the window's two halves (Wald's method).
 */
#include <linux/math64.h>
#include <linux/slab.h>

#include "msi.h"

/* A line through fewer cycles says nothing. */
#define JITTER_MIN_CYCLES	10
/* Fixed point of the fit: 1/16 ns. */
#define JITTER_SCALE		16

/* Series, in the order of struct rtk_cpu.lane, and counters. */
enum { JITTER_LATENESS, JITTER_PERIOD, JITTER_PHASE, JITTER_ABS };
enum { JITTER_LONG = RTK_MSI_N_COMMON, JITTER_FAST, JITTER_SLOW };

enum { JITTER_HRTIMER, JITTER_DEVICE };
static const char * const jitter_sources[] = {
	[JITTER_HRTIMER] = "hrtimer", [JITTER_DEVICE] = "device", NULL
};

/**
 * struct jitter_config - parameters
 * @msi: those of both tests; the first member
 * @source: JITTER_HRTIMER or JITTER_DEVICE; prepare() falls back to the first
 * @window_ms: window of the fit
 */
struct jitter_config {
	struct rtk_msi_config msi;
	s64 source;
	u64 window_ms;
};

/**
 * struct jitter_half - sums over half a window
 * @n: interrupts
 * @x: of their deviations from the cycle that was asked for, ns
 * @k: of their numbers
 */
struct jitter_half {
	s64 n;
	s64 x;
	s64 k;
};

/**
 * struct jitter_fit - the device's grid
 * @cycles: length of the window in progress
 * @origin: its first interrupt, ns
 * @k: cycles since
 * @half: its sums
 * @dk: cycles between the means that the line goes through; 0 without a line
 * @dx: by how much the second is off more than the first, 1/JITTER_SCALE ns
 * @x0: the first mean, 1/JITTER_SCALE ns
 * @k0: its place
 * @line_origin: @origin of the line's window, ns
 * @line_k: cycles since
 */
struct jitter_fit {
	u64 cycles;
	u64 origin;
	u64 k;
	struct jitter_half half[2];
	s64 dk;
	s64 dx;
	s64 x0;
	s64 k0;
	u64 line_origin;
	s64 line_k;
};

/**
 * struct jitter - a run
 * @m: device and both sides; the first member
 * @prev: stamp of the latest interrupt, 0 before the first; the handler's
 * @cycle: distance asked for, ns
 * @window: cycles of a full window
 * @device: it is the device that sets the pace
 * @fit: its grid; the handler's
 */
struct jitter {
	struct rtk_msi m;
	u64 prev;
	u64 cycle;
	u64 window;
	bool device;
	struct jitter_fit fit;
};

static struct jitter *jitter_of(const struct rtk_cpu *c)
{
	const struct jitter_config *cfg = c->config;

	return container_of(cfg->msi.m, struct jitter, m);
}

static void jitter_record_period(struct jitter *j, struct rtk_cpu *c, u64 delta, u64 now)
{
	s64 off = delta - j->cycle;

	if (2 * delta > 3 * j->cycle) {
		rtk_msi_count(c, JITTER_LONG);
		return;
	}
	rtk_record(c->lane[JITTER_PERIOD], off, now);
	rtk_record(c->lane[JITTER_ABS], abs(off), now);
}

/* source=hrtimer: the grid is the timer's. */
static void jitter_on_grid(struct jitter *j, struct rtk_cpu *c, u64 now)
{
	if (j->m.counts &&
	    rtk_grid_record(c->lane[JITTER_PHASE], j->m.planned, now - j->m.planned, now) &&
	    j->prev)
		jitter_record_period(j, c, now - j->prev, now);
	j->prev = j->m.sure ? now : 0;
}

static void jitter_fit_begin(struct jitter_fit *f, u64 now, u64 cycles)
{
	f->origin = now;
	f->k = 0;
	f->cycles = cycles;
	memset(f->half, 0, sizeof(f->half));
}

/* The line through the window that is over, and how far the device's clock is off. */
static void jitter_fit_line(struct jitter *j, struct rtk_cpu *c)
{
	struct jitter_fit *f = &j->fit;
	s64 x[2], k[2], ppb;
	int i;

	for (i = 0; i < 2; i++) {
		if (!f->half[i].n)
			return;
		x[i] = div64_s64(f->half[i].x * JITTER_SCALE, f->half[i].n);
		k[i] = div64_s64(f->half[i].k, f->half[i].n);
	}
	if (k[0] == k[1])
		return;
	f->dk = k[1] - k[0];
	f->dx = x[1] - x[0];
	f->x0 = x[0];
	f->k0 = k[0];
	f->line_origin = f->origin;
	f->line_k = f->k;
	/* ns in a cycle, first in millionths. Cycles that are longer: it is slow. */
	ppb = div64_s64(div64_s64(f->dx * USEC_PER_SEC, JITTER_SCALE * f->dk) * MSEC_PER_SEC,
			j->cycle);
	WRITE_ONCE(c->counter[JITTER_FAST], ppb < 0 ? -ppb : 0);
	WRITE_ONCE(c->counter[JITTER_SLOW], ppb > 0 ? ppb : 0);
}

/* How far this one is off the line of the window before. */
static s64 jitter_fit_phase(const struct jitter *j, u64 now)
{
	const struct jitter_fit *f = &j->fit;
	s64 x = now - f->line_origin - f->line_k * j->cycle;

	return x - div64_s64(f->x0 + div64_s64(f->dx * (f->line_k - f->k0), f->dk),
			     JITTER_SCALE);
}

/* Adds an interrupt that came @steps cycles after the one before. */
static void jitter_fit_add(struct jitter *j, struct rtk_cpu *c, u64 now, u64 steps)
{
	struct jitter_fit *f = &j->fit;
	struct jitter_half *half;

	f->k += steps;
	f->line_k += steps;
	half = &f->half[2 * f->k >= f->cycles];
	half->n++;
	half->k += f->k;
	half->x += (s64)(now - f->origin - f->k * j->cycle);
	if (f->k < f->cycles)
		return;
	jitter_fit_line(j, c);
	jitter_fit_begin(f, now, j->window);
}

static void jitter_end(struct jitter *j, struct rtk_cpu *c)
{
	rtk_nic_timer_stop(j->m.nic);
	rtk_ended(c);
}

/* source=device */
static void jitter_by_device(struct jitter *j, struct rtk_cpu *c, u64 now)
{
	u64 delta = now - j->prev, steps = div64_u64(delta + j->cycle / 2, j->cycle);

	/* For who watches whether anything comes. */
	WRITE_ONCE(j->m.stamp, now);
	if (now >= READ_ONCE(c->end)) {
		jitter_end(j, c);
		return;
	}
	rtk_nic_timer_next(j->m.nic);
	if (!j->prev) {
		j->prev = now;
		jitter_fit_begin(&j->fit, now, max(j->window / 10, JITTER_MIN_CYCLES));
		return;
	}
	if (!steps) {
		if (rtk_in_window(c, now))
			rtk_msi_count(c, RTK_MSI_N_SPURIOUS);
		return;
	}
	j->prev = now;
	jitter_fit_add(j, c, now, steps);
	if (!rtk_in_window(c, now))
		return;
	jitter_record_period(j, c, delta, now);
	if (j->fit.dk)
		rtk_record(c->lane[JITTER_PHASE], jitter_fit_phase(j, now), now);
	if (++j->m.sent == j->m.count) {
		WRITE_ONCE(c->end, now + 1);
		jitter_end(j, c);
	}
}

/* Hard interrupt context, on PREEMPT_RT, too. */
static irqreturn_t jitter_irq(int irq, void *data)
{
	u64 now = ktime_get();
	struct jitter *j = data;
	/* Pairs with who arms. */
	struct rtk_cpu *c = smp_load_acquire(&j->m.irq);

	if (unlikely(!c)) {
		rtk_nic_note(j->m.nic);
	} else if (j->device) {
		jitter_by_device(j, c, now);
	} else {
		rtk_nic_ack(j->m.nic);
		if (!rtk_msi_take(&j->m, c, now))
			return IRQ_HANDLED;
		jitter_on_grid(j, c, now);
		rtk_msi_release(&j->m);
	}
	return IRQ_HANDLED;
}

/* Hard interrupt context, on work_cpu. */
static enum hrtimer_restart jitter_tick(struct hrtimer *timer)
{
	u64 now = ktime_get(), planned = hrtimer_get_expires_ns(timer), passed;
	struct jitter *j = container_of(timer, struct jitter, m.timer);
	struct rtk_cpu *c = j->m.work;
	struct rtk_lane *lane = c->lane[JITTER_LATENESS];

	if (rtk_msi_ends(&j->m, c, planned))
		return rtk_msi_over(&j->m, c);
	if (rtk_msi_raise(&j->m, c, planned))
		now = j->m.stamp;
	passed = rtk_grid_serve(lane, planned, now);
	hrtimer_set_expires(timer, ns_to_ktime(lane->next));
	return rtk_grid_guard(lane, now, passed) ? HRTIMER_NORESTART : HRTIMER_RESTART;
}

static int jitter_arm(struct rtk_cpu *c)
{
	const struct jitter_config *cfg = c->config;
	struct jitter *j = jitter_of(c);

	if (!j->device) {
		rtk_msi_arm(&j->m, c, &cfg->msi, jitter_tick);
		return 0;
	}
	/* No grid of the system's clock: the window is what was asked for. */
	c->first = c->measure_from;
	c->end = c->deadline;
	j->m.stamp = ktime_get();
	j->m.irq_side = c;
	/* Pairs with the handler. */
	smp_store_release(&j->m.irq, c);
	rtk_nic_timer_start(j->m.nic, j->cycle);
	return 0;
}

static void jitter_disarm(struct rtk_cpu *c)
{
	struct jitter *j = jitter_of(c);

	if (j->device)
		rtk_nic_timer_stop(j->m.nic);
	rtk_msi_disarm(&j->m);
}

/* Who sets the pace: the device if it can, else a timer. */
static void jitter_choose_source(struct jitter *j, struct jitter_config *cfg,
				 struct cpumask *cpus)
{
	if (cfg->source == JITTER_DEVICE && !rtk_nic_timer_find(j->m.nic, j->cycle))
		cfg->source = JITTER_HRTIMER;
	j->device = cfg->source == JITTER_DEVICE;
	if (!j->device)
		return;
	cfg->msi.work_cpu = cfg->msi.irq_cpu;
	cpumask_copy(cpus, cpumask_of(cfg->msi.irq_cpu));
}

static int jitter_prepare(void *config, struct cpumask *cpus, struct cpumask *busy,
			  struct rtk_err *err)
{
	struct jitter_config *cfg = config;
	struct jitter *j = kzalloc(sizeof(*j), GFP_KERNEL);
	struct rtk_nic_request req = {
		.user = "msi_jitter", .handler = jitter_irq, .data = j,
	};
	int rc;

	if (!j)
		return rtk_fail(err, -ENOMEM, "no memory for a run");
	j->cycle = cfg->msi.period_us * NSEC_PER_USEC;
	j->window = max(div64_u64(cfg->window_ms * NSEC_PER_MSEC, j->cycle),
			JITTER_MIN_CYCLES);
	rc = rtk_msi_prepare(&cfg->msi, &j->m, &req, err);
	if (rc)
		kfree(j);
	else
		jitter_choose_source(j, cfg, cpus);
	return rc;
}

static void jitter_unprepare(void *config)
{
	struct jitter_config *cfg = config;
	struct jitter *j = container_of(cfg->msi.m, struct jitter, m);

	rtk_msi_unprepare(&j->m);
	kfree(j);
}

/* A device that sets the pace and has stopped to would never end the run. */
static const char *jitter_watch(const void *config, struct rtk_err *err)
{
	const struct jitter_config *cfg = config;
	struct jitter *j = container_of(cfg->msi.m, struct jitter, m);
	const char *reason = rtk_msi_watch(config, err);
	u64 limit = max(10 * j->cycle, RTK_MSI_LOST);
	u64 stamp = READ_ONCE(j->m.stamp), now = ktime_get();

	if (reason || !j->device || now <= stamp + limit)
		return reason;
	if (!rtk_nic_alive(j->m.nic)) {
		rtk_fail(err, 0, "%s does not answer any more: removed, or without power",
			 cfg->msi.device);
		return "device-gone";
	}
	rtk_fail(err, 0, "%s has raised no interrupt for %llu ms; try source=hrtimer",
		 cfg->msi.device, div_u64(now - stamp, NSEC_PER_MSEC));
	return "device-silent";
}

static bool jitter_by_timer(const void *config)
{
	const struct jitter_config *cfg = config;

	return cfg->source == JITTER_HRTIMER;
}

static const struct rtk_series jitter_series[] = {
	[JITTER_LATENESS] = {
		.name = "trigger_lateness", .unit = "ns",
		.flags = RTK_SERIES_HARDIRQ | RTK_SERIES_LEDGER,
		.enabled = jitter_by_timer, .on_cpu = rtk_msi_on_work_cpu,
	},
	[JITTER_PERIOD] = {
		.name = "period", .unit = "ns",
		.flags = RTK_SERIES_HARDIRQ | RTK_SERIES_SIGNED,
		.on_cpu = rtk_msi_on_irq_cpu,
	},
	[JITTER_PHASE] = {
		.name = "phase", .unit = "ns",
		.flags = RTK_SERIES_HARDIRQ | RTK_SERIES_SIGNED | RTK_SERIES_LEDGER,
		.on_cpu = rtk_msi_on_irq_cpu,
	},
	[JITTER_ABS] = {
		.name = "period_abs", .unit = "ns", .flags = RTK_SERIES_HARDIRQ,
		.on_cpu = rtk_msi_on_irq_cpu,
	},
};

static const struct rtk_counter jitter_counters[] = {
	RTK_MSI_COUNTERS,
	[JITTER_LONG] = { .name = "long_cycles" },
	[JITTER_FAST] = { .name = "device_fast_ppb", .unit = "ppb" },
	[JITTER_SLOW] = { .name = "device_slow_ppb", .unit = "ppb" },
};

static const struct rtk_param jitter_params[] = {
	RTK_MSI_PARAM_DEVICE,
	RTK_MSI_PARAM_BACKEND,
	RTK_MSI_PARAM_IRQ_CPU,
	RTK_MSI_PARAM_WORK_CPU,
	RTK_MSI_PARAM_PERIOD(50),
	RTK_MSI_PARAM_COUNT,
	RTK_MSI_PARAM_RESET,
	{
		.name = "source", .type = RTK_PARAM_TYPE_ENUM, .def = "hrtimer",
		.choices = jitter_sources,
		.help = "who sets the pace; device: where it has a source for this period, else the timer does",
		RTK_FIELD(struct jitter_config, source),
	}, {
		.name = "window_ms", .type = RTK_PARAM_TYPE_U64, .unit = "ms",
		.min = 100, .max = 60000, .def = "10000",
		.help = "source=device: window to which the device's grid is fitted",
		RTK_FIELD(struct jitter_config, window_ms),
	},
};

const struct rtk_test rtk_test_msi_jitter = {
	.name = "msi_jitter",
	.summary = "evenness of cyclic interrupts of a device",
	.owner = THIS_MODULE,
	.params = jitter_params,
	.n_params = ARRAY_SIZE(jitter_params),
	.config_size = sizeof(struct jitter_config),
	.series = jitter_series,
	.n_series = ARRAY_SIZE(jitter_series),
	.counters = jitter_counters,
	.n_counters = ARRAY_SIZE(jitter_counters),
	.check = rtk_msi_check,
	.choose = rtk_msi_choose,
	.prepare = jitter_prepare,
	.unprepare = jitter_unprepare,
	.watch = jitter_watch,
	.arm = jitter_arm,
	.disarm = jitter_disarm,
};
