// SPDX-License-Identifier: GPL-2.0
/*
 * Requests that are not well formed change nothing.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "nl.h"
#include "kselftest_harness.h"

FIXTURE(requests) {
	struct nl nl;
	struct desc before;
	struct desc after;
};

FIXTURE_SETUP(requests)
{
	struct stat st;

	if (getuid() || stat("/sys/module/rtk", &st))
		SKIP(return, "not root, or module rtk is not loaded");
	ASSERT_EQ(0, nl_open(&self->nl));
	ASSERT_EQ(0, clean_slate(&self->nl));
	ASSERT_EQ(0, get_desc(&self->nl, &self->before));
}

FIXTURE_TEARDOWN(requests)
{
	clean_slate(&self->nl);
	nl_close(&self->nl);
}

/* The parameters are as they were, and no run was started. */
static bool same_as_now(struct nl *nl, const struct desc *before, struct desc *now)
{
	unsigned int i;

	if (get_desc(nl, now) || now->n_params != before->n_params ||
	    now->info.generation != before->info.generation)
		return false;
	for (i = 0; i < before->n_params; i++)
		if (strcmp(before->param[i].value, now->param[i].value))
			return false;
	return true;
}

#define EXPECT_NO_CHANGE() \
	EXPECT_TRUE(same_as_now(&self->nl, &self->before, &self->after))

static struct nlmsghdr *begin_set(struct nl *nl)
{
	struct nlmsghdr *nlh = nl_begin(nl, RTK_CMD_SET, NLM_F_ACK);

	mnl_attr_put_strz(nlh, RTK_A_TEST, TEST_NAME);
	/* A good one, so that something would change. */
	nl_put_param(nlh, "duration_ms", "1000");
	return nlh;
}

/* A parameter nest of one or two attributes of any kind. */
static void put_nest(struct nlmsghdr *nlh, int type1, const void *data1, size_t size1,
		     int type2, const void *data2, size_t size2)
{
	struct nlattr *nest = mnl_attr_nest_start(nlh, RTK_A_PARAM);

	mnl_attr_put(nlh, type1, size1, data1);
	if (type2)
		mnl_attr_put(nlh, type2, size2, data2);
	mnl_attr_nest_end(nlh, nest);
}

#define NAME RTK_A_PARAM_NAME
#define VALUE RTK_A_PARAM_VALUE

TEST_F(requests, parameter_unknown)
{
	struct nlmsghdr *nlh = begin_set(&self->nl);
	const char *at = mnl_nlmsg_get_payload_tail(nlh);

	nl_put_param(nlh, "nonsense", "1");
	EXPECT_EQ(-ENOENT, nl_call(&self->nl, nlh, NULL, NULL));
	EXPECT_EQ(at - self->nl.req, self->nl.offset);
	EXPECT_NO_CHANGE();
	EXPECT_NE(NULL, strstr(self->after.info.last_error, "nonsense"));
}

TEST_F(requests, parameter_incomplete)
{
	static const struct {
		const char *what;
		int type1;
		const char *data1;
		size_t size1;
		int type2;
		const char *data2;
		size_t size2;
	} bad[] = {
		{ "no value", NAME, "thread", 7, 0, NULL, 0 },
		{ "no name", VALUE, "0", 2, 0, NULL, 0 },
		{ "name without its zero", NAME, "thread", 6, VALUE, "0", 2 },
		{ "value without its zero", NAME, "thread", 7, VALUE, "0", 1 },
		{ "name of no bytes", NAME, "", 0, VALUE, "0", 2 },
		{ "value of no bytes", NAME, "thread", 7, VALUE, "", 0 },
		{ "type", RTK_A_PARAM_TYPE, "\0\0\0\0", 4, NAME, "thread", 7 },
		{ "help", RTK_A_PARAM_HELP, "x", 2, NAME, "thread", 7 },
		{ "unknown attribute", 99, "x", 2, NAME, "thread", 7 },
		{ "empty name", NAME, "", 1, VALUE, "0", 2 },
	};
	struct nlmsghdr *nlh;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		nlh = begin_set(&self->nl);
		put_nest(nlh, bad[i].type1, bad[i].data1, bad[i].size1,
			 bad[i].type2, bad[i].data2, bad[i].size2);
		EXPECT_GT(0, nl_call(&self->nl, nlh, NULL, NULL)) {
			TH_LOG("%s", bad[i].what);
		}
		EXPECT_NO_CHANGE() {
			TH_LOG("%s", bad[i].what);
		}
	}
}

/* Name and value are there, and something that only answers have is, too. */
TEST_F(requests, parameter_with_more)
{
	struct nlmsghdr *nlh = begin_set(&self->nl);
	struct nlattr *nest = mnl_attr_nest_start(nlh, RTK_A_PARAM);

	mnl_attr_put_strz(nlh, NAME, "thread");
	mnl_attr_put_strz(nlh, VALUE, "0");
	mnl_attr_put_strz(nlh, RTK_A_PARAM_DEFAULT, "0");
	mnl_attr_nest_end(nlh, nest);
	EXPECT_EQ(-EINVAL, nl_call(&self->nl, nlh, NULL, NULL));
	EXPECT_NO_CHANGE();
}

TEST_F(requests, parameter_not_nested)
{
	struct nlmsghdr *nlh = begin_set(&self->nl);

	mnl_attr_put_strz(nlh, RTK_A_PARAM, "thread=0");
	EXPECT_EQ(-EINVAL, nl_call(&self->nl, nlh, NULL, NULL));
	EXPECT_NO_CHANGE();
}

/* Text after the terminator is no part of a value that may be dropped. */
TEST_F(requests, parameter_with_a_zero_inside)
{
	struct nlmsghdr *nlh = begin_set(&self->nl);

	put_nest(nlh, NAME, "period_ns", 10, VALUE, "300000\0junk", 12);
	EXPECT_EQ(-EINVAL, nl_call(&self->nl, nlh, NULL, NULL));
	EXPECT_NO_CHANGE();
}

TEST_F(requests, lengths_of_names_and_values)
{
	char text[RTK_PARAM_VALUE_MAX + 2];
	struct nlmsghdr *nlh;

	memset(text, 'x', sizeof(text));
	text[RTK_TEST_NAME_MAX] = '\0';
	nlh = begin_set(&self->nl);
	nl_put_param(nlh, text, "1");
	EXPECT_EQ(-ENOENT, nl_call(&self->nl, nlh, NULL, NULL));

	text[RTK_TEST_NAME_MAX] = 'x';
	text[RTK_TEST_NAME_MAX + 1] = '\0';
	nlh = begin_set(&self->nl);
	nl_put_param(nlh, text, "1");
	EXPECT_EQ(-EINVAL, nl_call(&self->nl, nlh, NULL, NULL));

	/* The longest value that is allowed: refused for what it says. */
	memset(text, '0', sizeof(text));
	text[RTK_PARAM_VALUE_MAX - 1] = ',';
	text[RTK_PARAM_VALUE_MAX] = '\0';
	nlh = begin_set(&self->nl);
	nl_put_param(nlh, "period_ns", text);
	EXPECT_EQ(-EINVAL, nl_call(&self->nl, nlh, NULL, NULL));
	EXPECT_NO_CHANGE();
	EXPECT_EQ(0, strncmp(self->after.info.last_error, "period_ns", 9));

	text[RTK_PARAM_VALUE_MAX] = '0';
	text[RTK_PARAM_VALUE_MAX + 1] = '\0';
	nlh = begin_set(&self->nl);
	nl_put_param(nlh, "period_ns", text);
	EXPECT_EQ(-EINVAL, nl_call(&self->nl, nlh, NULL, NULL));
	EXPECT_NO_CHANGE();
}

TEST_F(requests, test_of_wrong_form)
{
	static const char long_name[] = "hrtimerhrtimerhrtimerhrtimerhrti";
	struct nl *nl = &self->nl;
	struct nlmsghdr *nlh;

	ASSERT_EQ(RTK_TEST_NAME_MAX + 1, strlen(long_name));
	nlh = nl_begin(nl, RTK_CMD_START, NLM_F_ACK);
	mnl_attr_put_strz(nlh, RTK_A_TEST, long_name);
	EXPECT_EQ(-EINVAL, nl_call(nl, nlh, NULL, NULL));
	nlh = nl_begin(nl, RTK_CMD_START, NLM_F_ACK);
	mnl_attr_put(nlh, RTK_A_TEST, strlen(TEST_NAME), TEST_NAME);
	EXPECT_EQ(-EINVAL, nl_call(nl, nlh, NULL, NULL));
	nlh = nl_begin(nl, RTK_CMD_START, NLM_F_ACK);
	mnl_attr_put(nlh, RTK_A_TEST, 0, NULL);
	EXPECT_EQ(-EINVAL, nl_call(nl, nlh, NULL, NULL));
	EXPECT_NO_CHANGE();
}

TEST_F(requests, attributes_of_other_operations)
{
	struct nl *nl = &self->nl;
	struct nlmsghdr *nlh;
	unsigned int type;

	for (type = 0; type <= RTK_A_MAX + 1; type++) {
		if (type == RTK_A_TEST || type == RTK_A_PARAM)
			continue;
		nlh = begin_set(nl);
		mnl_attr_put_u32(nlh, type, 0);
		EXPECT_GT(0, nl_call(nl, nlh, NULL, NULL)) {
			TH_LOG("attribute %u", type);
		}
		EXPECT_NO_CHANGE();
	}
	nlh = nl_begin(nl, RTK_CMD_RESET, NLM_F_ACK);
	mnl_attr_put_strz(nlh, RTK_A_TEST, TEST_NAME);
	nl_put_param(nlh, "thread", "0");
	EXPECT_GT(0, nl_call(nl, nlh, NULL, NULL));
	EXPECT_NO_CHANGE();
}

TEST_F(requests, detach_with_a_value)
{
	struct nlmsghdr *nlh = nl_begin(&self->nl, RTK_CMD_START, NLM_F_ACK);

	mnl_attr_put_strz(nlh, RTK_A_TEST, TEST_NAME);
	mnl_attr_put_u32(nlh, RTK_A_DETACH, 1);
	EXPECT_GT(0, nl_call(&self->nl, nlh, NULL, NULL));
	EXPECT_NO_CHANGE();
}

TEST_F(requests, filters_of_wrong_form)
{
	static const int cmds[] = { RTK_CMD_STATS_GET, RTK_CMD_HIST_GET, RTK_CMD_OUTLIER_GET };
	struct nl *nl = &self->nl;
	struct nlmsghdr *nlh;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(cmds); i++) {
		nlh = nl_dump(nl, cmds[i], TEST_NAME, -1, NULL);
		mnl_attr_put_u16(nlh, RTK_A_CPU, 0);
		EXPECT_EQ(-EINVAL, nl_call(nl, nlh, NULL, NULL));
		nlh = nl_dump(nl, cmds[i], TEST_NAME, -1, NULL);
		mnl_attr_put_u64(nlh, RTK_A_CPU, 0);
		EXPECT_EQ(-EINVAL, nl_call(nl, nlh, NULL, NULL));
		nlh = nl_dump(nl, cmds[i], TEST_NAME, -1, NULL);
		mnl_attr_put(nlh, RTK_A_SERIES, 3, "irq");
		EXPECT_EQ(-EINVAL, nl_call(nl, nlh, NULL, NULL));
		nlh = nl_dump(nl, cmds[i], TEST_NAME, -1, NULL);
		mnl_attr_put_u32(nlh, 99, 0);
		EXPECT_EQ(-EINVAL, nl_call(nl, nlh, NULL, NULL));
	}
}

TEST_F(requests, header_with_reserved_bits)
{
	struct nlmsghdr *nlh = begin_set(&self->nl);
	struct genlmsghdr *genl = mnl_nlmsg_get_payload(nlh);

	genl->reserved = 1;
	EXPECT_EQ(-EINVAL, nl_call(&self->nl, nlh, NULL, NULL));
	EXPECT_NO_CHANGE();
}

/* A nest that claims to be longer or shorter than it is: all of it or none. */
TEST_F(requests, lengths_that_lie)
{
	struct nl *nl = &self->nl;
	struct nlmsghdr *nlh;
	struct nlattr *attr;
	const char *value;
	int d;

	for (d = -12; d <= 12; d++) {
		nlh = nl_begin(nl, RTK_CMD_SET, NLM_F_ACK);
		mnl_attr_put_strz(nlh, RTK_A_TEST, TEST_NAME);
		attr = mnl_nlmsg_get_payload_tail(nlh);
		nl_put_param(nlh, "duration_ms", "1000");
		attr->nla_len += d;
		/* Its end is padding, so that a little less may be enough. */
		value = nl_call(nl, nlh, NULL, NULL) ? "0" : "1000";
		ASSERT_EQ(0, get_desc(nl, &self->after));
		EXPECT_STREQ(value, find_param(&self->after, "duration_ms")->value);
		EXPECT_TRUE(d <= 0 || value[0] == '0');
		ASSERT_EQ(0, clean_slate(nl));
	}
}

TEST_HARNESS_MAIN
