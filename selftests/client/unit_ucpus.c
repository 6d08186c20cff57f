// SPDX-License-Identifier: GPL-2.0
/* Which CPUs a test in user space measures. */
#include <errno.h>
#include <sched.h>

#include "captured.h"
#include "tap.h"
#include "ucpus.h"
#include "util.h"

static const struct {
	const char *usable;
	const char *isolated;
	unsigned int wanted;
	const char *want;
	const char *what;
} rows[] = {
	{ "0-3", "2-3", 1, "3", "the last isolated one" },
	{ "0-3", "1", 1, "1", "the only isolated one" },
	{ "0-3", "", 1, "1", "none isolated: CPU 1" },
	{ "0", "", 1, "0", "a machine of one CPU" },
	{ "0", "0", 1, "0", "that is isolated" },
	{ "0,2-3", "", 1, "2", "no CPU 1: the next" },
	{ "0-3", "5-6", 1, "1", "isolated ones that can't be used" },
	{ "0-5", "2,7", 1, "2", "some of them can" },
	{ "0-7", "4-7", 3, "5-7", "three: those before it" },
	{ "0-7", "4-5", 3, "3-5", "also where these are not isolated" },
	{ "0-7", "", 3, "1-3", "not CPU 0 while there are others" },
	{ "0-2", "", 3, "0-2", "CPU 0 last" },
	{ "0-3", "2", 4, "0-3", "all of them" },
	{ "0-1", "", 3, "0-1", "more than there are" },
	{ "3,9,200-201", "201", 3, "9,200-201", "holes" },
	{ "0-255", "128-255", 1, "255", "256 CPUs: one" },
	{ "0-255", "128-255", 128, "128-255", "256 CPUs: half of them" },
	{ "0-255", "", 256, "0-255", "256 CPUs: all" },
	{ "0-255", "", 255, "1-255", "256 CPUs: all but CPU 0" },
	{ "", "", 1, "", "none at all" },
};

static void test_default(void)
{
	struct rtk_cpuset usable, isolated, got;
	unsigned int n;
	char *text;
	size_t i;

	for (i = 0; i < RTK_ARRAY_SIZE(rows); i++) {
		rtk_cpuset_parse(&usable, rows[i].usable);
		rtk_cpuset_parse(&isolated, rows[i].isolated);
		n = rtk_ucpus_default(&usable, &isolated, rows[i].wanted, &got);
		text = rtk_cpuset_text(&got);
		ok_str(text, rows[i].want, "%u of '%s', isolated '%s': %s",
		       rows[i].wanted, rows[i].usable, rows[i].isolated,
		       rows[i].what);
		free(text);
		ok_num(n, rtk_ucpus_count(&got), "as many as it says");
	}
}

static void get_affinity(struct rtk_cpuset *set)
{
	memset(set, 0, sizeof(*set));
	if (sched_getaffinity(0, sizeof(*set), (void *)set))
		ok(false, "affinity");
}

static bool equal(const struct rtk_cpuset *a, const struct rtk_cpuset *b)
{
	return !memcmp(a, b, sizeof(*a));
}

/* On this machine, whatever it has. */
static void test_choose(void)
{
	struct rtk_cpuset none = { 0 }, asked = { 0 }, got, before, after;
	int last = -1, cpu;

	get_affinity(&before);
	ok_num(rtk_ucpus_choose(&none, 1, &got), 0, "one is found");
	ok_num(rtk_ucpus_count(&got), 1, "one");
	get_affinity(&after);
	ok(equal(&before, &after), "who looks for it stays where it may be");

	cpu = rtk_cpuset_next(&got, 0);
	rtk_cpuset_add(&asked, (unsigned int)cpu);
	ok(!rtk_ucpus_choose(&asked, 5, &got) && equal(&asked, &got),
	   "those that are named, whatever the test would like");
	ok_str(captured(), "", "nothing is said");

	rtk_cpuset_add(&asked, 8191);
	ok_num(rtk_ucpus_choose(&asked, 1, &got), -EINVAL, "CPU 8191");
	ok(!strncmp(captured(), "rtk: cpus: CPU 8191 is not online; online are: 0",
		    48), "is not online: named, with those that are");

	for (cpu = rtk_cpuset_next(&before, 0); cpu >= 0;
	     cpu = rtk_cpuset_next(&before, cpu + 1))
		last = cpu;
	ok_num(rtk_ucpus_choose(&none, 8000, &got), -EINVAL, "8000 of them");
	ok(strstr(captured(), "rtk: 8000 CPUs are wanted, but "),
	   "are not to be had");
	get_affinity(&after);
	ok(equal(&before, &after), "also then it stays where it may be");

	memset(&asked, 0, sizeof(asked));
	rtk_cpuset_add(&asked, (unsigned int)last);
	ok(rtk_ucpus_avoid(&asked) == (rtk_ucpus_count(&before) > 1),
	   "kept off CPU %d if there is another", last);
	get_affinity(&after);
	ok(rtk_cpuset_has(&after, (unsigned int)last) ==
	   (rtk_ucpus_count(&before) == 1), "and really");
	ok(!rtk_ucpus_avoid(&before), "off all CPUs there is nowhere to go");
	ok_num(rtk_ucpus_pin(0, 8191), -EINVAL, "no CPU to be pinned to");
	ok_num(rtk_ucpus_pin(0, last), 0, "one that is there");
	get_affinity(&after);
	ok(equal(&after, &asked), "has this thread alone");
}

int main(void)
{
	tap_begin();
	capture_errors();
	test_default();
	test_choose();
	return tap_end();
}
