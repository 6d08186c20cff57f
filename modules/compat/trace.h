/* SPDX-License-Identifier: GPL-2.0 */
/* __assign_str() lost its second argument. */
#ifndef RTK_COMPAT_TRACE_H
#define RTK_COMPAT_TRACE_H

#ifdef RTK_HAVE_ASSIGN_STR_1
#define rtk_assign_str(field, src)	do { (void)(src); __assign_str(field); } while (0)
#else
#define rtk_assign_str(field, src)	__assign_str(field, src)
#endif

#endif /* RTK_COMPAT_TRACE_H */
