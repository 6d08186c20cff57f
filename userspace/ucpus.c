// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>

#include "ucpus.h"
#include "util.h"

#define CPU "/sys/devices/system/cpu/"

static int get_affinity(int tid, struct rtk_cpuset *set)
{
	memset(set, 0, sizeof(*set));
	/* The bit map of 64-bit machines. */
	return sched_getaffinity(tid, sizeof(*set), (cpu_set_t *)(void *)set) ?
		       -errno :
		       0;
}

static int set_affinity(int tid, const struct rtk_cpuset *set)
{
	return sched_setaffinity(tid, sizeof(*set),
				 (const cpu_set_t *)(const void *)set) ?
		       -errno :
		       0;
}

int rtk_ucpus_pin(int tid, int cpu)
{
	struct rtk_cpuset one = { 0 };

	rtk_cpuset_add(&one, (unsigned int)cpu);
	return set_affinity(tid, &one);
}

bool rtk_ucpus_moved(int tid, int cpu)
{
	struct rtk_cpuset set;

	return !get_affinity(tid, &set) &&
	       (rtk_cpuset_next(&set, 0) != cpu ||
		rtk_cpuset_next(&set, cpu + 1) >= 0);
}

int rtk_ucpus_attr(pthread_attr_t *attr, int cpu)
{
	struct rtk_cpuset one = { 0 };

	rtk_cpuset_add(&one, (unsigned int)cpu);
	return pthread_attr_setaffinity_np(attr, sizeof(one),
					   (const cpu_set_t *)(const void
								       *)&one);
}

unsigned int rtk_ucpus_count(const struct rtk_cpuset *set)
{
	unsigned int n = 0;
	size_t i;

	for (i = 0; i < RTK_ARRAY_SIZE(set->bits); i++)
		n += (unsigned int)__builtin_popcountll(set->bits[i]);
	return n;
}

bool rtk_ucpus_avoid(const struct rtk_cpuset *cpus)
{
	struct rtk_cpuset mine;
	size_t i;

	if (get_affinity(0, &mine))
		return false;
	for (i = 0; i < RTK_ARRAY_SIZE(mine.bits); i++)
		mine.bits[i] &= ~cpus->bits[i];
	return rtk_cpuset_next(&mine, 0) >= 0 && !set_affinity(0, &mine);
}

static int last_of(const struct rtk_cpuset *set)
{
	int cpu, last = -1;

	for (cpu = rtk_cpuset_next(set, 0); cpu >= 0;
	     cpu = rtk_cpuset_next(set, cpu + 1))
		last = cpu;
	return last;
}

static int first_choice(const struct rtk_cpuset *usable,
			const struct rtk_cpuset *isolated)
{
	struct rtk_cpuset both;
	size_t i;
	int cpu;

	for (i = 0; i < RTK_ARRAY_SIZE(both.bits); i++)
		both.bits[i] = usable->bits[i] & isolated->bits[i];
	cpu = last_of(&both);
	if (cpu < 0)
		cpu = rtk_cpuset_next(usable, 1);
	return cpu < 0 ? rtk_cpuset_next(usable, 0) : cpu;
}

unsigned int rtk_ucpus_default(const struct rtk_cpuset *usable,
			       const struct rtk_cpuset *isolated,
			       unsigned int wanted, struct rtk_cpuset *out)
{
	int first = first_choice(usable, isolated), cpu;
	unsigned int n = 0;

	memset(out, 0, sizeof(*out));
	for (cpu = first; cpu >= 0 && n < wanted; cpu--) {
		/* CPU 0 has the most to do besides: last. */
		if (!rtk_cpuset_has(usable, (unsigned int)cpu) ||
		    (!cpu && first))
			continue;
		rtk_cpuset_add(out, (unsigned int)cpu);
		n++;
	}
	for (cpu = first + 1; cpu < RTK_CPUSET_MAX && n < wanted; cpu++) {
		if (!rtk_cpuset_has(usable, (unsigned int)cpu))
			continue;
		rtk_cpuset_add(out, (unsigned int)cpu);
		n++;
	}
	if (n < wanted && first > 0 && rtk_cpuset_has(usable, 0)) {
		rtk_cpuset_add(out, 0);
		n++;
	}
	return n;
}

/*
 * By trying: isolated CPUs are in nobody's affinity, but may be had; those of
 * another cpuset may not.
 */
static bool can_use(int cpu)
{
	struct rtk_cpuset got;

	return !rtk_ucpus_pin(0, cpu) && !get_affinity(0, &got) &&
	       rtk_cpuset_has(&got, (unsigned int)cpu);
}

static int read_list(struct rtk_cpuset *set, const char *name)
{
	char text[4096];

	if (rtk_read_text(text, sizeof(text), CPU "%s", name) < 0 ||
	    rtk_cpuset_parse(set, text)) {
		memset(set, 0, sizeof(*set));
		return -ENOENT;
	}
	return 0;
}

static int check_asked(const struct rtk_cpuset *asked,
		       const struct rtk_cpuset *online)
{
	char list[256];
	int cpu;

	for (cpu = rtk_cpuset_next(asked, 0); cpu >= 0;
	     cpu = rtk_cpuset_next(asked, cpu + 1)) {
		if (!rtk_cpuset_has(online, (unsigned int)cpu)) {
			rtk_read_text(list, sizeof(list), CPU "online");
			rtk_err("cpus: CPU %d is not online; online are: %s",
				cpu, list);
			return -EINVAL;
		}
		if (!can_use(cpu)) {
			rtk_err("cpus: this process may not use CPU %d (cpuset of its control group): run it elsewhere, or name other CPUs",
				cpu);
			return -EINVAL;
		}
	}
	return 0;
}

static int choose_default(const struct rtk_cpuset *online, unsigned int wanted,
			  struct rtk_cpuset *out)
{
	struct rtk_cpuset usable = { 0 }, isolated;
	unsigned int got;
	int cpu;

	for (cpu = rtk_cpuset_next(online, 0); cpu >= 0;
	     cpu = rtk_cpuset_next(online, cpu + 1))
		if (can_use(cpu))
			rtk_cpuset_add(&usable, (unsigned int)cpu);
	read_list(&isolated, "isolated");
	got = rtk_ucpus_default(&usable, &isolated, wanted, out);
	if (got == wanted)
		return 0;
	rtk_err("%u CPUs are wanted, but %u can be used here", wanted, got);
	return -EINVAL;
}

int rtk_ucpus_choose(const struct rtk_cpuset *asked, unsigned int wanted,
		     struct rtk_cpuset *out)
{
	struct rtk_cpuset online, before;
	int err = get_affinity(0, &before);

	if (!err && read_list(&online, "online"))
		online = before;
	if (err) {
		rtk_err("sched_getaffinity: %s", strerror(-err));
	} else if (rtk_cpuset_next(asked, 0) < 0) {
		err = choose_default(&online, wanted, out);
	} else {
		err = check_asked(asked, &online);
		*out = *asked;
	}
	set_affinity(0, &before);
	return err;
}
