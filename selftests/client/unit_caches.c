// SPDX-License-Identifier: GPL-2.0
/* Caches from a made-up sysfs, and this machine's as hwloc sees them. */
#include <errno.h>
#include <hwloc.h>

#include "caches.h"
#include "files.h"
#include "tap.h"

static void put_cache(const char *root, int index, const char *level,
		      const char *type, const char *size, const char *line)
{
	const struct {
		const char *name, *text;
	} files[] = {
		{ "level", level },
		{ "type", type },
		{ "size", size },
		{ "coherency_line_size", line },
	};
	char path[256];
	size_t i;

	for (i = 0; i < 4; i++) {
		snprintf(path, sizeof(path),
			 "/sys/devices/system/cpu/cpu3/cache/index%d/%s", index,
			 files[i].name);
		if (files[i].text)
			put(root, path, files[i].text);
	}
}

static void test_made_up(const char *root)
{
	struct rtk_caches c;

	c.n = 99;
	ok_num(rtk_caches_read(&c, root, 3), -ENOENT, "nothing there");
	ok_num(c.n, 0, "and nothing found");
	/* Not in the order of levels, as on machines with several dies. */
	put_cache(root, 0, "3\n", "Unified\n", "32768K\n", "128\n");
	put_cache(root, 1, "1\n", "Instruction\n", "64K\n", "64\n");
	put_cache(root, 2, "2\n", "Unified\n", "2M\n", "64\n");
	put_cache(root, 4, "1\n", "Data\n", "48K\n", NULL);
	ok_num(rtk_caches_read(&c, root, 3), 0, "read");
	ok_num(c.n, 3, "three caches: none of instructions");
	ok(c.v[0].level == 1 && c.v[1].level == 2 && c.v[2].level == 3,
	   "sorted by level");
	ok_num(c.v[0].size, 49152, "48K");
	ok_num(c.v[0].line, 0, "no line size is stated");
	ok_num(c.v[1].size, 2097152, "2M");
	ok_num(c.v[1].line, 64, "line");
	ok_num(c.v[2].size, 33554432, "32768K");
	ok_num(c.v[2].line, 128, "line of the last");
	ok(rtk_caches_level(&c, 2) == &c.v[1], "by level");
	ok(!rtk_caches_level(&c, 4), "no such level");
	ok_num(rtk_caches_read(&c, root, 0), -ENOENT, "another CPU has none");
}

/* A cache of which nothing useful is said is none. */
static void test_spoilt(const char *root)
{
	static const char *const sizes[] = { "", "K\n", "0K\n", "-1K\n",
					     "12X\n", "12KB\n", "unknown\n" };
	struct rtk_caches c;
	size_t i;

	for (i = 0; i < 7; i++) {
		put_cache(root, 2, "2\n", "Unified\n", sizes[i], "64\n");
		rtk_caches_read(&c, root, 3);
		ok(c.n == 2 && !rtk_caches_level(&c, 2), "size '%.*s'",
		   (int)strcspn(sizes[i], "\n"), sizes[i]);
	}
	put_cache(root, 2, "0\n", "Unified\n", "2M\n", "64\n");
	rtk_caches_read(&c, root, 3);
	ok_num(c.n, 2, "level 0");
}

static void test_hwloc(void)
{
	static const hwloc_obj_type_t types[] = {
		HWLOC_OBJ_L1CACHE, HWLOC_OBJ_L2CACHE, HWLOC_OBJ_L3CACHE,
		HWLOC_OBJ_L4CACHE, HWLOC_OBJ_L5CACHE,
	};
	const struct rtk_cache *got;
	hwloc_topology_t topology;
	struct rtk_caches c;
	hwloc_obj_t pu, want;
	unsigned int i;

	/* What the kernel states, not CPUID: a hypervisor may forge that. */
	setenv("HWLOC_COMPONENTS", "-x86", 1);
	hwloc_topology_init(&topology);
	hwloc_topology_load(topology);
	pu = hwloc_get_obj_by_type(topology, HWLOC_OBJ_PU, 0);
	rtk_caches_read(&c, "", (int)pu->os_index);
	for (i = 0; i < 5; i++) {
		want = hwloc_get_ancestor_obj_by_type(topology, types[i], pu);
		got = rtk_caches_level(&c, i + 1);
		ok_num(got ? got->size : 0,
		       want ? (__s64)want->attr->cache.size : 0,
		       "level %u of this machine: size as hwloc sees it", i + 1);
		ok_num(got ? got->line : 0,
		       want ? want->attr->cache.linesize : 0,
		       "level %u: line", i + 1);
	}
	hwloc_topology_destroy(topology);
}

int main(void)
{
	char root[] = "/tmp/rtk-caches.XXXXXX", cmd[64];

	tap_begin();
	ok(mkdtemp(root), "folder");
	test_made_up(root);
	test_spoilt(root);
	test_hwloc();
	snprintf(cmd, sizeof(cmd), "rm -rf %s", root);
	ok_num(system(cmd), 0, "cleaned up");
	return tap_end();
}
