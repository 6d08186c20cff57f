/* SPDX-License-Identifier: GPL-2.0 */
/* The measured threads of a user-space test. For urun.c and uthread.c only. */
#ifndef RTK_UTHREAD_H
#define RTK_UTHREAD_H

#include <pthread.h>
#include <semaphore.h>
#include <sys/resource.h>

#include "urows.h"
#include "utest.h"

/**
 * struct rtk_uteam - all measured threads of a run, and what they share
 * @test: test
 * @common: common parameters
 * @config: the test's
 * @policy: as of sched_setscheduler(2)
 * @priority: likewise
 * @pair: counter and clock when the run was set up
 * @limit: threshold_ns in the unit of its series
 * @rest_after_ns: from one rest of a thread to the next, 0 without rests
 * @rest_ns: how long it is
 * @v: threads; theirs are c, rows, usage and the stamps, while they run
 * @n: their number
 * @stop: they are to end
 * @ready: posted by each when it is prepared, or has failed
 * @go: posted for each when it may begin
 */
struct rtk_uteam {
	const struct rtk_utest *test;
	struct rtk_ucommon common;
	void *config;
	int policy;
	int priority;
	struct rtk_clockpair pair;
	__s64 limit;
	__s64 rest_after_ns;
	__s64 rest_ns;
	struct rtk_uthread *v;
	size_t n;
	atomic_bool stop;
	sem_t ready;
	sem_t go;
};

/**
 * struct rtk_uthread - a measured thread
 * @team: what it belongs to
 * @c: its CPU, as the test sees it
 * @rows: ring of the test's rows
 * @thread: thread, where @created
 * @created: it is there, and not joined
 * @tid: its number in the kernel, 0 before it runs
 * @error: what failed before measuring, -errno
 * @over: it has measured
 * @begin_ns: CLOCK_MONOTONIC when it began to measure
 * @end_ns: and when it ended
 * @ran_ns: CPU time that it had used when it was seen to run last
 * @seen_ns: when that was; both are rtk_uteam_starved()'s
 * @before: its page faults and switches when it began
 * @after: and when it ended
 */
struct rtk_uthread {
	struct rtk_uteam *team;
	struct rtk_ucpu c;
	struct rtk_urows rows;
	pthread_t thread;
	bool created;
	atomic_int tid;
	atomic_int error;
	atomic_bool over;
	__s64 begin_ns;
	__s64 end_ns;
	__s64 ran_ns;
	__s64 seen_ns;
	struct rusage before;
	struct rusage after;
};

/**
 * rtk_uteam_start() - create the threads, and wait until they are prepared
 * @team: team; what comes before @v is set
 * @cpus: a thread for each of these
 *
 * Prints its errors. To be ended with rtk_uteam_join(), also after an error.
 *
 * Return: 0 or -errno
 */
int rtk_uteam_start(struct rtk_uteam *team, const struct rtk_cpuset *cpus);

/**
 * rtk_uteam_go() - let them measure
 * @team: team, started
 */
void rtk_uteam_go(struct rtk_uteam *team);

/**
 * rtk_uteam_over() - have all of them measured?
 * @team: team
 *
 * Return: yes or no
 */
bool rtk_uteam_over(const struct rtk_uteam *team);

/**
 * rtk_uteam_moved() - is a thread on another CPU than its own?
 * @team: team
 *
 * Return: its CPU, or -1
 */
int rtk_uteam_moved(const struct rtk_uteam *team);

/**
 * rtk_uteam_rests() - settle how the threads let others have their CPUs
 * @team: team, before rtk_uteam_go()
 * @cond: alone and realtime are set
 */
void rtk_uteam_rests(struct rtk_uteam *team, const struct rtk_ucond *cond);

/**
 * rtk_ucpu_rests() - the same for one of them, in its ticks
 * @c: CPU, which begins to measure
 * @team: its team
 */
void rtk_ucpu_rests(struct rtk_ucpu *c, const struct rtk_uteam *team);

/**
 * rtk_uteam_starved() - does a thread not get to run?
 * @team: team; to be called about once a second
 *
 * Return: CPU of one that has wanted to run for 10 s and did not, or -1
 */
int rtk_uteam_starved(struct rtk_uteam *team);

/**
 * rtk_uteam_rescue() - let all threads of this process end
 *
 * Those that are kept from their CPUs can't even be killed: they come to the
 * calling thread's, as ordinary ones. To be called when they are to stop.
 */
void rtk_uteam_rescue(void);

/**
 * rtk_uteam_snap() - what they have measured so far
 * @team: threads that go on
 * @r: result, whose lanes and outliers are appended
 *
 * Return: 0 or -ENOMEM
 */
int rtk_uteam_snap(const struct rtk_uteam *team, struct rtk_result *r);

/**
 * rtk_uteam_collect() - take what ended threads have measured
 * @team: joined team
 * @complete: they came to the test's own end
 * @r: lanes, worst samples, tables are added
 *
 * Return: 0 or -ENOMEM
 */
int rtk_uteam_collect(struct rtk_uteam *team, bool complete,
		      struct rtk_result *r);

/**
 * rtk_uteam_join() - end the threads
 * @team: team; those that have not begun to measure do not begin
 *
 * Bounded: a thread that does not come back is left alone, and printed.
 *
 * Return: 0 or -ETIMEDOUT; then the team's memory must stay
 */
int rtk_uteam_join(struct rtk_uteam *team);

/**
 * rtk_uteam_free() - free what joined threads had
 * @team: team
 */
void rtk_uteam_free(struct rtk_uteam *team);

#endif
