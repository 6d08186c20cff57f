// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>
#include <string.h>

#include "plot.h"
#include "util.h"
#include "worst.h"

/* More CPUs make no picture, and more points none that differs. */
#define LINES 16
#define POINTS 400

/* Are these a time, which is not below 0? The axis is logarithmic. */
static bool is_drawn(const struct rtk_result *r, const struct rtk_summary *s)
{
	return s->cpu == RTK_CPU_ALL && s->m.n && s->m.min >= 0 &&
	       rtk_result_us(r, s->series->unit) > 0;
}

static size_t panels(const struct rtk_result *r)
{
	const struct rtk_summary *s;
	size_t n = 0;

	for (s = r->sums; s < r->sums + r->nsums; s++)
		n += is_drawn(r, s);
	return n;
}

/*
 * Buckets double in width at powers of two: as samples per 1 % of latency the
 * curve has no steps there that the machine had not. Where buckets don't touch it
 * goes down to the axis.
 */
static void print_rows(FILE *out, const struct rtk_summary *s, double us,
		       const char *name)
{
	size_t i, k, step = s->nrows / POINTS + 1;
	__s64 low, high, end = s->rows[0].low;
	__u64 count;
	double middle;

	fprintf(out, "$%s << END\n%.12g 0.1\n", name, (double)end * us);
	for (i = 0; i < s->nrows; i += step) {
		low = s->rows[i].low;
		count = 0;
		for (k = i; k < s->nrows && k < i + step; k++)
			count += s->rows[k].count;
		high = s->rows[k - 1].high;
		if (low != end)
			fprintf(out, "%.12g 0.1\n%.12g 0.1\n", (double)end * us,
				(double)low * us);
		middle = ((double)low + (double)high) / 2;
		fprintf(out, "%.12g %.6g\n%.12g %.6g\n", (double)low * us,
			(double)count * 0.01 * middle / (double)(high - low),
			(double)high * us,
			(double)count * 0.01 * middle / (double)(high - low));
		end = high;
	}
	fprintf(out, "%.12g 0.1\nEND\n", (double)end * us);
}

static int by_max(const void *a, const void *b)
{
	const struct rtk_summary *x = *(const struct rtk_summary *const *)a;
	const struct rtk_summary *y = *(const struct rtk_summary *const *)b;

	if (x->m.max != y->m.max)
		return x->m.max < y->m.max ? 1 : -1;
	return x->cpu - y->cpu;
}

/* The CPUs with the largest samples: the legend has to fit. */
static const struct rtk_summary **pick(const struct rtk_result *r,
				       const struct rtk_summary *all, size_t *n)
{
	const struct rtk_summary *s = all, **list;

	while (s > r->sums && s[-1].series == all->series)
		s--;
	list = calloc((size_t)(all - s) + 1, sizeof(*list));
	*n = 0;
	for (; list && s < all; s++)
		if (s->m.n)
			list[(*n)++] = s;
	if (list)
		qsort(list, *n, sizeof(*list), by_max);
	if (*n > LINES)
		*n = LINES;
	return list;
}

/* Four digits are enough, of picoseconds too. */
static const char *time_text(double us, char *buf, size_t size)
{
	static const char *const units[] = { "ns", "us", "ms", "s" };
	double v = us * 1000;
	size_t i = 0;

	for (; v >= 1000 && i + 1 < RTK_ARRAY_SIZE(units); i++)
		v /= 1000;
	snprintf(buf, size, "%.4g %s", v, units[i]);
	return buf;
}

static void print_scales(FILE *out)
{
	fputs("set logscale xy\nset yrange [0.5:*]\nset xlabel 'us'\n", out);
	fputs("set ylabel 'samples per 1 % of latency'\nset format '%g'\n",
	      out);
	fputs("set key outside right top Left reverse samplen 2 maxrows 24 font ',11'\n",
	      out);
}

static void print_axes(FILE *out, const struct rtk_result *r,
		       const struct rtk_summary *all, double us)
{
	double max = (double)all->m.max * us, low = (double)all->m.min * us;
	char text[32];

	/* 0 has no place on a logarithmic axis. */
	if (low < max / 1e6)
		low = max / 1e6;
	fprintf(out, "set title '%s of %s: %llu samples, largest %s'\n",
		rtk_plot_text(all->series->name).text,
		rtk_plot_text(r->test.name).text, all->count,
		time_text(max, text, sizeof(text)));
	fprintf(out, "set xrange [%.12g:%.12g]\n", low / 1.25, max * 1.25);
	print_scales(out);
	fprintf(out,
		"set arrow from %.12g, graph 0 to %.12g, graph 1 nohead dt 2 lw 1.5 lc rgb '#c0392b' front\n",
		max, max);
}

static void draw_lines(FILE *out, const struct rtk_summary **list, size_t n,
		       double us)
{
	char name[32], max[32];
	size_t i;

	for (i = 0; i < n; i++) {
		snprintf(name, sizeof(name), "cpu%d", list[i]->cpu);
		print_rows(out, list[i], us, name);
	}
	fputs("plot $all using 1:2 with filledcurves above y=0.1 fs solid 0.3 lc rgb '#7f8fa6' title 'all CPUs'",
	      out);
	for (i = 0; i < n; i++)
		fprintf(out,
			", $cpu%d using 1:2 with lines lw 1.3 title 'CPU %d: %s'",
			list[i]->cpu, list[i]->cpu,
			time_text((double)list[i]->m.max * us, max,
				  sizeof(max)));
	fputc('\n', out);
}

static void draw(FILE *out, const struct rtk_result *r, size_t panel)
{
	const struct rtk_summary *all = r->sums, **list;
	double us;
	size_t n;

	for (;; all++)
		if (is_drawn(r, all) && !panel--)
			break;
	us = rtk_result_us(r, all->series->unit);
	list = pick(r, all, &n);
	print_axes(out, r, all, us);
	print_rows(out, all, us, "all");
	draw_lines(out, list, n, us);
	free(list);
}

/* The judged series of each, on all its CPUs. */
static const struct rtk_summary *judged(const struct rtk_result *r)
{
	const struct rtk_summary *s = rtk_worst_series(r);

	return s && is_drawn(r, s) ? s : NULL;
}

static void overlay(FILE *out, const struct rtk_result *const *r, size_t n,
		    char *const *names)
{
	const struct rtk_summary *s;
	const char *sep = "plot ";
	char name[32], max[32];
	double us;
	size_t i;

	for (i = 0; i < n; i++) {
		s = judged(r[i]);
		snprintf(name, sizeof(name), "r%zu", i);
		if (s)
			print_rows(out, s, rtk_result_us(r[i], s->series->unit),
				   name);
	}
	fputs("set title 'all CPUs of each'\n", out);
	print_scales(out);
	for (i = 0; i < n; i++) {
		s = judged(r[i]);
		if (!s)
			continue;
		us = rtk_result_us(r[i], s->series->unit) * (double)s->m.max;
		fprintf(out,
			"%s$r%zu using 1:2 with lines lw 1.5 title '%s, %s: %s'",
			sep, i, rtk_plot_text(names[i]).text,
			rtk_plot_text(s->series->name).text,
			time_text(us, max, sizeof(max)));
		sep = ", ";
	}
	fputc('\n', out);
}

const struct rtk_picture rtk_picture_histogram = {
	.name = "histogram",
	.height = 460,
	.panels = panels,
	.draw = draw,
	.overlay = overlay,
};
