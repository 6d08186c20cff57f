// SPDX-License-Identifier: GPL-2.0
/* What a user-space test could not have of the machine, or what it lost. */
#include <stdio.h>

#include "reasons.h"
#include "units.h"
#include "util.h"

/* The CPU on which something was counted most, or NULL where nothing was. */
static const struct rtk_summary *most(const struct rtk_result *r,
				      const char *name, __s64 *value)
{
	const struct rtk_summary *s = NULL, *worst = NULL;

	*value = 0;
	while ((s = rtk_result_next_cpu(r, s))) {
		if (rtk_items_value(&s->counters, name) <= *value)
			continue;
		worst = s;
		*value = rtk_items_value(&s->counters, name);
	}
	return worst;
}

static int judge_preempted(struct rtk_result *r)
{
	const struct rtk_ucond *c = &r->cond;
	const struct rtk_summary *s;
	char throttle[160] = "";
	__s64 n;

	s = c->busy ? most(r, "preemptions", &n) : NULL;
	if (!s)
		return 0;
	if (c->realtime && c->throttle_us >= 0)
		snprintf(throttle, sizeof(throttle),
			 "; real-time throttling leaves it %lld us of %lld; off: sudo sysctl kernel.sched_rt_runtime_us=-1",
			 c->throttle_us, c->throttle_of_us);
	return rtk_reason_add(&r->verdict, RTK_REASON_PREEMPTED,
			      "the measured thread of CPU %d was taken off it %lld time%s%s",
			      s->cpu, n, n == 1 ? "" : "s", throttle);
}

/* Of a rest: a wake-up that late has another cause than the kernel's own way. */
#define REST_LATE_NS 10000000

static int judge_rests(struct rtk_result *r)
{
	const struct rtk_summary *s;
	char late[32];
	__s64 ns;

	s = most(r, "rest_late_ns", &ns);
	if (!s || ns < REST_LATE_NS)
		return 0;
	return rtk_reason_add(&r->verdict, RTK_REASON_RESTS,
			      "the measured thread of CPU %d came back from a rest %s late: something held the CPU, and is in no sample",
			      s->cpu, rtk_units_print(late, sizeof(late), ns));
}

static int judge_faults(struct rtk_result *r)
{
	const struct rtk_summary *s;
	__s64 n;

	s = most(r, "page_faults", &n);
	if (!s)
		s = most(r, "major_faults", &n);
	if (!s)
		return 0;
	return rtk_reason_add(&r->verdict, RTK_REASON_PAGE_FAULTS,
			      "%lld page fault%s on CPU %d while it measured",
			      n, n == 1 ? "" : "s", s->cpu);
}

int rtk_judge_user(struct rtk_result *r)
{
	const struct rtk_ucond *c = &r->cond;
	struct rtk_verdict *v = &r->verdict;
	int err = 0;

	if (!c->is_user)
		return 0;
	if (c->priority[0])
		err = rtk_reason_add(v, RTK_REASON_PRIORITY,
				     "no real-time priority: %s", c->priority);
	if (!err && c->memory[0])
		err = rtk_reason_add(v, RTK_REASON_MEMORY, "%s", c->memory);
	if (!err)
		err = judge_faults(r);
	if (!err)
		err = judge_preempted(r);
	if (!err)
		err = judge_rests(r);
	if (!err && c->rows_lost)
		err = rtk_reason_add(v, RTK_REASON_ROWS_LOST,
				     "%llu rows are missing: the controller did not keep up, or there are more than %d",
				     c->rows_lost, RTK_TABLE_ROWS);
	if (!err && !c->alone)
		err = rtk_reason_add(v, RTK_REASON_CONTROLLER,
				     "the controller ran on the measured CPUs: there was no other");
	if (!err && !c->ticks_constant)
		err = rtk_reason_add(v, RTK_REASON_COUNTER,
				     "the time-stamp counter is not invariant: ticks are no time");
	return err;
}
