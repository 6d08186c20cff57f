// SPDX-License-Identifier: GPL-2.0
/*
 * Interrupt latency as a program sees it: a timer's signal. The task sleeps, since
 * with PREEMPT_RT such a timer is served by a thread, which has to get the CPU.
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "rheal.h"

#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif

#define TIMER_SIGNAL SIGRTMIN
/* From the setting of the timer to its expiry. */
#define AHEAD_NS 100000
/* A signal that has not come by then is lost. */
#define LOST_S 1

static atomic_llong handled_ns;

static void handle(int sig)
{
	(void)sig;
	atomic_store(&handled_ns, rtk_mono_ns());
}

/* The stamp is a clock here, since the expiry is a time of it. */
static __s64 clock_cost_ps(struct rheal *h)
{
	__s64 begin;
	size_t i;

	for (i = 0; i < RHEAL_COSTS; i++) {
		begin = rtk_mono_ns();
		h->costs[i] = (__u64)(rtk_mono_ns() - begin);
	}
	return (__s64)rheal_median(h->costs, RHEAL_COSTS) * 1000;
}

/* One interrupt. False where it came before its time, or not at all. */
static bool interrupt(timer_t timer, const sigset_t *open, __s64 *late_ns)
{
	const struct timespec lost = { .tv_sec = LOST_S };
	struct itimerspec at = { 0 };
	__s64 planned = rtk_mono_ns() + AHEAD_NS, handled;

	atomic_store(&handled_ns, 0);
	at.it_value.tv_sec = planned / 1000000000;
	at.it_value.tv_nsec = planned % 1000000000;
	timer_settime(timer, TIMER_ABSTIME, &at, NULL);
	ppoll(NULL, 0, &lost, open);
	handled = atomic_load(&handled_ns);
	*late_ns = handled - planned;
	return planned <= handled && handled <= rtk_mono_ns();
}

static void interrupts(struct rheal *h, timer_t timer, const sigset_t *open)
{
	const struct rheal_config *config = h->c->config;
	__s64 i, late_ns, cost_ps = clock_cost_ps(h);
	bool good;

	for (i = -RHEAL_WARM; i < config->loops && !rtk_ucpu_over(h->c); i++) {
		good = interrupt(timer, open, &late_ns);
		if (i < 0)
			continue;
		if (good)
			rheal_record(h, RHEAL_INTERRUPT, late_ns * 1000,
				     cost_ps);
		else
			h->sum[RHEAL_INTERRUPT].out_of_order++;
	}
}

int rheal_signal(struct rheal *h)
{
	struct sigaction new = { .sa_handler = handle }, old;
	struct sigevent event = { .sigev_notify = SIGEV_THREAD_ID,
				  .sigev_signo = TIMER_SIGNAL };
	sigset_t blocked, open;
	timer_t timer;

	/* It comes while the task waits for it, and at no other time. */
	sigemptyset(&blocked);
	sigaddset(&blocked, TIMER_SIGNAL);
	pthread_sigmask(SIG_BLOCK, &blocked, &open);
	sigdelset(&open, TIMER_SIGNAL);
	event.sigev_notify_thread_id = gettid();
	if (timer_create(CLOCK_MONOTONIC, &event, &timer))
		return rtk_ucpu_fail(h->c, -errno, "timer_create: %s",
				     strerror(errno));
	sigaction(TIMER_SIGNAL, &new, &old);
	interrupts(h, timer, &open);
	timer_delete(timer);
	/* One that is still pending would find the old action. */
	ppoll(NULL, 0, &(struct timespec){ 0 }, &open);
	sigaction(TIMER_SIGNAL, &old, NULL);
	return 0;
}
