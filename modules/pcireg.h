/* SPDX-License-Identifier: GPL-2.0 */
/*
 * One register of a PCI device, to be read over and over again.
 *
 * Reading can have effects: it clears causes of interrupts, takes a semaphore, or
 * empties a FIFO. So nothing is read that the user has not named, but for registers
 * that are known to be harmless; and nothing that isn't wholly inside one memory BAR
 * of one device, or its configuration space.
 *
 * The device is either claimed (nic.h), or has a driver that is not asked: reading
 * beside it has to be forced. In both cases the run ends before the device goes.
 */
#ifndef RTK_PCIREG_H
#define RTK_PCIREG_H

#include <linux/io.h>
#include <linux/pci.h>

#include "nic.h"
#include "rtk.h"

/* How a register is read. */
enum rtk_pcireg_how {
	RTK_PCIREG_READB,
	RTK_PCIREG_READW,
	RTK_PCIREG_READL,
	RTK_PCIREG_READQ,
	RTK_PCIREG_CONFIGB,
	RTK_PCIREG_CONFIGW,
	RTK_PCIREG_CONFIGL,
};

/**
 * struct rtk_pcireg_request - what is to be read
 * @user: name of the test
 * @device: "0000:03:00.0"; or "auto", for the only device that is claimed
 * @address: physical address, hexadecimal, instead of @device; empty for none
 * @offset: in the BAR or the configuration space, hexadecimal; empty for the register
 *	that is known to be harmless
 * @config: the configuration space
 * @force: also a device that has a driver, and other widths
 * @atomic: it is read with interrupts off
 * @bar: BAR, -1 for that of the known register, or the first in memory
 * @width: bytes: 1, 2, 4 or 8
 */
struct rtk_pcireg_request {
	const char *user;
	const char *device;
	const char *address;
	const char *offset;
	bool config;
	bool force;
	bool atomic;
	int bar;
	unsigned int width;
};

/**
 * struct rtk_pcireg - an opened register
 * @reg: where it is mapped; NULL in the configuration space
 * @how: how it is read
 * @pdev: device, of which we have a reference
 * @ones: what a device that is not there answers
 * @bar: BAR, -1 for the configuration space
 * @offset: in the BAR or the configuration space
 * @address: physical, 0 in the configuration space
 * @nic: the claimed device, NULL if it has a driver of its own
 * @bound: it has one
 * @awake: it is kept from its sleep
 * @part: what of a claimed one is mapped
 * @why: what is wrong with it, found while reading: a text's format; READ_ONCE()
 */
struct rtk_pcireg {
	void __iomem *reg;
	enum rtk_pcireg_how how;
	struct pci_dev *pdev;
	u64 ones;
	int bar;
	u64 offset;
	u64 address;
	struct rtk_nic *nic;
	bool bound;
	bool awake;
	struct rtk_nic_part part;
	const char *why;
};

/**
 * rtk_pcireg_check() - can such a register be?
 * @req: what is wanted
 * @err: words for a failure
 *
 * Without a look at any device.
 *
 * Context: any.
 * Return: 0 or -EINVAL
 */
int rtk_pcireg_check(const struct rtk_pcireg_request *req, struct rtk_err *err);

/**
 * rtk_pcireg_open() - find a register, and make sure that it may be read
 * @req: what is wanted, rtk_pcireg_check() has found nothing against it
 * @m: filled on success; the only one that is open
 * @err: words for a failure: the cause and its mend
 *
 * Context: may sleep, for some seconds where a device has to wake up; cpus_read_lock()
 * held by the core.
 * Return: 0; -EINVAL (no such register, or none that may be read), -ENODEV (no such
 * device, not claimed, gone, or asleep), -EBUSY (somebody has it), -EPERM (lockdown),
 * -ENOMEM
 */
int rtk_pcireg_open(const struct rtk_pcireg_request *req, struct rtk_pcireg *m,
		    struct rtk_err *err);

/**
 * rtk_pcireg_close() - give it back
 * @m: opened; nobody reads it any more
 *
 * Context: may sleep.
 */
void rtk_pcireg_close(struct rtk_pcireg *m);

/**
 * rtk_pcireg_doubt() - is the device still there?
 * @m: opened
 *
 * For values of all ones, and now and then for others. Looks at its configuration
 * space, and notes in @why what is wrong.
 *
 * Context: a task with interrupts on; does not sleep for long.
 * Return: true if the value is none
 */
bool rtk_pcireg_doubt(struct rtk_pcireg *m);

/**
 * rtk_pcireg_watch() - has something come between?
 * @m: opened
 * @err: filled then
 *
 * Context: any.
 * Return: reason, a constant; NULL if not
 */
const char *rtk_pcireg_watch(const struct rtk_pcireg *m, struct rtk_err *err);

/* For pcireg.c: what pcireg_find.c finds. May sleep. Both return 0, -EINVAL or -ENODEV. */

/* By address: sets @pdev with a reference, @bar and @offset. */
int rtk_pcireg_find_address(const struct rtk_pcireg_request *req, struct rtk_pcireg *m,
			    struct rtk_err *err);
/* All that is said of the register, for @pdev; anew when nobody can move its BARs. */
int rtk_pcireg_settle(const struct rtk_pcireg_request *req, struct rtk_pcireg *m,
		      struct rtk_err *err);
/* Is there memory of the machine's own? Any context. */
bool rtk_pcireg_is_ram(u64 address, unsigned int width);

/* At the module's beginning and end, may sleep. */
#ifdef CONFIG_PCI
void rtk_pcireg_init(void);
void rtk_pcireg_exit(void);
#else
static inline void rtk_pcireg_init(void) {}
static inline void rtk_pcireg_exit(void) {}
#endif

/**
 * rtk_pcireg_read() - read it
 * @m: opened
 * @how: m->how; a constant leaves the choice to the compiler
 *
 * The value is there when this returns: what follows is later, on the bus, too. The
 * configuration space is read by the kernel's own way, with its lock.
 *
 * Context: any but NMI.
 */
static __always_inline u64 rtk_pcireg_read(const struct rtk_pcireg *m, enum rtk_pcireg_how how)
{
	u32 dword = ~0U;
	u16 word = U16_MAX;
	u8 byte = U8_MAX;

	switch (how) {
	case RTK_PCIREG_READL:
		return readl(m->reg);
	case RTK_PCIREG_READB:
		return readb(m->reg);
	case RTK_PCIREG_READW:
		return readw(m->reg);
#ifdef CONFIG_64BIT
	case RTK_PCIREG_READQ:
		return readq(m->reg);
#endif
	case RTK_PCIREG_CONFIGB:
		pci_read_config_byte(m->pdev, m->offset, &byte);
		return byte;
	case RTK_PCIREG_CONFIGW:
		pci_read_config_word(m->pdev, m->offset, &word);
		return word;
	case RTK_PCIREG_CONFIGL:
		pci_read_config_dword(m->pdev, m->offset, &dword);
		return dword;
	default:
		return 0;
	}
}

#endif /* RTK_PCIREG_H */
