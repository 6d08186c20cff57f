/* SPDX-License-Identifier: GPL-2.0 */
/* Pictures of results, drawn by gnuplot. */
#ifndef RTK_PLOT_H
#define RTK_PLOT_H

#include <stdio.h>

#include "result.h"

/**
 * struct rtk_picture - a kind of picture
 * @name: its name
 * @height: pixels for a panel
 * @panels: how many panels a result has; 0 nothing to draw
 * @draw: print gnuplot's commands for a panel
 * @overlay: print those for one panel of several results, or NULL
 */
struct rtk_picture {
	const char *name;
	int height;
	size_t (*panels)(const struct rtk_result *r);
	void (*draw)(FILE *out, const struct rtk_result *r, size_t panel);
	void (*overlay)(FILE *out, const struct rtk_result *const *r, size_t n,
			char *const *names);
};

extern const struct rtk_picture rtk_picture_histogram;
extern const struct rtk_picture rtk_picture_linear;
extern const struct rtk_picture rtk_picture_maxima;
extern const struct rtk_picture rtk_picture_memlat;
extern const struct rtk_picture rtk_picture_rows;
extern const struct rtk_picture rtk_picture_values;

/* A name as gnuplot may read it. */
struct rtk_plot_text {
	char text[64];
};

/**
 * rtk_plot_text() - a name for the text of a picture
 * @name: as in the document, which may come from anybody
 *
 * Return: the same without characters that end gnuplot's strings
 */
struct rtk_plot_text rtk_plot_text(const char *name);

/**
 * rtk_plot_name() - names of all kinds
 * @i: from 0
 *
 * Return: name, NULL behind the last
 */
const char *rtk_plot_name(size_t i);

/**
 * rtk_plot_kind() - the picture that says most of a result
 * @r: loaded result
 *
 * Return: name of a kind
 */
const char *rtk_plot_kind(const struct rtk_result *r);

/**
 * rtk_plot() - draw results
 * @r: loaded results
 * @n: their number
 * @names: what each is called, where there are several
 * @kind: name of a kind
 * @terminal: gnuplot's: svg or pngcairo
 * @data: set to the picture, to be freed; a zero follows it
 * @size: set to its size
 *
 * Return: 0; -ENODATA they have nothing of that kind; -ENOENT there is no
 * gnuplot; -EIO it failed; -EINVAL no such kind; -ENOMEM
 */
int rtk_plot(const struct rtk_result *const *r, size_t n, char *const *names,
	     const char *kind, const char *terminal, char **data, size_t *size);

/**
 * rtk_plot_svg() - draw results, one below the other
 * @r: loaded results
 * @n: their number
 * @kind: name of a kind
 * @svg: set to the picture, to be freed
 *
 * Return: as rtk_plot()
 */
int rtk_plot_svg(const struct rtk_result *const *r, size_t n, const char *kind,
		 char **svg);

#endif
