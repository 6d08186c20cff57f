// SPDX-License-Identifier: GPL-2.0
/*
 * Which register is meant, and is it one that may be read? See pcireg.h.
 */
#include <linux/bits.h>
#include <linux/ioport.h>
#include <linux/kstrtox.h>
#include <linux/log2.h>
#include <linux/string.h>

#include "pcireg.h"
#include "nic.h"

/* Registers that say what the device can do, and that by specification reading only. */
static const struct {
	u32 class;
	u32 mask;
	int bar;
	u32 offset;
} pcireg_harmless[] = {
	/* xHCI: CAPLENGTH, HCIVERSION */
	{ PCI_CLASS_SERIAL_USB_XHCI, 0xffffff, 0, 0 },
	/* HD audio: GCAP, VMIN, VMAJ */
	{ PCI_CLASS_MULTIMEDIA_HD_AUDIO << 8, 0xffff00, 0, 0 },
};

#ifdef CONFIG_X86
/* What is no PCI device's, but well known. */
static const struct {
	u64 first;
	u64 last;
	const char *name;
} pcireg_places[] = {
	{ 0xa0000, 0xbffff, "VGA memory" },
	{ 0xfec00000, 0xfecfffff, "an I/O APIC" },
	{ 0xfee00000, 0xfeefffff, "the local APIC" },
};
#endif

/* --- what is wanted -------------------------------------------------------------- */

static int pcireg_hex(const char *name, const char *text, u64 *value, struct rtk_err *err)
{
	if (kstrtou64(text, 16, value))
		return rtk_fail(err, -EINVAL,
				"%s=%s: not a hexadecimal number, with 0x before it or without",
				name, text);
	return 0;
}

static int pcireg_check_address(const struct rtk_pcireg_request *req, struct rtk_err *err)
{
	u64 address;

	if (req->config)
		return rtk_fail(err, -EINVAL,
				"space=config: address=%s is in memory; leave one of them out",
				req->address);
	return pcireg_hex("address", req->address, &address, err);
}

int rtk_pcireg_check(const struct rtk_pcireg_request *req, struct rtk_err *err)
{
	u64 offset;
	int rc = 0;

	if (!is_power_of_2(req->width) || req->width > sizeof(u64))
		return rtk_fail(err, -EINVAL, "width=%u: must be 1, 2, 4 or 8", req->width);
	if (req->width != sizeof(u32) && !req->force)
		return rtk_fail(err, -EINVAL,
				"width=%u: other widths than 4 need force=1; many devices answer no other",
				req->width);
	if (req->width > (req->config ? sizeof(u32) : sizeof(long)))
		return rtk_fail(err, -EINVAL, "width=%u: %s is read by 4 bytes at most",
				req->width,
				req->config ? "space=config" : "memory of this machine");
	if (req->config && req->bar >= 0)
		return rtk_fail(err, -EINVAL, "bar=%d: space=config has none", req->bar);
	if (*req->offset)
		rc = pcireg_hex("offset", req->offset, &offset, err);
	if (!rc && *req->address)
		rc = pcireg_check_address(req, err);
	return rc;
}

/* --- where it is ------------------------------------------------------------------ */

/* Does a BAR hold memory that has an address? */
static bool pcireg_is_memory(struct pci_dev *pdev, int bar)
{
	unsigned long flags = pci_resource_flags(pdev, bar);

	return flags & IORESOURCE_MEM && !(flags & IORESOURCE_UNSET) &&
	       pci_resource_start(pdev, bar) && pci_resource_len(pdev, bar);
}

bool rtk_pcireg_is_ram(u64 address, unsigned int width)
{
	return region_intersects(address, width, IORESOURCE_SYSTEM_RAM, IORES_DESC_NONE) !=
	       REGION_DISJOINT;
}

/* No BAR has it: what else is there, for the user. */
static int pcireg_no_bar(const struct rtk_pcireg_request *req, u64 address, struct rtk_err *err)
{
#ifdef CONFIG_X86
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(pcireg_places); i++)
		if (address >= pcireg_places[i].first && address <= pcireg_places[i].last)
			return rtk_fail(err, -EINVAL,
					"address=%s: this is %s; only memory BARs of PCI devices are read",
					req->address, pcireg_places[i].name);
#endif
	return rtk_fail(err, -EINVAL,
			"address=%s: no PCI memory BAR is there, see /proc/iomem", req->address);
}

/* The BAR of a device that has at least a byte of it, or -1. */
static int pcireg_bar_at(struct pci_dev *pdev, u64 address, u64 last)
{
	int bar;

	for (bar = 0; bar < PCI_STD_NUM_BARS; bar++)
		if (pcireg_is_memory(pdev, bar) && address <= pci_resource_end(pdev, bar) &&
		    last >= pci_resource_start(pdev, bar))
			return bar;
	return -1;
}

/* Found by its address: what else is said agrees with it, as what a result says does. */
static bool pcireg_agrees(const struct rtk_pcireg_request *req, const struct rtk_pcireg *m)
{
	u64 offset = m->offset;

	return (!strcmp(req->device, "auto") || !strcmp(req->device, pci_name(m->pdev))) &&
	       (req->bar < 0 || req->bar == m->bar) &&
	       (!*req->offset || !kstrtou64(req->offset, 16, &offset)) && offset == m->offset;
}

int rtk_pcireg_find_address(const struct rtk_pcireg_request *req, struct rtk_pcireg *m,
			    struct rtk_err *err)
{
	struct pci_dev *pdev = NULL;
	u64 address, last;
	int rc = pcireg_hex("address", req->address, &address, err);

	if (rc)
		return rc;
	last = address + req->width - 1;
	if (last < address)
		return pcireg_no_bar(req, address, err);
	if (rtk_pcireg_is_ram(address, req->width))
		return rtk_fail(err, -EINVAL,
				"address=%s: this is System RAM; only memory BARs of PCI devices are read",
				req->address);
	for_each_pci_dev(pdev) {
		m->bar = pcireg_bar_at(pdev, address, last);
		if (m->bar >= 0)
			break;
	}
	if (!pdev)
		return pcireg_no_bar(req, address, err);
	m->pdev = pdev;
	m->offset = address - pci_resource_start(pdev, m->bar);
	if (address < pci_resource_start(pdev, m->bar))
		rc = rtk_fail(err, -EINVAL, "address=%s: begins before BAR %d of %s",
			      req->address, m->bar, pci_name(pdev));
	else if (last > pci_resource_end(pdev, m->bar))
		rc = rtk_fail(err, -EINVAL, "address=%s: reaches beyond the end of BAR %d of %s",
			      req->address, m->bar, pci_name(pdev));
	else if (!pcireg_agrees(req, m))
		rc = rtk_fail(err, -EINVAL,
			      "address=%s is 0x%llx in BAR %d of %s: device=, bar= or offset= says otherwise",
			      req->address, m->offset, m->bar, pci_name(pdev));
	if (rc)
		pci_dev_put(pdev);
	return rc;
}

/* --- which register ---------------------------------------------------------------- */

static bool pcireg_known(struct pci_dev *pdev, int *bar, u32 *offset)
{
	unsigned int i;

	*bar = 0;
	if (rtk_nic_harmless(pdev, offset))
		return true;
	for (i = 0; i < ARRAY_SIZE(pcireg_harmless); i++) {
		if ((pdev->class & pcireg_harmless[i].mask) != pcireg_harmless[i].class)
			continue;
		*bar = pcireg_harmless[i].bar;
		*offset = pcireg_harmless[i].offset;
		return true;
	}
	return false;
}

static int pcireg_first_bar(struct pci_dev *pdev)
{
	return max(pcireg_bar_at(pdev, 0, U64_MAX), 0);
}

/* By device: BAR and offset that are meant. */
static int pcireg_choose(const struct rtk_pcireg_request *req, struct rtk_pcireg *m, u64 *offset,
			 struct rtk_err *err)
{
	u32 known = 0;
	int bar = -1;
	bool is_known = !req->config && pcireg_known(m->pdev, &bar, &known);

	if (req->config)
		m->bar = -1;
	else if (req->bar >= 0)
		m->bar = req->bar;
	else
		m->bar = is_known ? bar : pcireg_first_bar(m->pdev);
	*offset = known;
	if (*req->offset)
		return pcireg_hex("offset", req->offset, offset, err);
	if (req->config || (is_known && m->bar == bar))
		return 0;
	return rtk_fail(err, -EINVAL,
			"offset= is needed: no register of BAR %d of this device (%04x:%04x) is known to be safe to read",
			m->bar, m->pdev->vendor, m->pdev->device);
}

/*
 * That of a conventional device goes on with all ones on PCI Express. Where the kernel
 * knows of another size, the device bears no more.
 */
static u64 pcireg_config_size(const struct pci_dev *pdev)
{
	return pdev->cfg_size == PCI_CFG_SPACE_SIZE ? PCI_CFG_SPACE_EXP_SIZE : pdev->cfg_size;
}

int rtk_pcireg_settle(const struct rtk_pcireg_request *req, struct rtk_pcireg *m,
		      struct rtk_err *err)
{
	u64 size = pcireg_config_size(m->pdev), offset = m->offset, before = m->address;
	int rc = 0;

	if (!*req->address)
		rc = pcireg_choose(req, m, &offset, err);
	if (rc)
		return rc;
	if (!req->config) {
		if (!pcireg_is_memory(m->pdev, m->bar))
			return rtk_fail(err, -EINVAL, "bar=%d: it has no memory there", m->bar);
		size = pci_resource_len(m->pdev, m->bar);
	}
	if (offset >= size || size - offset < req->width)
		return rtk_fail(err, -EINVAL,
				"offset=0x%llx: beyond the end of %s, which has 0x%llx bytes",
				offset, req->config ? "its configuration space" : "its BAR", size);
	/* BARs are aligned to their size. */
	if (offset & (req->width - 1))
		return rtk_fail(err, -EINVAL, "offset=0x%llx: not a multiple of width=%u",
				offset, req->width);
	m->offset = offset;
	m->how = (req->config ? RTK_PCIREG_CONFIGB : RTK_PCIREG_READB) + ilog2(req->width);
	m->ones = GENMASK_ULL(8 * req->width - 1, 0);
	if (req->config)
		return 0;
	m->address = pci_resource_start(m->pdev, m->bar) + offset;
	if (before && m->address != before)
		return rtk_fail(err, -EBUSY, "its BARs are being moved; try again");
	return 0;
}
