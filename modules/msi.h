/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the tests of message-signalled interrupts share: one interrupt at a time,
 * each matched to what raised it.
 *
 * The trigger side is one context on the CPU work_cpu, the handler one on the CPU
 * irq_cpu. They hand over by struct rtk_msi.state: who takes it from one value to
 * the next owns the rest until then, and nobody waits for anybody.
 *
 *	FREE -> ARMING -> n	the trigger side, which then raises interrupt n
 *	n -> TAKEN -> FREE	the handler, which records it in between
 *	n -> FREE		the trigger side gives interrupt n up: it is lost
 *	FREE -> CLOSED		the end of the run
 *
 * An interrupt carries no number, so one that is late would be taken for the next
 * one. Nothing is raised while one is on its way; and those that follow a lost one
 * are in no statistics, since whose interrupt then comes is not known.
 */
#ifndef RTK_MSI_H
#define RTK_MSI_H

#include <linux/atomic.h>
#include <linux/hrtimer.h>

#include "nic.h"
#include "rtk.h"

/* Without its interrupt for so long a trigger is lost. */
#define RTK_MSI_LOST		NSEC_PER_SEC
/* So many after a lost one are in no statistics: its own could come as one of theirs. */
#define RTK_MSI_DOUBT		2
/* So many lost ones in a row, or so long without the handler's thread, end the run. */
#define RTK_MSI_SILENT		10
#define RTK_MSI_STARVED		(10 * NSEC_PER_SEC)
/* From the run's base to the first trigger: until then both sides are armed. */
#define RTK_MSI_MARGIN		(10 * NSEC_PER_MSEC)

/* Values of struct rtk_msi.state beside the numbers of triggers, from 1 on. */
#define RTK_MSI_FREE		0ULL
#define RTK_MSI_ARMING		(U64_MAX - 2)
#define RTK_MSI_TAKEN		(U64_MAX - 1)
#define RTK_MSI_CLOSED		U64_MAX

/* The counters that both tests begin with. Those on another CPU are counted by lanes. */
enum {
	RTK_MSI_N_LOST, RTK_MSI_N_SPURIOUS, RTK_MSI_N_OVERLAPPING, RTK_MSI_N_COMMON
};

#define RTK_MSI_COUNTERS \
	[RTK_MSI_N_LOST] = { .name = "lost" }, \
	[RTK_MSI_N_SPURIOUS] = { .name = "spurious" }, \
	[RTK_MSI_N_OVERLAPPING] = { .name = "overlapping" }

/**
 * struct rtk_msi_config - parameters that both tests have
 * @device: address, or "auto"; prepare() replaces that by the address
 * @backend: enum rtk_nic_backend; likewise
 * @irq_cpu: CPU of the handler, -1 for any; likewise
 * @work_cpu: CPU of the trigger side; likewise
 * @period_us: distance of two triggers
 * @count: triggers to measure, -1 for endless
 * @reset: the device is reset before
 * @m: what the run uses; not a parameter
 */
struct rtk_msi_config {
	char device[RTK_PCI_SIZE];
	s64 backend;
	s64 irq_cpu;
	s64 work_cpu;
	u64 period_us;
	s64 count;
	s64 reset;
	struct rtk_msi *m;
};

/* Rows of parameters, for a configuration whose first member is an rtk_msi_config. */
#define RTK_MSI_PARAM_DEVICE { \
	.name = "device", .type = RTK_PARAM_TYPE_PCI, .def = "auto", \
	.help = "device that raises them, claimed before (rtk device claim); auto: the only one", \
	RTK_FIELD(struct rtk_msi_config, device), \
}

#define RTK_MSI_PARAM_BACKEND { \
	.name = "backend", .type = RTK_PARAM_TYPE_ENUM, .def = "auto", \
	.choices = rtk_nic_backends, \
	.help = "how the device is driven; auto: as its PCI ids say", \
	RTK_FIELD(struct rtk_msi_config, backend), \
}

#define RTK_MSI_PARAM_IRQ_CPU { \
	.name = "irq_cpu", .type = RTK_PARAM_TYPE_S64, \
	.min = -1, .max = NR_CPUS - 1, .def = "-1", \
	.help = "CPU of the handler; -1: the first isolated one, or the last online", \
	RTK_FIELD(struct rtk_msi_config, irq_cpu), \
}

#define RTK_MSI_PARAM_WORK_CPU { \
	.name = "work_cpu", .type = RTK_PARAM_TYPE_S64, \
	.min = -1, .max = NR_CPUS - 1, .def = "-1", \
	.help = "CPU that asks for them; -1: another one, isolated if there are two", \
	RTK_FIELD(struct rtk_msi_config, work_cpu), \
}

#define RTK_MSI_PARAM_PERIOD(shortest_us) { \
	.name = "period_us", .type = RTK_PARAM_TYPE_U64, .unit = "us", \
	.min = (shortest_us), .max = 10 * USEC_PER_SEC, .def = "1000", \
	.help = "distance of two interrupts", \
	RTK_FIELD(struct rtk_msi_config, period_us), \
}

#define RTK_MSI_PARAM_COUNT { \
	.name = "count", .type = RTK_PARAM_TYPE_S64, \
	.min = -1, .max = S64_MAX / 2, .def = "-1", \
	.help = "interrupts to measure; -1: until duration_ms or a stop", \
	RTK_FIELD(struct rtk_msi_config, count), \
}

#define RTK_MSI_PARAM_RESET { \
	.name = "reset", .type = RTK_PARAM_TYPE_BOOL, .def = "1", \
	.help = "reset the device before; 0 spares the firmware's use of it (AMT, NC-SI)", \
	RTK_FIELD(struct rtk_msi_config, reset), \
}

/**
 * struct rtk_msi - device and both sides of a run
 * @state: see above
 * @planned: grid point of the trigger under way; as what follows, the owner's
 * @stamp: clock just before the device was told, ns
 * @sure: whose interrupt comes is known
 * @counts: its sample is recorded
 * @lost_in_row: those that were lost since one came
 * @number: of the latest trigger; the trigger side's, as what follows
 * @doubt: so many of the next ones are not sure
 * @sent: those in the window so far
 * @count: how many there are to be, U64_MAX for endless
 * @nic: device
 * @irq: CPU of the handler; NULL while nothing is to be measured
 * @irq_side: the same, and stays
 * @work: CPU of the trigger side
 * @timer: its timer
 * @stopped: both sides have been ended; under the core's ctl, or by CPU hotplug
 * @seen: interrupts that were lost when watch() looked last; watch()'s
 */
struct rtk_msi {
	u64 state;
	u64 planned;
	u64 stamp;
	bool sure;
	bool counts;
	unsigned int lost_in_row;
	u64 number;
	unsigned int doubt;
	u64 sent;
	u64 count;
	struct rtk_nic *nic;
	struct rtk_cpu *irq;
	struct rtk_cpu *irq_side;
	struct rtk_cpu *work;
	struct hrtimer timer;
	bool stopped;
	u64 seen;
};

/* Each counter of a CPU has one writer; what is outside of the window is in none. */
static inline void rtk_msi_count(struct rtk_cpu *c, unsigned int counter)
{
	WRITE_ONCE(c->counter[counter], c->counter[counter] + 1);
}

/**
 * rtk_msi_give_up() - has the interrupt under way come, or is it lost?
 * @m: run
 * @c: CPU of the trigger side
 *
 * Gives up one that has not come for too long. Its handler can take it while we
 * look, and then has it.
 *
 * Context: the trigger side, which sees the state not to be free.
 * Return: true if it was lost
 */
static inline bool rtk_msi_give_up(struct rtk_msi *m, struct rtk_cpu *c)
{
	if (READ_ONCE(m->state) != m->number || ktime_get() - m->stamp <= RTK_MSI_LOST ||
	    cmpxchg(&m->state, m->number, RTK_MSI_FREE) != m->number)
		return false;
	m->doubt = RTK_MSI_DOUBT;
	WRITE_ONCE(m->lost_in_row, m->lost_in_row + 1);
	/* One that its handler did not acknowledge may keep the device from the next. */
	rtk_nic_ack(m->nic);
	/* Also where it would not have been recorded: that none came is no doubt. */
	if (rtk_in_window(c, m->planned))
		rtk_msi_count(c, RTK_MSI_N_LOST);
	return true;
}

/**
 * rtk_msi_raise() - raise the interrupt of a grid point
 * @m: run
 * @c: CPU of the trigger side
 * @planned: grid point
 *
 * Context: the trigger side, on its CPU, interrupts off: nothing may come between
 * the time stamp and the write.
 * Return: true if it was raised; @m->stamp and @m->counts are this trigger's then
 * until the next
 */
static __always_inline bool rtk_msi_raise(struct rtk_msi *m, struct rtk_cpu *c, u64 planned)
{
	bool in_window = rtk_in_window(c, planned);
	u64 state;

	/* Before the handler's side is armed nothing counts yet. */
	if (!READ_ONCE(m->irq))
		return false;
	state = cmpxchg(&m->state, RTK_MSI_FREE, RTK_MSI_ARMING);
	if (unlikely(state != RTK_MSI_FREE)) {
		if (state != RTK_MSI_CLOSED && !rtk_msi_give_up(m, c) && in_window)
			rtk_msi_count(c, RTK_MSI_N_OVERLAPPING);
		return false;
	}
	m->planned = planned;
	m->sure = !m->doubt;
	m->counts = in_window && m->sure;
	if (m->doubt)
		m->doubt--;
	m->number++;
	m->stamp = ktime_get();
	/* Pairs with rtk_msi_take(): the handler finds all of the above. */
	smp_store_release(&m->state, m->number);
	rtk_nic_trigger(m->nic);
	/* The window ends with the last one. */
	if (in_window && ++m->sent == m->count)
		WRITE_ONCE(c->end, planned + 1);
	return true;
}

/**
 * rtk_msi_take() - match an interrupt to its trigger
 * @m: run
 * @c: CPU of the handler
 * @now: its time stamp, ns
 *
 * Context: the handler, after its time stamp.
 * Return: true if there is one: @m->planned, @m->stamp and @m->counts are this
 * interrupt's until rtk_msi_release(). false: it is spurious, and counted.
 */
static __always_inline bool rtk_msi_take(struct rtk_msi *m, struct rtk_cpu *c, u64 now)
{
	u64 state = READ_ONCE(m->state);

	/* Orders what the trigger side wrote before all that follows. */
	if (likely(state != RTK_MSI_FREE && state < RTK_MSI_ARMING &&
		   cmpxchg(&m->state, state, RTK_MSI_TAKEN) == state)) {
		if (likely(now >= m->stamp)) {
			if (unlikely(m->lost_in_row))
				WRITE_ONCE(m->lost_in_row, 0);
			return true;
		}
		/* Here before it was raised: another one. Its own is still to come. */
		smp_store_release(&m->state, state);
	}
	if (rtk_in_window(c, now))
		rtk_msi_count(c, RTK_MSI_N_SPURIOUS);
	return false;
}

/* The handler is through: the next one may be raised. */
static __always_inline void rtk_msi_release(struct rtk_msi *m)
{
	/* Pairs with the cmpxchg() of the trigger side. */
	smp_store_release(&m->state, RTK_MSI_FREE);
}

/**
 * rtk_msi_ends() - does the timer come to the end of the window?
 * @m: run
 * @c: CPU of the trigger side
 * @planned: grid point of this expiry, of which nothing has been counted yet
 *
 * Also where the handler's side has ended it: by the threshold, or offline.
 *
 * Context: the timer's handler.
 */
static inline bool rtk_msi_ends(struct rtk_msi *m, struct rtk_cpu *c, u64 planned)
{
	const struct rtk_cpu *irq = READ_ONCE(m->irq);

	if (irq && unlikely(READ_ONCE(irq->end) <= planned) && planned < c->end)
		WRITE_ONCE(c->end, max(planned, c->first));
	return planned >= READ_ONCE(c->end);
}

/**
 * rtk_msi_over() - at the end of the window: what the timer is to do
 * @m: run
 * @c: CPU of the trigger side
 *
 * It goes on until the last interrupt has come or is lost.
 *
 * Context: the timer's handler, for an expiry that lies past the end.
 */
static inline enum hrtimer_restart rtk_msi_over(struct rtk_msi *m, struct rtk_cpu *c)
{
	if (READ_ONCE(m->state) != RTK_MSI_FREE && !rtk_msi_give_up(m, c)) {
		hrtimer_set_expires(&m->timer, ktime_add_ns(ktime_get(), c->period));
		return HRTIMER_RESTART;
	}
	/* The other side, too: nothing more comes to it. */
	if (READ_ONCE(m->irq))
		rtk_ended(m->irq);
	rtk_ended(c);
	return HRTIMER_NORESTART;
}

/*
 * msi.c: what may sleep. These are the callbacks of struct rtk_test that have their
 * names, or for them. A configuration's first member is an rtk_msi_config.
 */

/* Relations between parameters: 0 or -EINVAL. */
int rtk_msi_check(const struct rtk_common *common, const void *config, struct rtk_err *err);
/* Chooses CPUs among @cpus, which gets the chosen ones, as @config does. 0 or -ENODEV. */
int rtk_msi_choose(void *config, struct cpumask *cpus, struct rtk_err *err);
/**
 * rtk_msi_prepare() - open the device
 * @cfg: parameters; gets what was found
 * @m: the run's, zeroed
 * @req: name of the test, handlers and their data
 * @err: words
 *
 * Return: 0 or -errno, then nothing is held
 */
int rtk_msi_prepare(struct rtk_msi_config *cfg, struct rtk_msi *m,
		    struct rtk_nic_request *req, struct rtk_err *err);
/* Closes it. */
void rtk_msi_unprepare(struct rtk_msi *m);
/* A CPU takes its part, or both; @tick is the trigger side's timer. */
void rtk_msi_arm(struct rtk_msi *m, struct rtk_cpu *c, const struct rtk_msi_config *cfg,
		 enum hrtimer_restart (*tick)(struct hrtimer *timer));
/* Ends both parts, whichever CPU it is called for; a second time for the case that the
 * other one was armed only now.
 */
void rtk_msi_disarm(struct rtk_msi *m);
const char *rtk_msi_watch(const void *config, struct rtk_err *err);

/* For rtk_series.on_cpu: the CPU of the handler, and that of the trigger side. */
static inline bool rtk_msi_on_irq_cpu(const void *config, int cpu)
{
	const struct rtk_msi_config *cfg = config;

	return cpu == cfg->irq_cpu;
}

static inline bool rtk_msi_on_work_cpu(const void *config, int cpu)
{
	const struct rtk_msi_config *cfg = config;

	return cpu == cfg->work_cpu;
}

#endif /* RTK_MSI_H */
