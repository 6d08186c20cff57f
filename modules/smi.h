/* SPDX-License-Identifier: GPL-2.0 */
/*
 * System management interrupts, as far as the CPU counts them.
 *
 * They stop all CPUs, are invisible to the kernel, and only Intel CPUs count
 * them (MSR 0x34, since Nehalem). Under a hypervisor that MSR is the
 * hypervisor's invention or absent: such a number explains nothing.
 */
#ifndef RTK_SMI_H
#define RTK_SMI_H

#include <linux/types.h>

/* Where SMI counts come from, as said in results. */
enum rtk_smi_source { RTK_SMI_NONE, RTK_SMI_MSR, RTK_SMI_VIRTUAL };

/* Finds the source out; once, before any count. May sleep. */
void rtk_smi_init(void);
/* "none", "msr" or "virtual" */
const char *rtk_smi_source_name(void);
/**
 * rtk_smi_count() - SMIs that this CPU has seen since reset
 * @count: where to
 *
 * Context: any, pinned to the CPU. A read of an MSR: some hundred cycles, or an
 * exit to the hypervisor, so not for every sample.
 * Return: true if there is such a counter
 */
bool rtk_smi_count(u32 *count);

#endif /* RTK_SMI_H */
