// SPDX-License-Identifier: GPL-2.0
/*
 * What is in the answers. An attribute that is unknown, doubled or of the
 * wrong size, or one that is missing, makes the message a bad one.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "nl.h"

#define ATTRS_MAX	32

enum kind { K_NONE, K_U32, K_U64, K_TEXT, K_FLAG, K_NEST, K_NESTS, K_BYTES };

struct set {
	const char *name;
	int max;
	enum kind kind[ATTRS_MAX];
};

static const struct set top_set = {
	"rtk", RTK_A_MAX, {
		[RTK_A_TEST] = K_TEXT, [RTK_A_GENERATION] = K_U32,
		[RTK_A_CPU] = K_U32, [RTK_A_SERIES] = K_TEXT, [RTK_A_INFO] = K_NEST,
		[RTK_A_PARAM] = K_NEST, [RTK_A_LANE] = K_NEST, [RTK_A_HIST] = K_NEST,
		[RTK_A_OUTLIER] = K_NEST, [RTK_A_EVENT] = K_NEST,
	},
};

static const struct set info_set = {
	"info", RTK_A_INFO_MAX, {
		[RTK_A_INFO_VERSION] = K_TEXT, [RTK_A_INFO_FEATURES] = K_U32,
		[RTK_A_INFO_SUMMARY] = K_TEXT, [RTK_A_INFO_STATE] = K_U32,
		[RTK_A_INFO_REASON] = K_TEXT, [RTK_A_INFO_LAST_ERROR] = K_TEXT,
		[RTK_A_INFO_SERIES] = K_NESTS, [RTK_A_INFO_CPUS] = K_TEXT,
		[RTK_A_INFO_LOST_CPUS] = K_TEXT, [RTK_A_INFO_STARTED_WALL_NS] = K_U64,
		[RTK_A_INFO_STARTED_MONO_NS] = K_U64, [RTK_A_INFO_ENDED_MONO_NS] = K_U64,
		[RTK_A_INFO_ELAPSED_NS] = K_U64, [RTK_A_INFO_PLANNED_NS] = K_U64,
		[RTK_A_INFO_OWNER_PID] = K_U32, [RTK_A_INFO_OWNER_COMM] = K_TEXT,
		[RTK_A_INFO_SMI_SOURCE] = K_TEXT, [RTK_A_INFO_SHARED_WITH] = K_TEXT,
		[RTK_A_INFO_CAUSE] = K_TEXT,
	},
};

static const struct set series_set = {
	"series", RTK_A_SERIES_MAX, {
		[RTK_A_SERIES_NAME] = K_TEXT, [RTK_A_SERIES_UNIT] = K_TEXT,
		[RTK_A_SERIES_SIGNED] = K_FLAG, [RTK_A_SERIES_LEDGER] = K_FLAG,
	},
};

static const struct set param_set = {
	"param", RTK_A_PARAM_MAX, {
		[RTK_A_PARAM_NAME] = K_TEXT, [RTK_A_PARAM_VALUE] = K_TEXT,
		[RTK_A_PARAM_RUN_VALUE] = K_TEXT, [RTK_A_PARAM_TYPE] = K_U32,
		[RTK_A_PARAM_UNIT] = K_TEXT, [RTK_A_PARAM_MINIMUM] = K_U64,
		[RTK_A_PARAM_MAXIMUM] = K_U64, [RTK_A_PARAM_DEFAULT] = K_TEXT,
		[RTK_A_PARAM_CHOICES] = K_TEXT, [RTK_A_PARAM_HELP] = K_TEXT,
	},
};

static const struct set lane_set = {
	"lane", RTK_A_LANE_MAX, {
		[RTK_A_LANE_CPU] = K_U32, [RTK_A_LANE_SERIES] = K_TEXT,
		[RTK_A_LANE_UNIT] = K_TEXT, [RTK_A_LANE_RUNNING] = K_FLAG,
		[RTK_A_LANE_COUNT] = K_U64, [RTK_A_LANE_NEGATIVE] = K_U64,
		[RTK_A_LANE_WRONG_CPU] = K_U64, [RTK_A_LANE_MINIMUM] = K_U64,
		[RTK_A_LANE_MAXIMUM] = K_U64, [RTK_A_LANE_LAST] = K_U64,
		[RTK_A_LANE_MOMENTS_COUNT] = K_U64, [RTK_A_LANE_SUM] = K_U64,
		[RTK_A_LANE_SUMSQ_LO] = K_U64, [RTK_A_LANE_SUMSQ_HI] = K_U64,
		[RTK_A_LANE_PERIOD_NS] = K_U64, [RTK_A_LANE_EXPECTED] = K_U64,
		[RTK_A_LANE_DELIVERED] = K_U64, [RTK_A_LANE_LATE] = K_U64,
		[RTK_A_LANE_MISSED] = K_U64, [RTK_A_LANE_ENDED_MONO_NS] = K_U64,
		[RTK_A_LANE_OUTLIERS] = K_U64, [RTK_A_LANE_SMI] = K_U32,
		[RTK_A_LANE_NMI] = K_U32, [RTK_A_LANE_COUNTER] = K_NESTS,
	},
};

static const struct set hist_set = {
	"hist", RTK_A_HIST_MAX, {
		[RTK_A_HIST_SUB_BITS] = K_U32, [RTK_A_HIST_BUCKETS] = K_BYTES,
		[RTK_A_HIST_END] = K_FLAG,
	},
};

static const struct set outlier_set = {
	"outlier", RTK_A_OUTLIER_MAX, {
		[RTK_A_OUTLIER_WORST] = K_FLAG, [RTK_A_OUTLIER_CPU] = K_U32,
		[RTK_A_OUTLIER_SERIES] = K_TEXT, [RTK_A_OUTLIER_VALUE] = K_U64,
		[RTK_A_OUTLIER_SEQUENCE] = K_U64, [RTK_A_OUTLIER_WALL_NS] = K_U64,
		[RTK_A_OUTLIER_MONO_NS] = K_U64, [RTK_A_OUTLIER_PID] = K_U32,
		[RTK_A_OUTLIER_COMM] = K_TEXT, [RTK_A_OUTLIER_IRQ] = K_U32,
		[RTK_A_OUTLIER_SOFTIRQ] = K_U32, [RTK_A_OUTLIER_NMI] = K_U32,
		[RTK_A_OUTLIER_SMI] = K_U32, [RTK_A_OUTLIER_SMI_SPAN_NS] = K_U64,
		[RTK_A_OUTLIER_DETAIL] = K_NESTS,
	},
};

static bool right_size(const struct nlattr *attr, enum kind kind)
{
	const char *text = mnl_attr_get_payload(attr);
	size_t len = mnl_attr_get_payload_len(attr);

	switch (kind) {
	case K_U32:
		return len == 4;
	case K_U64:
		return len == 8;
	case K_TEXT:
		return len && strnlen(text, len) == len - 1;
	case K_FLAG:
		return len == 0;
	case K_NEST:
	case K_NESTS:
	case K_BYTES:
		return true;
	default:
		return false;
	}
}

static int take_attr(const struct nlattr *attr, const struct set *set,
		     const struct nlattr **tb)
{
	int type = mnl_attr_get_type(attr);

	if (type > set->max || !right_size(attr, set->kind[type])) {
		fprintf(stderr, "# %s: attribute %d of %u bytes is not right\n",
			set->name, type, mnl_attr_get_payload_len(attr));
		return -1;
	}
	if (tb[type] && set->kind[type] != K_NESTS) {
		fprintf(stderr, "# %s: attribute %d twice\n", set->name, type);
		return -1;
	}
	tb[type] = attr;
	return 0;
}

/* Attributes of a nest into tb; those listed after it must be there, up to 0. */
static int take_nest(const struct nlattr *nest, const struct set *set,
		     const struct nlattr **tb, ...)
{
	const struct nlattr *attr;
	int type, rc = 0;
	va_list ap;

	memset(tb, 0, ATTRS_MAX * sizeof(*tb));
	mnl_attr_for_each_nested(attr, nest)
		if (take_attr(attr, set, tb))
			return -1;
	va_start(ap, tb);
	while ((type = va_arg(ap, int))) {
		if (tb[type])
			continue;
		fprintf(stderr, "# %s: no attribute %d\n", set->name, type);
		rc = -1;
	}
	va_end(ap);
	return rc;
}

static void text(const struct nlattr *attr, char *to, size_t size)
{
	snprintf(to, size, "%s", attr ? mnl_attr_get_str(attr) : "");
}

#define TEXT(attr, field) text(attr, field, sizeof(field))

static __u64 number(const struct nlattr *attr)
{
	return attr ? mnl_attr_get_u64(attr) : 0;
}

static int take_top(const struct nlmsghdr *nlh, int cmd, const struct nlattr **tb)
{
	const struct genlmsghdr *genl = mnl_nlmsg_get_payload(nlh);
	const struct nlattr *attr;

	memset(tb, 0, ATTRS_MAX * sizeof(*tb));
	if (genl->cmd != cmd) {
		fprintf(stderr, "# answer %d to command %d\n", genl->cmd, cmd);
		return -1;
	}
	mnl_attr_for_each(attr, nlh, sizeof(*genl))
		if (take_attr(attr, &top_set, tb))
			return -1;
	if (!tb[RTK_A_TEST] || !tb[RTK_A_GENERATION]) {
		fprintf(stderr, "# answer without test or generation\n");
		return -1;
	}
	return 0;
}

static int take_series(const struct nlattr *nest, struct info *info)
{
	const struct nlattr *tb[ATTRS_MAX];
	unsigned int i = info->n_series;

	if (i == 8)
		return -1;
	if (take_nest(nest, &series_set, tb, RTK_A_SERIES_NAME, RTK_A_SERIES_UNIT, 0))
		return -1;
	TEXT(tb[RTK_A_SERIES_NAME], info->series[i]);
	TEXT(tb[RTK_A_SERIES_UNIT], info->series_unit[i]);
	info->series_ledger[i] = tb[RTK_A_SERIES_LEDGER];
	info->n_series++;
	return 0;
}

static int take_info(const struct nlattr *nest, struct info *info)
{
	const struct nlattr *tb[ATTRS_MAX], *attr;

	if (take_nest(nest, &info_set, tb, RTK_A_INFO_VERSION, RTK_A_INFO_FEATURES,
		      RTK_A_INFO_SUMMARY, RTK_A_INFO_STATE, RTK_A_INFO_REASON,
		      RTK_A_INFO_LAST_ERROR, RTK_A_INFO_SERIES, 0))
		return -1;
	TEXT(tb[RTK_A_INFO_VERSION], info->version);
	TEXT(tb[RTK_A_INFO_SUMMARY], info->summary);
	TEXT(tb[RTK_A_INFO_REASON], info->reason);
	TEXT(tb[RTK_A_INFO_LAST_ERROR], info->last_error);
	info->features = mnl_attr_get_u32(tb[RTK_A_INFO_FEATURES]);
	info->state = mnl_attr_get_u32(tb[RTK_A_INFO_STATE]);
	mnl_attr_for_each_nested(attr, nest)
		if (mnl_attr_get_type(attr) == RTK_A_INFO_SERIES && take_series(attr, info))
			return -1;
	info->has_run = tb[RTK_A_INFO_CPUS];
	if (!info->has_run)
		return 0;
	if (take_nest(nest, &info_set, tb, RTK_A_INFO_LOST_CPUS,
		      RTK_A_INFO_STARTED_WALL_NS, RTK_A_INFO_STARTED_MONO_NS,
		      RTK_A_INFO_ELAPSED_NS, RTK_A_INFO_PLANNED_NS,
		      RTK_A_INFO_OWNER_PID, RTK_A_INFO_OWNER_COMM, 0))
		return -1;
	TEXT(tb[RTK_A_INFO_CPUS], info->cpus);
	TEXT(tb[RTK_A_INFO_LOST_CPUS], info->lost);
	info->started_wall = number(tb[RTK_A_INFO_STARTED_WALL_NS]);
	info->started_mono = number(tb[RTK_A_INFO_STARTED_MONO_NS]);
	info->has_end = tb[RTK_A_INFO_ENDED_MONO_NS];
	info->ended_mono = number(tb[RTK_A_INFO_ENDED_MONO_NS]);
	info->elapsed = number(tb[RTK_A_INFO_ELAPSED_NS]);
	info->planned = number(tb[RTK_A_INFO_PLANNED_NS]);
	info->owner_pid = mnl_attr_get_u32(tb[RTK_A_INFO_OWNER_PID]);
	TEXT(tb[RTK_A_INFO_OWNER_COMM], info->owner_comm);
	return 0;
}

static int take_param(const struct nlattr *nest, struct param *p)
{
	const struct nlattr *tb[ATTRS_MAX];

	if (take_nest(nest, &param_set, tb, RTK_A_PARAM_NAME, RTK_A_PARAM_VALUE,
		      RTK_A_PARAM_TYPE, RTK_A_PARAM_DEFAULT, RTK_A_PARAM_HELP, 0))
		return -1;
	TEXT(tb[RTK_A_PARAM_NAME], p->name);
	TEXT(tb[RTK_A_PARAM_VALUE], p->value);
	p->has_run_value = tb[RTK_A_PARAM_RUN_VALUE];
	TEXT(tb[RTK_A_PARAM_RUN_VALUE], p->run_value);
	p->type = mnl_attr_get_u32(tb[RTK_A_PARAM_TYPE]);
	TEXT(tb[RTK_A_PARAM_UNIT], p->unit);
	p->has_range = tb[RTK_A_PARAM_MINIMUM] && tb[RTK_A_PARAM_MAXIMUM];
	p->min = number(tb[RTK_A_PARAM_MINIMUM]);
	p->max = number(tb[RTK_A_PARAM_MAXIMUM]);
	TEXT(tb[RTK_A_PARAM_DEFAULT], p->def);
	TEXT(tb[RTK_A_PARAM_CHOICES], p->choices);
	TEXT(tb[RTK_A_PARAM_HELP], p->help);
	return 0;
}

int desc_cb(const struct nlmsghdr *nlh, void *data)
{
	const struct nlattr *tb[ATTRS_MAX];
	struct desc *d = data;
	__u32 generation;

	if (take_top(nlh, RTK_CMD_TEST_GET, tb) ||
	    !tb[RTK_A_INFO] == !tb[RTK_A_PARAM])
		return -1;
	/* Tests that this program knows nothing about. */
	if (strcmp(mnl_attr_get_str(tb[RTK_A_TEST]), TEST_NAME))
		return 0;
	generation = mnl_attr_get_u32(tb[RTK_A_GENERATION]);
	if (d->n_infos + d->n_params && generation != d->info.generation)
		d->mixed = true;
	d->info.generation = generation;
	if (tb[RTK_A_INFO]) {
		TEXT(tb[RTK_A_TEST], d->info.test);
		return d->n_infos++ ? -1 : take_info(tb[RTK_A_INFO], &d->info);
	}
	if (d->n_params == NL_PARAMS_MAX)
		return -1;
	return take_param(tb[RTK_A_PARAM], &d->param[d->n_params++]);
}

static int take_ledger(const struct nlattr **tb, struct lane *l)
{
	l->has_ledger = tb[RTK_A_LANE_EXPECTED];
	if (!tb[RTK_A_LANE_DELIVERED] != !l->has_ledger ||
	    !tb[RTK_A_LANE_MISSED] != !l->has_ledger ||
	    !tb[RTK_A_LANE_LATE] != !l->has_ledger ||
	    !tb[RTK_A_LANE_PERIOD_NS] != !l->has_ledger)
		return -1;
	l->period = number(tb[RTK_A_LANE_PERIOD_NS]);
	l->expected = number(tb[RTK_A_LANE_EXPECTED]);
	l->delivered = number(tb[RTK_A_LANE_DELIVERED]);
	l->late = number(tb[RTK_A_LANE_LATE]);
	l->missed = number(tb[RTK_A_LANE_MISSED]);
	return 0;
}

static int take_moments(const struct nlattr **tb, struct lane *l)
{
	int i;

	l->has_moments = tb[RTK_A_LANE_MINIMUM];
	/* All of them or none, and none is for a count of 0. */
	for (i = RTK_A_LANE_MINIMUM; i <= RTK_A_LANE_SUMSQ_HI; i++)
		if (!tb[i] != !l->count)
			return -1;
	l->min = number(tb[RTK_A_LANE_MINIMUM]);
	l->max = number(tb[RTK_A_LANE_MAXIMUM]);
	l->last = number(tb[RTK_A_LANE_LAST]);
	l->moments_count = number(tb[RTK_A_LANE_MOMENTS_COUNT]);
	l->sum = number(tb[RTK_A_LANE_SUM]);
	l->sumsq = (unsigned __int128)number(tb[RTK_A_LANE_SUMSQ_HI]) << 64 |
		   number(tb[RTK_A_LANE_SUMSQ_LO]);
	return 0;
}

static int take_lane(const struct nlattr *nest, struct lane *l)
{
	const struct nlattr *tb[ATTRS_MAX];

	if (take_nest(nest, &lane_set, tb, RTK_A_LANE_CPU, RTK_A_LANE_SERIES,
		      RTK_A_LANE_UNIT, RTK_A_LANE_COUNT, RTK_A_LANE_NEGATIVE,
		      RTK_A_LANE_WRONG_CPU, RTK_A_LANE_OUTLIERS, 0))
		return -1;
	l->cpu = mnl_attr_get_u32(tb[RTK_A_LANE_CPU]);
	TEXT(tb[RTK_A_LANE_SERIES], l->series);
	TEXT(tb[RTK_A_LANE_UNIT], l->unit);
	l->running = tb[RTK_A_LANE_RUNNING];
	l->count = number(tb[RTK_A_LANE_COUNT]);
	l->negative = number(tb[RTK_A_LANE_NEGATIVE]);
	l->wrong_cpu = number(tb[RTK_A_LANE_WRONG_CPU]);
	l->outliers = number(tb[RTK_A_LANE_OUTLIERS]);
	l->has_end = tb[RTK_A_LANE_ENDED_MONO_NS];
	l->ended = number(tb[RTK_A_LANE_ENDED_MONO_NS]);
	return take_moments(tb, l) || take_ledger(tb, l) ? -1 : 0;
}

static struct lane *next_lane(struct lanes *lanes)
{
	struct lane *l;

	if (lanes->n == NL_LANES_MAX)
		return NULL;
	l = &lanes->lane[lanes->n++];
	memset(l, 0, sizeof(*l));
	return l;
}

int stats_cb(const struct nlmsghdr *nlh, void *data)
{
	const struct nlattr *tb[ATTRS_MAX];
	struct lane *l;

	if (take_top(nlh, RTK_CMD_STATS_GET, tb) || !tb[RTK_A_LANE])
		return -1;
	l = next_lane(data);
	if (!l)
		return -1;
	l->generation = mnl_attr_get_u32(tb[RTK_A_GENERATION]);
	return take_lane(tb[RTK_A_LANE], l);
}

/* Buckets in the order of their index, none of them 0, none twice. */
static int take_buckets(const struct nlattr *attr, struct lane *l)
{
	unsigned int i, n = mnl_attr_get_payload_len(attr) / sizeof(struct rtk_bucket);
	const char *p = mnl_attr_get_payload(attr);
	struct rtk_bucket b;
	static __u32 last;

	if (mnl_attr_get_payload_len(attr) % sizeof(b))
		return -1;
	for (i = 0; i < n; i++) {
		memcpy(&b, p + i * sizeof(b), sizeof(b));
		if (b.index >= RTK_HIST_BUCKETS || b.pad || !b.count ||
		    (l->n_buckets && b.index <= last)) {
			fprintf(stderr, "# bucket %u (pad %u, count %llu) after %u is wrong\n",
				b.index, b.pad, b.count, last);
			return -1;
		}
		last = b.index;
		l->buckets[b.index] = b.count;
		l->n_buckets++;
	}
	return 0;
}

int hist_cb(const struct nlmsghdr *nlh, void *data)
{
	const struct nlattr *tb[ATTRS_MAX], *h[ATTRS_MAX];
	struct lanes *lanes = data;
	struct lane *l = lanes->n ? &lanes->lane[lanes->n - 1] : NULL;

	if (take_top(nlh, RTK_CMD_HIST_GET, tb) || !tb[RTK_A_CPU] ||
	    !tb[RTK_A_SERIES] || !tb[RTK_A_HIST])
		return -1;
	/* A lane begins with its description and only after the end of another. */
	if (!tb[RTK_A_LANE] == (!l || l->end)) {
		fprintf(stderr, "# a lane that has no beginning or no end\n");
		return -1;
	}
	if (tb[RTK_A_LANE]) {
		l = next_lane(lanes);
		if (!l || take_lane(tb[RTK_A_LANE], l))
			return -1;
		l->generation = mnl_attr_get_u32(tb[RTK_A_GENERATION]);
	}
	if (l->cpu != mnl_attr_get_u32(tb[RTK_A_CPU]) ||
	    strcmp(l->series, mnl_attr_get_str(tb[RTK_A_SERIES])) ||
	    l->generation != mnl_attr_get_u32(tb[RTK_A_GENERATION])) {
		fprintf(stderr, "# a message of another lane in the middle of one\n");
		return -1;
	}
	if (take_nest(tb[RTK_A_HIST], &hist_set, h, RTK_A_HIST_SUB_BITS,
		      RTK_A_HIST_BUCKETS, 0) ||
	    mnl_attr_get_u32(h[RTK_A_HIST_SUB_BITS]) != RTK_HIST_SUB_BITS)
		return -1;
	l->messages++;
	l->end = h[RTK_A_HIST_END];
	return take_buckets(h[RTK_A_HIST_BUCKETS], l);
}

int samples_cb(const struct nlmsghdr *nlh, void *data)
{
	const struct nlattr *tb[ATTRS_MAX];
	struct samples *all = data;
	struct sample *s;

	if (take_top(nlh, RTK_CMD_OUTLIER_GET, tb) || !tb[RTK_A_OUTLIER] ||
	    all->n == NL_SAMPLES_MAX)
		return -1;
	s = &all->sample[all->n++];
	memset(s, 0, sizeof(*s));
	if (take_nest(tb[RTK_A_OUTLIER], &outlier_set, tb, RTK_A_OUTLIER_CPU,
		      RTK_A_OUTLIER_SERIES, RTK_A_OUTLIER_VALUE,
		      RTK_A_OUTLIER_SEQUENCE, RTK_A_OUTLIER_WALL_NS,
		      RTK_A_OUTLIER_MONO_NS, 0) ||
	    !tb[RTK_A_OUTLIER_PID] != !tb[RTK_A_OUTLIER_COMM])
		return -1;
	s->worst = tb[RTK_A_OUTLIER_WORST];
	s->cpu = mnl_attr_get_u32(tb[RTK_A_OUTLIER_CPU]);
	TEXT(tb[RTK_A_OUTLIER_SERIES], s->series);
	s->value = number(tb[RTK_A_OUTLIER_VALUE]);
	s->sequence = number(tb[RTK_A_OUTLIER_SEQUENCE]);
	s->wall = number(tb[RTK_A_OUTLIER_WALL_NS]);
	s->mono = number(tb[RTK_A_OUTLIER_MONO_NS]);
	s->has_task = tb[RTK_A_OUTLIER_PID];
	s->pid = s->has_task ? mnl_attr_get_u32(tb[RTK_A_OUTLIER_PID]) : 0;
	TEXT(tb[RTK_A_OUTLIER_COMM], s->comm);
	return 0;
}
