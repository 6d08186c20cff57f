// SPDX-License-Identifier: GPL-2.0
/*
 * Rests of measured threads. One with a real-time policy that never sleeps keeps
 * its CPU from all that has a lower priority: the threads in which PREEMPT_RT
 * handles interrupts, timers and RCU callbacks, without which the whole machine
 * comes to a standstill. Real-time throttling would end that by force, in the
 * middle of what is timed, and gives newer kernels' ordinary tasks time only. So
 * the thread sleeps by itself, between two things that it times.
 */
#include <time.h>

#include "ticks.h"
#include "uhold.h"
#include "uthread.h"

/* Where nothing else says how much others need. */
#define PERIOD_US 1000000
#define RUNTIME_US 950000

/*
 * Two rests for each period of throttling, and together a fiftieth more of it than
 * it would take: of 1 s with 950 ms, 40 ms after each 380 ms.
 */
void rtk_uteam_rests(struct rtk_uteam *team, const struct rtk_ucond *cond)
{
	__s64 runtime = RUNTIME_US, period = PERIOD_US;

	team->rest_after_ns = 0;
	team->rest_ns = 0;
	if (!team->test->busy || !cond->realtime)
		return;
	/* Without throttling the user wants the CPU; but never the only one. */
	if (!rtk_uhold_throttled(&runtime, &period) && cond->alone)
		return;
	if (runtime < 1 || period <= runtime) {
		runtime = RUNTIME_US;
		period = PERIOD_US;
	}
	team->rest_after_ns = runtime * 1000 * 2 / 5;
	team->rest_ns = ((period - runtime) * 2 / 5 + period / 50) * 1000;
}

void rtk_ucpu_rests(struct rtk_ucpu *c, const struct rtk_uteam *team)
{
	c->rest_ns = team->rest_ns;
	c->rest_after = (__u64)((double)team->rest_after_ns *
				rtk_clockpair_rate(c->pair) / 1e9);
	c->rest_at = rtk_ticks() + c->rest_after;
}

void rtk_ucpu_sleep(struct rtk_ucpu *c, __s64 ns)
{
	const struct timespec ts = { .tv_sec = ns / 1000000000,
				     .tv_nsec = ns % 1000000000 };

	__s64 begin = rtk_mono_ns(), late;

	clock_nanosleep(CLOCK_MONOTONIC, 0, &ts, NULL);
	late = rtk_mono_ns() - begin - ns;
	if (late > c->rest_late_ns)
		c->rest_late_ns = late;
	c->rests++;
}

void rtk_ucpu_rest_now(struct rtk_ucpu *c)
{
	rtk_ucpu_sleep(c, c->rest_ns);
	c->rest_at = rtk_ticks() + c->rest_after;
}
