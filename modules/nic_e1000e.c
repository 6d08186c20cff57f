// SPDX-License-Identifier: GPL-2.0
/*
 * Intel 82574; and what it has in common with the network devices of nic_igb.c,
 * which come after it.
 *
 * The queues are never used: their interrupt causes can be set by software, and one
 * of them is bound to our vector.
 */
#include <linux/delay.h>
#include <linux/iopoll.h>

#include "nic.h"

#define E1000_CTRL		0x0000
#define E1000_CTRL_NO_MASTER	BIT(2)
#define E1000_CTRL_RESET	BIT(26)
#define E1000_STATUS		0x0008
#define E1000_STATUS_MASTER	BIT(19)
#define E1000_EECD		0x0010
#define E1000_EECD_AUTO_RD	BIT(9)
#define E1000_CTRL_EXT		0x0018
#define E1000_CTRL_EXT_EIAME	BIT(24)
#define E1000_CTRL_EXT_IAME	BIT(27)
#define E1000_CTRL_EXT_PBA_CLR	BIT(31)
#define E1000_ICR		0x00c0
#define E1000_ICS		0x00c8
#define E1000_IMS		0x00d0
#define E1000_IMC		0x00d8
#define E1000_EIAC		0x00dc
#define E1000_IVAR		0x00e4
#define E1000_EITR0		0x00e8
#define E1000_RCTL		0x0100
#define E1000_TCTL		0x0400
#define E1000_TCTL_PAD		BIT(3)

/* Cause: receive queue 0. */
#define E1000_RXQ0		BIT(20)
/* It goes to vector 0, which is valid. */
#define E1000_IVAR_RXQ0		BIT(3)
#define E1000_IVAR_ALWAYS	BIT(31)

/* No interrupt from now on. */
void rtk_nic_intel_mask(struct rtk_nic *nic)
{
	writel(~0, nic->regs + nic->ops->imc);
	if (nic->ops->eimc)
		writel(~0, nic->regs + nic->ops->eimc);
	/* A read brings the writes to the device. */
	readl(nic->regs + E1000_STATUS);
}

static void intel_reset(struct rtk_nic *nic)
{
	void __iomem *regs = nic->regs;
	u32 value;

	writel(readl(regs + E1000_CTRL) | E1000_CTRL_RESET, regs + E1000_CTRL);
	/* It must not be touched now, nor is the write flushed therefore. */
	usleep_range(3000, 5000);
	/* It reads its EEPROM. One without any, or an emulated one, never says so. */
	readl_poll_timeout(regs + E1000_EECD, value, value & E1000_EECD_AUTO_RD, 1000, 20000);
	rtk_nic_intel_mask(nic);
}

/**
 * rtk_nic_intel_quiet() - silence a device, whatever its former driver did with it
 * @nic: device
 * @reset: reset it, too
 *
 * Context: may sleep, for 150 ms at most.
 */
void rtk_nic_intel_quiet(struct rtk_nic *nic, bool reset)
{
	void __iomem *regs = nic->regs;
	u32 value;

	/* Transfers that have begun come to their end, within a limit. */
	writel(readl(regs + E1000_CTRL) | E1000_CTRL_NO_MASTER, regs + E1000_CTRL);
	readl_poll_timeout(regs + E1000_STATUS, value, !(value & E1000_STATUS_MASTER),
			   1000, 80000);
	rtk_nic_intel_mask(nic);
	writel(0, regs + E1000_RCTL);
	writel(E1000_TCTL_PAD, regs + E1000_TCTL);
	readl(regs + E1000_STATUS);
	usleep_range(10000, 12000);
	if (reset)
		intel_reset(nic);
	/* An MSI is a transfer, too. */
	writel(readl(regs + E1000_CTRL) & ~E1000_CTRL_NO_MASTER, regs + E1000_CTRL);
	/* Reading clears what has been pending. */
	readl(regs + nic->ops->icr);
}

static int e1000e_start(struct rtk_nic *nic, bool reset)
{
	void __iomem *regs = nic->regs;
	u32 ext;

	rtk_nic_intel_quiet(nic, reset);
	writel(E1000_IVAR_RXQ0 | E1000_IVAR_ALWAYS, regs + E1000_IVAR);
	/* Cause and mask are cleared when the vector is sent, and not by reading. */
	ext = readl(regs + E1000_CTRL_EXT) & ~E1000_CTRL_EXT_IAME;
	writel(ext | E1000_CTRL_EXT_EIAME | E1000_CTRL_EXT_PBA_CLR, regs + E1000_CTRL_EXT);
	writel(E1000_RXQ0, regs + E1000_EIAC);
	/* No interrupt waits for another. */
	writel(0, regs + E1000_EITR0);
	nic->trigger = regs + E1000_ICS;
	nic->trigger_value = E1000_RXQ0;
	nic->ack = regs + E1000_IMS;
	nic->ack_value = E1000_RXQ0;
	writel(E1000_RXQ0, regs + E1000_IMS);
	readl(regs + E1000_STATUS);
	return 0;
}

/* One that it holds back still comes; QEMU's aborts where there is no vector by then. */
static void e1000e_stop(struct rtk_nic *nic)
{
	rtk_nic_intel_mask(nic);
	msleep(50);
}

const struct rtk_nic_ops rtk_nic_e1000e = {
	.vendor = PCI_VENDOR_ID_INTEL,
	.class = PCI_CLASS_NETWORK_ETHERNET,
	.size = 0x8000,
	.alive = E1000_STATUS,
	.icr = E1000_ICR,
	.ims = E1000_IMS,
	.imc = E1000_IMC,
	.irq_type = PCI_IRQ_MSIX,
	.start = e1000e_start,
	.stop = e1000e_stop,
};
