/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The processor's own counter, for timing pieces of code in user space. The only
 * place that knows architectures.
 *
 * A tick is no clock cycle of the core: on x86 the time-stamp counter, on arm64
 * the system counter, run at a rate of their own, whatever the core's is.
 */
#ifndef RTK_TICKS_H
#define RTK_TICKS_H

#include <stdbool.h>
#include <linux/types.h>
#if defined(__x86_64__)
#include <cpuid.h>
#endif

/**
 * rtk_ticks() - read the counter, between two pieces of code
 *
 * Serialised: everything before it has been executed, nothing after it has been
 * begun (Intel SDM 2B, RDTSC; Arm ARM D11.2, CNTVCT_EL0). Callable from any
 * context; no system call.
 *
 * Return: ticks
 */
static inline __u64 rtk_ticks(void)
{
#if defined(__x86_64__)
	__u32 low, high;

	__asm__ volatile("lfence\n\trdtsc\n\tlfence"
			 : "=a"(low), "=d"(high)
			 :
			 : "memory");
	return (__u64)high << 32 | low;
#elif defined(__aarch64__)
	__u64 ticks;

	__asm__ volatile("isb\n\tmrs %0, cntvct_el0\n\tisb"
			 : "=r"(ticks)
			 :
			 : "memory");
	return ticks;
#else
#error "no counter is known here: add the one of this architecture"
#endif
}

/**
 * rtk_ticks_rate() - the rate that the processor itself names
 *
 * Return: ticks in a second, 0 where it must be measured
 */
static inline __u64 rtk_ticks_rate(void)
{
#if defined(__aarch64__)
	__u64 rate;

	__asm__("mrs %0, cntfrq_el0" : "=r"(rate));
	return rate;
#else
	return 0;
#endif
}

/**
 * rtk_ticks_constant() - does the counter run at one rate all the time?
 *
 * Return: yes or no: on some older x86 it follows frequency and idle states
 */
static inline bool rtk_ticks_constant(void)
{
#if defined(__x86_64__)
	unsigned int a, b, c, d;

	/* Invariant TSC, Intel SDM 3B 18.17. */
	return __get_cpuid(0x80000007, &a, &b, &c, &d) && d & 1U << 8;
#else
	return true;
#endif
}

/**
 * struct rtk_clockpair - counter and clock at one time
 * @ticks: counter
 * @ns: CLOCK_MONOTONIC_RAW
 */
struct rtk_clockpair {
	__u64 ticks;
	__s64 ns;
};

/**
 * rtk_clockpair_read() - read both
 * @p: filled
 */
void rtk_clockpair_read(struct rtk_clockpair *p);

/**
 * rtk_clockpair_rate() - the counter's rate
 * @p: read a while ago; after 20 ms the rate is right to a thousandth
 *
 * Return: ticks in a second
 */
double rtk_clockpair_rate(const struct rtk_clockpair *p);

#endif
