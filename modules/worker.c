// SPDX-License-Identifier: GPL-2.0
/*
 * The pinned threads of a run: one for each CPU. It arms the test on its CPU
 * and is the series "thread" of push tests.
 */
#include <linux/cpu.h>
#include <linux/kthread.h>
#include <linux/sched/task.h>
#include <linux/smp.h>
#include <uapi/linux/sched/types.h>

#include "internal.h"

/* A worker that doesn't get its CPU for so long is reported. */
#define WORKER_TIMEOUT	(5 * HZ)
/* From "all workers are there" to the first possible grid point. */
#define START_MARGIN	(2 * NSEC_PER_MSEC)

static int worker_set_policy(const struct rtk_common *common)
{
	static const u32 policies[] = { SCHED_FIFO, SCHED_RR, SCHED_NORMAL };
	struct sched_attr attr = {
		.size = sizeof(attr),
		.sched_policy = policies[common->policy],
	};

	if (attr.sched_policy != SCHED_NORMAL)
		attr.sched_priority = common->priority;
	return sched_setattr_nocheck(current, &attr);
}

/*
 * The measuring loop. rtk_wake() comes from a handler on this CPU. Its store
 * to pending and the wake-up are seen either by the test below or, since
 * set_current_state() comes before it, by schedule(). A wake-up that is
 * outstanding when the worker is told to stop is served.
 */
static void worker_loop(struct rtk_cpu *c, void (*thread)(struct rtk_cpu *c))
{
	bool stop = false;

	do {
		set_current_state(TASK_INTERRUPTIBLE);
		if (!READ_ONCE(c->pending)) {
			stop = kthread_should_stop();
			if (!stop)
				schedule();
		}
		__set_current_state(TASK_RUNNING);
		if (READ_ONCE(c->pending)) {
			/* Before the work, or a wake-up during it is lost. */
			WRITE_ONCE(c->pending, false);
			thread(c);
		}
	} while (!stop);
}

static int worker_main(void *data)
{
	struct rtk_worker *w = data;
	struct rtk_run *run = w->inst->run;

	w->rc = worker_set_policy(&run->common);
	complete(&w->ready);
	wait_for_completion(&run->go);
	if (!w->rc && !run->abort) {
		w->rc = w->inst->test->arm(&w->c);
		w->is_armed = !w->rc;
	}
	complete(&w->armed);
	worker_loop(&w->c, w->inst->test->thread);
	return 0;
}

static int worker_create(struct rtk_worker *w)
{
	struct task_struct *task;

	init_completion(&w->ready);
	init_completion(&w->armed);
	/* Bound before it first runs, and to this CPU alone. */
	task = kthread_create_on_cpu(worker_main, w, w->c.cpu, "rtk/%u");
	if (IS_ERR(task))
		return PTR_ERR(task);
	/* rtk_wake() may come until it is joined, even if it exits. */
	get_task_struct(task);
	w->c.worker = task;
	wake_up_process(task);
	return 0;
}

static int workers_wait(struct rtk_run *run, bool armed, struct rtk_err *err)
{
	unsigned long end = jiffies + WORKER_TIMEOUT, left;
	unsigned int i;

	for (i = 0; i < run->n; i++) {
		struct rtk_worker *w = run->w[i];

		left = time_before(jiffies, end) ? end - jiffies : 1;
		if (!wait_for_completion_timeout(armed ? &w->armed : &w->ready, left))
			return rtk_fail(err, -ETIMEDOUT,
					"CPU %d: the measuring thread did not get to run within %u s; is a real-time task keeping the CPU?",
					w->c.cpu, WORKER_TIMEOUT / HZ);
		if (w->rc)
			return rtk_fail(err, w->rc, "CPU %d: cannot be armed: error %d",
					w->c.cpu, w->rc);
	}
	return 0;
}

static void workers_set_time(struct rtk_run *run)
{
	const struct rtk_common *common = &run->common;
	unsigned int i;

	run->base = ktime_get() + START_MARGIN;
	run->measure_from = run->base + common->warmup_ms * NSEC_PER_MSEC;
	run->deadline = common->duration_ms ?
		run->measure_from + common->duration_ms * NSEC_PER_MSEC : S64_MAX;
	run->started_wall = ktime_get_real() + (run->measure_from - ktime_get());
	for (i = 0; i < run->n; i++) {
		run->w[i]->c.base = run->base;
		run->w[i]->c.measure_from = run->measure_from;
		run->w[i]->c.deadline = run->deadline;
	}
}

int rtk_workers_start(struct rtk_inst *inst, struct rtk_err *err)
{
	struct rtk_run *run = inst->run;
	unsigned int i;
	int rc = 0;

	for (i = 0; i < run->n && !rc; i++) {
		rc = worker_create(run->w[i]);
		if (rc)
			rtk_fail(err, rc, "CPU %d: no measuring thread: error %d",
				 run->w[i]->c.cpu, rc);
	}
	if (!rc)
		rc = workers_wait(run, false, err);
	/*
	 * Only now the start of time, so that a slow worker doesn't shorten
	 * warm-up or measurement. The completion publishes all of it.
	 */
	workers_set_time(run);
	run->abort = rc;
	complete_all(&run->go);
	if (!rc)
		rc = workers_wait(run, true, err);
	if (rc)
		rtk_workers_stop(run);
	return rc;
}

/* On the CPU, interrupts off: the writer sees the old window or the new one. */
static void window_end_here(void *data)
{
	struct rtk_cpu *c = data;

	rtk_window_end(c, ktime_get());
}

static void worker_close_lanes(struct rtk_worker *w)
{
	struct rtk_lane *lane;
	unsigned int i;

	for (i = 0; i < RTK_SERIES_MAX; i++) {
		lane = w->c.lane[i];
		if (!lane || !(lane->series->flags & RTK_SERIES_LEDGER) || !w->c.period)
			continue;
		/* What is left was neither delivered nor found missing. */
		lane->missed += rtk_grid_points(&w->c, lane->next, U64_MAX);
	}
}

static void worker_disarm(struct rtk_worker *w)
{
	if (w->is_armed)
		w->inst->test->disarm(&w->c);
	w->is_armed = false;
}

void rtk_worker_close(struct rtk_worker *w)
{
	struct rtk_cpu *c = &w->c;

	if (w->closed)
		return;
	/* An interrupt, so that no task on that CPU can hold the end off. */
	smp_call_function_single(c->cpu, window_end_here, c, 1);
	worker_disarm(w);
	if (c->worker) {
		kthread_stop(c->worker);
		/* A worker that timed out may have armed only now. */
		worker_disarm(w);
		put_task_struct(c->worker);
		c->worker = NULL;
	}
	worker_close_lanes(w);
	w->ended_mono = c->first + c->span;
	/* Pairs with rtk_worker_closed(): who sees it sees the final ledger. */
	smp_store_release(&w->closed, true);
}

void rtk_workers_stop(struct rtk_run *run)
{
	unsigned int i;

	/* All windows first, so that they end together. */
	for (i = 0; i < run->n; i++)
		if (!run->w[i]->closed)
			smp_call_function_single(run->w[i]->c.cpu,
						 window_end_here, &run->w[i]->c, 1);
	for (i = 0; i < run->n; i++)
		rtk_worker_close(run->w[i]);
}
