/* SPDX-License-Identifier: GPL-2.0 */
/* How much memory may be taken, of which kind and where. Pure but for reading files. */
#ifndef RTK_MEMROOM_H
#define RTK_MEMROOM_H

#include <stdbool.h>
#include <stddef.h>
#include <linux/types.h>

/**
 * rtk_memroom_free() - memory that can be taken without killing anybody
 * @root: in front of /proc and /sys, "" for this machine
 * @node: of this node, -1 of any
 * @bytes: set: the least of what the machine has, the node has, and the control
 *	groups of this process leave; page cache counts as free
 * @what: filled: what is the least
 * @size: its size
 *
 * Return: 0, or -errno where nothing is known
 */
int rtk_memroom_free(const char *root, int node, __s64 *bytes, char *what,
		     size_t size);

/**
 * rtk_memroom_huge() - are so many huge pages reserved, and free?
 * @root: in front of /sys
 * @page_kib: size of a page
 * @node: node, -1 any
 * @wanted: number of pages
 * @why: filled where not: what is there, and the command that mends it
 * @size: its size
 *
 * Return: yes or no
 */
bool rtk_memroom_huge(const char *root, __s64 page_kib, int node, __s64 wanted,
		      char *why, size_t size);

/**
 * rtk_memroom_node() - has this node memory?
 * @root: in front of /sys
 * @node: node
 * @have: filled: list of those that have
 * @size: its size
 *
 * Return: yes or no
 */
bool rtk_memroom_node(const char *root, int node, char *have, size_t size);

#endif
