// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "allsafe.h"
#include "cmd.h"
#include "krun.h"
#include "live.h"
#include "outfile.h"
#include "params.h"
#include "report.h"
#include "resume.h"
#include "target.h"
#include "units.h"
#include "urun.h"

#define DEFAULT_DURATION "60s"
/* Writing a large result takes some ms of a CPU. */
#define SHORTEST_NS 1000000000LL
/* Of one of many devices. */
#define SAFE_DURATION "5s"

/* One rtk run: what was asked for and what goes on. */
struct run {
	struct rtk_report rep;
	const char *duration;
	const char *fail_above;
	const char *checkpoint;
	/* A run that is taken up again: its document, NULL for none. */
	const char *resume;
	struct rtk_resume before;
	__s64 total_ns;
	bool defaults;
	bool all_safe;
	/* One of the tests that need no module, or NULL. */
	const struct rtk_utest *utest;
	struct rtk_hold hold;
	/* Of a test that needs none only what it takes in, too. */
	struct rtk_krun k;
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

	if (rtk_params_find(&run->k.kvs, name)) {
		rtk_err("%s and %s= are the same; give one of them", option,
			name);
		return RTK_EXIT_ERROR;
	}
	snprintf(text, sizeof(text), "%lld", value);
	return rtk_params_set(&run->k.kvs, name, text) ? RTK_EXIT_ERROR :
							 RTK_EXIT_OK;
}

/* Will it end by itself, after so many samples? */
static bool has_count(const struct run *run, const struct rtk_test *t)
{
	const char *value = rtk_params_find(&run->k.kvs, "count");
	const struct rtk_param *p = rtk_test_param(t, "count");

	if (p && !value)
		value = run->defaults ? p->def : p->value;
	return value && strtoll(value, NULL, 0) > 0;
}

static int below_zero(const char *duration)
{
	rtk_err("--duration %s: must not be below 0", duration);
	return RTK_EXIT_ERROR;
}

static int set_duration(struct run *run, const struct rtk_test *t)
{
	const char *text = run->duration	 ?:
				   run->all_safe ? SAFE_DURATION :
						   DEFAULT_DURATION;
	__s64 ms;
	int err;

	/* A test in user space has an end of its own. */
	if (!run->duration &&
	    (run->utest || rtk_params_find(&run->k.kvs, "duration_ms")))
		return RTK_EXIT_OK;
	if (!run->duration && has_count(run, t))
		text = "0";
	err = rtk_units_parse(text, "s", "ms", &ms);
	if (!err && ms < 0)
		return below_zero(text);
	/* Here a bare number is seconds, whatever the parameter's unit is. */
	if (err)
		return bad_time("--duration", text, err,
				err == -EDOM ? "ms" : "s");
	return set_number(run, "--duration", "duration_ms", ms);
}

/* A sample that fails the run must be on record. */
static int check_threshold(const struct run *run)
{
	const char *text = rtk_params_find(&run->k.kvs, "threshold_ns");
	__s64 ns = strtoll(text, NULL, 10);

	if (ns > 0 && ns <= run->k.fail_above_ns)
		return RTK_EXIT_OK;
	rtk_err("--fail-above %s: threshold_ns=%s would not record what is above it; give one of them, or a threshold_ns that is not larger",
		run->fail_above, text);
	return RTK_EXIT_ERROR;
}

static int set_limit(struct run *run)
{
	int err;

	run->k.fail_above_ns = -1;
	if (!run->fail_above)
		return RTK_EXIT_OK;
	err = rtk_units_parse(run->fail_above, "ns", "ns",
			      &run->k.fail_above_ns);
	if (!err && run->k.fail_above_ns < 1) {
		rtk_err("--fail-above %s: must be above 0", run->fail_above);
		return RTK_EXIT_ERROR;
	}
	if (err)
		return bad_time("--fail-above", run->fail_above, err, "ns");
	if (rtk_params_find(&run->k.kvs, "threshold_ns"))
		return check_threshold(run);
	return set_number(run, "--fail-above", "threshold_ns",
			  run->k.fail_above_ns);
}

/* All of them are those of the run that is taken up. */
static int set_rest(struct run *run, const struct rtk_test *t)
{
	struct rtk_env e;
	int err = rtk_env_capture(&e, "");

	if (err)
		return rtk_err_nomem();
	err = rtk_resume_check(&run->before, &e);
	rtk_env_free(&e);
	if (!err)
		err = rtk_resume_settings(&run->before, t, run->total_ns,
					  &run->k.kvs);
	run->k.given = run->k.kvs.n;
	run->k.fail_above_ns = run->before.before.fail_above_ns;
	if (!err)
		err = rtk_params_defaults(t, &run->k.kvs);
	return err;
}

static int set_params(struct run *run, const struct rtk_test *t, char **args)
{
	int status = RTK_EXIT_OK;

	if (run->resume)
		return set_rest(run, t) ? RTK_EXIT_ERROR : RTK_EXIT_OK;

	for (; *args && !status; args++)
		if (rtk_params_add(t, *args, &run->k.kvs))
			status = RTK_EXIT_ERROR;
	run->k.given = run->k.kvs.n;
	if (!status)
		status = set_duration(run, t);
	if (!status)
		status = set_limit(run);
	if (!status && run->defaults && rtk_params_defaults(t, &run->k.kvs))
		status = RTK_EXIT_ERROR;
	return status;
}

static int not_all_safe(const struct run *run)
{
	rtk_err("--all-safe is for a test that reads registers of devices: mmio; not for %s",
		run->k.test);
	return RTK_EXIT_ERROR;
}

static int check_checkpoint(struct run *run)
{
	struct rtk_checkpoint *c = &run->k.checkpoint;
	const char *path = run->rep.json, *text = run->checkpoint;
	int err;

	c->path = path;
	c->live = run->k.live;
	if (!text)
		return RTK_EXIT_OK;
	err = rtk_units_parse(text, "s", "ns", &c->every_ns);
	if (err)
		return bad_time("--checkpoint", text, err, "ns");
	if (c->every_ns < 0 || (c->every_ns && c->every_ns < SHORTEST_NS)) {
		rtk_err("--checkpoint %s: 1s or more, or 0 for none", text);
		return RTK_EXIT_ERROR;
	}
	if (!c->every_ns || (path && rtk_outfile_is_file(path)))
		return RTK_EXIT_OK;
	rtk_err("--checkpoint needs a file that can be replaced: --json FILE");
	return RTK_EXIT_ERROR;
}

/* Who loses hours to a power cut has not known that there are checkpoints. */
static void default_checkpoint(struct run *run)
{
	struct rtk_checkpoint *c = &run->k.checkpoint;
	const char *ms = rtk_params_find(&run->k.kvs, "duration_ms");
	__s64 planned = ms ? strtoll(ms, NULL, 10) * 1000000 : -1;

	if (!run->checkpoint && c->path && rtk_outfile_is_file(c->path) &&
	    (run->resume || planned <= 0 || planned > RTK_CHECKPOINT_LONG_NS))
		c->every_ns = RTK_CHECKPOINT_DEFAULT_NS;
}

/* What holds one result can't hold those of many devices. */
static int check_all_safe(const struct run *run)
{
	const struct rtk_report *rep = &run->rep;
	bool table = !rep->format || !strcmp(rep->format, "table");
	const char *option = rep->json	    ? "--json" :
			     !table	    ? "--format" :
			     rep->histogram ? "--histogram" :
			     rep->all_cpus  ? "--all-cpus" :
					      NULL;

	if (!run->all_safe)
		return RTK_EXIT_OK;
	if (run->utest)
		return not_all_safe(run);
	if (!option)
		return RTK_EXIT_OK;
	rtk_err("%s is for one result, and --all-safe has one for each device; name one instead: device=",
		option);
	return RTK_EXIT_ERROR;
}

static int measure(struct rtk_krun *k, struct rtk_result *r)
{
	int err = rtk_krun_start(k, r);

	if (err)
		return rtk_cmd_fail(k->nl, k->test, err, "start");
	return rtk_krun_finish(k, r);
}

/* Of one device; or of many, with their report. */
static int run_devices(struct run *run, const struct rtk_test *t,
		       struct rtk_result *r)
{
	int status;

	if (run->all_safe && rtk_target_reads(t))
		return rtk_allsafe(&run->k, t, &run->rep);
	if (run->all_safe)
		return not_all_safe(run);
	default_checkpoint(run);
	status = rtk_target_hold(t, &run->k.kvs, &run->hold, &r->device);
	return status ? status : measure(&run->k, r);
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
	int status = rtk_cmd_open(&run->k.nl);
	const char *meant;

	if (status) {
		meant = nearest_user(run->k.test);
		if (meant)
			rtk_err("did you mean '%s'? That needs no module",
				meant);
		return status;
	}
	status = rtk_cmd_test(run->k.nl, run->k.test, &tests);
	if (!status) {
		status = set_params(run, &tests.v[0], args);
		if (!status)
			status = run_devices(run, &tests.v[0], r);
		rtk_tests_free(&tests);
	}
	rtk_nl_close(run->k.nl);
	return status;
}

static int run_user(struct run *run, char **args, struct rtk_result *r)
{
	struct rtk_urun_how how = { .signals = run->k.signals,
				    .live = run->k.live };
	struct rtk_test t;
	int status;

	if (rtk_env_capture(&r->env, "") ||
	    rtk_utest_describe(run->utest, &t)) {
		rtk_err_nomem();
		return RTK_EXIT_ERROR;
	}
	status = set_params(run, &t, args);
	rtk_test_free(&t);
	default_checkpoint(run);
	how.fail_above_ns = run->k.fail_above_ns;
	how.checkpoint = run->k.checkpoint;
	return status ? status : rtk_urun(run->utest, &run->k.kvs, &how, r);
}

static int run_test(struct run *run, char **args)
{
	int status = RTK_EXIT_OK, back;
	struct rtk_result r;

	run->utest = rtk_utest_find(run->k.test);
	rtk_result_init(&r);
	if (check_all_safe(run) || check_checkpoint(run) ||
	    rtk_report_check(&run->rep, run->k.test) ||
	    (run->resume && rtk_resume_begin(&run->before, &r)))
		status = RTK_EXIT_ERROR;
	if (!status)
		run->k.signals = rtk_signals();
	if (!status && run->k.signals < 0)
		status = RTK_EXIT_ERROR;
	run->k.live = !run->rep.quiet && rtk_live_wanted();
	if (!status)
		status = run->utest ? run_user(run, args, &r) :
				      run_kernel(run, args, &r);
	/* Not after the report, whose reader may take for ever, or kill us. */
	back = rtk_hold_end(&run->hold);
	if (!status && run->resume)
		rtk_resume_note(&run->before, &r);
	if (!status && !run->all_safe)
		status = rtk_report_print(&run->rep, &r);
	if (back && status != RTK_EXIT_CANNOT)
		status = back;
	rtk_result_free(&r);
	rtk_kvs_free(&run->k.kvs);
	return status;
}

/* Test and parameters are in the document; so is where the result goes. */
static int resume(struct run *run, char **args)
{
	char why[128];
	int err = 0, status;

	run->total_ns = -1;
	if (*args || run->defaults || run->all_safe || run->fail_above) {
		rtk_err("--resume takes test, parameters and limit from the file; only --duration, --checkpoint and what is about the report go with it");
		return RTK_EXIT_ERROR;
	}
	if (run->duration)
		err = rtk_units_parse(run->duration, "s", "ns", &run->total_ns);
	if (err) {
		rtk_err("--duration %s: %s", run->duration,
			rtk_units_explain(why, sizeof(why), err, "ns"));
		return RTK_EXIT_ERROR;
	}
	if (run->duration && run->total_ns < 0)
		return below_zero(run->duration);
	if (rtk_resume_load(run->resume, run->total_ns, &run->before))
		return RTK_EXIT_ERROR;
	if (!run->rep.json)
		run->rep.json = run->resume;
	run->k.test = run->before.before.test.name;
	run->k.checkpoint.resume = &run->before;
	status = run_test(run, args);
	rtk_resume_free(&run->before);
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
		else if (c == RTK_OPT_ALL_SAFE)
			run.all_safe = true;
		else if (c == RTK_OPT_CHECKPOINT)
			run.checkpoint = optarg;
		else if (c == RTK_OPT_RESUME)
			run.resume = optarg;
		else
			err = rtk_report_option(&run.rep, c, optarg);
		if (err == -ENOENT)
			return rtk_cmd_bad_option(&rtk_cmd_run, c, argv);
		if (err)
			return RTK_EXIT_ERROR;
	}
	if (run.resume)
		return resume(&run, argv + optind);
	if (!argv[optind])
		return rtk_cmd_usage(&rtk_cmd_run, "a test is needed");
	run.k.test = argv[optind];
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
		"  --all-safe        of test mmio: one device after the other, 5s each, a line for\n"
		"                    each; those whose register is known to be safe to read\n"
		"  --checkpoint D    with --json FILE: save what there is all D, such as 10m, which is\n"
		"                    the default for runs above an hour; 0 never\n"
		"  --resume FILE     take up the run of FILE where its last checkpoint was, and add\n"
		"                    to it; --duration is that of all its parts\n"
		"  --fail-above D    exit status 1 if a sample is above D; sets\n"
		"                    threshold_ns\n" RTK_REPORT_HELP,
	.run = run_run,
};
