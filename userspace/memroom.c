// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cpuset.h"
#include "memroom.h"
#include "util.h"

#define GROUPS "/sys/fs/cgroup"

/* The number behind a word at the beginning of a line; 0 where there is none. */
static __s64 number_of(const char *text, const char *word)
{
	size_t len = strlen(word);

	for (; text; text = strchr(text, '\n')) {
		text += *text == '\n';
		if (!strncmp(text, word, len))
			return strtoll(text + len, NULL, 10);
	}
	return 0;
}

/* What the control group leaves; false where it sets no limit. */
static bool group_free(const char *root, const char *path, __s64 *bytes)
{
	__s64 max, current;
	char stat[8192];

	if (rtk_read_number(&max, "%s" GROUPS "%s/memory.max", root, path) ||
	    rtk_read_number(&current, "%s" GROUPS "%s/memory.current", root,
			    path))
		return false;
	rtk_read_text(stat, sizeof(stat), "%s" GROUPS "%s/memory.stat", root,
		      path);
	*bytes = max - current + number_of(stat, "inactive_file ") +
		 number_of(stat, "active_file ");
	return true;
}

/* A group has what all those above it leave, too. */
static void groups_free(const char *root, char *path, __s64 *bytes, char *what,
			size_t size)
{
	__s64 here;
	char *slash;

	for (;;) {
		if (group_free(root, path, &here) && here < *bytes) {
			*bytes = here < 0 ? 0 : here;
			snprintf(what, size, "memory.max of control group %s",
				 *path ? path : "/");
		}
		slash = strrchr(path, '/');
		if (!slash)
			return;
		*slash = '\0';
	}
}

static void machine_free(const char *text, __s64 *bytes, char *what,
			 size_t size)
{
	*bytes = number_of(text, "MemAvailable:") * 1024;
	rtk_copy(what, size, "MemAvailable");
}

/* Its lines are "Node 0 MemFree: 1234 kB"; MemAvailable is not among them. */
static void node_free(const char *text, int node, __s64 *bytes, char *what,
		      size_t size)
{
	static const char *const parts[] = { "MemFree:", "Active(file):",
					     "Inactive(file):" };
	char word[64];
	__s64 sum = 0;
	size_t i;

	for (i = 0; i < RTK_ARRAY_SIZE(parts); i++) {
		snprintf(word, sizeof(word), "Node %d %s", node, parts[i]);
		sum += number_of(text, word) * 1024;
	}
	if (!sum || sum >= *bytes)
		return;
	*bytes = sum;
	snprintf(what, size, "free and page cache on node %d", node);
}

int rtk_memroom_free(const char *root, int node, __s64 *bytes, char *what,
		     size_t size)
{
	char text[8192], *path;

	rtk_read_text(text, sizeof(text), "%s/proc/meminfo", root);
	machine_free(text, bytes, what, size);
	if (!*bytes)
		return -ENOENT;
	if (node >= 0) {
		rtk_read_text(text, sizeof(text),
			      "%s/sys/devices/system/node/node%d/meminfo", root,
			      node);
		node_free(text, node, bytes, what, size);
	}
	rtk_read_text(text, sizeof(text), "%s/proc/self/cgroup", root);
	/* The line of version 2 has no controllers. */
	path = strstr(text, "0::/");
	if (!path)
		return 0;
	path += 3;
	path[strcspn(path, "\n")] = '\0';
	if (!path[1])
		*path = '\0';
	groups_free(root, path, bytes, what, size);
	return 0;
}

bool rtk_memroom_huge(const char *root, __s64 page_kib, int node, __s64 wanted,
		      char *why, size_t size)
{
	char dir[128] = "/sys/kernel/mm";
	__s64 all, unused, promised;

	if (node >= 0)
		snprintf(dir, sizeof(dir), "/sys/devices/system/node/node%d",
			 node);
	snprintf(dir + strlen(dir), sizeof(dir) - strlen(dir),
		 "/hugepages/hugepages-%lldkB", page_kib);
	if (rtk_read_number(&unused, "%s%s/free_hugepages", root, dir) ||
	    rtk_read_number(&all, "%s%s/nr_hugepages", root, dir)) {
		snprintf(why, size,
			 "neither kernel nor CPU have pages of %lld kB",
			 page_kib);
		return false;
	}
	/* Those of others that are not touched yet; nodes have no such file. */
	if (!rtk_read_number(&promised, "%s%s/resv_hugepages", root, dir))
		unused -= promised;
	if (unused >= wanted)
		return true;
	snprintf(why, size,
		 "%lld page%s of %lld kB wanted, %lld free; reserve them: echo %lld > %s/nr_hugepages",
		 wanted, wanted == 1 ? "" : "s", page_kib, unused,
		 all + wanted - unused, dir);
	return false;
}

bool rtk_memroom_node(const char *root, int node, char *have, size_t size)
{
	struct rtk_cpuset nodes;

	/* A kernel without NUMA has one. */
	if (rtk_read_text(have, size, "%s/sys/devices/system/node/has_memory",
			  root) <= 0)
		rtk_copy(have, size, "0");
	return !rtk_cpuset_parse(&nodes, have) &&
	       rtk_cpuset_has(&nodes, (unsigned int)node);
}
