/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RTK_VERSION_H
#define RTK_VERSION_H

/* The same as the module's. */
#define RTK_VERSION "0.1"

/* Where companions lie that are not beside rtk; set by the build. */
#ifndef RTK_LIBEXECDIR
#define RTK_LIBEXECDIR "/usr/local/libexec/rtk"
#endif

#endif
