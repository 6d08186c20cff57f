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

#define WIDTH 1000

/* A picture travels without its report. */
#define EMULATED \
	"set label 99 'EMULATED, NOT A LATENCY MEASUREMENT' at graph 0.5, graph 0.5 center font ',26' tc rgb '#90c0392b' rotate by 12 front\n"

/* What says more of a result comes first. */
static const struct rtk_picture *const pictures[] = {
	&rtk_picture_memlat,
	&rtk_picture_rows,
	&rtk_picture_histogram,
	&rtk_picture_maxima,
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

/* Settings of one panel are none of the next: each begins anew. */
static void print_script(FILE *out, const struct rtk_picture *p,
			 const struct rtk_result *const *r, size_t n)
{
	size_t i, k, panels = count_panels(p, r, n);

	fprintf(out, "set terminal svg size %d,%zu font 'sans-serif,13'\n",
		WIDTH, panels * (size_t)p->height);
	fprintf(out, "set encoding utf8\nset multiplot layout %zu,1\n", panels);
	for (i = 0; i < n; i++)
		for (k = 0; k < p->panels(r[i]); k++) {
			fputs("reset\nset termoption noenhanced\n", out);
			fputs("set grid lw 0.8 lc rgb '#c8c8c8'\n", out);
			fputs("set tics out nomirror\n", out);
			if (r[i]->env.emulated)
				fputs(EMULATED, out);
			p->draw(out, r[i], k);
		}
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
	return status ? -EIO : 0;
}

static int read_picture(FILE *f, char **svg)
{
	off_t size = lseek(fileno(f), 0, SEEK_END);

	if (size <= 0 || lseek(fileno(f), 0, SEEK_SET))
		return -EIO;
	*svg = calloc(1, (size_t)size + 1);
	if (!*svg)
		return -ENOMEM;
	if (fread(*svg, 1, (size_t)size, f) == (size_t)size)
		return 0;
	free(*svg);
	return -EIO;
}

int rtk_plot_svg(const struct rtk_result *const *r, size_t n, const char *kind,
		 char **svg)
{
	const struct rtk_picture *p = find(kind);
	FILE *script, *picture;
	int err = -ENOMEM;

	if (!p)
		return -EINVAL;
	if (!count_panels(p, r, n))
		return -ENODATA;
	script = tmpfile();
	picture = tmpfile();
	if (script && picture) {
		print_script(script, p, r, n);
		err = run_gnuplot(script, picture);
		if (!err)
			err = read_picture(picture, svg);
	}
	if (script)
		fclose(script);
	if (picture)
		fclose(picture);
	return err;
}
