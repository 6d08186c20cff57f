// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <mntent.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>
#include <linux/rtk_wait.h>

#include "params.h"
#include "readers.h"
#include "ucpus.h"
#include "util.h"

/* Locked memory, so not more than a loop around read() needs. */
#define STACK_SIZE (128 * 1024)
/* A run that has just started may not be armed yet on every CPU. */
#define BEGIN_TRIES 200
#define BEGIN_NS 1000000
/* A reader comes back at the run's end; more is a bug somewhere. */
#define JOIN_S 5

/*
 * One reader. The thread writes tid at its beginning and error at its end; all
 * the rest is the main thread's.
 */
struct reader {
	pthread_t thread;
	int cpu;
	int fd;
	atomic_int tid;
	atomic_int error;
	bool created;
	bool told;
};

struct rtk_readers {
	struct reader *v;
	size_t n;
};

bool rtk_readers_wanted(const struct rtk_test *t)
{
	const char *value = rtk_params_value(t, "user");

	return rtk_test_series(t, "user") && value && !strcmp(value, "1");
}

int rtk_readers_debugfs(char *buf, size_t size, const char *mounts)
{
	char strings[PATH_MAX + 512];
	struct mntent entry;
	FILE *f = setmntent(mounts, "re");
	int err = -ENOENT;

	if (!f)
		return -errno;
	while (err == -ENOENT &&
	       getmntent_r(f, &entry, strings, sizeof(strings))) {
		if (strcmp(entry.mnt_type, "debugfs"))
			continue;
		err = strlen(entry.mnt_dir) < size ? 0 : -ENAMETOOLONG;
		rtk_copy(buf, size, entry.mnt_dir);
	}
	endmntent(f);
	return err;
}

/*
 * The part that is measured: from read() to the next read() and nothing else.
 * Signals are blocked, memory is locked, the thread is pinned already.
 */
static void *read_all(void *arg)
{
	const struct timespec pause = { .tv_nsec = BEGIN_NS };
	struct reader *r = arg;
	struct rtk_wait wait;
	int tries = BEGIN_TRIES;
	ssize_t got;

	atomic_store(&r->tid, gettid());
	do {
		got = read(r->fd, &wait, sizeof(wait));
	} while (got < 0 && errno == EAGAIN && --tries &&
		 !nanosleep(&pause, NULL));
	while (got > 0)
		got = read(r->fd, &wait, sizeof(wait));
	if (got < 0)
		atomic_store(&r->error, errno);
	return NULL;
}

static int set_attr(pthread_attr_t *attr, const struct rtk_test *t, int cpu)
{
	const char *policy = rtk_params_value(t, "policy");
	const char *priority = rtk_params_value(t, "priority");
	struct sched_param param = { 0 };
	int number = SCHED_OTHER, err;

	if (policy && !strcmp(policy, "fifo"))
		number = SCHED_FIFO;
	else if (policy && !strcmp(policy, "rr"))
		number = SCHED_RR;
	if (number != SCHED_OTHER && priority)
		param.sched_priority = atoi(priority);
	err = rtk_ucpus_attr(attr, cpu);
	if (!err)
		err = pthread_attr_setstacksize(attr, STACK_SIZE);
	if (!err)
		err = pthread_attr_setinheritsched(attr,
						   PTHREAD_EXPLICIT_SCHED);
	if (!err)
		err = pthread_attr_setschedpolicy(attr, number);
	if (!err)
		err = pthread_attr_setschedparam(attr, &param);
	return -err;
}

/* The C library pins the thread, then sets its priority, then lets it begin. */
static int create(struct reader *r, const struct rtk_test *t)
{
	pthread_attr_t attr;
	int err;

	err = -pthread_attr_init(&attr);
	if (err)
		return err;
	err = set_attr(&attr, t, r->cpu);
	if (!err)
		err = -pthread_create(&r->thread, &attr, read_all, r);
	r->created = !err;
	pthread_attr_destroy(&attr);
	if (err == -EINVAL)
		rtk_err("reader of CPU %d: can't be pinned there: this process may not use that CPU (cpuset cgroup); run it elsewhere, or with other cpus=",
			r->cpu);
	else if (err == -EPERM)
		rtk_err("reader of CPU %d: real-time priority refused: needs CAP_SYS_NICE; run with sudo, or with policy=other",
			r->cpu);
	else if (err)
		rtk_err("reader of CPU %d: %s", r->cpu, strerror(-err));
	return err;
}

static int open_wait(struct reader *r, const char *debugfs, const char *test)
{
	char path[PATH_MAX];
	int err;

	snprintf(path, sizeof(path), "%.3000s/rtk/%s/per_cpu/cpu%d/wait",
		 debugfs, test, r->cpu);
	r->fd = open(path, O_RDONLY | O_CLOEXEC);
	if (r->fd >= 0)
		return 0;
	err = -errno;
	if (err == -EPERM || err == -EACCES)
		rtk_err("%s: readers need CAP_SYS_ADMIN and debugfs: run with sudo, or with user=0",
			path);
	else
		rtk_err("%s: %s", path, strerror(-err));
	return err;
}

static int start_all(struct rtk_readers *rs, const struct rtk_test *t,
		     const char *debugfs)
{
	size_t i;
	int err = 0;

	for (i = 0; !err && i < rs->n; i++)
		err = open_wait(&rs->v[i], debugfs, t->name);
	if (!err && mlockall(MCL_CURRENT | MCL_FUTURE)) {
		err = -errno;
		rtk_err("readers: can't lock memory: %s; run with sudo, or raise ulimit -l",
			strerror(-err));
	}
	for (i = 0; !err && i < rs->n; i++)
		err = create(&rs->v[i], t);
	return err;
}

static int add_readers(struct rtk_readers *rs, const char *list)
{
	struct rtk_cpuset cpus;
	struct reader *r;
	int cpu;

	if (rtk_cpuset_parse(&cpus, list)) {
		rtk_err("readers: the module gives no CPU list: '%s'", list);
		return -EBADMSG;
	}
	for (cpu = rtk_cpuset_next(&cpus, 0); cpu >= 0;
	     cpu = rtk_cpuset_next(&cpus, cpu + 1)) {
		r = rtk_grow(&rs->v, &rs->n, sizeof(*r));
		if (!r)
			return rtk_err_nomem();
		r->cpu = cpu;
		r->fd = -1;
	}
	return 0;
}

int rtk_readers_start(const struct rtk_test *t, struct rtk_readers **out)
{
	char debugfs[PATH_MAX];
	struct rtk_readers *rs;
	int err;

	err = rtk_readers_debugfs(debugfs, sizeof(debugfs), "/proc/mounts");
	if (err) {
		rtk_err("readers need debugfs, which is not mounted; run: sudo mount -t debugfs none /sys/kernel/debug");
		return err;
	}
	rs = calloc(1, sizeof(*rs));
	if (!rs)
		return rtk_err_nomem();
	/* All of the array before the first thread: it must not move then. */
	err = add_readers(rs, t->cpus ? t->cpus : "");
	if (!err)
		err = start_all(rs, t, debugfs);
	*out = rs;
	return err;
}

static const char *explain(int error, const char *last_error)
{
	switch (error) {
	case EBUSY:
		return last_error && *last_error ?
			       last_error :
			       "another program reads there";
	case EINVAL:
		return last_error && *last_error ?
			       last_error :
			       "not pinned any more: its CPU went offline, or something moved it";
	case EAGAIN:
		return "the run was over before its first activation";
	case ENODEV:
		return "the CPU went offline, or the module is being unloaded";
	case ETIMEDOUT:
		return "it does not come back from the kernel";
	default:
		return strerror(error);
	}
}

/*
 * A reader that is moved while it sleeps in the kernel wakes up elsewhere and
 * gets nothing any more, without an error. By its number in the kernel: what
 * the C library says of a thread that has ended is said of the caller.
 */
static bool is_moved(struct reader *r)
{
	int tid = atomic_load(&r->tid);

	return tid && rtk_ucpus_moved(tid, r->cpu);
}

void rtk_readers_report(struct rtk_readers *rs, const char *last_error)
{
	struct reader *r;
	size_t i;
	int error;

	for (i = 0; rs && i < rs->n; i++) {
		r = &rs->v[i];
		error = atomic_load(&r->error);
		if (!error && is_moved(r)) {
			error = EINVAL;
			atomic_store(&r->error, error);
		}
		if (!error || r->told)
			continue;
		r->told = true;
		rtk_err("the reader of CPU %d ended: %s", r->cpu,
			explain(error, last_error));
	}
}

static void join(struct reader *r)
{
	struct timespec until;
	int err;

	if (!r->created)
		return;
	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_sec += JOIN_S;
	err = pthread_clockjoin_np(r->thread, NULL, CLOCK_MONOTONIC, &until);
	if (err)
		atomic_store(&r->error, ETIMEDOUT);
	else
		r->created = false;
}

size_t rtk_readers_end(struct rtk_readers *rs, const char *last_error,
		       char *why, size_t size)
{
	bool left = false;
	size_t i, failed = 0;
	int error;

	*why = '\0';
	for (i = 0; rs && i < rs->n; i++) {
		join(&rs->v[i]);
		left |= rs->v[i].created;
		if (rs->v[i].fd >= 0 && !rs->v[i].created)
			close(rs->v[i].fd);
		error = atomic_load(&rs->v[i].error);
		if (error && !failed++)
			snprintf(why, size, "the reader of CPU %d ended: %s",
				 rs->v[i].cpu, explain(error, last_error));
	}
	munlockall();
	/* What a thread may still use stays. */
	if (rs && !left) {
		free(rs->v);
		free(rs);
	}
	return failed;
}
