// SPDX-License-Identifier: GPL-2.0
/* The processor's counter: forward, and at the rate that is told. */
#include <math.h>
#include <stdint.h>
#include <time.h>

#include "tap.h"
#include "ticks.h"

#define READS 100000

static void test_forward(void)
{
	__u64 before = rtk_ticks(), first = before, now;
	int i, bad = 0;

	for (i = 0; i < READS; i++) {
		now = rtk_ticks();
		bad += now < before;
		before = now;
	}
	ok_num(bad, 0, "%d readings never go back", READS);
	ok(before > first, "they go forward");
}

/* By the raw clock, over a while. */
static double measured(long ms)
{
	const struct timespec ts = { .tv_nsec = ms * 1000000 };
	struct rtk_clockpair a, b;

	rtk_clockpair_read(&a);
	nanosleep(&ts, NULL);
	rtk_clockpair_read(&b);
	return (double)(b.ticks - a.ticks) * 1e9 / (double)(b.ns - a.ns);
}

static void test_rate(void)
{
	double want = measured(200), got;
	struct rtk_clockpair p;
	const struct timespec ts = { .tv_nsec = 50000000 };

	rtk_clockpair_read(&p);
	nanosleep(&ts, NULL);
	got = rtk_clockpair_rate(&p);
	ok(fabs(got - want) < want / 100, "rate %.0f Hz is the measured %.0f",
	   got, want);
#if defined(__aarch64__)
	ok(rtk_ticks_rate() > 0 && got == (double)rtk_ticks_rate(),
	   "it is what the register says");
	ok(rtk_ticks_constant(), "it is constant");
#else
	ok_num(rtk_ticks_rate(), 0, "no register says it");
#endif
}

/* A tick may be longer than what lies between two readings. */
static void test_pair(void)
{
	struct rtk_clockpair a, b;
	__u64 before = rtk_ticks(), after;

	rtk_clockpair_read(&a);
	after = rtk_ticks();
	rtk_clockpair_read(&b);
	ok(before <= a.ticks && a.ticks <= after && after <= b.ticks && a.ns <= b.ns,
	   "a pair is of its time");
}

int main(void)
{
	tap_begin();
	test_forward();
	test_rate();
	test_pair();
	return tap_end();
}
