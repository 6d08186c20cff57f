/* SPDX-License-Identifier: GPL-2.0 */
/* Devices that can be measured, found by libpci: for rtk-device only. */
#ifndef RTK_PCIDEV_H
#define RTK_PCIDEV_H

#include "device.h"

/**
 * enum rtk_pcidev_sort - which devices are meant
 * @RTK_PCIDEV_MSI: those that raise MSIs on demand
 * @RTK_PCIDEV_SAFE: those with a register that is known to be read without any effect
 * @RTK_PCIDEV_ANY: all
 */
enum rtk_pcidev_sort {
	RTK_PCIDEV_MSI,
	RTK_PCIDEV_SAFE,
	RTK_PCIDEV_ANY,
};

/**
 * struct rtk_pcidevs - devices
 * @v: array
 * @n: its length
 */
struct rtk_pcidevs {
	struct rtk_device *v;
	size_t n;
};

/**
 * rtk_pcidev_scan() - look for them
 * @root: file system
 * @sort: which
 * @devs: filled, in the order of addresses; free with rtk_pcidev_free()
 *
 * Return: 0 or -ENOMEM, printed
 */
int rtk_pcidev_scan(const char *root, enum rtk_pcidev_sort sort,
		    struct rtk_pcidevs *devs);

/**
 * rtk_pcidev_at() - the device of a physical address
 * @root: file system
 * @address: address
 * @bdf: filled with the device in one of whose memory BARs it lies, or empty
 */
void rtk_pcidev_at(const char *root, __u64 address, char bdf[RTK_PCI_SIZE]);

/**
 * rtk_pcidev_find() - a device by address
 * @devs: devices
 * @bdf: address
 *
 * Return: device or NULL
 */
struct rtk_device *rtk_pcidev_find(const struct rtk_pcidevs *devs,
				   const char *bdf);

/**
 * rtk_pcidev_known() - how many kinds of devices are looked for
 *
 * Return: number of PCI ids
 */
size_t rtk_pcidev_known(void);

/**
 * rtk_pcidev_free() - free them
 * @devs: devices
 */
void rtk_pcidev_free(struct rtk_pcidevs *devs);

#endif
