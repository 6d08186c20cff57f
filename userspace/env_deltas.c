// SPDX-License-Identifier: GPL-2.0
/*
 * What happened between start and end of a run. Nothing is read in between: that
 * would disturb what is measured.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "env_irqs.h"
#include "env_parts.h"
#include "json_value.h"
#include "util.h"

#define NOT_SEEN "the start of the run was not seen"
#define CPU "/sys/devices/system/cpu/"

/* Of a CPU that counts them, since it came. */
struct throttles {
	int cpu;
	__s64 core;
	__s64 package;
};

/* Before the run; the measured CPUs are known only behind it. */
struct rtk_env_before {
	char *interrupts;
	int kmsg;
	int kmsg_err;
	struct throttles *throttles;
	size_t cpus;
	char tracer[32];
};

static bool read_throttles(struct throttles *t, const char *root, int cpu)
{
	t->cpu = cpu;
	return !rtk_read_number(&t->core,
				"%s" CPU
				"cpu%d/thermal_throttle/core_throttle_count",
				root, cpu) &&
	       !rtk_read_number(&t->package,
				"%s" CPU
				"cpu%d/thermal_throttle/package_throttle_count",
				root, cpu);
}

/* Not all CPUs need be online, nor need each count. */
static int keep_throttles(struct rtk_env_before *b, const struct rtk_env *e,
			  const char *root)
{
	const char *list = e->fact[RTK_FACT_CPUS_ONLINE].value;
	struct throttles t, *kept;
	struct rtk_cpuset online;
	int cpu;

	if (!list || rtk_cpuset_parse(&online, list))
		return 0;
	for (cpu = 0; (cpu = rtk_cpuset_next(&online, cpu)) >= 0; cpu++) {
		if (!read_throttles(&t, root, cpu))
			continue;
		kept = rtk_grow(&b->throttles, &b->cpus, sizeof(*kept));
		if (!kept)
			return -ENOMEM;
		*kept = t;
	}
	return 0;
}

static bool is_tracing(const char *tracer)
{
	return *tracer && strcmp(tracer, "nop");
}

/* The first that is on, in an instance as rtla's, too; else what the top says. */
static void read_tracer(char *buf, size_t size, const char *root)
{
	char dir[512], path[640], tracer[32];
	struct dirent *entry;
	DIR *d;

	*buf = '\0';
	if (!rtk_env_mount(root, "tracefs", dir, sizeof(dir)))
		return;
	rtk_read_text(buf, size, "%s/current_tracer", dir);
	snprintf(path, sizeof(path), "%s/instances", dir);
	d = opendir(path);
	while (d && !is_tracing(buf) && (entry = readdir(d))) {
		if (entry->d_name[0] == '.')
			continue;
		rtk_read_text(tracer, sizeof(tracer), "%s/%s/current_tracer",
			      path, entry->d_name);
		if (is_tracing(tracer))
			rtk_copy(buf, size, tracer);
	}
	if (d)
		closedir(d);
}

static void open_kmsg(struct rtk_env_before *b, const char *root)
{
	char path[512];

	snprintf(path, sizeof(path), "%s/dev/kmsg", root);
	b->kmsg = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	b->kmsg_err = b->kmsg < 0 ? errno : 0;
	if (b->kmsg >= 0)
		lseek(b->kmsg, 0, SEEK_END);
}

int rtk_env_watch(struct rtk_env *e, const char *root)
{
	struct rtk_env_before *b = calloc(1, sizeof(*b));

	if (!b)
		return -ENOMEM;
	rtk_env_unwatch(e);
	e->before = b;
	b->interrupts = rtk_env_interrupts_read(root);
	open_kmsg(b, root);
	read_tracer(b->tracer, sizeof(b->tracer), root);
	return keep_throttles(b, e, root);
}

void rtk_env_unwatch(struct rtk_env *e)
{
	struct rtk_env_before *b = e->before;

	if (!b)
		return;
	if (b->kmsg >= 0)
		close(b->kmsg);
	free(b->interrupts);
	free(b->throttles);
	free(b);
	e->before = NULL;
}

static void set_throttling(const struct rtk_env_look *l)
{
	const struct rtk_env_before *b = l->e->before;
	__s64 core = 0, package = 0, more;
	const struct throttles *then;
	bool seen = false;
	struct throttles t;
	size_t i;

	for (i = 0; b && i < b->cpus; i++) {
		then = &b->throttles[i];
		if (!rtk_cpuset_has(l->cpus, (unsigned int)then->cpu) ||
		    !read_throttles(&t, l->root, then->cpu))
			continue;
		seen = true;
		core += t.core - then->core;
		/* Each CPU of a package tells the same. */
		more = t.package - then->package;
		package = more > package ? more : package;
	}
	if (seen)
		l->e->throttled = core + package;
	rtk_json_set(l->o, "throttling",
		     seen ? json_pack("{s:I, s:I}", "core", (json_int_t)core,
				      "package", (json_int_t)package) :
			    NULL,
		     b ? "no thermal_throttle counters" : NOT_SEEN);
}

/* The kernel's messages since the start. */
static void read_kmsg(struct rtk_env *e)
{
	int left = 100000;
	char line[8192];
	ssize_t len;

	/* EPIPE: some were overwritten before they were read. */
	while (left-- &&
	       ((len = read(e->before->kmsg, line, sizeof(line) - 1)) > 0 ||
		(len < 0 && errno == EPIPE))) {
		line[len > 0 ? len : 0] = '\0';
		e->rt_throttled |= !!strstr(line, "RT throttling activated");
		e->tsc_unstable |= !!strstr(line, "Marking TSC unstable");
	}
}

/* From 6.12 on there is a server for the other tasks, and no such message. */
static bool tells_of_throttling(const struct rtk_env *e)
{
	const char *release = e->fact[RTK_FACT_KERNEL_RELEASE].value;
	int major = 0, minor = 0;

	return release && sscanf(release, "%d.%d", &major, &minor) == 2 &&
	       (major < 6 || (major == 6 && minor < 12));
}

static void set_kmsg(const struct rtk_env_look *l)
{
	const struct rtk_env_before *b = l->e->before;
	const char *reason = b ? strerror(b->kmsg_err) : NOT_SEEN;
	bool seen = b && b->kmsg >= 0, told;

	if (seen)
		read_kmsg(l->e);
	told = seen && (l->e->rt_throttled || tells_of_throttling(l->e));
	rtk_json_set(l->o, "rt_throttled",
		     told ? json_boolean(l->e->rt_throttled) : NULL,
		     seen ? "kernels from 6.12 on do not tell" : reason);
	rtk_json_set(l->o, "tsc_unstable",
		     seen ? json_boolean(l->e->tsc_unstable) : NULL, reason);
}

static void set_tracer(const struct rtk_env_look *l)
{
	const struct rtk_env_before *b = l->e->before;
	char now[32];

	read_tracer(now, sizeof(now), l->root);
	rtk_copy(l->e->tracer, sizeof(l->e->tracer),
		 b && is_tracing(b->tracer) ? b->tracer : now);
	rtk_json_set(l->o, "tracer",
		     *l->e->tracer ? rtk_json_string(l->e->tracer) : NULL,
		     "tracefs is not mounted, or may not be read");
}

void rtk_env_deltas(const struct rtk_env_look *l)
{
	const struct rtk_env_before *b = l->e->before;

	rtk_env_interrupts_set(l, b ? b->interrupts : NULL,
			       b ? "/proc/interrupts can't be read" : NOT_SEEN);
	set_throttling(l);
	set_kmsg(l);
	set_tracer(l);
}
