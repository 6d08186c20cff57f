/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Netlink messages taken apart: no socket, so that tests can feed it what no
 * kernel sends. For nl.c and the tests only.
 */
#ifndef RTK_NL_MSG_H
#define RTK_NL_MSG_H

#include <linux/netlink.h>

#include "model.h"

/**
 * struct rtk_nl_reply - the answer to one request, as it comes in
 * @seq: sequence number of the request
 * @port: our port; messages for others are skipped
 * @dump: it ends with NLMSG_DONE, else with an acknowledgment
 * @done: the answer is complete
 * @interrupted: the data changed during the dump
 * @error: -errno that the kernel answered, or 0
 * @offset: of the attribute at fault in the request, 0 if unknown
 * @text: extended ack, or empty
 * @message: called for every message of data; 0 or -errno, -EINTR where it
 *	belongs to another run than the messages before
 * @arg: for @message
 */
struct rtk_nl_reply {
	__u32 seq;
	__u32 port;
	bool dump;
	bool done;
	bool interrupted;
	int error;
	__u32 offset;
	char text[256];
	int (*message)(const struct nlmsghdr *nlh, void *arg);
	void *arg;
};

/**
 * rtk_nl_reply_feed() - take in one datagram
 * @r: answer
 * @buf: datagram, aligned as struct nlmsghdr
 * @len: its length
 *
 * Return: 0; -EBADMSG malformed; -ENOBUFS the kernel lost messages; what
 * @message returned. An error that the kernel answered is in @r->error.
 */
int rtk_nl_reply_feed(struct rtk_nl_reply *r, const void *buf, size_t len);

/**
 * rtk_nl_msg_test() - message of test-get
 * @nlh: message
 * @arg: struct rtk_tests; a test comes in several messages
 *
 * Return: 0, -EBADMSG or -ENOMEM
 */
int rtk_nl_msg_test(const struct nlmsghdr *nlh, void *arg);

/**
 * rtk_nl_msg_lane() - message of stats-get or hist-get
 * @nlh: message
 * @arg: struct rtk_lanes; a lane's buckets come in several messages
 *
 * Return: 0, -EBADMSG or -ENOMEM
 */
int rtk_nl_msg_lane(const struct nlmsghdr *nlh, void *arg);

/**
 * rtk_nl_msg_outlier() - message of outlier-get
 * @nlh: message
 * @arg: struct rtk_outliers
 *
 * Return: 0, -EBADMSG or -ENOMEM
 */
int rtk_nl_msg_outlier(const struct nlmsghdr *nlh, void *arg);

/**
 * rtk_nl_msg_event() - message of the group events
 * @nlh: message
 * @arg: struct rtk_event, initialized
 *
 * Return: 0, -EBADMSG or -ENOMEM
 */
int rtk_nl_msg_event(const struct nlmsghdr *nlh, void *arg);

/**
 * rtk_nl_msg_generation() - answer of start
 * @nlh: message
 * @arg: __u32
 *
 * Return: 0 or -EBADMSG
 */
int rtk_nl_msg_generation(const struct nlmsghdr *nlh, void *arg);

/**
 * struct rtk_nl_family - answer of the controller
 * @id: message type of the family, 0 unknown
 * @version: its version
 */
struct rtk_nl_family {
	__u16 id;
	__u32 version;
};

/**
 * rtk_nl_msg_family() - answer of the generic netlink controller
 * @nlh: message
 * @arg: struct rtk_nl_family
 *
 * Return: 0 or -EBADMSG
 */
int rtk_nl_msg_family(const struct nlmsghdr *nlh, void *arg);

/**
 * rtk_nl_lanes_check() - are all lanes of a hist-get complete?
 * @lanes: what came
 *
 * Return: 0; -EBADMSG a lane has no last message, or its buckets don't add up
 * to its count
 */
int rtk_nl_lanes_check(const struct rtk_lanes *lanes);

#endif
