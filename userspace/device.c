// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "device.h"
#include "json_value.h"

/* By RTK_ASPM_* bits. */
static const char *const aspm_words[] = { "off", "L0s", "L1", "L0s+L1" };

const char *rtk_device_aspm(const struct rtk_device *d)
{
	return d->aspm < 0 ? NULL : aspm_words[d->aspm & 3];
}

static json_t *text_or_null(const char *s)
{
	return s && *s ? rtk_json_string(s) : json_null();
}

static json_t *flag_or_null(int flag)
{
	return flag < 0 ? json_null() : json_boolean(flag);
}

static json_t *netifs_json(const struct rtk_device *d)
{
	json_t *list = json_array(), *o;
	size_t i;

	for (i = 0; i < d->netifs; i++) {
		o = json_object();
		json_object_set_new(o, "name",
				    rtk_json_string(d->netif[i].name));
		json_object_set_new(o, "up", json_boolean(d->netif[i].up));
		json_object_set_new(o, "carrier",
				    flag_or_null(d->netif[i].carrier));
		json_array_append_new(list, o);
	}
	return list;
}

json_t *rtk_device_json(const struct rtk_device *d)
{
	json_t *o = json_object();

	json_object_set_new(o, "device", rtk_json_string(d->bdf));
	json_object_set_new(o, "vendor_id", rtk_json_string(d->vendor));
	json_object_set_new(o, "device_id", rtk_json_string(d->id));
	json_object_set_new(o, "name", rtk_json_string(d->name));
	json_object_set_new(o, "family", text_or_null(d->family));
	json_object_set_new(o, "driver", text_or_null(d->driver));
	json_object_set_new(o, "claimed", json_boolean(d->claimed));
	json_object_set_new(o, "interfaces", netifs_json(d));
	json_object_set_new(o, "link", text_or_null(d->link));
	json_object_set_new(o, "aspm", text_or_null(rtk_device_aspm(d)));
	json_object_set_new(o, "l1_2", flag_or_null(d->l1_2));
	json_object_set_new(o, "l1_2_erratum", json_boolean(d->l1_2_erratum));
	json_object_set_new(o, "remapping", flag_or_null(d->remapping));
	json_object_set_new(o, "vector",
			    rtk_json_moment(d->vector >= 0, d->vector));
	json_object_set_new(o, "vector_chip", text_or_null(d->chip));
	return o;
}

/* Without a value, or with null, it is empty. */
static void get_text(const json_t *o, const char *name, char *buf, size_t size)
{
	rtk_copy(buf, size, json_string_value(json_object_get(o, name)));
}

static int get_flag(const json_t *o, const char *name)
{
	const json_t *v = json_object_get(o, name);

	return json_is_boolean(v) ? json_is_true(v) : -1;
}

static int get_aspm(const json_t *o)
{
	int aspm = RTK_ARRAY_SIZE(aspm_words);
	char text[16];

	get_text(o, "aspm", text, sizeof(text));
	do
		aspm--;
	while (aspm >= 0 && strcmp(text, aspm_words[aspm]));
	return aspm;
}

static void get_netifs(struct rtk_device *d, const json_t *list)
{
	struct rtk_netif *n;
	const json_t *o;

	while (d->netifs < RTK_NETIFS_MAX) {
		o = json_array_get(list, d->netifs);
		if (!o)
			break;
		n = &d->netif[d->netifs++];
		get_text(o, "name", n->name, sizeof(n->name));
		n->up = get_flag(o, "up") == 1;
		n->carrier = get_flag(o, "carrier");
	}
}

int rtk_device_parse(struct rtk_device *d, const char *text)
{
	json_t *o = json_loads(text, 0, NULL), *vector;
	int err = json_is_null(json_object_get(o, "device")) ? -ENOENT :
							       -EBADMSG;

	memset(d, 0, sizeof(*d));
	get_text(o, "device", d->bdf, sizeof(d->bdf));
	get_text(o, "vendor_id", d->vendor, sizeof(d->vendor));
	get_text(o, "device_id", d->id, sizeof(d->id));
	get_text(o, "name", d->name, sizeof(d->name));
	get_text(o, "family", d->family, sizeof(d->family));
	get_text(o, "driver", d->driver, sizeof(d->driver));
	d->claimed = get_flag(o, "claimed") == 1;
	get_netifs(d, json_object_get(o, "interfaces"));
	get_text(o, "link", d->link, sizeof(d->link));
	d->aspm = get_aspm(o);
	d->l1_2 = get_flag(o, "l1_2");
	d->l1_2_erratum = get_flag(o, "l1_2_erratum") == 1;
	d->remapping = get_flag(o, "remapping");
	vector = json_object_get(o, "vector");
	d->vector = json_is_integer(vector) ? (int)json_integer_value(vector) :
					      -1;
	get_text(o, "vector_chip", d->chip, sizeof(d->chip));
	json_decref(o);
	return d->bdf[0] ? 0 : err;
}

static const char *on_off(int flag)
{
	return flag < 0 ? "?" : flag ? "on" : "off";
}

void rtk_device_print(FILE *out, const struct rtk_device *d)
{
	const char *aspm = rtk_device_aspm(d);
	size_t i;

	fprintf(out, "device %s, %s, ", d->bdf, d->name);
	if (*d->family)
		fprintf(out, "family %s, ", d->family);
	fprintf(out, "%s %s", d->claimed ? "taken from" : "left with",
		*d->driver ? d->driver : "no driver");
	for (i = 0; i < d->netifs; i++)
		fprintf(out, "%s%s", i ? " " : " (", d->netif[i].name);
	fprintf(out, "%s\nlink %s, ASPM %s, L1.2 %s%s", i ? ")" : "",
		*d->link ? d->link : "none", aspm ? aspm : "?", on_off(d->l1_2),
		d->l1_2 == 1 && d->l1_2_erratum ?
			" (erratum: leaving it takes long)" :
			"");
	fprintf(out, ", interrupt remapping %s", on_off(d->remapping));
	if (d->vector >= 0)
		fprintf(out, ", vector %d", d->vector);
	if (*d->chip)
		fprintf(out, " (%s)", d->chip);
	fputc('\n', out);
}
