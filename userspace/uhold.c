// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "uhold.h"

#define LATENCY "/dev/cpu_dma_latency"
#define KERNEL "/proc/sys/kernel/"

/* The request ends when the file is closed. */
static int open_latency(__s32 us)
{
	int fd = open(LATENCY, O_WRONLY | O_CLOEXEC), err;

	if (fd < 0)
		return -errno;
	if (write(fd, &us, sizeof(us)) == sizeof(us))
		return fd;
	err = -errno;
	close(fd);
	return err;
}

static bool has_capability(int cap)
{
	char text[4096], *p;

	if (rtk_read_text(text, sizeof(text), "/proc/self/status") < 0)
		return false;
	p = strstr(text, "CapEff:");
	return p && strtoull(p + 7, NULL, 16) >> cap & 1;
}

/*
 * All of it or nothing: within a limit, what the test allocates later would fail,
 * where it could be had without a lock.
 */
static bool lock_memory(char *why, size_t size)
{
	struct rlimit limit = { 0 };

	getrlimit(RLIMIT_MEMLOCK, &limit);
	if (limit.rlim_cur != RLIM_INFINITY && !has_capability(CAP_IPC_LOCK))
		snprintf(why, size,
			 "memory is not locked: run with sudo, or with ulimit -l unlimited (it is %llu KiB)",
			 (unsigned long long)limit.rlim_cur / 1024);
	else if (mlockall(MCL_CURRENT | MCL_FUTURE))
		snprintf(why, size, "memory is not locked: %s",
			 strerror(errno));
	return !*why;
}

void rtk_uhold_take(struct rtk_uhold *h, const struct rtk_ucommon *common,
		    struct rtk_ucond *how)
{
	h->latency_fd = -1;
	h->locked = lock_memory(how->memory, sizeof(how->memory));
	if (common->dma_latency_us < 0)
		return;
	h->latency_fd = open_latency((__s32)common->dma_latency_us);
	how->latency_held = h->latency_fd >= 0;
}

void rtk_uhold_give(struct rtk_uhold *h)
{
	if (h->latency_fd >= 0)
		close(h->latency_fd);
	h->latency_fd = -1;
	if (h->locked)
		munlockall();
	h->locked = false;
}

/* With the right to do so it is the control group that has no time to give. */
static void explain(int err, char *why, size_t size)
{
	if (err == EPERM && has_capability(CAP_SYS_NICE))
		snprintf(why, size,
			 "%s although this process may (CAP_SYS_NICE): its control group has no real-time time (RT_GROUP_SCHED): write some to its cpu.rt_runtime_us, or run outside of it; in a container: run on the host",
			 strerror(err));
	else if (err == EPERM)
		snprintf(why, size,
			 "%s: run with sudo, or raise ulimit -r (CAP_SYS_NICE)",
			 strerror(err));
	else
		rtk_copy(why, size, strerror(err));
}

int rtk_uhold_policy(const struct rtk_ucommon *common, int *policy,
		     int *priority, char *why, size_t size)
{
	struct sched_param before, want = { 0 };
	int old = sched_getscheduler(0), err;

	*policy = SCHED_OTHER;
	*priority = 0;
	*why = '\0';
	if (common->policy == RTK_UPOLICY_OTHER)
		return 0;
	sched_getparam(0, &before);
	want.sched_priority = (int)common->priority;
	err = sched_setscheduler(0,
				 common->policy == RTK_UPOLICY_RR ? SCHED_RR :
								    SCHED_FIFO,
				 &want) ?
		      errno :
		      0;
	if (err) {
		explain(err, why, size);
		return -err;
	}
	sched_setscheduler(0, old, &before);
	*policy = common->policy == RTK_UPOLICY_RR ? SCHED_RR : SCHED_FIFO;
	*priority = (int)common->priority;
	return 0;
}

bool rtk_uhold_throttled(__s64 *runtime_us, __s64 *period_us)
{
	return !rtk_read_number(runtime_us, KERNEL "sched_rt_runtime_us") &&
	       !rtk_read_number(period_us, KERNEL "sched_rt_period_us") &&
	       *runtime_us >= 0 && *runtime_us < *period_us;
}
