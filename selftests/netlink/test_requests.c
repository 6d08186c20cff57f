// SPDX-License-Identifier: GPL-2.0
/*
 * Requests that are not well formed change nothing.
 */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
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
	if (no_module())
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

#define EXPECT_NO_CHANGE() \
	EXPECT_TRUE(same_desc(&self->nl, &self->before, &self->after))

static struct nlmsghdr *begin_set(struct nl *nl)
{
	struct nlmsghdr *nlh = nl_begin(nl, RTK_CMD_SET, NLM_F_ACK);

	mnl_attr_put_strz(nlh, RTK_A_TEST, TEST_NAME);
	/* A good one, so that something would change. */
	nl_put_param(nlh, "duration_ms", "1000");
	return nlh;
}

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

/* What came back of a request: each message is one of these. */
struct answers {
	unsigned int errors;
	unsigned int others;
};

static int answer_cb(const struct nlmsghdr *nlh, void *data)
{
	const struct nlmsgerr *err = mnl_nlmsg_get_payload(nlh);
	struct answers *a = data;

	if (nlh->nlmsg_type == NLMSG_ERROR && err->error)
		a->errors++;
	else
		a->others++;
	return 0;
}

/* The test comes last: without all of it nothing can be done. */
static struct nlmsghdr *begin_cut(struct nl *nl, int cmd)
{
	bool dump = cmd == RTK_CMD_HIST_GET;
	struct nlmsghdr *nlh = nl_begin(nl, cmd, NLM_F_ACK | (dump ? NLM_F_DUMP : 0));

	if (dump) {
		mnl_attr_put_u32(nlh, RTK_A_CPU, 0);
		mnl_attr_put_strz(nlh, RTK_A_SERIES, "irq");
	} else {
		nl_put_param(nlh, "duration_ms", "1000");
	}
	mnl_attr_put_strz(nlh, RTK_A_TEST, TEST_NAME);
	return nlh;
}

/*
 * So many bytes of a request whose header tells another length: false if there
 * are other answers than so many errors.
 */
static bool only_errors(struct nl *nl, struct nlmsghdr *nlh, size_t bytes, __u32 length,
			unsigned int errors)
{
	struct answers a = {};
	int rc;

	nlh->nlmsg_len = length;
	rc = send(mnl_socket_get_fd(nl->sock), nlh, bytes, 0);
	/* Nothing is no message. */
	if (rc != (bytes ? (int)bytes : -1) || nl_drain(nl, answer_cb, &a))
		return false;
	if (a.errors == errors && !a.others)
		return true;
	fprintf(stderr, "# %zu bytes, length %u: %u errors, %u other answers\n",
		bytes, length, a.errors, a.others);
	return false;
}

TEST_F(requests, lengths_of_messages)
{
	static const int cmds[] = { RTK_CMD_SET, RTK_CMD_START, RTK_CMD_HIST_GET };
	struct nl *nl = &self->nl;
	struct nlmsghdr *nlh;
	unsigned int i, n, full;

	for (i = 0; i < ARRAY_SIZE(cmds); i++) {
		full = begin_cut(nl, cmds[i])->nlmsg_len;
		for (n = 0; n < full; n++) {
			/* The socket drops what has no whole header. */
			unsigned int errors = n < MNL_NLMSG_HDRLEN ? 0 : 1;

			nlh = begin_cut(nl, cmds[i]);
			EXPECT_TRUE(only_errors(nl, nlh, n, n, errors));
			nlh = begin_cut(nl, cmds[i]);
			EXPECT_TRUE(only_errors(nl, nlh, full, n, errors));
			nlh = begin_cut(nl, cmds[i]);
			EXPECT_TRUE(only_errors(nl, nlh, n, full, 0));
			nlh = begin_cut(nl, cmds[i]);
			EXPECT_TRUE(only_errors(nl, nlh, full, full + n + 1, 0));
			EXPECT_NO_CHANGE();
		}
		nlh = begin_cut(nl, cmds[i]);
		EXPECT_TRUE(only_errors(nl, nlh, full, UINT_MAX, 0));
		EXPECT_NO_CHANGE();
		/* In full it is served. */
		EXPECT_EQ(0, nl_call(nl, begin_cut(nl, cmds[i]), NULL, NULL));
		ASSERT_EQ(0, clean_slate(nl));
		ASSERT_EQ(0, get_desc(nl, &self->before));
	}
}

TEST_HARNESS_MAIN
