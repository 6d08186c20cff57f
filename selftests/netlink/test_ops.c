// SPDX-License-Identifier: GPL-2.0
/*
 * Every operation of the family rtk, with right and wrong requests.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "nl.h"
#include "kselftest_harness.h"

/* Parameters that this version must have, whatever else there may be. */
static const char * const expected_params[] = {
	"cpus", "duration_ms", "warmup_ms", "policy", "priority",
	"dma_latency_us", "threshold_ns", "threshold_series",
	"stop_on_threshold", "stop_tracing", "outlier_slots", "verbosity", "share",
	"period_ns", "align", "offset_ns", "thread", "user",
};

static const int do_ops[] = {
	RTK_CMD_TEST_GET, RTK_CMD_SET, RTK_CMD_START, RTK_CMD_STOP, RTK_CMD_RESET,
};

static const int lane_dumps[] = {
	RTK_CMD_STATS_GET, RTK_CMD_HIST_GET, RTK_CMD_OUTLIER_GET,
};

FIXTURE(ops) {
	struct nl nl;
	struct info info;
	struct desc desc;
};

FIXTURE_SETUP(ops)
{
	if (no_module())
		SKIP(return, "not root, or module rtk is not loaded");
	ASSERT_EQ(0, nl_open(&self->nl));
	ASSERT_EQ(0, clean_slate(&self->nl));
}

FIXTURE_TEARDOWN(ops)
{
	clean_slate(&self->nl);
	nl_close(&self->nl);
}

static const char *value_of(struct nl *nl, struct desc *desc, const char *name)
{
	const struct param *p;

	if (get_desc(nl, desc))
		return "cannot be read";
	p = find_param(desc, name);
	return p ? p->value : "does not exist";
}

TEST_F(ops, test_get_do)
{
	struct info *i = &self->info;

	ASSERT_EQ(0, get_info(&self->nl, i));
	EXPECT_STREQ(TEST_NAME, i->test);
	EXPECT_NE(0, i->version[0]);
	EXPECT_NE(0, i->summary[0]);
	EXPECT_EQ(RTK_FEATURE_OUTLIERS, i->features & RTK_FEATURE_OUTLIERS);
	EXPECT_EQ(RTK_FEATURE_EVENTS, i->features & RTK_FEATURE_EVENTS);
	EXPECT_EQ(RTK_FEATURE_OWNED_RUNS, i->features & RTK_FEATURE_OWNED_RUNS);
	EXPECT_EQ(RTK_STATE_IDLE, i->state);
	EXPECT_STREQ("", i->reason);
	EXPECT_STREQ("", i->last_error);
	EXPECT_FALSE(i->has_run);
	ASSERT_GE(i->n_series, 2);
	EXPECT_STREQ("irq", i->series[0]);
	EXPECT_STREQ("thread", i->series[1]);
	EXPECT_STREQ("ns", i->series_unit[0]);
	EXPECT_STREQ("ns", i->series_unit[1]);
	EXPECT_TRUE(i->series_ledger[0] && i->series_ledger[1]);
}

TEST_F(ops, test_get_dump)
{
	struct desc *d = &self->desc;
	unsigned int i;

	ASSERT_EQ(0, get_desc(&self->nl, d));
	EXPECT_EQ(1, d->n_infos);
	EXPECT_FALSE(self->nl.intr);
	EXPECT_LE(self->nl.largest, NL_MESSAGE_MAX);
	for (i = 0; i < ARRAY_SIZE(expected_params); i++) {
		EXPECT_NE(NULL, find_param(d, expected_params[i])) {
			TH_LOG("no parameter %s", expected_params[i]);
		}
	}
	for (i = 0; i < d->n_params; i++) {
		const struct param *p = &d->param[i];
		bool number = p->type == RTK_PARAM_TYPE_U64 || p->type == RTK_PARAM_TYPE_S64;

		EXPECT_TRUE(find_param(d, p->name) == p);
		EXPECT_NE(0, p->help[0]);
		EXPECT_EQ(number, p->has_range);
		EXPECT_EQ(p->type == RTK_PARAM_TYPE_ENUM, !!p->choices[0]);
		EXPECT_FALSE(p->has_run_value);
		EXPECT_STREQ(p->def, p->value);
		if (number) {
			EXPECT_LE(p->min, p->max);
			EXPECT_LE(p->min, atoll(p->def));
			EXPECT_GE(p->max, atoll(p->def));
		}
	}
	/* Of all tests: the same, and maybe others. */
	memset(d, 0, sizeof(*d));
	ASSERT_EQ(0, nl_call(&self->nl, nl_dump(&self->nl, RTK_CMD_TEST_GET, NULL, -1, NULL),
			     desc_cb, d));
	EXPECT_EQ(1, d->n_infos);
	EXPECT_GE(d->n_params, ARRAY_SIZE(expected_params));
}

/* Both surfaces show the same: defaults, and values set on either. */
TEST_F(ops, same_as_debugfs)
{
	static const char * const pairs[] = {
		"cpus", "0", "duration_ms", "1234", "policy", "rr", "align", "1",
		"offset_ns", "77", "threshold_series", "irq", "dma_latency_us", "-1", NULL,
	};
	struct desc *d = &self->desc;
	unsigned int i, pass;
	char text[2048];

	for (pass = 0; pass < 2; pass++) {
		ASSERT_EQ(0, get_desc(&self->nl, d));
		for (i = 0; i < d->n_params; i++) {
			ASSERT_EQ(0, read_debugfs(d->param[i].name, text, sizeof(text)));
			EXPECT_STREQ(text, d->param[i].value) {
				TH_LOG("parameter %s", d->param[i].name);
			}
		}
		ASSERT_EQ(0, nl_command(&self->nl, RTK_CMD_SET, false, pairs));
	}
	for (i = 0; pairs[i]; i += 2) {
		const char *value = value_of(&self->nl, d, pairs[i]);

		EXPECT_STREQ(pairs[i + 1], value);
	}
}

static int set_one(struct nl *nl, const char *name, const char *value)
{
	const char * const pairs[] = { name, value, NULL };

	return nl_command(nl, RTK_CMD_SET, false, pairs);
}

TEST_F(ops, set_numbers_to_their_limits)
{
	struct desc *d = &self->desc;
	unsigned int i;
	char text[32];

	ASSERT_EQ(0, get_desc(&self->nl, d));
	/* offset_ns has no meaning without it. */
	ASSERT_EQ(0, set_one(&self->nl, "align", "1"));
	for (i = 0; i < d->n_params; i++) {
		struct param p = d->param[i];

		if (!p.has_range)
			continue;
		snprintf(text, sizeof(text), "%lld", p.min);
		EXPECT_EQ(0, set_one(&self->nl, p.name, text));
		EXPECT_STREQ(text, value_of(&self->nl, d, p.name));
		snprintf(text, sizeof(text), "%lld", p.max);
		EXPECT_EQ(0, set_one(&self->nl, p.name, text));
		EXPECT_STREQ(text, value_of(&self->nl, d, p.name));
		snprintf(text, sizeof(text), "%lld", p.min - 1);
		EXPECT_EQ(-EINVAL, set_one(&self->nl, p.name, text));
		snprintf(text, sizeof(text), "%llu", (__u64)p.max + 1);
		EXPECT_EQ(-EINVAL, set_one(&self->nl, p.name, text));
		snprintf(text, sizeof(text), "%lld", p.max);
		EXPECT_STREQ(text, value_of(&self->nl, d, p.name));
	}
}

static const char * const three[] = { "period_ns", "duration_ms", "thread" };

/* A request with one bad value among good ones; returns its attribute. */
static const struct nlattr *put_three(struct nlmsghdr *nlh, unsigned int bad)
{
	static const char * const good[] = { "400000", "1000", "0" };
	const struct nlattr *attr = NULL;
	unsigned int i;

	mnl_attr_put_strz(nlh, RTK_A_TEST, TEST_NAME);
	for (i = 0; i < ARRAY_SIZE(three); i++) {
		if (i == bad)
			attr = mnl_nlmsg_get_payload_tail(nlh);
		nl_put_param(nlh, three[i], i == bad ? "1x" : good[i]);
	}
	return attr;
}

TEST_F(ops, set_all_or_nothing)
{
	struct nl *nl = &self->nl;
	struct desc *d = &self->desc;
	const struct nlattr *attr;
	struct nlmsghdr *nlh;
	unsigned int k;

	/* The bad one at each place, for both operations that take values. */
	for (k = 0; k < 2 * ARRAY_SIZE(three); k++) {
		nlh = nl_begin(nl, k % 2 ? RTK_CMD_SET : RTK_CMD_START, NLM_F_ACK);
		attr = put_three(nlh, k / 2);
		EXPECT_EQ(-EINVAL, nl_call(nl, nlh, NULL, NULL));
		EXPECT_EQ((const char *)attr - nl->req, nl->offset);
		EXPECT_NE(0, nl->text[0]);
		EXPECT_STREQ("250000", value_of(nl, d, "period_ns"));
		EXPECT_STREQ("0", value_of(nl, d, "duration_ms"));
		EXPECT_STREQ("1", value_of(nl, d, "thread"));
		EXPECT_EQ(RTK_STATE_IDLE, d->info.state);
		EXPECT_EQ(0, strncmp(d->info.last_error, three[k / 2], strlen(three[k / 2])));
	}
	/* A good one clears the error. */
	nlh = nl_begin(nl, RTK_CMD_SET, NLM_F_ACK);
	put_three(nlh, -1);
	EXPECT_EQ(0, nl_call(nl, nlh, NULL, NULL));
	EXPECT_STREQ("400000", value_of(nl, d, "period_ns"));
	EXPECT_STREQ("1000", value_of(nl, d, "duration_ms"));
	EXPECT_STREQ("0", value_of(nl, d, "thread"));
	EXPECT_STREQ("", d->info.last_error);
}

TEST_F(ops, set_relations)
{
	static const char * const both[] = { "offset_ns", "5", "align", "1", NULL };
	static const char * const none[] = { "align", "0", "offset_ns", "0", NULL };

	/* Each alone does not fit, both together do, in either order. */
	EXPECT_EQ(-EINVAL, set_one(&self->nl, "offset_ns", "5"));
	EXPECT_EQ(0, nl_command(&self->nl, RTK_CMD_SET, false, both));
	EXPECT_EQ(-EINVAL, set_one(&self->nl, "align", "0"));
	EXPECT_STREQ("1", value_of(&self->nl, &self->desc, "align"));
	EXPECT_EQ(0, nl_command(&self->nl, RTK_CMD_SET, false, none));
	EXPECT_EQ(0, set_one(&self->nl, "threshold_series", "thread"));
	EXPECT_EQ(-EINVAL, set_one(&self->nl, "thread", "0"));
	EXPECT_EQ(-EINVAL, set_one(&self->nl, "threshold_series", "nonsense"));
	EXPECT_STREQ("thread", value_of(&self->nl, &self->desc, "threshold_series"));
}

TEST_F(ops, set_nothing)
{
	EXPECT_EQ(0, nl_command(&self->nl, RTK_CMD_SET, false, NULL));
}

TEST_F(ops, duplicates)
{
	static const char * const same[] = {
		"period_ns", "300000", "thread", "0", "period_ns", "300000", NULL,
	};
	struct nl *nl = &self->nl;

	EXPECT_EQ(-EINVAL, nl_command(nl, RTK_CMD_SET, false, same));
	EXPECT_EQ(-EINVAL, nl_command(nl, RTK_CMD_START, false, same));
	EXPECT_STREQ("250000", value_of(nl, &self->desc, "period_ns"));
	EXPECT_STREQ("1", value_of(nl, &self->desc, "thread"));
	EXPECT_NE(NULL, strstr(self->desc.info.last_error, "period_ns"));
	EXPECT_EQ(RTK_STATE_IDLE, self->desc.info.state);
}

TEST_F(ops, too_many_params)
{
	struct nlmsghdr *nlh = nl_begin(&self->nl, RTK_CMD_SET, NLM_F_ACK);
	unsigned int i;

	mnl_attr_put_strz(nlh, RTK_A_TEST, TEST_NAME);
	for (i = 0; i < 200; i++)
		nl_put_param(nlh, i ? "thread" : "period_ns", i ? "0" : "300000");
	EXPECT_NE(0, nl_call(&self->nl, nlh, NULL, NULL));
	EXPECT_STREQ("250000", value_of(&self->nl, &self->desc, "period_ns"));
}

TEST_F(ops, unknown_test)
{
	struct nl *nl = &self->nl;
	struct nlmsghdr *nlh;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(do_ops); i++) {
		nlh = nl_begin(nl, do_ops[i], NLM_F_ACK);
		mnl_attr_put_strz(nlh, RTK_A_TEST, "nonsense");
		EXPECT_EQ(-ENOENT, nl_call(nl, nlh, NULL, NULL));
		EXPECT_EQ(MNL_NLMSG_HDRLEN + GENL_HDRLEN, nl->offset);
	}
	nlh = nl_dump(nl, RTK_CMD_TEST_GET, "nonsense", -1, NULL);
	EXPECT_EQ(-ENOENT, nl_call(nl, nlh, NULL, NULL));
	for (i = 0; i < ARRAY_SIZE(lane_dumps); i++) {
		nlh = nl_dump(nl, lane_dumps[i], "nonsense", -1, NULL);
		EXPECT_EQ(-ENOENT, nl_call(nl, nlh, NULL, NULL));
		/* 6.1 passes no extended ack to what begins a dump. */
		EXPECT_TRUE(!nl->offset || nl->offset == MNL_NLMSG_HDRLEN + GENL_HDRLEN);
	}
}

TEST_F(ops, no_test)
{
	struct nl *nl = &self->nl;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(do_ops); i++) {
		EXPECT_EQ(-EINVAL, nl_call(nl, nl_begin(nl, do_ops[i], NLM_F_ACK), NULL, NULL));
		EXPECT_NE(0, nl->text[0]);
	}
	for (i = 0; i < ARRAY_SIZE(lane_dumps); i++) {
		int rc = nl_call(nl, nl_dump(nl, lane_dumps[i], NULL, -1, NULL), NULL, NULL);

		EXPECT_EQ(-EINVAL, rc);
	}
}

TEST_F(ops, no_such_operation)
{
	struct nl *nl = &self->nl;

	EXPECT_EQ(-EOPNOTSUPP, nl_call(nl, nl_begin(nl, RTK_CMD_MAX + 1, NLM_F_ACK), NULL, NULL));
	EXPECT_EQ(-EOPNOTSUPP, nl_call(nl, nl_begin(nl, 0, NLM_F_ACK), NULL, NULL));
	/* Dumps only, and do only. */
	EXPECT_EQ(-EOPNOTSUPP, nl_call(nl, nl_begin(nl, RTK_CMD_STATS_GET, NLM_F_ACK),
				       NULL, NULL));
	EXPECT_EQ(-EOPNOTSUPP, nl_call(nl, nl_dump(nl, RTK_CMD_STOP, TEST_NAME, -1, NULL),
				       NULL, NULL));
}

TEST_HARNESS_MAIN
