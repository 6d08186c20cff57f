// SPDX-License-Identifier: GPL-2.0
/*
 * The pinned threads of a run: one for each CPU. It arms the test on its CPU
 * and is the series "thread" of push tests.
 */
#include <linux/cpu.h>
#include <linux/kthread.h>
#include <linux/sched/task.h>
#include <linux/smp.h>

#include "compat/rcu.h"
#include "internal.h"
#include "smi.h"
#include "task.h"

/* A worker that doesn't get its CPU for so long is reported. */
#define WORKER_TIMEOUT	(5 * HZ)
/* So long it gets for what is outstanding when the run ends. */
#define WORKER_GRACE	(HZ / 2)
/* From "all workers are there" to the first possible grid point. */
#define START_MARGIN	(2 * NSEC_PER_MSEC)

/*
 * The measuring loop. rtk_wake() comes from a handler on this CPU. Its store
 * to pending and the wake-up are seen either by the test below or, since
 * set_current_state() comes before it, by schedule(). A wake-up that is
 * outstanding when the worker is told to quit is served.
 *
 * While its CPU goes offline, the scheduler moves the worker before we hear of
 * it: rtk_record() then drops what it would serve, and the test counts that as
 * missed.
 */
static void worker_loop(struct rtk_worker *w, void (*thread)(struct rtk_cpu *c))
{
	struct rtk_cpu *c = &w->c;

	for (;;) {
		if (READ_ONCE(c->pending)) {
			/* Before the work, or a wake-up during it is lost. */
			WRITE_ONCE(c->pending, false);
			thread(c);
		}
		set_current_state(TASK_INTERRUPTIBLE);
		if (!READ_ONCE(c->pending) && !READ_ONCE(w->quit)) {
			schedule();
			continue;
		}
		__set_current_state(TASK_RUNNING);
		if (!READ_ONCE(c->pending))
			return;
	}
}

/* Readers serve instead; what is pending is for them. */
static void worker_idle(struct rtk_worker *w)
{
	for (;;) {
		set_current_state(TASK_INTERRUPTIBLE);
		if (READ_ONCE(w->quit))
			break;
		schedule();
	}
	__set_current_state(TASK_RUNNING);
}

static void worker_sleep_until(const struct rtk_worker *w, u64 time)
{
	ktime_t at = ns_to_ktime(time);

	set_current_state(TASK_INTERRUPTIBLE);
	if (!READ_ONCE(w->quit))
		schedule_hrtimeout(&at, HRTIMER_MODE_ABS);
	__set_current_state(TASK_RUNNING);
}

/*
 * One call of a pull test. Interrupts are off so that what is measured is the
 * machine, and not the kernel; for no longer than the kernel's own checks bear.
 * Returns false on another CPU: ours is going offline, or was about to.
 */
static bool worker_measure(struct rtk_worker *w, u64 *next)
{
	const struct rtk_test *test = w->inst->test;
	bool here;

	local_irq_disable();
	here = smp_processor_id() == w->c.cpu;
	if (here) {
		rtk_outlier_begin(&w->c);
		*next = test->measure(&w->c);
		/* The tick that would have reported it could not come. */
		rtk_quiescent_state();
	}
	local_irq_enable();
	/* Interrupts are let in only after the instruction that follows. */
	cpu_relax();
	if (here && test->publish)
		test->publish(&w->c);
	/* RCU for tasks waits for one that sleeps, which this may not do for long. */
	cond_resched_tasks_rcu_qs();
	return here;
}

/* Called again and again, until the window ends or the worker is to quit. */
static void worker_pull(struct rtk_worker *w)
{
	struct rtk_cpu *c = &w->c;
	bool here = true;
	u64 next = c->base, now;

	while (here && !READ_ONCE(w->quit)) {
		now = ktime_get();
		if (now >= READ_ONCE(c->end))
			break;
		if (next > now)
			worker_sleep_until(w, min(next, READ_ONCE(c->end)));
		else
			here = worker_measure(w, &next);
	}
	if (w->inst->test->publish)
		w->inst->test->publish(c);
	/* That it is elsewhere, the controller sees for itself. */
	if (here)
		rtk_ended(c);
}

/* Who serves the test's rtk_wake(): this worker, if that is recorded at all. */
static struct task_struct *worker_waiter(const struct rtk_worker *w)
{
	unsigned int i;

	for (i = 0; i < RTK_SERIES_MAX; i++)
		if (w->c.lane[i] && w->c.lane[i]->series->flags & RTK_SERIES_THREAD)
			return current;
	return NULL;
}

/* What the kernel and the CPU count, for the run as a whole. */
static void worker_count_begin(struct rtk_worker *w)
{
	struct rtk_context ctx;

	rtk_context_read(&ctx);
	w->nmi_first = ctx.nmis;
	w->nmis = RTK_COUNTS_NMIS ? 0 : -1;
	w->smis = rtk_smi_count(&w->smi_first) ? 0 : -1;
}

static void worker_count_end(struct rtk_worker *w)
{
	struct rtk_context ctx;
	u32 count;

	rtk_context_read(&ctx);
	if (w->nmis >= 0)
		w->nmis = ctx.nmis - w->nmi_first;
	if (w->smis >= 0 && rtk_smi_count(&count))
		w->smis = count - w->smi_first;
}

static void worker_arm(struct rtk_worker *w)
{
	const struct rtk_test *test = w->inst->test;

	if (test->measure) {
		/* No grid: the window is what was asked for. */
		w->c.first = w->c.measure_from;
		w->c.end = w->c.deadline;
		return;
	}
	w->rc = test->arm(&w->c);
	/* Pairs with worker_disarm(): what arm() wrote comes before. */
	smp_store_release(&w->is_armed, !w->rc);
}

static int worker_main(void *data)
{
	struct rtk_worker *w = data;
	struct rtk_run *run = w->inst->run;
	const struct rtk_test *test = w->inst->test;

	complete(&w->ready);
	wait_for_completion(&run->go);
	if (!READ_ONCE(run->abort)) {
		rtk_outlier_begin(&w->c);
		worker_count_begin(w);
		/* No handler runs yet. */
		if (!rtk_reader_wanted(w))
			w->c.waiter = worker_waiter(w);
		worker_arm(w);
	}
	complete(&w->armed);
	if (test->measure && w->c.end)
		worker_pull(w);
	if (test->measure || rtk_reader_wanted(w))
		worker_idle(w);
	else
		worker_loop(w, test->thread);
	complete(&w->gone);
	return 0;
}

static int worker_create(struct rtk_worker *w)
{
	struct task_struct *task;
	int rc;

	init_completion(&w->ready);
	init_completion(&w->armed);
	init_completion(&w->gone);
	rtk_reader_init(w);
	/* Bound before it first runs, and to this CPU alone. */
	task = kthread_create_on_cpu(worker_main, w, w->c.cpu, "rtk/%u");
	if (IS_ERR(task))
		return PTR_ERR(task);
	/* rtk_wake() may come until it is joined, even if it exits. */
	w->task = get_task_struct(task);
	/* Not by itself: it might never get to run. */
	rc = rtk_task_set_policy(task, &w->inst->run->common);
	wake_up_process(task);
	return rc;
}

/* Jiffies until a time, and never none: what is complete is seen to be. */
static unsigned long time_left(unsigned long end)
{
	return time_before(jiffies, end) ? end - jiffies : 1;
}

static int workers_wait(struct rtk_run *run, bool armed, struct rtk_err *err)
{
	unsigned long end = jiffies + WORKER_TIMEOUT;
	unsigned int i;

	for (i = 0; i < run->n; i++) {
		struct rtk_worker *w = run->w[i];

		if (!wait_for_completion_timeout(armed ? &w->armed : &w->ready,
						 time_left(end)))
			return rtk_fail(err, -ETIMEDOUT,
					"CPU %d: the measuring thread did not get to run within %u s; is a real-time task keeping the CPU? End it, or measure other CPUs (cpus=)",
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
	bool measured = rtk_control_is_measured(run);
	unsigned int i;

	run->heartbeat = ktime_get();
	run->base = run->heartbeat + START_MARGIN;
	run->measure_from = run->base + common->warmup_ms * NSEC_PER_MSEC;
	run->deadline = common->duration_ms ?
		run->measure_from + common->duration_ms * NSEC_PER_MSEC : S64_MAX;
	run->started_wall = ktime_get_real() + (run->measure_from - ktime_get());
	for (i = 0; i < run->n; i++) {
		if (measured)
			run->w[i]->c.heartbeat = &run->heartbeat;
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
	WRITE_ONCE(run->abort, rc);
	complete_all(&run->go);
	if (!rc)
		rc = workers_wait(run, true, err);
	if (rc) {
		/* For those that have not got there yet. */
		WRITE_ONCE(run->abort, true);
		rtk_workers_close(run->w, run->n);
	}
	return rc;
}

/* On the CPU, interrupts off: the writer sees the old window or the new one. */
static void window_end_here(void *data)
{
	struct rtk_worker *w = data;

	rtk_window_end(&w->c);
	worker_count_end(w);
	complete(&w->window_ended);
}

/*
 * All at the same time, however long one or another CPU keeps interrupts off, as
 * pull tests do. By an interrupt, so that no task there can hold the end off.
 */
static void workers_end_windows(struct rtk_worker **w, unsigned int n)
{
	unsigned int i;

	for (i = 0; i < n; i++) {
		if (w[i]->closed)
			continue;
		init_completion(&w[i]->window_ended);
		INIT_CSD(&w[i]->end_call, window_end_here, w[i]);
		if (smp_call_function_single_async(w[i]->c.cpu, &w[i]->end_call))
			complete(&w[i]->window_ended);
	}
	for (i = 0; i < n; i++)
		if (!w[i]->closed)
			wait_for_completion(&w[i]->window_ended);
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
		lane->missed += rtk_lane_points(lane, lane->next, U64_MAX);
	}
}

/*
 * One that arms only now, since it did not get its CPU before, is not overlooked:
 * worker_join() comes back here when it has ended.
 */
static void worker_disarm(struct rtk_worker *w)
{
	/* Pairs with the release in worker_main(). */
	if (!smp_load_acquire(&w->is_armed))
		return;
	w->inst->test->disarm(&w->c);
	w->is_armed = false;
}

static void worker_quit(struct rtk_worker *w)
{
	if (!w->task)
		return;
	WRITE_ONCE(w->quit, true);
	wake_up_process(w->task);
}

static void worker_join(struct rtk_worker *w)
{
	if (!w->task)
		return;
	kthread_stop(w->task);
	/* One that timed out at the start may have armed only now. */
	worker_disarm(w);
	put_task_struct(w->task);
	w->task = NULL;
}

static void worker_finish(struct rtk_worker *w)
{
	worker_join(w);
	worker_close_lanes(w);
	/* A run that is stopped during warm-up ends before its window begins. */
	w->ended_mono = min_t(u64, w->c.end, ktime_get());
	/* Pairs with rtk_worker_closed(): who sees it sees the final ledger. */
	smp_store_release(&w->closed, true);
}

/* Waits until all have left, in the time that one gets. */
static void workers_await(struct rtk_worker **w, unsigned int n)
{
	unsigned long end = jiffies + WORKER_GRACE;
	unsigned int i;

	for (i = 0; i < n; i++)
		if (w[i]->task &&
		    !wait_for_completion_timeout(&w[i]->gone, time_left(end)))
			rtk_task_fetch(w[i]->task, w[i]->c.cpu);
}

void rtk_workers_close(struct rtk_worker **w, unsigned int n)
{
	unsigned int i;

	/*
	 * All windows first, so that they end together; and no wait is one CPU's
	 * alone, or the waits for many starved CPUs add up.
	 */
	workers_end_windows(w, n);
	for (i = 0; i < n; i++)
		worker_disarm(w[i]);
	rtk_readers_stop(w, n);
	for (i = 0; i < n; i++)
		worker_quit(w[i]);
	workers_await(w, n);
	for (i = 0; i < n; i++)
		if (!w[i]->closed)
			worker_finish(w[i]);
}
