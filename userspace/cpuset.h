/* SPDX-License-Identifier: GPL-2.0 */
/* Sets of CPUs, in the kernel's list grammar. Pure. */
#ifndef RTK_CPUSET_H
#define RTK_CPUSET_H

#include <stdbool.h>
#include <linux/types.h>

/* The largest NR_CPUS that a kernel can be built with on x86. */
#define RTK_CPUSET_MAX 8192

/**
 * struct rtk_cpuset - a set of CPUs
 * @bits: bit map
 */
struct rtk_cpuset {
	__u64 bits[RTK_CPUSET_MAX / 64];
};

/**
 * rtk_cpuset_parse() - read a list such as "0-3,8"
 * @set: filled
 * @list: ranges and numbers; the empty list is the empty set
 *
 * Return: 0, -EINVAL or -ERANGE
 */
int rtk_cpuset_parse(struct rtk_cpuset *set, const char *list);

/**
 * rtk_cpuset_has() - is a CPU in the set?
 * @set: set
 * @cpu: CPU
 *
 * Return: yes or no; no beyond RTK_CPUSET_MAX
 */
bool rtk_cpuset_has(const struct rtk_cpuset *set, unsigned int cpu);

/**
 * rtk_cpuset_add() - put a CPU into the set
 * @set: set
 * @cpu: CPU; beyond RTK_CPUSET_MAX nothing happens
 */
void rtk_cpuset_add(struct rtk_cpuset *set, unsigned int cpu);

/**
 * rtk_cpuset_next() - walk over a set
 * @set: set
 * @from: first CPU to look at, 0 to begin
 *
 * Return: a CPU not below @from, or -1
 */
int rtk_cpuset_next(const struct rtk_cpuset *set, int from);

/**
 * rtk_cpuset_text() - write a set as a list
 * @set: set
 *
 * Return: list such as "0-3,8", to be freed, or NULL without memory
 */
char *rtk_cpuset_text(const struct rtk_cpuset *set);

#endif
