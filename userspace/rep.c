// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <jansson.h>

#include "rep.h"
#include "units.h"
#include "util.h"
#include "verdict.h"
#include "worst.h"

const char *rtk_rep_cpu(const struct rtk_summary *s, char *buf, size_t size)
{
	if (s->cpu == RTK_CPU_ALL)
		rtk_copy(buf, size, "all");
	else
		snprintf(buf, size, "%d", s->cpu);
	return buf;
}

static void put(FILE *out, const json_t *v);

static void put_object(FILE *out, const json_t *o)
{
	const char *gap = "", *key;
	json_t *v;

	json_object_foreach((json_t *)o, key, v) {
		fprintf(out, "%s%s=", gap, key);
		put(out, v);
		gap = ", ";
	}
}

static void put_array(FILE *out, const json_t *list)
{
	const char *gap = "";
	json_t *v;
	size_t i;

	json_array_foreach(list, i, v) {
		fputs(gap, out);
		if (i == RTK_REP_ROWS) {
			fprintf(out, "and %zu more", json_array_size(list) - i);
			return;
		}
		put(out, v);
		gap = json_is_object(v) ? "; " : ", ";
	}
	if (!i)
		fputs("none", out);
}

static void put(FILE *out, const json_t *v)
{
	const char *text = json_string_value(v);

	if (json_is_object(v))
		put_object(out, v);
	else if (json_is_array(v))
		put_array(out, v);
	else if (text)
		fputs(*text ? text : "none", out);
	else if (json_is_integer(v))
		fprintf(out, "%lld", (long long)json_integer_value(v));
	else if (json_is_real(v))
		fprintf(out, "%g", json_real_value(v));
	else
		fputs(json_is_true(v)  ? "yes" :
		      json_is_false(v) ? "no" :
					 "-",
		      out);
}

static bool is_reason(const char *key)
{
	static const char suffix[] = "_reason";
	size_t len = strlen(key), end = sizeof(suffix) - 1;

	return len > end && !strcmp(key + len - end, suffix);
}

/* What is null has its cause beside it. */
static const json_t *cause(const json_t *env, const char *key)
{
	char reason[64];

	snprintf(reason, sizeof(reason), "%s_reason", key);
	return json_object_get(env, reason);
}

int rtk_rep_facts(const struct rtk_result *r,
		  void (*fact)(void *arg, const char *key, const char *text,
			       bool known),
		  void *arg)
{
	const char *key;
	json_t *v;
	bool known;
	char *text;
	size_t size;
	FILE *f;

	json_object_foreach(r->environment, key, v) {
		if (is_reason(key))
			continue;
		known = !json_is_null(v);
		f = open_memstream(&text, &size);
		if (!f)
			return -ENOMEM;
		put(f, known ? v : cause(r->environment, key));
		if (fclose(f))
			return -ENOMEM;
		fact(arg, key, text, known);
		free(text);
	}
	return 0;
}

static int __printf(4, 5) add(struct rtk_cases *c, enum rtk_case_status status,
			      const char *name, const char *fmt, ...)
{
	struct rtk_case *one = rtk_grow(&c->v, &c->n, sizeof(*one));
	va_list ap;

	if (!one)
		return -ENOMEM;
	one->status = status;
	rtk_copy(one->name, sizeof(one->name), name);
	va_start(ap, fmt);
	vsnprintf(one->text, sizeof(one->text), fmt, ap);
	va_end(ap);
	c->failed += status == RTK_CASE_FAILED;
	c->skipped += status == RTK_CASE_SKIPPED;
	return 0;
}

/* A degraded result is a good one of a machine that is not at its best. */
static int add_verdict(struct rtk_cases *c, const struct rtk_result *r)
{
	const struct rtk_verdict *v = &r->verdict;
	char text[256] = "";
	size_t i, len = 0;

	for (i = 0; i < v->n && len < sizeof(text); i++)
		len += (size_t)snprintf(text + len, sizeof(text) - len, "%s%s",
					i ? " " : ": ", v->v[i].id);
	return add(c, v->status == RTK_INVALID ? RTK_CASE_FAILED : RTK_CASE_OK,
		   "verdict", "%s%s", rtk_verdict_name(v->status), text);
}

static int add_ledger(struct rtk_cases *c, const struct rtk_summary *s)
{
	bool good = s->expected == s->delivered + s->missed;
	char name[64];

	snprintf(name, sizeof(name), "ledger/%s", s->series->name);
	return add(c, good ? RTK_CASE_OK : RTK_CASE_FAILED, name,
		   "expected %llu, delivered %llu, missed %llu", s->expected,
		   s->delivered, s->missed);
}

static int add_limit(struct rtk_cases *c, const struct rtk_result *r,
		     const struct rtk_summary *s, __s64 limit)
{
	__s64 max = rtk_result_ns(r, s->series->unit, s->m.max);
	char name[64], value[32], bound[32];

	snprintf(name, sizeof(name), "max/%s/cpu%d", s->series->name, s->cpu);
	if (!s->m.n)
		return add(c, RTK_CASE_FAILED, name, "no sample");
	rtk_units_print(value, sizeof(value), max);
	rtk_units_print(bound, sizeof(bound), limit);
	return add(c, max > limit ? RTK_CASE_FAILED : RTK_CASE_OK, name,
		   "%s %s %s (%lld of %lld ns)", value,
		   max > limit ? ">" : "<=", bound, max, limit);
}

static int add_limits(struct rtk_cases *c, const struct rtk_result *r)
{
	__s64 limit = r->fail_above_ns;
	const struct rtk_summary *judged = rtk_worst_series(r);
	size_t i;
	int err = 0;

	if (limit < 0 || !judged)
		return add(c, RTK_CASE_SKIPPED, "max",
			   "no limit: rtk run or rtk report --fail-above");
	for (i = 0; !err && i < r->nsums; i++)
		if (r->sums[i].series == judged->series &&
		    r->sums[i].cpu != RTK_CPU_ALL)
			err = add_limit(c, r, &r->sums[i], limit);
	return err;
}

int rtk_rep_cases(const struct rtk_result *r, struct rtk_cases *c)
{
	size_t i;
	int err;

	memset(c, 0, sizeof(*c));
	err = add_verdict(c, r);
	for (i = 0; !err && i < r->nsums; i++)
		if (r->sums[i].cpu == RTK_CPU_ALL && r->sums[i].ledger)
			err = add_ledger(c, &r->sums[i]);
	if (!err)
		err = add_limits(c, r);
	if (err)
		rtk_rep_cases_free(c);
	return err;
}

void rtk_rep_cases_free(struct rtk_cases *c)
{
	free(c->v);
	memset(c, 0, sizeof(*c));
}
