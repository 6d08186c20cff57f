// SPDX-License-Identifier: GPL-2.0
/*
 * Every attribute of every request in every wrong form. The rules below are
 * written from the specification; the kernel is asked for its own, and an
 * attribute or an operation that one side knows alone is a failure.
 */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "nl.h"
#include "kselftest_harness.h"

/* Room for what a kernel may know more. */
#define TYPES_MAX	32
#define POLICIES_MAX	16

#define BIT(n)		(1U << (n))

/* A kind of attribute; its longest text, or its largest number. */
struct rule {
	int kind;
	__u64 max;
};

static const struct rule top_rules[TYPES_MAX] = {
	[RTK_A_TEST] = { NL_ATTR_TYPE_NUL_STRING, RTK_TEST_NAME_MAX },
	[RTK_A_GENERATION] = { NL_ATTR_TYPE_U32, UINT_MAX },
	[RTK_A_DETACH] = { .kind = NL_ATTR_TYPE_FLAG },
	[RTK_A_CPU] = { NL_ATTR_TYPE_U32, UINT_MAX },
	[RTK_A_SERIES] = { NL_ATTR_TYPE_NUL_STRING, RTK_TEST_NAME_MAX },
	[RTK_A_PARAM] = { .kind = NL_ATTR_TYPE_NESTED },
};

/* Only name and value may be in a request. */
static const struct rule param_rules[TYPES_MAX] = {
	[RTK_A_PARAM_NAME] = { NL_ATTR_TYPE_NUL_STRING, RTK_TEST_NAME_MAX },
	[RTK_A_PARAM_VALUE] = { NL_ATTR_TYPE_NUL_STRING, RTK_PARAM_VALUE_MAX },
	[RTK_A_PARAM_RUN_VALUE] = { .kind = NL_ATTR_TYPE_NUL_STRING },
	[RTK_A_PARAM_TYPE] = { NL_ATTR_TYPE_U32, RTK_PARAM_TYPE_STRING },
	[RTK_A_PARAM_UNIT] = { .kind = NL_ATTR_TYPE_NUL_STRING },
	[RTK_A_PARAM_MINIMUM] = { .kind = NL_ATTR_TYPE_S64 },
	[RTK_A_PARAM_MAXIMUM] = { .kind = NL_ATTR_TYPE_S64 },
	[RTK_A_PARAM_DEFAULT] = { .kind = NL_ATTR_TYPE_NUL_STRING },
	[RTK_A_PARAM_CHOICES] = { .kind = NL_ATTR_TYPE_NUL_STRING },
	[RTK_A_PARAM_HELP] = { .kind = NL_ATTR_TYPE_NUL_STRING },
};

static const struct op {
	int cmd;
	bool dump;
	__u32 takes;
} ops[] = {
	{ RTK_CMD_TEST_GET, false, BIT(RTK_A_TEST) },
	{ RTK_CMD_TEST_GET, true, BIT(RTK_A_TEST) },
	{ RTK_CMD_SET, false, BIT(RTK_A_TEST) | BIT(RTK_A_PARAM) },
	{ RTK_CMD_START, false, BIT(RTK_A_TEST) | BIT(RTK_A_DETACH) | BIT(RTK_A_PARAM) },
	{ RTK_CMD_STOP, false, BIT(RTK_A_TEST) | BIT(RTK_A_GENERATION) },
	{ RTK_CMD_RESET, false, BIT(RTK_A_TEST) },
	{ RTK_CMD_STATS_GET, true, BIT(RTK_A_TEST) | BIT(RTK_A_CPU) | BIT(RTK_A_SERIES) },
	{ RTK_CMD_HIST_GET, true, BIT(RTK_A_TEST) | BIT(RTK_A_CPU) | BIT(RTK_A_SERIES) },
	{ RTK_CMD_OUTLIER_GET, true, BIT(RTK_A_TEST) | BIT(RTK_A_CPU) | BIT(RTK_A_SERIES) },
};

/*
 * A wrong form of a kind. @data: NULL for what is just above the rule's maximum.
 * @at: where the fault is, from the attribute's begin; none for bytes that are no
 * attribute. @ours: it is not the policy that refuses it.
 */
struct form {
	int kind;
	const char *what;
	int error;
	const void *data;
	size_t size;
	int flags;
	int at;
	bool ours;
};

#define NOWHERE		-1
#define TEXT		NL_ATTR_TYPE_NUL_STRING
#define NEST		NL_ATTR_TYPE_NESTED
#define U32		NL_ATTR_TYPE_U32
#define S64		NL_ATTR_TYPE_S64
#define FLAG		NL_ATTR_TYPE_FLAG

#define FORM(kind, what, error, data) \
	{ kind, what, error, data, sizeof(data) - 1, 0, 0, false }
#define ABOVE(kind, what, error) \
	{ kind, what, error, NULL, 0, 0, 0, false }
#define MARKED(kind, what, error, data, at) \
	{ kind, what, error, data, sizeof(data) - 1, NLA_F_NESTED, at, false }

static const struct form forms[] = {
	FORM(TEXT, "no bytes", -EINVAL, ""),
	FORM(TEXT, "no zero at the end", -EINVAL, "hrtimer"),
	FORM(TEXT, "a number", -EINVAL, "\1\1\1\1\1\1\1\1"),
	ABOVE(TEXT, "a character too many", -EINVAL),
	MARKED(TEXT, "a nest", -EINVAL, "irq\0", 0),
	{ TEXT, "bytes behind the zero", -EINVAL, "irq\0x", 6, 0, 0, true },
	FORM(U32, "no bytes", -EINVAL, ""),
	FORM(U32, "a byte too few", -EINVAL, "\0\0\0"),
	FORM(U32, "a byte too many", -EINVAL, "\0\0\0\0\0"),
	FORM(U32, "64 bits", -EINVAL, "\0\0\0\0\0\0\0\0"),
	FORM(U32, "text", -EINVAL, "hrtimer\0"),
	MARKED(U32, "a nest", -EINVAL, "\0\0\0\0", 0),
	ABOVE(U32, "out of range", -ERANGE),
	FORM(S64, "no bytes", -EINVAL, ""),
	FORM(S64, "a byte too few", -EINVAL, "\0\0\0\0\0\0\0"),
	FORM(S64, "a byte too many", -EINVAL, "\0\0\0\0\0\0\0\0\0"),
	FORM(S64, "32 bits", -EINVAL, "\0\0\0\0"),
	FORM(S64, "text", -EINVAL, "irq\0"),
	MARKED(S64, "a nest", -EINVAL, "\0\0\0\0\0\0\0\0", 0),
	FORM(FLAG, "a byte", -ERANGE, "\1"),
	FORM(FLAG, "a number", -ERANGE, "\1\0\0\0"),
	FORM(FLAG, "text", -ERANGE, "yes\0"),
	MARKED(FLAG, "a nest", -EINVAL, "", 0),
	FORM(NEST, "no mark", -EINVAL, "\5\0\1\0\0\0\0\0\5\0\2\0\0\0\0\0"),
	FORM(NEST, "text, no mark", -EINVAL, "thread=0\0"),
	MARKED(NEST, "a byte", -ERANGE, "\4", 0),
	MARKED(NEST, "less than a header", -ERANGE, "\4\0\1", 0),
	MARKED(NEST, "text", -EINVAL, "thread=0\0", NOWHERE),
	MARKED(NEST, "garbage", -EINVAL, "\377\377\377\377\377\377\377\377", NOWHERE),
	MARKED(NEST, "an attribute of length 0", -EINVAL, "\0\0\1\0", NOWHERE),
	MARKED(NEST, "an attribute that ends outside", -EINVAL, "\11\0\1\0abc\0", NOWHERE),
	MARKED(NEST, "bytes behind the last", -EINVAL, "\6\0\1\0a\0\0\0\6\0\2", NOWHERE),
	MARKED(NEST, "a nest in it", -EINVAL, "\10\0\7\200\4\0\1\0", NLA_HDRLEN),
	MARKED(NEST, "a nest for a name", -EINVAL, "\10\0\1\200\4\0\1\0", NLA_HDRLEN),
};

/* @blind: the kernel passes no extended ack to what begins a dump. */
struct attrs {
	struct nl nl;
	struct desc before;
	struct desc after;
	bool blind;
};

FIXTURE(attrs) {
	struct attrs a;
};

FIXTURE_SETUP(attrs)
{
	struct utsname u;

	if (no_module())
		SKIP(return, "not root, or module rtk is not loaded");
	ASSERT_EQ(0, nl_open(&self->a.nl));
	ASSERT_EQ(0, clean_slate(&self->a.nl));
	ASSERT_EQ(0, get_desc(&self->a.nl, &self->a.before));
	ASSERT_EQ(0, uname(&u));
	self->a.blind = !strncmp(u.release, "6.1.", 4);
}

FIXTURE_TEARDOWN(attrs)
{
	clean_slate(&self->a.nl);
	nl_close(&self->a.nl);
}

/* --- the kernel's own rules --------------------------------------------------- */

struct policies {
	unsigned int n_ops;
	/* Indices, from 1, of do and of dump. */
	unsigned int of_op[TYPES_MAX][2];
	struct rule rule[POLICIES_MAX][TYPES_MAX];
	unsigned int nested[POLICIES_MAX][TYPES_MAX];
};

static int take_op(const struct nlattr *op, struct policies *all)
{
	const struct nlattr *attr;

	mnl_attr_for_each_nested(attr, op) {
		unsigned int cmd = mnl_attr_get_type(op);

		if (cmd >= TYPES_MAX || mnl_attr_get_u32(attr) >= POLICIES_MAX)
			return -1;
		all->of_op[cmd][mnl_attr_get_type(attr) == CTRL_ATTR_POLICY_DUMP] =
			mnl_attr_get_u32(attr) + 1;
		all->n_ops++;
	}
	return 0;
}

static int take_rule(const struct nlattr *policy, struct policies *all)
{
	const struct nlattr *rule = mnl_attr_get_payload(policy), *attr;
	unsigned int i = mnl_attr_get_type(policy), type = mnl_attr_get_type(rule);

	if (i >= POLICIES_MAX || type >= TYPES_MAX)
		return -1;
	mnl_attr_for_each_nested(attr, rule) {
		switch (mnl_attr_get_type(attr)) {
		case NL_POLICY_TYPE_ATTR_TYPE:
			all->rule[i][type].kind = mnl_attr_get_u32(attr);
			break;
		case NL_POLICY_TYPE_ATTR_MAX_LENGTH:
			all->rule[i][type].max = mnl_attr_get_u32(attr);
			break;
		case NL_POLICY_TYPE_ATTR_MAX_VALUE_U:
			all->rule[i][type].max = mnl_attr_get_u64(attr);
			break;
		case NL_POLICY_TYPE_ATTR_POLICY_IDX:
			all->nested[i][type] = mnl_attr_get_u32(attr);
			break;
		}
	}
	return 0;
}

static int policy_cb(const struct nlmsghdr *nlh, void *all)
{
	const struct nlattr *attr, *nest;
	int rc = 0;

	mnl_attr_for_each(attr, nlh, sizeof(struct genlmsghdr)) {
		int type = mnl_attr_get_type(attr);

		if (type != CTRL_ATTR_OP_POLICY && type != CTRL_ATTR_POLICY)
			continue;
		mnl_attr_for_each_nested(nest, attr)
			rc |= type == CTRL_ATTR_POLICY ? take_rule(nest, all) : take_op(nest, all);
	}
	return rc;
}

static int get_policies(struct nl *nl, struct policies *all)
{
	__u16 family = nl->family;
	struct nlmsghdr *nlh;
	int rc;

	nl->family = GENL_ID_CTRL;
	nlh = nl_begin(nl, CTRL_CMD_GETPOLICY, NLM_F_DUMP);
	mnl_attr_put_u16(nlh, CTRL_ATTR_FAMILY_ID, family);
	rc = nl_call(nl, nlh, policy_cb, all);
	nl->family = family;
	return rc;
}

static bool takes(const struct op *op, int type)
{
	return type < TYPES_MAX && op->takes & BIT(type);
}

TEST_F(attrs, rules_are_the_kernels)
{
	static const struct rule none;
	static struct policies all;
	unsigned int i, type, k;

	ASSERT_EQ(0, get_policies(&self->a.nl, &all));
	EXPECT_EQ(ARRAY_SIZE(ops), all.n_ops);
	for (i = 0; i < ARRAY_SIZE(ops); i++) {
		k = all.of_op[ops[i].cmd][ops[i].dump];
		ASSERT_NE(0, k--);
		for (type = 0; type < TYPES_MAX; type++) {
			const struct rule *want = takes(&ops[i], type) ? &top_rules[type] : &none;

			EXPECT_EQ(want->kind, all.rule[k][type].kind) {
				TH_LOG("operation %d, attribute %u", ops[i].cmd, type);
			}
			EXPECT_EQ(want->max, all.rule[k][type].max) {
				TH_LOG("operation %d, attribute %u", ops[i].cmd, type);
			}
			if (want->kind == NL_ATTR_TYPE_NESTED)
				EXPECT_EQ(0, memcmp(param_rules, all.rule[all.nested[k][type]],
						    sizeof(param_rules)));
		}
	}
}

/* --- requests ----------------------------------------------------------------- */

static void put_good(struct nlmsghdr *nlh, int type)
{
	/* Something would change by it. */
	if (type == RTK_A_PARAM)
		nl_put_param(nlh, "duration_ms", "1000");
	else
		nl_put_right(nlh, type, 0, "irq");
}

/*
 * All that an operation takes, without one attribute; that may be one of the
 * parameter, whose nest is then left open.
 */
static struct nlmsghdr *begin(struct nl *nl, const struct op *op, int without,
			      struct nlattr **nest)
{
	struct nlmsghdr *nlh = nl_begin(nl, op->cmd, NLM_F_ACK | (op->dump ? NLM_F_DUMP : 0));
	int type;

	for (type = 0; type < TYPES_MAX; type++)
		if (takes(op, type) && type != (nest ? RTK_A_PARAM : without))
			put_good(nlh, type);
	if (!nest)
		return nlh;
	*nest = mnl_attr_nest_start(nlh, RTK_A_PARAM);
	if (without != RTK_A_PARAM_NAME)
		mnl_attr_put_strz(nlh, RTK_A_PARAM_NAME, "duration_ms");
	if (without != RTK_A_PARAM_VALUE)
		mnl_attr_put_strz(nlh, RTK_A_PARAM_VALUE, "1000");
	return nlh;
}

static __u32 tail(const struct nlmsghdr *nlh)
{
	return (char *)mnl_nlmsg_get_payload_tail(nlh) - (char *)nlh;
}

/* Of an extended ack: the attribute at fault, or what is missing in which nest. */
struct fault {
	int error;
	__u32 offset;
	__u32 miss_type;
	__u32 miss_nest;
};

/* Is it refused as it should be, and is everything as it was? */
static bool refused(struct attrs *a, const struct op *op, struct nlmsghdr *nlh,
		    const char *what, bool ours, struct fault want)
{
	bool blind = ours && op->dump && a->blind;
	int rc = nl_call(&a->nl, nlh, NULL, NULL);
	struct nl *nl = &a->nl;
	struct fault got = { rc, nl->offset, nl->miss_type, nl->miss_nest };

	if (blind)
		want = (struct fault){ .error = want.error };
	if (!memcmp(&want, &got, sizeof(got)) && (blind || nl->text[0]) &&
	    !nl->messages && same_desc(nl, &a->before, &a->after))
		return true;
	fprintf(stderr, "# operation %d, dump %d, %s:\n", op->cmd, op->dump, what);
	fprintf(stderr, "# got %d at %u, missing %u in %u, %u answers: %s\n",
		got.error, got.offset, got.miss_type, got.miss_nest, nl->messages, nl->text);
	fprintf(stderr, "# not %d at %u, missing %u in %u\n",
		want.error, want.offset, want.miss_type, want.miss_nest);
	return false;
}

/* Puts an attribute in a wrong form; false if the rule has nothing to it. */
static bool put_form(struct nlmsghdr *nlh, int type, const struct rule *rule,
		     const struct form *form)
{
	static char text[RTK_PARAM_VALUE_MAX + 2];

	if (form->kind != rule->kind)
		return false;
	if (form->data) {
		mnl_attr_put(nlh, type | form->flags, form->size, form->data);
		return true;
	}
	if (rule->kind == NL_ATTR_TYPE_U32 && rule->max < UINT_MAX) {
		mnl_attr_put_u32(nlh, type, rule->max + 1);
		return true;
	}
	if (rule->kind != TEXT || !rule->max)
		return false;
	memset(text, 'x', rule->max + 1);
	text[rule->max + 1] = '\0';
	mnl_attr_put_strz(nlh, type, text);
	return true;
}

/* One attribute, of a request or of its parameter, in each wrong form. */
static bool all_refused(struct attrs *a, const struct op *op, int type, bool inner)
{
	const struct rule *rule = &(inner ? param_rules : top_rules)[type];
	struct nlattr *nest = NULL, **in = inner ? &nest : NULL;
	struct nlmsghdr *nlh;
	unsigned int k;

	for (k = 0; k < ARRAY_SIZE(forms); k++) {
		struct fault fault = { .error = forms[k].error };

		nlh = begin(&a->nl, op, type, in);
		if (forms[k].at != NOWHERE)
			fault.offset = tail(nlh) + forms[k].at;
		if (!put_form(nlh, type, rule, &forms[k]))
			continue;
		if (inner)
			mnl_attr_nest_end(nlh, nest);
		if (!refused(a, op, nlh, forms[k].what, forms[k].ours, fault))
			return false;
	}
	return true;
}

/* One attribute that is no part of such a request, be it well formed or not. */
static bool stranger_refused(struct attrs *a, const struct op *op, int type, bool inner)
{
	static const char zeros[8];
	struct nlattr *nest = NULL;
	struct nlmsghdr *nlh = begin(&a->nl, op, 0, inner ? &nest : NULL);
	struct fault fault = { .error = -EINVAL, .offset = tail(nlh) };
	bool wide = inner && param_rules[type].kind == NL_ATTR_TYPE_S64;

	mnl_attr_put(nlh, type, wide ? 8 : 4, zeros);
	if (inner)
		mnl_attr_nest_end(nlh, nest);
	return refused(a, op, nlh, "not wanted", false, fault);
}

/* Nothing else is wrong with the requests of the other tests. */
TEST_F(attrs, good_requests)
{
	struct nl *nl = &self->a.nl;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(ops); i++)
		EXPECT_EQ(0, nl_call(nl, begin(nl, &ops[i], 0, NULL), NULL, NULL));
	/* Set, started and stopped. */
	EXPECT_FALSE(same_desc(&self->a.nl, &self->a.before, &self->a.after));
}

TEST_F(attrs, wrong_forms)
{
	unsigned int i;
	int type;

	for (i = 0; i < ARRAY_SIZE(ops); i++) {
		for (type = 0; type < TYPES_MAX; type++) {
			bool good = takes(&ops[i], type) ?
				    all_refused(&self->a, &ops[i], type, false) :
				    stranger_refused(&self->a, &ops[i], type, false);

			EXPECT_TRUE(good) {
				TH_LOG("attribute %d", type);
			}
		}
	}
}

TEST_F(attrs, wrong_forms_in_a_parameter)
{
	unsigned int i;
	int type;

	for (i = 0; i < ARRAY_SIZE(ops); i++) {
		for (type = 0; takes(&ops[i], RTK_A_PARAM) && type < TYPES_MAX; type++) {
			EXPECT_TRUE(all_refused(&self->a, &ops[i], type, true)) {
				TH_LOG("attribute %d", type);
			}
			if (type == RTK_A_PARAM_NAME || type == RTK_A_PARAM_VALUE)
				continue;
			EXPECT_TRUE(stranger_refused(&self->a, &ops[i], type, true)) {
				TH_LOG("attribute %d", type);
			}
		}
	}
}

TEST_F(attrs, missing)
{
	struct nlmsghdr *nlh;
	struct nlattr *nest = NULL;
	unsigned int i;
	int type;

	for (i = 0; i < ARRAY_SIZE(ops); i++) {
		struct fault fault = { .error = -EINVAL, .miss_type = RTK_A_TEST };

		/* That is of all tests. */
		if (ops[i].cmd == RTK_CMD_TEST_GET && ops[i].dump)
			continue;
		nlh = begin(&self->a.nl, &ops[i], RTK_A_TEST, NULL);
		EXPECT_TRUE(refused(&self->a, &ops[i], nlh, "no test", true, fault));
		if (!takes(&ops[i], RTK_A_PARAM))
			continue;
		for (type = RTK_A_PARAM_NAME; type <= RTK_A_PARAM_VALUE; type++) {
			nlh = begin(&self->a.nl, &ops[i], type, &nest);
			mnl_attr_nest_end(nlh, nest);
			fault.miss_type = type;
			fault.miss_nest = (char *)nest - (char *)nlh;
			EXPECT_TRUE(refused(&self->a, &ops[i], nlh, "half of one", true, fault));
		}
		nlh = begin(&self->a.nl, &ops[i], RTK_A_PARAM, NULL);
		fault.miss_type = RTK_A_PARAM_NAME;
		fault.miss_nest = tail(nlh);
		mnl_attr_put(nlh, RTK_A_PARAM | NLA_F_NESTED, 0, NULL);
		EXPECT_TRUE(refused(&self->a, &ops[i], nlh, "an empty one", true, fault));
	}
}

TEST_F(attrs, twice)
{
	struct nlmsghdr *nlh;
	struct nlattr *nest = NULL;
	struct fault fault;
	unsigned int i;
	int type;

	for (i = 0; i < ARRAY_SIZE(ops); i++) {
		for (type = 0; type < TYPES_MAX; type++) {
			if (!takes(&ops[i], type))
				continue;
			nlh = begin(&self->a.nl, &ops[i], 0, NULL);
			fault = (struct fault){ .error = -EINVAL, .offset = tail(nlh) };
			put_good(nlh, type);
			EXPECT_TRUE(refused(&self->a, &ops[i], nlh, "twice", true, fault)) {
				TH_LOG("attribute %d", type);
			}
		}
		for (type = RTK_A_PARAM_NAME; type <= RTK_A_PARAM_VALUE; type++) {
			if (!takes(&ops[i], RTK_A_PARAM))
				continue;
			nlh = begin(&self->a.nl, &ops[i], 0, &nest);
			fault = (struct fault){ .error = -EINVAL, .offset = tail(nlh) };
			mnl_attr_put_strz(nlh, type, "thread");
			mnl_attr_nest_end(nlh, nest);
			EXPECT_TRUE(refused(&self->a, &ops[i], nlh, "twice in it", true, fault));
		}
	}
}

TEST_F(attrs, bytes_behind_the_last)
{
	struct fault fault = { .error = -EINVAL };
	struct nlmsghdr *nlh;
	unsigned int i, k;

	for (i = 0; i < ARRAY_SIZE(ops); i++) {
		for (k = 1; k <= 8; k++) {
			nlh = begin(&self->a.nl, &ops[i], 0, NULL);
			memset(mnl_nlmsg_get_payload_tail(nlh), 0, 8);
			nlh->nlmsg_len += k;
			EXPECT_TRUE(refused(&self->a, &ops[i], nlh, "bytes behind", false, fault));
		}
	}
}

TEST_HARNESS_MAIN
