// SPDX-License-Identifier: GPL-2.0
/* Processor, memory, board and firmware. No serial number and no UUID. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "env_parts.h"
#include "json_value.h"
#include "util.h"

#define CPU "/sys/devices/system/cpu/"
#define DMI "/sys/class/dmi/id/"

/* The value of the first line of a file that begins with a word. */
static json_t *line_value(const struct rtk_env_look *l, const char *path,
			  const char *word)
{
	char text[4096], *p;

	rtk_read_text(text, sizeof(text), "%s%s", l->root, path);
	p = strstr(text, word);
	if (!p)
		return NULL;
	p += strlen(word);
	p += strspn(p, ": \t=\"");
	p[strcspn(p, "\"\n")] = '\0';
	return rtk_json_string(p);
}

static void set_dmi(const struct rtk_env_look *l)
{
	static const char *const keys[][2] = {
		{ "vendor", DMI "sys_vendor" },
		{ "product", DMI "product_name" },
		{ "board", DMI "board_name" },
		{ "bios_vendor", DMI "bios_vendor" },
		{ "bios_version", DMI "bios_version" },
		{ "bios_date", DMI "bios_date" },
	};
	json_t *dmi = json_object();
	size_t i, found = 0;
	char text[256];

	for (i = 0; i < RTK_ARRAY_SIZE(keys); i++) {
		found += rtk_read_text(text, sizeof(text), "%s%s", l->root,
				       keys[i][1]) >= 0;
		rtk_env_set_file(l, dmi, keys[i][0], keys[i][1]);
	}
	if (!found) {
		json_decref(dmi);
		dmi = NULL;
	}
	rtk_json_set(l->o, "dmi", dmi, "no " DMI);
}

/* Cores of different speed: as x86 names them, or else by capacity. */
static json_t *core_types(const struct rtk_env_look *l,
			  const struct rtk_cpuset *online)
{
	json_t *p = rtk_env_text(l, "/sys/devices/cpu_core/cpus");
	json_t *e = rtk_env_text(l, "/sys/devices/cpu_atom/cpus");
	struct rtk_cpuset fast = { 0 }, slow = { 0 };
	__s64 capacity, most = 0;
	char *text[2];
	int cpu;

	if (p && e)
		return json_pack("{s:o, s:o}", "P", p, "E", e);
	json_decref(p);
	json_decref(e);
	for (cpu = 0; (cpu = rtk_cpuset_next(online, cpu)) >= 0; cpu++) {
		if (rtk_read_number(&capacity, "%s" CPU "cpu%d/cpu_capacity",
				    l->root, cpu))
			return NULL;
		most = capacity > most ? capacity : most;
	}
	for (cpu = 0; (cpu = rtk_cpuset_next(online, cpu)) >= 0; cpu++) {
		if (rtk_read_number(&capacity, "%s" CPU "cpu%d/cpu_capacity",
				    l->root, cpu))
			return NULL;
		rtk_cpuset_add(capacity == most ? &fast : &slow,
			       (unsigned int)cpu);
	}
	if (rtk_cpuset_next(&slow, 0) < 0)
		return NULL;
	text[0] = rtk_cpuset_text(&fast);
	text[1] = rtk_cpuset_text(&slow);
	p = json_pack("{s:o, s:o}", "P", rtk_json_string(text[0]), "E",
		      rtk_json_string(text[1]));
	free(text[0]);
	free(text[1]);
	return p;
}

/* What else runs on the cores of the measured CPUs. */
static void set_siblings(const struct rtk_env_look *l)
{
	struct rtk_cpuset isolated, beside = { 0 }, threads;
	char list[4096], *text;
	int cpu, other;

	rtk_read_text(list, sizeof(list), "%s" CPU "isolated", l->root);
	if (rtk_cpuset_parse(&isolated, list))
		memset(&isolated, 0, sizeof(isolated));
	for (cpu = 0; (cpu = rtk_cpuset_next(l->cpus, cpu)) >= 0; cpu++) {
		rtk_read_text(list, sizeof(list),
			      "%s" CPU "cpu%d/topology/thread_siblings_list",
			      l->root, cpu);
		if (rtk_cpuset_parse(&threads, list))
			continue;
		for (other = 0; (other = rtk_cpuset_next(&threads, other)) >= 0;
		     other++) {
			if (rtk_cpuset_has(l->cpus, (unsigned int)other))
				continue;
			rtk_cpuset_add(&beside, (unsigned int)other);
			if (!rtk_cpuset_has(&isolated, (unsigned int)other) &&
			    l->e->sibling < 0) {
				l->e->sibling = other;
				l->e->sibling_of = cpu;
			}
		}
	}
	text = rtk_cpuset_text(&beside);
	rtk_json_set(l->o, "smt_siblings", rtk_json_string(text), NULL);
	free(text);
}

static void set_topology(const struct rtk_env_look *l)
{
	const char *list = l->e->fact[RTK_FACT_CPUS_ONLINE].value;
	struct rtk_cpuset online, packages = { 0 }, siblings;
	int cpu, sockets = 0, cores = 0, threads = 0;
	__s64 id, smt = 0;
	char text[256];
	json_t *o;

	if (!list || rtk_cpuset_parse(&online, list)) {
		rtk_json_set(l->o, "topology", NULL, "no list of online CPUs");
		return;
	}
	for (cpu = 0; (cpu = rtk_cpuset_next(&online, cpu)) >= 0; cpu++) {
		threads++;
		if (!rtk_read_number(&id,
				     "%s" CPU
				     "cpu%d/topology/physical_package_id",
				     l->root, cpu) &&
		    id >= 0 && !rtk_cpuset_has(&packages, (unsigned int)id)) {
			rtk_cpuset_add(&packages, (unsigned int)id);
			sockets++;
		}
		rtk_read_text(text, sizeof(text),
			      "%s" CPU "cpu%d/topology/thread_siblings_list",
			      l->root, cpu);
		cores += !rtk_cpuset_parse(&siblings, text) &&
			 rtk_cpuset_next(&siblings, 0) == cpu;
	}
	o = json_object();
	rtk_json_set(o, "sockets", sockets ? json_integer(sockets) : NULL,
		     "no physical_package_id");
	rtk_json_set(o, "cores", cores ? json_integer(cores) : NULL,
		     "no thread_siblings_list");
	rtk_json_set(o, "threads", json_integer(threads), NULL);
	rtk_json_set(o, "smt",
		     rtk_read_number(&smt, "%s" CPU "smt/active", l->root) ?
			     NULL :
			     json_boolean(smt),
		     CPU "smt/active can't be read");
	rtk_json_set(o, "core_types", core_types(l, &online),
		     "all cores are alike, or nothing tells");
	rtk_json_set(l->o, "topology", o, NULL);
}

/* Of the first measured CPU: with thousands of them a list of all is no use. */
static void set_caches(const struct rtk_env_look *l)
{
	int cpu = rtk_cpuset_next(l->cpus, 0), i;
	char type[32], size[32], shared[4096];
	json_t *list = json_array();
	__s64 level;

	for (i = 0; cpu >= 0 && i < 16; i++) {
		if (rtk_read_number(&level,
				    "%s" CPU "cpu%d/cache/index%d/level",
				    l->root, cpu, i))
			break;
		rtk_read_text(type, sizeof(type),
			      "%s" CPU "cpu%d/cache/index%d/type", l->root, cpu,
			      i);
		rtk_read_text(size, sizeof(size),
			      "%s" CPU "cpu%d/cache/index%d/size", l->root, cpu,
			      i);
		rtk_read_text(shared, sizeof(shared),
			      "%s" CPU "cpu%d/cache/index%d/shared_cpu_list",
			      l->root, cpu, i);
		json_array_append_new(list,
				      json_pack("{s:I, s:o, s:I, s:o}", "level",
						(json_int_t)level, "type",
						rtk_json_string(type),
						"size_kib",
						(json_int_t)atoll(size),
						"shared_cpus",
						rtk_json_string(shared)));
	}
	if (!i) {
		json_decref(list);
		list = NULL;
	}
	rtk_json_set(l->o, "caches", list, "sysfs tells of none");
}

static void set_memory(const struct rtk_env_look *l)
{
	json_t *total = line_value(l, "/proc/meminfo", "MemTotal");
	struct rtk_cpuset nodes;
	char list[256];
	json_t *kib = NULL;
	int node = -1, n = 0;

	if (total)
		kib = rtk_json_integer(atoll(json_string_value(total)));
	json_decref(total);
	rtk_json_set(l->o, "memory_kib", kib, "/proc/meminfo can't be read");
	rtk_read_text(list, sizeof(list), "%s/sys/devices/system/node/online",
		      l->root);
	while (!rtk_cpuset_parse(&nodes, list) &&
	       (node = rtk_cpuset_next(&nodes, node + 1)) >= 0)
		n++;
	rtk_json_set(l->o, "numa_nodes", n ? json_integer(n) : NULL,
		     "/sys/devices/system/node/online can't be read");
}

/* Of intel_pstate, then of the others; their files mean the contrary. */
static void set_turbo(const struct rtk_env_look *l)
{
	json_t *turbo = NULL;
	__s64 v;

	if (!rtk_read_number(&v, "%s" CPU "intel_pstate/no_turbo", l->root))
		turbo = json_boolean(!v);
	else if (!rtk_read_number(&v, "%s" CPU "cpufreq/boost", l->root))
		turbo = json_boolean(v);
	rtk_json_set(l->o, "turbo", turbo, "the driver does not tell");
}

void rtk_env_hardware(const struct rtk_env_look *l)
{
	char driver[128];

	rtk_json_set(l->o, "base_os",
		     line_value(l, "/etc/os-release", "PRETTY_NAME"),
		     "no /etc/os-release");
	rtk_json_set(l->o, "microcode",
		     line_value(l, "/proc/cpuinfo", "microcode"),
		     "/proc/cpuinfo has none");
	set_topology(l);
	set_siblings(l);
	set_caches(l);
	set_memory(l);
	set_dmi(l);
	set_turbo(l);
	snprintf(driver, sizeof(driver), CPU "cpu%d/cpufreq/scaling_driver",
		 rtk_cpuset_next(l->cpus, 0));
	rtk_env_set_file(l, l->o, "scaling_driver", driver);
}
