/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Who measures a CPU in user space. Two real-time threads that never sleep, on one
 * CPU, would measure each other, or one of them would not run at all.
 */
#ifndef RTK_UCLAIM_H
#define RTK_UCLAIM_H

#include "cpuset.h"
#include "util.h"

/**
 * struct rtk_uclaim - claims on CPUs; the kernel ends them with the process
 * @fd: a file for each
 * @n: their number
 */
struct rtk_uclaim {
	int *fd;
	size_t n;
};

/**
 * rtk_uclaim_take() - claim CPUs
 * @claim: filled; give back with rtk_uclaim_give(), also after an error
 * @cpus: CPUs
 * @realtime: the run keeps others off them; else it only looks who does
 * @cpu: set, where one is taken: which
 *
 * Return: 0; -ENOMEM; number of the process that has measured one of them first
 * (1 where it can't be told)
 */
int rtk_uclaim_take(struct rtk_uclaim *claim, const struct rtk_cpuset *cpus,
		    bool realtime, int *cpu);

/**
 * rtk_uclaim_give() - give the CPUs back
 * @claim: claims
 */
void rtk_uclaim_give(struct rtk_uclaim *claim);

#endif
