// SPDX-License-Identifier: GPL-2.0
/* Which rtk.ko is loaded, and what keeps every module out. */
#include <unistd.h>

#include "files.h"
#include "kmod.h"
#include "tap.h"
#include "util.h"

#define BUILT "/src/rtk.ko"
#define INSTALLED "/lib/modules/6.1-here/extra/rtk.ko"

static void test_choice(void)
{
	static const struct {
		const char *built, *built_for, *installed, *want, *what;
	} c[] = {
		{ BUILT, "6.1-here", INSTALLED, BUILT,
		  "a built one that fits goes before an installed one" },
		{ BUILT, "6.1-other", INSTALLED, INSTALLED,
		  "one built for another kernel does not" },
		{ BUILT, "", INSTALLED, INSTALLED,
		  "nor one without a kernel's name" },
		{ "", "", INSTALLED, INSTALLED, "the installed one alone" },
		{ BUILT, "6.1-here", "", BUILT, "the built one alone" },
		{ BUILT, "6.1-other", "", BUILT,
		  "where nothing fits the built one, whose error says why" },
		{ "", "", "", "", "none" },
	};
	static struct rtk_kmod k;
	size_t i;

	rtk_copy(k.release, sizeof(k.release), "6.1-here");
	for (i = 0; i < RTK_ARRAY_SIZE(c); i++) {
		rtk_copy(k.built, sizeof(k.built), c[i].built);
		rtk_copy(k.built_release, sizeof(k.built_release),
			 c[i].built_for);
		rtk_copy(k.installed, sizeof(k.installed), c[i].installed);
		ok_str(rtk_kmod_choice(&k), c[i].want, "%s", c[i].what);
	}
}

static void test_obstacle(const char *root)
{
	const struct rtk_obstacle *o;

	ok(!rtk_kmod_obstacle(root), "without /proc nothing is known");
	put(root, "/proc/version", "Linux\n");
	o = rtk_kmod_obstacle(root);
	ok_str(o ? o->cause : "", "this kernel has no loadable modules",
	       "a kernel without modules");
	ok(o && strstr(o->mend, "scripts/quickstart --tier=vm"),
	   "can measure in a virtual machine");
	put(root, "/proc/modules", "");
	ok(!rtk_kmod_obstacle(root), "a kernel with modules");
	put(root, "/proc/sys/kernel/modules_disabled", "0\n");
	ok(!rtk_kmod_obstacle(root), "which may be loaded");
	put(root, "/proc/sys/kernel/modules_disabled", "1\n");
	o = rtk_kmod_obstacle(root);
	ok(o && strstr(o->cause, "kernel.modules_disabled=1") &&
	   !strcmp(o->mend, "reboot"), "or may not any more");
}

int main(void)
{
	char dir[] = "/tmp/rtk-unit-XXXXXX", command[64];

	tap_begin();
	if (!mkdtemp(dir))
		return 1;
	test_choice();
	test_obstacle(dir);
	snprintf(command, sizeof(command), "rm -rf '%s'", dir);
	if (system(command))
		return 1;
	return tap_end();
}
