// SPDX-License-Identifier: GPL-2.0
/* How the kernel was built, and the tuning that is in force. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "env_parts.h"
#include "json_value.h"
#include "util.h"

/* Those that matter for latencies: what shapes them, and what costs. */
static const char *const wanted[] = {
	"CONFIG_PREEMPT_NONE",
	"CONFIG_PREEMPT_VOLUNTARY",
	"CONFIG_PREEMPT",
	"CONFIG_PREEMPT_LAZY",
	"CONFIG_PREEMPT_DYNAMIC",
	"CONFIG_PREEMPT_RT",
	"CONFIG_HZ",
	"CONFIG_HZ_PERIODIC",
	"CONFIG_NO_HZ_IDLE",
	"CONFIG_NO_HZ_FULL",
	"CONFIG_HIGH_RES_TIMERS",
	"CONFIG_CPU_ISOLATION",
	"CONFIG_RCU_NOCB_CPU",
	"CONFIG_RCU_BOOST",
	"CONFIG_RT_GROUP_SCHED",
	"CONFIG_X86_CPU_RESCTRL",
	"CONFIG_HWLAT_TRACER",
	"CONFIG_OSNOISE_TRACER",
	"CONFIG_TIMERLAT_TRACER",
	"CONFIG_DEBUG_PREEMPT",
	"CONFIG_DEBUG_ATOMIC_SLEEP",
	"CONFIG_DEBUG_OBJECTS",
	"CONFIG_PROVE_LOCKING",
	"CONFIG_LOCK_STAT",
	"CONFIG_KASAN",
	"CONFIG_KCSAN",
	"CONFIG_IRQSOFF_TRACER",
	"CONFIG_PREEMPT_TRACER",
};

/* A line "NAME=value" of the file; others change nothing. */
static void take_line(json_t *o, char *line)
{
	char *value = strchr(line, '=');

	if (!value)
		return;
	*value++ = '\0';
	value[strcspn(value, "\n")] = '\0';
	if (json_object_get(o, line))
		json_object_set_new(o, line, rtk_json_string(value));
}

static void set_config(const struct rtk_env_look *l)
{
	const char *release = l->e->fact[RTK_FACT_KERNEL_RELEASE].value;
	char path[512], line[512], why[600];
	json_t *o;
	FILE *f;
	size_t i;

	snprintf(path, sizeof(path), "%s/boot/config-%s", l->root,
		 release ? release : "");
	f = fopen(path, "re");
	if (!f) {
		snprintf(why, sizeof(why), "%s: %s", path, strerror(errno));
		rtk_json_set(l->o, "config", NULL, why);
		return;
	}
	o = json_object();
	for (i = 0; i < RTK_ARRAY_SIZE(wanted); i++)
		json_object_set_new(o, wanted[i], json_string("n"));
	while (fgets(line, sizeof(line), f))
		take_line(o, line);
	fclose(f);
	rtk_json_set(l->o, "config", o, NULL);
}

static void set_tuning(const struct rtk_env_look *l)
{
	static const char *const files[][2] = {
		{ "rt_runtime_us", "/proc/sys/kernel/sched_rt_runtime_us" },
		{ "rt_period_us", "/proc/sys/kernel/sched_rt_period_us" },
		{ "timer_migration", "/proc/sys/kernel/timer_migration" },
		{ "nmi_watchdog", "/proc/sys/kernel/nmi_watchdog" },
		{ "watchdog_cpumask", "/proc/sys/kernel/watchdog_cpumask" },
		{ "numa_balancing", "/proc/sys/kernel/numa_balancing" },
		{ "swappiness", "/proc/sys/vm/swappiness" },
		{ "stat_interval", "/proc/sys/vm/stat_interval" },
		{ "transparent_hugepage",
		  "/sys/kernel/mm/transparent_hugepage/enabled" },
		{ "ksm", "/sys/kernel/mm/ksm/run" },
		{ "irq_default_affinity", "/proc/irq/default_smp_affinity" },
		{ "workqueue_cpumask",
		  "/sys/devices/virtual/workqueue/cpumask" },
		{ "nohz_full", "/sys/devices/system/cpu/nohz_full" },
		{ "preempt", "/sys/kernel/debug/sched/preempt" },
	};
	json_t *o = json_object();
	size_t i;

	for (i = 0; i < RTK_ARRAY_SIZE(files); i++)
		rtk_env_set_file(l, o, files[i][0], files[i][1]);
	rtk_json_set(l->o, "tuning", o, NULL);
}

void rtk_env_kernel(const struct rtk_env_look *l)
{
	set_config(l);
	set_tuning(l);
}
