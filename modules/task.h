/* SPDX-License-Identifier: GPL-2.0 */
/* Policy and place of threads that measure. */
#ifndef RTK_TASK_H
#define RTK_TASK_H

#include <linux/sched.h>
#include <linux/smp.h>
#include <uapi/linux/sched/types.h>

#include "rtk.h"

/**
 * rtk_task_set_policy() - give a thread the policy of a run's parameters
 * @task: thread
 * @common: parameters
 *
 * Context: may sleep.
 * Return: 0 or -errno
 */
static inline int rtk_task_set_policy(struct task_struct *task,
				      const struct rtk_common *common)
{
	static const u32 policies[] = {
		[RTK_POLICY_FIFO] = SCHED_FIFO,
		[RTK_POLICY_RR] = SCHED_RR,
		[RTK_POLICY_OTHER] = SCHED_NORMAL,
	};
	struct sched_attr attr = {
		.size = sizeof(attr),
		.sched_policy = policies[common->policy],
	};

	if (attr.sched_policy != SCHED_NORMAL)
		attr.sched_priority = common->priority;
	return sched_setattr_nocheck(task, &attr);
}

/**
 * rtk_task_fetch() - bring home a thread that real-time tasks keep from running
 * @task: thread, which has nothing more to measure
 * @cpu: its CPU
 *
 * Its end must not wait for theirs. It goes where we are, and is scheduled as we
 * are, since we do get to run.
 *
 * Context: may sleep.
 */
static inline void rtk_task_fetch(struct task_struct *task, int cpu)
{
	struct sched_attr attr = {
		.size = sizeof(attr),
		.sched_policy = current->policy,
		.sched_priority = current->rt_priority,
	};
	int here = raw_smp_processor_id();

	sched_setattr_nocheck(task, &attr);
	if (here != cpu)
		set_cpus_allowed_ptr(task, cpumask_of(here));
}

#endif /* RTK_TASK_H */
