// SPDX-License-Identifier: GPL-2.0
/* JUnit's XML, of which only what Jenkins and GitLab both read. */
#include <errno.h>

#include "json.h"
#include "rep.h"
#include "rep_xml.h"

static void put_property(void *arg, const char *key, const char *text,
			 bool known)
{
	struct rtk_xml *x = arg;

	rtk_xml_open(x, "property");
	rtk_xml_attr(x, "name", "%s", key);
	rtk_xml_attr(x, "value", known ? "%s" : "not known: %s", text);
	rtk_xml_close(x);
}

/* The time of a run is that of its first case. */
static void put_case(struct rtk_xml *x, const struct rtk_result *r,
		     const struct rtk_case *c, double seconds)
{
	rtk_xml_open(x, "testcase");
	rtk_xml_attr(x, "classname", "rtk.%s", r->test.name);
	rtk_xml_attr(x, "name", "%s", c->name);
	rtk_xml_attr(x, "time", "%.3f", seconds);
	if (c->status == RTK_CASE_OK) {
		rtk_xml_leaf(x, "system-out", "%s", c->text);
	} else {
		rtk_xml_open(x, c->status == RTK_CASE_FAILED ? "failure" :
							       "skipped");
		rtk_xml_attr(x, "message", "%s", c->text);
		rtk_xml_close(x);
	}
	rtk_xml_close(x);
}

static void put_reasons(struct rtk_xml *x, const struct rtk_verdict *v)
{
	size_t i;

	rtk_xml_open(x, "system-out");
	for (i = 0; i < v->n; i++)
		rtk_xml_text(x, "%s: %s\n", v->v[i].id, v->v[i].text);
	rtk_xml_close(x);
}

static void put_suite(struct rtk_xml *x, const struct rtk_rep *rep, size_t i)
{
	const struct rtk_result *r = &rep->v[i];
	double seconds = (double)r->test.elapsed_ns / 1e9;
	char time[48] = "";
	struct rtk_cases c;
	size_t k;

	if (rtk_rep_cases(r, &c)) {
		x->failed = true;
		return;
	}
	rtk_xml_open(x, "testsuite");
	rtk_xml_attr(x, "name", "%s", r->test.name);
	rtk_xml_attr(x, "file", "%s", rep->file[i]);
	rtk_xml_attr(x, "tests", "%zu", c.n);
	rtk_xml_attr(x, "failures", "%zu", c.failed);
	rtk_xml_attr(x, "errors", "0");
	rtk_xml_attr(x, "skipped", "%zu", c.skipped);
	rtk_xml_attr(x, "time", "%.3f", seconds);
	if (r->test.started_wall_ns >= 0)
		rtk_xml_attr(x, "timestamp", "%.19s",
			     rtk_json_time(time, sizeof(time),
					   r->test.started_wall_ns));
	rtk_xml_open(x, "properties");
	if (rtk_rep_facts(r, put_property, x))
		x->failed = true;
	rtk_xml_close(x);
	for (k = 0; k < c.n; k++)
		put_case(x, r, &c.v[k], k ? 0 : seconds);
	put_reasons(x, &r->verdict);
	rtk_xml_close(x);
	rtk_rep_cases_free(&c);
}

int rtk_rep_junit(FILE *out, const struct rtk_rep *rep)
{
	struct rtk_xml x;
	size_t i;

	rtk_xml_begin(&x, false);
	rtk_xml_open(&x, "testsuites");
	for (i = 0; i < rep->n; i++)
		put_suite(&x, rep, i);
	rtk_xml_close(&x);
	return rtk_xml_end(&x, out);
}
