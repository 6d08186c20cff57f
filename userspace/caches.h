/* SPDX-License-Identifier: GPL-2.0 */
/* The caches that a CPU states to have, for data. Pure but for reading sysfs. */
#ifndef RTK_CACHES_H
#define RTK_CACHES_H

#include <stddef.h>
#include <linux/types.h>

#define RTK_CACHES_MAX 8

/**
 * struct rtk_cache - a cache
 * @level: from 1
 * @size: bytes; all of it, also where other CPUs have a share
 * @line: bytes in a line, 0 not known
 */
struct rtk_cache {
	unsigned int level;
	__s64 size;
	__s64 line;
};

/**
 * struct rtk_caches - the caches between a CPU and its memory
 * @v: caches, sorted by level
 * @n: their number
 */
struct rtk_caches {
	struct rtk_cache v[RTK_CACHES_MAX];
	size_t n;
};

/**
 * rtk_caches_read() - the data and unified caches of a CPU
 * @c: filled; empty after an error
 * @root: in front of /sys, "" for this machine
 * @cpu: CPU
 *
 * Return: 0, or -ENOENT where nothing is stated, as in many virtual machines
 */
int rtk_caches_read(struct rtk_caches *c, const char *root, int cpu);

/**
 * rtk_caches_level() - a cache by its level
 * @c: caches
 * @level: level
 *
 * Return: cache or NULL
 */
const struct rtk_cache *rtk_caches_level(const struct rtk_caches *c,
					 unsigned int level);

#endif
