/* SPDX-License-Identifier: GPL-2.0 */
/* A quiescent state of RCU, said by code with interrupts off. */
#ifndef RTK_COMPAT_RCU_H
#define RTK_COMPAT_RCU_H

#include <linux/rcupdate.h>

/*
 * Interrupts are off, and the caller is in no RCU section. Also where RCU is not
 * preemptible: cond_resched() need not be a quiescent state there.
 */
static inline void rtk_quiescent_state(void)
{
#ifdef RTK_HAVE_RCU_MOMENTARY_EQS
	rcu_momentary_eqs();
#else
	rcu_momentary_dyntick_idle();
#endif
}

#endif /* RTK_COMPAT_RCU_H */
