// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "load.h"
#include "load_value.h"
#include "util.h"
#include "verdict.h"

#define SCHEMA "rtk-result/1"

static int copy_text(const json_t *o, const char *name, char **to)
{
	*to = strdup(rtk_load_string(o, name));
	return *to ? 0 : -ENOMEM;
}

/* Of a parameter that is not its default only that is known, not the default. */
static bool is_changed(const json_t *doc, const char *name)
{
	const json_t *list = json_object_get(doc, "changed_params"), *v;
	size_t i;

	json_array_foreach(list, i, v)
		if (!strcmp(json_string_value(v) ?: "", name))
			return true;
	return false;
}

static int load_param(struct rtk_loading *l, const char *name, const json_t *v)
{
	struct rtk_test *t = &l->r->test;
	struct rtk_param *p = rtk_grow(&t->params, &t->nparams, sizeof(*p));
	char number[32];
	const char *text = number;

	if (!p)
		return -ENOMEM;
	rtk_copy(p->name, sizeof(p->name), name);
	snprintf(number, sizeof(number), "%lld", json_integer_value(v));
	if (json_is_boolean(v)) {
		p->type = RTK_PARAM_TYPE_BOOL;
		text = json_is_true(v) ? "1" : "0";
	} else if (json_is_integer(v)) {
		p->type = RTK_PARAM_TYPE_S64;
	} else {
		p->type = RTK_PARAM_TYPE_STRING;
		text = json_string_value(v) ?: "";
	}
	p->value = strdup(text);
	p->run_value = strdup(text);
	p->def = strdup(!is_changed(l->doc, name) ? text : *text ? "" : "?");
	return p->value && p->run_value && p->def ? 0 : -ENOMEM;
}

static int load_test(struct rtk_loading *l)
{
	const json_t *env = json_object_get(l->doc, "environment");
	struct rtk_test *t = &l->r->test;
	const char *name = rtk_load_string(l->doc, "test");
	json_t *v;
	int err;

	if (!*name || strlen(name) >= sizeof(t->name))
		return rtk_load_bad(l, "it names no test");
	rtk_copy(t->name, sizeof(t->name), name);
	rtk_copy(t->version, sizeof(t->version),
		 rtk_load_string(env, "module_version"));
	rtk_copy(t->smi_source, sizeof(t->smi_source),
		 rtk_load_string(env, "smi_source"));
	err = copy_text(l->doc, "ended", &t->reason);
	if (!err)
		err = copy_text(l->doc, "cpus", &t->cpus);
	t->state = err || !*t->reason ? RTK_STATE_RUNNING : RTK_STATE_DONE;
	t->started_wall_ns = rtk_load_time(l->doc, "started");
	t->started_mono_ns = rtk_load_int(l->doc, "started_mono_ns", -1);
	t->elapsed_ns = rtk_load_int(l->doc, "duration_ns", -1);
	t->planned_ns = rtk_load_int(l->doc, "planned_ns", -1);
	json_object_foreach(json_object_get(l->doc, "params"), name, v)
		if (!err)
			err = load_param(l, name, v);
	return err;
}

static void load_outlier(struct rtk_outlier *out, json_t *o, bool worst)
{
	static const char *const known[] = { "cpu",	    "series",	"value",
					     "unit",	    "sequence", "time",
					     "pid",	    "comm",	"irq",
					     "softirq",	    "mono_ns",	"nmi",
					     "smi_span_ns", "smi",	NULL };

	rtk_outlier_init(out);
	rtk_copy(out->series, sizeof(out->series),
		 rtk_load_string(o, "series"));
	rtk_copy(out->comm, sizeof(out->comm), rtk_load_string(o, "comm"));
	rtk_printable(out->comm);
	out->cpu = (__u32)rtk_load_int(o, "cpu", 0);
	out->pid = (__u32)rtk_load_int(o, "pid", 0);
	out->worst = worst;
	out->value = rtk_load_int(o, "value", 0);
	out->sequence = (__u64)rtk_load_int(o, "sequence", 0);
	out->wall_ns = rtk_load_time(o, "time");
	out->mono_ns = rtk_load_int(o, "mono_ns", -1);
	out->irq = rtk_load_int(o, "irq", -1);
	out->softirq = rtk_load_int(o, "softirq", -1);
	out->nmi = rtk_load_int(o, "nmi", -1);
	out->smi = rtk_load_int(o, "smi", -1);
	out->smi_span_ns = rtk_load_int(o, "smi_span_ns", 0);
	rtk_load_items(o, known, &out->details);
}

static int load_outliers(struct rtk_loading *l, const char *name, bool worst)
{
	struct rtk_outliers *list = &l->r->outliers;
	struct rtk_outlier *out;
	json_t *o;
	size_t i;

	json_array_foreach(json_object_get(l->doc, name), i, o) {
		out = rtk_grow(&list->v, &list->n, sizeof(*out));
		if (!out)
			return -ENOMEM;
		load_outlier(out, o, worst);
	}
	return 0;
}

static int load_intervals(struct rtk_loading *l)
{
	struct rtk_interval one;
	json_t *o;
	size_t i;
	int err = 0;

	json_array_foreach(json_object_get(l->doc, "intervals"), i, o) {
		memset(&one, 0, sizeof(one));
		rtk_copy(one.series, sizeof(one.series),
			 rtk_load_string(o, "series"));
		one.cpu = (__u32)rtk_load_int(o, "cpu", 0);
		one.count = (__u64)rtk_load_int(o, "count", 0);
		one.max = rtk_load_int(o, "max", 0);
		one.exact = json_is_true(json_object_get(o, "exact"));
		one.wall_ns = rtk_load_time(o, "end");
		one.mono_ns = rtk_load_int(o, "mono_ns", 0);
		if (!err)
			err = rtk_intervals_add(&l->r->intervals, &one);
	}
	return err;
}

static int status_of(struct rtk_loading *l, const json_t *o, const char *key,
		     enum rtk_status *status)
{
	const char *name = rtk_load_string(o, key);

	for (*status = RTK_VALID; *status <= RTK_INVALID; (*status)++)
		if (!strcmp(name, rtk_verdict_name(*status)))
			return 0;
	return rtk_load_bad(l, "verdict: no such status: '%s'", name);
}

/* A newer rtk may have reasons that this one does not know. */
static int load_reasons(struct rtk_loading *l, const json_t *list)
{
	struct rtk_verdict *v = &l->r->verdict;
	struct rtk_reason *reason;
	const json_t *o;
	size_t i;
	int err;

	json_array_foreach(list, i, o) {
		reason = rtk_grow(&v->v, &v->n, sizeof(*reason));
		if (!reason)
			return -ENOMEM;
		reason->id = rtk_load_string(o, "id");
		rtk_copy(reason->text, sizeof(reason->text),
			 rtk_load_string(o, "text"));
		err = status_of(l, o, "status", &reason->status);
		if (err)
			return err;
	}
	return 0;
}

static void load_advice(struct rtk_verdict *v, const json_t *list)
{
	const json_t *text;
	size_t i;

	json_array_foreach(list, i, text)
		if (v->n_advice < RTK_ADVICE_MAX)
			rtk_copy(v->advice[v->n_advice++], sizeof(v->advice[0]),
				 json_string_value(text));
}

static int load_verdict(struct rtk_loading *l)
{
	const json_t *o = json_object_get(l->doc, "verdict");
	struct rtk_verdict *v = &l->r->verdict;
	int err = status_of(l, o, "status", &v->status);

	l->r->fail_above_ns = rtk_load_int(o, "fail_above_ns", -1);
	load_advice(v, json_object_get(o, "advice"));
	v->exceeded = json_is_true(json_object_get(o, "exceeded"));
	rtk_copy(v->worst, sizeof(v->worst), rtk_load_string(o, "exceeded_by"));
	return err ? err : load_reasons(l, json_object_get(o, "reasons"));
}

static int load_parts(struct rtk_loading *l)
{
	struct rtk_result *r = l->r;
	struct rtk_part *part;
	json_t *o;
	size_t i;
	int err;

	json_array_foreach(json_object_get(l->doc, "parts"), i, o) {
		part = rtk_grow(&r->parts, &r->nparts, sizeof(*part));
		if (!part)
			return -ENOMEM;
		part->started_wall_ns = rtk_load_time(o, "started");
		part->duration_ns = rtk_load_int(o, "duration_ns", 0);
		rtk_copy(part->ended, sizeof(part->ended),
			 rtk_load_string(o, "ended"));
		err = status_of(l, o, "verdict", &part->status);
		if (err)
			return err;
	}
	return 0;
}

static int load_device(struct rtk_loading *l)
{
	json_t *o = json_object_get(l->doc, "device");
	char *text;
	int err;

	if (!o)
		return 0;
	text = json_dumps(o, 0);
	if (!text)
		return -ENOMEM;
	err = rtk_device_parse(&l->r->device, text);
	free(text);
	return err ? rtk_load_bad(l, "device: it has no address") : 0;
}

static int load_all(struct rtk_loading *l)
{
	json_t *env = json_object_get(l->doc, "environment");
	struct rtk_result *r = l->r;
	int err;

	if (strcmp(rtk_load_string(l->doc, "schema"), SCHEMA))
		return rtk_load_bad(l,
				    "it is no result of rtk: \"schema\" is not \"" SCHEMA
				    "\"");
	if (!json_is_object(env))
		return rtk_load_bad(l, "it has no environment");
	r->environment = json_incref(env);
	rtk_copy(r->clocksource_after, sizeof(r->clocksource_after),
		 rtk_load_string(env, "clocksource_after"));
	err = rtk_env_load(&r->env, env);
	if (!err)
		err = load_test(l);
	if (!err)
		err = rtk_load_lanes(l);
	if (!err)
		err = load_outliers(l, "outliers", false);
	if (!err)
		err = load_outliers(l, "worst", true);
	if (!err)
		err = load_intervals(l);
	if (!err)
		err = load_parts(l);
	if (!err)
		err = rtk_load_extra(l);
	if (!err)
		err = load_device(l);
	if (!err)
		err = load_verdict(l);
	return err ? err : rtk_result_summarize(r);
}

/* Takes over @doc. */
static int load_doc(const char *name, json_t *doc, struct rtk_result *r)
{
	struct rtk_loading l = { .r = r, .doc = doc };
	int err;

	rtk_result_init(r);
	r->document = doc;
	err = load_all(&l);
	if (!err)
		return 0;
	rtk_result_free(r);
	if (err == -ENOMEM)
		return rtk_err_nomem();
	rtk_err("%s: %s", name, l.why);
	return err;
}

static int bad_json(const char *name, const json_error_t *e)
{
	if (e->line < 0)
		rtk_err("%s: %s", name, e->text);
	else if (json_error_code(e) == json_error_premature_end_of_input)
		rtk_err("%s: it ends in the middle, at line %d: the file was cut",
			name, e->line);
	else
		rtk_err("%s: it is no JSON document: line %d: %s", name,
			e->line, e->text);
	return -EBADMSG;
}

int rtk_load_text(const char *name, const char *text, struct rtk_result *r)
{
	json_error_t e;
	json_t *doc = json_loads(text, JSON_REJECT_DUPLICATES, &e);

	return doc ? load_doc(name, doc, r) : bad_json(name, &e);
}

int rtk_load(const char *path, struct rtk_result *r)
{
	bool is_stdin = !strcmp(path, "-");
	FILE *f = is_stdin ? stdin : fopen(path, "re");
	const char *name = is_stdin ? "standard input" : path;
	json_error_t e;
	json_t *doc;
	int err;

	if (!f) {
		err = -errno;
		rtk_err("%s: %s", path, strerror(-err));
		return err;
	}
	errno = 0;
	doc = json_loadf(f, JSON_REJECT_DUPLICATES, &e);
	err = !ferror(f) ? 0 : errno ? -errno : -EIO;
	if (!is_stdin)
		fclose(f);
	if (!err)
		return doc ? load_doc(name, doc, r) : bad_json(name, &e);
	json_decref(doc);
	rtk_err("%s: %s", name, strerror(-err));
	return err;
}
