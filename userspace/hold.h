/* SPDX-License-Identifier: GPL-2.0 */
/* A device for the time of a run: by rtk-device hold, which outlives a kill -9. */
#ifndef RTK_HOLD_H
#define RTK_HOLD_H

#include <sys/types.h>

#include "device.h"

/**
 * struct rtk_hold - a held device
 * @pid: process that holds it, 0 for none
 * @input: its standard input, whose end ends it
 */
struct rtk_hold {
	pid_t pid;
	int input;
};

/* Before a physical address, instead of a device's. */
#define RTK_HOLD_ADDRESS "address="

/* A device that has a driver stays with it, and "auto" is one to be read. */
#define RTK_HOLD_UNBOUND 0x1
/* It may be one that has a driver. */
#define RTK_HOLD_FORCE 0x2

/**
 * rtk_hold_begin() - claim a device
 * @h: filled
 * @text: address or "auto"
 * @flags: RTK_HOLD_*
 * @d: filled with the device; empty where there is none at a physical address
 *
 * Takes a second or so. Prints its error, after which nothing is held.
 *
 * Return: RTK_EXIT_OK, or the status to exit with
 */
int rtk_hold_begin(struct rtk_hold *h, const char *text, unsigned int flags,
		   struct rtk_device *d);

/**
 * rtk_hold_safe() - devices with a register that is known to be safe to read
 * @list: set to an array of devices as objects, to be given up
 *
 * Prints its error; that there is none is one.
 *
 * Return: RTK_EXIT_OK, or the status to exit with
 */
int rtk_hold_safe(json_t **list);

/**
 * rtk_hold_end() - give it back
 * @h: held device, or none
 *
 * Prints its error.
 *
 * Return: RTK_EXIT_OK, or the status to exit with
 */
int rtk_hold_end(struct rtk_hold *h);

#endif
