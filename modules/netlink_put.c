// SPDX-License-Identifier: GPL-2.0
/*
 * netlink: what messages are made of.
 */
#include <linux/slab.h>
#include <linux/string.h>
#include <net/netlink.h>

#include "netlink.h"
#include "smi.h"

/* Bytes of buckets in one message; a message stays below 3.5 KiB. */
#define BUCKETS_MAX	(3072 / sizeof(struct rtk_bucket))

int rtk_nl_put_u64(struct sk_buff *skb, int type, u64 value)
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
	/* Not a part of a list, which would be another list. */
	rc = 0;
	if (snprintf(buf, RTK_PARAM_VALUE_MAX + 1, "%*pbl",
		     cpumask_pr_args(cpus)) <= RTK_PARAM_VALUE_MAX)
		rc = nla_put_string(skb, type, buf);
	kfree(buf);
	return rc;
}

/* The part of a test's description that is about its run; rtk_lock held. */
static int nl_put_run(struct sk_buff *skb, const struct rtk_run *run)
{
	int rc = nl_put_cpus(skb, RTK_A_INFO_CPUS, &run->cpus) ?:
		 nl_put_cpus(skb, RTK_A_INFO_LOST_CPUS, &run->lost);

	if (rc)
		return rc;
	if (rtk_nl_put_u64(skb, RTK_A_INFO_STARTED_WALL_NS, run->started_wall) ||
	    rtk_nl_put_u64(skb, RTK_A_INFO_STARTED_MONO_NS, run->measure_from) ||
	    (run->ended_mono &&
	     rtk_nl_put_u64(skb, RTK_A_INFO_ENDED_MONO_NS, run->ended_mono)) ||
	    rtk_nl_put_u64(skb, RTK_A_INFO_ELAPSED_NS, rtk_run_elapsed(run)) ||
	    rtk_nl_put_u64(skb, RTK_A_INFO_PLANNED_NS,
			   run->common.duration_ms * NSEC_PER_MSEC) ||
	    nla_put_u32(skb, RTK_A_INFO_OWNER_PID, run->owner.pid) ||
	    nla_put_string(skb, RTK_A_INFO_OWNER_COMM, run->owner.comm) ||
	    (*run->shared_with &&
	     nla_put_string(skb, RTK_A_INFO_SHARED_WITH, run->shared_with)) ||
	    (*run->cause.text &&
	     nla_put_string(skb, RTK_A_INFO_CAUSE, run->cause.text)))
		return -EMSGSIZE;
	return 0;
}

static int nl_put_info(struct sk_buff *skb, struct rtk_inst *inst)
{
	const struct rtk_test *test = inst->test;
	struct nlattr *nest = nla_nest_start(skb, RTK_A_INFO);
	unsigned int i;
	int rc;

	if (!nest ||
	    nla_put_string(skb, RTK_A_INFO_VERSION, RTK_VERSION) ||
	    nla_put_u32(skb, RTK_A_INFO_FEATURES,
			RTK_FEATURE_OUTLIERS | RTK_FEATURE_EVENTS |
			RTK_FEATURE_OWNED_RUNS) ||
	    nla_put_string(skb, RTK_A_INFO_SMI_SOURCE, rtk_smi_source_name()) ||
	    nla_put_string(skb, RTK_A_INFO_SUMMARY, test->summary) ||
	    nla_put_u32(skb, RTK_A_INFO_STATE, inst->state) ||
	    nla_put_string(skb, RTK_A_INFO_REASON, inst->reason) ||
	    nla_put_string(skb, RTK_A_INFO_LAST_ERROR, inst->last_error.text))
		return -EMSGSIZE;
	for (i = 0; i < test->n_series; i++)
		if (nl_put_series(skb, &test->series[i]))
			return -EMSGSIZE;
	rc = inst->run ? nl_put_run(skb, inst->run) : 0;
	if (rc)
		return rc;
	nla_nest_end(skb, nest);
	return 0;
}

static int nl_put_row(struct sk_buff *skb, const struct rtk_test *test, unsigned int i,
		      char *buf)
{
	const struct rtk_param *row = rtk_param_row(test, i);
	bool number = row->type == RTK_PARAM_TYPE_U64 ||
		      row->type == RTK_PARAM_TYPE_S64;

	if (nla_put_u32(skb, RTK_A_PARAM_TYPE, row->type) ||
	    (row->unit && nla_put_string(skb, RTK_A_PARAM_UNIT, row->unit)) ||
	    (number && (rtk_nl_put_u64(skb, RTK_A_PARAM_MINIMUM, row->min) ||
			rtk_nl_put_u64(skb, RTK_A_PARAM_MAXIMUM, row->max))) ||
	    nla_put_string(skb, RTK_A_PARAM_DEFAULT, rtk_param_default(test, i)) ||
	    (row->type == RTK_PARAM_TYPE_ENUM &&
	     nla_put_string(skb, RTK_A_PARAM_CHOICES,
			    rtk_param_choices(row, buf, RTK_PARAM_VALUE_MAX))) ||
	    nla_put_string(skb, RTK_A_PARAM_HELP, row->help))
		return -EMSGSIZE;
	return 0;
}

/* Value now and, where it is another one, in the run whose results are kept. */
static int nl_put_values(struct sk_buff *skb, struct rtk_inst *inst, unsigned int i,
			 char *buf, char *run_buf)
{
	rtk_param_format(inst->test, i, &inst->common, inst->config, buf);
	if (nla_put_string(skb, RTK_A_PARAM_VALUE, buf))
		return -EMSGSIZE;
	if (!inst->run)
		return 0;
	rtk_param_format(inst->test, i, &inst->run->common, inst->run->config, run_buf);
	return strcmp(buf, run_buf) ?
	       nla_put_string(skb, RTK_A_PARAM_RUN_VALUE, run_buf) : 0;
}

static int nl_put_param(struct sk_buff *skb, struct rtk_inst *inst, unsigned int i)
{
	const struct rtk_param *row = rtk_param_row(inst->test, i);
	const size_t size = RTK_PARAM_VALUE_MAX + 1;
	char *buf = kmalloc(2 * size, GFP_KERNEL);
	struct nlattr *nest;
	int rc = -EMSGSIZE;

	if (!buf)
		return -ENOMEM;
	nest = nla_nest_start(skb, RTK_A_PARAM);
	if (!nest || nla_put_string(skb, RTK_A_PARAM_NAME, row->name) ||
	    nl_put_values(skb, inst, i, buf, buf + size) ||
	    nl_put_row(skb, inst->test, i, buf))
		goto out;
	nla_nest_end(skb, nest);
	rc = 0;
out:
	kfree(buf);
	return rc;
}

int rtk_nl_put_test(struct sk_buff *skb, struct rtk_inst *inst, unsigned int item)
{
	if (nla_put_string(skb, RTK_A_TEST, inst->test->name) ||
	    nla_put_u32(skb, RTK_A_GENERATION, inst->generation))
		return -EMSGSIZE;
	return item ? nl_put_param(skb, inst, item - 1) : nl_put_info(skb, inst);
}

static int nl_put_moments(struct sk_buff *skb, const struct rtk_snap *s)
{
	/* A first sample in flight is in the moments, and in no bucket yet. */
	if (!s->m.n || !s->count)
		return 0;
	if (rtk_nl_put_u64(skb, RTK_A_LANE_MINIMUM, s->m.min) ||
	    rtk_nl_put_u64(skb, RTK_A_LANE_MAXIMUM, s->max) ||
	    rtk_nl_put_u64(skb, RTK_A_LANE_LAST, s->m.last) ||
	    rtk_nl_put_u64(skb, RTK_A_LANE_MOMENTS_COUNT, s->m.n) ||
	    rtk_nl_put_u64(skb, RTK_A_LANE_SUM, s->m.sum) ||
	    rtk_nl_put_u64(skb, RTK_A_LANE_SUMSQ_LO, s->m.sumsq_lo) ||
	    rtk_nl_put_u64(skb, RTK_A_LANE_SUMSQ_HI, s->m.sumsq_hi))
		return -EMSGSIZE;
	return 0;
}

/* A number of the test's own. */
static int nl_put_item(struct sk_buff *skb, int type, const char *name, const char *unit,
		       u64 value)
{
	struct nlattr *nest = nla_nest_start(skb, type);

	if (!nest || nla_put_string(skb, RTK_A_ITEM_NAME, name) ||
	    (unit && nla_put_string(skb, RTK_A_ITEM_UNIT, unit)) ||
	    rtk_nl_put_u64(skb, RTK_A_ITEM_VALUE, value))
		return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}

static int nl_put_counters(struct sk_buff *skb, const struct rtk_snap *s)
{
	unsigned int i;
	int rc = 0;

	for (i = 0; i < s->n_counters && !rc; i++)
		rc = nl_put_item(skb, RTK_A_LANE_COUNTER, s->counters[i].name,
				 s->counters[i].unit, s->counter[i]);
	return rc;
}

static int nl_put_ledger(struct sk_buff *skb, const struct rtk_snap *s)
{
	if (!rtk_snap_has_ledger(s))
		return 0;
	if (rtk_nl_put_u64(skb, RTK_A_LANE_PERIOD_NS, s->period) ||
	    rtk_nl_put_u64(skb, RTK_A_LANE_EXPECTED, s->expected) ||
	    rtk_nl_put_u64(skb, RTK_A_LANE_DELIVERED, s->count + s->negative) ||
	    rtk_nl_put_u64(skb, RTK_A_LANE_LATE, s->late) ||
	    rtk_nl_put_u64(skb, RTK_A_LANE_MISSED, s->missed))
		return -EMSGSIZE;
	return 0;
}

int rtk_nl_put_lane(struct sk_buff *skb, const struct rtk_snap *s)
{
	struct nlattr *nest = nla_nest_start(skb, RTK_A_LANE);

	if (!nest ||
	    nla_put_u32(skb, RTK_A_LANE_CPU, s->cpu) ||
	    nla_put_string(skb, RTK_A_LANE_SERIES, s->series->name) ||
	    nla_put_string(skb, RTK_A_LANE_UNIT, s->series->unit) ||
	    (s->running && nla_put_flag(skb, RTK_A_LANE_RUNNING)) ||
	    rtk_nl_put_u64(skb, RTK_A_LANE_COUNT, s->count) ||
	    rtk_nl_put_u64(skb, RTK_A_LANE_NEGATIVE, s->negative) ||
	    rtk_nl_put_u64(skb, RTK_A_LANE_WRONG_CPU, s->wrong_cpu) ||
	    rtk_nl_put_u64(skb, RTK_A_LANE_OUTLIERS, s->outliers) ||
	    (s->ended_mono &&
	     rtk_nl_put_u64(skb, RTK_A_LANE_ENDED_MONO_NS, s->ended_mono)) ||
	    (s->smis >= 0 && nla_put_u32(skb, RTK_A_LANE_SMI, s->smis)) ||
	    (s->nmis >= 0 && nla_put_u32(skb, RTK_A_LANE_NMI, s->nmis)) ||
	    nl_put_moments(skb, s) || nl_put_ledger(skb, s) || nl_put_counters(skb, s))
		return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}

int rtk_nl_put_buckets(struct sk_buff *skb, const struct rtk_snap *s,
		       unsigned int from)
{
	struct nlattr *nest = nla_nest_start(skb, RTK_A_HIST);
	unsigned int i, n = 0;
	struct nlattr *attr;
	struct rtk_bucket *b;

	if (!nest || nla_put_u32(skb, RTK_A_HIST_SUB_BITS, RTK_HIST_SUB_BITS))
		return -EMSGSIZE;
	for (i = from; i < s->n_buckets && n < BUCKETS_MAX; i++)
		n += !!s->buckets[i];
	attr = nla_reserve(skb, RTK_A_HIST_BUCKETS, n * sizeof(*b));
	if (!attr)
		return -EMSGSIZE;
	b = nla_data(attr);
	for (i = from; n; i++) {
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

static int nl_put_details(struct sk_buff *skb, const struct rtk_test *test,
			  const struct rtk_sample *s)
{
	unsigned int i;
	int rc = 0;

	for (i = 0; i < RTK_DETAILS && test->details[i] && !rc; i++)
		rc = nl_put_item(skb, RTK_A_OUTLIER_DETAIL, test->details[i], NULL,
				 s->detail[i]);
	return rc;
}

int rtk_nl_put_sample(struct sk_buff *skb, const struct rtk_lane *lane,
		      const struct rtk_sample *s, bool worst, s64 wall_offset)
{
	struct nlattr *nest = nla_nest_start(skb, RTK_A_OUTLIER);
	char comm[TASK_COMM_LEN];

	if (!nest || (worst && nla_put_flag(skb, RTK_A_OUTLIER_WORST)) ||
	    nla_put_u32(skb, RTK_A_OUTLIER_CPU, lane->cpu) ||
	    nla_put_string(skb, RTK_A_OUTLIER_SERIES, lane->series->name) ||
	    rtk_nl_put_u64(skb, RTK_A_OUTLIER_VALUE, s->value) ||
	    rtk_nl_put_u64(skb, RTK_A_OUTLIER_SEQUENCE, s->sequence) ||
	    rtk_nl_put_u64(skb, RTK_A_OUTLIER_WALL_NS, s->mono + wall_offset) ||
	    rtk_nl_put_u64(skb, RTK_A_OUTLIER_MONO_NS, s->mono) ||
	    nla_put_u32(skb, RTK_A_OUTLIER_IRQ, s->irqs) ||
	    nla_put_u32(skb, RTK_A_OUTLIER_SOFTIRQ, s->softirqs) ||
	    nla_put_u32(skb, RTK_A_OUTLIER_NMI, s->nmis))
		return -EMSGSIZE;
	if (s->smis >= 0 &&
	    (nla_put_u32(skb, RTK_A_OUTLIER_SMI, s->smis) ||
	     rtk_nl_put_u64(skb, RTK_A_OUTLIER_SMI_SPAN_NS, s->smi_span)))
		return -EMSGSIZE;
	if (nl_put_details(skb, rtk_lane_test(lane), s))
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
