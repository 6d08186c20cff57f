// SPDX-License-Identifier: GPL-2.0
/*
 * The kernel is asked for its own rules: an attribute or an operation that one
 * side knows alone is a failure.
 */
#include <string.h>

#include "attrs.h"
#include "kselftest_harness.h"

#define POLICIES_MAX	16

FIXTURE(policy) {
	struct nl nl;
};

FIXTURE_SETUP(policy)
{
	if (no_module())
		SKIP(return, "not root, or module rtk is not loaded");
	ASSERT_EQ(0, nl_open(&self->nl));
}

FIXTURE_TEARDOWN(policy)
{
	nl_close(&self->nl);
}

struct policies {
	unsigned int n_ops;
	/* Indices, from 1, of do and of dump. */
	unsigned int of_op[TYPES_MAX][2];
	struct rule rule[POLICIES_MAX][TYPES_MAX];
	unsigned int nested[POLICIES_MAX][TYPES_MAX];
};

static int take_op(const struct nlattr *op, struct policies *all)
{
	const struct nlattr *attr;

	mnl_attr_for_each_nested(attr, op) {
		unsigned int cmd = mnl_attr_get_type(op);

		if (cmd >= TYPES_MAX || mnl_attr_get_u32(attr) >= POLICIES_MAX)
			return -1;
		all->of_op[cmd][mnl_attr_get_type(attr) == CTRL_ATTR_POLICY_DUMP] =
			mnl_attr_get_u32(attr) + 1;
		all->n_ops++;
	}
	return 0;
}

static int take_rule(const struct nlattr *policy, struct policies *all)
{
	const struct nlattr *rule = mnl_attr_get_payload(policy), *attr;
	unsigned int i = mnl_attr_get_type(policy), type = mnl_attr_get_type(rule);

	if (i >= POLICIES_MAX || type >= TYPES_MAX)
		return -1;
	mnl_attr_for_each_nested(attr, rule) {
		switch (mnl_attr_get_type(attr)) {
		case NL_POLICY_TYPE_ATTR_TYPE:
			all->rule[i][type].kind = mnl_attr_get_u32(attr);
			break;
		case NL_POLICY_TYPE_ATTR_MAX_LENGTH:
			all->rule[i][type].max = mnl_attr_get_u32(attr);
			break;
		case NL_POLICY_TYPE_ATTR_MAX_VALUE_U:
			all->rule[i][type].max = mnl_attr_get_u64(attr);
			break;
		case NL_POLICY_TYPE_ATTR_POLICY_IDX:
			all->nested[i][type] = mnl_attr_get_u32(attr);
			break;
		}
	}
	return 0;
}

static int policy_cb(const struct nlmsghdr *nlh, void *all)
{
	const struct nlattr *attr, *nest;
	int rc = 0;

	mnl_attr_for_each(attr, nlh, sizeof(struct genlmsghdr)) {
		int type = mnl_attr_get_type(attr);

		if (type != CTRL_ATTR_OP_POLICY && type != CTRL_ATTR_POLICY)
			continue;
		mnl_attr_for_each_nested(nest, attr)
			rc |= type == CTRL_ATTR_POLICY ? take_rule(nest, all) : take_op(nest, all);
	}
	return rc;
}

static int get_policies(struct nl *nl, struct policies *all)
{
	__u16 family = nl->family;
	struct nlmsghdr *nlh;
	int rc;

	nl->family = GENL_ID_CTRL;
	nlh = nl_begin(nl, CTRL_CMD_GETPOLICY, NLM_F_DUMP);
	mnl_attr_put_u16(nlh, CTRL_ATTR_FAMILY_ID, family);
	rc = nl_call(nl, nlh, policy_cb, all);
	nl->family = family;
	return rc;
}

TEST_F(policy, is_the_specification)
{
	static const struct rule none;
	static struct policies all;
	unsigned int i, type, k;

	ASSERT_EQ(0, get_policies(&self->nl, &all));
	EXPECT_EQ(ARRAY_SIZE(ops), all.n_ops);
	for (i = 0; i < ARRAY_SIZE(ops); i++) {
		k = all.of_op[ops[i].cmd][ops[i].dump];
		ASSERT_NE(0, k--);
		for (type = 0; type < TYPES_MAX; type++) {
			const struct rule *want = takes(&ops[i], type) ? &top_rules[type] : &none;

			EXPECT_EQ(want->kind, all.rule[k][type].kind) {
				TH_LOG("operation %d, attribute %u", ops[i].cmd, type);
			}
			EXPECT_EQ(want->max, all.rule[k][type].max) {
				TH_LOG("operation %d, attribute %u", ops[i].cmd, type);
			}
			if (want->kind == NL_ATTR_TYPE_NESTED)
				EXPECT_EQ(0, memcmp(param_rules, all.rule[all.nested[k][type]],
						    sizeof(param_rules)));
		}
	}
}

TEST_HARNESS_MAIN
