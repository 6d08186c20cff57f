// SPDX-License-Identifier: GPL-2.0
/*
 * Programs that take the place of the measuring thread: readers of
 * per_cpu/cpuN/wait.
 *
 * A read blocks until the next activation and returns it. The thread's time is
 * taken inside read() right after the wake-up, the user's at the entry of the
 * next read(): one way back to user space, through the program's loop, and into
 * the kernel again. The kernel cannot see the return itself.
 *
 * The reader is the one writer of the lanes thread and user of its CPU, so it
 * must be pinned there. These lanes count from its first read to its end.
 */
#include <linux/capability.h>
#include <linux/delay.h>
#include <linux/pid.h>
#include <linux/preempt.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/slab.h>
#include <linux/smp.h>

#include "internal.h"

/* How long the end of a run waits for readers that are in user space, ms. */
#define READER_TIMEOUT	100

/**
 * struct rtk_reader - an open file
 * @inst: test
 * @cpu: CPU
 * @busy: held by a read; a second one is refused
 * @task: who reads, if it is part of a run; changes under rtk_lock
 * @run: run that it is part of, or NULL; rtk_lock
 * @w: its CPU there; a change takes @busy or the end of the file, and rtk_lock
 * @sequence: activations handed out
 */
struct rtk_reader {
	struct rtk_inst *inst;
	int cpu;
	/* One read at a time. */
	struct mutex busy;
	struct task_struct *task;
	struct rtk_run *run;
	struct rtk_worker *w;
	u64 sequence;
};

static bool lane_is_readers(const struct rtk_lane *lane)
{
	return lane && lane->series->flags & (RTK_SERIES_THREAD | RTK_SERIES_USER);
}

static struct rtk_lane *reader_lane(const struct rtk_worker *w, unsigned int flag)
{
	unsigned int i;

	for (i = 0; i < RTK_SERIES_MAX; i++)
		if (w->c.lane[i] && w->c.lane[i]->series->flags & flag)
			return w->c.lane[i];
	return NULL;
}

bool rtk_reader_wanted(const struct rtk_worker *w)
{
	return reader_lane(w, RTK_SERIES_USER);
}

void rtk_reader_init(struct rtk_worker *w)
{
	unsigned int i;

	if (!rtk_reader_wanted(w))
		return;
	for (i = 0; i < RTK_SERIES_MAX; i++)
		if (lane_is_readers(w->c.lane[i]))
			w->c.lane[i]->from = U64_MAX;
}

struct rtk_reader *rtk_reader_new(struct rtk_inst *inst, int cpu)
{
	struct rtk_reader *r = kzalloc(sizeof(*r), GFP_KERNEL);

	if (!r)
		return NULL;
	kref_get(&inst->ref);
	r->inst = inst;
	r->cpu = cpu;
	mutex_init(&r->busy);
	return r;
}

/* On the CPU, interrupts off: the handler sees a reader or none. */
static void reader_enter(void *data)
{
	struct rtk_worker *w = data;
	u64 fired = reader_lane(w, RTK_SERIES_HARDIRQ)->next;
	unsigned int i;

	for (i = 0; i < RTK_SERIES_MAX; i++) {
		struct rtk_lane *lane = w->c.lane[i];

		if (!lane_is_readers(lane))
			continue;
		lane->next = fired;
		WRITE_ONCE(lane->from, fired);
	}
	w->c.pending = false;
	w->c.waiter = w->reader->task;
}

/* The same; what was outstanding is missed, what comes now isn't expected. */
static void reader_leave(void *data)
{
	struct rtk_worker *w = data;
	u64 fired = reader_lane(w, RTK_SERIES_HARDIRQ)->next;
	unsigned int i;

	w->c.waiter = NULL;
	w->c.pending = false;
	for (i = 0; i < RTK_SERIES_MAX; i++) {
		struct rtk_lane *lane = w->c.lane[i];

		if (!lane_is_readers(lane))
			continue;
		lane->missed += rtk_lane_points(lane, lane->next, fired);
		lane->expected += rtk_lane_points(lane, w->c.first, fired);
		lane->next = fired;
		WRITE_ONCE(lane->from, U64_MAX);
	}
}

/* May the caller be the reader of this CPU? */
static bool reader_pinned(const struct rtk_reader *r)
{
	return current->nr_cpus_allowed == 1 && raw_smp_processor_id() == r->cpu;
}

static struct rtk_worker *reader_find(const struct rtk_reader *r)
{
	struct rtk_run *run = r->inst->run;
	unsigned int i;

	for (i = 0; i < run->n; i++)
		if (run->w[i]->c.cpu == r->cpu)
			return run->w[i];
	return NULL;
}

/* Ends its part in a run, if it has one; rtk_lock held, and no read inside. */
static void reader_part(struct rtk_reader *r)
{
	struct rtk_worker *w = r->w;

	if (!w)
		return;
	/* After the end, lanes are final. */
	if (!w->stopped)
		smp_call_function_single(r->cpu, reader_leave, w, 1);
	w->reader = NULL;
	put_task_struct(r->task);
	rtk_run_put(r->run);
	r->run = NULL;
	r->w = NULL;
}

/*
 * A reader that died keeps its place while somebody else has its file open, a
 * child for instance. It makes room for a new one. rtk_lock held.
 */
static void reader_bury(struct rtk_reader *dead)
{
	if (!READ_ONCE(dead->task->exit_state) || !mutex_trylock(&dead->busy))
		return;
	reader_part(dead);
	mutex_unlock(&dead->busy);
}

/* May it join, and where? Makes room if it can. rtk_lock held. */
static int reader_check(struct rtk_reader *r, struct rtk_worker **where,
			struct rtk_err *err)
{
	struct rtk_inst *inst = r->inst;
	struct rtk_worker *w;

	if (inst->dead)
		return -ENODEV;
	if (inst->state != RTK_STATE_RUNNING)
		return -EAGAIN;
	w = reader_find(r);
	*where = w;
	if (!w)
		return rtk_fail(err, -ENODEV, "CPU %d is not in the run", r->cpu);
	if (!rtk_reader_wanted(w))
		return rtk_fail(err, -EINVAL, "the run has no readers: start it with user=1");
	if (!reader_pinned(r))
		return rtk_fail(err, -EINVAL,
				"the reader of CPU %d must be pinned to it alone: taskset -c %d",
				r->cpu, r->cpu);
	if (!READ_ONCE(w->is_armed) || w->stopped)
		return -EAGAIN;
	if (w->reader)
		reader_bury(w->reader);
	if (w->reader)
		return rtk_fail(err, -EBUSY, "CPU %d has a reader: pid %d", r->cpu,
				task_pid_nr(w->reader->task));
	return 0;
}

static int reader_join(struct rtk_reader *r)
{
	struct rtk_err err = {};
	struct rtk_worker *w;
	int rc;

	if (!capable(CAP_SYS_ADMIN))
		return -EPERM;
	mutex_lock(&rtk_lock);
	rc = reader_check(r, &w, &err);
	if (!rc) {
		r->run = r->inst->run;
		r->w = w;
		kref_get(&r->run->ref);
		r->task = get_task_struct(current);
		w->reader = r;
		r->sequence = 0;
		w->user_planned = 0;
		/* It is ours, so it is online. */
		smp_call_function_single(r->cpu, reader_enter, w, 1);
	}
	if (err.text[0])
		r->inst->last_error = err;
	mutex_unlock(&rtk_lock);
	return rc;
}

static void reader_leave_run(struct rtk_reader *r)
{
	mutex_lock(&rtk_lock);
	reader_part(r);
	mutex_unlock(&rtk_lock);
}

void rtk_reader_free(struct rtk_reader *r)
{
	reader_leave_run(r);
	rtk_inst_put(r->inst);
	kfree(r);
}

/*
 * Between these two the lanes and the test are the reader's, and the run's end
 * waits for it. Preemption is off, so that this wait is short whatever else runs
 * on the CPU, and so that the reader stays there. False: hands off; it is not on
 * its CPU, or the lanes are final.
 */
static bool reader_begin(struct rtk_worker *w)
{
	preempt_disable();
	atomic_inc(&w->inside);
	/*
	 * Either this sees that it is stopped, or rtk_readers_stop() sees that
	 * somebody is inside. Pairs with the barrier there.
	 */
	smp_mb__after_atomic();
	return !READ_ONCE(w->stopped) && raw_smp_processor_id() == w->c.cpu;
}

static void reader_end(struct rtk_worker *w)
{
	/* What was written to lanes is seen by who waits. */
	smp_mb__before_atomic();
	atomic_dec(&w->inside);
	preempt_enable();
}

/* The way through user space ends here, for the activation handed out last. */
static void reader_back(struct rtk_worker *w, u64 entry)
{
	struct rtk_lane *lane = reader_lane(w, RTK_SERIES_USER);
	u64 next = w->user_planned;

	if (!next)
		return;
	if (reader_begin(w)) {
		if (rtk_record(lane, entry - next, entry))
			next += w->c.period;
		rtk_missed(lane, rtk_lane_points(lane, next, w->user_next));
		lane->next = w->user_next;
	}
	reader_end(w);
	WRITE_ONCE(w->user_planned, 0);
}

/*
 * Serves what is pending: 1 and the activation, 0 if it was nothing that counts,
 * -EINVAL if the reader was moved to another CPU or the run is over.
 */
static int reader_take(struct rtk_worker *w, struct rtk_wait *wait)
{
	struct rtk_lane *thread = reader_lane(w, RTK_SERIES_THREAD);
	struct rtk_cpu *c = &w->c;
	int rc = -EINVAL;

	if (reader_begin(w)) {
		/* Before the work, or a wake-up during it is lost. */
		WRITE_ONCE(c->pending, false);
		w->inst->test->thread(c);
		rc = !!c->stamp;
		if (rc) {
			wait->planned = c->served;
			wait->thread = c->stamp;
			w->user_next = thread->next;
			WRITE_ONCE(w->user_planned, c->served);
		}
	}
	reader_end(w);
	return rc;
}

/* One activation; 0 when the run is over. */
static int reader_serve(struct rtk_worker *w, struct rtk_wait *wait)
{
	int rc = 0;

	for (;;) {
		set_current_state(TASK_INTERRUPTIBLE);
		if (READ_ONCE(w->stopped))
			break;
		if (!READ_ONCE(w->c.pending)) {
			rc = signal_pending(current) ? -ERESTARTSYS : 0;
			if (rc)
				break;
			schedule();
			continue;
		}
		__set_current_state(TASK_RUNNING);
		rc = reader_take(w, wait);
		if (rc)
			break;
	}
	__set_current_state(TASK_RUNNING);
	return READ_ONCE(w->stopped) && rc <= 0 ? 0 : rc;
}

static int reader_wait(struct rtk_reader *r, struct rtk_wait *wait, u64 entry)
{
	int rc;

	/* Whoever has inherited the file of a dead one begins anew. */
	if (r->w && READ_ONCE(r->task->exit_state))
		reader_leave_run(r);
	if (!r->w) {
		rc = reader_join(r);
		if (rc)
			return rc;
	}
	if (r->task != current)
		return -EBUSY;
	rc = -EINVAL;
	if (reader_pinned(r)) {
		reader_back(r->w, entry);
		rc = reader_serve(r->w, wait);
	}
	if (rc > 0)
		wait->sequence = r->sequence++;
	/* The run is over, or it went to another CPU: that ends its series. */
	if (!rc || rc == -EINVAL)
		reader_leave_run(r);
	return rc;
}

int rtk_reader_wait(struct rtk_reader *r, struct rtk_wait *wait)
{
	u64 entry = ktime_get();
	int rc;

	if (!mutex_trylock(&r->busy))
		return -EBUSY;
	rc = reader_wait(r, wait, entry);
	mutex_unlock(&r->busy);
	return rc;
}

/* Is it with something outstanding, which it should come back with? */
static bool reader_is_out(const struct rtk_worker *w)
{
	return !w->stopped && READ_ONCE(w->reader) &&
	       (READ_ONCE(w->user_planned) || READ_ONCE(w->c.pending));
}

/* Lets readers take what is outstanding, and come back with it. */
static void readers_await(struct rtk_worker **w, unsigned int n)
{
	int tries = READER_TIMEOUT;
	unsigned int i;

	for (i = 0; i < n; i++)
		while (reader_is_out(w[i]) && tries-- > 0)
			usleep_range(1000, 1200);
}

static void reader_stop(struct rtk_worker *w)
{
	mutex_lock(&rtk_lock);
	WRITE_ONCE(w->stopped, true);
	/* Pairs with the barrier in reader_begin(). */
	smp_mb();
	if (w->reader)
		wake_up_process(w->reader->task);
	mutex_unlock(&rtk_lock);
	/* Not preemptible, so not long; acquire: its lanes are final. */
	while (atomic_read_acquire(&w->inside))
		cpu_relax();
	w->c.waiter = NULL;
	w->c.pending = false;
}

void rtk_readers_stop(struct rtk_worker **w, unsigned int n)
{
	unsigned int i;

	/* With user=1 each CPU has them, or none. */
	if (!n || !rtk_reader_wanted(w[0]))
		return;
	readers_await(w, n);
	for (i = 0; i < n; i++)
		reader_stop(w[i]);
}
