// SPDX-License-Identifier: GPL-2.0
/*
 * rtk_smi: system management interrupts of known length, as one more kind of
 * rtk_inject. For emulated machines only: it puts a handler of its own in the
 * place of the firmware's.
 *
 * A CPU that takes an SMI begins to execute at its SMBASE + 0x8000 and leaves its
 * state at the end of the 64 KiB from SMBASE on. SeaBIOS moves the SMBASE of the
 * boot CPU into SMRAM, which is hidden behind the VGA memory; the others keep the
 * one of a reset, in memory that Linux leaves alone.
 */
#define pr_fmt(fmt) "rtk_smi: " fmt

#include <linux/io.h>
#include <linux/math64.h>
#include <linux/module.h>
#include <linux/pci.h>
#include <linux/smp.h>
#include <linux/string.h>
#include <linux/time64.h>
#include <asm/apic.h>
#include <asm/msr.h>
#include <asm/tsc.h>

#include "compat/msr.h"
#include "rtk_inject.h"

/* q35's host bridge: who may see SMRAM. */
#define Q35_SMRAM	0x9d
#define Q35_SMRAM_OPEN	BIT(6)

/* ICH9: a write raises an SMI on the CPU that writes. 2 and 3 are for ACPI. */
#define APM_CNT		0xb2

/* How long an emulated CPU may take to notice, in ns. */
#define SMI_GRACE	NSEC_PER_MSEC

/* Real mode, all segments at 0. The registers come back with rsm. */
static u8 smi_handler[] = {
	0x0f, 0x31,				/*    rdtsc */
	0x66, 0x89, 0xc3,			/*    mov %eax,%ebx */
	0x0f, 0x31,				/* 1: rdtsc */
	0x66, 0x29, 0xd8,			/*    sub %ebx,%eax */
	0x66, 0x3d, 0x00, 0x00, 0x00, 0x00,	/*    cmp $ticks,%eax */
	0x72, 0xf3,				/*    jb 1b */
	0x0f, 0xaa,				/*    rsm */
};

/* Where $ticks is. */
#define SMI_TICKS	12

/* Memory that we overwrite, or an SMI does, and what was there before. */
struct smi_place {
	phys_addr_t at;
	size_t size;
	bool is_handler;
	void *mem;
	u8 saved[512];
};

static struct smi_place places[] = {
	{ .at = 0xa8000, .size = sizeof(smi_handler), .is_handler = true },
	{ .at = 0x38000, .size = sizeof(smi_handler), .is_handler = true },
	{ .at = 0x3fe00, .size = 512 },
};

static struct pci_dev *bridge;
/* In TSC ticks. */
static u64 smi_patience;

static bool i_know;
module_param(i_know, bool, 0);
MODULE_PARM_DESC(i_know, "1: I know that this replaces firmware and stops CPUs");

/* CPUs but the first have one place for their state: one of them at a time. */
static bool broadcast;
module_param(broadcast, bool, 0);
MODULE_PARM_DESC(broadcast, "1: an SMI from another CPU is for all but that one");

static u32 smi_count(void)
{
	u64 value = 0;

	rtk_rdmsr_safe(MSR_SMI_COUNT, &value);
	return value;
}

static u64 smi_ticks(u64 ns)
{
	return mul_u64_u32_div(ns, tsc_khz, NSEC_PER_MSEC);
}

/* Calls @each for the places while SMRAM is open; stops at an error. */
static int smi_open(int (*each)(struct smi_place *p))
{
	u8 closed, open;
	unsigned int i;
	int rc = 0;

	pci_read_config_byte(bridge, Q35_SMRAM, &closed);
	pci_write_config_byte(bridge, Q35_SMRAM, closed | Q35_SMRAM_OPEN);
	pci_read_config_byte(bridge, Q35_SMRAM, &open);
	if (!(open & Q35_SMRAM_OPEN)) {
		pr_err("SMRAM is locked, cannot be opened\n");
		return -EPERM;
	}
	for (i = 0; i < ARRAY_SIZE(places) && !rc; i++)
		rc = each(&places[i]);
	pci_write_config_byte(bridge, Q35_SMRAM, closed);
	return rc;
}

static int smi_save(struct smi_place *p)
{
	memcpy(p->saved, p->mem, p->size);
	return 0;
}

static int smi_restore(struct smi_place *p)
{
	memcpy(p->mem, p->saved, p->size);
	return 0;
}

static int smi_install(struct smi_place *p)
{
	if (!p->is_handler)
		return 0;
	memcpy(p->mem, smi_handler, p->size);
	if (!memcmp(p->mem, smi_handler, p->size))
		return 0;
	pr_err("memory at %pa does not take the handler\n", &p->at);
	return -EIO;
}

static int smi_prepare(u64 length)
{
	u32 ticks = smi_ticks(length);

	memcpy(smi_handler + SMI_TICKS, &ticks, sizeof(ticks));
	smi_patience = smi_ticks(length + SMI_GRACE);
	return smi_open(smi_install);
}

/* By the local APIC; to one CPU, or as a chipset does it. Interrupts are off. */
static void smi_send(unsigned int cpu)
{
	u32 id = per_cpu(x86_cpu_to_apicid, cpu);
	u32 icr = APIC_DM_SMI | (broadcast ? APIC_DEST_ALLBUT : 0);
	u64 base = 0;

	rtk_rdmsr_safe(MSR_IA32_APICBASE, &base);
	if (base & X2APIC_ENABLE) {
		wrmsr(APIC_BASE_MSR + (APIC_ICR >> 4), icr, id);
		return;
	}
	native_apic_mem_write(APIC_ICR2, SET_XAPIC_DEST_FIELD(id));
	native_apic_mem_write(APIC_ICR, icr);
}

static u32 smi_run(unsigned int cpu)
{
	u32 before = smi_count(), now;
	u64 begin = rdtsc();

	if (cpu != smp_processor_id()) {
		smi_send(cpu);
		return 0;
	}
	outb(0, APM_CNT);
	do {
		now = smi_count();
	} while (now == before && rdtsc() - begin < smi_patience);
	return now - before;
}

static const struct rtk_inject_kind smi_kind = {
	.name = "smi",
	.length_max = 10 * NSEC_PER_MSEC,
	.prepare = smi_prepare,
	.run = smi_run,
};

static int smi_find_bridge(void)
{
	bridge = pci_get_domain_bus_and_slot(0, 0, PCI_DEVFN(0, 0));
	if (bridge && bridge->vendor == PCI_VENDOR_ID_INTEL && bridge->device == 0x29c0 &&
	    bridge->subsystem_vendor == PCI_VENDOR_ID_REDHAT_QUMRANET &&
	    bridge->subsystem_device == 0x1100)
		return 0;
	pr_err("for QEMU's machine q35 only\n");
	pci_dev_put(bridge);
	return -ENODEV;
}

static void smi_unmap(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(places); i++)
		if (places[i].mem)
			memunmap(places[i].mem);
}

static int smi_map(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(places); i++) {
		places[i].mem = memremap(places[i].at, places[i].size, MEMREMAP_WB);
		if (!places[i].mem) {
			smi_unmap();
			return -ENOMEM;
		}
	}
	return 0;
}

static int __init smi_init(void)
{
	int rc = rtk_inject_permit(i_know);

	if (rc)
		return rc;
	rc = smi_find_bridge();
	if (rc)
		return rc;
	rc = smi_map();
	if (rc)
		goto err_bridge;
	rc = smi_open(smi_save);
	if (rc)
		goto err_map;
	rc = smi_prepare(NSEC_PER_USEC);
	if (rc)
		goto err_memory;
	rc = rtk_inject_add(&smi_kind);
	if (rc)
		goto err_memory;
	return 0;
err_memory:
	smi_open(smi_restore);
err_map:
	smi_unmap();
err_bridge:
	pci_dev_put(bridge);
	return rc;
}

static void __exit smi_exit(void)
{
	rtk_inject_del();
	smi_open(smi_restore);
	smi_unmap();
	pci_dev_put(bridge);
}

module_init(smi_init);
module_exit(smi_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("SMIs of known length, for rtk's self-tests");
MODULE_AUTHOR("the rtk developers");
