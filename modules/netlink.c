// SPDX-License-Identifier: GPL-2.0
/*
 * Generic netlink family "rtk". Its definition is
 * Documentation/netlink/specs/rtk.yaml; the policies come from there.
 *
 * Operations are parallel: a start waits for workers, and must not block every
 * other generic netlink user of the machine meanwhile. Each demands
 * CAP_SYS_ADMIN in the initial user namespace, since it can take a CPU away
 * from everybody else.
 */
#include <linux/capability.h>
#include <linux/netlink.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <net/netlink.h>
#include <net/sock.h>

#include "generated/policy.h"
#include "netlink.h"

/* The family is registered, so that events can be sent; rtk_lock. */
static bool nl_ready;

/* Parameters in one request. */
#define ASSIGN_MAX	64

/* Each attribute once, but for @multi: of several the parser takes the last one. */
static int nl_check_once(const struct nlattr *head, int len, int multi,
			 struct netlink_ext_ack *extack)
{
	const struct nlattr *attr;
	u32 seen = 0;
	int rem;

	nla_for_each_attr(attr, head, len, rem) {
		if (seen & BIT(nla_type(attr)) && nla_type(attr) != multi) {
			NL_SET_ERR_MSG_ATTR(extack, attr, "attribute given twice");
			return -EINVAL;
		}
		seen |= BIT(nla_type(attr));
	}
	return 0;
}

int rtk_nl_check(struct sk_buff *skb, const struct nlmsghdr *nlh,
		 struct netlink_ext_ack *extack)
{
	/* No policy lets a larger type through to nl_check_once(). */
	BUILD_BUG_ON(RTK_A_MAX > 31 || RTK_A_PARAM_MAX > 31);

	if (!netlink_capable(skb, CAP_SYS_ADMIN)) {
		NL_SET_ERR_MSG(extack, "CAP_SYS_ADMIN in the initial user namespace needed");
		return -EPERM;
	}
	return nl_check_once(nlmsg_attrdata(nlh, GENL_HDRLEN),
			     nlmsg_attrlen(nlh, GENL_HDRLEN), RTK_A_PARAM, extack);
}

int rtk_nl_check_text(const struct nlattr *attr, struct netlink_ext_ack *extack)
{
	/* The policy has found a zero. */
	if (strlen(nla_data(attr)) + 1 == nla_len(attr))
		return 0;
	NL_SET_ERR_MSG_ATTR(extack, attr, "text goes on behind its end");
	return -EINVAL;
}

struct rtk_inst *rtk_nl_inst(struct nlattr *attr, struct netlink_ext_ack *extack)
{
	struct rtk_inst *inst;
	int rc;

	if (!attr) {
		NL_SET_ERR_MSG(extack, "no test named");
		NL_SET_ERR_ATTR_MISS(extack, NULL, RTK_A_TEST);
		return ERR_PTR(-EINVAL);
	}
	rc = rtk_nl_check_text(attr, extack);
	if (rc)
		return ERR_PTR(rc);
	inst = rtk_inst_get(nla_data(attr));
	if (!inst) {
		NL_SET_ERR_MSG_ATTR(extack, attr, "no such test");
		return ERR_PTR(-ENOENT);
	}
	return inst;
}

static int nl_test_get(struct sk_buff *skb, struct genl_info *info)
{
	struct rtk_inst *inst;
	struct sk_buff *msg;
	void *hdr;
	int rc;

	rc = rtk_nl_check(skb, info->nlhdr, info->extack);
	if (rc)
		return rc;
	inst = rtk_nl_inst(info->attrs[RTK_A_TEST], info->extack);
	if (IS_ERR(inst))
		return PTR_ERR(inst);
	rc = -ENOMEM;
	msg = genlmsg_new(GENLMSG_DEFAULT_SIZE, GFP_KERNEL);
	if (!msg)
		goto out;
	hdr = genlmsg_put_reply(msg, info, &rtk_nl_family, 0, RTK_CMD_TEST_GET);
	rc = -EMSGSIZE;
	if (hdr) {
		mutex_lock(&rtk_lock);
		rc = inst->dead ? -ENODEV : rtk_nl_put_test(msg, inst, 0);
		mutex_unlock(&rtk_lock);
	}
	if (rc) {
		nlmsg_free(msg);
		goto out;
	}
	genlmsg_end(msg, hdr);
	rc = genlmsg_reply(msg, info);
out:
	rtk_inst_put(inst);
	return rc;
}

/* Answer of set, start, stop and reset. */
static void *nl_reply_begin(struct genl_info *info, struct sk_buff **msg, u8 cmd)
{
	void *hdr;

	*msg = genlmsg_new(GENLMSG_DEFAULT_SIZE, GFP_KERNEL);
	if (!*msg)
		return NULL;
	hdr = genlmsg_put_reply(*msg, info, &rtk_nl_family, 0, cmd);
	if (!hdr || nla_put_string(*msg, RTK_A_TEST, nla_data(info->attrs[RTK_A_TEST]))) {
		nlmsg_free(*msg);
		return NULL;
	}
	return hdr;
}

/* A name and a value, and nothing else. */
static int nl_parse_param(struct nlattr *nest, struct rtk_assign *assign,
			  struct netlink_ext_ack *extack)
{
	struct nlattr *tb[RTK_A_PARAM_HELP + 1];
	int i, rc;

	rc = nla_parse_nested(tb, RTK_A_PARAM_HELP, nest, rtk_param_nl_policy, extack) ?:
	     nl_check_once(nla_data(nest), nla_len(nest), 0, extack);
	for (i = 1; !rc && i <= RTK_A_PARAM_HELP; i++) {
		bool wanted = i == RTK_A_PARAM_NAME || i == RTK_A_PARAM_VALUE;

		if (wanted && tb[i]) {
			rc = rtk_nl_check_text(tb[i], extack);
		} else if (wanted || tb[i]) {
			NL_SET_ERR_MSG_ATTR(extack, tb[i], "a parameter is a name and a value");
			if (wanted)
				NL_SET_ERR_ATTR_MISS(extack, nest, i);
			rc = -EINVAL;
		}
	}
	if (rc)
		return rc;
	assign->name = nla_data(tb[RTK_A_PARAM_NAME]);
	assign->value = nla_data(tb[RTK_A_PARAM_VALUE]);
	return 0;
}

/* Parameters of a request; @at gets the attribute of each, for errors. */
static int nl_parse_assign(struct genl_info *info, struct rtk_assign *assign,
			   struct nlattr **at)
{
	struct nlattr *attr;
	int n = 0, rem, rc;

	nlmsg_for_each_attr(attr, info->nlhdr, GENL_HDRLEN, rem) {
		if (nla_type(attr) != RTK_A_PARAM)
			continue;
		if (n == ASSIGN_MAX) {
			NL_SET_ERR_MSG_ATTR(info->extack, attr, "too many parameters");
			return -E2BIG;
		}
		rc = nl_parse_param(attr, &assign[n], info->extack);
		if (rc)
			return rc;
		at[n++] = attr;
	}
	return n;
}

/* What set and start share: @start says which. */
static int nl_set_start(struct genl_info *info, struct rtk_inst *inst, bool start,
			u32 *generation)
{
	struct rtk_request req = { .bad = -1 };
	struct rtk_assign *assign;
	struct nlattr **at;
	int n, rc;

	assign = kcalloc(ASSIGN_MAX, sizeof(*assign), GFP_KERNEL);
	at = kcalloc(ASSIGN_MAX, sizeof(*at), GFP_KERNEL);
	rc = -ENOMEM;
	if (!assign || !at)
		goto out;
	n = nl_parse_assign(info, assign, at);
	rc = n;
	if (n < 0)
		goto out;
	req.assign = assign;
	req.n = n;
	rtk_owner_self(&req.owner, info->attrs[RTK_A_DETACH] ? 0 : info->snd_portid);
	rc = start ? rtk_run_start(inst, &req) : rtk_run_set(inst, &req);
	*generation = req.generation;
	if (!rc)
		goto out;
	/* Static texts only; the words are in last-error. */
	if (req.bad >= 0)
		NL_SET_ERR_MSG_ATTR(info->extack, at[req.bad],
				    "parameter refused; see last-error");
	else
		NL_SET_ERR_MSG(info->extack, "refused; see last-error");
out:
	kfree(at);
	kfree(assign);
	return rc;
}

static int nl_stop(struct genl_info *info, struct rtk_inst *inst)
{
	struct nlattr *attr = info->attrs[RTK_A_GENERATION];
	int rc = rtk_run_stop(inst, attr ? nla_get_u32(attr) : 0, RTK_STATE_DONE,
			      "stopped");

	if (rc == -ESTALE)
		NL_SET_ERR_MSG_ATTR(info->extack, attr, "another run by now");
	return rc;
}

static int nl_do(struct genl_info *info, struct rtk_inst *inst, u32 *generation)
{
	u8 cmd = info->genlhdr->cmd;
	int rc;

	switch (cmd) {
	case RTK_CMD_SET:
	case RTK_CMD_START:
		return nl_set_start(info, inst, cmd == RTK_CMD_START, generation);
	case RTK_CMD_STOP:
		*generation = READ_ONCE(inst->generation);
		return nl_stop(info, inst);
	case RTK_CMD_RESET:
		rc = rtk_run_reset(inst);
		*generation = READ_ONCE(inst->generation);
		if (rc)
			NL_SET_ERR_MSG(info->extack, "refused; see last-error");
		return rc;
	}
	return -EOPNOTSUPP;
}

static int nl_transition(struct sk_buff *skb, struct genl_info *info)
{
	u8 cmd = info->genlhdr->cmd;
	struct rtk_inst *inst;
	struct sk_buff *msg;
	u32 generation = 0;
	void *hdr;
	int rc;

	rc = rtk_nl_check(skb, info->nlhdr, info->extack);
	if (rc)
		return rc;
	inst = rtk_nl_inst(info->attrs[RTK_A_TEST], info->extack);
	if (IS_ERR(inst))
		return PTR_ERR(inst);
	/* The answer's memory first: no memory for it is then no half success. */
	rc = -ENOMEM;
	hdr = nl_reply_begin(info, &msg, cmd);
	if (!hdr)
		goto out;
	rc = nl_do(info, inst, &generation);
	if (rc || (cmd != RTK_CMD_SET && nla_put_u32(msg, RTK_A_GENERATION, generation))) {
		nlmsg_free(msg);
		goto out;
	}
	genlmsg_end(msg, hdr);
	rc = genlmsg_reply(msg, info);
out:
	rtk_inst_put(inst);
	return rc;
}

static const struct genl_ops rtk_ops[] = {
	{
		.cmd = RTK_CMD_TEST_GET,
		.policy = rtk_test_get_do_nl_policy,
		.maxattr = ARRAY_SIZE(rtk_test_get_do_nl_policy) - 1,
		.doit = nl_test_get,
		.start = rtk_nl_test_get_start,
		.dumpit = rtk_nl_test_get_dump,
		.done = rtk_nl_dump_done,
	}, {
		.cmd = RTK_CMD_SET,
		.policy = rtk_set_nl_policy,
		.maxattr = ARRAY_SIZE(rtk_set_nl_policy) - 1,
		.doit = nl_transition,
	}, {
		.cmd = RTK_CMD_START,
		.policy = rtk_start_nl_policy,
		.maxattr = ARRAY_SIZE(rtk_start_nl_policy) - 1,
		.doit = nl_transition,
	}, {
		.cmd = RTK_CMD_STOP,
		.policy = rtk_stop_nl_policy,
		.maxattr = ARRAY_SIZE(rtk_stop_nl_policy) - 1,
		.doit = nl_transition,
	}, {
		.cmd = RTK_CMD_RESET,
		.policy = rtk_reset_nl_policy,
		.maxattr = ARRAY_SIZE(rtk_reset_nl_policy) - 1,
		.doit = nl_transition,
	}, {
		.cmd = RTK_CMD_STATS_GET,
		.policy = rtk_stats_get_nl_policy,
		.maxattr = ARRAY_SIZE(rtk_stats_get_nl_policy) - 1,
		.start = rtk_nl_lane_start,
		.dumpit = rtk_nl_lane_dump,
		.done = rtk_nl_dump_done,
	}, {
		.cmd = RTK_CMD_HIST_GET,
		.policy = rtk_hist_get_nl_policy,
		.maxattr = ARRAY_SIZE(rtk_hist_get_nl_policy) - 1,
		.start = rtk_nl_lane_start,
		.dumpit = rtk_nl_lane_dump,
		.done = rtk_nl_dump_done,
	}, {
		.cmd = RTK_CMD_OUTLIER_GET,
		.policy = rtk_outlier_get_nl_policy,
		.maxattr = ARRAY_SIZE(rtk_outlier_get_nl_policy) - 1,
		.start = rtk_nl_lane_start,
		.dumpit = rtk_nl_lane_dump,
		.done = rtk_nl_dump_done,
	},
};

/*
 * The group is for those only who may do the rest: what ran on a CPU, and when,
 * is nobody else's business.
 */
static const struct genl_multicast_group rtk_groups[] = {
	{ .name = RTK_MCGRP_EVENTS, .flags = GENL_MCAST_CAP_SYS_ADMIN },
};

/* Not in other network namespaces: a container is no place to stall a CPU. */
struct genl_family rtk_nl_family __ro_after_init = {
	.name = RTK_FAMILY_NAME,
	.version = RTK_FAMILY_VERSION,
	.module = THIS_MODULE,
	.ops = rtk_ops,
	.n_ops = ARRAY_SIZE(rtk_ops),
	.mcgrps = rtk_groups,
	.n_mcgrps = ARRAY_SIZE(rtk_groups),
	.parallel_ops = true,
};

static int nl_put_counts(struct sk_buff *skb, u64 new, u64 lost)
{
	struct nlattr *nest = nla_nest_start(skb, RTK_A_EVENT);

	if (!nest || rtk_nl_put_u64(skb, RTK_A_EVENT_NEW, new) ||
	    rtk_nl_put_u64(skb, RTK_A_EVENT_LOST, lost))
		return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}

static int nl_put_event(struct sk_buff *skb, struct rtk_inst *inst, u64 new, u64 lost)
{
	struct rtk_sample sample;
	struct rtk_lane *lane;

	if (!new)
		return rtk_nl_put_test(skb, inst, 0);
	lane = rtk_outlier_worst(inst, &sample);
	return nla_put_string(skb, RTK_A_TEST, inst->test->name) ?:
	       nla_put_u32(skb, RTK_A_GENERATION, inst->generation) ?:
	       nl_put_counts(skb, new, lost) ?:
	       (lane ? rtk_nl_put_sample(skb, lane, &sample, true,
					 rtk_run_wall_offset(inst->run)) : 0);
}

/* rtk_lock held. */
static struct sk_buff *nl_event_message(struct rtk_inst *inst, u64 new, u64 lost)
{
	struct sk_buff *msg = genlmsg_new(GENLMSG_DEFAULT_SIZE, GFP_KERNEL);
	void *hdr;

	if (!msg)
		return NULL;
	hdr = genlmsg_put(msg, 0, 0, &rtk_nl_family, 0, RTK_CMD_EVENT_NTF);
	if (!hdr || nl_put_event(msg, inst, new, lost)) {
		nlmsg_free(msg);
		return NULL;
	}
	genlmsg_end(msg, hdr);
	return msg;
}

void rtk_netlink_event(struct rtk_inst *inst, u64 new, u64 lost)
{
	struct sk_buff *msg = NULL;

	mutex_lock(&rtk_lock);
	if (nl_ready && !inst->dead && genl_has_listeners(&rtk_nl_family, &init_net, 0))
		msg = nl_event_message(inst, new, lost);
	/* A listener whose queue is full loses it, and is told so by netlink. */
	if (msg)
		genlmsg_multicast(&rtk_nl_family, msg, 0, 0, GFP_KERNEL);
	mutex_unlock(&rtk_lock);
}

/* May sleep: the chain of netlink's notifiers is a blocking one. */
static int nl_event(struct notifier_block *nb, unsigned long event, void *data)
{
	struct netlink_notify *n = data;

	if (event == NETLINK_URELEASE && n->protocol == NETLINK_GENERIC &&
	    net_eq(n->net, &init_net))
		rtk_control_owner_gone(n->portid);
	return NOTIFY_DONE;
}

static struct notifier_block nl_nb = { .notifier_call = nl_event };

static void nl_set_ready(bool ready)
{
	mutex_lock(&rtk_lock);
	nl_ready = ready;
	mutex_unlock(&rtk_lock);
}

int rtk_netlink_init(void)
{
	int rc = netlink_register_notifier(&nl_nb);

	if (rc)
		return rc;
	rc = genl_register_family(&rtk_nl_family);
	if (rc)
		netlink_unregister_notifier(&nl_nb);
	else
		nl_set_ready(true);
	return rc;
}

void rtk_netlink_exit(void)
{
	nl_set_ready(false);
	genl_unregister_family(&rtk_nl_family);
	netlink_unregister_notifier(&nl_nb);
}
