// SPDX-License-Identifier: GPL-2.0
/* The tasks high and middle, their beginning and their end. */
#include <errno.h>
#include <string.h>
#include <time.h>

#include "rheal.h"

/* Locked memory, too. */
#define STACK_SIZE (128 * 1024)

static void *work(void *arg)
{
	struct rheal_task *task = arg;
	int err;

	for (;;) {
		while (sem_wait(&task->go))
			;
		if (atomic_load(&task->h->quit))
			return NULL;
		err = task->job(task->h);
		if (err)
			atomic_store(&task->h->failed, err);
		sem_post(&task->h->idle);
	}
}

/* On low's CPU, since that is inherited. */
static int create(struct rheal *h, struct rheal_task *task, int priority,
		  const char *name)
{
	struct sched_param param = { .sched_priority = priority };
	pthread_attr_t attr;
	int err;

	task->h = h;
	sem_init(&task->go, 0, 0);
	err = pthread_attr_init(&attr);
	if (err)
		return err;
	pthread_attr_setinheritsched(&attr, PTHREAD_EXPLICIT_SCHED);
	pthread_attr_setschedpolicy(&attr, priority ? SCHED_FIFO : SCHED_OTHER);
	pthread_attr_setschedparam(&attr, &param);
	pthread_attr_setstacksize(&attr, STACK_SIZE);
	err = pthread_create(&task->thread, &attr, work, task);
	pthread_attr_destroy(&attr);
	task->created = !err;
	if (!err)
		pthread_setname_np(task->thread, name);
	return err;
}

int rheal_prepare_tasks(struct rheal *h)
{
	int priority = (int)h->c->common->priority, err;

	sem_init(&h->idle, 0, 0);
	err = create(h, &h->high, priority, "rheal-high");
	if (!err)
		err = create(h, &h->middle, priority - 1, "rheal-middle");
	if (!err)
		err = create(h, &h->clerk, 0, "rheal-clerk");
	if (!err)
		return 0;
	rheal_end_tasks(h);
	return rtk_ucpu_fail(h->c, -err,
			     "no task with a real-time priority: %s",
			     strerror(err));
}

static void end(struct rheal_task *task)
{
	struct timespec until;

	if (!task->created)
		return;
	atomic_store(&task->h->quit, true);
	sem_post(&task->go);
	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_sec += RHEAL_SETTLE_S;
	if (pthread_clockjoin_np(task->thread, NULL, CLOCK_MONOTONIC, &until)) {
		if (!task->h->c->error[0])
			rtk_ucpu_fail(task->h->c, -ETIMEDOUT,
				      "a task does not end: something of a higher priority keeps the CPU");
		/* What it may still use stays. */
		task->h->c->priv = NULL;
	}
	task->created = false;
}

void rheal_end_tasks(struct rheal *h)
{
	end(&h->high);
	end(&h->middle);
	end(&h->clerk);
}

int rheal_priority(struct rheal *h, int below)
{
	struct sched_param param = { .sched_priority = h->c->priority - below };
	int err;

	err = pthread_setschedparam(pthread_self(), h->c->policy, &param);
	if (!err)
		return 0;
	return rtk_ucpu_fail(h->c, -err, "priority %d: %s",
			     param.sched_priority, strerror(err));
}

void rheal_begin(struct rheal_task *task, int (*job)(struct rheal *h))
{
	task->job = job;
	sem_post(&task->go);
}

int rheal_settle(struct rheal *h, int n, __s64 seconds)
{
	struct timespec until;

	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_sec += seconds;
	for (; n; n--) {
		while (sem_clockwait(&h->idle, CLOCK_MONOTONIC, &until)) {
			if (errno != EINTR)
				return rtk_ucpu_fail(h->c, -ETIMEDOUT,
						     "a task is not ready after %lld s",
						     seconds);
		}
	}
	return 0;
}
