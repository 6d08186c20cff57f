// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>
#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#endif

#include "env_parts.h"
#include "json_value.h"
#include "util.h"

#define CLOCKSOURCE "/sys/devices/system/clocksource/clocksource0/"
#define CPU "/sys/devices/system/cpu/"

static int set_value(struct rtk_env *e, enum rtk_fact_id id, const char *value)
{
	e->fact[id].value = strdup(value);
	return e->fact[id].value ? 0 : -ENOMEM;
}

static int __printf(3, 4)
	set_reason(struct rtk_env *e, enum rtk_fact_id id, const char *fmt, ...)
{
	va_list ap;
	int len;

	va_start(ap, fmt);
	len = vasprintf(&e->fact[id].reason, fmt, ap);
	va_end(ap);
	if (len >= 0)
		return 0;
	e->fact[id].reason = NULL;
	return -ENOMEM;
}

static int from_file(struct rtk_env *e, enum rtk_fact_id id, const char *root,
		     const char *path)
{
	char text[4096];
	int len = rtk_read_text(text, sizeof(text), "%s%s", root, path);

	if (len >= 0)
		return set_value(e, id, text);
	return set_reason(e, id, "%s: %s", path, strerror(-len));
}

static int capture_uname(struct rtk_env *e)
{
	struct utsname u;
	int err;

	uname(&u);
	err = set_value(e, RTK_FACT_NODE, u.nodename);
	if (!err)
		err = set_value(e, RTK_FACT_KERNEL_RELEASE, u.release);
	if (!err)
		err = set_value(e, RTK_FACT_KERNEL_VERSION, u.version);
	if (!err)
		err = set_value(e, RTK_FACT_MACHINE, u.machine);
	return err;
}

/* Is CONFIG_PREEMPT_RT set? 1, 0, or -errno where the file can't be read. */
static int config_rt(const char *root, const char *release)
{
	char path[512], line[512];
	int rt = 0;
	FILE *f;

	snprintf(path, sizeof(path), "%s/boot/config-%s", root, release);
	f = fopen(path, "re");
	if (!f)
		return -errno;
	while (!rt && fgets(line, sizeof(line), f))
		rt = !strcmp(line, "CONFIG_PREEMPT_RT=y\n");
	if (ferror(f))
		rt = -EIO;
	fclose(f);
	return rt;
}

/*
 * All signs that are there; one that says so is enough. From 6.12 on there is no
 * /sys/kernel/realtime, and "-rt" in a release is a name that anybody can give.
 */
static int capture_rt(struct rtk_env *e, const char *root)
{
	const char *version = e->fact[RTK_FACT_KERNEL_VERSION].value;
	const char *release = e->fact[RTK_FACT_KERNEL_RELEASE].value;
	const char *cmdline = e->fact[RTK_FACT_CMDLINE].value;
	const char *preempt = cmdline ? strstr(cmdline, "preempt=") : NULL;
	bool is_word = preempt && (preempt == cmdline || preempt[-1] == ' ');
	bool named = strstr(version, "PREEMPT_RT") ||
		     strstr(version, "PREEMPT RT");
	int config = config_rt(root, release), len;
	char signs[256];
	__s64 v;
	bool realtime = !rtk_read_number(&v, "%s/sys/kernel/realtime", root) &&
			v == 1;

	e->rt = named || config > 0 || realtime;
	len = snprintf(signs, sizeof(signs), "uname -v: %s%s%s",
		       named ? "PREEMPT_RT" : "not PREEMPT_RT",
		       config < 0 ? "" :
		       config	  ? "; CONFIG_PREEMPT_RT=y" :
				    "; CONFIG_PREEMPT_RT is not set",
		       realtime ? "; /sys/kernel/realtime: 1" : "");
	if (is_word && (size_t)len < sizeof(signs))
		snprintf(signs + len, sizeof(signs) - (size_t)len, "; %.*s",
			 (int)strcspn(preempt, "\n "), preempt);
	return set_value(e, RTK_FACT_RT_SOURCE, signs);
}

static int capture_cpu_model(struct rtk_env *e, const char *root)
{
	char text[4096], *p;

	rtk_read_text(text, sizeof(text), "%s/proc/cpuinfo", root);
	p = strstr(text, "model name");
	p = p ? strchr(p, ':') : NULL;
	if (p) {
		p += strspn(p, ": \t");
		p[strcspn(p, "\n")] = '\0';
		return set_value(e, RTK_FACT_CPU_MODEL, p);
	}
	return from_file(e, RTK_FACT_CPU_MODEL, root,
			 "/proc/device-tree/model");
}

#if defined(__x86_64__) || defined(__i386__)
/* Signature of CPUID leaf 0x40000000, or empty on bare metal. */
static bool cpuid_hypervisor(char *signature)
{
	unsigned int a, b, c, d;

	if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & 1U << 31))
		return false;
	__cpuid(0x40000000, a, b, c, d);
	memcpy(signature, &b, 4);
	memcpy(signature + 4, &c, 4);
	memcpy(signature + 8, &d, 4);
	signature[12] = '\0';
	return true;
}

static const struct {
	const char *signature;
	const char *name;
} hypervisors[] = {
	{ "TCGTCGTCGTCG", "QEMU TCG" },
	{ "KVMKVMKVM", "KVM" },
	{ "Microsoft Hv", "Microsoft Hyper-V" },
	{ "VMwareVMware", "VMware" },
	{ "XenVMMXenVMM", "Xen" },
	{ "bhyve bhyve ", "bhyve" },
	{ "ACRNACRNACRN", "ACRN" },
	{ "Jailhouse", "Jailhouse" },
	{ "QNXQVMBSQG", "QNX" },
	{ "VBoxVBoxVBox", "VirtualBox" },
};

static int capture_hypervisor(struct rtk_env *e, const char *root)
{
	char signature[13];
	size_t i;

	if (*root)
		return set_reason(e, RTK_FACT_HYPERVISOR,
				  "needs the machine itself");
	if (!cpuid_hypervisor(signature))
		return set_value(e, RTK_FACT_HYPERVISOR, "none");
	e->hypervisor = true;
	e->emulated = !strcmp(signature, hypervisors[0].signature);
	for (i = 0; i < RTK_ARRAY_SIZE(hypervisors); i++)
		if (!strcmp(signature, hypervisors[i].signature))
			return set_value(e, RTK_FACT_HYPERVISOR,
					 hypervisors[i].name);
	return set_value(e, RTK_FACT_HYPERVISOR,
			 *signature ? signature : "unknown");
}
#else
/* No CPUID: what the firmware says; it can't tell TCG from KVM. */
static int capture_hypervisor(struct rtk_env *e, const char *root)
{
	char text[256];

	if (rtk_read_text(text, sizeof(text), "%s/sys/hypervisor/type", root) >
		    0 ||
	    rtk_read_text(text, sizeof(text),
			  "%s/proc/device-tree/hypervisor/compatible",
			  root) > 0) {
		e->hypervisor = true;
		return set_value(e, RTK_FACT_HYPERVISOR, text);
	}
	if (rtk_read_text(text, sizeof(text), "%s/sys/class/dmi/id/sys_vendor",
			  root) < 0)
		return set_reason(e, RTK_FACT_HYPERVISOR,
				  "no DMI, no device tree");
	e->hypervisor = strstr(text, "QEMU") || strstr(text, "VMware");
	return set_value(e, RTK_FACT_HYPERVISOR, e->hypervisor ? text : "none");
}
#endif

/* Opening the file also makes a request, of a limit that binds nobody. */
static void capture_latency(struct rtk_env *e, const char *root)
{
	char path[512];
	__s32 us;
	int fd;

	e->cpu_latency_us = -1;
	snprintf(path, sizeof(path), "%s/dev/cpu_dma_latency", root);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return;
	if (read(fd, &us, sizeof(us)) == sizeof(us))
		e->cpu_latency_us = us;
	close(fd);
}

static void capture_load(struct rtk_env *e, const char *root)
{
	char text[128], *p = text, *end;
	int i;

	rtk_read_text(text, sizeof(text), "%s/proc/loadavg", root);
	for (i = 0; i < 3; i++) {
		e->load[i] = strtod(p, &end);
		if (end == p)
			e->load[i] = -1;
		p = end;
	}
}

int rtk_env_capture(struct rtk_env *e, const char *root)
{
	static const struct {
		enum rtk_fact_id id;
		const char *path;
	} files[] = {
		{ RTK_FACT_CMDLINE, "/proc/cmdline" },
		{ RTK_FACT_CPUS_ONLINE, CPU "online" },
		{ RTK_FACT_CPUS_ISOLATED, CPU "isolated" },
		{ RTK_FACT_CLOCKSOURCE, CLOCKSOURCE "current_clocksource" },
		{ RTK_FACT_CLOCKSOURCES, CLOCKSOURCE "available_clocksource" },
		{ RTK_FACT_IDLE_DRIVER, CPU "cpuidle/current_driver" },
	};
	size_t i;
	int err;

	memset(e, 0, sizeof(*e));
	e->deep_cpu = -1;
	e->sibling = -1;
	e->throttled = -1;
	err = capture_uname(e);
	for (i = 0; !err && i < RTK_ARRAY_SIZE(files); i++)
		err = from_file(e, files[i].id, root, files[i].path);
	if (!err)
		err = capture_rt(e, root);
	if (!err)
		err = capture_cpu_model(e, root);
	if (!err)
		err = capture_hypervisor(e, root);
	capture_latency(e, root);
	capture_load(e, root);
	if (err)
		rtk_env_free(e);
	return err;
}

/* C1 and the polling state cost next to nothing to leave. */
static bool is_shallow(const char *name)
{
	static const char *const shallow[] = {
		"POLL", "C1", "C1_ACPI", "WFI", "haltpoll", "haltpoll idle",
	};
	size_t i;

	for (i = 0; i < RTK_ARRAY_SIZE(shallow); i++)
		if (!strcmp(name, shallow[i]))
			return true;
	return false;
}

static int capture_idle(struct rtk_env *e, const char *root, int cpu,
			bool first)
{
	struct rtk_env_idle s, *stored;
	__s64 disabled;
	int i;

	for (i = 0; i < 32; i++) {
		memset(&s, 0, sizeof(s));
		if (rtk_read_text(s.name, sizeof(s.name),
				  "%s" CPU "cpu%d/cpuidle/state%d/name", root,
				  cpu, i) < 0)
			break;
		rtk_read_number(&s.latency_us,
				"%s" CPU "cpu%d/cpuidle/state%d/latency", root,
				cpu, i);
		s.disabled = !rtk_read_number(&disabled,
					      "%s" CPU
					      "cpu%d/cpuidle/state%d/disable",
					      root, cpu, i) &&
			     disabled;
		if (!s.disabled && !is_shallow(s.name) &&
		    (e->deep_cpu < 0 || s.latency_us < e->deep_us)) {
			e->deep_cpu = cpu;
			e->deep_us = s.latency_us;
		}
		if (!first)
			continue;
		stored = rtk_grow(&e->idle, &e->nidle, sizeof(*stored));
		if (!stored)
			return -ENOMEM;
		*stored = s;
	}
	return 0;
}

json_t *rtk_env_text(const struct rtk_env_look *l, const char *path)
{
	char text[4096];

	return rtk_read_text(text, sizeof(text), "%s%s", l->root, path) > 0 ?
		       rtk_json_string(text) :
		       NULL;
}

void rtk_env_set_file(const struct rtk_env_look *l, json_t *o, const char *key,
		      const char *path)
{
	char text[4096], why[256];
	int len = rtk_read_text(text, sizeof(text), "%s%s", l->root, path);

	snprintf(why, sizeof(why), "%s: %s", path,
		 strerror(len < 0 ? -len : 0));
	rtk_json_set(o, key, len < 0 ? NULL : rtk_json_string(text), why);
}

static int look_at_all(struct rtk_env *e, const char *root,
		       const struct rtk_cpuset *cpus)
{
	struct rtk_env_look l = {
		.e = e, .root = root, .cpus = cpus, .o = json_object()
	};

	if (!l.o)
		return -ENOMEM;
	json_decref(e->more);
	e->more = l.o;
	/* First: what follows is no part of the run. */
	rtk_env_deltas(&l);
	rtk_env_hardware(&l);
	rtk_env_kernel(&l);
	rtk_env_tasks(&l);
	rtk_env_resctrl(&l);
	return 0;
}

int rtk_env_capture_cpus(struct rtk_env *e, const char *root,
			 const struct rtk_cpuset *cpus)
{
	struct rtk_env_cpu *c;
	int cpu, err;

	/* Each checkpoint looks again. */
	e->ncpus = 0;
	e->nidle = 0;
	e->deep_cpu = -1;
	e->rt_tasks = 0;
	e->sibling = -1;
	e->throttled = -1;
	e->partition[0] = '\0';
	for (cpu = rtk_cpuset_next(cpus, 0); cpu >= 0;
	     cpu = rtk_cpuset_next(cpus, cpu + 1)) {
		c = rtk_grow(&e->cpus, &e->ncpus, sizeof(*c));
		if (!c)
			return -ENOMEM;
		c->cpu = (unsigned int)cpu;
		rtk_read_text(c->governor, sizeof(c->governor),
			      "%s" CPU "cpu%d/cpufreq/scaling_governor", root,
			      cpu);
		err = capture_idle(e, root, cpu, e->ncpus == 1);
		if (err)
			return err;
	}
	return look_at_all(e, root, cpus);
}

void rtk_env_free(struct rtk_env *e)
{
	size_t i;

	for (i = 0; i < RTK_FACTS; i++) {
		free(e->fact[i].value);
		free(e->fact[i].reason);
	}
	free(e->cpus);
	free(e->idle);
	rtk_env_unwatch(e);
	json_decref(e->more);
	memset(e, 0, sizeof(*e));
}

void rtk_env_clocksource(char *buf, size_t size)
{
	rtk_read_text(buf, size, CLOCKSOURCE "current_clocksource");
}
