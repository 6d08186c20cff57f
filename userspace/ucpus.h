/* SPDX-License-Identifier: GPL-2.0 */
/* Which CPUs a user-space test measures. */
#ifndef RTK_UCPUS_H
#define RTK_UCPUS_H

#include <pthread.h>

#include "cpuset.h"

/**
 * rtk_ucpus_choose() - the CPUs of a run
 * @asked: those that were named; empty for the default
 * @wanted: how many there shall be where none are named
 * @out: filled
 *
 * The default is the last isolated CPU; without isolation CPU 1; on a machine
 * with one CPU that one. If more are wanted, those before it follow, then those
 * behind it. A CPU that is offline, or that this process may not use, is an
 * error that names it. Prints its error; the calling thread's affinity is
 * as it was.
 *
 * Return: 0, -EINVAL or -errno
 */
int rtk_ucpus_choose(const struct rtk_cpuset *asked, unsigned int wanted,
		     struct rtk_cpuset *out);

/**
 * rtk_ucpus_default() - the same choice, from lists
 * @usable: CPUs that can be used
 * @isolated: isolated ones
 * @wanted: how many
 * @out: filled with as many as there are
 *
 * Return: how many
 */
unsigned int rtk_ucpus_default(const struct rtk_cpuset *usable,
			       const struct rtk_cpuset *isolated,
			       unsigned int wanted, struct rtk_cpuset *out);

/**
 * rtk_ucpus_avoid() - keep the calling thread off the measured CPUs
 * @cpus: measured CPUs
 *
 * Stays where it is if no other CPU is allowed.
 *
 * Return: it has another CPU now
 */
bool rtk_ucpus_avoid(const struct rtk_cpuset *cpus);

/**
 * rtk_ucpus_pin() - pin a thread to one CPU
 * @tid: thread, 0 the calling one
 * @cpu: CPU
 *
 * Return: 0 or -errno; -EINVAL where it is offline or forbidden
 */
int rtk_ucpus_pin(int tid, int cpu);

/**
 * rtk_ucpus_moved() - may a thread run elsewhere than on its one CPU?
 * @tid: thread
 * @cpu: CPU
 *
 * A CPU that goes offline leaves its threads to others.
 *
 * Return: yes or no; no for a thread that has ended
 */
bool rtk_ucpus_moved(int tid, int cpu);

/**
 * rtk_ucpus_attr() - have a thread created on one CPU
 * @attr: initialized
 * @cpu: CPU
 *
 * Return: 0 or an error number, as of pthread_attr_setaffinity_np()
 */
int rtk_ucpus_attr(pthread_attr_t *attr, int cpu);

/**
 * rtk_ucpus_count() - how many CPUs are in a set
 * @set: set
 *
 * Return: number
 */
unsigned int rtk_ucpus_count(const struct rtk_cpuset *set);

#endif
