/* SPDX-License-Identifier: GPL-2.0 */
/* rtk-device: its commands are dev_*.c, and share what is here. */
#ifndef RTK_DEV_H
#define RTK_DEV_H

#include "cmd.h"
#include "guard.h"
#include "pcidev.h"

extern const struct rtk_cmd rtk_dev_list;
extern const struct rtk_cmd rtk_dev_claim;
extern const struct rtk_cmd rtk_dev_release;
extern const struct rtk_cmd rtk_dev_hold;
extern const struct rtk_cmd rtk_dev_selftest;

/**
 * struct rtk_dev - the devices and what is known of them
 * @guard: what speaks against taking one
 * @sort: which devices are candidates
 * @all: candidates
 * @journal: claims
 */
struct rtk_dev {
	struct rtk_guard guard;
	enum rtk_pcidev_sort sort;
	struct rtk_pcidevs all;
	struct rtk_journal journal;
};

/**
 * rtk_dev_open() - look at the devices
 * @dev: filled
 * @sort: which of them
 * @change: to claim one, or give it back: needs root, and nobody else does
 *	meanwhile
 *
 * Prints its error.
 *
 * Return: RTK_EXIT_OK, or the status to exit with
 */
int rtk_dev_open(struct rtk_dev *dev, enum rtk_pcidev_sort sort, bool change);

/**
 * rtk_dev_close() - end of that
 * @dev: opened
 */
void rtk_dev_close(struct rtk_dev *dev);

/**
 * rtk_dev_refused() - does anything speak against taking a device?
 * @dev: opened
 * @bdf: candidate
 * @force: what would only cut the network does not count
 * @why: filled
 * @size: its size
 *
 * Return: true or false; true also where the journal can't be read
 */
bool rtk_dev_refused(struct rtk_dev *dev, const char *bdf, bool force,
		     char *why, size_t size);

/**
 * rtk_dev_is_free() - may a device be claimed, whatever it is?
 * @dev: opened
 * @d: device
 *
 * Return: true for one that has no driver, or has been claimed already; false also for
 * what the machine stands on: bridges, display and storage controllers
 */
bool rtk_dev_is_free(const struct rtk_dev *dev, const struct rtk_device *d);

/**
 * rtk_dev_pick() - the device that is meant, if it may be taken
 * @dev: opened for changes
 * @text: address, or "auto" for the only one that may be taken
 * @force: what would only cut the network does not count
 *
 * Prints its error.
 *
 * Return: device or NULL
 */
const struct rtk_device *rtk_dev_pick(struct rtk_dev *dev, const char *text,
				      bool force);

/**
 * rtk_dev_auto() - the only device that may be taken, or read
 * @dev: opened for changes
 * @force: also one that would cut the network, or has a driver
 *
 * Of RTK_PCIDEV_MSI those may be that rtk_dev_refused() does not refuse, of others
 * those without a driver of their own. Prints its error.
 *
 * Return: device or NULL
 */
const struct rtk_device *rtk_dev_auto(struct rtk_dev *dev, bool force);

/**
 * rtk_dev_candidate() - the device of an address
 * @dev: opened
 * @text: address
 *
 * Prints its error.
 *
 * Return: device or NULL
 */
const struct rtk_device *rtk_dev_candidate(const struct rtk_dev *dev,
					   const char *text);

/**
 * rtk_dev_args() - the arguments of a command on one device
 * @cmd: command
 * @argc: number of arguments
 * @argv: arguments, the first is the command
 * @force: set by --force; NULL where there is no such option
 * @unbound: set by --unbound, likewise
 *
 * Prints its error.
 *
 * Return: the device's text, or NULL
 */
const char *rtk_dev_args(const struct rtk_cmd *cmd, int argc, char **argv,
			 bool *force, bool *unbound);

#endif
