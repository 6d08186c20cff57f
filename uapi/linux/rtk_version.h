/* SPDX-License-Identifier: ((GPL-2.0 WITH Linux-syscall-note) OR BSD-3-Clause) */
#ifndef _UAPI_LINUX_RTK_VERSION_H
#define _UAPI_LINUX_RTK_VERSION_H

/* Of the module and of the client: they are one release. */
#define RTK_VERSION	"0.1"

#endif /* _UAPI_LINUX_RTK_VERSION_H */
