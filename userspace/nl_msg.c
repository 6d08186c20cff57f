// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <linux/genetlink.h>
#include <netlink/attr.h>

#include "nl_msg.h"
#include "util.h"

/* How an attribute is stored in a struct. */
enum kind { U32, U64, S64, FLAG, TEXT, DUP, WIDE };

/*
 * One attribute: its number, its kind, and where it goes. TEXT goes into an
 * array of size bytes, DUP into a pointer that is allocated, WIDE is 32 bits on
 * the wire and a __s64 here, so that -1 can stand for absent.
 */
struct field {
	int attr;
	enum kind kind;
	size_t offset;
	size_t size;
};

#define FIELD(a, k, s, m)                                               \
	{                                                               \
		a, k, offsetof(struct s, m), sizeof(((struct s *)0)->m) \
	}

static const struct field info_fields[] = {
	FIELD(RTK_A_INFO_VERSION, TEXT, rtk_test, version),
	FIELD(RTK_A_INFO_FEATURES, U32, rtk_test, features),
	FIELD(RTK_A_INFO_SUMMARY, DUP, rtk_test, summary),
	FIELD(RTK_A_INFO_STATE, U32, rtk_test, state),
	FIELD(RTK_A_INFO_REASON, DUP, rtk_test, reason),
	FIELD(RTK_A_INFO_LAST_ERROR, DUP, rtk_test, last_error),
	FIELD(RTK_A_INFO_CPUS, DUP, rtk_test, cpus),
	FIELD(RTK_A_INFO_LOST_CPUS, DUP, rtk_test, lost_cpus),
	FIELD(RTK_A_INFO_STARTED_WALL_NS, U64, rtk_test, started_wall_ns),
	FIELD(RTK_A_INFO_STARTED_MONO_NS, U64, rtk_test, started_mono_ns),
	FIELD(RTK_A_INFO_ENDED_MONO_NS, U64, rtk_test, ended_mono_ns),
	FIELD(RTK_A_INFO_ELAPSED_NS, U64, rtk_test, elapsed_ns),
	FIELD(RTK_A_INFO_PLANNED_NS, U64, rtk_test, planned_ns),
	FIELD(RTK_A_INFO_OWNER_PID, U32, rtk_test, owner_pid),
	FIELD(RTK_A_INFO_OWNER_COMM, TEXT, rtk_test, owner_comm),
	FIELD(RTK_A_INFO_SMI_SOURCE, TEXT, rtk_test, smi_source),
	FIELD(RTK_A_INFO_SHARED_WITH, DUP, rtk_test, shared_with),
	FIELD(RTK_A_INFO_CAUSE, DUP, rtk_test, cause),
	{ 0 }
};

static const struct field series_fields[] = {
	FIELD(RTK_A_SERIES_NAME, TEXT, rtk_series, name),
	FIELD(RTK_A_SERIES_UNIT, TEXT, rtk_series, unit),
	FIELD(RTK_A_SERIES_SIGNED, FLAG, rtk_series, is_signed),
	FIELD(RTK_A_SERIES_LEDGER, FLAG, rtk_series, ledger),
	{ 0 }
};

static const struct field param_fields[] = {
	FIELD(RTK_A_PARAM_NAME, TEXT, rtk_param, name),
	FIELD(RTK_A_PARAM_VALUE, DUP, rtk_param, value),
	FIELD(RTK_A_PARAM_RUN_VALUE, DUP, rtk_param, run_value),
	FIELD(RTK_A_PARAM_TYPE, U32, rtk_param, type),
	FIELD(RTK_A_PARAM_UNIT, TEXT, rtk_param, unit),
	FIELD(RTK_A_PARAM_MINIMUM, S64, rtk_param, min),
	FIELD(RTK_A_PARAM_MAXIMUM, S64, rtk_param, max),
	FIELD(RTK_A_PARAM_DEFAULT, DUP, rtk_param, def),
	FIELD(RTK_A_PARAM_CHOICES, DUP, rtk_param, choices),
	FIELD(RTK_A_PARAM_HELP, DUP, rtk_param, help),
	{ 0 }
};

static const struct field lane_fields[] = {
	FIELD(RTK_A_LANE_CPU, U32, rtk_lane, cpu),
	FIELD(RTK_A_LANE_SERIES, TEXT, rtk_lane, series),
	FIELD(RTK_A_LANE_UNIT, TEXT, rtk_lane, unit),
	FIELD(RTK_A_LANE_RUNNING, FLAG, rtk_lane, running),
	FIELD(RTK_A_LANE_COUNT, U64, rtk_lane, count),
	FIELD(RTK_A_LANE_NEGATIVE, U64, rtk_lane, negative),
	FIELD(RTK_A_LANE_WRONG_CPU, U64, rtk_lane, wrong_cpu),
	FIELD(RTK_A_LANE_MINIMUM, S64, rtk_lane, min),
	FIELD(RTK_A_LANE_MAXIMUM, S64, rtk_lane, max),
	FIELD(RTK_A_LANE_LAST, S64, rtk_lane, last),
	FIELD(RTK_A_LANE_MOMENTS_COUNT, U64, rtk_lane, moments_count),
	FIELD(RTK_A_LANE_SUM, S64, rtk_lane, sum),
	FIELD(RTK_A_LANE_SUMSQ_LO, U64, rtk_lane, sumsq_lo),
	FIELD(RTK_A_LANE_SUMSQ_HI, U64, rtk_lane, sumsq_hi),
	FIELD(RTK_A_LANE_PERIOD_NS, U64, rtk_lane, period_ns),
	FIELD(RTK_A_LANE_EXPECTED, U64, rtk_lane, expected),
	FIELD(RTK_A_LANE_DELIVERED, U64, rtk_lane, delivered),
	FIELD(RTK_A_LANE_LATE, U64, rtk_lane, late),
	FIELD(RTK_A_LANE_MISSED, U64, rtk_lane, missed),
	FIELD(RTK_A_LANE_OUTLIERS, U64, rtk_lane, outliers),
	FIELD(RTK_A_LANE_SMI, U32, rtk_lane, smi),
	FIELD(RTK_A_LANE_NMI, WIDE, rtk_lane, nmi),
	{ 0 }
};

static const struct field outlier_fields[] = {
	FIELD(RTK_A_OUTLIER_WORST, FLAG, rtk_outlier, worst),
	FIELD(RTK_A_OUTLIER_CPU, U32, rtk_outlier, cpu),
	FIELD(RTK_A_OUTLIER_SERIES, TEXT, rtk_outlier, series),
	FIELD(RTK_A_OUTLIER_VALUE, S64, rtk_outlier, value),
	FIELD(RTK_A_OUTLIER_SEQUENCE, U64, rtk_outlier, sequence),
	FIELD(RTK_A_OUTLIER_WALL_NS, U64, rtk_outlier, wall_ns),
	FIELD(RTK_A_OUTLIER_MONO_NS, U64, rtk_outlier, mono_ns),
	FIELD(RTK_A_OUTLIER_PID, U32, rtk_outlier, pid),
	FIELD(RTK_A_OUTLIER_COMM, TEXT, rtk_outlier, comm),
	FIELD(RTK_A_OUTLIER_IRQ, WIDE, rtk_outlier, irq),
	FIELD(RTK_A_OUTLIER_SOFTIRQ, WIDE, rtk_outlier, softirq),
	FIELD(RTK_A_OUTLIER_NMI, WIDE, rtk_outlier, nmi),
	FIELD(RTK_A_OUTLIER_SMI, WIDE, rtk_outlier, smi),
	FIELD(RTK_A_OUTLIER_SMI_SPAN_NS, U64, rtk_outlier, smi_span_ns),
	{ 0 }
};

static const struct field item_fields[] = {
	FIELD(RTK_A_ITEM_NAME, TEXT, rtk_item, name),
	FIELD(RTK_A_ITEM_VALUE, U64, rtk_item, value),
	{ 0 }
};

/* Attribute text need not end in a zero; libnl's own readers believe it. */
static int store_text(const struct nlattr *nla, const struct field *f, char *to)
{
	size_t len = strnlen(nla_data(nla), (size_t)nla_len(nla));
	char *copy;

	if (f->kind == TEXT) {
		if (len >= f->size)
			return -EBADMSG;
		memcpy(to, nla_data(nla), len);
		to[len] = '\0';
		/* A task may call itself anything. */
		rtk_printable(to);
		return 0;
	}
	copy = strndup(nla_data(nla), len);
	if (!copy)
		return -ENOMEM;
	free(*(char **)(void *)to);
	*(char **)(void *)to = copy;
	return 0;
}

static int store(const struct nlattr *nla, const struct field *f, char *to)
{
	int size = f->kind == U32 || f->kind == WIDE ? 4 : 8;

	switch (f->kind) {
	case FLAG:
		*(bool *)to = true;
		return 0;
	case TEXT:
	case DUP:
		return store_text(nla, f, to);
	default:
		if (nla_len(nla) != size)
			return -EBADMSG;
		if (f->kind == WIDE)
			*(__s64 *)(void *)to = nla_get_u32(nla);
		else
			memcpy(to, nla_data(nla), (size_t)size);
		return 0;
	}
}

/* Attributes that the table does not have are a newer module's: skipped. */
static int store_all(const struct nlattr *nest, const struct field *fields,
		     void *to)
{
	struct nlattr *nla;
	const struct field *f;
	int rem, err;

	nla_for_each_nested(nla, nest, rem) {
		for (f = fields; f->attr && f->attr != nla_type(nla); f++)
			;
		err = f->attr ? store(nla, f, (char *)to + f->offset) : 0;
		if (err)
			return err;
	}
	return rem ? -EBADMSG : 0;
}

/* A message of the family, split into its top level. */
struct top {
	const struct nlattr *attr[RTK_A_MAX + 1];
	char test[RTK_NAME_SIZE];
	__u32 generation;
};

static const struct field top_fields[] = { FIELD(RTK_A_TEST, TEXT, top, test),
					   FIELD(RTK_A_GENERATION, U32, top,
						 generation),
					   { 0 } };

static struct nlattr *attributes(const struct nlmsghdr *nlh, int *len)
{
	*len = (int)nlh->nlmsg_len - NLMSG_HDRLEN - GENL_HDRLEN;
	return (struct nlattr *)((char *)nlh + NLMSG_HDRLEN + GENL_HDRLEN);
}

static int split(const struct nlmsghdr *nlh, struct top *top)
{
	struct nlattr *nla, *first;
	const struct field *f;
	int len, rem, err;

	memset(top, 0, sizeof(*top));
	first = attributes(nlh, &len);
	if (len < 0)
		return -EBADMSG;
	nla_for_each_attr(nla, first, len, rem) {
		if (nla_type(nla) <= RTK_A_MAX)
			top->attr[nla_type(nla)] = nla;
		for (f = top_fields; f->attr && f->attr != nla_type(nla); f++)
			;
		err = f->attr ? store(nla, f, (char *)top + f->offset) : 0;
		if (err)
			return err;
	}
	return rem ? -EBADMSG : 0;
}

/* Items of a newer module that there is no room for are skipped. */
static int store_items(const struct nlattr *nest, int type,
		       struct rtk_items *items)
{
	struct nlattr *nla;
	int rem, err;

	nla_for_each_nested(nla, nest, rem) {
		if (nla_type(nla) != type || items->n == RTK_ITEMS_MAX)
			continue;
		err = store_all(nla, item_fields, &items->v[items->n]);
		if (err)
			return err;
		if (!items->v[items->n++].name[0])
			return -EBADMSG;
	}
	return 0;
}

static int add_series(struct rtk_test *t, const struct nlattr *info)
{
	struct rtk_series *s;
	struct nlattr *nla;
	int rem, err;

	nla_for_each_nested(nla, info, rem) {
		if (nla_type(nla) != RTK_A_INFO_SERIES)
			continue;
		s = rtk_grow(&t->series, &t->nseries, sizeof(*s));
		if (!s)
			return -ENOMEM;
		err = store_all(nla, series_fields, s);
		if (err)
			return err;
	}
	return 0;
}

static int add_params(struct rtk_test *t, const struct nlmsghdr *nlh)
{
	struct nlattr *nla, *first;
	struct rtk_param *p;
	int len, rem, err;

	first = attributes(nlh, &len);
	nla_for_each_attr(nla, first, len, rem) {
		if (nla_type(nla) != RTK_A_PARAM)
			continue;
		p = rtk_grow(&t->params, &t->nparams, sizeof(*p));
		if (!p)
			return -ENOMEM;
		err = store_all(nla, param_fields, p);
		if (err)
			return err;
		p->ranged = nla_find(nla_data(nla), nla_len(nla),
				     RTK_A_PARAM_MINIMUM) &&
			    nla_find(nla_data(nla), nla_len(nla),
				     RTK_A_PARAM_MAXIMUM);
	}
	return 0;
}

static struct rtk_test *find_test(struct rtk_tests *tests, const char *name)
{
	struct rtk_test *t = rtk_tests_find(tests, name);

	if (t)
		return t;
	t = rtk_grow(&tests->v, &tests->n, sizeof(*t));
	if (!t)
		return NULL;
	rtk_test_init(t);
	rtk_copy(t->name, sizeof(t->name), name);
	return t;
}

int rtk_nl_msg_test(const struct nlmsghdr *nlh, void *arg)
{
	struct rtk_test *t;
	struct top top;
	int err;

	err = split(nlh, &top);
	if (err)
		return err;
	if (!top.test[0])
		return -EBADMSG;
	t = find_test(arg, top.test);
	if (!t)
		return -ENOMEM;
	if (top.attr[RTK_A_GENERATION])
		t->generation = top.generation;
	if (top.attr[RTK_A_INFO]) {
		err = store_all(top.attr[RTK_A_INFO], info_fields, t);
		if (!err)
			err = add_series(t, top.attr[RTK_A_INFO]);
	}
	return err ? err : add_params(t, nlh);
}

static int append_buckets(struct rtk_lane *lane, const struct nlattr *nla)
{
	size_t size = (size_t)nla_len(nla),
	       n = size / sizeof(struct rtk_bucket);
	void *grown;

	if (size % sizeof(struct rtk_bucket))
		return -EBADMSG;
	if (!n)
		return 0;
	grown = reallocarray(lane->buckets, lane->nbuckets + n,
			     sizeof(struct rtk_bucket));
	if (!grown)
		return -ENOMEM;
	lane->buckets = grown;
	memcpy(lane->buckets + lane->nbuckets, nla_data(nla), size);
	lane->nbuckets += n;
	return 0;
}

static int add_buckets(struct rtk_lane *lane, const struct nlattr *hist)
{
	struct nlattr *nla;
	int rem, err = 0;

	nla_for_each_nested(nla, hist, rem) {
		switch (nla_type(nla)) {
		case RTK_A_HIST_SUB_BITS:
			if (nla_len(nla) != 4 ||
			    nla_get_u32(nla) != RTK_HIST_SUB_BITS)
				err = -EBADMSG;
			break;
		case RTK_A_HIST_END:
			lane->complete = true;
			break;
		case RTK_A_HIST_BUCKETS:
			err = append_buckets(lane, nla);
			break;
		}
		if (err)
			return err;
	}
	return rem ? -EBADMSG : 0;
}

static int add_lane(struct rtk_lanes *lanes, const struct nlattr *nest)
{
	const char *data = nla_data(nest);
	struct rtk_lane *lane;
	int len = nla_len(nest), err;

	lane = rtk_grow(&lanes->v, &lanes->n, sizeof(*lane));
	if (!lane)
		return -ENOMEM;
	lane->nmi = -1;
	err = store_all(nest, lane_fields, lane);
	if (!err)
		err = store_items(nest, RTK_A_LANE_COUNTER, &lane->counters);
	if (err)
		return err;
	if (!lane->series[0] || !nla_find((void *)data, len, RTK_A_LANE_CPU))
		return -EBADMSG;
	lane->moments = nla_find((void *)data, len, RTK_A_LANE_SUM) &&
			lane->moments_count;
	lane->ledger = nla_find((void *)data, len, RTK_A_LANE_EXPECTED);
	return 0;
}

/* Do further buckets belong to the lane that came last? */
static bool same_lane(const struct rtk_lanes *lanes, const struct top *top)
{
	const struct nlattr *cpu = top->attr[RTK_A_CPU];
	const struct nlattr *series = top->attr[RTK_A_SERIES];
	const struct rtk_lane *last;
	char name[RTK_NAME_SIZE] = "";
	struct field f = { .kind = TEXT, .size = sizeof(name) };

	if (!lanes->n || !cpu || !series || nla_len(cpu) != 4 ||
	    store_text(series, &f, name))
		return false;
	last = &lanes->v[lanes->n - 1];
	return last->cpu == nla_get_u32(cpu) && !strcmp(last->series, name) &&
	       !last->complete;
}

int rtk_nl_msg_lane(const struct nlmsghdr *nlh, void *arg)
{
	struct rtk_lanes *lanes = arg;
	struct top top;
	int err;

	err = split(nlh, &top);
	if (err)
		return err;
	/* A run that started in the middle of the dump is another one. */
	if (lanes->n && lanes->generation != top.generation)
		return -EINTR;
	lanes->generation = top.generation;
	if (top.attr[RTK_A_LANE])
		err = add_lane(lanes, top.attr[RTK_A_LANE]);
	else if (!top.attr[RTK_A_HIST] || !same_lane(lanes, &top))
		err = -EBADMSG;
	if (err || !top.attr[RTK_A_HIST])
		return err;
	return add_buckets(&lanes->v[lanes->n - 1], top.attr[RTK_A_HIST]);
}

int rtk_nl_msg_outlier(const struct nlmsghdr *nlh, void *arg)
{
	struct rtk_outliers *list = arg;
	struct rtk_outlier *o;
	struct top top;
	int err;

	err = split(nlh, &top);
	if (err)
		return err;
	if (!top.attr[RTK_A_OUTLIER])
		return -EBADMSG;
	o = rtk_grow(&list->v, &list->n, sizeof(*o));
	if (!o)
		return -ENOMEM;
	rtk_outlier_init(o);
	err = store_all(top.attr[RTK_A_OUTLIER], outlier_fields, o);
	if (!err)
		err = store_items(top.attr[RTK_A_OUTLIER], RTK_A_OUTLIER_DETAIL,
				  &o->details);
	return err ? err : o->series[0] ? 0 : -EBADMSG;
}

int rtk_nl_msg_generation(const struct nlmsghdr *nlh, void *arg)
{
	struct top top;
	int err = split(nlh, &top);

	if (!err && arg)
		*(__u32 *)arg = top.generation;
	return err;
}

int rtk_nl_msg_family(const struct nlmsghdr *nlh, void *arg)
{
	struct rtk_nl_family *family = arg;
	struct nlattr *nla, *first;
	int len, rem;

	first = attributes(nlh, &len);
	if (len < 0)
		return -EBADMSG;
	nla_for_each_attr(nla, first, len, rem) {
		if (nla_type(nla) == CTRL_ATTR_FAMILY_ID && nla_len(nla) == 2)
			family->id = nla_get_u16(nla);
		if (nla_type(nla) == CTRL_ATTR_VERSION && nla_len(nla) == 4)
			family->version = nla_get_u32(nla);
	}
	return family->id ? 0 : -EBADMSG;
}
