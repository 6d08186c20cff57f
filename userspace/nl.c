// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <linux/genetlink.h>
#include <netlink/genl/genl.h>
#include <netlink/msg.h>
#include <netlink/netlink.h>

#include "nl.h"
#include "nl_msg.h"
#include "util.h"

/* No message of the family is larger than 3.5 KiB. */
#define RECV_SIZE 4096
/* From request to answer, and from one part of a dump to the next. */
#define ANSWER_NS (10 * 1000000000LL)
/* start and stop answer when every worker is in place or gone. */
#define WORKERS_NS (20 * 1000000000LL)
#define DUMP_TRIES 5

struct rtk_nl {
	struct nl_sock *sk;
	__u16 family;
	char error[512];
};

const char *rtk_nl_error(const struct rtk_nl *nl)
{
	return nl->error;
}

static int enable(int fd, int option)
{
	int one = 1;

	return setsockopt(fd, SOL_NETLINK, option, &one, sizeof(one)) ? -errno :
									0;
}

/* One datagram into buf; 0 where it is not from the kernel. */
static ssize_t receive(int fd, void *buf, __s64 deadline)
{
	struct sockaddr_nl from = { 0 };
	struct iovec iov = { .iov_base = buf, .iov_len = RECV_SIZE };
	struct msghdr hdr = {
		.msg_name = &from,
		.msg_namelen = sizeof(from),
		.msg_iov = &iov,
		.msg_iovlen = 1,
	};
	struct pollfd pfd = { .fd = fd, .events = POLLIN };
	ssize_t len;
	__s64 left;
	int n;

	do {
		left = deadline - rtk_mono_ns();
		if (left <= 0)
			return -ETIME;
		n = poll(&pfd, 1, (int)(left / 1000000) + 1);
	} while (!n || (n < 0 && errno == EINTR));
	if (n < 0)
		return -errno;
	do {
		len = recvmsg(fd, &hdr, MSG_DONTWAIT);
	} while (len < 0 && errno == EINTR);
	if (len < 0)
		return errno == EAGAIN ? 0 : -errno;
	if (hdr.msg_flags & MSG_TRUNC)
		return -EMSGSIZE;
	return from.nl_pid ? 0 : len;
}

static int collect(int fd, struct rtk_nl_reply *r, __s64 patience)
{
	char buf[RECV_SIZE] __attribute__((aligned(8)));
	__s64 deadline = rtk_mono_ns() + patience;
	ssize_t len;
	int err;

	while (!r->done) {
		len = receive(fd, buf, deadline);
		if (len < 0)
			return (int)len;
		if (!len)
			continue;
		err = rtk_nl_reply_feed(r, buf, (size_t)len);
		if (err)
			return err;
		if (r->dump)
			deadline = rtk_mono_ns() + patience;
	}
	return r->error;
}

/* The name of the parameter around an offset into the request, or NULL. */
static const char *param_at(struct nlmsghdr *nlh, __u32 offset)
{
	char *base = (char *)nlh;
	struct nlattr *nla, *name;
	int rem;

	nla_for_each_attr(nla, genlmsg_attrdata(genlmsg_hdr(nlh), 0),
			  genlmsg_attrlen(genlmsg_hdr(nlh), 0), rem) {
		if (nla_type(nla) != RTK_A_PARAM ||
		    offset < (__u32)((char *)nla - base) ||
		    offset >= (__u32)((char *)nla - base) +
				      (__u32)nla_len(nla) + NLA_HDRLEN)
			continue;
		name = nla_find(nla_data(nla), nla_len(nla), RTK_A_PARAM_NAME);
		return name ? nla_data(name) : NULL;
	}
	return NULL;
}

static void explain(struct rtk_nl *nl, const struct rtk_nl_reply *r, int err,
		    struct nlmsghdr *request)
{
	const char *name = r->offset ? param_at(request, r->offset) : NULL;
	const char *text = r->text;

	/* Not ETIMEDOUT, which the module gives: a worker did not get its CPU. */
	if (err == -ETIME)
		text = "no answer from the module in time";
	else if (err == -EMSGSIZE)
		text = "a message was cut, the dump is incomplete";
	else if (err == -ENOBUFS)
		text = "receive buffer overrun, the dump is incomplete";
	else if (err == -EBADMSG)
		text = "malformed or incomplete answer from the module";
	nl->error[0] = '\0';
	if (name && *text) {
		rtk_copy(nl->error, sizeof(nl->error), name);
		strncat(nl->error, ": ", 3);
	}
	strncat(nl->error, text, sizeof(nl->error) - strlen(nl->error) - 1);
}

/* Sends a request, takes in the answer, frees the request. */
static int talk(struct rtk_nl *nl, struct nl_msg *msg, struct rtk_nl_reply *r,
		__s64 patience)
{
	struct nlmsghdr *nlh = nlmsg_hdr(msg);
	int err;

	nl_complete_msg(nl->sk, msg);
	nlh->nlmsg_flags |= r->dump ? NLM_F_DUMP : NLM_F_ACK;
	r->seq = nlh->nlmsg_seq;
	r->port = nl_socket_get_local_port(nl->sk);
	if (nl_send(nl->sk, msg) < 0)
		err = -EIO;
	else
		err = collect(nl_socket_get_fd(nl->sk), r, patience);
	explain(nl, r, err, nlh);
	nlmsg_free(msg);
	return err;
}

static struct nl_msg *request(struct rtk_nl *nl, int cmd, const char *test)
{
	struct nl_msg *msg = nlmsg_alloc_size(65536);

	if (msg &&
	    genlmsg_put(msg, NL_AUTO_PORT, NL_AUTO_SEQ, nl->family, 0, 0,
			(__u8)cmd, RTK_FAMILY_VERSION) &&
	    (!test || !nla_put_string(msg, RTK_A_TEST, test)))
		return msg;
	nlmsg_free(msg);
	return NULL;
}

static int put_params(struct nl_msg *msg, const struct rtk_kvs *kvs)
{
	struct nlattr *nest;
	size_t i;

	for (i = 0; kvs && i < kvs->n; i++) {
		nest = nla_nest_start(msg, RTK_A_PARAM);
		if (!nest ||
		    nla_put_string(msg, RTK_A_PARAM_NAME, kvs->v[i].name) ||
		    nla_put_string(msg, RTK_A_PARAM_VALUE, kvs->v[i].value))
			return -EMSGSIZE;
		nla_nest_end(msg, nest);
	}
	return 0;
}

/* A request with at most one message of data as its answer. */
static int simple(struct rtk_nl *nl, struct nl_msg *msg, __s64 patience,
		  struct rtk_nl_reply *r)
{
	if (!msg)
		return -ENOMEM;
	return talk(nl, msg, r, patience);
}

static int resolve(struct rtk_nl *nl)
{
	struct rtk_nl_family family = { 0 };
	struct rtk_nl_reply r = {
		.message = rtk_nl_msg_family,
		.arg = &family,
	};
	struct nl_msg *msg = nlmsg_alloc();
	int err;

	if (!msg ||
	    !genlmsg_put(msg, NL_AUTO_PORT, NL_AUTO_SEQ, GENL_ID_CTRL, 0, 0,
			 CTRL_CMD_GETFAMILY, 1) ||
	    nla_put_string(msg, CTRL_ATTR_FAMILY_NAME, RTK_FAMILY_NAME)) {
		nlmsg_free(msg);
		return -ENOMEM;
	}
	err = talk(nl, msg, &r, ANSWER_NS);
	if (err)
		return err;
	nl->family = family.id;
	return family.version == RTK_FAMILY_VERSION ? 0 : -EPROTO;
}

int rtk_nl_open(struct rtk_nl **out)
{
	struct rtk_nl *nl = calloc(1, sizeof(*nl));
	int err = -ENOMEM, fd;

	if (!nl)
		return err;
	nl->sk = nl_socket_alloc();
	if (!nl->sk)
		goto free;
	err = -EPROTONOSUPPORT;
	if (genl_connect(nl->sk))
		goto free;
	fd = nl_socket_get_fd(nl->sk);
	err = enable(fd, NETLINK_CAP_ACK);
	if (!err)
		err = enable(fd, NETLINK_EXT_ACK);
	if (!err)
		err = resolve(nl);
	if (err)
		goto free;
	*out = nl;
	return 0;
free:
	rtk_nl_close(nl);
	return err;
}

void rtk_nl_close(struct rtk_nl *nl)
{
	if (!nl)
		return;
	nl_socket_free(nl->sk);
	free(nl);
}

int rtk_nl_test_get(struct rtk_nl *nl, const char *name, struct rtk_test *t)
{
	struct rtk_tests tests = { 0 };
	struct rtk_nl_reply r = { .message = rtk_nl_msg_test, .arg = &tests };
	int err;

	err = simple(nl, request(nl, RTK_CMD_TEST_GET, name), ANSWER_NS, &r);
	if (!err && tests.n != 1)
		err = -EBADMSG;
	if (!err) {
		*t = tests.v[0];
		memset(&tests.v[0], 0, sizeof(tests.v[0]));
	}
	rtk_tests_free(&tests);
	return err;
}

int rtk_nl_set(struct rtk_nl *nl, const char *name, const struct rtk_kvs *kvs)
{
	struct nl_msg *msg = request(nl, RTK_CMD_SET, name);
	struct rtk_nl_reply r = { 0 };

	if (msg && put_params(msg, kvs)) {
		nlmsg_free(msg);
		return -EMSGSIZE;
	}
	return simple(nl, msg, ANSWER_NS, &r);
}

int rtk_nl_start(struct rtk_nl *nl, const char *name, const struct rtk_kvs *kvs,
		 bool detach, __u32 *generation)
{
	struct nl_msg *msg = request(nl, RTK_CMD_START, name);
	struct rtk_nl_reply r = {
		.message = rtk_nl_msg_generation,
		.arg = generation,
	};

	if (msg && ((detach && nla_put_flag(msg, RTK_A_DETACH)) ||
		    put_params(msg, kvs))) {
		nlmsg_free(msg);
		return -EMSGSIZE;
	}
	return simple(nl, msg, WORKERS_NS, &r);
}

int rtk_nl_stop(struct rtk_nl *nl, const char *name, __u32 generation)
{
	struct nl_msg *msg = request(nl, RTK_CMD_STOP, name);
	struct rtk_nl_reply r = { 0 };

	if (msg && generation &&
	    nla_put_u32(msg, RTK_A_GENERATION, generation)) {
		nlmsg_free(msg);
		return -EMSGSIZE;
	}
	return simple(nl, msg, WORKERS_NS, &r);
}

int rtk_nl_reset(struct rtk_nl *nl, const char *name)
{
	struct rtk_nl_reply r = { 0 };

	return simple(nl, request(nl, RTK_CMD_RESET, name), ANSWER_NS, &r);
}

/* How a dump is parsed, and what a repeated one has to forget. */
struct dump {
	int cmd;
	int (*message)(const struct nlmsghdr *nlh, void *arg);
	void (*forget)(void *arg);
	int (*check)(const void *arg);
};

static void forget_tests(void *arg)
{
	rtk_tests_free(arg);
}

static void forget_lanes(void *arg)
{
	rtk_lanes_free(arg);
}

static void forget_outliers(void *arg)
{
	rtk_outliers_free(arg);
}

static int check_lanes(const void *arg)
{
	return rtk_nl_lanes_check(arg);
}

static int dump(struct rtk_nl *nl, const struct dump *d, const char *test,
		void *out)
{
	const struct timespec pause = { .tv_nsec = 20000000 };
	struct rtk_nl_reply r;
	int i, err = -EINTR;

	for (i = 0; i < DUMP_TRIES; i++) {
		r = (struct rtk_nl_reply){
			.dump = true,
			.message = d->message,
			.arg = out,
		};
		err = simple(nl, request(nl, d->cmd, test), ANSWER_NS, &r);
		if (!err && r.interrupted)
			err = -EINTR;
		if (!err && d->check)
			err = d->check(out);
		if (!err)
			return 0;
		d->forget(out);
		if (err != -EINTR)
			break;
		rtk_copy(nl->error, sizeof(nl->error),
			 "the data kept changing during the dump");
		nanosleep(&pause, NULL);
	}
	if (err == -EBADMSG)
		rtk_copy(nl->error, sizeof(nl->error),
			 "malformed or incomplete answer from the module");
	return err;
}

int rtk_nl_tests(struct rtk_nl *nl, const char *name, struct rtk_tests *out)
{
	static const struct dump d = {
		RTK_CMD_TEST_GET,
		rtk_nl_msg_test,
		forget_tests,
		NULL,
	};

	memset(out, 0, sizeof(*out));
	return dump(nl, &d, name, out);
}

int rtk_nl_stats(struct rtk_nl *nl, const char *name, struct rtk_lanes *out)
{
	static const struct dump d = {
		RTK_CMD_STATS_GET,
		rtk_nl_msg_lane,
		forget_lanes,
		NULL,
	};

	memset(out, 0, sizeof(*out));
	return dump(nl, &d, name, out);
}

int rtk_nl_hist(struct rtk_nl *nl, const char *name, struct rtk_lanes *out)
{
	static const struct dump d = {
		RTK_CMD_HIST_GET,
		rtk_nl_msg_lane,
		forget_lanes,
		check_lanes,
	};

	memset(out, 0, sizeof(*out));
	return dump(nl, &d, name, out);
}

int rtk_nl_outliers(struct rtk_nl *nl, const char *name,
		    struct rtk_outliers *out)
{
	static const struct dump d = {
		RTK_CMD_OUTLIER_GET,
		rtk_nl_msg_outlier,
		forget_outliers,
		NULL,
	};

	memset(out, 0, sizeof(*out));
	return dump(nl, &d, name, out);
}
