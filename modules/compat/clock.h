/* SPDX-License-Identifier: GPL-2.0 */
/* Is the TSC what the kernel tells the time with? Said in two ways. */
#ifndef RTK_COMPAT_CLOCK_H
#define RTK_COMPAT_CLOCK_H

#include <linux/clocksource_ids.h>
#include <linux/timekeeping.h>
#ifdef CONFIG_X86
#include <asm/msr.h>
#include <asm/tsc.h>
#endif

/* May be called from any context but NMI. */
static inline bool rtk_clock_is_tsc(void)
{
#ifdef CONFIG_X86
	struct system_time_snapshot snap;
#ifdef RTK_HAVE_SNAPSHOT_ID
	if (!ktime_get_snapshot_id(&snap, CLOCK_MONOTONIC))
		return false;
#elif defined(RTK_HAVE_TSC_ID)
	ktime_get_snapshot(&snap);
#endif
#ifdef RTK_HAVE_TSC_ID
	/* The early one becomes the other when its frequency is known to the last digit. */
	return snap.cs_id == CSID_X86_TSC || snap.cs_id == CSID_X86_TSC_EARLY;
#else
	u64 before = rdtsc_ordered();

	/* Its reading then lies between two of ours. */
	ktime_get_snapshot(&snap);
	return snap.cycles >= before && snap.cycles <= rdtsc_ordered();
#endif
#else
	return false;
#endif
}

#endif /* RTK_COMPAT_CLOCK_H */
