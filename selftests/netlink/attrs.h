/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What each request takes, written from the specification.
 */
#ifndef RTK_SELFTEST_ATTRS_H
#define RTK_SELFTEST_ATTRS_H

#include <limits.h>

#include "nl.h"

/* Room for what a kernel may know more. */
#define TYPES_MAX	32

#define BIT(n)		(1U << (n))

/* A kind of attribute; its longest text, or its largest number. */
struct rule {
	int kind;
	__u64 max;
};

static const struct rule top_rules[TYPES_MAX] = {
	[RTK_A_TEST] = { NL_ATTR_TYPE_NUL_STRING, RTK_TEST_NAME_MAX },
	[RTK_A_GENERATION] = { NL_ATTR_TYPE_U32, UINT_MAX },
	[RTK_A_DETACH] = { .kind = NL_ATTR_TYPE_FLAG },
	[RTK_A_CPU] = { NL_ATTR_TYPE_U32, UINT_MAX },
	[RTK_A_SERIES] = { NL_ATTR_TYPE_NUL_STRING, RTK_TEST_NAME_MAX },
	[RTK_A_PARAM] = { .kind = NL_ATTR_TYPE_NESTED },
};

/* Only name and value may be in a request. */
static const struct rule param_rules[TYPES_MAX] = {
	[RTK_A_PARAM_NAME] = { NL_ATTR_TYPE_NUL_STRING, RTK_TEST_NAME_MAX },
	[RTK_A_PARAM_VALUE] = { NL_ATTR_TYPE_NUL_STRING, RTK_PARAM_VALUE_MAX },
	[RTK_A_PARAM_RUN_VALUE] = { .kind = NL_ATTR_TYPE_NUL_STRING },
	[RTK_A_PARAM_TYPE] = { NL_ATTR_TYPE_U32, RTK_PARAM_TYPE_PCI },
	[RTK_A_PARAM_UNIT] = { .kind = NL_ATTR_TYPE_NUL_STRING },
	[RTK_A_PARAM_MINIMUM] = { .kind = NL_ATTR_TYPE_S64 },
	[RTK_A_PARAM_MAXIMUM] = { .kind = NL_ATTR_TYPE_S64 },
	[RTK_A_PARAM_DEFAULT] = { .kind = NL_ATTR_TYPE_NUL_STRING },
	[RTK_A_PARAM_CHOICES] = { .kind = NL_ATTR_TYPE_NUL_STRING },
	[RTK_A_PARAM_HELP] = { .kind = NL_ATTR_TYPE_NUL_STRING },
};

static const struct op {
	int cmd;
	bool dump;
	__u32 takes;
} ops[] = {
	{ RTK_CMD_TEST_GET, false, BIT(RTK_A_TEST) },
	{ RTK_CMD_TEST_GET, true, BIT(RTK_A_TEST) },
	{ RTK_CMD_SET, false, BIT(RTK_A_TEST) | BIT(RTK_A_PARAM) },
	{ RTK_CMD_START, false, BIT(RTK_A_TEST) | BIT(RTK_A_DETACH) | BIT(RTK_A_PARAM) },
	{ RTK_CMD_STOP, false, BIT(RTK_A_TEST) | BIT(RTK_A_GENERATION) },
	{ RTK_CMD_RESET, false, BIT(RTK_A_TEST) },
	{ RTK_CMD_STATS_GET, true, BIT(RTK_A_TEST) | BIT(RTK_A_CPU) | BIT(RTK_A_SERIES) },
	{ RTK_CMD_HIST_GET, true, BIT(RTK_A_TEST) | BIT(RTK_A_CPU) | BIT(RTK_A_SERIES) },
	{ RTK_CMD_OUTLIER_GET, true, BIT(RTK_A_TEST) | BIT(RTK_A_CPU) | BIT(RTK_A_SERIES) },
};

static inline bool takes(const struct op *op, int type)
{
	return type < TYPES_MAX && op->takes & BIT(type);
}

#endif /* RTK_SELFTEST_ATTRS_H */
