// SPDX-License-Identifier: GPL-2.0
/* rtk plot: results as pictures. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "load.h"
#include "outfile.h"
#include "plot.h"

static int run_plot(int argc, char **argv);

static const struct rtk_cmd cmd = {
	.name = "plot",
	.args = "FILE... [--kind KIND] -o PICTURE",
	.summary = "draw results of rtk run --json",
	.help = "FILE is a document of rtk run --json or rtk show --json, \"-\" standard input.\n"
		"Several of them are drawn over each other where that can be read.\n"
		"\n"
		"  --kind KIND       histogram; linear: the same with a linear axis of latencies, as OSADL\n"
		"                    draws it; maxima (of the intervals of a long run), memlat,\n"
		"                    rows, values; without it what says most of the first FILE\n"
		"  -o, --output FILE a name that ends in .svg or .png\n",
	.run = run_plot,
};

/* What was asked for. */
struct asked {
	const char *kind;
	const char *output;
};

static const char *terminal_of(const char *output)
{
	const char *dot = strrchr(output, '.');

	if (dot && !strcmp(dot, ".svg"))
		return "svg";
	return dot && !strcmp(dot, ".png") ? "pngcairo" : NULL;
}

static int write_picture(const struct asked *a,
			 const struct rtk_result *const *r, size_t n,
			 char **files)
{
	const char *kind = a->kind ?: rtk_plot_kind(r[0]);
	char *picture;
	size_t size;
	int err;

	err = rtk_plot(r, n, files, kind, terminal_of(a->output), &picture,
		       &size);
	if (!err) {
		err = rtk_outfile_write_bytes(a->output, picture, size);
		free(picture);
	} else if (err == -ENODATA) {
		rtk_err("%s: it has nothing to be drawn as %s", files[0], kind);
	} else if (err == -EINVAL) {
		rtk_err("--kind %s: no such kind; they are listed by: rtk plot --help",
			kind);
	} else if (err == -ENOENT) {
		rtk_err("no gnuplot; run: sudo apt-get install gnuplot-nox");
	} else {
		rtk_err("gnuplot failed: %s", strerror(-err));
	}
	return err;
}

static int plot(const struct asked *a, char **files, size_t n)
{
	struct rtk_result *v = calloc(n, sizeof(*v));
	const struct rtk_result **r = calloc(n, sizeof(*r));
	size_t i, loaded = 0;
	int err = v && r ? 0 : rtk_err_nomem();

	while (!err && loaded < n) {
		err = rtk_load(files[loaded], &v[loaded]);
		if (!err) {
			r[loaded] = &v[loaded];
			loaded++;
		}
	}
	if (!err)
		err = write_picture(a, r, n, files);
	for (i = 0; i < loaded; i++)
		rtk_result_free(&v[i]);
	free(v);
	free(r);
	return err;
}

static int run_plot(int argc, char **argv)
{
	static const struct option options[] = {
		{ "kind", required_argument, NULL, 'k' },
		{ "output", required_argument, NULL, 'o' },
		{ 0 }
	};
	struct asked a = { 0 };
	int c, err;

	opterr = 0;
	while ((c = getopt_long(argc, argv, ":o:", options, NULL)) != -1) {
		if (c == 'k')
			a.kind = optarg;
		else if (c == 'o')
			a.output = optarg;
		else
			return rtk_cmd_bad_option(&cmd, c, argv);
	}
	if (!argv[optind])
		return rtk_cmd_usage(&cmd, "a result is needed");
	if (!a.output || !terminal_of(a.output))
		return rtk_cmd_usage(&cmd,
				     "-o needs a name that ends in .svg or .png");
	err = rtk_outfile_check(a.output);
	if (!err)
		err = plot(&a, argv + optind, (size_t)(argc - optind));
	return err ? RTK_EXIT_ERROR : RTK_EXIT_OK;
}

int main(int argc, char **argv)
{
	return rtk_cli_single(&cmd, argc, argv);
}
