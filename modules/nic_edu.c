// SPDX-License-Identifier: GPL-2.0
/*
 * edu, the teaching device of QEMU: one MSI, raised by a store, and a transfer by DMA
 * that raises it 100 ms later. Registers below 0x80 take accesses of 4 bytes only.
 */
#include <linux/dma-mapping.h>
#include <linux/iopoll.h>

#include "nic.h"

#define EDU_ID			0x00
#define EDU_ID_VALUE		0x010000ed
#define EDU_RAISE		0x60
#define EDU_ACK			0x64
#define EDU_DMA_SRC		0x80
#define EDU_DMA_DST		0x88
#define EDU_DMA_COUNT		0x90
#define EDU_DMA_CMD		0x98
/* From memory to the device: it writes nowhere. Bit 2: with an interrupt. */
#define EDU_DMA_RUN		BIT(0)
#define EDU_DMA_START		(EDU_DMA_RUN | BIT(2))
/* The buffer in the device; a place out of it ends QEMU. */
#define EDU_DMA_BUFFER		0x40000
#define EDU_DMA_SIZE		4
#define EDU_DMA_NS		(100 * NSEC_PER_MSEC)

/* Causes: what we raise, and the end of a transfer. */
#define EDU_CAUSE		BIT(0)
#define EDU_CAUSE_DMA		BIT(8)

static int edu_start(struct rtk_nic *nic, bool reset)
{
	if (readl(nic->regs + EDU_ID) != EDU_ID_VALUE)
		return -ENODEV;
	nic->trigger = nic->regs + EDU_RAISE;
	nic->trigger_value = EDU_CAUSE;
	nic->ack = nic->regs + EDU_ACK;
	nic->ack_value = EDU_CAUSE | EDU_CAUSE_DMA;
	rtk_nic_ack(nic);
	return 0;
}

static void edu_stop(struct rtk_nic *nic)
{
	u32 cmd;

	if (nic->dma) {
		/* A transfer can't be stopped, but comes to its end. */
		readl_poll_timeout(nic->regs + EDU_DMA_CMD, cmd, !(cmd & EDU_DMA_RUN),
				   1000, 2 * EDU_DMA_NS / NSEC_PER_USEC);
		/* Or else it finds no way to what is freed now. */
		pci_clear_master(nic->pdev);
		dma_free_coherent(&nic->pdev->dev, EDU_DMA_SIZE, nic->dma, nic->dma_addr);
		nic->dma = NULL;
	}
	rtk_nic_ack(nic);
	readl(nic->regs + EDU_ID);
}

static bool edu_dma_alloc(struct rtk_nic *nic)
{
	struct device *dev = &nic->pdev->dev;

	if (nic->dma)
		return true;
	/* More address lines it doesn't have. */
	if (dma_set_mask_and_coherent(dev, DMA_BIT_MASK(28)))
		return false;
	nic->dma = dma_alloc_coherent(dev, EDU_DMA_SIZE, &nic->dma_addr, GFP_KERNEL);
	return nic->dma;
}

static enum rtk_nic_timer edu_timer_find(struct rtk_nic *nic, u64 cycle_ns)
{
	if (cycle_ns != EDU_DMA_NS || !edu_dma_alloc(nic))
		return RTK_NIC_TIMER_NONE;
	writel(nic->dma_addr, nic->regs + EDU_DMA_SRC);
	writel(EDU_DMA_BUFFER, nic->regs + EDU_DMA_DST);
	writel(EDU_DMA_SIZE, nic->regs + EDU_DMA_COUNT);
	return readl(nic->regs + EDU_DMA_DST) == EDU_DMA_BUFFER ?
	       RTK_NIC_TIMER_DMA : RTK_NIC_TIMER_NONE;
}

/**
 * rtk_nic_edu_next() - start another transfer
 * @nic: device that runs RTK_NIC_TIMER_DMA
 */
void rtk_nic_edu_next(struct rtk_nic *nic)
{
	writel(EDU_DMA_START, nic->regs + EDU_DMA_CMD);
}

/* The one under way is the last: nothing starts another. */
static void edu_timer_stop(struct rtk_nic *nic)
{
}

const struct rtk_nic_ops rtk_nic_edu = {
	.vendor = RTK_NIC_VENDOR_QEMU,
	.class = PCI_CLASS_OTHERS,
	.size = 0x1000,
	.alive = EDU_ID,
	.irq_type = PCI_IRQ_MSI,
	.start = edu_start,
	.stop = edu_stop,
	.timer_find = edu_timer_find,
	.timer_start = rtk_nic_edu_next,
	.timer_stop = edu_timer_stop,
};
