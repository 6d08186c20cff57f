// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "plot.h"
#include "util.h"
#include "verdict.h"

#define WIDTH 1000

#define EMULATED \
	"set label 99 'EMULATED, NOT A LATENCY MEASUREMENT' at graph 0.5, graph 0.5 center font ',26' tc rgb '#90c0392b' rotate by 12 front\n"

/* What says more of a result comes first. */
static const struct rtk_picture *const pictures[] = {
	&rtk_picture_memlat,	&rtk_picture_rows,   &rtk_picture_values,
	&rtk_picture_histogram, &rtk_picture_linear, &rtk_picture_maxima,
};

const char *rtk_plot_name(size_t i)
{
	return i < RTK_ARRAY_SIZE(pictures) ? pictures[i]->name : NULL;
}

const char *rtk_plot_kind(const struct rtk_result *r)
{
	size_t i;

	for (i = 0; i < RTK_ARRAY_SIZE(pictures); i++)
		if (pictures[i]->panels(r))
			return pictures[i]->name;
	return rtk_picture_histogram.name;
}

struct rtk_plot_text rtk_plot_text(const char *name)
{
	struct rtk_plot_text t = { 0 };
	char *c;

	rtk_copy(t.text, sizeof(t.text), name);
	for (c = t.text; *c; c++)
		if (strchr("'\"\\`", *c) || (unsigned char)*c < ' ')
			*c = '_';
	return t;
}

static const struct rtk_picture *find(const char *kind)
{
	size_t i;

	for (i = 0; i < RTK_ARRAY_SIZE(pictures); i++)
		if (!strcmp(pictures[i]->name, kind))
			return pictures[i];
	return NULL;
}

static size_t count_panels(const struct rtk_picture *p,
			   const struct rtk_result *const *r, size_t n)
{
	size_t i, panels = 0;

	for (i = 0; i < n; i++)
		panels += p->panels(r[i]);
	return panels;
}

/* What a picture is made of. */
struct job {
	const struct rtk_picture *picture;
	const struct rtk_result *const *r;
	size_t n;
	char *const *names;
	const char *terminal;
};

static bool is_overlay(const struct job *j)
{
	return j->n > 1 && j->names && j->picture->overlay;
}

/* Settings of one panel are none of the next: each begins anew. */
static void begin_panel(FILE *out, bool emulated)
{
	fputs("reset\nset termoption noenhanced\n", out);
	fputs("set grid lw 0.8 lc rgb '#c8c8c8'\n", out);
	fputs("set tics out nomirror\n", out);
	if (emulated)
		fputs(EMULATED, out);
}

static void print_panels(FILE *out, const struct job *j)
{
	const struct rtk_result *r;
	size_t i, k;

	for (i = 0; i < j->n; i++) {
		r = j->r[i];
		for (k = 0; k < j->picture->panels(r); k++) {
			begin_panel(out, r->env.emulated);
			j->picture->draw(out, r, k);
		}
	}
}

static void print_overlay(FILE *out, const struct job *j)
{
	bool emulated = false;
	size_t i;

	for (i = 0; i < j->n; i++)
		emulated |= j->r[i]->env.emulated;
	begin_panel(out, emulated);
	j->picture->overlay(out, j->r, j->n, j->names);
}

/* A picture travels without its report. */
static void print_title(FILE *out, const struct rtk_result *r)
{
	fprintf(out, " title '%s   %s   %s' font ',11'",
		rtk_plot_text(rtk_result_env(r, "cpu_model") ?: "").text,
		rtk_plot_text(rtk_result_env(r, "kernel_release") ?: "").text,
		rtk_verdict_name(r->verdict.status));
}

static void print_script(FILE *out, const struct job *j)
{
	size_t panels = is_overlay(j) ? 1 :
					count_panels(j->picture, j->r, j->n);

	fprintf(out, "set terminal %s size %d,%zu font 'sans-serif,%d'\n",
		j->terminal, WIDTH, panels * (size_t)j->picture->height,
		strcmp(j->terminal, "svg") ? 11 : 13);
	fprintf(out, "set encoding utf8\nset multiplot layout %zu,1", panels);
	if (j->names && j->n == 1)
		print_title(out, j->r[0]);
	fputc('\n', out);
	if (is_overlay(j))
		print_overlay(out, j);
	else
		print_panels(out, j);
	fputs("unset multiplot\n", out);
}

static int spawn_gnuplot(int in, int out, pid_t *pid)
{
	char name[] = "gnuplot", *argv[] = { name, NULL };
	posix_spawn_file_actions_t actions;
	int err = posix_spawn_file_actions_init(&actions);

	if (!err)
		err = posix_spawn_file_actions_adddup2(&actions, in, 0);
	if (!err)
		err = posix_spawn_file_actions_adddup2(&actions, out, 1);
	/* It warns of a flat curve, for example. */
	if (!err)
		err = posix_spawn_file_actions_addopen(&actions, 2, "/dev/null",
						       O_WRONLY, 0);
	if (!err)
		err = posix_spawnp(pid, name, &actions, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	return -err;
}

/* Both in files: it may write before it has read all. */
static int run_gnuplot(FILE *script, FILE *picture)
{
	int err, status;
	pid_t pid;

	if (fflush(script) || lseek(fileno(script), 0, SEEK_SET))
		return -errno;
	err = spawn_gnuplot(fileno(script), fileno(picture), &pid);
	if (err)
		return err;
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return -errno;
	/* Where a child can't tell its parent why it did not begin. */
	if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
		return -ENOENT;
	return status ? -EIO : 0;
}

static int read_picture(FILE *f, char **data, size_t *size)
{
	off_t end = lseek(fileno(f), 0, SEEK_END);

	if (end <= 0 || lseek(fileno(f), 0, SEEK_SET))
		return -EIO;
	*size = (size_t)end;
	*data = calloc(1, *size + 1);
	if (!*data)
		return -ENOMEM;
	if (fread(*data, 1, *size, f) == *size)
		return 0;
	free(*data);
	return -EIO;
}

int rtk_plot(const struct rtk_result *const *r, size_t n, char *const *names,
	     const char *kind, const char *terminal, char **data, size_t *size)
{
	struct job j = { find(kind), r, n, names, terminal };
	FILE *script, *picture;
	int err = -ENOMEM;

	if (!j.picture)
		return -EINVAL;
	if (!count_panels(j.picture, r, n))
		return -ENODATA;
	script = tmpfile();
	picture = tmpfile();
	if (script && picture) {
		print_script(script, &j);
		err = run_gnuplot(script, picture);
		if (!err)
			err = read_picture(picture, data, size);
	}
	if (script)
		fclose(script);
	if (picture)
		fclose(picture);
	return err;
}

int rtk_plot_svg(const struct rtk_result *const *r, size_t n, const char *kind,
		 char **svg)
{
	size_t size;

	return rtk_plot(r, n, NULL, kind, "svg", svg, &size);
}
