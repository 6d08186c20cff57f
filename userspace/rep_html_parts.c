// SPDX-License-Identifier: GPL-2.0
#include <stdarg.h>
#include <string.h>

#include "rep_html.h"
#include "units.h"

void rtk_html_open(struct rtk_xml *x, const char *name, const char *class)
{
	rtk_xml_raw(x, "\n");
	rtk_xml_open(x, name);
	if (class)
		rtk_xml_attr(x, "class", "%s", class);
}

void rtk_html_table(struct rtk_xml *x, const char *class, const char *caption,
		    const char *const *head)
{
	/* By the keyboard, too, a table can be scrolled: it takes the focus. */
	rtk_html_open(x, "div", "scroll");
	rtk_xml_attr(x, "role", "region");
	rtk_xml_attr(x, "aria-label", "%s", caption);
	rtk_xml_attr(x, "tabindex", "0");
	rtk_html_open(x, "table", class);
	rtk_html_open(x, "caption", NULL);
	rtk_xml_text(x, "%s", caption);
	rtk_xml_close(x);
	rtk_html_open(x, "thead", NULL);
	rtk_xml_open(x, "tr");
	for (; *head; head++) {
		rtk_xml_open(x, "th");
		rtk_xml_attr(x, "scope", "col");
		rtk_xml_text(x, "%s", *head);
		rtk_xml_close(x);
	}
	rtk_xml_close(x);
	rtk_xml_close(x);
	rtk_html_open(x, "tbody", NULL);
}

void rtk_html_table_end(struct rtk_xml *x)
{
	rtk_xml_close(x);
	rtk_xml_close(x);
	rtk_xml_close(x);
}

void rtk_html_row(struct rtk_xml *x, const char *fmt, ...)
{
	va_list ap;

	rtk_html_open(x, "tr", NULL);
	rtk_xml_open(x, "th");
	rtk_xml_attr(x, "scope", "row");
	va_start(ap, fmt);
	rtk_xml_vtext(x, fmt, ap);
	va_end(ap);
	rtk_xml_close(x);
}

void rtk_html_fold(struct rtk_xml *x, bool open, const char *fmt, ...)
{
	va_list ap;

	rtk_html_open(x, "details", open ? NULL : "all");
	if (open)
		rtk_xml_attr(x, "open", "open");
	rtk_xml_open(x, "summary");
	va_start(ap, fmt);
	rtk_xml_vtext(x, fmt, ap);
	va_end(ap);
	rtk_xml_close(x);
}

const char *rtk_html_value(const struct rtk_result *r,
			   const struct rtk_series *series, __s64 v, char *buf,
			   size_t size)
{
	bool ticks = !strcmp(series->unit, "ticks") && r->cond.ticks_hz > 0;

	if (ticks || rtk_units_ns(series->unit))
		return rtk_units_print(buf, size,
				       rtk_result_ns(r, series->unit, v));
	snprintf(buf, size, "%lld %s", v, series->unit);
	return buf;
}
