/* SPDX-License-Identifier: GPL-2.0 */
/* The PCI device that a test measures: found, and held for the time of the run. */
#ifndef RTK_TARGET_H
#define RTK_TARGET_H

#include "hold.h"
#include "model.h"

/**
 * rtk_target_reads() - does a test only read registers?
 * @t: test with its parameters
 *
 * Then it measures any device, also at an address, and leaves one that has a driver
 * with it, which has to be asked for by force=1.
 *
 * Return: true or false
 */
bool rtk_target_reads(const struct rtk_test *t);

/**
 * rtk_target_hold() - hold the device of a run
 * @t: test with its parameters; for one that measures no device nothing is done
 * @kvs: what is set; the device's address is added, and where another one than before
 *	is meant what was set before for that one is taken back
 * @h: filled
 * @d: filled with the device, its address empty where there is none
 *
 * Prints its error, after which nothing is held.
 *
 * Return: RTK_EXIT_OK, or the status to exit with
 */
int rtk_target_hold(const struct rtk_test *t, struct rtk_kvs *kvs,
		    struct rtk_hold *h, struct rtk_device *d);

#endif
