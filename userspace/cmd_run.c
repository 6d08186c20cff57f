// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "cmd.h"
#include "hold.h"
#include "live.h"
#include "params.h"
#include "readers.h"
#include "report.h"
#include "ucpus.h"
#include "units.h"
#include "urun.h"

/* Twice a second is enough for eyes, and disturbs little. */
#define TICK_MS 500
/* After its planned end the controller has to notice and join the workers. */
#define SETTLE_MS 20
#define OVERDUE_NS (60 * 1000000000LL)

#define DEFAULT_DURATION "60s"

/*
 * One rtk run: what was asked for and what goes on. The connection owns the
 * run: whatever happens to this process, the kernel ends it.
 */
struct run {
	struct rtk_report rep;
	const char *duration;
	const char *fail_above;
	__s64 fail_above_ns;
	bool defaults;
	struct rtk_nl *nl;
	struct rtk_kvs kvs;
	/* The first of them: what the user gave. */
	size_t given;
	const char *test;
	/* One of the tests that need no module, or NULL. */
	const struct rtk_utest *utest;
	__u32 generation;
	__s64 overdue;
	struct rtk_readers *readers;
	struct rtk_hold hold;
	int signals;
	bool live;
	bool interrupted;
	/* Somebody else's run is there by now: hands off. */
	bool replaced;
};

static int bad_time(const char *option, const char *value, int err,
		    const char *unit)
{
	char why[128];

	rtk_err("%s %s: %s", option, value,
		rtk_units_explain(why, sizeof(why), err, unit));
	return RTK_EXIT_ERROR;
}

static int set_number(struct run *run, const char *option, const char *name,
		      __s64 value)
{
	char text[32];

	if (rtk_params_find(&run->kvs, name)) {
		rtk_err("%s and %s= are the same; give one of them", option,
			name);
		return RTK_EXIT_ERROR;
	}
	snprintf(text, sizeof(text), "%lld", value);
	return rtk_params_set(&run->kvs, name, text) ? RTK_EXIT_ERROR :
						       RTK_EXIT_OK;
}

/* Will it end by itself, after so many samples? */
static bool has_count(const struct run *run, const struct rtk_test *t)
{
	const char *value = rtk_params_find(&run->kvs, "count");
	const struct rtk_param *p = rtk_test_param(t, "count");

	if (p && !value)
		value = run->defaults ? p->def : p->value;
	return value && strtoll(value, NULL, 0) > 0;
}

static int set_duration(struct run *run, const struct rtk_test *t)
{
	const char *text = run->duration ? run->duration : DEFAULT_DURATION;
	__s64 ms;
	int err;

	/* A test in user space has an end of its own. */
	if (!run->duration &&
	    (run->utest || rtk_params_find(&run->kvs, "duration_ms")))
		return RTK_EXIT_OK;
	if (!run->duration && has_count(run, t))
		text = "0";
	err = rtk_units_parse(text, "s", "ms", &ms);
	if (!err && ms < 0) {
		rtk_err("--duration %s: must not be below 0", text);
		return RTK_EXIT_ERROR;
	}
	/* Here a bare number is seconds, whatever the parameter's unit is. */
	if (err)
		return bad_time("--duration", text, err,
				err == -EDOM ? "ms" : "s");
	return set_number(run, "--duration", "duration_ms", ms);
}

/* A sample that fails the run must be on record. */
static int check_threshold(const struct run *run)
{
	const char *text = rtk_params_find(&run->kvs, "threshold_ns");
	__s64 ns = strtoll(text, NULL, 10);

	if (ns > 0 && ns <= run->fail_above_ns)
		return RTK_EXIT_OK;
	rtk_err("--fail-above %s: threshold_ns=%s would not record what is above it; give one of them, or a threshold_ns that is not larger",
		run->fail_above, text);
	return RTK_EXIT_ERROR;
}

static int set_limit(struct run *run)
{
	int err;

	run->fail_above_ns = -1;
	if (!run->fail_above)
		return RTK_EXIT_OK;
	err = rtk_units_parse(run->fail_above, "ns", "ns", &run->fail_above_ns);
	if (!err && run->fail_above_ns < 1) {
		rtk_err("--fail-above %s: must be above 0", run->fail_above);
		return RTK_EXIT_ERROR;
	}
	if (err)
		return bad_time("--fail-above", run->fail_above, err, "ns");
	if (rtk_params_find(&run->kvs, "threshold_ns"))
		return check_threshold(run);
	return set_number(run, "--fail-above", "threshold_ns",
			  run->fail_above_ns);
}

static int set_params(struct run *run, const struct rtk_test *t, char **args)
{
	int status = RTK_EXIT_OK;

	for (; *args && !status; args++)
		if (rtk_params_add(t, *args, &run->kvs))
			status = RTK_EXIT_ERROR;
	run->given = run->kvs.n;
	if (!status)
		status = set_duration(run, t);
	if (!status)
		status = set_limit(run);
	if (!status && run->defaults && rtk_params_defaults(t, &run->kvs))
		status = RTK_EXIT_ERROR;
	return status;
}

/* Waits for the next look, or a signal. */
static void wait_tick(struct run *run, const struct rtk_test *t)
{
	struct pollfd pfd = { .fd = run->signals, .events = POLLIN };
	struct signalfd_siginfo info;
	__s64 left = TICK_MS;

	if (t->planned_ns > 0 && t->elapsed_ns >= 0)
		left = (t->planned_ns - t->elapsed_ns) / 1000000 + SETTLE_MS;
	if (left < SETTLE_MS)
		left = SETTLE_MS;
	if (poll(&pfd, 1, left < TICK_MS ? (int)left : TICK_MS) == 1 &&
	    read(run->signals, &info, sizeof(info)) == sizeof(info))
		run->interrupted = true;
}

static int look(struct run *run, struct rtk_test *t)
{
	struct rtk_lanes lanes;
	int err;

	rtk_test_free(t);
	err = rtk_nl_test_get(run->nl, run->test, t);
	if (!err && t->generation != run->generation)
		err = -ESTALE;
	if (err || !run->live || t->state != RTK_STATE_RUNNING)
		return err;
	err = rtk_nl_stats(run->nl, run->test, &lanes);
	if (err)
		return err;
	rtk_live_print(t, &lanes);
	rtk_lanes_free(&lanes);
	return 0;
}

/* Off the measured CPUs, and the readers that the run waits for onto them. */
static int serve(struct run *run)
{
	struct rtk_cpuset cpus;
	struct rtk_tests tests;
	int status = rtk_cmd_test(run->nl, run->test, &tests);

	if (status)
		return status;
	if (tests.v[0].cpus && !rtk_cpuset_parse(&cpus, tests.v[0].cpus))
		rtk_ucpus_avoid(&cpus);
	if (rtk_readers_wanted(&tests.v[0]) &&
	    rtk_readers_start(&tests.v[0], &run->readers))
		status = RTK_EXIT_ERROR;
	rtk_tests_free(&tests);
	return status;
}

/* After the run. Readers are ended by its end, or by its owner's. */
static void serve_end(struct run *run, struct rtk_result *r)
{
	struct rtk_test t;

	if (!run->readers)
		return;
	rtk_test_init(&t);
	if (rtk_nl_test_get(run->nl, run->test, &t))
		rtk_test_init(&t);
	r->readers_failed = rtk_readers_end(run->readers, t.last_error,
					    r->readers_why,
					    sizeof(r->readers_why));
	run->readers = NULL;
	rtk_test_free(&t);
}

static bool is_over(const struct rtk_test *t)
{
	return t->state != RTK_STATE_RUNNING && t->state != RTK_STATE_STOPPING;
}

static int watch_failed(struct run *run, int err)
{
	run->replaced = err == -ESTALE;
	if (run->replaced) {
		rtk_err("another client has started or reset %s meanwhile: the results are lost",
			run->test);
		return RTK_EXIT_ERROR;
	}
	rtk_err("%s: %s", run->test,
		err == -ENODEV || err == -ENOENT ?
			"the module was unloaded during the run" :
		*rtk_nl_error(run->nl) ? rtk_nl_error(run->nl) :
					 strerror(-err));
	return RTK_EXIT_ERROR;
}

/* From start to end of the run in the kernel. */
static int watch(struct run *run)
{
	struct rtk_test t;
	int err;

	rtk_test_init(&t);
	err = look(run, &t);
	if (!err)
		run->overdue = rtk_mono_ns() + t.planned_ns + OVERDUE_NS;
	while (!err && !is_over(&t)) {
		wait_tick(run, &t);
		err = look(run, &t);
		if (!err && run->interrupted) {
			err = rtk_nl_stop(run->nl, run->test, run->generation);
			break;
		}
		if (!err)
			rtk_readers_report(run->readers, t.last_error);
		/* Warm-up comes before the planned time. */
		if (t.elapsed_ns <= 0)
			run->overdue =
				rtk_mono_ns() + t.planned_ns + OVERDUE_NS;
		if (!err && t.planned_ns > 0 && rtk_mono_ns() > run->overdue)
			err = -ETIME;
	}
	rtk_test_free(&t);
	if (run->live)
		rtk_live_clear();
	return err ? watch_failed(run, err) : RTK_EXIT_OK;
}

/* A test of a device gets it from its driver for the time of the run. */
static int hold_device(struct run *run, const struct rtk_test *t,
		       struct rtk_result *r)
{
	const char *value;
	size_t i = 0;
	int status;

	while (i < t->nparams && t->params[i].type != RTK_PARAM_TYPE_PCI)
		i++;
	if (i == t->nparams)
		return RTK_EXIT_OK;
	value = rtk_params_find(&run->kvs, t->params[i].name);
	if (!value)
		value = t->params[i].value;
	status = rtk_hold_begin(&run->hold, value && *value ? value : "auto",
				&r->device);
	if (status)
		return status;
	return rtk_params_set(&run->kvs, t->params[i].name, r->device.bdf) ?
		       RTK_EXIT_ERROR :
		       RTK_EXIT_OK;
}

/* The device's interrupt is there while the test runs only. */
static void look_at_vector(struct rtk_device *d)
{
	if (!d->bdf[0])
		return;
	d->vector = rtk_pci_vector("", d->bdf, d->chip, sizeof(d->chip));
	if (d->chip[0])
		d->remapping = rtk_pci_remapped(d->chip);
}

static int measure(struct run *run, struct rtk_result *r)
{
	int status, err;

	if (rtk_env_capture(&r->env, "")) {
		rtk_err_nomem();
		return RTK_EXIT_ERROR;
	}
	err = rtk_nl_start(run->nl, run->test, &run->kvs, false,
			   &run->generation);
	if (err)
		return rtk_cmd_fail(run->nl, run->test, err, "start");
	look_at_vector(&r->device);
	status = serve(run);
	if (!status)
		status = watch(run);
	if (status && !run->replaced)
		rtk_nl_stop(run->nl, run->test, run->generation);
	serve_end(run, r);
	if (status)
		return status;
	r->fail_above_ns = run->fail_above_ns;
	r->interrupted = run->interrupted;
	status = rtk_report_collect(run->nl, run->test, run->generation, r);
	if (!status)
		rtk_params_settled(&r->test, &run->kvs, run->given, &r->extra);
	return status;
}

static const char *nearest_user(const char *name)
{
	const char *best = NULL;
	size_t i;

	for (i = 0; rtk_utest_at(i); i++)
		best = rtk_nearest(name, best, rtk_utest_at(i)->name);
	return best;
}

static int run_kernel(struct run *run, char **args, struct rtk_result *r)
{
	struct rtk_tests tests;
	int status = rtk_cmd_open(&run->nl);
	const char *meant;

	if (status) {
		meant = nearest_user(run->test);
		if (meant)
			rtk_err("did you mean '%s'? That needs no module",
				meant);
		return status;
	}
	status = rtk_cmd_test(run->nl, run->test, &tests);
	if (!status) {
		status = set_params(run, &tests.v[0], args);
		if (!status)
			status = hold_device(run, &tests.v[0], r);
		rtk_tests_free(&tests);
	}
	if (!status)
		status = measure(run, r);
	rtk_nl_close(run->nl);
	return status;
}

static int run_user(struct run *run, char **args, struct rtk_result *r)
{
	struct rtk_urun_how how = { .signals = run->signals,
				    .live = run->live };
	struct rtk_test t;
	int status;

	if (rtk_env_capture(&r->env, "") ||
	    rtk_utest_describe(run->utest, &t)) {
		rtk_err_nomem();
		return RTK_EXIT_ERROR;
	}
	status = set_params(run, &t, args);
	rtk_test_free(&t);
	how.fail_above_ns = run->fail_above_ns;
	return status ? status : rtk_urun(run->utest, &run->kvs, &how, r);
}

static int run_test(struct run *run, char **args)
{
	int status = RTK_EXIT_OK, back;
	struct rtk_result r;

	run->utest = rtk_utest_find(run->test);
	rtk_result_init(&r);
	if (rtk_report_check(&run->rep, run->test))
		status = RTK_EXIT_ERROR;
	if (!status)
		run->signals = rtk_signals();
	if (!status && run->signals < 0)
		status = RTK_EXIT_ERROR;
	run->live = !run->rep.quiet && rtk_live_wanted();
	if (!status)
		status = run->utest ? run_user(run, args, &r) :
				      run_kernel(run, args, &r);
	/* Not after the report, whose reader may take for ever, or kill us. */
	back = rtk_hold_end(&run->hold);
	if (!status)
		status = rtk_report_print(&run->rep, &r);
	if (back && status != RTK_EXIT_CANNOT)
		status = back;
	rtk_result_free(&r);
	rtk_kvs_free(&run->kvs);
	return status;
}

static int run_run(int argc, char **argv)
{
	struct run run = { 0 };
	int c, err;

	opterr = 0;
	while ((c = getopt_long(argc, argv, ":", rtk_run_options, NULL)) !=
	       -1) {
		err = 0;
		if (c == RTK_OPT_DURATION)
			run.duration = optarg;
		else if (c == RTK_OPT_FAIL_ABOVE)
			run.fail_above = optarg;
		else if (c == RTK_OPT_DEFAULTS)
			run.defaults = true;
		else
			err = rtk_report_option(&run.rep, c, optarg);
		if (err == -ENOENT)
			return rtk_cmd_bad_option(&rtk_cmd_run, c, argv);
		if (err)
			return RTK_EXIT_ERROR;
	}
	if (!argv[optind])
		return rtk_cmd_usage(&rtk_cmd_run, "a test is needed");
	run.test = argv[optind];
	return run_test(&run, argv + optind + 1);
}

const struct rtk_cmd rtk_cmd_run = {
	.name = "run",
	.args = "TEST [NAME=VALUE]... [OPTION]...",
	.summary = "run a test, report and judge the result",
	.help = "Sets the parameters, runs the test, prints statistics, ledger and verdict.\n"
		"Parameters that are not given have the values set before (rtk get TEST). On a\n"
		"terminal a line shows the progress; Ctrl-C ends the run and reports it.\n"
		"\n"
		"  --duration D      measured time; a bare number is seconds, 0 is until Ctrl-C;\n"
		"                    without it 60s; or a user-space test's own end, or count=\n"
		"  --defaults        parameters that are not given have their defaults\n"
		"  --fail-above D    exit status 1 if a sample is above D; sets\n"
		"                    threshold_ns\n" RTK_REPORT_HELP,
	.run = run_run,
};
