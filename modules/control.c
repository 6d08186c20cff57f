// SPDX-License-Identifier: GPL-2.0
/*
 * The controller of a run, and what else ends one from outside: its owner's
 * end and CPU hotplug.
 *
 * Writers end by themselves, and say so in flags. The controller, a work item
 * away from the measured CPUs, looks at them and cleans up.
 */
#include <linux/cpu.h>

#include "internal.h"

/* The controller's look at the writers' flags. */
#define CONTROL_PERIOD	msecs_to_jiffies(10)
/* Not more than one event of outliers in this time. */
#define EVENT_PERIOD	msecs_to_jiffies(100)
/* Writers end themselves; this long after the deadline the controller does. */
#define DEADLINE_GRACE	NSEC_PER_MSEC

/*
 * Where the controller runs: away from the measured CPUs where there is such a
 * place; cpus held.
 */
static int control_cpu(const struct rtk_run *run)
{
	int cpu, found = -1;

	for_each_online_cpu(cpu) {
		if (cpumask_test_cpu(cpu, &run->cpus))
			continue;
		if (rtk_housekeeping_cpu(cpu))
			return cpu;
		if (found < 0)
			found = cpu;
	}
	return found < 0 ? cpumask_any(cpu_online_mask) : found;
}

bool rtk_control_is_measured(const struct rtk_run *run)
{
	return cpumask_test_cpu(control_cpu(run), &run->cpus);
}

void rtk_control_queue(struct rtk_inst *inst)
{
	mutex_lock(&rtk_lock);
	if (rtk_inst_busy(inst)) {
		WRITE_ONCE(inst->run->heartbeat, ktime_get());
		queue_delayed_work_on(control_cpu(inst->run), rtk_wq,
				      &inst->controller, CONTROL_PERIOD);
	}
	mutex_unlock(&rtk_lock);
}

void rtk_control_owner_gone(u32 portid)
{
	struct rtk_inst *inst;

	mutex_lock(&rtk_lock);
	list_for_each_entry(inst, &rtk_tests, link) {
		if (!rtk_inst_busy(inst) || inst->run->owner.portid != portid)
			continue;
		/* The controller sees it at its next look, where it belongs. */
		inst->run->owner_gone = true;
	}
	mutex_unlock(&rtk_lock);
}

/*
 * A CPU's part of a run is over: it goes offline, or its worker is gone from it.
 * cpus, and ctl or cpus for writing.
 */
static void control_lose(struct rtk_run *run, unsigned int i)
{
	rtk_workers_close(&run->w[i], 1);
	mutex_lock(&rtk_lock);
	cpumask_set_cpu(run->w[i]->c.cpu, &run->lost);
	mutex_unlock(&rtk_lock);
}

/* The last CPU that is not measured, where a test must leave one, goes offline. */
static bool control_takes_all(const struct rtk_inst *inst, int gone)
{
	int cpu;

	if (!inst->test->spares_cpu)
		return false;
	for_each_online_cpu(cpu)
		if (cpu != gone && !cpumask_test_cpu(cpu, &inst->run->cpus))
			return false;
	return true;
}

int rtk_control_cpu_down(unsigned int cpu)
{
	struct rtk_inst *inst;
	unsigned int i;

	list_for_each_entry(inst, &rtk_tests, link) {
		struct rtk_run *run = inst->run;

		if (inst->state != RTK_STATE_RUNNING)
			continue;
		for (i = 0; i < run->n; i++)
			if (run->w[i]->c.cpu == cpu && !run->w[i]->closed)
				control_lose(run, i);
		if (!control_takes_all(inst, cpu))
			continue;
		rtk_workers_close(run->w, run->n);
		mutex_lock(&rtk_lock);
		rtk_fail(&run->cause, 0, "CPU %u, the last that was left free, went offline",
			 cpu);
		mutex_unlock(&rtk_lock);
	}
	return 0;
}

/*
 * A worker that is elsewhere although its CPU is online: the scheduler had moved it
 * away, and then the CPU was not allowed to go. ctl and cpus held.
 */
static void control_lose_moved(struct rtk_run *run)
{
	unsigned int i;

	for (i = 0; i < run->n; i++)
		if (!run->w[i]->closed && task_cpu(run->w[i]->task) != run->w[i]->c.cpu)
			control_lose(run, i);
}

/* Outliers since the last event, and those lost by now; rtk_lock held. */
static u64 control_count_outliers(struct rtk_run *run, u64 *lost)
{
	u64 new = 0;
	unsigned int i;

	*lost = 0;
	for (i = 0; i < run->n; i++) {
		struct rtk_worker *w = run->w[i];
		struct rtk_lane *lane = w->c.lane[run->threshold_series];
		u64 outliers, n;

		if (!lane)
			continue;
		outliers = READ_ONCE(lane->outliers);
		n = outliers - w->reported;
		new += n;
		if (n > lane->ring_size)
			*lost += n - lane->ring_size;
		w->reported = outliers;
	}
	return new;
}

void rtk_control_events(struct rtk_inst *inst, bool last)
{
	struct rtk_run *run = inst->run;
	u64 new, lost;

	if (!run->common.threshold_ns ||
	    (!last && time_before(jiffies, run->next_event)))
		return;
	mutex_lock(&rtk_lock);
	new = control_count_outliers(run, &lost);
	mutex_unlock(&rtk_lock);
	if (!new)
		return;
	run->next_event = jiffies + EVENT_PERIOD;
	rtk_netlink_event(inst, new, lost);
}

/* Why a run has to end now, or NULL; rtk_lock held. */
static const char *control_verdict(struct rtk_inst *inst, enum rtk_state *state)
{
	struct rtk_run *run = inst->run;
	unsigned int i, over = 0, closed = 0;

	*state = RTK_STATE_DONE;
	if (run->owner_gone)
		return "owner-gone";
	for (i = 0; i < run->n; i++) {
		struct rtk_worker *w = run->w[i];
		/* First, so that one that has ended has said why. */
		bool ended = smp_load_acquire(&w->c.ended);
		u64 shortest = READ_ONCE(w->c.overload);

		if (READ_ONCE(w->c.tripped))
			return "threshold";
		if (shortest) {
			*state = RTK_STATE_FAILED;
			rtk_fail(&run->cause, 0,
				 "CPU %d cannot carry this: handlers leave nothing for others, most activations are missed, or no ordinary task ran for seconds; try a period of %llu ns or more",
				 w->c.cpu, shortest);
			return "overload";
		}
		closed += w->closed;
		over += w->closed || ended;
	}
	if (closed == run->n) {
		*state = RTK_STATE_FAILED;
		return "cpu-lost";
	}
	if (over == run->n || ktime_get() > run->deadline + DEADLINE_GRACE)
		return "duration";
	return NULL;
}

/* What the controller finds; ctl held, rtk_lock is taken. Returns NULL to go on. */
static const char *control_look(struct rtk_inst *inst, enum rtk_state *state)
{
	struct rtk_run *run = inst->run;
	struct rtk_err err = {};
	const char *reason;

	mutex_lock(&rtk_lock);
	reason = control_verdict(inst, state);
	mutex_unlock(&rtk_lock);
	if (reason || !inst->test->watch)
		return reason;
	reason = inst->test->watch(run->config, &err);
	if (!reason)
		return NULL;
	*state = RTK_STATE_FAILED;
	mutex_lock(&rtk_lock);
	run->cause = err;
	mutex_unlock(&rtk_lock);
	return reason;
}

void rtk_control_work(struct work_struct *work)
{
	struct rtk_inst *inst = container_of(to_delayed_work(work),
					     struct rtk_inst, controller);
	enum rtk_state state;
	const char *reason;

	cpus_read_lock();
	/*
	 * A transition in progress may take long, and ends what we look after
	 * or starts it anew; look again later.
	 */
	if (!mutex_trylock(&inst->ctl)) {
		rtk_control_queue(inst);
		goto out;
	}
	if (inst->state == RTK_STATE_RUNNING) {
		control_lose_moved(inst->run);
		reason = control_look(inst, &state);
		if (!reason) {
			rtk_control_events(inst, false);
			rtk_klog_look(inst);
			rtk_control_queue(inst);
		} else {
			rtk_run_finish(inst, state, reason);
		}
	}
	mutex_unlock(&inst->ctl);
out:
	cpus_read_unlock();
}
