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
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/pid.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/wait.h>

#include "internal.h"

/* How long the end of a run waits for a reader that is in user space, ms. */
#define READER_TIMEOUT	100

/**
 * struct rtk_reader - an open file
 * @inst: test
 * @cpu: CPU
 * @busy: held by a read; a second one is refused
 * @run: run that it is part of, or NULL
 * @w: its CPU there
 * @sequence: activations handed out
 */
struct rtk_reader {
	struct rtk_inst *inst;
	int cpu;
	/* One read at a time. */
	struct mutex busy;
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

	init_waitqueue_head(&w->left);
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
	w->c.waiter = w->reader;
}

/* The same; what was outstanding is missed, what comes now isn't expected. */
static void reader_leave(void *data)
{
	struct rtk_worker *w = data;
	u64 fired = reader_lane(w, RTK_SERIES_HARDIRQ)->next;
	unsigned int i;

	w->c.waiter = NULL;
	for (i = 0; i < RTK_SERIES_MAX; i++) {
		struct rtk_lane *lane = w->c.lane[i];

		if (!lane_is_readers(lane))
			continue;
		lane->missed += rtk_lane_points(lane, lane->next, fired);
		lane->expected += rtk_lane_points(lane, w->c.first, fired);
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

/* rtk_lock held. */
static int reader_check(struct rtk_reader *r, struct rtk_err *err)
{
	struct rtk_inst *inst = r->inst;
	struct rtk_worker *w;

	if (inst->dead)
		return -ENODEV;
	if (inst->state != RTK_STATE_RUNNING)
		return -EAGAIN;
	w = reader_find(r);
	if (!w)
		return rtk_fail(err, -ENODEV, "CPU %d is not in the run", r->cpu);
	if (!rtk_reader_wanted(w))
		return rtk_fail(err, -EINVAL, "the run has no readers: start it with user=1");
	if (!reader_pinned(r))
		return rtk_fail(err, -EINVAL,
				"the reader of CPU %d must be pinned to it alone: taskset -c %d",
				r->cpu, r->cpu);
	if (w->reader)
		return rtk_fail(err, -EBUSY, "CPU %d has a reader: pid %d", r->cpu,
				task_pid_nr(w->reader));
	if (!READ_ONCE(w->is_armed) || w->stopped)
		return -EAGAIN;
	return 0;
}

static int reader_join(struct rtk_reader *r)
{
	struct rtk_err err = {};
	int rc;

	if (!capable(CAP_SYS_ADMIN))
		return -EPERM;
	mutex_lock(&rtk_lock);
	rc = reader_check(r, &err);
	if (!rc) {
		r->run = r->inst->run;
		r->w = reader_find(r);
		kref_get(&r->run->ref);
		r->w->reader = get_task_struct(current);
		r->sequence = 0;
		r->w->user_planned = 0;
		rc = smp_call_function_single(r->cpu, reader_enter, r->w, 1);
	}
	if (err.text[0])
		r->inst->last_error = err;
	mutex_unlock(&rtk_lock);
	return rc;
}

/* Not by a reader that is inside. */
static void reader_part(struct rtk_reader *r)
{
	struct rtk_worker *w = r->w;

	if (!w)
		return;
	mutex_lock(&rtk_lock);
	/* After the end, lanes are final. */
	if (!w->stopped)
		smp_call_function_single(r->cpu, reader_leave, w, 1);
	put_task_struct(w->reader);
	w->reader = NULL;
	mutex_unlock(&rtk_lock);
	rtk_run_put(r->run);
	r->run = NULL;
	r->w = NULL;
}

void rtk_reader_free(struct rtk_reader *r)
{
	reader_part(r);
	rtk_inst_put(r->inst);
	kfree(r);
}

/* The way through user space ends here, for the activation handed out last. */
static void reader_back(struct rtk_worker *w, u64 entry)
{
	struct rtk_lane *lane = reader_lane(w, RTK_SERIES_USER);
	struct rtk_cpu *c = &w->c;
	u64 next = w->user_planned;

	if (!next)
		return;
	if (rtk_record(lane, entry - next, entry))
		next += c->period;
	rtk_missed(lane, rtk_lane_points(lane, next, w->user_next));
	lane->next = w->user_next;
	WRITE_ONCE(w->user_planned, 0);
}

/* One activation; 0 when the run is over. */
static int reader_serve(struct rtk_worker *w)
{
	struct rtk_lane *thread = reader_lane(w, RTK_SERIES_THREAD);
	struct rtk_cpu *c = &w->c;

	for (;;) {
		set_current_state(TASK_INTERRUPTIBLE);
		/* Also the wake-up that is outstanding when the run is stopped. */
		if (!READ_ONCE(c->pending)) {
			if (READ_ONCE(w->stopped) || signal_pending(current))
				break;
			schedule();
		}
		__set_current_state(TASK_RUNNING);
		if (!READ_ONCE(c->pending))
			continue;
		/* Before the work, or a wake-up during it is lost. */
		WRITE_ONCE(c->pending, false);
		w->inst->test->thread(c);
		if (!c->stamp)
			continue;
		w->user_next = thread->next;
		WRITE_ONCE(w->user_planned, c->served);
		return 1;
	}
	__set_current_state(TASK_RUNNING);
	return READ_ONCE(w->stopped) ? 0 : -ERESTARTSYS;
}

/*
 * Between these two the run's end waits for the reader. False: the lanes are
 * final, hands off.
 */
static bool reader_begin(struct rtk_worker *w)
{
	atomic_inc(&w->inside);
	/*
	 * Either this sees that it is stopped, or rtk_reader_stop() sees that
	 * somebody is inside. Pairs with the barrier there.
	 */
	smp_mb__after_atomic();
	return !READ_ONCE(w->stopped);
}

static void reader_end(struct rtk_worker *w)
{
	/* A full barrier: what was written to lanes is seen by who waits. */
	if (!atomic_dec_return(&w->inside) && READ_ONCE(w->stopped))
		wake_up_all(&w->left);
}

/* In a run; the reader's busy is held. */
static int reader_next(struct rtk_reader *r, struct rtk_wait *wait, u64 entry)
{
	struct rtk_worker *w = r->w;
	int rc = 0;

	if (reader_begin(w)) {
		reader_back(w, entry);
		rc = reader_serve(w);
	}
	if (rc > 0) {
		wait->sequence = r->sequence++;
		wait->planned = w->c.served;
		wait->thread = w->c.stamp;
	}
	reader_end(w);
	return rc;
}

static int reader_wait(struct rtk_reader *r, struct rtk_wait *wait, u64 entry)
{
	int rc;

	if (!r->w) {
		rc = reader_join(r);
		if (rc)
			return rc;
	}
	if (READ_ONCE(r->w->reader) != current)
		return -EBUSY;
	rc = reader_pinned(r) ? reader_next(r, wait, entry) : -EINVAL;
	/* The run is over, or it went to another CPU: that ends its series. */
	if (!rc || rc == -EINVAL)
		reader_part(r);
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

/* Lets a reader that has an activation come back with it. */
static void reader_await_back(struct rtk_worker *w)
{
	int tries = READER_TIMEOUT;

	while (READ_ONCE(w->reader) && READ_ONCE(w->user_planned) && --tries)
		usleep_range(1000, 1200);
}

void rtk_reader_stop(struct rtk_worker *w)
{
	if (!rtk_reader_wanted(w))
		return;
	reader_await_back(w);
	mutex_lock(&rtk_lock);
	WRITE_ONCE(w->stopped, true);
	/* Pairs with the barrier in reader_begin(). */
	smp_mb();
	if (w->reader)
		wake_up_process(w->reader);
	mutex_unlock(&rtk_lock);
	wait_event(w->left, !atomic_read(&w->inside));
	w->c.waiter = NULL;
}
