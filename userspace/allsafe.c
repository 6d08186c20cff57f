// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <string.h>

#include "allsafe.h"
#include "cmd.h"
#include "hold.h"
#include "mmio.h"
#include "params.h"
#include "table.h"

/* What says which register: that of each device is known. */
static const char *const place[] = { "device", "address", "space", "bar",
				     "offset" };
/* Of another device these were said, unless they are now. */
static const char *const loose[] = { "width", "force" };

/* @all has what is said of all devices together. */
struct sweep {
	struct rtk_krun *k;
	const struct rtk_report *rep;
	struct rtk_result all;
	size_t read;
};

static int refuse_place(const struct rtk_krun *k)
{
	size_t i, n;

	for (i = 0; i < RTK_ARRAY_SIZE(place); i++)
		for (n = 0; n < k->given; n++)
			if (!strcmp(k->kvs.v[n].name, place[i])) {
				rtk_err("--all-safe reads the known register of each device; leave out %s=",
					place[i]);
				return RTK_EXIT_ERROR;
			}
	return RTK_EXIT_OK;
}

/* Now the defaults, for the known register; after it what was set before. */
static int set_place(struct rtk_kvs *kvs, const struct rtk_test *t, bool before)
{
	const struct rtk_param *p;
	int err = 0;
	size_t i;

	for (i = 0; !err && i < RTK_ARRAY_SIZE(place); i++) {
		p = rtk_test_param(t, place[i]);
		if (p)
			err = rtk_params_set(kvs, p->name,
					     before ? p->value : p->def);
	}
	for (i = 0; !err && i < RTK_ARRAY_SIZE(loose); i++) {
		p = rtk_test_param(t, loose[i]);
		if (p && !rtk_params_find(kvs, loose[i]))
			err = rtk_params_set(kvs, p->name,
					     before ? p->value : p->def);
	}
	return err ? RTK_EXIT_ERROR : RTK_EXIT_OK;
}

static void set_back(struct rtk_krun *k, const struct rtk_test *t)
{
	struct rtk_kvs kvs = { 0 };

	if (!set_place(&kvs, t, true))
		rtk_nl_set(k->nl, k->test, &kvs);
	rtk_kvs_free(&kvs);
}

/* The same reason of two devices is one, in the words of the first. */
static int add_verdict(struct rtk_verdict *all, const char *bdf,
		       const struct rtk_verdict *one)
{
	struct rtk_reason *new;
	size_t i, n;

	for (i = 0; i < one->n; i++) {
		for (n = 0; n < all->n && strcmp(all->v[n].id, one->v[i].id);)
			n++;
		if (n < all->n)
			continue;
		new = rtk_grow(&all->v, &all->n, sizeof(*new));
		if (!new)
			return rtk_err_nomem();
		*new = one->v[i];
	}
	if (one->status > all->status)
		all->status = one->status;
	if (one->exceeded && !all->exceeded) {
		all->exceeded = true;
		snprintf(all->worst, sizeof(all->worst), "%s: %s", bdf,
			 one->worst);
	}
	return 0;
}

static void print_head(FILE *out, const struct rtk_result *all)
{
	rtk_table_warn(out, &all->env);
	fprintf(out, "%-12s  %-14s %11s %8s %8s %10s %7s %9s  %s\n", "device",
		"register", "reads", "min ns", "avg ns", "max ns", "slow",
		"all ones", "name");
}

void rtk_allsafe_line(FILE *out, const struct rtk_result *r)
{
	const char *cause = r->test.cause ?: r->test.reason;
	const char *offset = rtk_params_value(&r->test, "offset");
	const char *bar = rtk_params_value(&r->test, "bar");
	char where[64];
	struct rtk_mmio m;

	fprintf(out, "%-12s  ", r->device.bdf);
	if (!rtk_mmio_get(r, &m)) {
		fprintf(out, "no read: %s\n", cause ?: "?");
		return;
	}
	snprintf(where, sizeof(where), "BAR %s + %s", bar ?: "?",
		 offset ?: "?");
	fprintf(out, "%-14s %11lld %8lld %8lld %10lld %7lld %9lld  %s", where,
		m.loops, m.min, m.avg, m.max, m.slow, m.all_ones,
		r->device.name);
	if (r->test.state == RTK_STATE_FAILED)
		fprintf(out, "; ended early: %s", cause ?: "?");
	fputc('\n', out);
}

/* Without the device in what is said, which the line begins with. */
static void print_refused(struct sweep *s, const char *bdf, const char *why)
{
	size_t len = strlen(bdf);

	if (s->rep->quiet)
		return;
	if (!strncmp(why, bdf, len) && !strncmp(why + len, ": ", 2))
		why += len + 2;
	printf("%-12s  not read: %s\n", bdf, why);
}

/* What the module has against a device does not keep it from the others. */
static int refused(struct sweep *s, const char *bdf, int err)
{
	struct rtk_krun *k = s->k;
	struct rtk_test t;
	bool known;

	rtk_test_init(&t);
	known = !rtk_nl_test_get(k->nl, k->test, &t) && t.last_error &&
		*t.last_error && t.state != RTK_STATE_RUNNING &&
		t.state != RTK_STATE_STOPPING;
	if (known)
		print_refused(s, bdf, t.last_error);
	rtk_test_free(&t);
	return known ? RTK_EXIT_OK : rtk_cmd_fail(k->nl, k->test, err, "start");
}

static int measure(struct sweep *s, struct rtk_hold *hold, struct rtk_result *r)
{
	const char *bdf = r->device.bdf;
	int err, status, back;

	if (rtk_params_set(&s->k->kvs, "device", bdf))
		return RTK_EXIT_ERROR;
	err = rtk_krun_start(s->k, r);
	status = err ? refused(s, bdf, err) : rtk_krun_finish(s->k, r);
	/* Before anything is printed, which somebody may take for ever to read. */
	back = rtk_hold_end(hold);
	if (err || status)
		return status ? status : back;
	s->read++;
	if (!s->rep->quiet)
		rtk_allsafe_line(stdout, r);
	if (add_verdict(&s->all.verdict, bdf, &r->verdict))
		return RTK_EXIT_ERROR;
	return back;
}

static int measure_one(struct sweep *s, const char *bdf)
{
	struct rtk_hold hold = { 0 };
	struct rtk_result r;
	int status;

	rtk_result_init(&r);
	/* What speaks against that is said already. */
	if (rtk_hold_begin(&hold, bdf, RTK_HOLD_UNBOUND, &r.device)) {
		print_refused(s, bdf, "it can't be claimed");
		return RTK_EXIT_OK;
	}
	status = measure(s, &hold, &r);
	rtk_hold_end(&hold);
	rtk_result_free(&r);
	fflush(stdout);
	return status;
}

static int measure_all(struct sweep *s, const json_t *list)
{
	size_t i, n = json_array_size(list);
	int status = RTK_EXIT_OK;
	const char *bdf;
	const json_t *o;

	for (i = 0; !status && i < n && !rtk_krun_interrupted(s->k); i++) {
		o = json_array_get(list, i);
		bdf = json_string_value(json_object_get(o, "device"));
		if (bdf)
			status = measure_one(s, bdf);
	}
	if (status)
		return status;
	if (i < n)
		rtk_err("interrupted: %zu of %zu devices were looked at", i, n);
	if (!s->read) {
		rtk_err("no device was read");
		return RTK_EXIT_ERROR;
	}
	rtk_table_verdict(stdout, &s->all, !s->rep->quiet);
	return (int)rtk_verdict_exit(&s->all.verdict, &s->rep->allow);
}

int rtk_allsafe(struct rtk_krun *k, const struct rtk_test *t,
		const struct rtk_report *rep)
{
	struct sweep s = { .k = k, .rep = rep };
	json_t *list = NULL;
	int status = refuse_place(k);

	if (!status)
		status = set_place(&k->kvs, t, false);
	if (!status)
		status = rtk_hold_safe(&list);
	if (status)
		return status;
	rtk_result_init(&s.all);
	s.all.fail_above_ns = k->fail_above_ns;
	if (rtk_env_capture(&s.all.env, "")) {
		rtk_err_nomem();
		status = RTK_EXIT_ERROR;
	}
	if (!status && !rep->quiet)
		print_head(stdout, &s.all);
	if (!status)
		status = measure_all(&s, list);
	set_back(k, t);
	rtk_result_free(&s.all);
	json_decref(list);
	return status;
}
