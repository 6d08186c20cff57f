/* SPDX-License-Identifier: GPL-2.0 */
/* Taking a PCI device from its driver for rtk.ko, and giving it back. */
#ifndef RTK_CLAIM_H
#define RTK_CLAIM_H

#include "journal.h"
#include "pcisys.h"

/* Kind of these changes in the journal. */
#define RTK_CLAIM_KIND "device"

/* The module's PCI driver. */
#define RTK_CLAIM_DRIVER "rtk"

/**
 * struct rtk_claim - a claim in the journal
 * @file: the entry's name, empty where there is none
 * @bdf: device
 * @driver: driver that it was taken from, empty for none
 * @netifs: its interfaces before, separated by blanks
 * @pid: process that gives it back, 0 for none: rtk device release does
 * @comm: its name
 * @alive: it is still there
 */
struct rtk_claim {
	char file[RTK_CHANGE_FILE_SIZE];
	char bdf[RTK_PCI_SIZE];
	char driver[RTK_DRIVER_SIZE];
	char netifs[64];
	pid_t pid;
	char comm[32];
	bool alive;
};

/**
 * rtk_claim_find() - the claim of a device
 * @j: journal
 * @bdf: device, or NULL for the newest claim that no process holds
 * @claim: filled
 *
 * Return: how many there are, or -errno, printed
 */
int rtk_claim_find(struct rtk_journal *j, const char *bdf,
		   struct rtk_claim *claim);

/**
 * rtk_claim_take() - take a device from its driver and bind it to rtk
 * @root: file system
 * @j: journal opened for changes
 * @bdf: device, for which nothing speaks against it
 * @owned: this process gives it back at its end
 * @file: filled with the name of the journal's entry
 *
 * After an error all is as it was. Prints its error.
 *
 * Return: 0 or -errno
 */
int rtk_claim_take(const char *root, struct rtk_journal *j, const char *bdf,
		   bool owned, char file[RTK_CHANGE_FILE_SIZE]);

/**
 * rtk_claim_undo() - give a device back
 * @root: file system
 * @before: the journal's word on how it was
 * @dry: only say what would be done
 *
 * Works without rtk.ko. A device that is gone, or has got another driver meanwhile,
 * is left alone. Prints what it does if @dry, else its errors and what may be a
 * surprise.
 *
 * Return: 0 or -errno
 */
int rtk_claim_undo(const char *root, const json_t *before, bool dry);

/**
 * rtk_claim_give_back() - undo a claim and take it out of the journal
 * @root: file system
 * @j: journal opened for changes
 * @file: the entry's name
 *
 * Prints its error, which names rtk restore.
 *
 * Return: 0 or -errno
 */
int rtk_claim_give_back(const char *root, struct rtk_journal *j,
			const char *file);

#endif
