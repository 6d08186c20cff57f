// SPDX-License-Identifier: GPL-2.0
/*
 * Counter of system management interrupts.
 */
#include <linux/cache.h>
#include <linux/kernel.h>
#ifdef CONFIG_X86
#include <asm/cpufeature.h>
#include <asm/msr.h>
#endif

#include "compat/msr.h"
#include "smi.h"

static enum rtk_smi_source smi_source __read_mostly;

#ifdef CONFIG_X86
bool rtk_smi_count(u32 *count)
{
	u64 value;

	/* A fault is caught, should a CPU differ from the one that was asked. */
	if (smi_source == RTK_SMI_NONE || rtk_rdmsr_safe(MSR_SMI_COUNT, &value))
		return false;
	*count = value;
	return true;
}

void rtk_smi_init(void)
{
	u64 value;

	if (rtk_rdmsr_safe(MSR_SMI_COUNT, &value))
		smi_source = RTK_SMI_NONE;
	else if (boot_cpu_has(X86_FEATURE_HYPERVISOR))
		smi_source = RTK_SMI_VIRTUAL;
	else
		smi_source = RTK_SMI_MSR;
}
#else
bool rtk_smi_count(u32 *count)
{
	return false;
}

void rtk_smi_init(void)
{
}
#endif

const char *rtk_smi_source_name(void)
{
	static const char * const names[] = { "none", "msr", "virtual" };

	return names[smi_source];
}
