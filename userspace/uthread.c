// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#include "ucpus.h"
#include "uthread.h"

/* Locked memory, and touched before the measurement. */
#define STACK_SIZE (256 * 1024)
#define STACK_USED (64 * 1024)
/* A thread that does not get to run for so long is kept from its CPU. */
#define READY_S 20
/* One that has been told to end does so within milliseconds. */
#define JOIN_S 10

int rtk_ucpu_fail(struct rtk_ucpu *c, int err, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(c->error, sizeof(c->error), fmt, ap);
	va_end(ap);
	return err;
}

void rtk_ucpu_record(struct rtk_ucpu *c, size_t series, __s64 value)
{
	struct rtk_ulane *lane = &c->lane[series];

	rtk_ulane_add(lane, value);
	if (lane->outliers && c->common->stop_on_threshold)
		atomic_store_explicit(c->stop, true, memory_order_relaxed);
}

static __attribute__((noinline)) void touch_stack(void)
{
	char stack[STACK_USED];

	memset(stack, 0, sizeof(stack));
	__asm__ volatile("" : : "r"(stack) : "memory");
}

static int prepare_memory(struct rtk_uthread *t)
{
	const struct rtk_utest *u = t->team->test;
	struct rtk_ucpu *c = &t->c;
	__u64 total = 0;
	int err = 0;
	size_t i;

	for (i = 0; !err && i < u->n_series; i++)
		err = rtk_ulane_init(&c->lane[i], c->cpu,
				     u->series[i].is_signed, INT64_MAX);
	if (!err && u->total && c->common->duration_ms < 0)
		total = u->total(c->config);
	if (!err)
		err = rtk_urows_init(&t->rows, u->columns, total);
	if (!err && u->cpu_size) {
		c->priv = malloc(u->cpu_size);
		if (c->priv)
			memset(c->priv, 0, u->cpu_size);
		else
			err = -ENOMEM;
	}
	if (err)
		return rtk_ucpu_fail(c, err,
				     "not enough memory that can be locked");
	return 0;
}

/* On the series asked for, or the last one that the test does not leave out. */
static int place_limit(struct rtk_uthread *t)
{
	const struct rtk_ucommon *common = t->c.common;
	size_t i = common->threshold_index;

	if (t->c.lane[i].off && *common->threshold_series)
		return rtk_ucpu_fail(&t->c, -EINVAL,
				     "threshold_series=%s: this run does not record it",
				     common->threshold_series);
	while (i && t->c.lane[i].off)
		i--;
	t->c.lane[i].limit = t->team->limit;
	return 0;
}

static int set_policy(struct rtk_uthread *t)
{
	const struct rtk_uteam *team = t->team;
	struct sched_param param = { .sched_priority = team->priority };

	t->c.policy = team->policy;
	t->c.priority = team->priority;
	if (team->policy == SCHED_OTHER ||
	    !sched_setscheduler(0, team->policy, &param))
		return 0;
	return rtk_ucpu_fail(&t->c, -errno, "sched_setscheduler: %s",
			     strerror(errno));
}

static int prepare(struct rtk_uthread *t)
{
	const struct rtk_utest *u = t->team->test;
	int err;

	/* Sleeps end when they should, not up to 50 us later. */
	prctl(PR_SET_TIMERSLACK, 1);
	touch_stack();
	err = prepare_memory(t);
	if (err)
		return err;
	err = u->prepare ? u->prepare(&t->c) : 0;
	if (err)
		return err;
	err = place_limit(t);
	if (!err)
		err = set_policy(t);
	if (err && u->unprepare)
		u->unprepare(&t->c);
	return err;
}

static void *work(void *arg)
{
	struct rtk_uthread *t = arg;
	struct rtk_uteam *team = t->team;
	int err;

	atomic_store(&t->tid, gettid());
	err = prepare(t);
	atomic_store(&t->error, err);
	sem_post(&team->ready);
	sem_wait(&team->go);
	if (!err && !atomic_load(&team->stop)) {
		rtk_ucpu_rests(&t->c, team);
		t->begin_ns = rtk_mono_ns();
		getrusage(RUSAGE_THREAD, &t->before);
		team->test->measure(&t->c);
		getrusage(RUSAGE_THREAD, &t->after);
		t->end_ns = rtk_mono_ns();
	}
	if (!err && team->test->unprepare)
		team->test->unprepare(&t->c);
	atomic_store(&t->over, true);
	return NULL;
}

/* Pinned from its first instruction on. */
static int create(struct rtk_uthread *t)
{
	pthread_attr_t attr;
	int err;

	err = pthread_attr_init(&attr);
	if (err)
		return -err;
	err = rtk_ucpus_attr(&attr, t->c.cpu);
	if (!err)
		err = pthread_attr_setstacksize(&attr, STACK_SIZE);
	if (!err)
		err = pthread_create(&t->thread, &attr, work, t);
	t->created = !err;
	pthread_attr_destroy(&attr);
	if (err == EINVAL)
		rtk_err("CPU %d: went offline, or is forbidden to this process",
			t->c.cpu);
	else if (err == EAGAIN)
		rtk_err("CPU %d: no memory for a thread that can be locked: raise ulimit -l, or ulimit -u",
			t->c.cpu);
	else if (err)
		rtk_err("CPU %d: %s", t->c.cpu, strerror(err));
	return -err;
}

static int add_threads(struct rtk_uteam *team, const struct rtk_cpuset *cpus)
{
	struct rtk_uthread *t;
	int cpu;

	/* All of the array before the first thread: it must not move then. */
	for (cpu = rtk_cpuset_next(cpus, 0); cpu >= 0;
	     cpu = rtk_cpuset_next(cpus, cpu + 1)) {
		t = rtk_grow(&team->v, &team->n, sizeof(*t));
		if (!t)
			return rtk_err_nomem();
		t->c.cpu = cpu;
		t->c.index = (unsigned int)team->n - 1;
	}
	for (t = team->v; t < team->v + team->n; t++) {
		t->team = team;
		t->c.n = (unsigned int)team->n;
		t->c.config = team->config;
		t->c.common = &team->common;
		t->c.pair = &team->pair;
		t->c.stop = &team->stop;
		t->c.rows = &t->rows;
	}
	return 0;
}

static int wait_ready(struct rtk_uteam *team)
{
	struct timespec until;
	size_t i;

	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_sec += READY_S;
	for (i = 0; i < team->n; i++) {
		if (!sem_clockwait(&team->ready, CLOCK_MONOTONIC, &until))
			continue;
		for (i = 0; i < team->n - 1 && team->v[i].tid; i++)
			;
		rtk_err("the thread of CPU %d is not ready after %d s: something of a higher priority keeps the CPU, or it wants more memory than can be had in that time",
			team->v[i].c.cpu, READY_S);
		return -ETIMEDOUT;
	}
	for (i = 0; i < team->n; i++) {
		if (!team->v[i].error)
			continue;
		rtk_err("CPU %d: %s", team->v[i].c.cpu, team->v[i].c.error);
		return team->v[i].error;
	}
	return 0;
}

int rtk_uteam_start(struct rtk_uteam *team, const struct rtk_cpuset *cpus)
{
	int err;
	size_t i;

	sem_init(&team->ready, 0, 0);
	sem_init(&team->go, 0, 0);
	err = add_threads(team, cpus);
	for (i = 0; !err && i < team->n; i++)
		err = create(&team->v[i]);
	return err ? err : wait_ready(team);
}

void rtk_uteam_go(struct rtk_uteam *team)
{
	size_t i;

	for (i = 0; i < team->n; i++)
		sem_post(&team->go);
}

bool rtk_uteam_over(const struct rtk_uteam *team)
{
	size_t i;

	for (i = 0; i < team->n; i++)
		if (!atomic_load(&team->v[i].over))
			return false;
	return true;
}

int rtk_uteam_moved(const struct rtk_uteam *team)
{
	const struct rtk_uthread *t;
	size_t i;

	for (i = 0; i < team->n; i++) {
		t = &team->v[i];
		if (t->c.lane[0].wrong_cpu ||
		    (!atomic_load(&t->over) &&
		     rtk_ucpus_moved(t->tid, t->c.cpu)))
			return t->c.cpu;
	}
	return -1;
}

static bool join_all(struct rtk_uteam *team)
{
	struct timespec until;
	bool all = true;
	size_t i;

	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_sec += JOIN_S;
	for (i = 0; i < team->n; i++) {
		if (!team->v[i].created)
			continue;
		if (pthread_clockjoin_np(team->v[i].thread, NULL,
					 CLOCK_MONOTONIC, &until))
			all = false;
		else
			team->v[i].created = false;
	}
	return all;
}

int rtk_uteam_join(struct rtk_uteam *team)
{
	size_t i;

	atomic_store(&team->stop, true);
	rtk_uteam_go(team);
	if (join_all(team))
		return 0;
	rtk_uteam_rescue();
	if (join_all(team))
		return 0;
	for (i = 0; i < team->n; i++)
		if (team->v[i].created)
			rtk_err("the thread of CPU %d does not end",
				team->v[i].c.cpu);
	return -ETIMEDOUT;
}

void rtk_uteam_free(struct rtk_uteam *team)
{
	struct rtk_uthread *t;
	size_t i;

	for (t = team->v; t < team->v + team->n; t++) {
		for (i = 0; i < team->test->n_series; i++)
			rtk_ulane_free(&t->c.lane[i]);
		rtk_urows_free(&t->rows);
		free(t->c.priv);
	}
	free(team->v);
	team->v = NULL;
	team->n = 0;
	sem_destroy(&team->ready);
	sem_destroy(&team->go);
}
