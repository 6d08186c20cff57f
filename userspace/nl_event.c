// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <linux/genetlink.h>
#include <netlink/attr.h>
#include <netlink/errno.h>
#include <netlink/genl/ctrl.h>
#include <netlink/genl/genl.h>
#include <netlink/netlink.h>

#include "nl.h"
#include "nl_msg.h"
#include "util.h"

/* A state comes with the test's description, as in test-get. */
#define RECV_SIZE 8192
/* Room for a second of events while the reader's terminal is slow. */
#define QUEUE_SIZE (1 << 18)

struct rtk_nl_events {
	struct nl_sock *sk;
	__u16 family;
};

static int error_of(int nl_error)
{
	switch (-nl_error) {
	case NLE_OBJ_NOTFOUND:
		return -ENOENT;
	case NLE_PERM:
	case NLE_NOACCESS:
		return -EPERM;
	case NLE_NOMEM:
		return -ENOMEM;
	default:
		return -EIO;
	}
}

static int join(struct nl_sock *sk, const char *family, const char *name)
{
	int group = genl_ctrl_resolve_grp(sk, family, name);

	if (group < 0)
		return group;
	return nl_socket_add_membership(sk, group);
}

/* The controller's own events tell when the family goes. */
static int subscribe(struct rtk_nl_events *ev)
{
	int rc = genl_connect(ev->sk);

	if (rc < 0)
		return rc;
	rc = genl_ctrl_resolve(ev->sk, RTK_FAMILY_NAME);
	if (rc < 0)
		return rc;
	ev->family = (__u16)rc;
	rc = join(ev->sk, RTK_FAMILY_NAME, RTK_MCGRP_EVENTS);
	if (rc >= 0)
		rc = join(ev->sk, "nlctrl", "notify");
	if (rc >= 0)
		rc = nl_socket_set_buffer_size(ev->sk, QUEUE_SIZE, 0);
	return rc;
}

int rtk_nl_listen(struct rtk_nl_events **events)
{
	struct rtk_nl_events *ev = calloc(1, sizeof(*ev));
	int rc = -NLE_NOMEM;

	if (!ev)
		return -ENOMEM;
	ev->sk = nl_socket_alloc();
	if (ev->sk)
		rc = subscribe(ev);
	if (rc < 0) {
		rtk_nl_unlisten(ev);
		return error_of(rc);
	}
	*events = ev;
	return 0;
}

void rtk_nl_unlisten(struct rtk_nl_events *events)
{
	if (!events)
		return;
	nl_socket_free(events->sk);
	free(events);
}

int rtk_nl_events_fd(const struct rtk_nl_events *events)
{
	return nl_socket_get_fd(events->sk);
}

static struct nlattr *find(const struct nlmsghdr *nlh, int type)
{
	int len = (int)nlh->nlmsg_len - NLMSG_HDRLEN - GENL_HDRLEN;

	return nla_find((void *)((char *)nlh + NLMSG_HDRLEN + GENL_HDRLEN), len,
			type);
}

static int read_counts(const struct nlattr *nest, struct rtk_event *e)
{
	struct nlattr *nla;
	int rem;

	nla_for_each_nested(nla, nest, rem) {
		if (nla_type(nla) != RTK_A_EVENT_NEW &&
		    nla_type(nla) != RTK_A_EVENT_LOST)
			continue;
		if (nla_len(nla) != 8)
			return -EBADMSG;
		memcpy(nla_type(nla) == RTK_A_EVENT_NEW ? &e->fresh : &e->lost,
		       nla_data(nla), 8);
	}
	return rem ? -EBADMSG : 0;
}

int rtk_nl_msg_event(const struct nlmsghdr *nlh, void *arg)
{
	struct rtk_outliers worst = { 0 };
	struct rtk_tests tests = { 0 };
	struct rtk_event *e = arg;
	const struct nlattr *counts;
	int err = rtk_nl_msg_test(nlh, &tests);

	if (!err) {
		e->test = tests.v[0];
		rtk_test_init(&tests.v[0]);
		e->is_state = find(nlh, RTK_A_INFO);
		counts = find(nlh, RTK_A_EVENT);
		err = counts ? read_counts(counts, e) : 0;
	}
	if (!err && find(nlh, RTK_A_OUTLIER)) {
		err = rtk_nl_msg_outlier(nlh, &worst);
		e->has_worst = !err;
		if (!err)
			e->worst = worst.v[0];
	}
	rtk_tests_free(&tests);
	rtk_outliers_free(&worst);
	return err;
}

/* One message; the kernel sends no more than one in a datagram. */
static int take(const struct rtk_nl_events *ev, const struct nlmsghdr *nlh,
		struct rtk_event *e)
{
	const struct genlmsghdr *genl;
	const struct nlattr *id;
	int err;

	genl = (const void *)((const char *)nlh + NLMSG_HDRLEN);
	if (nlh->nlmsg_type == GENL_ID_CTRL &&
	    genl->cmd == CTRL_CMD_DELFAMILY) {
		id = find(nlh, CTRL_ATTR_FAMILY_ID);
		return id && nla_len(id) == 2 && nla_get_u16(id) == ev->family ?
			       -ENODEV :
			       0;
	}
	if (nlh->nlmsg_type != ev->family || genl->cmd != RTK_CMD_EVENT_NTF)
		return 0;
	err = rtk_nl_msg_event(nlh, e);
	return err ? err : 1;
}

int rtk_nl_event(struct rtk_nl_events *events, struct rtk_event *e)
{
	char buf[RECV_SIZE] __attribute__((aligned(8))) = "";
	const struct nlmsghdr *nlh = (const void *)buf;
	struct sockaddr_nl from = { 0 };
	socklen_t fromlen = sizeof(from);
	ssize_t len;

	len = recvfrom(nl_socket_get_fd(events->sk), buf, sizeof(buf),
		       MSG_DONTWAIT | MSG_TRUNC, (void *)&from, &fromlen);
	if (len < 0)
		return errno == EAGAIN || errno == EINTR ? 0 : -errno;
	/* Not from the kernel. */
	if (from.nl_pid)
		return 0;
	if ((size_t)len > sizeof(buf))
		return -EMSGSIZE;
	if (nlh->nlmsg_len < NLMSG_HDRLEN + GENL_HDRLEN ||
	    nlh->nlmsg_len > (size_t)len)
		return -EBADMSG;
	rtk_event_init(e);
	len = take(events, nlh, e);
	if (len < 1)
		rtk_event_free(e);
	return (int)len;
}
