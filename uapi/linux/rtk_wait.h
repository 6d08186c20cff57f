/* SPDX-License-Identifier: ((GPL-2.0 WITH Linux-syscall-note) OR BSD-3-Clause) */
/*
 * What a read of <debugfs>/rtk/<test>/per_cpu/cpuN/wait returns.
 *
 * The read blocks until the next activation on CPU N. The reader must be pinned
 * to that CPU alone (EINVAL), be the only one there (EBUSY), and the run must
 * record series user (user=1). 0 is the end of the run; EAGAIN: none is
 * running.
 */
#ifndef _UAPI_LINUX_RTK_WAIT_H
#define _UAPI_LINUX_RTK_WAIT_H

#include <linux/types.h>

/**
 * struct rtk_wait - one activation
 * @sequence: its number among those that this reader got, from 0
 * @planned: its planned time, CLOCK_MONOTONIC, ns
 * @thread: clock in the kernel when the reader ran again, CLOCK_MONOTONIC, ns
 */
struct rtk_wait {
	__u64 sequence;
	__u64 planned;
	__u64 thread;
};

#endif /* _UAPI_LINUX_RTK_WAIT_H */
