/* SPDX-License-Identifier: GPL-2.0 */
/* NMIs to a CPU, and a handler for them: x86 only, by two interfaces. */
#ifndef RTK_COMPAT_NMI_H
#define RTK_COMPAT_NMI_H

#ifdef CONFIG_X86
#include <asm/apic.h>
#include <asm/nmi.h>

#define RTK_NMI_DONE	NMI_DONE
#define RTK_NMI_HANDLED	NMI_HANDLED

static inline void rtk_send_nmi(unsigned int cpu)
{
#ifdef RTK_HAVE_APIC_SEND
	__apic_send_IPI_mask(cpumask_of(cpu), NMI_VECTOR);
#else
	apic->send_IPI_mask(cpumask_of(cpu), NMI_VECTOR);
#endif
}

#define rtk_register_nmi(fn)	register_nmi_handler(NMI_LOCAL, fn, 0, "rtk_inject")
#define rtk_unregister_nmi()	unregister_nmi_handler(NMI_LOCAL, "rtk_inject")
#else
#define RTK_NMI_DONE	0
#define RTK_NMI_HANDLED	1
static inline void rtk_send_nmi(unsigned int cpu) {}
#define rtk_register_nmi(fn)	((void)(fn), 0)
#define rtk_unregister_nmi()	do { } while (0)
#endif

#endif /* RTK_COMPAT_NMI_H */
