// SPDX-License-Identifier: GPL-2.0
/* What the machine refuses to a test in user space, and in which words that is told. */
#include <errno.h>
#include <linux/capability.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "reasons.h"
#include "results.h"
#include "spoil_user.h"
#include "uhold.h"

/* The kernel's answers are ours. */
static int refusal, given_policy, given_priority;

int sched_setscheduler(pid_t pid, int policy, const struct sched_param *param)
{
	(void)pid;
	if (refusal && policy != SCHED_OTHER) {
		errno = refusal;
		return -1;
	}
	given_policy = policy;
	given_priority = param->sched_priority;
	return 0;
}

/* Lets a capability have its effect or not, where this process has it at all. */
static bool set_capability(int cap, bool on)
{
	struct __user_cap_header_struct head = {
		.version = _LINUX_CAPABILITY_VERSION_3
	};
	struct __user_cap_data_struct data[2];

	if (syscall(SYS_capget, &head, data))
		return false;
	if (!(data[0].permitted >> cap & 1))
		return !on;
	data[0].effective &= ~(1U << cap);
	if (on)
		data[0].effective |= 1U << cap;
	return !syscall(SYS_capset, &head, data);
}

static int ask(__s64 policy, int error, int *got, int *priority, char *why)
{
	const struct rtk_ucommon common = { .policy = policy, .priority = 42 };

	refusal = error;
	given_policy = -1;
	given_priority = -1;
	return rtk_uhold_policy(&common, got, priority, why, 512);
}

static void test_policy(void)
{
	char why[512];
	int policy, priority;

	ok_num(ask(RTK_UPOLICY_FIFO, 0, &policy, &priority, why), 0, "fifo");
	ok(policy == SCHED_FIFO && priority == 42 && !*why, "is to be had");
	ok(given_policy == SCHED_OTHER && given_priority == 0,
	   "who tries it has what it had");
	ok_num(ask(RTK_UPOLICY_RR, 0, &policy, &priority, why), 0, "rr");
	ok(policy == SCHED_RR && priority == 42 && !*why, "is, too");
	ok_num(ask(RTK_UPOLICY_OTHER, EPERM, &policy, &priority, why), 0,
	       "other");
	ok(policy == SCHED_OTHER && !priority && !*why && given_policy == -1,
	   "needs nothing, and nothing is tried");
}

static void test_refusals(void)
{
	char why[512];
	int policy, priority;

	if (!set_capability(CAP_SYS_NICE, false))
		ok(false, "without CAP_SYS_NICE");
	ok_num(ask(RTK_UPOLICY_FIFO, EPERM, &policy, &priority, why), -EPERM,
	       "fifo is refused");
	ok(policy == SCHED_OTHER && !priority, "then it is the ordinary one");
	ok_str(why,
	       "Operation not permitted: run with sudo, or raise ulimit -r (CAP_SYS_NICE)",
	       "cause and mend");
	ask(RTK_UPOLICY_RR, EINVAL, &policy, &priority, why);
	ok_str(why, "Invalid argument", "another cause");
	if (!set_capability(CAP_SYS_NICE, true)) {
		printf("# no CAP_SYS_NICE to be had\n");
		return;
	}
	ask(RTK_UPOLICY_FIFO, EPERM, &policy, &priority, why);
	ok_str(why,
	       "Operation not permitted although this process may (CAP_SYS_NICE): its control group has no real-time time (RT_GROUP_SCHED): write some to its cpu.rt_runtime_us, or run outside of it; in a container: run on the host",
	       "with the right to do so it is the control group");
}

static void test_memory(void)
{
	const struct rtk_ucommon common = { .dma_latency_us = -1 };
	struct rtk_ucond how = { 0 };
	struct rlimit limit;
	struct rtk_uhold h;
	void *p;

	getrlimit(RLIMIT_MEMLOCK, &limit);
	limit.rlim_cur = 65536;
	setrlimit(RLIMIT_MEMLOCK, &limit);
	set_capability(CAP_IPC_LOCK, false);
	rtk_uhold_take(&h, &common, &how);
	ok_str(how.memory,
	       "memory is not locked: run with sudo, or with ulimit -l unlimited (it is 64 KiB)",
	       "a limit: cause and mend");
	ok(!h.locked && h.latency_fd == -1 && !how.latency_held,
	   "nothing is held");
	p = calloc(1, 1 << 20);
	ok(p, "and nothing fails that would not without it");
	free(p);
	rtk_uhold_give(&h);

	how = (struct rtk_ucond){ 0 };
	if (!set_capability(CAP_IPC_LOCK, true)) {
		printf("# no CAP_IPC_LOCK to be had\n");
		return;
	}
	rtk_uhold_take(&h, &common, &how);
	ok(h.locked && !*how.memory, "no limit for who has CAP_IPC_LOCK");
	rtk_uhold_give(&h);
	ok(!h.locked, "given back");
}

/* The machine to which nothing can be objected, spoilt; the only reason's text. */
static void check_reason(void (*spoil)(struct rtk_result *r), const char *want)
{
	struct rtk_result r;

	make(&r);
	spoil(&r);
	judge(&r);
	ok_str(r.verdict.n == 1 ? r.verdict.v[0].text : "not one reason", want,
	       "reason %s", r.verdict.n ? r.verdict.v[0].id : "none");
	rtk_result_free(&r);
}

static void spoil_major(struct rtk_result *r)
{
	user(r);
	add_item(&r->lanes.v[2].counters, "page_faults", 0);
	add_item(&r->lanes.v[2].counters, "major_faults", 7);
}

static void spoil_once(struct rtk_result *r)
{
	user(r)->realtime = false;
	add_item(&r->lanes.v[0].counters, "preemptions", 1);
}

static void test_reasons(void)
{
	check_reason(spoil_priority,
		     "no real-time priority: Operation not permitted");
	check_reason(spoil_memory, "memory is not locked");
	check_reason(spoil_faults, "1 page fault on CPU 0 while it measured");
	check_reason(spoil_major, "7 page faults on CPU 1 while it measured");
	check_reason(spoil_preempted,
		     "the measured thread of CPU 0 was taken off it 2 times; real-time throttling leaves it 950000 us of 1000000; off: sudo sysctl kernel.sched_rt_runtime_us=-1");
	check_reason(spoil_once,
		     "the measured thread of CPU 0 was taken off it 1 time");
	check_reason(spoil_rows,
		     "3 rows are missing: the controller did not keep up, or there are more than 500000");
	check_reason(spoil_controller,
		     "the controller ran on the measured CPUs: there was no other");
	check_reason(spoil_counter,
		     "the time-stamp counter is not invariant: ticks are no time");
}

int main(void)
{
	tap_begin();
	test_policy();
	test_refusals();
	test_memory();
	test_reasons();
	return tap_end();
}
