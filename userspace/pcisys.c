// SPDX-License-Identifier: GPL-2.0
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <net/if.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "pcisys.h"

#define DEVICES "/sys/bus/pci/devices"

int rtk_pci_parse(const char *text, char bdf[RTK_PCI_SIZE])
{
	unsigned int domain = 0, bus, dev, fn;
	char again[64];

	if (sscanf(text, "%4x:%2x:%2x.%1x", &domain, &bus, &dev, &fn) != 4) {
		domain = 0;
		if (sscanf(text, "%2x:%2x.%1x", &bus, &dev, &fn) != 3)
			return -EINVAL;
	}
	/* What sscanf() takes in besides, such as signs, is not the same again. */
	snprintf(again, sizeof(again), "%04x:%02x:%02x.%x", domain, bus, dev,
		 fn);
	if (strlen(again) != RTK_PCI_SIZE - 1 || dev > 31 || fn > 7 ||
	    (strcasecmp(text, again) &&
	     (domain || strcasecmp(text, again + strlen("0000:")))))
		return -EINVAL;
	rtk_copy(bdf, RTK_PCI_SIZE, again);
	return 0;
}

bool rtk_pci_exists(const char *root, const char *bdf)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s" DEVICES "/%s", root, bdf);
	return !access(path, F_OK);
}

void rtk_pci_driver(const char *root, const char *bdf, char *driver)
{
	char path[PATH_MAX], target[PATH_MAX];
	ssize_t len;

	driver[0] = '\0';
	snprintf(path, sizeof(path), "%s" DEVICES "/%s/driver", root, bdf);
	len = readlink(path, target, sizeof(target) - 1);
	if (len <= 0)
		return;
	target[len] = '\0';
	rtk_copy(driver, RTK_DRIVER_SIZE, basename(target));
}

void rtk_pci_override(const char *root, const char *bdf, char *driver)
{
	if (rtk_read_text(driver, RTK_DRIVER_SIZE,
			  "%s" DEVICES "/%s/driver_override", root, bdf) < 0 ||
	    !strcmp(driver, "(null)"))
		driver[0] = '\0';
}

__u32 rtk_pci_class(const char *root, const char *bdf)
{
	char text[16];

	rtk_read_text(text, sizeof(text), "%s" DEVICES "/%s/class", root, bdf);
	return (__u32)strtoul(text, NULL, 16);
}

static void read_netif(const char *root, const char *bdf, struct rtk_netif *n)
{
	char flags[32];
	__s64 v;

	rtk_read_text(flags, sizeof(flags), "%s" DEVICES "/%s/net/%s/flags",
		      root, bdf, n->name);
	n->up = strtoul(flags, NULL, 16) & IFF_UP;
	/* Of an interface that is down it can't be read. */
	n->carrier = rtk_read_number(&v, "%s" DEVICES "/%s/net/%s/carrier",
				     root, bdf, n->name) ?
			     -1 :
			     (int)v;
}

/* The entries of a folder in order, without "." and ".."; -1 without a folder. */
static int __printf(2, 3) list(struct dirent ***names, const char *fmt, ...)
{
	char path[PATH_MAX];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(path, sizeof(path), fmt, ap);
	va_end(ap);
	return scandir(path, names, NULL, alphasort);
}

size_t rtk_pci_netifs(const char *root, const char *bdf, struct rtk_netif *v)
{
	struct dirent **names;
	int i, n = list(&names, "%s" DEVICES "/%s/net", root, bdf);
	size_t found = 0;

	for (i = 0; i < n; i++) {
		if (names[i]->d_name[0] != '.' && found < RTK_NETIFS_MAX) {
			rtk_copy(v[found].name, sizeof(v[found].name),
				 names[i]->d_name);
			read_netif(root, bdf, &v[found++]);
		}
		free(names[i]);
	}
	if (n >= 0)
		free(names);
	return found;
}

int rtk_pci_vector(const char *root, const char *bdf, char *chip, size_t size)
{
	struct dirent **names;
	int i, n = list(&names, "%s" DEVICES "/%s/msi_irqs", root, bdf);
	int irq = -1;

	chip[0] = '\0';
	for (i = 0; i < n; i++) {
		if (irq < 0 && names[i]->d_name[0] != '.')
			irq = atoi(names[i]->d_name);
		free(names[i]);
	}
	if (n >= 0)
		free(names);
	if (irq >= 0)
		rtk_read_text(chip, size, "%s/sys/kernel/irq/%d/chip_name",
			      root, irq);
	return irq;
}

bool rtk_pci_remapped(const char *chip)
{
	return !strncmp(chip, "IR-", 3);
}

bool rtk_pci_remapping(const char *root)
{
	struct dirent **names;
	int i, n = list(&names, "%s/sys/kernel/irq", root);
	bool found = false;
	char chip[64];

	for (i = 0; i < n; i++) {
		if (!found && rtk_read_text(chip, sizeof(chip),
					    "%s/sys/kernel/irq/%s/chip_name",
					    root, names[i]->d_name) > 0)
			found = rtk_pci_remapped(chip);
		free(names[i]);
	}
	if (n >= 0)
		free(names);
	return found;
}

int rtk_sysfs_write(const char *text, const char *fmt, ...)
{
	char path[PATH_MAX];
	va_list ap;
	int fd, err = 0;

	va_start(ap, fmt);
	vsnprintf(path, sizeof(path), fmt, ap);
	va_end(ap);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	if (write(fd, text, strlen(text)) < 0)
		err = -errno;
	close(fd);
	return err;
}
