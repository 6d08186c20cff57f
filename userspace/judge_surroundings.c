// SPDX-License-Identifier: GPL-2.0
/* What else was on the measured CPUs, or was done to them, during the run. */
#include <string.h>

#include "gaps.h"
#include "reasons.h"

/* With interrupts off no task matters, nor does the scheduler. */
static int judge_tasks(struct rtk_result *r)
{
	const struct rtk_env *e = &r->env;
	int err = 0;

	if (rtk_gaps_measured(r))
		return 0;
	if (e->rt_throttled)
		err = rtk_reason_add(&r->verdict, RTK_REASON_RT_THROTTLED,
				     "real-time tasks took so much that the kernel throttled them; off: sudo sysctl kernel.sched_rt_runtime_us=-1");
	if (!err && e->rt_tasks)
		err = rtk_reason_add(&r->verdict, RTK_REASON_RT_TASKS,
				     "%zu real-time task%s of the measurement's priority or above may run on the measured CPUs, such as %s",
				     e->rt_tasks, e->rt_tasks > 1 ? "s" : "",
				     e->rt_task);
	return err;
}

int rtk_judge_surroundings(struct rtk_result *r)
{
	const struct rtk_env *e = &r->env;
	struct rtk_verdict *v = &r->verdict;
	int err = judge_tasks(r);

	if (!err && e->tsc_unstable)
		err = rtk_reason_add(v, RTK_REASON_CLOCKSOURCE,
				     "the kernel found the TSC unstable during the run");
	if (!err && e->throttled > 0)
		err = rtk_reason_add(v, RTK_REASON_THROTTLED,
				     "the measured CPUs were throttled %lld times: too hot, or too much power",
				     e->throttled);
	if (!err && *e->tracer && strcmp(e->tracer, "nop"))
		err = rtk_reason_add(v, RTK_REASON_TRACER,
				     "the kernel's tracer '%s' was on; off: echo nop > /sys/kernel/tracing/current_tracer",
				     e->tracer);
	if (!err && e->sibling >= 0)
		err = rtk_reason_add(v, RTK_REASON_SMT_SIBLING,
				     "CPU %d shares its core with CPU %d, which is neither measured nor isolated",
				     e->sibling_of, e->sibling);
	if (!err && *e->partition)
		err = rtk_reason_add(v, RTK_REASON_CACHE_SHARED,
				     "the cache partition is not exclusive: %s",
				     e->partition);
	return err;
}
