// SPDX-License-Identifier: GPL-2.0
/*
 * Intel network devices with extended interrupt causes, one for each MSI-X vector:
 * igb (82576, 82580, I350, I354, I210, I211), and igc (I225, I226), which differs in
 * where the old causes are.
 *
 * EICS raises vector 0, and EIAC clears its cause when it has been sent, so that a
 * handler has no register to touch. Two clocks raise interrupts in a cycle: the TCP
 * timer, and the target time of the clock for time stamps of packets.
 */
#include <linux/delay.h>
#include <linux/math64.h>

#include "nic.h"

#define IGB_STATUS		0x0008
#define IGB_GPIE		0x1514
/* Reading ICR clears it whole; vectors are MSI-X; with auto-mask, and pending bits. */
#define IGB_GPIE_MSIX		(BIT(0) | BIT(4) | BIT(30) | BIT(31))
#define IGB_EICS		0x1520
#define IGB_EIMS		0x1524
#define IGB_EIMC		0x1528
#define IGB_EIAC		0x152c
#define IGB_EIAM		0x1530
#define IGB_EITR0		0x1680
#define IGB_IVAR_MISC		0x1740
/* TCP timer, or the other causes: to vector 0, which is valid. */
#define IGB_IVAR_MISC_TCP	BIT(7)
#define IGB_IVAR_MISC_OTHER	BIT(15)
#define IGB_TCPTIMER		0x104c
#define IGB_TCPTIMER_MS		GENMASK(7, 0)
#define IGB_TCPTIMER_KICK	BIT(8)
#define IGB_TCPTIMER_ENABLE	BIT(9)
#define IGB_TCPTIMER_LOOP	BIT(11)
/* ns, s, and what is less than 1 ns, of I210, I211, I225, I226; others count otherwise. */
#define IGB_SYSTIML		0xb600
#define IGB_SYSTIMH		0xb604
#define IGB_SYSTIMR		0xb6f8
#define IGB_TIMINCA		0xb608
#define IGB_TSAUXC		0xb640
#define IGB_TSAUXC_TT0		BIT(0)
#define IGB_TRGTTIML0		0xb644
#define IGB_TRGTTIMH0		0xb648
#define IGB_TSICR		0xb66c
#define IGB_TSIM		0xb674
#define IGB_TSIM_TT0		BIT(3)
/* In ICR. */
#define IGB_TIME_SYNC		BIT(19)

/* Our only vector. */
#define IGB_VECTOR		BIT(0)

/*
 * A target that is over when it is set never comes: so it lies ahead by so much, ns,
 * which is more than the few register accesses take.
 */
#define IGB_TT0_MARGIN		10000

/* By the device's own clock, ns. */
static u64 igb_time(struct rtk_nic *nic)
{
	u32 ns;

	/* The first read takes all of it: of this register, or the next. */
	readl(nic->regs + IGB_SYSTIMR);
	ns = readl(nic->regs + IGB_SYSTIML);
	return readl(nic->regs + IGB_SYSTIMH) * (u64)NSEC_PER_SEC + ns;
}

static int igb_start(struct rtk_nic *nic, bool reset)
{
	void __iomem *regs = nic->regs;

	rtk_nic_intel_quiet(nic, reset);
	/* First: what is written to EIAC in another mode is lost. */
	writel(IGB_GPIE_MSIX, regs + IGB_GPIE);
	writel(IGB_VECTOR, regs + IGB_EIAC);
	/* Its mask stays as it is, */
	writel(0, regs + IGB_EIAM);
	/* and no interrupt waits for another. */
	writel(0, regs + IGB_EITR0);
	nic->trigger = regs + IGB_EICS;
	nic->trigger_value = IGB_VECTOR;
	writel(IGB_VECTOR, regs + IGB_EIMS);
	readl(regs + IGB_STATUS);
	return 0;
}

/* Does the clock run, and is there a target to be set? */
static bool igb_has_tt0(struct rtk_nic *nic)
{
	void __iomem *regs = nic->regs;
	const u32 pattern = 0x15555555;
	u64 before;

	/* Also clears the bit that stops the clock. */
	writel(0, regs + IGB_TSAUXC);
	/* At the rate of its crystal. */
	writel(0, regs + IGB_TIMINCA);
	writel(pattern, regs + IGB_TRGTTIML0);
	if (readl(regs + IGB_TRGTTIML0) != pattern)
		return false;
	before = igb_time(nic);
	usleep_range(10, 20);
	return igb_time(nic) > before;
}

static bool igb_has_tcp(struct rtk_nic *nic, u64 cycle_ns)
{
	u32 rem, value;
	u64 ms = div_u64_rem(cycle_ns, NSEC_PER_MSEC, &rem);

	if (rem || !ms || ms > IGB_TCPTIMER_MS)
		return false;
	writel(ms, nic->regs + IGB_TCPTIMER);
	value = readl(nic->regs + IGB_TCPTIMER);
	writel(0, nic->regs + IGB_TCPTIMER);
	/* The whole of it: a device that has gone answers with all ones. */
	return value == ms;
}

static enum rtk_nic_timer igb_timer_find(struct rtk_nic *nic, u64 cycle_ns)
{
	if (nic->has_tt0 && igb_has_tt0(nic))
		return RTK_NIC_TIMER_TT0;
	return igb_has_tcp(nic, cycle_ns) ? RTK_NIC_TIMER_TCP : RTK_NIC_TIMER_NONE;
}

/**
 * rtk_nic_igb_next() - set the next target time
 * @nic: device that runs RTK_NIC_TIMER_TT0
 *
 * A cycle after the last target, not after now: nothing adds up. Where it is too late
 * for that, whole cycles are left out.
 */
void rtk_nic_igb_next(struct rtk_nic *nic)
{
	void __iomem *regs = nic->regs;
	u64 earliest;
	u32 s, ns;

	/* Reading clears both, without which no other would come. */
	readl(regs + IGB_TSICR);
	readl(regs + nic->ops->icr);
	nic->target += nic->cycle;
	earliest = igb_time(nic) + IGB_TT0_MARGIN;
	if (nic->target < earliest)
		nic->target += DIV64_U64_ROUND_UP(earliest - nic->target, nic->cycle) *
			       nic->cycle;
	s = div_u64_rem(nic->target, NSEC_PER_SEC, &ns);
	writel(ns, regs + IGB_TRGTTIML0);
	writel(s, regs + IGB_TRGTTIMH0);
	/* The device has cleared that when the last one came. */
	writel(IGB_TSAUXC_TT0, regs + IGB_TSAUXC);
}

static void igb_timer_start(struct rtk_nic *nic)
{
	void __iomem *regs = nic->regs;

	if (nic->found == RTK_NIC_TIMER_TCP) {
		writel(IGB_IVAR_MISC_TCP, regs + IGB_IVAR_MISC);
		writel(div_u64(nic->cycle, NSEC_PER_MSEC) | IGB_TCPTIMER_KICK |
		       IGB_TCPTIMER_ENABLE | IGB_TCPTIMER_LOOP, regs + IGB_TCPTIMER);
		return;
	}
	writel(IGB_IVAR_MISC_OTHER, regs + IGB_IVAR_MISC);
	writel(IGB_TSIM_TT0, regs + IGB_TSIM);
	writel(IGB_TIME_SYNC, regs + nic->ops->ims);
	nic->target = igb_time(nic);
	rtk_nic_igb_next(nic);
}

static void igb_timer_stop(struct rtk_nic *nic)
{
	void __iomem *regs = nic->regs;

	writel(IGB_TIME_SYNC, regs + nic->ops->imc);
	writel(0, regs + IGB_TSIM);
	writel(0, regs + IGB_TSAUXC);
	writel(0, regs + IGB_TCPTIMER);
	writel(0, regs + IGB_IVAR_MISC);
	readl(regs + IGB_STATUS);
}

/* What the two families have in common. */
#define IGB_OPS \
	.vendor = PCI_VENDOR_ID_INTEL, \
	.class = PCI_CLASS_NETWORK_ETHERNET, \
	.size = 0xc000, \
	.alive = IGB_STATUS, \
	.eimc = IGB_EIMC, \
	.irq_type = PCI_IRQ_MSIX, \
	.start = igb_start, \
	.stop = rtk_nic_intel_mask, \
	.timer_find = igb_timer_find, \
	.timer_start = igb_timer_start, \
	.timer_stop = igb_timer_stop

const struct rtk_nic_ops rtk_nic_igb = {
	.icr = 0x00c0,
	.ims = 0x00d0,
	.imc = 0x00d8,
	IGB_OPS,
};

const struct rtk_nic_ops rtk_nic_igc = {
	.icr = 0x1500,
	.ims = 0x1508,
	.imc = 0x150c,
	IGB_OPS,
};
