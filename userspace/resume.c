// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "load.h"
#include "merge.h"
#include "params.h"
#include "resume.h"
#include "units.h"
#include "util.h"

/* What must be the same for numbers to be of one run. */
static const enum rtk_fact_id same[] = {
	RTK_FACT_MACHINE,	 RTK_FACT_CPU_MODEL, RTK_FACT_KERNEL_RELEASE,
	RTK_FACT_KERNEL_VERSION, RTK_FACT_CMDLINE,   RTK_FACT_CLOCKSOURCE,
};

/* Their values are computed from all samples at once, or one after the other. */
static const char *const whole[] = { "rhealstone", "memlat" };

/* 0 is without an end, -1 the test's own. */
static __s64 total_of(const struct rtk_result *before, __s64 total_ns)
{
	return total_ns >= 0 ? total_ns : before->test.planned_ns;
}

static bool is_over(const struct rtk_result *before, __s64 total_ns)
{
	__s64 total = total_of(before, total_ns);

	return total > 0 && total <= before->test.elapsed_ns;
}

/* Of one that is not over. */
static __s64 left_ns(const struct rtk_result *before, __s64 total_ns)
{
	__s64 total = total_of(before, total_ns);

	return total > 0 ? total - before->test.elapsed_ns : total;
}

static __u64 samples(const struct rtk_result *r)
{
	__u64 most = 0;
	size_t i;

	for (i = 0; i < r->lanes.n; i++)
		if (r->lanes.v[i].count > most)
			most = r->lanes.v[i].count;
	return most;
}

/* What a parameter counts that ends a run, as far as it has come; -1: it is none. */
static __s64 done_of(const struct rtk_result *before, const char *name)
{
	const struct rtk_extra *e = &before->extra;
	struct rtk_cpuset cpus;
	int cpu = -1, n = 0;

	if (!strcmp(name, "count"))
		return (__s64)samples(before);
	if (strcmp(name, "rows") && strcmp(name, "samples"))
		return -1;
	if (rtk_cpuset_parse(&cpus, before->test.cpus))
		return 0;
	while ((cpu = rtk_cpuset_next(&cpus, cpu + 1)) >= 0)
		n++;
	return e->tables && n ? (__s64)e->table[0].n / n : 0;
}

static int check(const char *path, const struct rtk_result *before,
		 __s64 total_ns)
{
	const char *ended = before->test.reason;
	size_t i;

	for (i = 0; i < RTK_ARRAY_SIZE(whole); i++) {
		if (strcmp(before->test.name, whole[i]))
			continue;
		rtk_err("%s: results of %s can't be added up: its values are made of all samples at once; run it again",
			path, whole[i]);
		return -EINVAL;
	}
	if (is_over(before, total_ns)) {
		rtk_err("%s: the run has had all its time: nothing to resume; with a longer --duration it gets more",
			path);
		return -EALREADY;
	}
	if (total_ns < 0 && !strcmp(ended, "complete")) {
		rtk_err("%s: the run came to its own end: nothing to resume",
			path);
		return -EALREADY;
	}
	if (before->lanes.n && before->test.cpus[0])
		return 0;
	rtk_err("%s: nothing was measured: run it again", path);
	return -ENODATA;
}

int rtk_resume_load(const char *path, __s64 total_ns, struct rtk_resume *s)
{
	int err = rtk_load(path, &s->before);

	if (err)
		return err;
	err = check(path, &s->before, total_ns);
	if (!err)
		s->lost = rtk_merge_close(&s->before);
	else
		rtk_result_free(&s->before);
	return err;
}

/* Numbers that the rest has less of. 0 would be without an end. */
static const char *rest_of(const struct rtk_resume *s, const char *name,
			   const char *value, __s64 total_ns, char *buf,
			   size_t size)
{
	__s64 left = left_ns(&s->before, total_ns);
	__s64 count = strtoll(value, NULL, 10);

	if (!strcmp(name, "duration_ms") && left >= 0) {
		count = left / 1000000;
		if (left && !count)
			count = 1;
	} else if (done_of(&s->before, name) >= 0 && count > 0) {
		count -= done_of(&s->before, name);
		if (count < 1)
			count = 1;
	} else {
		return value;
	}
	snprintf(buf, size, "%lld", count);
	return buf;
}

static int set_param(const struct rtk_resume *s, const struct rtk_test *t,
		     const struct rtk_param *p, __s64 total_ns,
		     struct rtk_kvs *kvs)
{
	const struct rtk_param *now = rtk_test_param(t, p->name);
	const char *value = p->run_value;
	bool given = strcmp(p->run_value, p->def);
	char number[32];

	if (!now) {
		if (!given)
			return 0;
		rtk_err("%s has no parameter '%s' any more: the run can't be resumed by this version",
			t->name, p->name);
		return -EINVAL;
	}
	/* What the test chose by itself is given by name. */
	if (!strcmp(p->name, "cpus"))
		value = s->before.test.cpus;
	value = rest_of(s, p->name, value, total_ns, number, sizeof(number));
	/* Another version may have another default. */
	if (value == p->run_value && !given && now->def &&
	    !strcmp(value, now->def))
		return 0;
	return rtk_params_set(kvs, p->name, value);
}

/* Samples of one unit are none of another; what has no series goes nowhere. */
static int check_series(const struct rtk_test *before, const struct rtk_test *t)
{
	const struct rtk_series *was, *is;

	for (was = before->series; was < before->series + before->nseries;
	     was++) {
		is = rtk_test_series(t, was->name);
		if (is && !strcmp(is->unit, was->unit) &&
		    is->is_signed == was->is_signed)
			continue;
		rtk_err("%s has no series '%s' in %s any more: the run can't be resumed by this version",
			t->name, was->name, was->unit);
		return -EINVAL;
	}
	return 0;
}

int rtk_resume_settings(const struct rtk_resume *s, const struct rtk_test *t,
			__s64 total_ns, struct rtk_kvs *kvs)
{
	const struct rtk_test *b = &s->before.test;
	int err = check_series(b, t);
	size_t i;

	for (i = 0; !err && i < b->nparams; i++)
		err = set_param(s, t, &b->params[i], total_ns, kvs);
	return err;
}

int rtk_resume_check(const struct rtk_resume *s, const struct rtk_env *e)
{
	const char *was, *is;
	size_t i;

	for (i = 0; i < RTK_ARRAY_SIZE(same); i++) {
		was = s->before.env.fact[same[i]].value;
		is = e->fact[same[i]].value;
		if ((!was && !is) || (was && is && !strcmp(was, is)))
			continue;
		rtk_err("another %s than that of the run to be resumed: '%s', it was '%s'; its numbers would not be of one machine",
			rtk_env_key(same[i]), is ? is : "not known",
			was ? was : "not known");
		return -EXDEV;
	}
	return 0;
}

int rtk_resume_begin(const struct rtk_resume *s, struct rtk_result *r)
{
	const struct rtk_intervals *list = &s->before.intervals;
	size_t i;
	int err = 0;

	r->cond.rows_lost = s->before.cond.rows_lost;
	for (i = 0; !err && i < list->n; i++)
		err = rtk_intervals_add(&r->intervals, &list->v[i]);
	return err;
}

int rtk_resume_rows(const struct rtk_resume *s, struct rtk_result *r)
{
	const struct rtk_datatable *from;
	struct rtk_datatable *to;
	size_t i;

	if (!r->extra.tables)
		return 0;
	to = &r->extra.table[0];
	from = rtk_extra_find(&s->before.extra, to->name);
	for (i = 0; from && from->columns == to->columns && i < from->n; i++)
		rtk_extra_row(&r->extra, to, from->v + i * from->columns);
	return r->extra.nomem ? rtk_err_nomem() : 0;
}

int rtk_resume_merge(const struct rtk_resume *s, struct rtk_result *r)
{
	return s ? rtk_merge_data(r, &s->before) : 0;
}

void rtk_resume_note(const struct rtk_resume *s, struct rtk_result *r)
{
	const struct rtk_part *last = r->parts + r->nparts - 1;
	__s64 lost;
	char span[32];

	if (r->nparts < 2)
		return;
	lost = last->started_wall_ns - last[-1].started_wall_ns -
	       last[-1].duration_ns;
	rtk_extra_note(&r->extra,
		       "measured in %zu parts; before the last of them %s were not measured, and %llu activations on their way count nowhere",
		       r->nparts,
		       rtk_units_print(span, sizeof(span), lost < 0 ? 0 : lost),
		       s->lost);
	if (!last[-1].ended[0])
		rtk_extra_note(&r->extra,
			       "the part before was cut: its SMIs, and a user-space test's page faults and preemptions, are not known");
}

void rtk_resume_free(struct rtk_resume *s)
{
	rtk_result_free(&s->before);
}
