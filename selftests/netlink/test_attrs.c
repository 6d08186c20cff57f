// SPDX-License-Identifier: GPL-2.0
/*
 * Every attribute of every request in every wrong form.
 */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "attrs.h"
#include "kselftest_harness.h"

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
