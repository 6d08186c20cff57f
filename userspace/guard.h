/* SPDX-License-Identifier: GPL-2.0 */
/* What speaks against taking a device from its driver. Nothing is changed. */
#ifndef RTK_GUARD_H
#define RTK_GUARD_H

#include <netinet/in.h>

#include "claim.h"

/**
 * struct rtk_guard_addr - an address of this machine
 * @netif: its interface
 * @text: as inet_ntop() writes it
 */
struct rtk_guard_addr {
	char netif[32];
	char text[INET6_ADDRSTRLEN];
};

/**
 * struct rtk_guard - what there is to be looked at
 * @root: file system
 * @ssh: the value of SSH_CONNECTION, or NULL
 * @addr: addresses
 * @naddrs: their number
 */
struct rtk_guard {
	const char *root;
	const char *ssh;
	struct rtk_guard_addr *addr;
	size_t naddrs;
};

/**
 * rtk_guard_init() - look at this machine
 * @g: filled
 *
 * Return: 0 or -ENOMEM, printed
 */
int rtk_guard_init(struct rtk_guard *g);

/**
 * rtk_guard_free() - free what it holds
 * @g: guard
 */
void rtk_guard_free(struct rtk_guard *g);

/**
 * rtk_guard_refuses() - does anything speak against taking this device?
 * @g: guard
 * @bdf: candidate
 * @claim: its claim, its file empty where there is none
 * @force: what would only cut the network does not count
 * @why: filled with cause and mend, one sentence; empty where nothing does
 * @size: its size
 *
 * Return: true or false
 */
bool rtk_guard_refuses(const struct rtk_guard *g, const char *bdf,
		       const struct rtk_claim *claim, bool force, char *why,
		       size_t size);

#endif
