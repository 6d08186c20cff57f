/* SPDX-License-Identifier: ((GPL-2.0 WITH Linux-syscall-note) OR BSD-3-Clause) */
/* Do not edit directly, auto-generated from: */
/*	Documentation/netlink/specs/rtk.yaml */
/* YNL-GEN kernel source */
/* by scripts/regen */

#ifndef RTK_GENERATED_POLICY_H
#define RTK_GENERATED_POLICY_H

#include <net/netlink.h>
#include <net/genetlink.h>

#include <uapi/linux/rtk.h>

/* Common nested types */
static const struct nla_policy rtk_param_nl_policy[RTK_A_PARAM_HELP + 1] = {
	[RTK_A_PARAM_NAME] = { .type = NLA_NUL_STRING, .len = RTK_TEST_NAME_MAX, },
	[RTK_A_PARAM_VALUE] = { .type = NLA_NUL_STRING, .len = RTK_PARAM_VALUE_MAX, },
	[RTK_A_PARAM_RUN_VALUE] = { .type = NLA_NUL_STRING, },
	[RTK_A_PARAM_TYPE] = NLA_POLICY_MAX(NLA_U32, 6),
	[RTK_A_PARAM_UNIT] = { .type = NLA_NUL_STRING, },
	[RTK_A_PARAM_MINIMUM] = { .type = NLA_S64, },
	[RTK_A_PARAM_MAXIMUM] = { .type = NLA_S64, },
	[RTK_A_PARAM_DEFAULT] = { .type = NLA_NUL_STRING, },
	[RTK_A_PARAM_CHOICES] = { .type = NLA_NUL_STRING, },
	[RTK_A_PARAM_HELP] = { .type = NLA_NUL_STRING, },
};

/* RTK_CMD_TEST_GET - do */
static const struct nla_policy rtk_test_get_do_nl_policy[RTK_A_TEST + 1] = {
	[RTK_A_TEST] = { .type = NLA_NUL_STRING, .len = RTK_TEST_NAME_MAX, },
};

/* RTK_CMD_TEST_GET - dump */
static const struct nla_policy rtk_test_get_dump_nl_policy[RTK_A_TEST + 1] = {
	[RTK_A_TEST] = { .type = NLA_NUL_STRING, .len = RTK_TEST_NAME_MAX, },
};

/* RTK_CMD_SET - do */
static const struct nla_policy rtk_set_nl_policy[RTK_A_PARAM + 1] = {
	[RTK_A_TEST] = { .type = NLA_NUL_STRING, .len = RTK_TEST_NAME_MAX, },
	[RTK_A_PARAM] = NLA_POLICY_NESTED(rtk_param_nl_policy),
};

/* RTK_CMD_START - do */
static const struct nla_policy rtk_start_nl_policy[RTK_A_PARAM + 1] = {
	[RTK_A_TEST] = { .type = NLA_NUL_STRING, .len = RTK_TEST_NAME_MAX, },
	[RTK_A_DETACH] = { .type = NLA_FLAG, },
	[RTK_A_PARAM] = NLA_POLICY_NESTED(rtk_param_nl_policy),
};

/* RTK_CMD_STOP - do */
static const struct nla_policy rtk_stop_nl_policy[RTK_A_GENERATION + 1] = {
	[RTK_A_TEST] = { .type = NLA_NUL_STRING, .len = RTK_TEST_NAME_MAX, },
	[RTK_A_GENERATION] = { .type = NLA_U32, },
};

/* RTK_CMD_RESET - do */
static const struct nla_policy rtk_reset_nl_policy[RTK_A_TEST + 1] = {
	[RTK_A_TEST] = { .type = NLA_NUL_STRING, .len = RTK_TEST_NAME_MAX, },
};

/* RTK_CMD_STATS_GET - dump */
static const struct nla_policy rtk_stats_get_nl_policy[RTK_A_SERIES + 1] = {
	[RTK_A_TEST] = { .type = NLA_NUL_STRING, .len = RTK_TEST_NAME_MAX, },
	[RTK_A_CPU] = { .type = NLA_U32, },
	[RTK_A_SERIES] = { .type = NLA_NUL_STRING, .len = RTK_TEST_NAME_MAX, },
};

/* RTK_CMD_HIST_GET - dump */
static const struct nla_policy rtk_hist_get_nl_policy[RTK_A_SERIES + 1] = {
	[RTK_A_TEST] = { .type = NLA_NUL_STRING, .len = RTK_TEST_NAME_MAX, },
	[RTK_A_CPU] = { .type = NLA_U32, },
	[RTK_A_SERIES] = { .type = NLA_NUL_STRING, .len = RTK_TEST_NAME_MAX, },
};

/* RTK_CMD_OUTLIER_GET - dump */
static const struct nla_policy rtk_outlier_get_nl_policy[RTK_A_SERIES + 1] = {
	[RTK_A_TEST] = { .type = NLA_NUL_STRING, .len = RTK_TEST_NAME_MAX, },
	[RTK_A_CPU] = { .type = NLA_U32, },
	[RTK_A_SERIES] = { .type = NLA_NUL_STRING, .len = RTK_TEST_NAME_MAX, },
};

#endif /* RTK_GENERATED_POLICY_H */
