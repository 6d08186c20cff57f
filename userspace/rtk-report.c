// SPDX-License-Identifier: GPL-2.0
/* rtk report: results in the forms that others read. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "load.h"
#include "outfile.h"
#include "rep.h"
#include "units.h"
#include "worst.h"

/* A form: its name, and what writes it. */
static const struct format {
	const char *name;
	int (*print)(FILE *out, const struct rtk_rep *rep);
} formats[] = {
	{ "text", rtk_rep_text },     { "markdown", rtk_rep_markdown },
	{ "html", rtk_rep_html },     { "csv", rtk_rep_csv },
	{ "junit", rtk_rep_junit },   { "ktap", rtk_rep_ktap },
	{ "rteval", rtk_rep_rteval }, { "rteval-xml", rtk_rep_rteval_xml },
};

/* What was asked for. */
struct asked {
	const struct format *format;
	const char *output;
	__s64 fail_above_ns;
};

static int set_format(struct asked *a, const char *name)
{
	const char *best = NULL;
	size_t i;

	for (i = 0; i < RTK_ARRAY_SIZE(formats); i++) {
		best = rtk_nearest(name, best, formats[i].name);
		if (strcmp(formats[i].name, name))
			continue;
		a->format = &formats[i];
		return 0;
	}
	if (best)
		rtk_err("--format %s: no such format; did you mean '%s'?", name,
			best);
	else
		rtk_err("--format %s: no such format; they are listed by: rtk report --help",
			name);
	return -EINVAL;
}

static int set_limit(struct asked *a, const char *text)
{
	char why[128];
	int err = rtk_units_parse(text, "ns", "ns", &a->fail_above_ns);

	if (!err && a->fail_above_ns < 1) {
		rtk_err("--fail-above %s: must be above 0", text);
		return -EINVAL;
	}
	if (err)
		rtk_err("--fail-above %s: %s", text,
			rtk_units_explain(why, sizeof(why), err, "ns"));
	return err;
}

/*
 * As a whole or not at all: nothing is written of what can't be finished. What a
 * format does not take it refuses itself, in words, with -EINVAL.
 */
static int print(const struct asked *a, const struct rtk_rep *rep)
{
	char *text = NULL;
	size_t size = 0;
	FILE *f = open_memstream(&text, &size);
	int err;

	if (!f)
		return rtk_err_nomem();
	err = a->format->print(f, rep);
	if (fclose(f) && !err)
		err = -ENOMEM;
	if (err == -ENOMEM)
		rtk_err_nomem();
	else if (err && err != -EINVAL)
		rtk_err("--format %s: %s", a->format->name, strerror(-err));
	else if (!err)
		err = rtk_outfile_write(a->output, text);
	free(text);
	return err;
}

/* The verdict's reasons are the run's; what it is held to is asked for here. */
static void hold_to(struct rtk_result *r, __s64 limit)
{
	const struct rtk_summary *s = rtk_worst_series(r);
	struct rtk_verdict *v = &r->verdict;

	r->fail_above_ns = limit;
	v->exceeded = s && s->m.n &&
		      rtk_result_ns(r, s->series->unit, s->m.max) > limit;
	if (v->exceeded)
		rtk_worst_text(r, s, v->worst, sizeof(v->worst));
}

static int report(const struct asked *a, char **files, size_t n)
{
	struct rtk_rep rep = { .file = files };
	int err = 0;

	rep.v = calloc(n, sizeof(*rep.v));
	if (!rep.v)
		return rtk_err_nomem();
	while (!err && rep.n < n) {
		err = rtk_load(files[rep.n], &rep.v[rep.n]);
		if (!err && a->fail_above_ns >= 0)
			hold_to(&rep.v[rep.n], a->fail_above_ns);
		if (!err)
			rep.n++;
	}
	if (!err)
		err = print(a, &rep);
	while (rep.n)
		rtk_result_free(&rep.v[--rep.n]);
	free(rep.v);
	return err;
}

static int run_report(int argc, char **argv);

static const struct rtk_cmd cmd = {
	.name = "report",
	.args = "FILE... [--format FORMAT] [--fail-above D] [-o FILE]",
	.summary =
		"write results of rtk run --json in the form that others read",
	.help = "FILE is a document of rtk run --json or rtk show --json, \"-\" standard input.\n"
		"The exit status is 0 when the report is written, whatever the verdicts in it.\n"
		"\n"
		"  --format FORMAT   text (default); markdown; html: one file with pictures; csv; junit and\n"
		"                    ktap: test cases; rteval and rteval-xml: its two reports\n"
		"  --fail-above D    the limit of all results, instead of that which each was run with\n"
		"  -o, --output FILE write to FILE, not to standard output\n",
	.run = run_report,
};

static int run_report(int argc, char **argv)
{
	static const struct option options[] = {
		{ "format", required_argument, NULL, 'f' },
		{ "fail-above", required_argument, NULL, 'a' },
		{ "output", required_argument, NULL, 'o' },
		{ 0 }
	};
	struct asked a = { .format = &formats[0],
			   .output = "-",
			   .fail_above_ns = -1 };
	int c, err = 0;

	opterr = 0;
	while (!err &&
	       (c = getopt_long(argc, argv, ":o:", options, NULL)) != -1) {
		if (c == 'f')
			err = set_format(&a, optarg);
		else if (c == 'a')
			err = set_limit(&a, optarg);
		else if (c == 'o')
			a.output = optarg;
		else
			return rtk_cmd_bad_option(&cmd, c, argv);
	}
	if (!err && !argv[optind])
		return rtk_cmd_usage(&cmd, "a result is needed");
	if (!err)
		err = rtk_outfile_check(a.output);
	if (!err)
		err = report(&a, argv + optind, (size_t)(argc - optind));
	return err ? RTK_EXIT_ERROR : RTK_EXIT_OK;
}

int main(int argc, char **argv)
{
	return rtk_cli_single(&cmd, argc, argv);
}
