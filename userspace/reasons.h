/* SPDX-License-Identifier: GPL-2.0 */
/* The reasons of a verdict. For verdict.c and judge_*.c only. */
#ifndef RTK_REASONS_H
#define RTK_REASONS_H

#include "result.h"

/* In the order of the table in reasons.c, where their names are. */
enum rtk_reason_id {
	RTK_REASON_LEDGER,
	RTK_REASON_NEGATIVE,
	RTK_REASON_NO_SAMPLES,
	RTK_REASON_CLOCKSOURCE,
	RTK_REASON_OVERLOAD,
	RTK_REASON_SUSPENDED,
	RTK_REASON_FAILED,
	RTK_REASON_EMULATED,
	RTK_REASON_HYPERVISOR,
	RTK_REASON_NOT_RT,
	RTK_REASON_IDLE_STATES,
	RTK_REASON_FREQUENCY_SCALING,
	RTK_REASON_NOT_ISOLATED,
	RTK_REASON_SHARED,
	RTK_REASON_SMI,
	RTK_REASON_CPU_LOST,
	RTK_REASON_INTERRUPTED,
	RTK_REASON_RUNNING,
	RTK_REASON_FEW_SAMPLES,
	RTK_REASON_COVERAGE,
	RTK_REASON_READER,
	RTK_REASON_PRIORITY,
	RTK_REASON_MEMORY,
	RTK_REASON_PAGE_FAULTS,
	RTK_REASON_PREEMPTED,
	RTK_REASON_RESTS,
	RTK_REASON_ROWS_LOST,
	RTK_REASON_CONTROLLER,
	RTK_REASON_COUNTER,
	RTK_REASON_INTERRUPTS,
	RTK_REASON_RT_THROTTLED,
	RTK_REASON_RT_TASKS,
	RTK_REASON_THROTTLED,
	RTK_REASON_TRACER,
	RTK_REASON_SMT_SIBLING,
	RTK_REASON_CACHE_SHARED,
};

/**
 * rtk_reason_add() - add a reason
 * @v: verdict, whose status becomes that of the reason if it was better
 * @id: reason
 * @fmt: cause, with its numbers
 *
 * Return: 0 or -ENOMEM
 */
int rtk_reason_add(struct rtk_verdict *v, enum rtk_reason_id id,
		   const char *fmt, ...) __printf(3, 4);

/**
 * rtk_judge_user() - the conditions under which a user-space test ran
 * @r: summarized result; of another test nothing is said
 *
 * Return: 0 or -ENOMEM
 */
int rtk_judge_user(struct rtk_result *r);

/**
 * rtk_judge_interrupts() - interrupts of a device that were not as they should be
 * @r: summarized result; of a test without such nothing is said
 *
 * Return: 0 or -ENOMEM
 */
int rtk_judge_interrupts(struct rtk_result *r);

/**
 * rtk_judge_surroundings() - what else was on the measured CPUs
 * @r: summarized result
 *
 * Return: 0 or -ENOMEM
 */
int rtk_judge_surroundings(struct rtk_result *r);

#endif
