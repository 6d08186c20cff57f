// SPDX-License-Identifier: GPL-2.0
/* The machine that a result comes from, as a part of its document. */
#include <stdio.h>
#include <jansson.h>

#include "json_value.h"

/* NULL stands for a value that is not known; rtk_json_set() takes it. */
static json_t *known_text(const char *s)
{
	return s && *s ? rtk_json_string(s) : NULL;
}

void rtk_json_set(json_t *o, const char *name, json_t *value,
		  const char *reason)
{
	char key[64];

	json_object_set_new(o, name, value ? value : json_null());
	if (value)
		return;
	snprintf(key, sizeof(key), "%s_reason", name);
	json_object_set_new(o, key,
			    rtk_json_string(reason ? reason : "not known"));
}

static json_t *governors_json(const struct rtk_env *e)
{
	json_t *list, *item;
	size_t i, known = 0;

	for (i = 0; i < e->ncpus; i++)
		known += e->cpus[i].governor[0] != '\0';
	if (!known)
		return NULL;
	list = json_array();
	for (i = 0; i < e->ncpus; i++) {
		item = json_object();
		json_object_set_new(item, "cpu",
				    rtk_json_integer(e->cpus[i].cpu));
		rtk_json_set(item, "governor", known_text(e->cpus[i].governor),
			     "no frequency scaling");
		json_array_append_new(list, item);
	}
	return list;
}

static json_t *idle_json(const struct rtk_env *e)
{
	json_t *list, *item;
	size_t i;

	if (!e->nidle)
		return NULL;
	list = json_array();
	for (i = 0; i < e->nidle; i++) {
		item = json_object();
		json_object_set_new(item, "name",
				    rtk_json_string(e->idle[i].name));
		json_object_set_new(item, "latency_us",
				    rtk_json_integer(e->idle[i].latency_us));
		json_object_set_new(item, "disabled",
				    json_boolean(e->idle[i].disabled));
		json_array_append_new(list, item);
	}
	return list;
}

static json_t *load_json(const struct rtk_env *e)
{
	json_t *list;
	int i;

	if (e->load[2] < 0)
		return NULL;
	list = json_array();
	for (i = 0; i < 3; i++)
		json_array_append_new(list, json_real(e->load[i]));
	return list;
}

json_t *rtk_env_json(const struct rtk_result *r)
{
	static const char user[] = "a test in user space";
	const struct rtk_env *e = &r->env;
	const struct rtk_fact *f;
	json_t *o = json_object();
	size_t i;

	for (i = 0; i < RTK_FACTS; i++) {
		f = &e->fact[i];
		rtk_json_set(o, rtk_env_key((enum rtk_fact_id)i),
			     f->value ? rtk_json_string(f->value) : NULL,
			     f->reason);
	}
	rtk_json_set(o, "rt", e->rt < 0 ? NULL : json_boolean(e->rt),
		     e->fact[RTK_FACT_RT_SOURCE].reason);
	f = &e->fact[RTK_FACT_HYPERVISOR];
	rtk_json_set(o, "emulated", f->value ? json_boolean(e->emulated) : NULL,
		     f->reason);
	rtk_json_set(o, "clocksource_after", known_text(r->clocksource_after),
		     NULL);
	rtk_json_set(o, "governors", governors_json(e),
		     "no frequency scaling on the measured CPUs");
	rtk_json_set(o, "idle_states", idle_json(e),
		     "no cpuidle on the measured CPUs");
	rtk_json_set(o, "cpu_latency_qos_us",
		     e->cpu_latency_us < 0 ?
			     NULL :
			     rtk_json_integer(e->cpu_latency_us),
		     "/dev/cpu_dma_latency can't be read");
	rtk_json_set(o, "load_average", load_json(e),
		     "/proc/loadavg can't be read");
	rtk_json_set(o, "smi_source", known_text(r->test.smi_source),
		     r->cond.is_user ? user : "the module does not tell");
	rtk_json_set(o, "module_version", known_text(r->test.version),
		     r->cond.is_user ? user : NULL);
	if (e->more)
		json_object_update(o, e->more);
	return o;
}
