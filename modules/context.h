/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What else happened on a CPU: counters that the kernel keeps anyway, read on
 * the CPU itself.
 *
 * A lane takes them with every sample, so that a late one can say what came in
 * between. It is the part of the sample path that pays for an explanation, so
 * every instruction counts.
 */
#ifndef RTK_CONTEXT_H
#define RTK_CONTEXT_H

#include <linux/build_bug.h>
#include <linux/compiler.h>
#include <linux/interrupt.h>
#include <linux/kernel_stat.h>
#include <linux/percpu.h>
#include <linux/types.h>
#ifdef CONFIG_X86
#include <asm/hardirq.h>
#endif

/* Softirq counters are 32 bits wide and read in pairs. */
#define RTK_SOFTIRQ_PAIRS	(NR_SOFTIRQS / 2)

/* Does the kernel count NMIs here? */
#define RTK_COUNTS_NMIS		IS_ENABLED(CONFIG_X86)

/**
 * struct rtk_context - counters of a CPU at one time
 * @softirqs: sum of the pairs of softirq counters: the even ones in the low
 *	half and the odd ones in the high half. A difference of two such sums
 *	is right in either half as long as fewer than 2^32 came in between.
 * @irqs: interrupts of devices, and on x86 of the local timer
 * @nmis: NMIs; 0 where the kernel doesn't count them
 */
struct rtk_context {
	u64 softirqs;
	u32 irqs;
	u32 nmis;
};

/* A plain load: whoever writes is on this CPU, and comes before it or after. */
#define rtk_context_load(x)	data_race(x)

/**
 * rtk_context_read() - take the counters of this CPU
 * @ctx: where to
 *
 * Context: any, pinned to the CPU. Lock-free, bounded.
 */
static __always_inline void rtk_context_read(struct rtk_context *ctx)
{
	const struct kernel_stat *stat = raw_cpu_ptr(&kstat);
	const u64 *pair = (const u64 *)stat->softirqs;
	u64 softirqs = 0;
	u32 irqs = 0;
	unsigned int i;

	BUILD_BUG_ON(NR_SOFTIRQS % 2);
	BUILD_BUG_ON(offsetof(struct kernel_stat, softirqs) % sizeof(u64));
#ifdef CONFIG_X86
	irqs = rtk_context_load(raw_cpu_read(irq_stat.apic_timer_irqs));
	ctx->nmis = rtk_context_load(raw_cpu_read(irq_stat.__nmi_count));
#endif
	ctx->irqs = irqs + (u32)rtk_context_load(stat->irqs_sum);
#pragma GCC unroll 8
	for (i = 0; i < RTK_SOFTIRQ_PAIRS; i++)
		softirqs += rtk_context_load(pair[i]);
	ctx->softirqs = softirqs;
}

/* Softirqs between two contexts. */
static inline u32 rtk_context_softirqs(const struct rtk_context *from,
				       const struct rtk_context *to)
{
	u64 d = to->softirqs - from->softirqs;

	return (u32)d + (u32)(d >> 32);
}

#endif /* RTK_CONTEXT_H */
