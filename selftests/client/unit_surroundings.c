// SPDX-License-Identifier: GPL-2.0
/* What else there is of a machine, and what happens to it during a run: made-up files. */
#include <jansson.h>
#include <unistd.h>

#include "env.h"
#include "files.h"
#include "tap.h"

#define CPU "/sys/devices/system/cpu/"
/* Fields 10 to 39 of stat. */
#define ZEROS \
	"0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0"

static void append(const char *root, const char *path, const char *text)
{
	char full[PATH_MAX];
	FILE *f;

	snprintf(full, sizeof(full), "%s%s", root, path);
	f = fopen(full, "a");
	if (!f || fputs(text, f) < 0 || fclose(f))
		ok(false, "%s is written", full);
}

/* Two cores of two threads; CPU 1 and 3 are measured, 3 shares its core with 2. */
static void make_machine_files(const char *root)
{
	static const char *const siblings[] = { "0-1", "0-1", "2-3", "2-3" };
	char path[256];
	int cpu;

	for (cpu = 0; cpu < 4; cpu++) {
		snprintf(path, sizeof(path),
			 CPU "cpu%d/topology/thread_siblings_list", cpu);
		put(root, path, siblings[cpu]);
		snprintf(path, sizeof(path),
			 CPU "cpu%d/topology/physical_package_id", cpu);
		put(root, path, "0\n");
		snprintf(path, sizeof(path),
			 CPU "cpu%d/thermal_throttle/core_throttle_count", cpu);
		put(root, path, "5\n");
		snprintf(path, sizeof(path),
			 CPU "cpu%d/thermal_throttle/package_throttle_count",
			 cpu);
		put(root, path, "7\n");
	}
	put(root, CPU "online", "0-3\n");
	put(root, CPU "isolated", "3\n");
	put(root, CPU "smt/active", "1\n");
	put(root, CPU "cpu1/cache/index0/level", "2\n");
	put(root, CPU "cpu1/cache/index0/type", "Unified\n");
	put(root, CPU "cpu1/cache/index0/size", "1280K\n");
	put(root, CPU "cpu1/cache/index0/shared_cpu_list", "0-1\n");
	put(root, "/sys/devices/cpu_core/cpus", "0-1\n");
	put(root, "/sys/devices/cpu_atom/cpus", "2-3\n");
	put(root, CPU "intel_pstate/no_turbo", "1\n");
	put(root, "/etc/os-release", "NAME=x\nPRETTY_NAME=\"Some OS 1\"\n");
	put(root, "/proc/cpuinfo", "model name\t: x\nmicrocode\t: 0x42\n");
	put(root, "/proc/meminfo", "MemTotal:       8000000 kB\n");
	put(root, "/sys/devices/system/node/online", "0-1\n");
	put(root, "/sys/class/dmi/id/sys_vendor", "ACME\n");
	put(root, "/sys/class/dmi/id/bios_version", "1.2\n");
	put(root, "/sys/class/dmi/id/product_serial", "SECRET\n");
	put(root, "/proc/sys/kernel/sched_rt_runtime_us", "950000\n");
}

static void make_tasks(const char *root)
{
	static const char *const stats[] = {
		/* A PLC of priority 97, one of 50, and a kernel thread of 99. */
		"10 (plc )x) S 1 1 1 0 -1 0 " ZEROS " 97 1 0 0 0",
		"11 (low) S 1 1 1 0 -1 0 " ZEROS " 50 1 0 0 0",
		"12 (migration/1) S 1 1 1 0 -1 2097152 " ZEROS " 99 1 0 0 0",
	};
	char path[256];
	int i;

	for (i = 0; i < 3; i++) {
		snprintf(path, sizeof(path), "/proc/%d/task/%d/stat", 10 + i,
			 10 + i);
		put(root, path, stats[i]);
		snprintf(path, sizeof(path), "/proc/%d/task/%d/status", 10 + i,
			 10 + i);
		put(root, path, "Name:\tx\nCpus_allowed_list:\t0-1\n");
	}
	put(root, "/proc/11/comm", "low\n");
	put(root, "/proc/11/fd/0", "");
	point(root, "/proc/11/fd/0", "/dev/cpu_dma_latency");
}

static void make_kernel(const char *root)
{
	put(root, "/proc/self/mounts",
	    "tracefs /sys/kernel/tracing tracefs rw 0 0\nresctrl /sys/fs/resctrl resctrl rw 0 0\n");
	put(root, "/sys/kernel/tracing/current_tracer", "timerlat\n");
	put(root, "/sys/fs/resctrl/schemata", "L3:0=ff;1=ff\n");
	put(root, "/sys/fs/resctrl/cpus_list", "0,2\n");
	put(root, "/sys/fs/resctrl/rt/schemata", "    L3:0=f0;1=ff\nMB:0=100\n");
	put(root, "/sys/fs/resctrl/rt/cpus_list", "1,3\n");
	put(root, "/sys/fs/resctrl/rt/mode", "shareable\n");
	put(root, "/proc/interrupts",
	    "      CPU0 CPU1 CPU2 CPU3\n 24:  100  10  0  0  PCI-MSI  nvme0q1\nLOC:  5 6 7 8  Local timer interrupts\nERR: 0\n");
	put(root, "/dev/kmsg", "6,1,1,-;sched: RT throttling activated\n");
}

/* What comes to pass between start and end. */
static void happen(const char *root)
{
	put(root, "/proc/interrupts",
	    "      CPU0 CPU1 CPU2 CPU3\n 24:  900  14  0  0  PCI-MSI  nvme0q1\nLOC:  5 1006 7 2008  Local timer interrupts\nERR: 9\n");
	append(root, "/dev/kmsg",
	       "4,2,2,-;clocksource: Marking TSC unstable due to x\n");
	put(root, CPU "cpu3/thermal_throttle/core_throttle_count", "6\n");
	put(root, CPU "cpu1/thermal_throttle/package_throttle_count", "9\n");
	put(root, CPU "cpu3/thermal_throttle/package_throttle_count", "9\n");
}

static void check(const json_t *o, const char *key, const char *want)
{
	char *text = json_dumps(json_object_get(o, key),
				JSON_COMPACT | JSON_ENCODE_ANY);

	ok_str(text, want, "%s", key);
	free(text);
}

static void check_document(const json_t *o)
{
	check(o, "base_os", "\"Some OS 1\"");
	check(o, "microcode", "\"0x42\"");
	check(o, "topology",
	      "{\"sockets\":1,\"cores\":2,\"threads\":4,\"smt\":true,\"core_types\":{\"P\":\"0-1\",\"E\":\"2-3\"}}");
	check(o, "smt_siblings", "\"0,2\"");
	check(o, "caches",
	      "[{\"level\":2,\"type\":\"Unified\",\"size_kib\":1280,\"shared_cpus\":\"0-1\"}]");
	check(o, "memory_kib", "8000000");
	check(o, "numa_nodes", "2");
	check(o, "turbo", "false");
	check(json_object_get(o, "dmi"), "vendor", "\"ACME\"");
	check(json_object_get(o, "dmi"), "board", "null");
	check(json_object_get(o, "tuning"), "rt_runtime_us", "\"950000\"");
	check(o, "cache_partition",
	      "[{\"group\":\"rt\",\"schemata\":\"    L3:0=f0;1=ff\\nMB:0=100\",\"mode\":\"shareable\",\"exclusive\":false}]");
	check(o, "latency_holders", "[{\"pid\":11,\"comm\":\"low\"}]");
	check(o, "rt_tasks_more", "0");
	check(o, "interrupts",
	      "[{\"cpu\":3,\"irq\":\"LOC\",\"name\":\"Local timer interrupts\",\"count\":2000},{\"cpu\":1,\"irq\":\"LOC\",\"name\":\"Local timer interrupts\",\"count\":1000},{\"cpu\":1,\"irq\":\"24\",\"name\":\"PCI-MSI nvme0q1\",\"count\":4}]");
	check(o, "throttling", "{\"core\":1,\"package\":2}");
	check(o, "rt_throttled", "false");
	check(o, "tracer", "\"timerlat\"");
	ok_num((long long)json_array_size(json_object_get(o, "rt_tasks")), 2,
	       "tasks of priority 95 or above");
}

static void test_all(const char *root)
{
	struct rtk_cpuset cpus;
	struct rtk_env e;
	char *text;
	int i;

	ok(!rtk_env_capture(&e, root) && !rtk_env_watch(&e, root), "before");
	free(e.fact[RTK_FACT_KERNEL_RELEASE].value);
	e.fact[RTK_FACT_KERNEL_RELEASE].value = strdup("6.1.0-57-rt-amd64");
	happen(root);
	rtk_cpuset_parse(&cpus, "1,3");
	e.priority = 95;
	/* A checkpoint, then the end: the second look tells the same. */
	for (i = 0; i < 2; i++)
		ok(!rtk_env_capture_cpus(&e, root, &cpus), "after");
	check_document(e.more);
	text = json_dumps(e.more, 0);
	ok(!strstr(text, "SECRET"), "no serial number");
	free(text);
	ok(e.rt_tasks == 1 && strstr(e.rt_task, "plc )x (pid 10, fifo 97"),
	   "one of them is no kernel thread");
	ok(e.sibling == 0 && e.sibling_of == 1, "CPU 0 beside 1");
	ok_num(e.throttled, 3, "throttled");
	ok(e.tsc_unstable && !e.rt_throttled,
	   "messages of the run, not those of before");
	ok_str(e.partition, "rt has ways in common with the default group",
	       "the partition is not exclusive");
	ok_str(e.tracer, "timerlat", "the tracer");
	rtk_env_free(&e);
}

/* Half of the CPUs are offline; rtla traces; code and data have ways of their own. */
static void test_other(const char *root)
{
	struct rtk_cpuset cpus;
	struct rtk_env e;

	put(root, CPU "online", "0,2\n");
	put(root, CPU "cpu2/thermal_throttle/core_throttle_count", "1\n");
	put(root, CPU "cpu2/thermal_throttle/package_throttle_count", "1\n");
	put(root, "/proc/self/mounts",
	    "tracefs /t tracefs rw 0 0\nresctrl /r resctrl rw 0 0\n");
	put(root, "/t/current_tracer", "nop\n");
	put(root, "/t/instances/timerlat_top/current_tracer", "timerlat\n");
	put(root, "/r/schemata", "L3DATA:0=ff\nL3CODE:0=f0\n");
	put(root, "/r/cpus_list", "0\n");
	put(root, "/r/rt/schemata", "L3CODE:0=0f\nL3DATA:0=f00\n");
	put(root, "/r/rt/cpus_list", "2\n");
	put(root, "/dev/kmsg", "");
	ok(!rtk_env_capture(&e, root), "captured");
	free(e.fact[RTK_FACT_KERNEL_RELEASE].value);
	e.fact[RTK_FACT_KERNEL_RELEASE].value = strdup("6.12.1-rt");
	ok(!rtk_env_watch(&e, root), "before");
	put(root, CPU "cpu2/thermal_throttle/core_throttle_count", "5\n");
	rtk_cpuset_parse(&cpus, "2");
	ok(!rtk_env_capture_cpus(&e, root, &cpus), "after");
	ok_num(e.throttled, 4, "throttled behind a CPU that is offline");
	ok_str(e.tracer, "timerlat", "a tracer in an instance");
	ok(*e.partition, "code of one in the ways of the other's data");
	check(e.more, "rt_throttled", "null");
	rtk_env_free(&e);
}

/* Nothing of it is there: each has its reason. */
static void test_nothing(const char *root)
{
	struct rtk_cpuset cpus;
	const char *key;
	struct rtk_env e;
	char reason[64];
	json_t *v;

	ok(!rtk_env_capture(&e, root) && !rtk_env_watch(&e, root), "before");
	rtk_cpuset_parse(&cpus, "0");
	ok(!rtk_env_capture_cpus(&e, root, &cpus), "after");
	json_object_foreach(e.more, key, v) {
		if (!json_is_null(v))
			continue;
		snprintf(reason, sizeof(reason), "%s_reason", key);
		ok(json_is_string(json_object_get(e.more, reason)),
		   "%s is null, with a reason", key);
	}
	ok(e.sibling < 0 && e.throttled < 0 && !e.rt_tasks && !*e.partition,
	   "nothing is held against it");
	rtk_env_free(&e);
}

int main(void)
{
	char root[] = "/tmp/rtk-unit-XXXXXX", nothing[PATH_MAX];
	char other[PATH_MAX];

	tap_begin();
	if (!mkdtemp(root))
		return 1;
	make_machine_files(root);
	make_tasks(root);
	make_kernel(root);
	test_all(root);
	snprintf(nothing, sizeof(nothing), "%s/nothing", root);
	mkdir(nothing, 0755);
	test_nothing(nothing);
	snprintf(other, sizeof(other), "%s/other", root);
	mkdir(other, 0755);
	test_other(other);
	return tap_end();
}
