/* SPDX-License-Identifier: GPL-2.0 */
/* A quiescent state of RCU, said by code with interrupts off. */
#ifndef RTK_COMPAT_RCU_H
#define RTK_COMPAT_RCU_H

#include <linux/rcupdate.h>

/*
 * Without preemption RCU takes cond_resched() for one, and has no other way.
 * Interrupts are off, and the caller is in no RCU section.
 */
static inline void rtk_quiescent_state(void)
{
	if (!IS_ENABLED(CONFIG_PREEMPT_RCU))
		return;
#ifdef RTK_HAVE_RCU_MOMENTARY_EQS
	rcu_momentary_eqs();
#else
	rcu_momentary_dyntick_idle();
#endif
}

#endif /* RTK_COMPAT_RCU_H */
