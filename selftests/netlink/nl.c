// SPDX-License-Identifier: GPL-2.0
/*
 * Transport: sockets, requests, acks.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>

#include "nl.h"

/* A machine that takes longer to answer is broken, however slow it is. */
#define ANSWER_TIMEOUT	60

int nl_socket(struct nl *nl)
{
	struct timeval limit = { .tv_sec = ANSWER_TIMEOUT };
	int one = 1;

	memset(nl, 0, sizeof(*nl));
	nl->room = NL_RECV_SIZE;
	nl->sock = mnl_socket_open(NETLINK_GENERIC);
	if (!nl->sock)
		return -errno;
	if (mnl_socket_bind(nl->sock, 0, MNL_SOCKET_AUTOPID) ||
	    mnl_socket_setsockopt(nl->sock, NETLINK_EXT_ACK, &one, sizeof(one)) ||
	    setsockopt(mnl_socket_get_fd(nl->sock), SOL_SOCKET, SO_RCVTIMEO,
		       &limit, sizeof(limit))) {
		nl_close(nl);
		return -errno;
	}
	nl->portid = mnl_socket_get_portid(nl->sock);
	return 0;
}

int nl_open(struct nl *nl)
{
	int rc = nl_socket(nl);

	if (!rc)
		rc = nl_family(nl, RTK_FAMILY_NAME);
	return rc;
}

void nl_close(struct nl *nl)
{
	if (nl->sock)
		mnl_socket_close(nl->sock);
	nl->sock = NULL;
}

struct nlmsghdr *nl_begin(struct nl *nl, int cmd, int flags)
{
	struct nlmsghdr *nlh = mnl_nlmsg_put_header(nl->req);
	struct genlmsghdr *genl;

	nlh->nlmsg_type = nl->family;
	nlh->nlmsg_flags = NLM_F_REQUEST | flags;
	nlh->nlmsg_seq = ++nl->seq;
	genl = mnl_nlmsg_put_extra_header(nlh, sizeof(*genl));
	genl->cmd = cmd;
	genl->version = RTK_FAMILY_VERSION;
	nl->done = false;
	nl->intr = false;
	nl->messages = 0;
	nl->reads = 0;
	nl->largest = 0;
	nl->offset = 0;
	nl->miss_type = 0;
	nl->miss_nest = 0;
	nl->text[0] = '\0';
	return nlh;
}

void nl_put_param(struct nlmsghdr *nlh, const char *name, const char *value)
{
	struct nlattr *nest = mnl_attr_nest_start(nlh, RTK_A_PARAM);

	mnl_attr_put_strz(nlh, RTK_A_PARAM_NAME, name);
	mnl_attr_put_strz(nlh, RTK_A_PARAM_VALUE, value);
	mnl_attr_nest_end(nlh, nest);
}

void nl_put_right(struct nlmsghdr *nlh, int type, __u32 cpu, const char *series)
{
	switch (type) {
	case RTK_A_TEST:
		mnl_attr_put_strz(nlh, type, TEST_NAME);
		break;
	case RTK_A_DETACH:
		mnl_attr_put(nlh, type, 0, NULL);
		break;
	case RTK_A_GENERATION:
		/* Whatever runs. */
		mnl_attr_put_u32(nlh, type, 0);
		break;
	case RTK_A_CPU:
		mnl_attr_put_u32(nlh, type, cpu);
		break;
	case RTK_A_SERIES:
		mnl_attr_put_strz(nlh, type, series);
		break;
	}
}

int nl_send(struct nl *nl, struct nlmsghdr *nlh)
{
	ssize_t n;

	if (nl->no_address)
		n = send(mnl_socket_get_fd(nl->sock), nlh, nlh->nlmsg_len, 0);
	else
		n = mnl_socket_sendto(nl->sock, nlh, nlh->nlmsg_len);
	return n < 0 ? -errno : 0;
}

/* Attributes behind the error number of an ack or of the end of a dump. */
static void take_ext_ack(struct nl *nl, const struct nlmsghdr *nlh, size_t skip)
{
	const struct nlattr *attr;

	if (!(nlh->nlmsg_flags & NLM_F_ACK_TLVS))
		return;
	mnl_attr_for_each(attr, nlh, skip) {
		switch (mnl_attr_get_type(attr)) {
		case NLMSGERR_ATTR_OFFS:
			nl->offset = mnl_attr_get_u32(attr);
			break;
		case NLMSGERR_ATTR_MISS_TYPE:
			nl->miss_type = mnl_attr_get_u32(attr);
			break;
		case NLMSGERR_ATTR_MISS_NEST:
			nl->miss_nest = mnl_attr_get_u32(attr);
			break;
		case NLMSGERR_ATTR_MSG:
			snprintf(nl->text, sizeof(nl->text), "%s", mnl_attr_get_str(attr));
			break;
		}
	}
}

static int take_error(struct nl *nl, const struct nlmsghdr *nlh)
{
	const struct nlmsgerr *err = mnl_nlmsg_get_payload(nlh);
	size_t skip = sizeof(*err);

	if (!(nlh->nlmsg_flags & NLM_F_CAPPED))
		skip += err->msg.nlmsg_len - sizeof(err->msg);
	take_ext_ack(nl, nlh, MNL_ALIGN(skip));
	nl->done = true;
	return err->error;
}

static int take_done(struct nl *nl, const struct nlmsghdr *nlh)
{
	int rc = 0;

	if (mnl_nlmsg_get_payload_len(nlh) >= sizeof(rc))
		memcpy(&rc, mnl_nlmsg_get_payload(nlh), sizeof(rc));
	take_ext_ack(nl, nlh, sizeof(rc));
	nl->done = true;
	return rc;
}

static int take_message(struct nl *nl, const struct nlmsghdr *nlh, nl_cb cb, void *data)
{
	/* Rests of a request that was given up are none of this one's. */
	if (nlh->nlmsg_seq != nl->seq)
		return 0;
	if (nlh->nlmsg_flags & NLM_F_DUMP_INTR)
		nl->intr = true;
	if (nlh->nlmsg_type == NLMSG_ERROR)
		return take_error(nl, nlh);
	if (nlh->nlmsg_type == NLMSG_DONE)
		return take_done(nl, nlh);
	nl->messages++;
	if (nlh->nlmsg_len > nl->largest)
		nl->largest = nlh->nlmsg_len;
	return cb && cb(nlh, data) ? -EBADMSG : 0;
}

int nl_receive(struct nl *nl, nl_cb cb, void *data)
{
	const struct nlmsghdr *nlh = (const void *)nl->buf;
	/* -1 with ENOSPC for a datagram that is larger than the buffer. */
	int left = mnl_socket_recvfrom(nl->sock, nl->buf, nl->room), rc = 0;

	if (left < 0)
		return -errno;
	nl->reads++;
	while (!rc && mnl_nlmsg_ok(nlh, left)) {
		rc = take_message(nl, nlh, cb, data);
		nlh = mnl_nlmsg_next(nlh, &left);
	}
	return rc;
}

int nl_drain(struct nl *nl, nl_cb cb, void *data)
{
	const struct nlmsghdr *nlh;
	int left;

	for (;;) {
		left = recv(mnl_socket_get_fd(nl->sock), nl->buf, nl->room,
			    MSG_DONTWAIT | MSG_TRUNC);
		if (left < 0)
			return errno == EAGAIN ? 0 : -errno;
		if (left > nl->room)
			return -EMSGSIZE;
		nlh = (const void *)nl->buf;
		for (; mnl_nlmsg_ok(nlh, left); nlh = mnl_nlmsg_next(nlh, &left))
			if (cb(nlh, data))
				return -EBADMSG;
		if (left > 0)
			return -EBADMSG;
	}
}

int nl_call(struct nl *nl, struct nlmsghdr *nlh, nl_cb cb, void *data)
{
	int rc = nl_send(nl, nlh);

	while (!rc && !nl->done)
		rc = nl_receive(nl, cb, data);
	return rc;
}

/* What the controller tells about a family. */
struct family {
	__u16 id;
	__u32 group;
};

static int family_cb(const struct nlmsghdr *nlh, void *data)
{
	const struct nlattr *attr, *group, *word;
	struct family *f = data;
	const char *name = "";
	__u32 id = 0;

	mnl_attr_for_each(attr, nlh, sizeof(struct genlmsghdr)) {
		if (mnl_attr_get_type(attr) == CTRL_ATTR_FAMILY_ID)
			f->id = mnl_attr_get_u16(attr);
		if (mnl_attr_get_type(attr) != CTRL_ATTR_MCAST_GROUPS)
			continue;
		mnl_attr_for_each_nested(group, attr) {
			mnl_attr_for_each_nested(word, group) {
				if (mnl_attr_get_type(word) == CTRL_ATTR_MCAST_GRP_NAME)
					name = mnl_attr_get_str(word);
				if (mnl_attr_get_type(word) == CTRL_ATTR_MCAST_GRP_ID)
					id = mnl_attr_get_u32(word);
			}
			if (!strcmp(name, RTK_MCGRP_EVENTS))
				f->group = id;
		}
	}
	return 0;
}

static int ask_family(struct nl *nl, const char *name, struct family *f)
{
	__u16 family = nl->family;
	struct nlmsghdr *nlh;
	int rc;

	memset(f, 0, sizeof(*f));
	nl->family = GENL_ID_CTRL;
	nlh = nl_begin(nl, CTRL_CMD_GETFAMILY, NLM_F_ACK);
	mnl_attr_put_strz(nlh, CTRL_ATTR_FAMILY_NAME, name);
	rc = nl_call(nl, nlh, family_cb, f);
	nl->family = family;
	return rc;
}

int nl_family(struct nl *nl, const char *name)
{
	struct family f;
	int rc = ask_family(nl, name, &f);

	nl->family = f.id;
	return rc;
}

int nl_group(struct nl *nl, __u32 *group)
{
	struct family f;
	int rc = ask_family(nl, RTK_FAMILY_NAME, &f);

	*group = f.group;
	return rc ?: (f.group ? 0 : -ENOENT);
}

int nl_join(struct nl *nl, __u32 group)
{
	return mnl_socket_setsockopt(nl->sock, NETLINK_ADD_MEMBERSHIP, &group,
				     sizeof(group)) ? -errno : 0;
}

/* The answer of a command: the test, and of all but set the generation. */
static int command_cb(const struct nlmsghdr *nlh, void *data)
{
	const struct genlmsghdr *genl = mnl_nlmsg_get_payload(nlh);
	const struct genlmsghdr *req;
	const struct nlattr *attr;
	struct nl *nl = data;
	int n = 0;

	req = mnl_nlmsg_get_payload((const void *)nl->req);
	if (genl->cmd != req->cmd)
		return -1;
	mnl_attr_for_each(attr, nlh, sizeof(*genl)) {
		switch (mnl_attr_get_type(attr)) {
		case RTK_A_TEST:
			if (strcmp(mnl_attr_get_str(attr), TEST_NAME))
				return -1;
			break;
		case RTK_A_GENERATION:
			nl->generation = mnl_attr_get_u32(attr);
			break;
		default:
			return -1;
		}
		n++;
	}
	return n == (genl->cmd == RTK_CMD_SET ? 1 : 2) ? 0 : -1;
}

int nl_command(struct nl *nl, int cmd, bool detach, const char * const *pairs)
{
	struct nlmsghdr *nlh = nl_begin(nl, cmd, NLM_F_ACK);
	int rc;

	mnl_attr_put_strz(nlh, RTK_A_TEST, TEST_NAME);
	if (detach)
		mnl_attr_put(nlh, RTK_A_DETACH, 0, NULL);
	for (; pairs && pairs[0]; pairs += 2)
		nl_put_param(nlh, pairs[0], pairs[1]);
	rc = nl_call(nl, nlh, command_cb, nl);
	if (!rc && nl->messages != 1) {
		fprintf(stderr, "# %u answers to one command\n", nl->messages);
		rc = -EBADMSG;
	}
	return rc;
}

struct nlmsghdr *nl_dump(struct nl *nl, int cmd, const char *test, int cpu,
			 const char *series)
{
	struct nlmsghdr *nlh = nl_begin(nl, cmd, NLM_F_DUMP | NLM_F_ACK);

	if (test)
		mnl_attr_put_strz(nlh, RTK_A_TEST, test);
	if (cpu >= 0)
		mnl_attr_put_u32(nlh, RTK_A_CPU, cpu);
	if (series)
		mnl_attr_put_strz(nlh, RTK_A_SERIES, series);
	return nlh;
}
