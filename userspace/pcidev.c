// SPDX-License-Identifier: GPL-2.0
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <pci/pci.h>

#include "claim.h"
#include "pcidev.h"

#define INTEL 0x8086
#define QEMU 0x1234

/* Whose first register can be read at any time, as the module knows, too. */
#define CLASS_XHCI 0x0c0330
#define CLASS_HD_AUDIO 0x0403

/*
 * What the module's driver takes (modules/nic_ids.c), by families; those apart of which
 * a user has to know something.
 */
static const struct family {
	const char *name;
	unsigned short vendor;
	/* Leaving L1.2 takes longer than the device says. */
	bool l1_2_erratum;
	unsigned short ids[40];
} families[] = {
	{ .name = "igb",
	  .vendor = INTEL,
	  .ids = { /* 82576 */
		   0x10c9, 0x10e6, 0x10e7, 0x10e8, 0x150a, 0x150d, 0x1518,
		   0x1526,
		   /* 82580 */
		   0x0438, 0x043a, 0x043c, 0x0440, 0x150e, 0x150f, 0x1510,
		   0x1511, 0x1516, 0x1527,
		   /* I350, I354 */
		   0x1521, 0x1522, 0x1523, 0x1524, 0x1f40, 0x1f41, 0x1f45,
		   /* I210, I211 */
		   0x1533, 0x1536, 0x1537, 0x1538, 0x157b, 0x157c, 0x1539 } },
	{ .name = "igc",
	  .vendor = INTEL,
	  .ids = { /* I225, I220, I221 */
		   0x0d9f, 0x15f2, 0x15f3, 0x15f8, 0x15fd, 0x3100, 0x3101,
		   0x5502, 0x15f7, 0x125e } },
	{ .name = "igc",
	  .vendor = INTEL,
	  .l1_2_erratum = true,
	  .ids = { /* I226 */
		   0x125b, 0x125c, 0x125d, 0x125f, 0x3102, 0x5503 } },
	{ .name = "e1000e",
	  .vendor = INTEL,
	  .ids = { /* 82574 */ 0x10d3, 0x10f6 } },
	{ .name = "edu", .vendor = QEMU, .ids = { 0x11e8 } },
};

size_t rtk_pcidev_known(void)
{
	const struct family *f;
	size_t i, n = 0;

	for (f = families; f < families + RTK_ARRAY_SIZE(families); f++)
		for (i = 0; i < RTK_ARRAY_SIZE(f->ids) && f->ids[i]; i++)
			n++;
	return n;
}

static const struct family *find_family(const struct pci_dev *p)
{
	const struct family *f;
	size_t i;

	for (f = families; f < families + RTK_ARRAY_SIZE(families); f++)
		for (i = 0; i < RTK_ARRAY_SIZE(f->ids) && f->ids[i]; i++)
			if (f->vendor == p->vendor_id &&
			    f->ids[i] == p->device_id)
				return f;
	return NULL;
}

/* Without CAP_SYS_ADMIN capabilities can't be read. */
static void read_link(struct pci_dev *p, struct rtk_device *d)
{
	struct pci_cap *cap = pci_find_cap(p, PCI_CAP_ID_EXP, PCI_CAP_NORMAL);

	d->aspm = -1;
	d->l1_2 = -1;
	if (!cap)
		return;
	d->aspm = pci_read_word(p, cap->addr + PCI_EXP_LNKCTL) &
		  PCI_EXP_LNKCTL_ASPM;
	cap = pci_find_cap(p, PCI_EXT_CAP_ID_L1PM, PCI_CAP_EXTENDED);
	/* Without that capability it can't have the state. */
	d->l1_2 = cap && pci_read_long(p, cap->addr + PCI_L1PM_SUBSTAT_CTL1) &
				 (PCI_L1PM_SUBSTAT_CTL1_ASPM_L12 |
				  PCI_L1PM_SUBSTAT_CTL1_PM_L12);
}

static void read_speed(const char *root, struct rtk_device *d)
{
	char speed[32], width[8];

	if (rtk_read_text(speed, sizeof(speed),
			  "%s/sys/bus/pci/devices/%s/current_link_speed", root,
			  d->bdf) <= 0 ||
	    rtk_read_text(width, sizeof(width),
			  "%s/sys/bus/pci/devices/%s/current_link_width", root,
			  d->bdf) <= 0 ||
	    !strcmp(width, "0"))
		return;
	snprintf(d->link, sizeof(d->link), "%s x%s", speed, width);
}

static void write_bdf(const struct pci_dev *p, char bdf[RTK_PCI_SIZE])
{
	snprintf(bdf, RTK_PCI_SIZE, "%04x:%02x:%02x.%x",
		 (unsigned int)p->domain & 0xffff, p->bus, p->dev & 31,
		 p->func & 7);
}

static void fill(const char *root, struct pci_access *a, struct pci_dev *p,
		 const struct family *f, struct rtk_device *d)
{
	write_bdf(p, d->bdf);
	snprintf(d->vendor, sizeof(d->vendor), "%04x", p->vendor_id);
	snprintf(d->id, sizeof(d->id), "%04x", p->device_id);
	/* Numbers where pci.ids is missing. udev's copy of it would leak memory. */
	pci_lookup_name(a, d->name, sizeof(d->name),
			PCI_LOOKUP_VENDOR | PCI_LOOKUP_DEVICE |
				PCI_LOOKUP_NO_HWDB,
			p->vendor_id, p->device_id);
	rtk_copy(d->family, sizeof(d->family), f ? f->name : "");
	rtk_pci_driver(root, d->bdf, d->driver);
	d->claimed = !strcmp(d->driver, RTK_CLAIM_DRIVER);
	d->netifs = rtk_pci_netifs(root, d->bdf, d->netif);
	read_link(p, d);
	read_speed(root, d);
	d->l1_2_erratum = f && f->l1_2_erratum;
	d->remapping = rtk_pci_remapping(root);
	d->vector = rtk_pci_vector(root, d->bdf, d->chip, sizeof(d->chip));
}

/* libpci takes it that it does not return. */
static void __attribute__((__noreturn__, __format__(printf, 1, 2)))
give_up(char *fmt, ...)
{
	char text[256];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	rtk_err("libpci: %s", text);
	exit(RTK_EXIT_ERROR);
}

static void __attribute__((__format__(printf, 1, 2))) keep_quiet(char *fmt, ...)
{
	(void)fmt;
}

static int by_address(const void *a, const void *b)
{
	return strcmp(((const struct rtk_device *)a)->bdf,
		      ((const struct rtk_device *)b)->bdf);
}

/* All devices by their addresses; NULL without PCI. */
static struct pci_access *look(const char *root)
{
	char path[PATH_MAX];
	struct pci_access *a;

	snprintf(path, sizeof(path), "%s/sys/bus/pci", root);
	if (access(path, F_OK))
		return NULL;
	a = pci_alloc();
	a->method = PCI_ACCESS_SYS_BUS_PCI;
	a->error = give_up;
	a->warning = keep_quiet;
	pci_set_param(a, "sysfs.path", path);
	pci_init(a);
	pci_scan_bus(a);
	return a;
}

/* Behind Intel's VMD addresses are longer than anybody expects. */
static bool is_meant(const char *root, const struct pci_dev *p,
		     enum rtk_pcidev_sort sort, const struct family *f)
{
	char bdf[RTK_PCI_SIZE];
	__u32 class;

	if (p->domain > 0xffff)
		return false;
	if (f || sort != RTK_PCIDEV_SAFE)
		return f || sort == RTK_PCIDEV_ANY;
	write_bdf(p, bdf);
	class = rtk_pci_class(root, bdf);
	return class == CLASS_XHCI || class >> 8 == CLASS_HD_AUDIO;
}

int rtk_pcidev_scan(const char *root, enum rtk_pcidev_sort sort,
		    struct rtk_pcidevs *devs)
{
	const struct family *f;
	struct rtk_device *d;
	struct pci_access *a;
	struct pci_dev *p;
	int err = 0;

	memset(devs, 0, sizeof(*devs));
	a = look(root);
	if (!a)
		return 0;
	for (p = a->devices; p && !err; p = p->next) {
		pci_fill_info(p, PCI_FILL_IDENT);
		f = find_family(p);
		if (!is_meant(root, p, sort, f))
			continue;
		pci_fill_info(p, PCI_FILL_CAPS | PCI_FILL_EXT_CAPS);
		d = rtk_grow(&devs->v, &devs->n, sizeof(*d));
		if (d)
			fill(root, a, p, f, d);
		else
			err = rtk_err_nomem();
	}
	pci_cleanup(a);
	if (devs->n)
		qsort(devs->v, devs->n, sizeof(*devs->v), by_address);
	return err;
}

static bool has_address(const struct pci_dev *p, __u64 address)
{
	size_t i;

	for (i = 0; i < RTK_ARRAY_SIZE(p->base_addr); i++) {
		if (p->base_addr[i] & PCI_BASE_ADDRESS_SPACE_IO)
			continue;
		if (address - (p->base_addr[i] & PCI_BASE_ADDRESS_MEM_MASK) <
		    p->size[i])
			return true;
	}
	return false;
}

void rtk_pcidev_at(const char *root, __u64 address, char bdf[RTK_PCI_SIZE])
{
	struct pci_access *a = look(root);
	struct pci_dev *p;

	bdf[0] = '\0';
	if (!a)
		return;
	for (p = a->devices; p && !*bdf; p = p->next) {
		pci_fill_info(p, PCI_FILL_BASES | PCI_FILL_SIZES);
		if (p->domain <= 0xffff && has_address(p, address))
			write_bdf(p, bdf);
	}
	pci_cleanup(a);
}

struct rtk_device *rtk_pcidev_find(const struct rtk_pcidevs *devs,
				   const char *bdf)
{
	size_t i;

	for (i = 0; i < devs->n; i++)
		if (!strcmp(devs->v[i].bdf, bdf))
			return &devs->v[i];
	return NULL;
}

void rtk_pcidev_free(struct rtk_pcidevs *devs)
{
	free(devs->v);
	memset(devs, 0, sizeof(*devs));
}
