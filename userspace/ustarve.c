// SPDX-License-Identifier: GPL-2.0
/* Threads that something of a higher priority keeps from their CPU. */
#include <dirent.h>
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "uthread.h"

/* A thread that wants to run and does not, for so long, is starved. */
#define STARVED_NS (10 * 1000000000LL)
/* Less than this is no running. */
#define PROGRESS_NS 1000000

static __s64 ran_ns(const struct rtk_uthread *t)
{
	struct timespec ts;
	clockid_t clock;

	if (pthread_getcpuclockid(t->thread, &clock) ||
	    clock_gettime(clock, &ts))
		return -1;
	return ts.tv_sec * 1000000000LL + ts.tv_nsec;
}

/* One that sleeps waits for another, which is none of the CPU's business. */
static bool wants_to_run(const struct rtk_uthread *t)
{
	char text[512], *p;

	if (rtk_read_text(text, sizeof(text), "/proc/self/task/%d/stat",
			  t->tid) < 0)
		return false;
	p = strrchr(text, ')');
	return p && !strncmp(p, ") R", 3);
}

int rtk_uteam_starved(struct rtk_uteam *team)
{
	__s64 now = rtk_mono_ns(), ran;
	struct rtk_uthread *t;

	for (t = team->v; t < team->v + team->n; t++) {
		if (atomic_load(&t->over))
			continue;
		ran = ran_ns(t);
		if (!t->seen_ns || ran > t->ran_ns + PROGRESS_NS ||
		    !wants_to_run(t)) {
			t->ran_ns = ran;
			t->seen_ns = now;
		}
		if (now - t->seen_ns > STARVED_NS)
			return t->c.cpu;
	}
	return -1;
}

static void rescue(int tid, const struct rtk_cpuset *mine)
{
	struct sched_param param = { 0 };

	sched_setscheduler(tid, SCHED_OTHER, &param);
	sched_setaffinity(tid, sizeof(*mine),
			  (const cpu_set_t *)(const void *)mine);
}

/* Threads that a test has of its own are among them. */
void rtk_uteam_rescue(void)
{
	DIR *dir = opendir("/proc/self/task");
	struct rtk_cpuset mine = { 0 };
	struct dirent *entry;
	int tid;

	if (!dir)
		return;
	sched_getaffinity(0, sizeof(mine), (cpu_set_t *)(void *)&mine);
	while ((entry = readdir(dir))) {
		tid = atoi(entry->d_name);
		if (tid > 0 && tid != gettid())
			rescue(tid, &mine);
	}
	closedir(dir);
}
