// SPDX-License-Identifier: GPL-2.0
/* The cache partition of the measured CPUs, read back from resctrl. */
#include <ctype.h>
#include <dirent.h>
#include <mntent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "env_parts.h"
#include "json_value.h"
#include "util.h"

#define GROUPS_MAX 64

/* A group; the first one is the root, which has all that no other has. */
struct group {
	char name[128];
	char schemata[2048];
	char mode[32];
	struct rtk_cpuset cpus;
};

bool rtk_env_mount(const char *root, const char *type, char *dir, size_t size)
{
	char path[512];
	struct mntent *m;
	FILE *f;

	snprintf(path, sizeof(path), "%s/proc/self/mounts", root);
	f = setmntent(path, "re");
	*dir = '\0';
	while (f && !*dir && (m = getmntent(f)))
		if (!strcmp(m->mnt_type, type))
			snprintf(dir, size, "%s%s", root, m->mnt_dir);
	if (f)
		endmntent(f);
	return *dir;
}

/* One cache of schemata, as "L3:0=ff;1=f0" has two: its mask of ways. */
struct ways {
	const char *at;
	char cache[16];
	long id;
	unsigned long mask;
};

static bool next_ways(struct ways *w)
{
	char *end;
	size_t len;

	for (;;) {
		w->at += strspn(w->at, "\n ;");
		if (!*w->at)
			return false;
		len = strcspn(w->at, ":=\n");
		if (w->at[len] == ':') {
			rtk_copy(w->cache,
				 len < sizeof(w->cache) ? len + 1 :
							  sizeof(w->cache),
				 w->at);
			w->at += len + 1;
			continue;
		}
		w->id = strtol(w->at, &end, 10);
		w->mask = *end == '=' ? strtoul(end + 1, &end, 16) : 0;
		w->at = end + strcspn(end, ";\n");
		/* Memory bandwidth has a percentage, and no ways. */
		if (w->cache[0] == 'L')
			return true;
	}
}

/* "L3CODE" and "L3DATA" are halves of the use of L3, not of its ways. */
static bool is_same_cache(const char *a, const char *b)
{
	size_t digits = strspn(a + 1, "0123456789") + 1;

	return !strncmp(a, b, digits) && !isdigit((unsigned char)b[digits]);
}

static bool overlap(const char *a, const char *b)
{
	struct ways x = { .at = a }, y;

	while (next_ways(&x)) {
		y = (struct ways){ .at = b };
		while (next_ways(&y))
			if (x.id == y.id && x.mask & y.mask &&
			    is_same_cache(x.cache, y.cache))
				return true;
	}
	return false;
}

static bool read_group(struct group *g, const char *dir, const char *name)
{
	char cpus[4096];

	if (rtk_read_text(g->schemata, sizeof(g->schemata), "%s/%s/schemata",
			  dir, name) < 0 ||
	    rtk_read_text(cpus, sizeof(cpus), "%s/%s/cpus_list", dir, name) <
		    0 ||
	    rtk_cpuset_parse(&g->cpus, cpus))
		return false;
	rtk_read_text(g->mode, sizeof(g->mode), "%s/%s/mode", dir, name);
	rtk_copy(g->name, sizeof(g->name), name);
	return true;
}

static size_t read_groups(struct group *g, const char *dir)
{
	struct dirent *entry;
	size_t n = read_group(g, dir, ".");
	DIR *d = opendir(dir);

	while (d && n && n < GROUPS_MAX && (entry = readdir(d)))
		if (entry->d_name[0] != '.' && strcmp(entry->d_name, "info"))
			n += read_group(&g[n], dir, entry->d_name);
	if (d)
		closedir(d);
	return n;
}

/* The first other group that may fill the same ways, or NULL. */
static const struct group *intruder(const struct group *all, size_t n,
				    const struct group *g)
{
	const struct group *other;

	for (other = all; other < all + n; other++)
		if (other != g && overlap(g->schemata, other->schemata))
			return other;
	return NULL;
}

static bool is_measured(const struct rtk_env_look *l, const struct group *g)
{
	int cpu;

	for (cpu = 0; (cpu = rtk_cpuset_next(l->cpus, cpu)) >= 0; cpu++)
		if (rtk_cpuset_has(&g->cpus, (unsigned int)cpu))
			return true;
	return false;
}

static json_t *group_json(const struct rtk_env_look *l, const struct group *all,
			  size_t n, const struct group *g)
{
	const struct group *other = intruder(all, n, g);
	bool is_root = g == all;

	/* In the root there is no partition that could be broken. */
	if (other && !is_root && !l->e->partition[0])
		snprintf(l->e->partition, sizeof(l->e->partition),
			 "%.64s has ways in common with %.64s", g->name,
			 other == all ? "the default group" : other->name);
	return json_pack("{s:o, s:o, s:o, s:b}", "group",
			 rtk_json_string(is_root ? "" : g->name), "schemata",
			 rtk_json_string(g->schemata), "mode",
			 rtk_json_string(g->mode), "exclusive", !other);
}

void rtk_env_resctrl(const struct rtk_env_look *l)
{
	struct group *g = calloc(GROUPS_MAX, sizeof(*g));
	json_t *list = NULL;
	char dir[512];
	size_t i, n = 0;

	if (g && rtk_env_mount(l->root, "resctrl", dir, sizeof(dir))) {
		n = read_groups(g, dir);
		list = json_array();
	}
	for (i = 0; i < n; i++)
		if (is_measured(l, &g[i]))
			json_array_append_new(list, group_json(l, g, n, &g[i]));
	rtk_json_set(l->o, "cache_partition", list, "resctrl is not mounted");
	free(g);
}
