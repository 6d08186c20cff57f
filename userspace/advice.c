// SPDX-License-Identifier: GPL-2.0
#include <stdarg.h>
#include <stdio.h>

#include "advice.h"
#include "gaps.h"
#include "worst.h"

/* A bound of one in a million. */
#define MANY_SAMPLES 3000000
/* Below this load per minute nobody else has wanted a CPU. */
#define IDLE_LOAD 0.5

static void __printf(2, 3) advise(struct rtk_verdict *v, const char *fmt, ...)
{
	va_list ap;

	if (v->n_advice == RTK_ADVICE_MAX)
		return;
	va_start(ap, fmt);
	vsnprintf(v->advice[v->n_advice++], sizeof(v->advice[0]), fmt, ap);
	va_end(ap);
}

/* Rounded up to a minute: the rate is no promise. */
static __u64 minutes(const struct rtk_result *r, const struct rtk_summary *s)
{
	double ns =
		(double)r->test.elapsed_ns * MANY_SAMPLES / (double)s->count;

	return (__u64)(ns / 60e9) + 1;
}

static void advise_time(struct rtk_result *r)
{
	const struct rtk_summary *s = rtk_worst_series(r);

	if (!s || !s->ledger || !s->count || s->count >= MANY_SAMPLES ||
	    r->test.elapsed_ns <= 0)
		return;
	advise(&r->verdict,
	       "the run is short: a larger sample has p < %.2g; with --duration %llum p < 1e-06",
	       rtk_stats_bound(s->count), minutes(r, s));
}

static void advise_load(struct rtk_result *r)
{
	if (rtk_gaps_measured(r) || r->env.load[0] < 0 ||
	    r->env.load[0] >= IDLE_LOAD)
		return;
	advise(&r->verdict,
	       "the machine was idle (load average %.2f): run it under the load that it will have",
	       r->env.load[0]);
}

void rtk_advise(struct rtk_result *r)
{
	r->verdict.n_advice = 0;
	advise_time(r);
	advise_load(r);
}
