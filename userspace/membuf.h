/* SPDX-License-Identifier: GPL-2.0 */
/* Memory to measure: of a kind of pages, on a node, all of it there. */
#ifndef RTK_MEMBUF_H
#define RTK_MEMBUF_H

#include <stdatomic.h>
#include <stddef.h>
#include <linux/types.h>

/* Kinds of pages, and their order in the parameter huge_pages. */
enum rtk_mempages {
	RTK_MEMPAGES_NONE,
	RTK_MEMPAGES_TRANSPARENT,
	RTK_MEMPAGES_2M,
	RTK_MEMPAGES_1G,
};

/**
 * struct rtk_membuf - memory
 * @base: address, at a page's beginning
 * @map: mapping that it is in
 * @map_len: its length
 */
struct rtk_membuf {
	char *base;
	void *map;
	size_t map_len;
};

/**
 * rtk_membuf_page() - size of a page
 * @pages: enum rtk_mempages
 *
 * Return: bytes
 */
size_t rtk_membuf_page(int pages);

/**
 * rtk_membuf_take() - take memory
 * @b: filled; give back with rtk_membuf_give()
 * @len: bytes
 * @pages: enum rtk_mempages
 * @node: node that it must be on, -1 that of the calling thread's CPU
 * @stop: looked at meanwhile
 * @why: filled after an error: cause, and mend
 * @size: its size
 *
 * Every page is there afterwards, of the kind and on the node asked for.
 *
 * Return: 0 or -errno
 */
int rtk_membuf_take(struct rtk_membuf *b, size_t len, int pages, int node,
		    const atomic_bool *stop, char *why, size_t size);

/**
 * rtk_membuf_give() - give it back
 * @b: memory, or all zero
 */
void rtk_membuf_give(struct rtk_membuf *b);

#endif
