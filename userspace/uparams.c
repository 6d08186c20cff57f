// SPDX-License-Identifier: GPL-2.0
/* Parameters of user-space tests: rows, description, values. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "params.h"
#include "utest.h"

#define COMMON(field) .offset = offsetof(struct rtk_ucommon, field)

static const char *const policies[] = { "fifo", "rr", "other", NULL };

static const struct rtk_uparam common_params[] = {
	{
		.name = "cpus",
		.type = RTK_PARAM_TYPE_CPULIST,
		.def = "",
		.help = "CPUs to measure; empty: the last isolated one, else CPU 1",
		COMMON(cpus),
	},
	{
		.name = "duration_ms",
		.type = RTK_PARAM_TYPE_S64,
		.unit = "ms",
		.min = -1,
		.max = INT64_MAX / 1000000,
		.def = "-1",
		.help = "measured time; -1 until the test's own end, 0 until stopped",
		COMMON(duration_ms),
	},
	{
		.name = "policy",
		.type = RTK_PARAM_TYPE_ENUM,
		.choices = policies,
		.def = "fifo",
		.help = "scheduling policy of the measured threads",
		COMMON(policy),
	},
	{
		.name = "priority",
		.type = RTK_PARAM_TYPE_S64,
		.min = 1,
		.max = 98,
		.def = "95",
		.help = "their priority, with a real-time policy",
		COMMON(priority),
	},
	{
		.name = "dma_latency_us",
		.type = RTK_PARAM_TYPE_S64,
		.unit = "us",
		.min = -1,
		.max = 1000000000,
		.def = "0",
		.help = "CPU latency limit during the run, which forbids idle states; -1: none",
		COMMON(dma_latency_us),
	},
	{
		.name = "threshold_ns",
		.type = RTK_PARAM_TYPE_S64,
		.unit = "ns",
		.min = 0,
		.max = INT64_MAX,
		.def = "0",
		.help = "samples above it are counted; 0: none",
		COMMON(threshold_ns),
	},
	{
		.name = "threshold_series",
		.type = RTK_PARAM_TYPE_STRING,
		.def = "",
		.help = "series that this applies to; empty: the last one that is recorded",
		COMMON(threshold_series),
	},
	{
		.name = "stop_on_threshold",
		.type = RTK_PARAM_TYPE_BOOL,
		.def = "0",
		.help = "the first of these samples ends the run",
		COMMON(stop_on_threshold),
	},
	{
		.name = "share",
		.type = RTK_PARAM_TYPE_BOOL,
		.def = "0",
		.help = "run on CPUs that another test in user space measures",
		COMMON(share),
	},
};

static char *join(const char *const *words)
{
	char *text = NULL, *longer;
	size_t len = 0;

	for (; *words; words++) {
		longer = realloc(text, len + strlen(*words) + 2);
		if (!longer) {
			free(text);
			return NULL;
		}
		text = longer;
		len += (size_t)sprintf(text + len, "%s%s", len ? "|" : "",
				       *words);
	}
	return text;
}

static int describe(struct rtk_test *t, const struct rtk_uparam *u)
{
	struct rtk_param *p = rtk_grow(&t->params, &t->nparams, sizeof(*p));

	if (!p)
		return -ENOMEM;
	rtk_copy(p->name, sizeof(p->name), u->name);
	rtk_copy(p->unit, sizeof(p->unit), u->unit);
	p->type = u->type;
	p->min = u->min;
	p->max = u->max;
	p->ranged = u->type == RTK_PARAM_TYPE_U64 ||
		    u->type == RTK_PARAM_TYPE_S64;
	p->value = strdup(u->def);
	p->def = strdup(u->def);
	p->help = strdup(u->help);
	p->choices = u->choices ? join(u->choices) : strdup("");
	return p->value && p->def && p->help && p->choices ? 0 : -ENOMEM;
}

static int describe_series(struct rtk_test *t, const struct rtk_useries *u)
{
	struct rtk_series *s = rtk_grow(&t->series, &t->nseries, sizeof(*s));

	if (!s)
		return -ENOMEM;
	rtk_copy(s->name, sizeof(s->name), u->name);
	rtk_copy(s->unit, sizeof(s->unit), u->unit);
	s->is_signed = u->is_signed;
	return 0;
}

int rtk_utest_describe(const struct rtk_utest *u, struct rtk_test *t)
{
	int err = 0;
	size_t i;

	rtk_test_init(t);
	rtk_copy(t->name, sizeof(t->name), u->name);
	t->summary = strdup(u->summary);
	if (!t->summary)
		err = -ENOMEM;
	for (i = 0; !err && i < u->n_params; i++)
		err = describe(t, &u->params[i]);
	for (i = 0; !err && i < RTK_ARRAY_SIZE(common_params); i++)
		err = describe(t, &common_params[i]);
	for (i = 0; !err && i < u->n_series; i++)
		err = describe_series(t, &u->series[i]);
	if (err)
		rtk_test_free(t);
	return err;
}

static long long number_of(const char *text, char **end)
{
	return strtoll(text, end, strncasecmp(text, "0x", 2) ? 10 : 16);
}

static int parse_number(const struct rtk_uparam *p, const char *text,
			__s64 *field)
{
	char *end;
	long long v;

	errno = 0;
	v = number_of(text, &end);
	if (end == text || *end || isspace((unsigned char)*text) || errno ||
	    v < p->min || v > p->max) {
		rtk_err("%s=%s: allowed %lld..%lld%s%s", p->name, text, p->min,
			p->max, p->unit ? " " : "", p->unit ? p->unit : "");
		return -EINVAL;
	}
	*field = v;
	return 0;
}

static int parse_enum(const struct rtk_uparam *p, const char *text,
		      __s64 *field)
{
	char *words;
	__s64 i;

	for (i = 0; p->choices[i]; i++) {
		if (strcmp(p->choices[i], text))
			continue;
		*field = i;
		return 0;
	}
	words = join(p->choices);
	rtk_err("%s=%s: allowed %s", p->name, text, words ? words : "");
	free(words);
	return -EINVAL;
}

static int parse_bool(const struct rtk_uparam *p, const char *text,
		      __s64 *field)
{
	*field = !strcmp(text, "1");
	if (*field || !strcmp(text, "0"))
		return 0;
	rtk_err("%s=%s: allowed 0|1", p->name, text);
	return -EINVAL;
}

static int parse_cpus(const struct rtk_uparam *p, const char *text,
		      struct rtk_cpuset *field)
{
	int err = rtk_cpuset_parse(field, text);

	if (err)
		rtk_err("%s=%s: not a list of CPUs such as 0-3,8%s", p->name,
			text, err == -ERANGE ? ", or a number too large" : "");
	return err ? -EINVAL : 0;
}

static int parse_string(const struct rtk_uparam *p, const char *text,
			char *field)
{
	if (strlen(text) >= RTK_USTRING) {
		rtk_err("%s=%.40s...: longer than %d characters", p->name, text,
			RTK_USTRING - 1);
		return -EINVAL;
	}
	rtk_copy(field, RTK_USTRING, text);
	return 0;
}

static int parse(const struct rtk_uparam *p, const struct rtk_kvs *kvs,
		 void *config)
{
	const char *text = rtk_params_find(kvs, p->name);
	void *field = (char *)config + p->offset;

	if (!text)
		text = p->def;
	switch (p->type) {
	case RTK_PARAM_TYPE_BOOL:
		return parse_bool(p, text, field);
	case RTK_PARAM_TYPE_ENUM:
		return parse_enum(p, text, field);
	case RTK_PARAM_TYPE_CPULIST:
		return parse_cpus(p, text, field);
	case RTK_PARAM_TYPE_STRING:
		return parse_string(p, text, field);
	default:
		return parse_number(p, text, field);
	}
}

/* Which series the threshold is for: settled here, once. */
static int settle_series(const struct rtk_utest *u, struct rtk_ucommon *common)
{
	char *name = common->threshold_series;
	const char *best = NULL;
	size_t i;

	for (i = 0; i < u->n_series; i++) {
		if (!strcmp(u->series[i].name, name)) {
			common->threshold_index = i;
			return 0;
		}
		best = rtk_nearest(name, best, u->series[i].name);
	}
	common->threshold_index = u->n_series - 1;
	if (!*name)
		return 0;
	rtk_err("threshold_series=%s: %s records no such series%s%s", name,
		u->name, best ? "; did you mean " : "", best ? best : "");
	return -EINVAL;
}

int rtk_utest_config(const struct rtk_utest *u, const struct rtk_kvs *kvs,
		     struct rtk_ucommon *common, void *config)
{
	int err = 0;
	size_t i;

	for (i = 0; !err && i < RTK_ARRAY_SIZE(common_params); i++)
		err = parse(&common_params[i], kvs, common);
	for (i = 0; !err && i < u->n_params; i++)
		err = parse(&u->params[i], kvs, config);
	return err ? err : settle_series(u, common);
}

int rtk_utest_values(struct rtk_test *t, const struct rtk_kvs *kvs)
{
	struct rtk_param *p;
	const char *text;
	char number[32];

	for (p = t->params; p < t->params + t->nparams; p++) {
		text = rtk_params_find(kvs, p->name);
		if (!text)
			text = p->def;
		if (p->ranged) {
			snprintf(number, sizeof(number), "%lld",
				 number_of(text, NULL));
			text = number;
		}
		p->run_value = strdup(text);
		if (!p->run_value)
			return -ENOMEM;
	}
	return 0;
}
