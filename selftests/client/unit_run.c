// SPDX-License-Identifier: GPL-2.0
/*
 * rtk run and the reading of results, when another client's run takes the place
 * of ours: before any of the requests that it makes. The module is played here.
 */
#include <errno.h>
#include <getopt.h>
#include <signal.h>

#include "cmd.h"
#include "report.h"
#include "tap.h"

/* No command makes more requests than these. */
#define REQUESTS_MAX 20

/* The run that is there; everything that it tells has its number in it. */
static struct {
	__u32 generation;
	bool running;
	bool interrupt;
	unsigned int requests;
	unsigned int replace_at;
} module;

static bool is_replaced(void)
{
	return module.requests >= module.replace_at;
}

/* Every request after the start begins with this. */
static void request(void)
{
	if (++module.requests != module.replace_at)
		return;
	module.generation++;
	module.running = true;
}

int rtk_nl_open(struct rtk_nl **nl)
{
	*nl = NULL;
	return 0;
}

void rtk_nl_close(struct rtk_nl *nl)
{
	(void)nl;
}

const char *rtk_nl_error(const struct rtk_nl *nl)
{
	(void)nl;
	return "";
}

int rtk_nl_set(struct rtk_nl *nl, const char *name, const struct rtk_kvs *kvs)
{
	(void)nl;
	(void)name;
	(void)kvs;
	return 0;
}

int rtk_nl_start(struct rtk_nl *nl, const char *name, const struct rtk_kvs *kvs,
		 bool detach, __u32 *generation)
{
	(void)nl;
	(void)name;
	(void)kvs;
	(void)detach;
	module.requests = 0;
	module.running = true;
	*generation = ++module.generation;
	return 0;
}

int rtk_nl_stop(struct rtk_nl *nl, const char *name, __u32 generation)
{
	(void)nl;
	(void)name;
	request();
	if (generation && generation != module.generation)
		return -ESTALE;
	module.running = false;
	return 0;
}

int rtk_nl_test_get(struct rtk_nl *nl, const char *name, struct rtk_test *t)
{
	(void)nl;
	request();
	rtk_test_init(t);
	rtk_copy(t->name, sizeof(t->name), name);
	t->generation = module.generation;
	t->state = module.running ? RTK_STATE_RUNNING : RTK_STATE_DONE;
	t->features = RTK_FEATURE_OUTLIERS;
	t->cpus = strdup("0");
	t->reason = strdup("stopped");
	t->series = calloc(1, sizeof(*t->series));
	t->nseries = 1;
	rtk_copy(t->series->name, sizeof(t->series->name), "irq");
	rtk_copy(t->series->unit, sizeof(t->series->unit), "ns");
	/* What Ctrl-C does. */
	if (module.interrupt && module.running)
		raise(SIGINT);
	return 0;
}

int rtk_nl_tests(struct rtk_nl *nl, const char *name, struct rtk_tests *out)
{
	out->n = 0;
	out->v = NULL;
	return rtk_nl_test_get(nl, name,
			       rtk_grow(&out->v, &out->n, sizeof(*out->v)));
}

int rtk_nl_hist(struct rtk_nl *nl, const char *name, struct rtk_lanes *out)
{
	struct rtk_lane *l;

	(void)nl;
	(void)name;
	request();
	out->generation = module.generation;
	l = rtk_grow(&out->v, &out->n, sizeof(*l));
	rtk_copy(l->series, sizeof(l->series), "irq");
	l->complete = true;
	l->moments = true;
	l->count = 1;
	l->moments_count = 1;
	l->min = module.generation;
	l->max = module.generation;
	l->buckets = calloc(1, sizeof(*l->buckets));
	l->nbuckets = 1;
	l->buckets[0].index = rtk_hist_index(module.generation);
	l->buckets[0].count = 1;
	return 0;
}

int rtk_nl_outliers(struct rtk_nl *nl, const char *name,
		    struct rtk_outliers *out)
{
	struct rtk_outlier *o;

	(void)nl;
	(void)name;
	request();
	o = rtk_grow(&out->v, &out->n, sizeof(*o));
	rtk_outlier_init(o);
	rtk_copy(o->series, sizeof(o->series), "irq");
	o->value = module.generation;
	return 0;
}

int rtk_nl_stats(struct rtk_nl *nl, const char *name, struct rtk_lanes *out)
{
	return rtk_nl_hist(nl, name, out);
}

/* Until no request is left that it could come before. */
static void test_interrupted(void)
{
	char **argv = (char *[]){ "run", "hrtimer", "--quiet", NULL };
	bool reported = true, went_on = true;
	int status;

	module.interrupt = true;
	module.replace_at = 0;
	do {
		module.replace_at++;
		/* Those before the start don't count. */
		module.requests = REQUESTS_MAX;
		module.running = false;
		optind = 0;
		status = rtk_cmd_run.run(3, argv);
		if (!is_replaced())
			break;
		reported &= status == RTK_EXIT_ERROR;
		went_on &= module.running;
	} while (module.replace_at < REQUESTS_MAX);
	module.interrupt = false;
	ok(module.replace_at > 6 && module.replace_at < REQUESTS_MAX,
	   "before each of %u requests", module.replace_at - 1);
	ok(reported, "Ctrl-C: the other's run is not reported as ours");
	ok(went_on, "Ctrl-C: it is not stopped");
	ok(status != RTK_EXIT_ERROR, "Ctrl-C: ours is reported");
	ok(!module.running, "Ctrl-C: and stopped");
}

static void test_show(void)
{
	const struct rtk_checkpoint none = { 0 };
	struct rtk_result r;
	bool mixed = false;
	int status;

	module.replace_at = 0;
	do {
		module.replace_at++;
		module.requests = 0;
		rtk_result_init(&r);
		status = rtk_report_collect(NULL, "hrtimer", 0, &none, &r);
		mixed |= !status &&
			 (r.lanes.v->max != r.test.generation ||
			  r.outliers.v->value != r.test.generation);
		rtk_result_free(&r);
	} while (is_replaced() && module.replace_at < REQUESTS_MAX);
	ok(!status, "show: a run is shown");
	ok(!mixed, "show: not the parts of two");
}

int main(void)
{
	tap_begin();
	test_interrupted();
	test_show();
	return tap_end();
}
