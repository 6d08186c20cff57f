// SPDX-License-Identifier: GPL-2.0
/* Documents that are no results, or not any more; and those of older versions. */
#include <errno.h>
#include <math.h>
#include <unistd.h>
#include <jansson.h>

#include "results.h"

/* What is done to a document before it is read. */
struct damage {
	const char *what;
	void (*damage)(json_t *o);
};

static json_t *series(json_t *o, size_t i)
{
	return json_array_get(json_object_get(o, "series"), i);
}

static json_t *bucket(json_t *o)
{
	return json_array_get(json_object_get(series(o, 0), "histogram"), 0);
}

static void other_schema(json_t *o)
{
	json_object_set_new(o, "schema", json_string("rtk-result/2"));
}

static void no_environment(json_t *o)
{
	json_object_del(o, "environment");
}

static void no_test(json_t *o)
{
	json_object_set_new(o, "test", json_string(""));
}

static void more_samples(json_t *o)
{
	json_array_set_new(bucket(o), 2, json_integer(17));
}

static void no_bucket(json_t *o)
{
	json_array_set_new(bucket(o), 0, json_integer(999));
}

static void wide_bucket(json_t *o)
{
	json_array_set_new(bucket(o), 1, json_integer(5000));
}

static void bad_sum(json_t *o)
{
	json_object_set_new(series(o, 0), "sum", json_string("12x"));
}

static void big_squares(json_t *o)
{
	const char *text = "340282366920938463463374607431768211456";

	json_object_set_new(series(o, 0), "sum_of_squares", json_string(text));
}

static void strange_ledger(json_t *o)
{
	json_t *l = json_array_get(json_object_get(o, "ledger"), 0);

	json_object_set_new(l, "cpu", json_integer(9));
}

static void strange_cpu(json_t *o)
{
	json_t *c = json_array_get(json_object_get(o, "per_cpu"), 0);

	json_object_set_new(c, "cpu", json_integer(9));
}

static void short_row(json_t *o)
{
	json_object_set_new(o, "tables",
			    json_pack("{s:{s:[s,s],s:[[i]]}}", "t", "columns",
				      "a", "b", "rows", 1));
}

static void no_status(json_t *o)
{
	json_object_set_new(json_object_get(o, "verdict"), "status",
			    json_string("GOOD"));
}

static const struct damage damages[] = {
	{ "another schema", other_schema },
	{ "no environment", no_environment },
	{ "no test", no_test },
	{ "a bucket with other samples", more_samples },
	{ "a bucket that there is not", no_bucket },
	{ "a bucket that is too wide", wide_bucket },
	{ "a sum that is no number", bad_sum },
	{ "squares above 128 bits", big_squares },
	{ "a ledger of a CPU without a series", strange_ledger },
	{ "counts of such a CPU", strange_cpu },
	{ "a row with too few values", short_row },
	{ "a status that there is not", no_status },
};

static json_t *document(void)
{
	struct rtk_result r;
	json_t *o;
	char *text;

	make(&r);
	add_outlier(&r, "irq", 5, 6, "a task");
	judge(&r);
	text = rtk_json_text(&r);
	o = json_loads(text ? text : "", 0, NULL);
	free(text);
	rtk_result_free(&r);
	return o;
}

static int load(json_t *o, struct rtk_result *r)
{
	char *text = json_dumps(o, 0);
	int err = rtk_load_text("test", text, r);

	free(text);
	return err;
}

static void test_damages(void)
{
	struct rtk_result r;
	json_t *o;
	size_t i;

	for (i = 0; i < RTK_ARRAY_SIZE(damages); i++) {
		o = document();
		damages[i].damage(o);
		ok_num(load(o, &r), -EBADMSG, "refused: %s", damages[i].what);
		json_decref(o);
	}
	ok_num(rtk_load_text("test", "", &r), -EBADMSG, "refused: nothing");
	ok_num(rtk_load_text("test", "[1]", &r), -EBADMSG, "refused: a list");
	ok_num(rtk_load_text("test", "{\"schema\":", &r), -EBADMSG,
	       "refused: a document that was cut");
	ok_num(rtk_load("/nonexistent/file", &r), -ENOENT, "refused: no file");
	ok_num(rtk_load("/", &r), -EISDIR, "refused: a folder");
}

static bool is_near(const struct rtk_summary *s, const struct rtk_summary *t)
{
	return s->count == t->count && s->m.max == t->m.max &&
	       s->period_ns == t->period_ns && s->added == t->added &&
	       fabs(s->mean - t->mean) < 1e-6 * t->mean &&
	       fabs(s->stddev - t->stddev) < 0.01 * t->stddev;
}

/* Results of before there were sums, changed_params and the ledger's period. */
static void test_old(void)
{
	static const char *const young[] = { "sum", "sum_of_squares", "bound",
					     "outliers", "wrong_cpu" };
	const struct rtk_summary *s, *t;
	struct rtk_result old, new;
	json_t *o = document(), *v;
	size_t i, k;

	ok(!load(o, &new), "a document of today is read");
	json_object_del(o, "changed_params");
	json_array_foreach(json_object_get(o, "series"), i, v)
		for (k = 0; k < RTK_ARRAY_SIZE(young); k++)
			json_object_del(v, young[k]);
	json_array_foreach(json_object_get(o, "ledger"), i, v)
		json_object_del(v, "period_ns");
	ok(!load(o, &old), "an old document is read");
	for (i = 0; i < old.nsums; i++) {
		s = &old.sums[i];
		t = &new.sums[i];
		ok(is_near(s, t), "its %s of CPU %d", s->series->name, s->cpu);
	}
	rtk_result_free(&old);
	rtk_result_free(&new);
	json_decref(o);
}

/* A reason of a version to come stays one. */
static void test_new_reason(void)
{
	json_t *o = document(), *v = json_object_get(o, "verdict");
	struct rtk_result r;
	bool known;
	char *text;

	json_object_set_new(v, "status", json_string("DEGRADED"));
	json_array_append_new(json_object_get(v, "reasons"),
			      json_pack("{s:s,s:s,s:s}", "id", "moon-phase",
					"status", "DEGRADED", "text", "full"));
	known = !load(o, &r) && r.verdict.n == 1;
	ok_str(known ? r.verdict.v[0].id : "", "moon-phase",
	       "a reason not known here");
	text = rtk_json_text(&r);
	ok(strstr(text, "moon-phase"), "is written again");
	free(text);
	rtk_result_free(&r);
	json_decref(o);
}

static void test_bound(void)
{
	double p = rtk_stats_bound(345600000);

	ok(p > 8.680e-9 && p < 8.681e-9, "of 345.6 million: 8.68e-9");
	ok(rtk_stats_bound(300) == 0.01, "of 300: a hundredth");
	ok(rtk_stats_bound(1) == 1, "no probability is above 1");
}

int main(void)
{
	tap_begin();
	test_damages();
	test_old();
	test_new_reason();
	test_bound();
	return tap_end();
}
