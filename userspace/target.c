// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <string.h>

#include "params.h"
#include "target.h"

static const struct rtk_param *find_device(const struct rtk_test *t)
{
	size_t i;

	for (i = 0; i < t->nparams; i++)
		if (t->params[i].type == RTK_PARAM_TYPE_PCI)
			return &t->params[i];
	return NULL;
}

bool rtk_target_reads(const struct rtk_test *t)
{
	return find_device(t) && rtk_test_param(t, "address") &&
	       rtk_test_param(t, "force");
}

/* What the run will have. */
static const char *value_of(const struct rtk_test *t, const struct rtk_kvs *kvs,
			    const char *name)
{
	const char *value = rtk_params_find(kvs, name);
	const struct rtk_param *p = rtk_test_param(t, name);

	if (!value && p)
		value = p->value;
	return value ? value : "";
}

static int set_default(const struct rtk_test *t, struct rtk_kvs *kvs,
		       const char *name)
{
	const struct rtk_param *p = rtk_test_param(t, name);

	if (!p || rtk_params_find(kvs, name))
		return 0;
	return rtk_params_set(kvs, name, p->def);
}

/*
 * What is said of a register stands alone: what was said of the one before, and is not now,
 * stays out of it. Else a register would be read that nobody has named.
 */
static const struct {
	const char *given;
	const char *forgotten[7];
} place[] = {
	{ "device", { "address", "space", "bar", "offset", "width", "force" } },
	{ "address", { "device", "space", "bar", "offset", "width", "force" } },
	{ "space", { "address", "bar", "offset" } },
	{ "bar", { "address", "space", "offset" } },
	{ "offset", { "address" } },
};

static int settle(const struct rtk_test *t, struct rtk_kvs *kvs)
{
	bool given[RTK_ARRAY_SIZE(place)];
	const char *const *name;
	const char *value;
	int err = 0;
	size_t i;

	for (i = 0; i < RTK_ARRAY_SIZE(place); i++) {
		value = rtk_params_find(kvs, place[i].given);
		given[i] = value && *value;
	}
	for (i = 0; i < RTK_ARRAY_SIZE(place); i++)
		for (name = place[i].forgotten; given[i] && !err && *name;
		     name++)
			err = set_default(t, kvs, *name);
	return err;
}

static int hold_read(const struct rtk_test *t, const char *name,
		     struct rtk_kvs *kvs, struct rtk_hold *h,
		     struct rtk_device *d)
{
	const char *device, *address;
	unsigned int flags = RTK_HOLD_UNBOUND;
	char text[128];

	if (settle(t, kvs))
		return RTK_EXIT_ERROR;
	if (!strcmp(value_of(t, kvs, "force"), "1"))
		flags |= RTK_HOLD_FORCE;
	address = value_of(t, kvs, "address");
	device = value_of(t, kvs, name);
	if (!*address || (*device && strcmp(device, "auto")))
		return rtk_hold_begin(h, *device ? device : "auto", flags, d);
	snprintf(text, sizeof(text), RTK_HOLD_ADDRESS "%s", address);
	return rtk_hold_begin(h, text, flags, d);
}

int rtk_target_hold(const struct rtk_test *t, struct rtk_kvs *kvs,
		    struct rtk_hold *h, struct rtk_device *d)
{
	const struct rtk_param *p = find_device(t);
	const char *device;
	int status;

	if (!p)
		return RTK_EXIT_OK;
	device = value_of(t, kvs, p->name);
	status = rtk_target_reads(t) ?
			 hold_read(t, p->name, kvs, h, d) :
			 rtk_hold_begin(h, *device ? device : "auto", 0, d);
	if (status || !d->bdf[0] || *value_of(t, kvs, "address"))
		return status;
	return rtk_params_set(kvs, p->name, d->bdf) ? RTK_EXIT_ERROR :
						      RTK_EXIT_OK;
}
