// SPDX-License-Identifier: GPL-2.0
#include <jansson.h>
#include <string.h>

#include "plot.h"
#include "util.h"

/* Of a longer table each n-th row is drawn. */
#define POINTS 2000

/* --- memlat: a curve for each CPU and stride ------------------------------- */

static const struct rtk_datatable *curve_of(const struct rtk_result *r)
{
	const struct rtk_datatable *t = rtk_extra_find(&r->extra, "curve");

	return t && t->n ? t : NULL;
}

static size_t memlat_panels(const struct rtk_result *r)
{
	return curve_of(r) ? 1 : 0;
}

static bool begins_line(const struct rtk_datatable *t, size_t row)
{
	return !row ||
	       rtk_extra_cell(t, row, "cpu") !=
		       rtk_extra_cell(t, row - 1, "cpu") ||
	       rtk_extra_cell(t, row, "stride_bytes") !=
		       rtk_extra_cell(t, row - 1, "stride_bytes");
}

static void print_curves(FILE *out, const struct rtk_datatable *t)
{
	const char *gap = "$curve << END\n";
	size_t i;

	for (i = 0; i < t->n; i++) {
		if (begins_line(t, i))
			fputs(gap, out);
		gap = "\n\n";
		fprintf(out, "%lld %.12g\n", rtk_extra_cell(t, i, "size_bytes"),
			(double)rtk_extra_cell(t, i, "median_ps") / 1000);
	}
	fputs("END\n", out);
}

static void print_levels(FILE *out, const struct rtk_result *r)
{
	const struct rtk_datatable *t = rtk_extra_find(&r->extra, "levels");
	long long level, size;
	size_t i;

	for (i = 0; t && i < t->n; i++) {
		level = rtk_extra_cell(t, i, "level");
		size = rtk_extra_cell(t, i, "stated_bytes");
		if (level <= 0 || size <= 0)
			continue;
		fprintf(out,
			"set arrow from %lld, graph 0 to %lld, graph 1 nohead dt 3 lc rgb '#c0392b'\n",
			size, size);
		fprintf(out,
			"set label 'L%lld' at %lld, graph 0.95 right offset -0.5,0 tc rgb '#c0392b'\n",
			level, size);
	}
}

static void memlat_draw(FILE *out, const struct rtk_result *r, size_t panel)
{
	const struct rtk_datatable *t = curve_of(r);
	const char *sep = "plot ";
	size_t i, line = 0;

	(void)panel;
	print_curves(out, t);
	print_levels(out, r);
	fputs("set title 'time of a load over the size of what is read'\n",
	      out);
	fputs("set logscale x 2\nset logscale y\nset format x '%.0b %B'\n",
	      out);
	fputs("set xlabel 'bytes'\nset ylabel 'ns'\nset key left top\n", out);
	for (i = 0; i < t->n; i++) {
		if (!begins_line(t, i))
			continue;
		fprintf(out,
			"%s$curve index %zu using 1:2 with linespoints pt 7 ps 0.4 title 'CPU %lld, stride %lld'",
			sep, line++, rtk_extra_cell(t, i, "cpu"),
			rtk_extra_cell(t, i, "stride_bytes"));
		sep = ", ";
	}
	fputc('\n', out);
}

const struct rtk_picture rtk_picture_memlat = {
	.name = "memlat",
	.height = 520,
	.panels = memlat_panels,
	.draw = memlat_draw,
};

/* --- jitter, caterpillar: shortest and longest time of each row ------------- */

static const struct row_table {
	const char *name;
	const char *low;
	const char *high;
} row_tables[] = {
	{ "rows", "inst_min", "inst_max" },
	{ "samples", "sample_min", "sample_max" },
};

static const struct rtk_datatable *rows_of(const struct rtk_result *r,
					   const struct row_table **kind)
{
	const struct rtk_datatable *t;
	size_t i;

	for (i = 0; i < RTK_ARRAY_SIZE(row_tables); i++) {
		t = rtk_extra_find(&r->extra, row_tables[i].name);
		if (!t || t->n < 2)
			continue;
		*kind = &row_tables[i];
		return t;
	}
	return NULL;
}

static size_t rows_panels(const struct rtk_result *r)
{
	const struct row_table *kind;

	return rows_of(r, &kind) ? 1 : 0;
}

static void rows_draw(FILE *out, const struct rtk_result *r, size_t panel)
{
	const struct row_table *kind = NULL;
	const struct rtk_datatable *t = rows_of(r, &kind);
	size_t i, step = t->n / POINTS + 1;

	(void)panel;
	fputs("$rows << END\n", out);
	for (i = 0; i < t->n; i += step)
		fprintf(out, "%lld %lld %lld\n", rtk_extra_cell(t, i, "sample"),
			rtk_extra_cell(t, i, kind->low),
			rtk_extra_cell(t, i, kind->high));
	fputs("END\n", out);
	fprintf(out,
		"set title '%s: shortest and longest execution time of each row'\n",
		rtk_plot_text(r->test.name).text);
	fputs("set xlabel 'row'\nset ylabel 'ticks'\nset key outside right top\n",
	      out);
	fputs("plot $rows using 1:2:3 with filledcurves fs solid 0.3 lc rgb '#2c7fb8' notitle, ",
	      out);
	fputs("$rows using 1:3 with lines lc rgb '#c0392b' title 'longest', ",
	      out);
	fputs("$rows using 1:2 with lines lc rgb '#2c7fb8' title 'shortest'\n",
	      out);
}

const struct rtk_picture rtk_picture_rows = {
	.name = "rows",
	.height = 400,
	.panels = rows_panels,
	.draw = rows_draw,
};

/* --- a long run: the largest sample of each interval -------------------------- */

static json_t *intervals_of(const struct rtk_result *r)
{
	return json_object_get(r->document, "intervals");
}

static size_t maxima_panels(const struct rtk_result *r)
{
	return json_array_size(intervals_of(r)) > 1 ? 1 : 0;
}

static void print_maxima(FILE *out, const struct rtk_result *r, size_t number)
{
	const struct rtk_series *series = &r->test.series[number];
	double us = rtk_result_us(r, series->unit);
	__s64 end, max;
	json_t *o;
	size_t i;

	fprintf(out, "$s%zu << END\n", number);
	json_array_foreach(intervals_of(r), i, o) {
		if (strcmp(json_string_value(json_object_get(o, "series")) ?:
									     "",
			   series->name))
			continue;
		end = json_integer_value(json_object_get(o, "mono_ns"));
		max = json_integer_value(json_object_get(o, "max"));
		fprintf(out, "%.12g %.12g\n",
			(double)(end - r->test.started_mono_ns) / 1e9,
			(double)max * (us > 0 ? us : 1));
	}
	fputs("END\n", out);
}

static void maxima_draw(FILE *out, const struct rtk_result *r, size_t panel)
{
	const char *sep = "plot ";
	size_t i;

	(void)panel;
	for (i = 0; i < r->test.nseries; i++)
		print_maxima(out, r, i);
	fprintf(out, "set title '%s: the largest sample of each interval'\n",
		rtk_plot_text(r->test.name).text);
	fputs("set xlabel 's'\nset ylabel 'us'\nset yrange [0:*]\nset key outside right top\n",
	      out);
	for (i = 0; i < r->test.nseries; i++, sep = ", ")
		fprintf(out, "%s$s%zu using 1:2 with steps lw 1.4 title '%s'",
			sep, i, rtk_plot_text(r->test.series[i].name).text);
	fputc('\n', out);
}

const struct rtk_picture rtk_picture_maxima = {
	.name = "maxima",
	.height = 400,
	.panels = maxima_panels,
	.draw = maxima_draw,
};
