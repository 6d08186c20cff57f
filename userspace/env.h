/* SPDX-License-Identifier: GPL-2.0 */
/* The machine that a result comes from. Nothing is changed. */
#ifndef RTK_ENV_H
#define RTK_ENV_H

#include <stdbool.h>
#include <stddef.h>
#include <linux/types.h>

#include "cpuset.h"

struct json_t;
struct rtk_env_before;

/**
 * enum rtk_fact_id - facts that are one text
 * @RTK_FACT_NODE: uname -n
 * @RTK_FACT_KERNEL_RELEASE: uname -r
 * @RTK_FACT_KERNEL_VERSION: uname -v
 * @RTK_FACT_MACHINE: uname -m
 * @RTK_FACT_RT_SOURCE: what told whether the kernel is real-time
 * @RTK_FACT_CMDLINE: kernel command line
 * @RTK_FACT_CPU_MODEL: name of the processor
 * @RTK_FACT_CPUS_ONLINE: CPU list
 * @RTK_FACT_CPUS_ISOLATED: CPU list, empty where none is
 * @RTK_FACT_CLOCKSOURCE: the present one
 * @RTK_FACT_CLOCKSOURCES: those that there are
 * @RTK_FACT_HYPERVISOR: its name, "none" on bare metal
 * @RTK_FACT_IDLE_DRIVER: cpuidle's driver
 * @RTK_FACTS: number of facts
 */
enum rtk_fact_id {
	RTK_FACT_NODE,
	RTK_FACT_KERNEL_RELEASE,
	RTK_FACT_KERNEL_VERSION,
	RTK_FACT_MACHINE,
	RTK_FACT_RT_SOURCE,
	RTK_FACT_CMDLINE,
	RTK_FACT_CPU_MODEL,
	RTK_FACT_CPUS_ONLINE,
	RTK_FACT_CPUS_ISOLATED,
	RTK_FACT_CLOCKSOURCE,
	RTK_FACT_CLOCKSOURCES,
	RTK_FACT_HYPERVISOR,
	RTK_FACT_IDLE_DRIVER,
	RTK_FACTS,
};

/**
 * struct rtk_fact - a fact, or why it is not known
 * @value: text, or NULL
 * @reason: why @value is NULL, else NULL
 */
struct rtk_fact {
	char *value;
	char *reason;
};

/**
 * struct rtk_env_cpu - a measured CPU
 * @cpu: number
 * @governor: of frequency scaling; empty where there is none
 */
struct rtk_env_cpu {
	unsigned int cpu;
	char governor[32];
};

/**
 * struct rtk_env_idle - an idle state of the first measured CPU
 * @name: name
 * @latency_us: exit latency
 * @disabled: by its sysfs file
 */
struct rtk_env_idle {
	char name[32];
	__s64 latency_us;
	bool disabled;
};

/**
 * struct rtk_env - what was found
 * @fact: by enum rtk_fact_id
 * @rt: 1 real-time kernel, 0 not, -1 not known
 * @emulated: runs under TCG: times are the emulator's
 * @hypervisor: runs in a virtual machine
 * @cpu_latency_us: limit in force outside the run, -1 not known
 * @load: load averages over 1, 5 and 15 minutes, -1 not known
 * @cpus: measured CPUs
 * @ncpus: their number
 * @idle: idle states
 * @nidle: their number
 * @deep_cpu: measured CPU with the fastest deep idle state, or -1
 * @deep_us: exit latency of that state
 * @priority: real-time priority of what is measured; set before the CPUs are
 *	looked at
 * @rt_tasks: tasks of user space of that or a higher one on measured CPUs
 * @rt_task: the first of them
 * @sibling: CPU of a measured core that is neither measured nor isolated, or -1
 * @sibling_of: the measured CPU beside it
 * @throttled: thermal events during the run, -1 not known
 * @rt_throttled: the kernel told so during the run
 * @tsc_unstable: likewise
 * @tracer: that was set, empty not known
 * @partition: why the cache partition of measured CPUs is not theirs alone, or
 *	empty
 * @before: what was seen before the run, see rtk_env_watch()
 * @more: further keys of the document, or NULL
 */
struct rtk_env {
	struct rtk_fact fact[RTK_FACTS];
	int rt;
	bool emulated;
	bool hypervisor;
	__s64 cpu_latency_us;
	double load[3];
	struct rtk_env_cpu *cpus;
	size_t ncpus;
	struct rtk_env_idle *idle;
	size_t nidle;
	int deep_cpu;
	__s64 deep_us;
	int priority;
	size_t rt_tasks;
	char rt_task[160];
	int sibling;
	int sibling_of;
	__s64 throttled;
	bool rt_throttled;
	bool tsc_unstable;
	char tracer[32];
	char partition[160];
	struct rtk_env_before *before;
	struct json_t *more;
};

/**
 * rtk_env_capture() - look at the machine
 * @e: filled; free with rtk_env_free()
 * @root: where its file system is, "" for this machine
 *
 * Return: 0 or -ENOMEM; what can't be found has its reason
 */
int rtk_env_capture(struct rtk_env *e, const char *root);

/**
 * rtk_env_watch() - keep what the run may change, right before it
 * @e: captured environment
 * @root: as above
 *
 * Return: 0 or -ENOMEM
 */
int rtk_env_watch(struct rtk_env *e, const char *root);

/**
 * rtk_env_unwatch() - forget it
 * @e: environment
 */
void rtk_env_unwatch(struct rtk_env *e);

/**
 * rtk_env_capture_cpus() - look at the measured CPUs, and at all else after a run
 * @e: captured environment
 * @root: as above
 * @cpus: measured CPUs
 *
 * Return: 0 or -ENOMEM
 */
int rtk_env_capture_cpus(struct rtk_env *e, const char *root,
			 const struct rtk_cpuset *cpus);

/**
 * rtk_env_key() - a fact's key in a document's environment
 * @id: fact
 *
 * Return: name
 */
const char *rtk_env_key(enum rtk_fact_id id);

/**
 * rtk_env_load() - the facts of a document's environment
 * @e: filled as by rtk_env_capture(), without the measured CPUs
 * @o: JSON object
 *
 * Return: 0 or -ENOMEM
 */
int rtk_env_load(struct rtk_env *e, const struct json_t *o);

/**
 * rtk_env_free() - free what an environment holds
 * @e: environment
 */
void rtk_env_free(struct rtk_env *e);

/**
 * rtk_env_clocksource() - the clock source in use now
 * @buf: filled, empty where it can't be read
 * @size: its size
 */
void rtk_env_clocksource(char *buf, size_t size);

#endif
