// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <linux/mempolicy.h>
#include <linux/mman.h>
#include <sched.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "membuf.h"
#include "util.h"

#define MIB (1024 * 1024)
/*
 * Memory begins at a multiple of it, whatever its pages are. Processors that find
 * a line by a hash of its address take some addresses for each other: on AMD those
 * on both sides of a multiple of 128 MiB, which small sizes must not have in them.
 */
#define ALIGN ((size_t)2 * MIB)
/* As many nodes as a kernel can have. */
#define NODES 1024
/* Bytes that are touched between two looks at stop. */
#define STEP (64UL * MIB)
/* Pages that are asked for at once. */
#define BATCH 512

struct request {
	size_t len;
	int pages;
	int node;
	const atomic_bool *stop;
	char *why;
	size_t size;
};

static int __printf(3, 4)
	fail(const struct request *r, int err, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(r->why, r->size, fmt, ap);
	va_end(ap);
	return err;
}

static bool is_hugetlb(int pages)
{
	return pages == RTK_MEMPAGES_2M || pages == RTK_MEMPAGES_1G;
}

size_t rtk_membuf_page(int pages)
{
	switch (pages) {
	case RTK_MEMPAGES_TRANSPARENT:
	case RTK_MEMPAGES_2M:
		return 2 * MIB;
	case RTK_MEMPAGES_1G:
		return 1024 * MIB;
	default:
		return (size_t)sysconf(_SC_PAGESIZE);
	}
}

/* Locked memory would be there at once: without access it is not. */
static int map(struct rtk_membuf *b, const struct request *r)
{
	int flags = MAP_PRIVATE | MAP_ANONYMOUS;

	b->map_len = r->len;
	if (r->pages == RTK_MEMPAGES_2M)
		flags |= MAP_HUGETLB | (int)MAP_HUGE_2MB;
	else if (r->pages == RTK_MEMPAGES_1G)
		flags |= MAP_HUGETLB | (int)MAP_HUGE_1GB;
	else
		/* With pages before and behind that can't be accessed. */
		b->map_len += 2 * ALIGN;
	b->map = mmap(NULL, b->map_len, PROT_NONE, flags, -1, 0);
	if (b->map == MAP_FAILED) {
		b->map = NULL;
		return fail(r, -errno,
			    "%zu MiB can't be had: %s: a smaller size_mib=, or raise ulimit -v",
			    r->len / MIB, strerror(errno));
	}
	b->base = b->map;
	if (!is_hugetlb(r->pages))
		b->base += ALIGN - (size_t)b->map % ALIGN;
	return 0;
}

static int bind_node(const struct rtk_membuf *b, const struct request *r)
{
	unsigned long mask[NODES / (8 * sizeof(long))] = { 0 };
	size_t bits = 8 * sizeof(mask[0]);

	/* Without NUMA there is one node, and nothing to choose it by. */
	if (r->node < 0 || access("/sys/devices/system/node", F_OK))
		return 0;
	mask[(size_t)r->node / bits] |= 1UL << (size_t)r->node % bits;
	/* The kernel takes the number of bits for one more than it is. */
	if (!syscall(SYS_mbind, b->base, r->len, MPOL_BIND, mask, NODES + 1, 0))
		return 0;
	return fail(r, -errno, "node=%d: mbind: %s", r->node, strerror(errno));
}

static int advise(const struct rtk_membuf *b, const struct request *r)
{
	if (is_hugetlb(r->pages))
		return 0;
	/* A kernel that knows no huge pages gives none. */
	if (r->pages == RTK_MEMPAGES_NONE) {
		madvise(b->base, r->len, MADV_NOHUGEPAGE);
		return 0;
	}
	if (!madvise(b->base, r->len, MADV_HUGEPAGE))
		return 0;
	return fail(r, -errno,
		    "this kernel has no transparent huge pages (those with PREEMPT_RT have none): huge_pages=2m");
}

/* In steps, since it can take long: who stops the run need not wait for all. */
static int touch(const struct rtk_membuf *b, const struct request *r)
{
	size_t page = rtk_membuf_page(r->pages), at;
	size_t step = page > STEP ? page : STEP;

	for (at = 0; at < r->len; at += step) {
		if (step > r->len - at)
			step = r->len - at;
		if (atomic_load(r->stop))
			return fail(r, -ECANCELED, "stopped");
		/* Where SIGBUS would come this returns an error. */
		if (mprotect(b->base + at, step, PROT_READ | PROT_WRITE) ||
		    madvise(b->base + at, step, MADV_POPULATE_WRITE))
			return fail(r, -errno, "%zu MiB can't be had: %s",
				    r->len / MIB, strerror(errno));
	}
	return 0;
}

/* Pages of some other node than the one wanted; -1 where nobody can say. */
static long elsewhere(const struct rtk_membuf *b, const struct request *r,
		      int node, int *where)
{
	size_t page = rtk_membuf_page(RTK_MEMPAGES_NONE), at = 0, i, n;
	int status[BATCH];
	void *pages[BATCH];
	long wrong = 0;

	while (at < r->len) {
		for (n = 0; n < BATCH && at < r->len; n++, at += page)
			pages[n] = b->base + at;
		if (syscall(SYS_move_pages, 0, n, pages, NULL, status, 0))
			return -1;
		for (i = 0; i < n; i++) {
			if (status[i] == node)
				continue;
			*where = status[i];
			wrong++;
		}
	}
	return wrong;
}

static int check_node(const struct rtk_membuf *b, const struct request *r)
{
	unsigned int cpu, own;
	int node = r->node, where = 0;
	long wrong;

	if (node < 0 && getcpu(&cpu, &own))
		return 0;
	if (node < 0)
		node = (int)own;
	wrong = elsewhere(b, r, node, &where);
	if (wrong < 0 && r->node > 0)
		return fail(r, -errno,
			    "node=%d: can't see where the memory is: %s", node,
			    strerror(errno));
	if (wrong <= 0)
		return 0;
	return fail(r, -ENOMEM,
		    "%ld of %zu pages are not on node %d but elsewhere, such as on node %d: a smaller size_mib=, or node=%d to measure that",
		    wrong, r->len / rtk_membuf_page(RTK_MEMPAGES_NONE), node,
		    where, where);
}

/* How many bytes of a mapping are in huge pages. */
static size_t huge_bytes(const void *base)
{
	FILE *f = fopen("/proc/self/smaps", "re");
	unsigned long from = 0, to = 0;
	size_t kib = 0;
	char line[512];

	while (f && fgets(line, sizeof(line), f)) {
		if (sscanf(line, "%lx-%lx ", &from, &to) == 2)
			continue;
		if ((unsigned long)base >= from && (unsigned long)base < to &&
		    sscanf(line, "AnonHugePages: %zu kB", &kib) == 1)
			break;
	}
	if (f)
		fclose(f);
	return kib * 1024;
}

static int check_huge(const struct rtk_membuf *b, const struct request *r)
{
	size_t got;

	if (r->pages != RTK_MEMPAGES_TRANSPARENT)
		return 0;
	got = huge_bytes(b->base);
	if (got >= r->len)
		return 0;
	return fail(r, -ENOMEM,
		    "only %zu of %zu MiB are in transparent huge pages: echo madvise > /sys/kernel/mm/transparent_hugepage/enabled; echo 1 > /proc/sys/vm/compact_memory",
		    got / MIB, r->len / MIB);
}

int rtk_membuf_take(struct rtk_membuf *b, size_t len, int pages, int node,
		    const atomic_bool *stop, char *why, size_t size)
{
	size_t page = rtk_membuf_page(pages);
	const struct request r = {
		.len = (len + page - 1) / page * page,
		.pages = pages,
		.node = node,
		.stop = stop,
		.why = why,
		.size = size,
	};
	int err;

	memset(b, 0, sizeof(*b));
	err = map(b, &r);
	if (!err)
		err = advise(b, &r);
	if (!err)
		err = bind_node(b, &r);
	if (!err)
		err = touch(b, &r);
	if (!err)
		err = check_node(b, &r);
	if (!err)
		err = check_huge(b, &r);
	if (err)
		rtk_membuf_give(b);
	return err;
}

void rtk_membuf_give(struct rtk_membuf *b)
{
	if (b->map)
		munmap(b->map, b->map_len);
	memset(b, 0, sizeof(*b));
}
