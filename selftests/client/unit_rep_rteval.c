// SPDX-License-Identifier: GPL-2.0
/* rteval's reports: what was published, printed again; XML read back. */
#include <math.h>
#include <libxml/parser.h>
#include <libxml/xpath.h>

#include "load.h"
#include "rep.h"
#include "results.h"

/*
 * The statistics that rteval 1.38 printed of a run on eight cores: all of them,
 * then each. The document has a histogram that has all of these digits: they leave
 * nothing to choose below the means, and little above.
 */
static const char *const published[] = {
	"869190 2.12836433921 2 2 731 0 731 0.937310248954 35.8090162273 5.98406352133",
	"109626 2.61308448726 2 2 645 0 645 1.67699461734 90.2609495244 9.50057627328",
	"109870 1.86766178211 1 1 710 1 711 0.921409903422 34.2588155195 5.85310306756",
	"109463 2.37517700045 2 2 621 0 621 0.944711592396 31.7869418697 5.63799094268",
	"107860 2.1190246616 2 2 652 0 652 0.876297487018 27.0425459294 5.20024479514",
	"108567 2.1447309035 2 2 684 0 684 0.879960259054 29.0171586253 5.38675770991",
	"108366 1.66483029733 1 1 571 0 571 0.755909668094 6.99546256844 2.6448936781",
	"107590 2.14418626266 2 2 731 0 731 0.797404828348 37.2396828533 6.10243253575",
	"107848 2.0935761442 2 2 693 0 693 0.844485575396 28.6649385662 5.35396475205",
};

static char *render(struct rtk_result *r,
		    int (*format)(FILE *, const struct rtk_rep *))
{
	char *file = "made up";
	struct rtk_rep rep = { .v = r, .file = &file, .n = 1 };
	char *text;
	size_t size;
	FILE *f = open_memstream(&text, &size);
	int err = format(f, &rep);

	fclose(f);
	ok_num(err, 0, "it is printed");
	return text;
}

/* The numbers of a block "Statistics:", one after the other. */
static const char *numbers(const char *text, char *buf, size_t size)
{
	size_t len = 0;
	double v;

	*buf = '\0';
	for (text = strchr(text, '\n') + 1; *text != '\n'; text = strchr(text, '\n') + 1) {
		v = strtod(strchr(text, ':') + 1, NULL);
		len += (size_t)snprintf(buf + len, size - len, "%s%.12g", len ? " " : "", v);
	}
	return buf;
}

static void test_published_text(struct rtk_result *r)
{
	char *text = render(r, rtk_rep_rteval), buf[256];
	const char *at = text;
	size_t i;

	for (i = 0; i < RTK_ARRAY_SIZE(published); i++) {
		at = strstr(at, "Statistics:");
		if (!ok(at, "block %zu is there", i))
			return;
		ok_str(numbers(at, buf, sizeof(buf)), published[i], "and is as published");
		at++;
	}
	ok(!strstr(at, "Statistics:"), "no block more");
	ok(strstr(text, "\n   Memory:       31.292 GB\n") &&
	   strstr(text, "\n   CPU cores:    8 (online: 8)\n") &&
	   strstr(text, "\n   Kernel:       4.4.2\n") &&
	   strstr(text, "\n   Test run:     2017-02-13 12:49:21\n") &&
	   strstr(text, "\n   Run time:     0 days 0h 0m 11s\n") &&
	   strstr(text, "\n      System:  (8 cores) Intel(R) Core(TM) i7-6700 CPU @ 3.40GHz\n"),
	   "the machine and the run, too");
	free(text);
}

/* --- XML -------------------------------------------------------------------- */

static double xpath(xmlXPathContext *c, const char *fmt, ...)
{
	xmlXPathObject *o;
	double v = -1;
	char path[256];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(path, sizeof(path), fmt, ap);
	va_end(ap);
	o = xmlXPathEvalExpression(BAD_CAST path, c);
	if (o)
		v = xmlXPathCastToNumber(o);
	xmlXPathFreeObject(o);
	return v;
}

static xmlXPathContext *read_xml(const char *text)
{
	xmlDoc *doc = xmlReadMemory(text, (int)strlen(text), NULL, NULL, XML_PARSE_NONET);

	return ok(doc, "the document is well-formed") ? xmlXPathNewContext(doc) : NULL;
}

static void end_xml(xmlXPathContext *c)
{
	xmlFreeDoc(c->doc);
	xmlXPathFreeContext(c);
}

#define CYCLICTEST "/rteval/Measurements/Profile/cyclictest"

static void check_block(xmlXPathContext *c, const char *where, const char *want)
{
	static const char *const tags[] = {
		"samples", "mean", "median", "mode", "range", "minimum", "maximum",
		"mean_absolute_deviation", "variance", "standard_deviation",
	};
	char buf[256] = "";
	size_t i, len = 0;

	for (i = 0; i < RTK_ARRAY_SIZE(tags); i++)
		len += (size_t)snprintf(buf + len, sizeof(buf) - len, "%s%.12g",
					i ? " " : "",
					xpath(c, CYCLICTEST "/%s/statistics/%s", where, tags[i]));
	ok_str(buf, want, "%s is as published", where);
	ok(xpath(c, "sum(" CYCLICTEST "/%s/histogram/bucket/@value)", where) == atoi(want),
	   "its buckets hold all samples");
	ok(xpath(c, "count(" CYCLICTEST "/%s/histogram/bucket)", where) ==
	   xpath(c, CYCLICTEST "/%s/histogram/@nbuckets", where),
	   "and are as many as it says");
}

static void test_published_xml(struct rtk_result *r)
{
	char *text = render(r, rtk_rep_rteval_xml), where[32];
	xmlXPathContext *c = read_xml(text);
	size_t i;

	if (!c)
		return;
	check_block(c, "system", published[0]);
	for (i = 1; i < RTK_ARRAY_SIZE(published); i++) {
		snprintf(where, sizeof(where), "core[@id='%zu']", i - 1);
		check_block(c, where, published[i]);
	}
	ok(xpath(c, "count(" CYCLICTEST "/core)") == 8, "there are eight cores");
	/* As rteval's own stylesheet looks for them. */
	ok(xpath(c, "/rteval/SystemInfo/CPUtopology/@num_cpu_cores_online") == 8 &&
	   xpath(c, "/rteval/SystemInfo/Memory/memory_size[@unit='GB']") == 31.292 &&
	   xpath(c, "/rteval/SystemInfo/Memory/numa_nodes") == 1 &&
	   xpath(c, "/rteval/SystemInfo/uname/kernel/@is_RT") == 0 &&
	   xpath(c, "/rteval/loads/@load_average") == 4.07 &&
	   xpath(c, "/rteval/run_info/@seconds") == 11 &&
	   xpath(c, "count(//ClockSource/source)") == 3 &&
	   xpath(c, "number(//ClockSource/source[@current=1]='tsc')") == 1,
	   "the machine is where rteval has it");
	end_xml(c);
	free(text);
}

/* A run of ours: ns become us, and the series is that of the threshold. */
static void test_ours(void)
{
	const struct rtk_summary *s;
	struct rtk_result r;
	xmlXPathContext *c;
	char *text;

	make(&r);
	/* CPU 0: 5 us and 5.5 us, which are one of rteval's buckets. */
	r.lanes.v[1].buckets[1].index = (__u32)rtk_hist_index(5500);
	r.lanes.v[1].max = 5500;
	judge(&r);
	s = find(&r, "thread", 1);
	text = render(&r, rtk_rep_rteval_xml);
	c = read_xml(text);
	ok(xpath(c, CYCLICTEST "/core[@id=1]/statistics/samples") == (double)s->count &&
	   xpath(c, CYCLICTEST "/core[@id=1]/statistics/maximum") == 10 &&
	   xpath(c, CYCLICTEST "/core[@id=1]/statistics/minimum") == 5 &&
	   xpath(c, CYCLICTEST "/core[@id=1]/histogram/bucket[@index=10]/@value") == 1,
	   "us of the last series");
	/* One value of n is 5 us off. */
	ok(fabs(xpath(c, CYCLICTEST "/core[@id=1]/statistics/variance") *
		(double)s->count - 25) < 1e-9, "variance in us squared");
	ok(xpath(c, CYCLICTEST "/core[@id=0]/histogram/@nbuckets") == 1 &&
	   xpath(c, CYCLICTEST "/core[@id=0]/histogram/bucket[@index=5]/@value") ==
	   (double)find(&r, "thread", 0)->count, "buckets of the same us are one");
	ok(xpath(c, "/rteval/SystemInfo/uname/kernel/@is_RT") == 1, "a real-time kernel");
	end_xml(c);
	free(text);
	text = render(&r, rtk_rep_rteval);
	ok(strstr(text, "  (RT enabled)\n"), "also in text");
	free(text);
	rtk_result_free(&r);
}

/* What can't be computed is left out, not printed as 0 or nan. */
static void test_few(__u64 n)
{
	struct rtk_result r;
	struct rtk_lane *l;
	char *text;

	make(&r);
	l = &r.lanes.v[r.lanes.n - 1];
	l->nbuckets = n;
	l->count = n;
	l->moments_count = n;
	l->max = l->min;
	l->sum = (__s64)n * l->min;
	l->sumsq_lo = (__u64)(l->sum * l->min);
	l->buckets[0].count = 1;
	judge(&r);
	text = render(&r, rtk_rep_rteval);
	ok(!strstr(text, "nan") && !strstr(text, "inf"), "with %llu samples no NaN", n);
	ok(!strstr(strstr(text, "CPU core 1"), "Variance"), "and no variance");
	ok(!strstr(strstr(text, "CPU core 1"), "Mean:") == !n, "a mean of one sample");
	free(text);
	rtk_result_free(&r);
}

int main(void)
{
	struct rtk_result r;

	tap_begin();
	if (ok(!rtk_load(TEST_DIR "/golden/published.in.json", &r), "the document is read")) {
		test_published_text(&r);
		test_published_xml(&r);
		rtk_result_free(&r);
	}
	test_ours();
	test_few(1);
	test_few(0);
	xmlCleanupParser();
	return tap_end();
}
