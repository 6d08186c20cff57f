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

/* What is in a module file's section .modinfo. */
#define MODINFO(srcversion, release) \
	"\177ELF\0version=1\0srcversion=" srcversion "\0vermagic=" release " SMP "

static void write_module(const char *path, const char *info, size_t size)
{
	FILE *f = fopen(path, "w");

	if (!f || fwrite(info, size, 1, f) != 1 || fclose(f))
		ok(false, "%s is written", path);
}

static void test_differs(const char *root)
{
	static const char good[] = MODINFO("0AB", "6.1-here");
	static const char other[] = MODINFO("0CD", "6.1-here");
	static const char elsewhere[] = MODINFO("0CD", "6.1-other");
	static struct rtk_kmod k;
	char path[64], release[32];

	snprintf(path, sizeof(path), "%s/rtk.ko", root);
	rtk_copy(k.release, sizeof(k.release), "6.1-here");
	rtk_copy(k.srcversion, sizeof(k.srcversion), "0AB");
	ok(!rtk_kmod_differs(&k, path), "no file is no other module");
	write_module(path, good, sizeof(good));
	ok(!rtk_kmod_differs(&k, path), "the same source");
	ok(!rtk_kmod_release(path, release, sizeof(release)), "its kernel");
	ok_str(release, "6.1-here", "is told");
	write_module(path, other, sizeof(other));
	ok(rtk_kmod_differs(&k, path), "another source");
	write_module(path, elsewhere, sizeof(elsewhere));
	ok(!rtk_kmod_differs(&k, path), "one for another kernel is of no use");
	write_module(path, "\3757zXZ", 6);
	ok(!rtk_kmod_differs(&k, path), "a compressed file is not known");
	ok(rtk_kmod_release(path, release, sizeof(release)), "nor is its kernel");
	k.srcversion[0] = '\0';
	write_module(path, other, sizeof(other));
	ok(!rtk_kmod_differs(&k, path), "what is loaded is not known");
}

int main(void)
{
	char dir[] = "/tmp/rtk-unit-XXXXXX";

	tap_begin();
	if (!mkdtemp(dir))
		return 1;
	test_choice();
	test_obstacle(dir);
	test_differs(dir);
	if (!remove_tree(dir))
		return 1;
	return tap_end();
}
