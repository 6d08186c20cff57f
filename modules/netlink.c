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
#include <net/genetlink.h>
#include <net/netlink.h>
#include <net/sock.h>

#include "compat/genetlink.h"
#include "generated/policy.h"
#include "internal.h"

/* Parameters in one request. */
#define ASSIGN_MAX	64
/* Bytes of buckets in one message; a message stays below 3.5 KiB. */
#define BUCKETS_MAX	(3072 / sizeof(struct rtk_bucket))

static struct genl_family rtk_family;

static int nl_check_cap(struct sk_buff *skb, struct netlink_ext_ack *extack)
{
	if (netlink_capable(skb, CAP_SYS_ADMIN))
		return 0;
	NL_SET_ERR_MSG(extack, "CAP_SYS_ADMIN in the initial user namespace needed");
	return -EPERM;
}

/* The test that a request names, with a reference. */
static struct rtk_inst *nl_inst(struct nlattr *attr, struct netlink_ext_ack *extack)
{
	struct rtk_inst *inst;

	if (!attr) {
		NL_SET_ERR_MSG(extack, "no test named");
		return ERR_PTR(-EINVAL);
	}
	inst = rtk_inst_get(nla_data(attr));
	if (!inst) {
		NL_SET_ERR_MSG_ATTR(extack, attr, "no such test");
		return ERR_PTR(-ENOENT);
	}
	return inst;
}

static int nl_put_u64(struct sk_buff *skb, int type, u64 value)
{
	/* No padding attribute: the family is new, readers copy. */
	return nla_put(skb, type, sizeof(value), &value);
}

static int nl_put_series(struct sk_buff *skb, const struct rtk_series *series)
{
	struct nlattr *nest = nla_nest_start(skb, RTK_A_INFO_SERIES);

	if (!nest ||
	    nla_put_string(skb, RTK_A_SERIES_NAME, series->name) ||
	    nla_put_string(skb, RTK_A_SERIES_UNIT, series->unit) ||
	    (series->flags & RTK_SERIES_SIGNED &&
	     nla_put_flag(skb, RTK_A_SERIES_SIGNED)) ||
	    (series->flags & RTK_SERIES_LEDGER &&
	     nla_put_flag(skb, RTK_A_SERIES_LEDGER)))
		return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}

static int nl_put_cpus(struct sk_buff *skb, int type, const struct cpumask *cpus)
{
	char *buf = kmalloc(RTK_PARAM_VALUE_MAX + 1, GFP_KERNEL);
	int rc;

	if (!buf)
		return -ENOMEM;
	scnprintf(buf, RTK_PARAM_VALUE_MAX + 1, "%*pbl", cpumask_pr_args(cpus));
	rc = nla_put_string(skb, type, buf);
	kfree(buf);
	return rc;
}

/* The part of a test's description that is about its run; rtk_lock held. */
static int nl_put_run(struct sk_buff *skb, const struct rtk_run *run)
{
	if (nl_put_cpus(skb, RTK_A_INFO_CPUS, &run->cpus) ||
	    nl_put_cpus(skb, RTK_A_INFO_LOST_CPUS, &run->lost) ||
	    nl_put_u64(skb, RTK_A_INFO_STARTED_WALL_NS, run->started_wall) ||
	    nl_put_u64(skb, RTK_A_INFO_STARTED_MONO_NS, run->measure_from) ||
	    (run->ended_mono &&
	     nl_put_u64(skb, RTK_A_INFO_ENDED_MONO_NS, run->ended_mono)) ||
	    nl_put_u64(skb, RTK_A_INFO_ELAPSED_NS, rtk_run_elapsed(run)) ||
	    nl_put_u64(skb, RTK_A_INFO_PLANNED_NS,
		       run->common.duration_ms * NSEC_PER_MSEC) ||
	    nla_put_u32(skb, RTK_A_INFO_OWNER_PID, run->owner.pid) ||
	    nla_put_string(skb, RTK_A_INFO_OWNER_COMM, run->owner.comm) ||
	    (*run->shared_with &&
	     nla_put_string(skb, RTK_A_INFO_SHARED_WITH, run->shared_with)))
		return -EMSGSIZE;
	return 0;
}

static int nl_put_info(struct sk_buff *skb, struct rtk_inst *inst)
{
	const struct rtk_test *test = inst->test;
	struct nlattr *nest = nla_nest_start(skb, RTK_A_INFO);
	unsigned int i;

	if (!nest ||
	    nla_put_string(skb, RTK_A_INFO_VERSION, RTK_VERSION) ||
	    nla_put_u32(skb, RTK_A_INFO_FEATURES,
			RTK_FEATURE_OUTLIERS | RTK_FEATURE_OWNED_RUNS) ||
	    nla_put_string(skb, RTK_A_INFO_SUMMARY, test->summary) ||
	    nla_put_u32(skb, RTK_A_INFO_STATE, inst->state) ||
	    nla_put_string(skb, RTK_A_INFO_REASON, inst->reason) ||
	    nla_put_string(skb, RTK_A_INFO_LAST_ERROR, inst->last_error.text))
		return -EMSGSIZE;
	for (i = 0; i < test->n_series; i++)
		if (nl_put_series(skb, &test->series[i]))
			return -EMSGSIZE;
	if (inst->run && nl_put_run(skb, inst->run))
		return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}

static int nl_put_row(struct sk_buff *skb, const struct rtk_param *row, char *buf)
{
	bool number = row->type == RTK_PARAM_TYPE_U64 ||
		      row->type == RTK_PARAM_TYPE_S64;

	if (nla_put_u32(skb, RTK_A_PARAM_TYPE, row->type) ||
	    (row->unit && nla_put_string(skb, RTK_A_PARAM_UNIT, row->unit)) ||
	    (number && (nl_put_u64(skb, RTK_A_PARAM_MINIMUM, row->min) ||
			nl_put_u64(skb, RTK_A_PARAM_MAXIMUM, row->max))) ||
	    nla_put_string(skb, RTK_A_PARAM_DEFAULT, row->def) ||
	    (row->type == RTK_PARAM_TYPE_ENUM &&
	     nla_put_string(skb, RTK_A_PARAM_CHOICES,
			    rtk_param_choices(row, buf, RTK_PARAM_VALUE_MAX))) ||
	    nla_put_string(skb, RTK_A_PARAM_HELP, row->help))
		return -EMSGSIZE;
	return 0;
}

static int nl_put_param(struct sk_buff *skb, struct rtk_inst *inst, unsigned int i)
{
	const struct rtk_param *row = rtk_param_row(inst->test, i);
	char *buf = kmalloc(RTK_PARAM_VALUE_MAX + 1, GFP_KERNEL);
	struct nlattr *nest;
	int rc = -EMSGSIZE;

	if (!buf)
		return -ENOMEM;
	nest = nla_nest_start(skb, RTK_A_PARAM);
	if (!nest || nla_put_string(skb, RTK_A_PARAM_NAME, row->name))
		goto out;
	rtk_param_format(inst->test, i, &inst->common, inst->config, buf);
	if (nla_put_string(skb, RTK_A_PARAM_VALUE, buf))
		goto out;
	if (inst->run) {
		rtk_param_format(inst->test, i, &inst->run->common,
				 inst->run->config, buf);
		if (nla_put_string(skb, RTK_A_PARAM_RUN_VALUE, buf))
			goto out;
	}
	if (nl_put_row(skb, row, buf))
		goto out;
	nla_nest_end(skb, nest);
	rc = 0;
out:
	kfree(buf);
	return rc;
}

/* Item 0 of a test is its description, item i + 1 its parameter i. */
static int nl_put_test(struct sk_buff *skb, struct rtk_inst *inst, unsigned int item)
{
	int rc;

	if (nla_put_string(skb, RTK_A_TEST, inst->test->name) ||
	    nla_put_u32(skb, RTK_A_GENERATION, inst->generation))
		return -EMSGSIZE;
	rc = item ? nl_put_param(skb, inst, item - 1) : nl_put_info(skb, inst);
	return rc;
}

static int nl_test_get(struct sk_buff *skb, struct genl_info *info)
{
	struct rtk_inst *inst;
	struct sk_buff *msg;
	void *hdr;
	int rc;

	rc = nl_check_cap(skb, info->extack);
	if (rc)
		return rc;
	inst = nl_inst(info->attrs[RTK_A_TEST], info->extack);
	if (IS_ERR(inst))
		return PTR_ERR(inst);
	rc = -ENOMEM;
	msg = genlmsg_new(GENLMSG_DEFAULT_SIZE, GFP_KERNEL);
	if (!msg)
		goto out;
	hdr = genlmsg_put_reply(msg, info, &rtk_family, 0, RTK_CMD_TEST_GET);
	rc = -EMSGSIZE;
	if (hdr) {
		mutex_lock(&rtk_lock);
		rc = inst->dead ? -ENODEV : nl_put_test(msg, inst, 0);
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
static int nl_reply(struct genl_info *info, struct rtk_inst *inst, u8 cmd)
{
	struct sk_buff *msg = genlmsg_new(GENLMSG_DEFAULT_SIZE, GFP_KERNEL);
	void *hdr;

	if (!msg)
		return -ENOMEM;
	hdr = genlmsg_put_reply(msg, info, &rtk_family, 0, cmd);
	if (!hdr || nla_put_string(msg, RTK_A_TEST, nla_data(info->attrs[RTK_A_TEST])) ||
	    nla_put_u32(msg, RTK_A_GENERATION, READ_ONCE(inst->generation))) {
		nlmsg_free(msg);
		return -EMSGSIZE;
	}
	genlmsg_end(msg, hdr);
	return genlmsg_reply(msg, info);
}

/* Parameters of a request; @at gets the attribute of each, for errors. */
static int nl_parse_assign(struct genl_info *info, struct rtk_assign *assign,
			   struct nlattr **at)
{
	struct nlattr *tb[RTK_A_PARAM_HELP + 1], *attr;
	int n = 0, rem, i;

	nlmsg_for_each_attr(attr, info->nlhdr, GENL_HDRLEN, rem) {
		if (nla_type(attr) != RTK_A_PARAM)
			continue;
		if (n == ASSIGN_MAX) {
			NL_SET_ERR_MSG_ATTR(info->extack, attr, "too many parameters");
			return -E2BIG;
		}
		i = nla_parse_nested(tb, RTK_A_PARAM_HELP, attr, rtk_param_nl_policy,
				     info->extack);
		if (i)
			return i;
		for (i = 1; i <= RTK_A_PARAM_HELP; i++) {
			bool wanted = i == RTK_A_PARAM_NAME || i == RTK_A_PARAM_VALUE;

			if (wanted == !!tb[i])
				continue;
			NL_SET_ERR_MSG_ATTR(info->extack, attr,
					    "a parameter is a name and a value");
			return -EINVAL;
		}
		assign[n].name = nla_data(tb[RTK_A_PARAM_NAME]);
		assign[n].value = nla_data(tb[RTK_A_PARAM_VALUE]);
		at[n++] = attr;
	}
	return n;
}

/* What set and start share: @start says which. */
static int nl_set_start(struct genl_info *info, struct rtk_inst *inst, bool start)
{
	struct rtk_assign *assign;
	struct rtk_owner owner;
	struct nlattr **at;
	int n, rc, bad = -1;

	assign = kcalloc(ASSIGN_MAX, sizeof(*assign), GFP_KERNEL);
	at = kcalloc(ASSIGN_MAX, sizeof(*at), GFP_KERNEL);
	rc = -ENOMEM;
	if (!assign || !at)
		goto out;
	n = nl_parse_assign(info, assign, at);
	rc = n;
	if (n < 0)
		goto out;
	rtk_owner_self(&owner, info->attrs[RTK_A_DETACH] ? 0 : info->snd_portid);
	rc = start ? rtk_run_start(inst, &owner, assign, n, &bad) :
		     rtk_run_set(inst, assign, n, &bad);
	if (!rc)
		goto out;
	/* Static texts only; the words are in last-error. */
	if (bad >= 0)
		NL_SET_ERR_MSG_ATTR(info->extack, at[bad],
				    "parameter refused; see last-error");
	else
		NL_SET_ERR_MSG(info->extack, "refused; see last-error");
out:
	kfree(at);
	kfree(assign);
	return rc;
}

static int nl_transition(struct sk_buff *skb, struct genl_info *info)
{
	u8 cmd = info->genlhdr->cmd;
	struct rtk_inst *inst;
	int rc;

	rc = nl_check_cap(skb, info->extack);
	if (rc)
		return rc;
	inst = nl_inst(info->attrs[RTK_A_TEST], info->extack);
	if (IS_ERR(inst))
		return PTR_ERR(inst);
	switch (cmd) {
	case RTK_CMD_SET:
	case RTK_CMD_START:
		rc = nl_set_start(info, inst, cmd == RTK_CMD_START);
		break;
	case RTK_CMD_STOP:
		rc = rtk_run_stop(inst, RTK_STATE_DONE, "stopped");
		break;
	case RTK_CMD_RESET:
		rc = rtk_run_reset(inst);
		if (rc)
			NL_SET_ERR_MSG(info->extack, "refused; see last-error");
		break;
	}
	if (!rc)
		rc = nl_reply(info, inst, cmd);
	rtk_inst_put(inst);
	return rc;
}

/**
 * struct nl_dump - a dump in progress
 * @inst: the test it is about; NULL for all
 * @pos: position: test or lane
 * @item: position within it
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

static int nl_dump_done(struct netlink_callback *cb)
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

static int nl_dump_filter(struct nl_dump *d, struct nlattr **attrs,
			  struct netlink_ext_ack *extack)
{
	d->cpu = -1;
	if (attrs[RTK_A_TEST]) {
		struct rtk_inst *inst = nl_inst(attrs[RTK_A_TEST], extack);

		if (IS_ERR(inst))
			return PTR_ERR(inst);
		d->inst = inst;
	}
	return 0;
}

static struct nl_dump *nl_dump_begin(struct netlink_callback *cb)
{
	struct nl_dump *d;
	int rc;

	rc = nl_check_cap(cb->skb, cb->extack);
	if (rc)
		return ERR_PTR(rc);
	d = kzalloc(sizeof(*d), GFP_KERNEL);
	if (!d)
		return ERR_PTR(-ENOMEM);
	rc = nl_dump_filter(d, rtk_dump_attrs(cb), cb->extack);
	if (rc) {
		kfree(d);
		return ERR_PTR(rc);
	}
	cb->args[0] = (long)d;
	return d;
}

static int nl_test_get_start(struct netlink_callback *cb)
{
	struct nl_dump *d = nl_dump_begin(cb);

	return PTR_ERR_OR_ZERO(d);
}

static int nl_lane_start(struct netlink_callback *cb)
{
	struct nlattr **attrs = rtk_dump_attrs(cb);
	struct nl_dump *d = nl_dump_begin(cb);
	int rc = 0;

	if (IS_ERR(d))
		return PTR_ERR(d);
	if (!d->inst) {
		NL_SET_ERR_MSG(cb->extack, "no test named");
		rc = -EINVAL;
	}
	if (attrs[RTK_A_CPU])
		d->cpu = min_t(u32, nla_get_u32(attrs[RTK_A_CPU]), INT_MAX);
	if (attrs[RTK_A_SERIES])
		nla_strscpy(d->series, attrs[RTK_A_SERIES], sizeof(d->series));
	/* Buckets are needed for a count that is their sum, too. */
	if (!rc)
		rc = rtk_snap_alloc(&d->snap);
	if (rc)
		nl_dump_done(cb);
	return rc;
}

static void *nl_dump_put(struct sk_buff *skb, struct netlink_callback *cb, u8 cmd)
{
	void *hdr = genlmsg_put(skb, NETLINK_CB(cb->skb).portid, cb->nlh->nlmsg_seq,
				&rtk_family, NLM_F_MULTI, cmd);

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
	rc = nl_put_test(skb, inst, item);
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

static int nl_test_get_dump(struct sk_buff *skb, struct netlink_callback *cb)
{
	struct nl_dump *d = nl_dump_of(cb);
	struct rtk_inst *inst;
	int rc = 0;

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

static int nl_put_moments(struct sk_buff *skb, const struct rtk_snap *s)
{
	if (!s->count)
		return 0;
	if (nl_put_u64(skb, RTK_A_LANE_MINIMUM, s->m.min) ||
	    nl_put_u64(skb, RTK_A_LANE_MAXIMUM, s->max) ||
	    nl_put_u64(skb, RTK_A_LANE_LAST, s->m.last) ||
	    nl_put_u64(skb, RTK_A_LANE_MOMENTS_COUNT, s->m.n) ||
	    nl_put_u64(skb, RTK_A_LANE_SUM, s->m.sum) ||
	    nl_put_u64(skb, RTK_A_LANE_SUMSQ_LO, (u64)s->m.sumsq) ||
	    nl_put_u64(skb, RTK_A_LANE_SUMSQ_HI, (u64)(s->m.sumsq >> 64)))
		return -EMSGSIZE;
	return 0;
}

static int nl_put_ledger(struct sk_buff *skb, const struct rtk_snap *s)
{
	if (!(s->series->flags & RTK_SERIES_LEDGER))
		return 0;
	if (nl_put_u64(skb, RTK_A_LANE_PERIOD_NS, s->period) ||
	    nl_put_u64(skb, RTK_A_LANE_EXPECTED, s->expected) ||
	    nl_put_u64(skb, RTK_A_LANE_DELIVERED, s->count + s->negative) ||
	    nl_put_u64(skb, RTK_A_LANE_LATE, s->late) ||
	    nl_put_u64(skb, RTK_A_LANE_MISSED, s->missed))
		return -EMSGSIZE;
	return 0;
}

static int nl_put_lane(struct sk_buff *skb, const struct rtk_snap *s)
{
	struct nlattr *nest = nla_nest_start(skb, RTK_A_LANE);

	if (!nest ||
	    nla_put_u32(skb, RTK_A_LANE_CPU, s->cpu) ||
	    nla_put_string(skb, RTK_A_LANE_SERIES, s->series->name) ||
	    nla_put_string(skb, RTK_A_LANE_UNIT, s->series->unit) ||
	    (s->running && nla_put_flag(skb, RTK_A_LANE_RUNNING)) ||
	    nl_put_u64(skb, RTK_A_LANE_COUNT, s->count) ||
	    nl_put_u64(skb, RTK_A_LANE_NEGATIVE, s->negative) ||
	    nl_put_u64(skb, RTK_A_LANE_WRONG_CPU, s->wrong_cpu) ||
	    nl_put_u64(skb, RTK_A_LANE_OUTLIERS, s->outliers) ||
	    (s->ended_mono &&
	     nl_put_u64(skb, RTK_A_LANE_ENDED_MONO_NS, s->ended_mono)) ||
	    nl_put_moments(skb, s) || nl_put_ledger(skb, s))
		return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}

/*
 * The next buckets from d->item on; d->item moves behind them only if the
 * message is sent. Returns the new item, 0 at the end of the lane, or -errno.
 */
static int nl_put_buckets(struct sk_buff *skb, const struct nl_dump *d)
{
	const struct rtk_snap *s = &d->snap;
	struct nlattr *nest = nla_nest_start(skb, RTK_A_HIST);
	unsigned int i, n = 0;
	struct nlattr *attr;
	struct rtk_bucket *b;

	if (!nest || nla_put_u32(skb, RTK_A_HIST_SUB_BITS, RTK_HIST_SUB_BITS))
		return -EMSGSIZE;
	for (i = d->item; i < s->n_buckets && n < BUCKETS_MAX; i++)
		n += !!s->buckets[i];
	attr = nla_reserve(skb, RTK_A_HIST_BUCKETS, n * sizeof(*b));
	if (!attr)
		return -EMSGSIZE;
	b = nla_data(attr);
	for (i = d->item; n; i++) {
		if (!s->buckets[i])
			continue;
		*b++ = (struct rtk_bucket){ .index = i, .count = s->buckets[i] };
		n--;
	}
	for (n = i; n < s->n_buckets && !s->buckets[n]; n++)
		;
	if (n == s->n_buckets) {
		if (nla_put_flag(skb, RTK_A_HIST_END))
			return -EMSGSIZE;
		i = 0;
	}
	nla_nest_end(skb, nest);
	return i;
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
	int rc = nl_put_head(skb, d) ?: nl_put_lane(skb, &d->snap);

	if (!rc)
		d->pos++;
	return rc;
}

static int nl_hist_one(struct sk_buff *skb, struct nl_dump *d)
{
	int rc = nl_put_head(skb, d);

	if (!rc && !d->item)
		rc = nl_put_lane(skb, &d->snap);
	if (!rc)
		rc = nla_put_u32(skb, RTK_A_CPU, d->snap.cpu) ?:
		     nla_put_string(skb, RTK_A_SERIES, d->snap.series->name);
	if (!rc)
		rc = nl_put_buckets(skb, d);
	if (rc < 0)
		return rc;
	d->item = rc;
	if (!rc)
		d->pos++;
	return 0;
}

static int nl_put_sample(struct sk_buff *skb, const struct rtk_lane *lane,
			 const struct rtk_sample *s, bool worst, s64 wall_offset)
{
	struct nlattr *nest = nla_nest_start(skb, RTK_A_OUTLIER);
	char comm[TASK_COMM_LEN];

	if (!nest || (worst && nla_put_flag(skb, RTK_A_OUTLIER_WORST)) ||
	    nla_put_u32(skb, RTK_A_OUTLIER_CPU, lane->cpu) ||
	    nla_put_string(skb, RTK_A_OUTLIER_SERIES, lane->series->name) ||
	    nl_put_u64(skb, RTK_A_OUTLIER_VALUE, s->value) ||
	    nl_put_u64(skb, RTK_A_OUTLIER_SEQUENCE, s->sequence) ||
	    nl_put_u64(skb, RTK_A_OUTLIER_WALL_NS, s->mono + wall_offset) ||
	    nl_put_u64(skb, RTK_A_OUTLIER_MONO_NS, s->mono))
		return -EMSGSIZE;
	if (s->pid >= 0) {
		scnprintf(comm, sizeof(comm), "%.*s", TASK_COMM_LEN - 1, s->comm);
		if (nla_put_u32(skb, RTK_A_OUTLIER_PID, s->pid) ||
		    nla_put_string(skb, RTK_A_OUTLIER_COMM, comm))
			return -EMSGSIZE;
	}
	nla_nest_end(skb, nest);
	return 0;
}

/* The next sample of a lane, or none and on to the next lane. */
static int nl_outlier_one(struct sk_buff *skb, struct nl_dump *d)
{
	struct rtk_lane *lane = rtk_lane_at(d->inst, d->pos);
	struct rtk_sample sample;
	int rc;

	do {
		rc = rtk_outlier_copy(lane, d->item++, &sample);
	} while (rc == -EAGAIN);
	if (rc == -ENOENT) {
		d->pos++;
		d->item = 0;
		return -EAGAIN;
	}
	rc = nl_put_head(skb, d) ?:
	     nl_put_sample(skb, lane, &sample, rc, rtk_run_wall_offset(d->inst->run));
	if (rc)
		d->item--;
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

static int nl_lane_dump(struct sk_buff *skb, struct netlink_callback *cb)
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

static const struct genl_ops rtk_ops[] = {
	{
		.cmd = RTK_CMD_TEST_GET,
		.policy = rtk_test_get_do_nl_policy,
		.maxattr = ARRAY_SIZE(rtk_test_get_do_nl_policy) - 1,
		.doit = nl_test_get,
		.start = nl_test_get_start,
		.dumpit = nl_test_get_dump,
		.done = nl_dump_done,
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
		.start = nl_lane_start,
		.dumpit = nl_lane_dump,
		.done = nl_dump_done,
	}, {
		.cmd = RTK_CMD_HIST_GET,
		.policy = rtk_hist_get_nl_policy,
		.maxattr = ARRAY_SIZE(rtk_hist_get_nl_policy) - 1,
		.start = nl_lane_start,
		.dumpit = nl_lane_dump,
		.done = nl_dump_done,
	}, {
		.cmd = RTK_CMD_OUTLIER_GET,
		.policy = rtk_outlier_get_nl_policy,
		.maxattr = ARRAY_SIZE(rtk_outlier_get_nl_policy) - 1,
		.start = nl_lane_start,
		.dumpit = nl_lane_dump,
		.done = nl_dump_done,
	},
};

/* Not in other network namespaces: a container is no place to stall a CPU. */
static struct genl_family rtk_family __ro_after_init = {
	.name = RTK_FAMILY_NAME,
	.version = RTK_FAMILY_VERSION,
	.module = THIS_MODULE,
	.ops = rtk_ops,
	.n_ops = ARRAY_SIZE(rtk_ops),
	.resv_start_op = __RTK_CMD_MAX,
	.parallel_ops = true,
};

/* May sleep: the chain of netlink's notifiers is a blocking one. */
static int nl_event(struct notifier_block *nb, unsigned long event, void *data)
{
	struct netlink_notify *n = data;

	if (event == NETLINK_URELEASE && n->protocol == NETLINK_GENERIC &&
	    net_eq(n->net, &init_net))
		rtk_run_owner_gone(n->portid);
	return NOTIFY_DONE;
}

static struct notifier_block nl_nb = { .notifier_call = nl_event };

int rtk_netlink_init(void)
{
	int rc = netlink_register_notifier(&nl_nb);

	if (rc)
		return rc;
	rc = genl_register_family(&rtk_family);
	if (rc)
		netlink_unregister_notifier(&nl_nb);
	return rc;
}

void rtk_netlink_exit(void)
{
	genl_unregister_family(&rtk_family);
	netlink_unregister_notifier(&nl_nb);
}
