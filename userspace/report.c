// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "eci.h"
#include "json.h"
#include "lmbench.h"
#include "outfile.h"
#include "params.h"
#include "report.h"
#include "table.h"

/* A form of the text: its name, and the one test that it is for, or NULL. */
struct rtk_format {
	const char *name;
	const char *test;
	int (*print)(FILE *out, const struct rtk_result *r,
		     const struct rtk_report *rep);
};

static int print_table(FILE *out, const struct rtk_result *r,
		       const struct rtk_report *rep)
{
	if (rtk_table_print(out, r, rep->all_cpus))
		return rtk_err_nomem();
	if (rep->histogram)
		rtk_table_histogram(out, r, rep->all_cpus);
	return 0;
}

static int print_hwlatdetect(FILE *out, const struct rtk_result *r,
			     const struct rtk_report *rep)
{
	struct rtk_hwlatdetect opt = rep->hwlatdetect;

	opt.quiet = rep->quiet;
	return rtk_hwlatdetect_print(out, r, &opt);
}

static const struct rtk_format formats[] = {
	{ "table", NULL, print_table },
	{ "hwlatdetect", "hwlat", print_hwlatdetect },
	{ "eci", "jitter", rtk_eci_jitter },
	{ "eci", "caterpillar", rtk_eci_caterpillar },
	{ "eci", "rhealstone", rtk_eci_rhealstone },
	{ "eci", "msi_latency", rtk_eci_msi_latency },
	{ "eci", "msi_jitter", rtk_eci_msi_jitter },
	{ "eci", "mmio", rtk_eci_mmio },
	{ "lmbench", "memlat", rtk_lmbench_memlat },
};

/* The form of this name for a test; NULL is any test. */
static const struct rtk_format *find_format(const char *name, const char *test)
{
	const struct rtk_format *f;

	for (f = formats; f < formats + RTK_ARRAY_SIZE(formats); f++)
		if (!strcmp(f->name, name) &&
		    (!test || !f->test || !strcmp(f->test, test)))
			return f;
	return NULL;
}

static const struct rtk_format *format_of(const struct rtk_report *rep,
					  const char *test)
{
	return find_format(rep->format ? rep->format : formats[0].name, test);
}

static int set_format(struct rtk_report *rep, const char *name)
{
	rep->format = name;
	if (find_format(name, NULL))
		return 0;
	rtk_err("--format %s: no such format; there are: table hwlatdetect eci lmbench",
		name);
	return -EINVAL;
}

/* "hwlat", or "jitter caterpillar": the tests that have a form. */
static const char *format_tests(const char *name, char *buf, size_t size)
{
	size_t i, len = 0;

	buf[0] = '\0';
	for (i = 0; i < RTK_ARRAY_SIZE(formats) && len < size; i++)
		if (formats[i].test && !strcmp(formats[i].name, name))
			len += (size_t)snprintf(buf + len, size - len, "%s%s",
						len ? " " : "",
						formats[i].test);
	return buf;
}

const struct option rtk_run_options[] = {
	{ "duration", required_argument, NULL, RTK_OPT_DURATION },
	{ "fail-above", required_argument, NULL, RTK_OPT_FAIL_ABOVE },
	{ "defaults", no_argument, NULL, RTK_OPT_DEFAULTS },
	{ "all-safe", no_argument, NULL, RTK_OPT_ALL_SAFE },
	{ "checkpoint", required_argument, NULL, RTK_OPT_CHECKPOINT },
	{ "resume", required_argument, NULL, RTK_OPT_RESUME },
	{ "json", required_argument, NULL, RTK_OPT_JSON },
	{ "histogram", no_argument, NULL, RTK_OPT_HISTOGRAM },
	{ "all-cpus", no_argument, NULL, RTK_OPT_ALL_CPUS },
	{ "quiet", no_argument, NULL, RTK_OPT_QUIET },
	{ "strict", no_argument, NULL, RTK_OPT_STRICT },
	{ "allow", required_argument, NULL, RTK_OPT_ALLOW },
	{ "format", required_argument, NULL, RTK_OPT_FORMAT },
	{ "report", required_argument, NULL, RTK_OPT_REPORT },
	{ "cpu", no_argument, NULL, RTK_OPT_CPU },
	{ 0 }
};

const struct option *const rtk_show_options =
	&rtk_run_options[RTK_OPT_JSON - RTK_OPT_DURATION];

int rtk_report_option(struct rtk_report *rep, int c, const char *arg)
{
	switch (c) {
	case RTK_OPT_JSON:
		rep->json = arg;
		return 0;
	case RTK_OPT_HISTOGRAM:
		rep->histogram = true;
		return 0;
	case RTK_OPT_ALL_CPUS:
		rep->all_cpus = true;
		return 0;
	case RTK_OPT_QUIET:
		rep->quiet = true;
		return 0;
	case RTK_OPT_FORMAT:
		return set_format(rep, arg);
	case RTK_OPT_REPORT:
		rep->hwlatdetect.file = arg;
		return 0;
	case RTK_OPT_CPU:
		rep->hwlatdetect.cpu = true;
		return 0;
	case RTK_OPT_STRICT:
		rep->allow.strict = true;
		return 0;
	case RTK_OPT_ALLOW:
		return rtk_verdict_allow(&rep->allow, arg);
	default:
		return -ENOENT;
	}
}

int rtk_report_check(const struct rtk_report *rep, const char *test)
{
	const struct rtk_format *f = format_of(rep, test);
	char tests[128];
	int err = 0;

	if (!f) {
		rtk_err("--format %s: for test %s only, not for %s",
			rep->format,
			format_tests(rep->format, tests, sizeof(tests)), test);
		return -EINVAL;
	}
	if ((rep->hwlatdetect.file || rep->hwlatdetect.cpu) &&
	    strcmp(f->name, "hwlatdetect")) {
		rtk_err("--report and --cpu are for --format hwlatdetect");
		return -EINVAL;
	}
	if ((rep->histogram || rep->all_cpus) && f->test) {
		rtk_err("--histogram and --all-cpus are for --format table");
		return -EINVAL;
	}
	if (rep->json)
		err = rtk_outfile_check(rep->json);
	if (!err && rep->hwlatdetect.file)
		err = rtk_outfile_check(rep->hwlatdetect.file);
	return err;
}

/* -ESTALE where it is another run by now than the one described in @r. */
static int check_run(struct rtk_nl *nl, const char *test,
		     const struct rtk_result *r)
{
	struct rtk_test now;
	int err = rtk_nl_test_get(nl, test, &now);

	if (err)
		return err;
	if (now.generation != r->test.generation)
		err = -ESTALE;
	rtk_test_free(&now);
	return err;
}

static int fetch(struct rtk_nl *nl, const char *test, __u32 generation,
		 struct rtk_result *r)
{
	struct rtk_tests tests;
	int status, err;

	status = rtk_cmd_test(nl, test, &tests);
	if (status)
		return status;
	rtk_result_forget(r);
	rtk_test_free(&r->test);
	r->test = tests.v[0];
	rtk_test_init(&tests.v[0]);
	rtk_tests_free(&tests);
	err = generation && r->test.generation != generation ? -ESTALE : 0;
	if (!err && r->test.state == RTK_STATE_IDLE)
		return RTK_EXIT_OK;
	if (!err)
		err = rtk_nl_hist(nl, test, &r->lanes);
	if (!err && r->test.features & RTK_FEATURE_OUTLIERS)
		err = rtk_nl_outliers(nl, test, &r->outliers);
	/* The same run before and after: it is that one's, all of it. */
	if (!err)
		err = check_run(nl, test, r);
	if (!err)
		return RTK_EXIT_OK;
	if (err == -ESTALE && generation)
		rtk_err("another client has started or reset %s meanwhile: the results are lost",
			test);
	else if (err == -ESTALE)
		rtk_err("another run of %s began meanwhile; try again", test);
	else
		rtk_err("can't read the results of %s: %s", test,
			*rtk_nl_error(nl) ? rtk_nl_error(nl) : strerror(-err));
	return RTK_EXIT_ERROR;
}

/* Of an ordinary one any real-time task comes before it. */
static int priority_of(const struct rtk_test *t)
{
	const char *policy = rtk_params_value(t, "policy");
	const char *priority = rtk_params_value(t, "priority");

	return policy && priority && strcmp(policy, "other") ? atoi(priority) :
							       1;
}

static int digest(const struct rtk_checkpoint *c, struct rtk_result *r)
{
	struct rtk_cpuset cpus;
	int err;

	if (!r->test.cpus || rtk_cpuset_parse(&cpus, r->test.cpus)) {
		rtk_err("the module gives no CPU list: '%s'",
			r->test.cpus ? r->test.cpus : "");
		return RTK_EXIT_ERROR;
	}
	r->env.priority = priority_of(&r->test);
	err = rtk_env_capture_cpus(&r->env, "", &cpus);
	if (!err)
		err = rtk_checkpoint_sum(c, r);
	if (!err)
		err = rtk_checkpoint_judge(c, r);
	if (err == -ENOMEM)
		rtk_err_nomem();
	else if (err)
		rtk_err("the module's lanes and series don't match");
	return err ? RTK_EXIT_ERROR : RTK_EXIT_OK;
}

int rtk_report_collect(struct rtk_nl *nl, const char *test, __u32 generation,
		       const struct rtk_checkpoint *c, struct rtk_result *r)
{
	int status = fetch(nl, test, generation, r);

	if (status)
		return status;
	if (r->test.state == RTK_STATE_IDLE || !r->test.cpus) {
		rtk_err("%s has no results: %s; run: sudo %s run %s", test,
			r->test.state == RTK_STATE_IDLE ?
				"it was not started since the module was loaded or reset" :
				"its last start failed",
			rtk_prog(), test);
		return RTK_EXIT_ERROR;
	}
	rtk_env_clocksource(r->clocksource_after, sizeof(r->clocksource_after));
	return digest(c, r);
}

static int write_json(const struct rtk_report *rep, const struct rtk_result *r)
{
	char *text = rtk_json_text(r);
	int err;

	if (!text)
		return rtk_err_nomem();
	err = rtk_outfile_write(rep->json, text);
	free(text);
	return err;
}

int rtk_report_print(const struct rtk_report *rep, const struct rtk_result *r)
{
	const struct rtk_format *f = format_of(rep, r->test.name);
	bool taken = rep->json && !strcmp(rep->json, "-");
	FILE *out = taken ? stderr : stdout;
	int status = RTK_EXIT_OK;

	/* A file is written as a whole; what is read by somebody may take for ever. */
	if (taken)
		rtk_signals_end();
	/* First: a reader of the text that has enough, as head, kills us. */
	if (rep->json && write_json(rep, r))
		status = RTK_EXIT_ERROR;
	rtk_signals_end();
	if ((!rep->quiet || f->test) && f->print(out, r, rep))
		status = RTK_EXIT_ERROR;
	fflush(out);
	/* What another program's report does not have is a comment in it. */
	if (f->test) {
		if (rep->quiet)
			out = stderr;
		fputs("# ", out);
	}
	rtk_table_verdict(out, r, !rep->quiet && !f->test);
	fflush(out);
	return status ? status :
			(int)rtk_verdict_exit(&r->verdict, &rep->allow);
}
