/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What tests with programs at per_cpu/cpuN/wait begin with. 0 or more, else
 * -errno.
 */
#ifndef RTK_SELFTEST_READER_H
#define RTK_SELFTEST_READER_H

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <linux/rtk_wait.h>

#include "../debugfs.h"

#define CPU1_ONLINE	"/sys/devices/system/cpu/cpu1/online"

static inline int pin(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	return sched_setaffinity(0, sizeof(set), &set);
}

static inline int open_wait(int cpu)
{
	char path[128];

	snprintf(path, sizeof(path), DEBUGFS_DIR "per_cpu/cpu%d/wait", cpu);
	return open(path, O_RDONLY);
}

/* Bytes of the next record, 0 at the end of the run. */
static inline int next(int fd, struct rtk_wait *w)
{
	ssize_t n = read(fd, w, sizeof(*w));

	return n < 0 ? -errno : n;
}

#endif /* RTK_SELFTEST_READER_H */
