/* SPDX-License-Identifier: GPL-2.0 */
/* A 64-bit MSR read that survives a fault; its name moved from l to q. */
#ifndef RTK_COMPAT_MSR_H
#define RTK_COMPAT_MSR_H

#ifdef CONFIG_X86
#include <asm/msr.h>

static inline int rtk_rdmsr_safe(u32 msr, u64 *value)
{
#ifdef RTK_HAVE_RDMSRQ
	return rdmsrq_safe(msr, value);
#else
	unsigned long long v = 0;
	int rc = rdmsrl_safe(msr, &v);

	*value = v;
	return rc;
#endif
}
#endif

#endif /* RTK_COMPAT_MSR_H */
