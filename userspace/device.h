/* SPDX-License-Identifier: GPL-2.0 */
/* A PCI device that is measured, as it is shown with a result. */
#ifndef RTK_DEVICE_H
#define RTK_DEVICE_H

#include <stdio.h>
#include <jansson.h>

#include "pcisys.h"

/* Link states that the device may enter by itself: bits of its link control. */
#define RTK_ASPM_L0S 1
#define RTK_ASPM_L1 2

/**
 * struct rtk_device - a device
 * @bdf: address, empty for no device
 * @vendor: PCI vendor, 4 hexadecimal digits
 * @id: PCI device, likewise
 * @name: in words
 * @family: which of the module's backends drives it, empty none
 * @driver: driver that it has, or was taken from; empty none
 * @claimed: the module's driver has it
 * @netif: interfaces that it has, or had
 * @netifs: their number
 * @link: speed and width of its PCIe link, empty where it has none
 * @aspm: RTK_ASPM_* bits, -1 not known
 * @l1_2: L1.2 is enabled, -1 not known
 * @l1_2_erratum: leaving L1.2 takes longer than the device says
 * @remapping: its interrupts are remapped, -1 not known
 * @vector: its interrupt, -1 none
 * @chip: the interrupt's chip, empty not known
 */
struct rtk_device {
	char bdf[RTK_PCI_SIZE];
	char vendor[8];
	char id[8];
	char name[128];
	char family[16];
	char driver[RTK_DRIVER_SIZE];
	bool claimed;
	struct rtk_netif netif[RTK_NETIFS_MAX];
	size_t netifs;
	char link[64];
	int aspm;
	int l1_2;
	bool l1_2_erratum;
	int remapping;
	int vector;
	char chip[64];
};

/**
 * rtk_device_aspm() - the enabled link states in words
 * @d: device
 *
 * Return: "off", "L0s", "L1" or "L0s+L1"; NULL not known
 */
const char *rtk_device_aspm(const struct rtk_device *d);

/**
 * rtk_device_json() - a device as an object
 * @d: device
 *
 * Return: new reference, or NULL without memory
 */
json_t *rtk_device_json(const struct rtk_device *d);

/**
 * rtk_device_parse() - a device of which rtk_device_json() made a text
 * @d: filled
 * @text: text; {"device":null} stands for no device
 *
 * Return: 0, -ENOENT no device, or -EBADMSG
 */
int rtk_device_parse(struct rtk_device *d, const char *text);

/**
 * rtk_device_print() - a device in lines for people
 * @out: where to
 * @d: device
 */
void rtk_device_print(FILE *out, const struct rtk_device *d);

#endif
