// SPDX-License-Identifier: GPL-2.0
/* The HTML report: well-formed, alone, and whatever the names in it are. */
#include <errno.h>
#include <libxml/parser.h>
#include <libxml/xpath.h>

#include "plot.h"
#include "rep.h"
#include "results.h"

#define SVG \
	"<?xml version='1.0'?>\n" \
	"<svg width='9' height='5' xmlns='http://www.w3.org/2000/svg'\n" \
	"xmlns:xlink='http://www.w3.org/1999/xlink' viewBox='0 0 9 5'>\n" \
	"<title>Gnuplot</title><defs><g id='dot'/></defs>\n" \
	"<rect id='box' fill='#fffffe' style='clip-path: url(#dot)'/>\n" \
	"<use xlink:href='#dot'/></svg>"

/* Instead of gnuplot: one picture of each kind, all with the same ids. */
static int plot_error;

const char *rtk_plot_name(size_t i)
{
	static const char *const names[] = { "one", "two" };

	return i < RTK_ARRAY_SIZE(names) ? names[i] : NULL;
}

int rtk_plot_svg(const struct rtk_result *const *r, size_t n, const char *kind, char **svg)
{
	(void)r;
	(void)n;
	(void)kind;
	if (plot_error)
		return plot_error;
	*svg = strdup(SVG);
	return *svg ? 0 : -ENOMEM;
}

static char *render(const struct rtk_result *r, size_t n)
{
	struct rtk_result list[] = { *r, *r };
	char one[] = "a<b>.json", two[] = "two.json", *files[] = { one, two };
	struct rtk_rep rep = { .v = list, .file = files, .n = n };
	char *text;
	size_t size;
	FILE *f = open_memstream(&text, &size);
	int err = rtk_rep_html(f, &rep);

	fclose(f);
	ok_num(err, 0, "it is printed");
	return text;
}

static xmlXPathContext *read_page(const char *text)
{
	xmlDoc *doc = xmlReadMemory(text, (int)strlen(text), NULL, NULL, XML_PARSE_NONET);

	if (!ok(doc, "the page is well-formed XML"))
		exit(tap_end());
	return xmlXPathNewContext(doc);
}

static int count(xmlXPathContext *c, const char *path)
{
	xmlXPathObject *o;
	char number[512];
	int n;

	snprintf(number, sizeof(number), "count(%s)", path);
	o = xmlXPathEvalExpression(BAD_CAST number, c);
	n = o ? (int)xmlXPathCastToNumber(o) : -1;
	xmlXPathFreeObject(o);
	return n;
}

static void end_page(xmlXPathContext *c, char *text)
{
	xmlFreeDoc(c->doc);
	xmlXPathFreeContext(c);
	free(text);
}

#define NAMED(name) "//*[local-name()='" name "']"

static void test_alone(void)
{
	struct rtk_result r;
	xmlXPathContext *c;
	char *text;

	make(&r);
	judge(&r);
	text = render(&r, 2);
	c = read_page(text);
	ok(!strncmp(text, "<!DOCTYPE html>\n<html ", 22), "a browser reads HTML 5");
	ok_num(count(c, NAMED("script") "|" NAMED("link") "|" NAMED("img") "|" NAMED("iframe")), 0,
	       "no script, no other file");
	ok_num(count(c, "//@src|//@*[starts-with(local-name(), 'on')]"), 0, "nor in an attribute");
	ok_num(count(c, "//@*[local-name()='href'][not(starts-with(., '#'))]"), 0,
	       "no link out of the page");
	ok(!strstr(text, "@import") && !strstr(text, "url(h"), "nor in the style");
	ok_num(count(c, "//@id[. = ../following::*/@id or . = ../descendant::*/@id]"), 0,
	       "every id is there once");
	ok_num(count(c, "//@*[local-name()='href'][not(substring(., 2) = //@id)]"), 0,
	       "every link leads somewhere");
	ok(strstr(text, "clip-path: url(#r1-") && strstr(text, "fill=\"#fffffe\""),
	   "those in a picture's style, too; a colour is none");
	ok_num(count(c, NAMED("th") "[not(@scope)]"), 0, "every header has a scope");
	ok_num(count(c, NAMED("svg") "[not(@role='img' and @aria-label)]"), 0,
	       "every picture has a name");
	ok(count(c, NAMED("svg")) > 1, "there are pictures");
	ok_num(count(c, NAMED("meta") "[@charset='utf-8']|" NAMED("meta") "[@name='viewport']"), 2,
	       "charset and viewport");
	ok_num(count(c, NAMED("a")), 2, "two results are compared");
	end_page(c, text);
	rtk_result_free(&r);
}

static void add_sample(struct rtk_result *r, const char *comm, __s64 value)
{
	struct rtk_outlier *o = rtk_grow(&r->outliers.v, &r->outliers.n, sizeof(*o));

	rtk_outlier_init(o);
	rtk_copy(o->series, sizeof(o->series), "irq");
	rtk_copy(o->comm, sizeof(o->comm), comm);
	o->value = value;
	o->sequence = (__u64)value;
	o->pid = 17;
}

/* A task may call itself anything. */
static void test_names(void)
{
	xmlXPathContext *c;
	struct rtk_result r;
	char *text;

	make(&r);
	add_sample(&r, "<script>alert(1)", 2200);
	add_sample(&r, "a&amp;b\"'\x01\xff]]>", 2100);
	rtk_extra_note(&r.extra, "<img src=x onerror=y>");
	judge(&r);
	text = render(&r, 1);
	c = read_page(text);
	ok_num(count(c, NAMED("script") "|" NAMED("img")), 0, "a name is no element");
	ok_num(count(c, NAMED("td") "[. = '<script>alert(1) (17)']"), 1, "it is shown as it is");
	ok_num(count(c, NAMED("td") "[starts-with(., 'a&amp;b')]"), 1, "an ampersand, too");
	ok(!strchr(text, '\x01') && strstr(text, "\xef\xbf\xbd"),
	   "a byte that is no character is replaced");
	ok_num(count(c, NAMED("p") "[. = 'Note: <img src=x onerror=y>']"), 1, "a note, too");
	ok_num(count(c, NAMED("title") "[contains(., 'hrtimer')]") > 0, 1, "the page has a title");
	end_page(c, text);
	rtk_result_free(&r);
}

/* Of many samples and CPUs the page has few, and the others folded away. */
static void test_many(void)
{
	xmlXPathContext *c;
	struct rtk_result r;
	char *text;
	__u32 i;

	make(&r);
	for (i = 2; i < 100; i++)
		add_lane(&r, "irq", i, 240000, 1000);
	for (i = 0; i < 100; i++) {
		add_sample(&r, "", 3000 + i);
		add_sample(&r, "", 3000 + i);
	}
	judge(&r);
	text = render(&r, 1);
	c = read_page(text);
	ok_num(count(c, NAMED("td") "[contains(., ' ns')]"), 16, "the 16 largest samples");
	ok_num(count(c, NAMED("td") "[. = '3099 ns']"), 1, "each of them once");
	ok_num(count(c, NAMED("td") "[. = '3083 ns']"), 0, "not the 17th");
	ok_num(count(c, NAMED("details") "[not(@open)]//*[local-name()='th'][. = '99']"), 2,
	       "100 CPUs are folded");
	ok_num(count(c, NAMED("details") "[@open]//*[local-name()='th'][. = '1']"), 1, "two are not");
	end_page(c, text);
	rtk_result_free(&r);
}

static void test_no_plot(void)
{
	struct rtk_result r;
	char *text;

	make(&r);
	judge(&r);
	plot_error = -ENOENT;
	text = render(&r, 1);
	ok(strstr(text, "gnuplot is not installed") && strstr(text, "Statistics</h2>"),
	   "without gnuplot the page says so");
	free(text);
	plot_error = -ENODATA;
	text = render(&r, 1);
	ok(!strstr(text, "gnuplot") && !strstr(text, "<figure"), "nothing to draw, nothing said");
	free(text);
	plot_error = 0;
	rtk_result_free(&r);
}

static void test_verdict(void)
{
	xmlXPathContext *c;
	struct rtk_result r;
	char *text;

	make(&r);
	r.env.emulated = true;
	r.env.hypervisor = true;
	judge(&r);
	text = render(&r, 1);
	c = read_page(text);
	ok_num(count(c, NAMED("section") "[@class='verdict INVALID']"), 1, "the verdict's colour");
	ok_num(count(c, NAMED("section") "/*/*[local-name()='li'][contains(., 'emulated')]"), 1,
	       "its reason");
	ok_num(count(c, NAMED("li") "[contains(., 'in 480002: p < 6.2e-06 at 95 %')]"), 1,
	       "the maximum and what it is worth");
	end_page(c, text);
	rtk_result_free(&r);
}

int main(void)
{
	tap_begin();
	test_alone();
	test_names();
	test_many();
	test_no_plot();
	test_verdict();
	xmlCleanupParser();
	return tap_end();
}
