// SPDX-License-Identifier: GPL-2.0
/* Ends, errors and parts of an answer, right, cut and wrong, without a kernel. */
#include <errno.h>

#include "dgram.h"

static int counted(const struct nlmsghdr *nlh, void *arg)
{
	(void)nlh;
	++*(int *)arg;
	return 0;
}

static void test_ack(void)
{
	struct rtk_nl_reply r = reply(false, NULL, NULL);
	struct nlmsgerr e = { 0 };
	struct dgram d = { 0 };

	begin(&d, NLMSG_ERROR, NLM_F_CAPPED);
	raw(&d, &e, sizeof(e));
	end(&d);
	ok(!rtk_nl_reply_feed(&r, d.buf, d.len) && r.done && !r.error,
	   "an acknowledgment ends a request");
}

static void test_errors(void)
{
	int flags[] = { NLM_F_CAPPED, 0 };
	struct rtk_nl_reply r;
	struct dgram d;
	size_t i;

	for (i = 0; i < RTK_ARRAY_SIZE(flags); i++) {
		memset(&d, 0, sizeof(d));
		r = reply(false, NULL, NULL);
		put_error(&d, flags[i], -EINVAL, "period_ns: too small");
		ok(!rtk_nl_reply_feed(&r, d.buf, d.len) && r.done &&
		   r.error == -EINVAL && r.offset == 28 &&
		   !strcmp(r.text, "period_ns: too small"),
		   "an error with its text, request %s",
		   flags[i] ? "left out" : "included");
	}
	memset(&d, 0, sizeof(d));
	r = reply(false, NULL, NULL);
	begin(&d, NLMSG_ERROR, 0);
	raw(&d, "\0\0\0\0", 4);
	end(&d);
	ok_num(rtk_nl_reply_feed(&r, d.buf, d.len), -EBADMSG,
	       "an error that is too short");
	memset(&d, 0, sizeof(d));
	r = reply(false, NULL, NULL);
	put_error(&d, NLM_F_CAPPED, 5, "");
	ok_num(rtk_nl_reply_feed(&r, d.buf, d.len), -EBADMSG,
	       "a positive error number");
}

static void test_dump_end(void)
{
	struct rtk_nl_reply r;
	struct dgram d = { 0 };
	int n = 0;

	r = reply(true, counted, &n);
	genl(&d, NLM_F_MULTI);
	end(&d);
	genl(&d, NLM_F_MULTI);
	end(&d);
	ok(!rtk_nl_reply_feed(&r, d.buf, d.len) && n == 2 && !r.done,
	   "two messages in a datagram, and no end yet");
	memset(&d, 0, sizeof(d));
	done(&d, 0, 0);
	ok(!rtk_nl_reply_feed(&r, d.buf, d.len) && r.done && !r.error &&
	   !r.interrupted, "NLMSG_DONE ends the dump");

	memset(&d, 0, sizeof(d));
	r = reply(true, counted, &n);
	done(&d, 0, -ENODEV);
	ok(!rtk_nl_reply_feed(&r, d.buf, d.len) && r.error == -ENODEV,
	   "an error in NLMSG_DONE is one");

	memset(&d, 0, sizeof(d));
	r = reply(true, counted, &n);
	done(&d, NLM_F_DUMP_INTR, 0);
	ok(!rtk_nl_reply_feed(&r, d.buf, d.len) && r.interrupted,
	   "an interrupted dump is noticed, also at its end");

	memset(&d, 0, sizeof(d));
	r = reply(true, counted, &n);
	genl(&d, NLM_F_MULTI | NLM_F_DUMP_INTR);
	end(&d);
	ok(!rtk_nl_reply_feed(&r, d.buf, d.len) && r.interrupted,
	   "an interrupted dump is noticed in its middle");

	memset(&d, 0, sizeof(d));
	r = reply(true, counted, &n);
	genl(&d, 0);
	end(&d);
	ok_num(rtk_nl_reply_feed(&r, d.buf, d.len), -EBADMSG,
	       "a dump without MULTI is refused");

	memset(&d, 0, sizeof(d));
	r = reply(true, counted, &n);
	begin(&d, NLMSG_OVERRUN, 0);
	end(&d);
	ok_num(rtk_nl_reply_feed(&r, d.buf, d.len), -ENOBUFS,
	       "lost messages are an error");
}

static void test_foreign(void)
{
	struct rtk_nl_reply r;
	struct dgram d = { 0 };
	int n = 0;

	r = reply(false, counted, &n);
	genl(&d, 0);
	head(&d)->nlmsg_seq = SEQ - 1;
	end(&d);
	genl(&d, 0);
	head(&d)->nlmsg_pid = PORT + 1;
	end(&d);
	begin(&d, NLMSG_NOOP, 0);
	end(&d);
	ok(!rtk_nl_reply_feed(&r, d.buf, d.len) && !n,
	   "answers to others and to earlier requests are skipped");
	genl(&d, 0);
	end(&d);
	ok_num(rtk_nl_reply_feed(&r, d.buf, d.len - 2), -EBADMSG,
	       "a message that is cut is refused");
	head(&d)->nlmsg_len = 3;
	ok_num(rtk_nl_reply_feed(&r, d.buf, d.len), -EBADMSG,
	       "a message shorter than its head is refused");
	memset(&d, 0, sizeof(d));
	begin(&d, 7, 0);
	end(&d);
	ok_num(rtk_nl_reply_feed(&r, d.buf, d.len), -EBADMSG,
	       "an unknown control message is refused");
}

int main(void)
{
	tap_begin();
	test_ack();
	test_errors();
	test_dump_end();
	test_foreign();
	return tap_end();
}
