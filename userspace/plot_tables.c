// SPDX-License-Identifier: GPL-2.0
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
		fprintf(out, "%lld %.12g %.12g\n",
			rtk_extra_cell(t, i, "size_bytes"),
			(double)rtk_extra_cell(t, i, "median_ps") / 1000,
			(double)rtk_extra_cell(t, i, "min_ps") / 1000);
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
	long long cpu, stride;
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
		cpu = rtk_extra_cell(t, i, "cpu");
		stride = rtk_extra_cell(t, i, "stride_bytes");
		fprintf(out,
			"%s$curve index %zu using 1:2 with linespoints pt 7 ps 0.4 lt %zu title 'CPU %lld, stride %lld: median', ",
			sep, line, line + 1, cpu, stride);
		fprintf(out,
			"$curve index %zu using 1:3 with lines dt 3 lt %zu title 'minimum'",
			line, line + 1);
		line++;
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

/* --- jitter, caterpillar: the times of each row, and their jitter ----------- */

static const struct row_table {
	const char *name;
	const char *low;
	const char *high;
	const char *jitter;
} row_tables[] = {
	{ "rows", "inst_min", "inst_max", "inst_jitter" },
	{ "samples", "sample_min", "sample_max", "smpl_jitter" },
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

	return rows_of(r, &kind) ? 2 : 0;
}

/* The rows of one CPU; of many rows the largest of several. */
static void print_rows(FILE *out, const struct rtk_datatable *t,
		       const struct row_table *kind, int cpu)
{
	size_t i, seen = 0, step = t->n / POINTS + 1;
	__s64 low = 0, high = 0, jitter = 0, v;

	fprintf(out, "$cpu%d << END\n", cpu);
	for (i = 0; i < t->n; i++) {
		if (rtk_extra_cell(t, i, "cpu") != cpu)
			continue;
		v = rtk_extra_cell(t, i, kind->low);
		low = seen % step && low < v ? low : v;
		v = rtk_extra_cell(t, i, kind->high);
		high = seen % step && high > v ? high : v;
		v = rtk_extra_cell(t, i, kind->jitter);
		jitter = seen % step && jitter > v ? jitter : v;
		if (++seen % step == 0)
			fprintf(out, "%zu %lld %lld %lld\n", seen, low, high,
				jitter);
	}
	fputs("END\n", out);
}

static void rows_draw(FILE *out, const struct rtk_result *r, size_t panel)
{
	const struct row_table *kind = NULL;
	const struct rtk_datatable *t = rows_of(r, &kind);
	struct rtk_cpuset cpus = { 0 };
	const char *sep = "plot ";
	int cpu = -1;
	size_t i;

	for (i = 0; i < t->n; i++)
		rtk_cpuset_add(&cpus,
			       (unsigned int)rtk_extra_cell(t, i, "cpu"));
	while ((cpu = rtk_cpuset_next(&cpus, cpu + 1)) >= 0)
		print_rows(out, t, kind, cpu);
	fprintf(out, "set title '%s: %s'\n", rtk_plot_text(r->test.name).text,
		panel ? "jitter of each row" :
			"shortest to longest execution time of each row");
	fputs("set xlabel 'row'\nset ylabel 'ticks'\nset key outside right top\n",
	      out);
	if (panel)
		fputs("set yrange [0:*]\n", out);
	while ((cpu = rtk_cpuset_next(&cpus, cpu + 1)) >= 0) {
		fprintf(out, "%s$cpu%d using %s title 'CPU %d'", sep, cpu,
			panel ? "1:4 with lines lw 1.5" :
				"1:2:3 with filledcurves fs solid 0.5",
			cpu);
		sep = ", ";
	}
	fputc('\n', out);
}

const struct rtk_picture rtk_picture_rows = {
	.name = "rows",
	.height = 340,
	.panels = rows_panels,
	.draw = rows_draw,
};

/* --- a long run: the largest sample of each interval -------------------------- */

static size_t maxima_panels(const struct rtk_result *r)
{
	return r->intervals.n > 1 ? 1 : 0;
}

/* Where an interval begins: with the last one's end, or the part that it is in. */
static __s64 begin_of(const struct rtk_result *r, __s64 last, __s64 end)
{
	__s64 begin = last;
	size_t i;

	for (i = 0; i < r->nparts; i++)
		if (r->parts[i].started_wall_ns > begin &&
		    r->parts[i].started_wall_ns < end)
			begin = r->parts[i].started_wall_ns;
	return begin;
}

static double seconds(const struct rtk_result *r, __s64 wall_ns)
{
	return (double)(wall_ns - r->test.started_wall_ns) / 1e9;
}

/* A level from the beginning of each to its end; nothing between two parts. */
static void print_maxima(FILE *out, const struct rtk_result *r, size_t number)
{
	const struct rtk_series *series = &r->test.series[number];
	double us = rtk_result_us(r, series->unit), max;
	__s64 last = r->test.started_wall_ns, begin;
	const struct rtk_interval *one;

	fprintf(out, "$s%zu << END\n", number);
	for (one = r->intervals.v; one < r->intervals.v + r->intervals.n;
	     one++) {
		if (strcmp(one->series, series->name))
			continue;
		begin = begin_of(r, last, one->wall_ns);
		max = (double)one->max * (us > 0 ? us : 1);
		if (begin != last)
			fputc('\n', out);
		fprintf(out, "%.12g %.12g\n%.12g %.12g\n", seconds(r, begin),
			max, seconds(r, one->wall_ns), max);
		last = one->wall_ns;
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
	fputs("set xlabel 'time, s'\nset ylabel 'us'\nset yrange [0:*]\nset key outside right top\n",
	      out);
	for (i = 0; i < r->test.nseries; i++, sep = ", ")
		fprintf(out, "%s$s%zu using 1:2 with lines lw 1.4 title '%s'",
			sep, i, rtk_plot_text(r->test.series[i].name).text);
	fputc('\n', out);
}

const struct rtk_picture rtk_picture_maxima = {
	.name = "maxima",
	.height = 400,
	.panels = maxima_panels,
	.draw = maxima_draw,
};

/* --- rhealstone: series of one number each, side by side ---------------------- */

static size_t values_panels(const struct rtk_result *r)
{
	return !strcmp(r->test.name, "rhealstone") && r->nsums;
}

static void values_draw(FILE *out, const struct rtk_result *r, size_t panel)
{
	const struct rtk_summary *s;

	(void)panel;
	fputs("$values << END\n", out);
	for (s = r->sums; s < r->sums + r->nsums; s++)
		if (s->cpu == RTK_CPU_ALL && s->m.n)
			fprintf(out, "%s %lld %lld %lld %lld\n",
				rtk_plot_text(s->series->name).text, s->m.min,
				s->percentile[0], s->percentile[3], s->m.max);
	fprintf(out, "END\nset title '%s'\nset logscale y\nset ylabel '%s'\n",
		rtk_plot_text(r->test.name).text,
		rtk_plot_text(r->test.series[0].unit).text);
	fputs("set xtics rotate by -25\nset boxwidth 0.5\nset key outside right top\n",
	      out);
	fputs("set offsets 0.6, 0.6, 0, 0\n", out);
	fputs("plot $values using 0:2:2:4:4:xtic(1) with candlesticks fs solid 0.35 lc rgb '#34495e' title 'up to 99.9 %', ",
	      out);
	fputs("$values using 0:3:3:3:3 with candlesticks lw 3 lc rgb '#c0392b' title 'median', ",
	      out);
	fputs("$values using 0:5 with points pt 7 ps 0.7 lc rgb '#7f8c8d' title 'longest'\n",
	      out);
}

const struct rtk_picture rtk_picture_values = {
	.name = "values",
	.height = 480,
	.panels = values_panels,
	.draw = values_draw,
};
