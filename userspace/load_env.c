// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <string.h>

#include "load_value.h"
#include "util.h"

const char *rtk_env_key(enum rtk_fact_id id)
{
	static const char *const keys[] = {
		[RTK_FACT_NODE] = "node",
		[RTK_FACT_KERNEL_RELEASE] = "kernel_release",
		[RTK_FACT_KERNEL_VERSION] = "kernel_version",
		[RTK_FACT_MACHINE] = "machine",
		[RTK_FACT_RT_SOURCE] = "rt_source",
		[RTK_FACT_CMDLINE] = "cmdline",
		[RTK_FACT_CPU_MODEL] = "cpu_model",
		[RTK_FACT_CPUS_ONLINE] = "cpus_online",
		[RTK_FACT_CPUS_ISOLATED] = "cpus_isolated",
		[RTK_FACT_CLOCKSOURCE] = "clocksource",
		[RTK_FACT_CLOCKSOURCES] = "clocksources",
		[RTK_FACT_HYPERVISOR] = "hypervisor",
		[RTK_FACT_IDLE_DRIVER] = "idle_driver",
	};

	return keys[id];
}

int rtk_env_load(struct rtk_env *e, const json_t *o)
{
	const json_t *load = json_object_get(o, "load_average"), *v;
	const char *name;
	size_t i;

	memset(e, 0, sizeof(*e));
	e->deep_cpu = -1;
	e->sibling = -1;
	e->throttled = -1;
	for (i = 0; i < RTK_FACTS; i++) {
		v = json_object_get(o, rtk_env_key((enum rtk_fact_id)i));
		if (!json_is_string(v))
			continue;
		e->fact[i].value = strdup(json_string_value(v));
		if (!e->fact[i].value)
			return -ENOMEM;
	}
	v = json_object_get(o, "rt");
	e->rt = json_is_boolean(v) ? json_is_true(v) : -1;
	e->emulated = json_is_true(json_object_get(o, "emulated"));
	name = e->fact[RTK_FACT_HYPERVISOR].value;
	e->hypervisor = name && strcmp(name, "none");
	e->cpu_latency_us = rtk_load_int(o, "cpu_latency_qos_us", -1);
	for (i = 0; i < RTK_ARRAY_SIZE(e->load); i++) {
		v = json_array_get(load, i);
		e->load[i] = v ? json_number_value(v) : -1;
	}
	return 0;
}
