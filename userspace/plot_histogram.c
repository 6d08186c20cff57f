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
 * Buckets double in width at powers of two: as samples per 1 % of latency, or per us
 * where the axis is linear, the curve has no steps there that the machine had not.
 */
static double density(double count, double low, double high, bool linear)
{
	return count / (high - low) * (linear ? 1 : (low + high) / 200);
}

/* Where buckets don't touch it goes down to the axis. */
static void print_rows(FILE *out, const struct rtk_summary *s, double us,
		       const char *name, bool linear)
{
	size_t i, k, step = s->nrows / POINTS + 1;
	__s64 low, high, end = s->rows[0].low;
	__u64 count;
	double y;

	fprintf(out, "$%s << END\n%.12g 0.01\n", name, (double)end * us);
	for (i = 0; i < s->nrows; i += step) {
		low = s->rows[i].low;
		count = 0;
		for (k = i; k < s->nrows && k < i + step; k++)
			count += s->rows[k].count;
		high = s->rows[k - 1].high;
		if (low != end)
			fprintf(out, "%.12g 0.01\n%.12g 0.01\n",
				(double)end * us, (double)low * us);
		y = density((double)count, (double)low * us, (double)high * us,
			    linear);
		fprintf(out, "%.12g %.6g\n%.12g %.6g\n", (double)low * us, y,
			(double)high * us, y);
		end = high;
	}
	fprintf(out, "%.12g 0.01\nEND\n", (double)end * us);
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

static void print_scales(FILE *out, bool linear)
{
	fprintf(out, "set logscale %s\nset yrange [%s:*]\nset xlabel 'us'\n",
		linear ? "y" : "xy", linear ? "0.1" : "0.5");
	fprintf(out, "set ylabel 'samples per %s'\nset format '%%g'\n",
		linear ? "us" : "1 % of latency");
	fputs("set key outside right top Left reverse samplen 2 maxrows 24 font ',11'\n",
	      out);
}

static void print_axes(FILE *out, const struct rtk_result *r,
		       const struct rtk_summary *all, double us, bool linear)
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
	fprintf(out, "set xrange [%.12g:%.12g]\n", linear ? 0 : low / 1.25,
		max * (linear ? 1.02 : 1.25));
	print_scales(out, linear);
	fprintf(out,
		"set arrow from %.12g, graph 0 to %.12g, graph 1 nohead dt 2 lw 1.5 lc rgb '#c0392b' front\n",
		max, max);
}

static void draw_lines(FILE *out, const struct rtk_summary **list, size_t n,
		       double us, bool linear)
{
	char name[32], max[32];
	size_t i;

	for (i = 0; i < n; i++) {
		snprintf(name, sizeof(name), "cpu%d", list[i]->cpu);
		print_rows(out, list[i], us, name, linear);
	}
	fputs("plot $all using 1:2 with filledcurves above y=0.01 fs solid 0.3 lc rgb '#7f8fa6' title 'all CPUs'",
	      out);
	for (i = 0; i < n; i++)
		fprintf(out,
			", $cpu%d using 1:2 with lines lw 1.3 title 'CPU %d: %s'",
			list[i]->cpu, list[i]->cpu,
			time_text((double)list[i]->m.max * us, max,
				  sizeof(max)));
	fputc('\n', out);
}

static void draw_as(FILE *out, const struct rtk_result *r, size_t panel,
		    bool linear)
{
	const struct rtk_summary *all = r->sums, **list;
	double us;
	size_t n;

	for (;; all++)
		if (is_drawn(r, all) && !panel--)
			break;
	us = rtk_result_us(r, all->series->unit);
	list = pick(r, all, &n);
	print_axes(out, r, all, us, linear);
	print_rows(out, all, us, "all", linear);
	draw_lines(out, list, n, us, linear);
	free(list);
}

static void draw(FILE *out, const struct rtk_result *r, size_t panel)
{
	draw_as(out, r, panel, false);
}

static void draw_linear(FILE *out, const struct rtk_result *r, size_t panel)
{
	draw_as(out, r, panel, true);
}

/* The judged series of each, on all its CPUs. */
static const struct rtk_summary *judged(const struct rtk_result *r)
{
	const struct rtk_summary *s = rtk_worst_series(r);

	return s && is_drawn(r, s) ? s : NULL;
}

static void overlay_as(FILE *out, const struct rtk_result *const *r, size_t n,
		       char *const *names, bool linear)
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
				   name, linear);
	}
	fputs("set title 'all CPUs of each'\n", out);
	print_scales(out, linear);
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

static void overlay(FILE *out, const struct rtk_result *const *r, size_t n,
		    char *const *names)
{
	overlay_as(out, r, n, names, false);
}

static void overlay_linear(FILE *out, const struct rtk_result *const *r,
			   size_t n, char *const *names)
{
	overlay_as(out, r, n, names, true);
}

const struct rtk_picture rtk_picture_histogram = {
	.name = "histogram",
	.height = 460,
	.panels = panels,
	.draw = draw,
	.overlay = overlay,
};

/* As the Open Source Automation Development Lab draws them. */
const struct rtk_picture rtk_picture_linear = {
	.name = "linear",
	.height = 460,
	.panels = panels,
	.draw = draw_linear,
	.overlay = overlay_linear,
};
