// SPDX-License-Identifier: GPL-2.0
/*
 * What the system holds, for finding what is left behind: objects of every slab
 * cache, areas of vmalloc, threads.
 */
#include <glob.h>
#include <stdlib.h>

#include "lifetime.h"

/* Calls @fn for the first line of each file; returns the sum of what it gives. */
static long sum_of(const char *pattern, long (*fn)(const char *path, const char *line))
{
	char line[256];
	long sum = 0;
	glob_t all;
	size_t i;
	FILE *f;

	if (glob(pattern, 0, NULL, &all))
		return 0;
	for (i = 0; i < all.gl_pathc; i++) {
		f = fopen(all.gl_pathv[i], "r");
		if (!f)
			continue;
		sum += fn(all.gl_pathv[i], fgets(line, sizeof(line), f) ?: "");
		fclose(f);
	}
	globfree(&all);
	return sum;
}

static long is_measuring(const char *path, const char *comm)
{
	unsigned int cpu;

	return sscanf(comm, "rtk/%u", &cpu) == 1;
}

/* Gives back what the cache only keeps at hand, or holds to find errors. */
static long shrink(const char *path, const char *line)
{
	return put(path, "1");
}

/* Number in the first line that begins with @key, or -1. */
static long number_in(const char *path, const char *key)
{
	FILE *f = fopen(path, "r");
	char line[512];
	long number = -1;

	while (f && number < 0 && fgets(line, sizeof(line), f))
		if (!strncmp(line, key, strlen(key)))
			number = strtol(line + strlen(key), NULL, 10);
	if (f)
		fclose(f);
	return number;
}

/* Without those that are free and only not yet given back. */
static long count_areas(void)
{
	FILE *f = fopen("/proc/vmallocinfo", "r");
	char line[512];
	long n = 0;

	while (f && fgets(line, sizeof(line), f))
		n += !strstr(line, "unpurged");
	if (f)
		fclose(f);
	return n;
}

static void take_caches(struct footprint *f)
{
	FILE *file = fopen("/proc/slabinfo", "r");
	char line[512];

	f->n = 0;
	while (file && f->n < FOOTPRINT_CACHES && fgets(line, sizeof(line), file)) {
		/* Of areas, also the free ones, and what kmemleak knows of them. */
		if (!strncmp(line, "vmap_area ", 10) || !strncmp(line, "kmemleak_", 9))
			continue;
		f->n += sscanf(line, "%39s %ld", f->name[f->n], &f->objects[f->n]) == 2;
	}
	if (file)
		fclose(file);
}

static long count_threads(void)
{
	FILE *f = fopen("/proc/loadavg", "r");
	long n = -1;

	if (f && fscanf(f, "%*s %*s %*s %*d/%ld", &n) != 1)
		n = -1;
	if (f)
		fclose(f);
	return n;
}

int footprint_take(struct footprint *f)
{
	memset(f, 0, sizeof(*f));
	/* What others have freed in passing comes back after a while. */
	sleep(1);
	put("/proc/sys/vm/drop_caches", "3");
	sum_of("/sys/kernel/slab/*/shrink", shrink);
	f->threads = count_threads();
	f->measuring = sum_of("/proc/[0-9]*/comm", is_measuring);
	f->areas = count_areas();
	/* With what is too large for a cache; free memory as a whole is no measure. */
	f->slab = number_in("/proc/meminfo", "SUnreclaim:");
	f->percpu = number_in("/proc/meminfo", "Percpu:");
	take_caches(f);
	/* Kernels without SLUB's debugging count no objects. */
	if (!f->n && !access("/proc/slabinfo", F_OK))
		return -ENOENT;
	return f->slab > 0 && f->threads > 0 && f->areas ? 0 : -ENOENT;
}

static bool grew(const char *what, long before, long after, long bound)
{
	if (after - before < bound)
		return false;
	fprintf(stderr, "# %s: %ld before, %ld after\n", what, before, after);
	return true;
}

bool footprint_grew(const struct footprint *before, const struct footprint *after,
		    unsigned int times)
{
	unsigned int i, k;
	/* Half of what a leak would make; everything else is far below that. */
	long bound = times / 2;
	bool any;

	any = grew("measuring threads", before->measuring, after->measuring, 1);
	any |= grew("threads", before->threads, after->threads, 20);
	any |= grew("areas of vmalloc", before->areas, after->areas, bound);
	any |= grew("memory of slab, KiB", before->slab, after->slab, 4 * bound);
	any |= grew("memory for each CPU, KiB", before->percpu, after->percpu, 4 * bound);
	for (i = 0; i < after->n; i++)
		for (k = 0; k < before->n; k++)
			if (!strcmp(after->name[i], before->name[k]))
				any |= grew(after->name[i], before->objects[k],
					    after->objects[i], bound);
	return any;
}
