// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "params.h"
#include "units.h"
#include "util.h"

const char *rtk_params_find(const struct rtk_kvs *kvs, const char *name)
{
	size_t i;

	for (i = 0; i < kvs->n; i++)
		if (!strcmp(kvs->v[i].name, name))
			return kvs->v[i].value;
	return NULL;
}

int rtk_params_set(struct rtk_kvs *kvs, const char *name, const char *value)
{
	struct rtk_kv *kv = NULL;
	char *copy = strdup(value);
	size_t i;

	if (!copy)
		return rtk_err_nomem();
	for (i = 0; i < kvs->n; i++)
		if (!strcmp(kvs->v[i].name, name))
			kv = &kvs->v[i];
	if (!kv)
		kv = rtk_grow(&kvs->v, &kvs->n, sizeof(*kv));
	if (!kv) {
		free(copy);
		return rtk_err_nomem();
	}
	free(kv->value);
	kv->value = copy;
	rtk_copy(kv->name, sizeof(kv->name), name);
	return 0;
}

int rtk_params_unknown(const struct rtk_test *t, const char *name)
{
	const char *best = NULL;
	size_t i;

	for (i = 0; i < t->nparams; i++)
		best = rtk_nearest(name, best, t->params[i].name);
	if (best)
		rtk_err("%s has no parameter '%s'; did you mean '%s'?", t->name,
			name, best);
	else
		rtk_err("%s has no parameter '%s'; they are shown by: %s get %s",
			t->name, name, rtk_prog(), t->name);
	return -EINVAL;
}

static bool is_hex(const char *value)
{
	return value[0] == '0' && (value[1] == 'x' || value[1] == 'X');
}

/* A time is converted to the parameter's unit; the rest is the kernel's. */
static int convert(const struct rtk_param *p, const char *value, char *buf,
		   size_t size)
{
	char why[128];
	__s64 v;
	int err;

	if (!rtk_units_ns(p->unit) || is_hex(value)) {
		rtk_copy(buf, size, value);
		return 0;
	}
	err = rtk_units_parse(value, p->unit, p->unit, &v);
	if (err) {
		rtk_err("%s=%s: %s", p->name, value,
			rtk_units_explain(why, sizeof(why), err, p->unit));
		return -EINVAL;
	}
	snprintf(buf, size, "%lld", v);
	return 0;
}

int rtk_params_add(const struct rtk_test *t, const char *arg,
		   struct rtk_kvs *kvs)
{
	const char *equal = strchr(arg, '=');
	char name[RTK_NAME_SIZE], value[RTK_PARAM_VALUE_MAX + 1];
	const struct rtk_param *p;
	size_t len;
	int err;

	if (!equal || equal == arg) {
		rtk_err("'%s': expected name=value; names are shown by: %s get %s",
			arg, rtk_prog(), t->name);
		return -EINVAL;
	}
	len = (size_t)(equal - arg);
	if (len >= sizeof(name) || strlen(equal + 1) >= sizeof(value)) {
		rtk_err("'%.40s...': too long", arg);
		return -EINVAL;
	}
	memcpy(name, arg, len);
	name[len] = '\0';
	p = rtk_test_param(t, name);
	if (!p)
		return rtk_params_unknown(t, name);
	if (rtk_params_find(kvs, name)) {
		rtk_err("%s is given twice", name);
		return -EINVAL;
	}
	err = convert(p, equal + 1, value, sizeof(value));
	return err ? err : rtk_params_set(kvs, name, value);
}

int rtk_params_defaults(const struct rtk_test *t, struct rtk_kvs *kvs)
{
	const struct rtk_param *p;
	int err = 0;
	size_t i;

	for (i = 0; !err && i < t->nparams; i++) {
		p = &t->params[i];
		if (p->def && !rtk_params_find(kvs, p->name))
			err = rtk_params_set(kvs, p->name, p->def);
	}
	return err;
}

const char *rtk_params_value(const struct rtk_test *t, const char *name)
{
	const struct rtk_param *p = rtk_test_param(t, name);

	if (!p)
		return NULL;
	return p->run_value ? p->run_value : p->value;
}

static bool is_same(const struct rtk_param *p, const char *a, const char *b)
{
	if (!strcmp(a, b))
		return true;
	/* Others are written in more than one way. */
	if (p->type == RTK_PARAM_TYPE_U64 || p->type == RTK_PARAM_TYPE_S64)
		return strtoll(a, NULL, 0) == strtoll(b, NULL, 0);
	return p->type != RTK_PARAM_TYPE_ENUM;
}

void rtk_params_settled(const struct rtk_test *t, const struct rtk_kvs *kvs,
			size_t n, struct rtk_extra *e)
{
	const struct rtk_param *p;
	const struct rtk_kv *kv;

	for (kv = kvs->v; kv < kvs->v + n; kv++) {
		p = rtk_test_param(t, kv->name);
		if (!p || !p->run_value || !strcmp(kv->value, "auto") ||
		    !strcmp(kv->value, "-1") || !strcmp(kv->name, "cpus") ||
		    is_same(p, kv->value, p->run_value))
			continue;
		rtk_extra_note(e, "%s=%s: not there, measured with %s",
			       kv->name, kv->value, p->run_value);
	}
}
