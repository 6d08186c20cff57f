// SPDX-License-Identifier: GPL-2.0
/*
 * netlink: dumps. A dump goes on over many calls, between which the run can end
 * and be started anew. What it holds meanwhile is a reference to the test and a
 * copy of one lane, never a lane.
 */
#include <linux/slab.h>
#include <linux/string.h>
#include <net/netlink.h>

#include "compat/genetlink.h"
#include "netlink.h"

/**
 * struct nl_dump - a dump in progress
 * @inst: the test it is about; NULL for all
 * @pos: position: test or lane
 * @item: position within it
 * @place: place of the next sample (rtk_outlier_at())
 * @worst: copy for it
 * @generation: run that it began with
 * @begun: @generation is set
 * @cpu: only this CPU; -1 for all
 * @series: only this series; empty for all
 * @snap: copy of a lane
 */
struct nl_dump {
	struct rtk_inst *inst;
	unsigned int pos;
	unsigned int item;
	u64 place;
	struct rtk_worst worst;
	u32 generation;
	bool begun;
	int cpu;
	char series[RTK_STRING_SIZE];
	struct rtk_snap snap;
};

static struct nl_dump *nl_dump_of(struct netlink_callback *cb)
{
	return (struct nl_dump *)cb->args[0];
}

int rtk_nl_dump_done(struct netlink_callback *cb)
{
	struct nl_dump *d = nl_dump_of(cb);

	if (!d)
		return 0;
	rtk_snap_free(&d->snap);
	if (d->inst)
		rtk_inst_put(d->inst);
	kfree(d);
	cb->args[0] = 0;
	return 0;
}

/* A dump of the test that the request names; of all, where it need name none. */
static struct nl_dump *nl_dump_begin(struct netlink_callback *cb, bool named)
{
	struct nlattr *test = rtk_dump_attrs(cb)[RTK_A_TEST];
	struct rtk_inst *inst = NULL;
	struct nl_dump *d;
	int rc;

	rc = rtk_nl_check(cb->skb, cb->nlh, cb->extack);
	if (rc)
		return ERR_PTR(rc);
	if (test || named)
		inst = rtk_nl_inst(test, cb->extack);
	if (IS_ERR(inst))
		return ERR_CAST(inst);
	d = kzalloc(sizeof(*d), GFP_KERNEL);
	if (!d) {
		if (inst)
			rtk_inst_put(inst);
		return ERR_PTR(-ENOMEM);
	}
	d->inst = inst;
	d->cpu = -1;
	cb->args[0] = (long)d;
	return d;
}

int rtk_nl_test_get_start(struct netlink_callback *cb)
{
	struct nl_dump *d = nl_dump_begin(cb, false);

	return PTR_ERR_OR_ZERO(d);
}

int rtk_nl_lane_start(struct netlink_callback *cb)
{
	struct nlattr **attrs = rtk_dump_attrs(cb);
	struct nl_dump *d = nl_dump_begin(cb, true);
	int rc = 0;

	if (IS_ERR(d))
		return PTR_ERR(d);
	if (attrs[RTK_A_CPU])
		d->cpu = min_t(u32, nla_get_u32(attrs[RTK_A_CPU]), INT_MAX);
	if (attrs[RTK_A_SERIES]) {
		rc = rtk_nl_check_text(attrs[RTK_A_SERIES], cb->extack);
		nla_strscpy(d->series, attrs[RTK_A_SERIES], sizeof(d->series));
	}
	/* Buckets are needed for a count that is their sum, too. */
	if (!rc)
		rc = rtk_snap_alloc(&d->snap);
	if (rc)
		rtk_nl_dump_done(cb);
	return rc;
}

static void *nl_dump_put(struct sk_buff *skb, struct netlink_callback *cb, u8 cmd)
{
	void *hdr = genlmsg_put(skb, NETLINK_CB(cb->skb).portid, cb->nlh->nlmsg_seq,
				&rtk_nl_family, NLM_F_MULTI, cmd);

	if (hdr)
		genl_dump_check_consistent(cb, hdr);
	return hdr;
}

/* One message: 0, or -EMSGSIZE and nothing was added. rtk_lock held. */
static int nl_test_get_one(struct sk_buff *skb, struct netlink_callback *cb,
			   struct rtk_inst *inst, unsigned int item)
{
	void *hdr = nl_dump_put(skb, cb, RTK_CMD_TEST_GET);
	int rc;

	if (!hdr)
		return -EMSGSIZE;
	rc = rtk_nl_put_test(skb, inst, item);
	if (rc)
		genlmsg_cancel(skb, hdr);
	else
		genlmsg_end(skb, hdr);
	return rc;
}

static int nl_test_get_all(struct sk_buff *skb, struct netlink_callback *cb,
			   struct rtk_inst *inst)
{
	struct nl_dump *d = nl_dump_of(cb);
	int rc = 0;

	mutex_lock(&rtk_lock);
	while (!inst->dead && d->item <= rtk_param_count(inst->test)) {
		rc = nl_test_get_one(skb, cb, inst, d->item);
		if (rc)
			break;
		d->item++;
	}
	mutex_unlock(&rtk_lock);
	return rc;
}

/* What a dump call returns: an error only if not even one message fits. */
static int nl_dump_result(struct sk_buff *skb, int rc)
{
	return skb->len || rc == -ENOENT ? skb->len : rc;
}

int rtk_nl_test_get_dump(struct sk_buff *skb, struct netlink_callback *cb)
{
	struct nl_dump *d = nl_dump_of(cb);
	struct rtk_inst *inst;
	int rc = 0;

	/* A change of what it tells marks the dump as interrupted. */
	cb->seq = READ_ONCE(rtk_changes);
	while (!rc) {
		if (d->inst && d->pos)
			break;
		inst = d->inst ?: rtk_inst_at(d->pos);
		if (!inst)
			break;
		rc = nl_test_get_all(skb, cb, inst);
		if (!d->inst)
			rtk_inst_put(inst);
		if (rc)
			break;
		d->pos++;
		d->item = 0;
	}
	return nl_dump_result(skb, rc);
}

/* Wants the dump's filter this lane? */
static bool nl_dump_wants(const struct nl_dump *d, int cpu, const char *series)
{
	return (d->cpu < 0 || d->cpu == cpu) &&
	       (!*d->series || !strcmp(d->series, series));
}

static int nl_put_head(struct sk_buff *skb, const struct nl_dump *d)
{
	if (nla_put_string(skb, RTK_A_TEST, d->inst->test->name) ||
	    nla_put_u32(skb, RTK_A_GENERATION, d->generation))
		return -EMSGSIZE;
	return 0;
}

static int nl_stats_one(struct sk_buff *skb, struct nl_dump *d)
{
	int rc = nl_put_head(skb, d) ?: rtk_nl_put_lane(skb, &d->snap);

	if (!rc)
		d->pos++;
	return rc;
}

static int nl_hist_one(struct sk_buff *skb, struct nl_dump *d)
{
	int rc = nl_put_head(skb, d);

	if (!rc && !d->item)
		rc = rtk_nl_put_lane(skb, &d->snap);
	if (!rc)
		rc = nla_put_u32(skb, RTK_A_CPU, d->snap.cpu) ?:
		     nla_put_string(skb, RTK_A_SERIES, d->snap.series->name);
	if (!rc)
		rc = rtk_nl_put_buckets(skb, &d->snap, d->item);
	if (rc < 0)
		return rc;
	d->item = rc;
	if (!rc)
		d->pos++;
	return 0;
}

/* The next sample of a lane, or -EAGAIN at its end. */
static int nl_outlier_one(struct sk_buff *skb, struct nl_dump *d)
{
	struct rtk_lane *lane = rtk_lane_at(d->inst, d->pos);
	struct rtk_sample sample;
	int rc;

	if (!rtk_outlier_at(lane, &d->worst, &d->place, &sample)) {
		d->pos++;
		d->place = 0;
		return -EAGAIN;
	}
	rc = nl_put_head(skb, d) ?:
	     rtk_nl_put_sample(skb, lane, &sample, d->place < RTK_WORST,
			       rtk_run_wall_offset(d->inst->run));
	if (!rc)
		d->place++;
	return rc;
}

/*
 * Brings the dump to a lane that its filter wants. rtk_lock held. Returns
 * -ENOENT at the end.
 */
static int nl_lane_seek(struct nl_dump *d)
{
	struct rtk_lane *lane;

	for (;; d->pos++) {
		lane = rtk_lane_at(d->inst, d->pos);
		if (!lane)
			return -ENOENT;
		if (nl_dump_wants(d, lane->cpu, lane->series->name))
			return 0;
	}
}

static int nl_lane_message(struct sk_buff *skb, struct netlink_callback *cb, u8 cmd)
{
	struct nl_dump *d = nl_dump_of(cb);
	void *hdr;
	int rc;

	/* A copy for each lane, taken when its first message is made. */
	if (cmd != RTK_CMD_OUTLIER_GET && !d->item) {
		rc = rtk_snap_take(d->inst, d->pos, &d->snap);
		if (rc)
			return rc;
	}
	hdr = nl_dump_put(skb, cb, cmd);
	if (!hdr)
		return -EMSGSIZE;
	if (cmd == RTK_CMD_STATS_GET)
		rc = nl_stats_one(skb, d);
	else if (cmd == RTK_CMD_HIST_GET)
		rc = nl_hist_one(skb, d);
	else
		rc = nl_outlier_one(skb, d);
	if (rc)
		genlmsg_cancel(skb, hdr);
	else
		genlmsg_end(skb, hdr);
	return rc == -EAGAIN ? 0 : rc;
}

int rtk_nl_lane_dump(struct sk_buff *skb, struct netlink_callback *cb)
{
	struct nl_dump *d = nl_dump_of(cb);
	u8 cmd = ((struct genlmsghdr *)nlmsg_data(cb->nlh))->cmd;
	int rc = 0;

	mutex_lock(&rtk_lock);
	if (!d->begun)
		d->generation = d->inst->generation;
	d->begun = true;
	/* A change marks the dump as interrupted (NLM_F_DUMP_INTR); it ends. */
	cb->seq = d->inst->generation + 1;
	if (d->inst->dead || d->inst->generation != d->generation)
		rc = -ENOENT;
	while (!rc) {
		rc = nl_lane_seek(d);
		if (!rc)
			rc = nl_lane_message(skb, cb, cmd);
	}
	mutex_unlock(&rtk_lock);
	return nl_dump_result(skb, rc);
}
