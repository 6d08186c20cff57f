/* SPDX-License-Identifier: GPL-2.0 */
/* A workqueue bound to CPUs: the default, until it had to be asked for. */
#ifndef RTK_COMPAT_WORKQUEUE_H
#define RTK_COMPAT_WORKQUEUE_H

#include <linux/workqueue.h>

#ifdef RTK_HAVE_WQ_PERCPU
#define RTK_WQ_PERCPU	WQ_PERCPU
#else
#define RTK_WQ_PERCPU	0
#endif

#endif /* RTK_COMPAT_WORKQUEUE_H */
