/* SPDX-License-Identifier: GPL-2.0 */
/* Attributes of a dump request, which moved when genl_info_dump() came. */
#ifndef RTK_COMPAT_GENETLINK_H
#define RTK_COMPAT_GENETLINK_H

#include <net/genetlink.h>

static inline struct nlattr **rtk_dump_attrs(struct netlink_callback *cb)
{
#ifdef RTK_HAVE_GENL_INFO_DUMP
	return genl_info_dump(cb)->attrs;
#else
	return genl_dumpit_info(cb)->attrs;
#endif
}

#endif /* RTK_COMPAT_GENETLINK_H */
