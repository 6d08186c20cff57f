/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The tasks, stamps and sums of the test rhealstone. For rheal_*.c and
 * utest_rhealstone.c.
 *
 * There are three tasks on one CPU: low is the measured thread of the engine, which
 * records, too; middle and high wait for a job, and so does a clerk elsewhere. Only
 * low goes from step to step, and it never waits for the others within one: where
 * they do not run, as while real-time throttling holds all of them up, its stamps
 * say so.
 *
 * Stamps are the processor's counter, and not a clock: reading it takes the same
 * few nanoseconds whatever the clock source is (a clock that is no counter takes a
 * system call, longer than what is measured), and all are read on one CPU, so that
 * they are in order.
 */
#ifndef RTK_RHEAL_H
#define RTK_RHEAL_H

#include <mqueue.h>
#include <pthread.h>
#include <semaphore.h>

#include "ticks.h"
#include "utest.h"

/* Series, and their order. */
enum rheal_series {
	RHEAL_SWITCH,
	RHEAL_PREEMPTION,
	RHEAL_INTERRUPT,
	RHEAL_INTERRUPT_IPI,
	RHEAL_SEMAPHORE,
	RHEAL_DEADLOCK,
	RHEAL_MESSAGE_MQ,
	RHEAL_MESSAGE_PIPE,
	RHEAL_MESSAGE_EVENTFD,
	RHEAL_SERIES,
};

extern const struct rtk_useries rheal_series[RHEAL_SERIES];

/*
 * Times that a primitive's own cost is measured, for the median. Odd, and not so
 * many that sorting them takes memory.
 */
#define RHEAL_COSTS 101
/* Steps or calls at the beginning that are not recorded. */
#define RHEAL_WARM 20

/* A job ends within microseconds; throttling may add a second. */
#define RHEAL_SETTLE_S 5

/**
 * struct rheal_config - parameters
 * @loops: samples of each series in a run
 * @runs: how often all is measured
 * @only: words of what is measured, separated by commas; empty for all
 */
struct rheal_config {
	__s64 loops;
	__s64 runs;
	char only[RTK_USTRING];
};

/**
 * struct rheal_sum - what became of a series
 * @n: samples
 * @raw_ps: their sum
 * @cost_ps: sum of what was subtracted
 * @run_n: samples of this run
 * @run_ps: their sum, after subtraction
 * @out_of_order: samples whose stamps are in a wrong order; not recorded
 * @missed: interrupts that did not come, since those before were so late
 */
struct rheal_sum {
	__u64 n;
	__s64 raw_ps;
	__s64 cost_ps;
	__u64 run_n;
	__s64 run_ps;
	__u64 out_of_order;
	__u64 missed;
};

/**
 * struct rheal_events - what happens in a step, as stamps; 0 has not happened
 * @before: low, before it lets the others run
 * @lock: high, before it asks for what low holds
 * @unlock: low, before it gives it
 * @high: high, its first instruction after it was let run
 * @middle: middle, likewise
 * @after: low, after it has let the others run
 */
struct rheal_events {
	__u64 before;
	__u64 lock;
	__u64 unlock;
	__u64 high;
	__u64 middle;
	__u64 after;
};

struct rheal;

/**
 * struct rheal_kind - one of the values
 * @series: where the samples go
 * @peer: low has the priority of high
 * @broken: a deadlock is broken: middle takes part
 * @bare: the primitive alone, in one task, with nobody who waits
 * @send: low lets high run
 * @wait: high waits for that, sets events.high; 0 or an errno
 */
struct rheal_kind {
	enum rheal_series series;
	bool peer;
	bool broken;
	void (*bare)(struct rheal *h);
	void (*send)(struct rheal *h);
	int (*wait)(struct rheal *h);
};

extern const struct rheal_kind rheal_switch;
extern const struct rheal_kind rheal_preemption;
extern const struct rheal_kind rheal_semaphore;
extern const struct rheal_kind rheal_deadlock;
extern const struct rheal_kind rheal_message_mq;
extern const struct rheal_kind rheal_message_pipe;
extern const struct rheal_kind rheal_message_eventfd;

/**
 * struct rheal_task - a task that waits for jobs
 * @h: all of it
 * @thread: thread
 * @created: it is there
 * @go: @job is to be done
 * @job: what it does until the end of a series; 0 or an errno
 */
struct rheal_task {
	struct rheal *h;
	pthread_t thread;
	bool created;
	sem_t go;
	int (*job)(struct rheal *h);
};

/**
 * struct rheal - a CPU's part of a run
 * @c: the engine's view
 * @asked: bit for each series that is measured
 * @ps_per_tick: of the counter
 * @high: task
 * @middle: task
 * @clerk: one of no priority; it takes memory, and does what may take long
 * @idle: a task has done its job
 * @over: the jobs are to end
 * @quit: the tasks are
 * @failed: why a job could not go on
 * @kind: what is measured now
 * @e: events of this step
 * @message: what is sent in it
 * @got: what high has received
 * @word: futex of preemption: another number in each step
 * @seen: its value when high was woken last
 * @wake: high blocks on it
 * @ready: middle blocks on it
 * @nobody: nobody does
 * @lock: with priority inheritance
 * @mq_in: message queue, end of high; it blocks
 * @mq_out: end of low, which does not
 * @pipe: likewise, by index 0 and 1
 * @event: eventfd
 * @sum: by series
 * @costs: for the median
 * @selfirq: interrupts come from the module's test; meaningless before the first
 * @source_known: not before the first any more
 * @no_selfirq: -errno where that failed
 * @why: how
 */
struct rheal {
	struct rtk_ucpu *c;
	unsigned int asked;
	double ps_per_tick;
	struct rheal_task high;
	struct rheal_task middle;
	struct rheal_task clerk;
	sem_t idle;
	atomic_bool over;
	atomic_bool quit;
	atomic_int failed;
	const struct rheal_kind *kind;
	struct rheal_events e;
	__u64 message;
	__u64 got;
	atomic_uint word;
	unsigned int seen;
	sem_t wake;
	sem_t ready;
	sem_t nobody;
	pthread_mutex_t lock;
	mqd_t mq_in;
	mqd_t mq_out;
	int pipe[2];
	int event;
	struct rheal_sum sum[RHEAL_SERIES];
	__u64 costs[RHEAL_COSTS];
	bool selfirq;
	bool source_known;
	int no_selfirq;
	char why[160];
};

/**
 * rheal_set() - tell another task
 * @field: events, or @got
 * @value: value
 */
static inline void rheal_set(__u64 *field, __u64 value)
{
	__atomic_store_n(field, value, __ATOMIC_RELAXED);
}

/**
 * rheal_get() - what another task has told
 * @field: events, or @got
 *
 * Return: value
 */
static inline __u64 rheal_get(const __u64 *field)
{
	return __atomic_load_n(field, __ATOMIC_RELAXED);
}

/**
 * rheal_inside() - did high run inside of low's section?
 * @e: events
 *
 * Return: yes or no
 */
static inline bool rheal_inside(const struct rheal_events *e)
{
	return e->before <= e->high && e->high <= e->after;
}

/**
 * rheal_unlocked() - did high get what low held, before middle ran?
 * @e: events
 *
 * Return: yes or no
 */
static inline bool rheal_unlocked(const struct rheal_events *e)
{
	return e->before <= e->lock && e->lock <= e->unlock &&
	       e->unlock <= e->high && e->high <= e->middle &&
	       e->middle <= e->after;
}

/**
 * rheal_only() - which series are asked for
 * @text: parameter only
 * @asked: set: a bit for each series
 *
 * Prints its error.
 *
 * Return: 0 or -EINVAL
 */
int rheal_only(const char *text, unsigned int *asked);

/**
 * rheal_prepare_tasks() - all but low, without a job
 * @h: @c is set
 *
 * Return: 0 or -errno, explained in @c
 */
int rheal_prepare_tasks(struct rheal *h);

/**
 * rheal_end_tasks() - their end
 * @h: prepared, in part at least; they have no job
 */
void rheal_end_tasks(struct rheal *h);

/**
 * rheal_priority() - the priority of the calling thread
 * @h: prepared
 * @below: how far below that of high
 *
 * Return: 0 or -errno, explained in @c
 */
int rheal_priority(struct rheal *h, int below);

/**
 * rheal_begin() - a task gets a job
 * @task: task; not low
 * @job: job
 */
void rheal_begin(struct rheal_task *task, int (*job)(struct rheal *h));

/**
 * rheal_settle() - wait until tasks have done their jobs
 * @h: their jobs are over, or will be at once
 * @n: how many
 * @seconds: no longer than that
 *
 * Return: 0 or -errno, explained in @c
 */
int rheal_settle(struct rheal *h, int n, __s64 seconds);

/**
 * rheal_prepare_objects() - what tasks wait for each other with
 * @h: @c is set
 *
 * Return: 0 or -errno, explained in @c
 */
int rheal_prepare_objects(struct rheal *h);

/**
 * rheal_end_objects() - paired with rheal_prepare_objects(), also if that failed
 * @h: no task uses them any more
 */
void rheal_end_objects(struct rheal *h);

/**
 * rheal_measure() - the samples of a value in this run
 * @h: prepared; the calling thread is low
 * @kind: value
 *
 * Return: 0 or -errno, explained in @c
 */
int rheal_measure(struct rheal *h, const struct rheal_kind *kind);

/**
 * rheal_selfirq_bound() - a job of that takes no longer
 * @h: prepared
 *
 * Return: seconds
 */
__s64 rheal_selfirq_bound(const struct rheal *h);

/**
 * rheal_interrupt() - the samples of interrupt, and interrupt_ipi where it can be
 * @h: prepared; the calling thread is low
 *
 * Return: 0 or -errno, explained in @c
 */
int rheal_interrupt(struct rheal *h);

/**
 * rheal_selfirq() - these from the module's test selfirq; a job
 * @h: prepared; @no_selfirq and @why are set: there is no such test, or it can not
 *	run now; all is well where the run was stopped
 *
 * Return: 0
 */
int rheal_selfirq(struct rheal *h);

/**
 * rheal_signal() - these from a timer that sends a signal
 * @h: prepared; the calling thread has no real-time signal that it waits for
 *
 * Return: 0 or -errno, explained in @c
 */
int rheal_signal(struct rheal *h);

/**
 * rheal_median() - the middle one
 * @v: values; sorted
 * @n: their number, odd
 *
 * Return: median
 */
__u64 rheal_median(__u64 *v, size_t n);

/**
 * rheal_record() - a sample
 * @h: prepared
 * @series: its series
 * @raw_ps: as measured
 * @cost_ps: what the primitive alone takes
 */
void rheal_record(struct rheal *h, enum rheal_series series, __s64 raw_ps,
		  __s64 cost_ps);

/**
 * rheal_row() - the means of a run as a row of the engine's table
 * @h: its values are measured; the sums of the run begin anew
 * @run: its number, from 1
 */
void rheal_row(struct rheal *h, __s64 run);

/**
 * rheal_composite() - the one number that stands for the six values
 * @ps: six means
 *
 * Return: mean of 1/t with t in seconds, NAN where one is not above 0
 */
double rheal_composite(const double *ps);

/**
 * rheal_collect() - tables, values and notes
 * @c: its run is over
 * @e: they are added
 */
void rheal_collect(const struct rtk_ucpu *c, struct rtk_extra *e);

#endif
