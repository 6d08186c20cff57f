// SPDX-License-Identifier: GPL-2.0
/* Pictures: what is drawn of what, and that a document can't make gnuplot do more. */
#include <errno.h>
#include <unistd.h>

#include "plot.h"
#include "results.h"

static int draw(const struct rtk_result *r, const char *kind, char **svg)
{
	*svg = NULL;
	return rtk_plot_svg(&r, 1, kind, svg);
}

static size_t times(const char *text, const char *what)
{
	size_t n = 0;

	for (; text && (text = strstr(text, what)); text++)
		n++;
	return n;
}

static void test_histogram(void)
{
	struct rtk_result r;
	char *svg;

	make(&r);
	r.env.emulated = true;
	r.env.hypervisor = true;
	judge(&r);
	ok_num(draw(&r, "histogram", &svg), 0, "a histogram is drawn");
	ok(svg && strstr(svg, "<svg"), "as SVG");
	ok(times(svg, "CPU 0: 2 us") == 1 && times(svg, "CPU 1: 2.2 us") == 1 &&
	   times(svg, "CPU 1: 10 us") == 1, "a line for each CPU, with its largest sample");
	ok(times(svg, "irq of hrtimer: 480002 samples, largest 2.2 us") == 1 &&
	   times(svg, "thread of hrtimer") == 1, "a panel for each series");
	ok(times(svg, "EMULATED") == 2, "an emulator's are marked");
	ok_str(rtk_plot_kind(&r), "histogram", "it is what the result has");
	free(svg);
	ok_num(draw(&r, "memlat", &svg), -ENODATA, "but not a curve");
	ok_num(draw(&r, "maxima", &svg), -ENODATA, "nor intervals");
	ok_num(draw(&r, "other", &svg), -EINVAL, "a kind that there is not");
	rtk_result_free(&r);
}

/* Several results, over each other; and as PNG. */
static void test_overlay(void)
{
	char one[] = "one.json", two[] = "it's two", *names[] = { one, two };
	const struct rtk_result *list[2];
	struct rtk_result r;
	char *data = NULL;
	size_t size;

	make(&r);
	judge(&r);
	list[0] = &r;
	list[1] = &r;
	ok_num(rtk_plot(list, 2, names, "histogram", "svg", &data, &size), 0, "two results");
	ok(times(data, "one.json, thread: 10 us") == 1 && times(data, "it_s two, thread") == 1,
	   "are two lines in one panel");
	free(data);
	data = NULL;
	ok_num(rtk_plot(list, 1, names, "histogram", "pngcairo", &data, &size), 0, "one as PNG");
	ok(data && size > 1000 && !memcmp(data, "\x89PNG", 4), "which it is");
	free(data);
	rtk_result_free(&r);
}

/* Of many CPUs the worst: no picture with thousands of lines. */
static void test_many(void)
{
	struct rtk_result r;
	char *svg;
	__u32 i;

	make(&r);
	for (i = 2; i < 600; i++)
		add_lane(&r, "irq", i, 240000, 1000 + i);
	judge(&r);
	ok_num(draw(&r, "histogram", &svg), 0, "600 CPUs are drawn");
	ok(times(svg, "CPU 599:") == 1 && times(svg, "CPU 584:") == 1 &&
	   !times(svg, "CPU 583:"), "the 16 worst of them");
	ok(svg && strlen(svg) < 200000, "in %zu bytes", svg ? strlen(svg) : 0);
	free(svg);
	rtk_result_free(&r);
}

static void test_tables(void)
{
	static const char *const curve[] = { "cpu", "stride_bytes", "size_bytes",
					     "min_ps", "median_ps", "loads", NULL };
	static const char *const rows[] = { "cpu", "inst_min", "inst_max",
					    "inst_jitter", "sample", NULL };
	struct rtk_datatable *t;
	struct rtk_result r;
	char *svg;
	__s64 i;

	make(&r);
	judge(&r);
	t = rtk_extra_table(&r.extra, "curve", curve);
	for (i = 0; i < 8; i++)
		rtk_extra_row(&r.extra, t,
			      (__s64[]){ 3, i < 4 ? 64 : 128, 512 << i, 900, 1000, 1 });
	ok_num(draw(&r, "memlat", &svg), 0, "a curve is drawn");
	ok(times(svg, "CPU 3, stride 64: median") == 1 &&
	   times(svg, "CPU 3, stride 128: median") == 1,
	   "a line for each stride");
	ok_str(rtk_plot_kind(&r), "memlat", "it says most of such a result");
	free(svg);
	t = rtk_extra_table(&r.extra, "rows", rows);
	for (i = 0; i < 100000; i++)
		rtk_extra_row(&r.extra, t,
			      (__s64[]){ i & 1, 5, 7 + i % 3, 2, i });
	ok_num(draw(&r, "rows", &svg), 0, "rows are drawn");
	ok(times(svg, "CPU 0") == 2 && times(svg, "CPU 1") == 2, "of each CPU, and their jitter");
	ok(svg && strlen(svg) < 200000, "in %zu bytes", svg ? strlen(svg) : 0);
	free(svg);
	rtk_result_free(&r);
}

/* A document comes from anybody; gnuplot's language can run programs. */
static void test_names(void)
{
	static const char evil[] = "'.system('>x').'";
	struct rtk_result r;
	size_t i;
	char *svg;

	make(&r);
	rtk_copy(r.test.name, sizeof(r.test.name), "a\n!>x");
	rtk_copy(r.test.series[0].name, RTK_NAME_SIZE, evil);
	for (i = 0; i < r.lanes.n; i += 2)
		rtk_copy(r.lanes.v[i].series, RTK_NAME_SIZE, evil);
	judge(&r);
	ok_num(draw(&r, "histogram", &svg), 0, "names in gnuplot's language are drawn");
	ok(access("x", F_OK), "and not obeyed");
	free(svg);
	rtk_result_free(&r);
}

/* Two intervals, then two of a part that began much later. */
static void test_maxima(void)
{
	static const __s64 ends[] = { 10, 20, 110, 120 };
	struct rtk_interval one = { .series = "irq", .max = 5000 };
	struct rtk_result r;
	char *svg;
	size_t i;

	make(&r);
	r.parts = calloc(2, sizeof(*r.parts));
	r.nparts = 2;
	r.parts[0].started_wall_ns = r.test.started_wall_ns;
	r.parts[1].started_wall_ns = r.test.started_wall_ns + 100000000000LL;
	for (i = 0; i < RTK_ARRAY_SIZE(ends); i++) {
		one.wall_ns = r.test.started_wall_ns + ends[i] * 1000000000;
		rtk_intervals_add(&r.intervals, &one);
	}
	judge(&r);
	ok_num(draw(&r, "maxima", &svg), 0, "maxima over time are drawn");
	ok(times(svg, "the largest sample of each interval") == 1, "in a panel");
	free(svg);
	ok_num(draw(&r, "linear", &svg), 0, "a histogram with a linear axis");
	ok(times(svg, "samples per us") == 2, "has densities over it");
	free(svg);
	rtk_result_free(&r);
}

static void test_no_gnuplot(void)
{
	struct rtk_result r;
	char *svg;

	make(&r);
	judge(&r);
	setenv("PATH", "/nonexistent", 1);
	ok_num(draw(&r, "histogram", &svg), -ENOENT, "without gnuplot it says so");
	rtk_result_free(&r);
}

int main(void)
{
	char dir[] = "/tmp/rtk-unit-XXXXXX";

	tap_begin();
	if (!mkdtemp(dir) || chdir(dir))
		return 1;
	test_histogram();
	test_overlay();
	test_many();
	test_tables();
	test_names();
	test_maxima();
	test_no_gnuplot();
	unlink("x");
	rmdir(dir);
	return tap_end();
}
