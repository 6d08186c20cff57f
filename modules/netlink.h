/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Between the files of the netlink surface: netlink.c (family and requests),
 * netlink_dump.c (dumps), netlink_put.c (what messages are made of).
 */
#ifndef RTK_NETLINK_H
#define RTK_NETLINK_H

#include <net/genetlink.h>

#include "internal.h"

extern struct genl_family rtk_nl_family;

/* netlink.c */

/*
 * What policies can not say: 0 with CAP_SYS_ADMIN in the initial user namespace
 * and no attribute but a parameter twice; else -EPERM, -EINVAL.
 */
int rtk_nl_check(struct sk_buff *skb, const struct nlmsghdr *nlh,
		 struct netlink_ext_ack *extack);
/* 0 for a text with nothing behind its zero, else -EINVAL. */
int rtk_nl_check_text(const struct nlattr *attr, struct netlink_ext_ack *extack);
/* The test that a request names, with a reference, or an ERR_PTR(). */
struct rtk_inst *rtk_nl_inst(struct nlattr *attr, struct netlink_ext_ack *extack);

/*
 * netlink_put.c: all return 0, or -EMSGSIZE where the message is full (-ENOMEM);
 * the caller then cancels it. rtk_lock held.
 */

int rtk_nl_put_u64(struct sk_buff *skb, int type, u64 value);
/* Item 0 of a test is its description, item i + 1 its parameter i. */
int rtk_nl_put_test(struct sk_buff *skb, struct rtk_inst *inst, unsigned int item);
int rtk_nl_put_lane(struct sk_buff *skb, const struct rtk_snap *snap);
/* A kept sample; @wall_offset turns CLOCK_MONOTONIC into CLOCK_REALTIME. */
int rtk_nl_put_sample(struct sk_buff *skb, const struct rtk_lane *lane,
		      const struct rtk_sample *sample, bool worst, s64 wall_offset);
/*
 * Buckets of a copy from number @from on, as many as fit into a message.
 * Returns the number to go on from, 0 at the end, or -errno.
 */
int rtk_nl_put_buckets(struct sk_buff *skb, const struct rtk_snap *snap,
		       unsigned int from);

/* netlink_dump.c: callbacks of struct genl_ops */

int rtk_nl_test_get_start(struct netlink_callback *cb);
int rtk_nl_test_get_dump(struct sk_buff *skb, struct netlink_callback *cb);
int rtk_nl_lane_start(struct netlink_callback *cb);
int rtk_nl_lane_dump(struct sk_buff *skb, struct netlink_callback *cb);
int rtk_nl_dump_done(struct netlink_callback *cb);

#endif /* RTK_NETLINK_H */
