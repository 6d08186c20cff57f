/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the modules that disturb on purpose have in common.
 */
#ifndef RTK_INJECT_H
#define RTK_INJECT_H

#include <linux/panic.h>
#include <linux/printk.h>
#include <linux/security.h>
#include <linux/types.h>

/**
 * struct rtk_inject_kind - a kind of disturbance that another module adds
 * @name: word after kind=
 * @length_max: longest, ns
 * @prepare: gets ready for disturbances of that many ns; 0 or -errno. May
 *	sleep. Nothing is injected before it returns.
 * @run: one disturbance of that CPU, in hard interrupt context there, or on another
 *	CPU, that then does not wait. Returns how many of its kind the CPU that it runs
 *	on has counted meanwhile.
 */
struct rtk_inject_kind {
	const char *name;
	u64 length_max;
	int (*prepare)(u64 length);
	u32 (*run)(unsigned int cpu);
};

/**
 * rtk_inject_add() - add a kind
 * @kind: kind; must stay until rtk_inject_del()
 *
 * Context: may sleep.
 * Return: 0, -EBUSY if there is one already
 */
int rtk_inject_add(const struct rtk_inject_kind *kind);

/**
 * rtk_inject_del() - remove the kind that was added; its plan is stopped first
 *
 * Context: may sleep.
 */
void rtk_inject_del(void);

/**
 * rtk_inject_locked_down() - is this a kernel that nobody may disturb?
 *
 * Asked again at each use: lockdown may have come after the module.
 *
 * Context: may sleep.
 * Return: 0 or -EPERM
 */
static inline int rtk_inject_locked_down(void)
{
	/* What any level of lockdown refuses. */
	int rc = security_locked_down(LOCKDOWN_DEV_MEM);

	if (rc)
		pr_err("refused: the kernel is locked down\n");
	return rc;
}

/**
 * rtk_inject_permit() - may such a module be loaded? Taints the kernel if so
 * @i_know: the module's parameter of that name
 *
 * Context: may sleep.
 * Return: 0 or -EPERM
 */
static inline int rtk_inject_permit(bool i_know)
{
	int rc;

	if (!i_know) {
		pr_err("stops CPUs on request; load with i_know=1 on a test machine\n");
		return -EPERM;
	}
	rc = rtk_inject_locked_down();
	if (!rc)
		add_taint(TAINT_TEST, LOCKDEP_STILL_OK);
	return rc;
}

#endif /* RTK_INJECT_H */
