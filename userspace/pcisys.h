/* SPDX-License-Identifier: GPL-2.0 */
/* PCI devices as sysfs shows them. @root is where the file system is, "" here. */
#ifndef RTK_PCISYS_H
#define RTK_PCISYS_H

#include <stdbool.h>
#include <stddef.h>

#include "util.h"

/* "0000:03:00.0" */
#define RTK_PCI_SIZE 13
#define RTK_DRIVER_SIZE 64
/* A function of the devices that we take is one port. */
#define RTK_NETIFS_MAX 4

/**
 * struct rtk_netif - a network interface
 * @name: name
 * @up: set up by the administrator
 * @carrier: 1 with a link, 0 without, -1 not known
 */
struct rtk_netif {
	char name[32];
	bool up;
	int carrier;
};

/**
 * rtk_pci_parse() - the address of a device
 * @text: "0000:03:00.0" or "03:00.0"
 * @bdf: filled with the first form
 *
 * Return: 0 or -EINVAL
 */
int rtk_pci_parse(const char *text, char bdf[RTK_PCI_SIZE]);

/**
 * rtk_pci_exists() - is there such a device?
 * @root: file system
 * @bdf: address
 *
 * Return: true or false
 */
bool rtk_pci_exists(const char *root, const char *bdf);

/**
 * rtk_pci_driver() - the driver of a device
 * @root: file system
 * @bdf: address
 * @driver: filled, RTK_DRIVER_SIZE; empty without one
 */
void rtk_pci_driver(const char *root, const char *bdf, char *driver);

/**
 * rtk_pci_override() - the only driver that may bind to a device
 * @root: file system
 * @bdf: address
 * @driver: filled, RTK_DRIVER_SIZE; empty where any may
 */
void rtk_pci_override(const char *root, const char *bdf, char *driver);

/**
 * rtk_pci_class() - the class of a device
 * @root: file system
 * @bdf: address
 *
 * Return: class, subclass and interface, a byte each; 0 not known
 */
__u32 rtk_pci_class(const char *root, const char *bdf);

/**
 * rtk_pci_netifs() - the network interfaces of a device
 * @root: file system
 * @bdf: address
 * @v: filled, RTK_NETIFS_MAX
 *
 * Return: how many; those in other network namespaces are not seen
 */
size_t rtk_pci_netifs(const char *root, const char *bdf, struct rtk_netif *v);

/**
 * rtk_pci_vector() - the first message signalled interrupt of a device
 * @root: file system
 * @bdf: address
 * @chip: filled with the name of its interrupt chip, empty unknown
 * @size: its size
 *
 * Return: number, -1 without one
 */
int rtk_pci_vector(const char *root, const char *bdf, char *chip, size_t size);

/**
 * rtk_pci_remapped() - does an interrupt go through interrupt remapping?
 * @chip: name of its chip; only this beginning is the same in all kernels
 *
 * Return: true or false
 */
bool rtk_pci_remapped(const char *chip);

/**
 * rtk_pci_remapping() - does this machine remap interrupts?
 * @root: file system
 *
 * Return: true or false
 */
bool rtk_pci_remapping(const char *root);

/**
 * rtk_sysfs_write() - write a word into a file of sysfs
 * @text: word
 * @fmt: path
 *
 * Return: 0 or what the kernel says, -errno
 */
int rtk_sysfs_write(const char *text, const char *fmt, ...) __printf(2, 3);

#endif
