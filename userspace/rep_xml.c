// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <libxml/chvalid.h>

#include "rep_xml.h"

#define INDENT " "
#define REPLACEMENT "\xef\xbf\xbd"

static void note(struct rtk_xml *x, int rc)
{
	x->failed |= rc < 0;
}

void rtk_xml_begin(struct rtk_xml *x, bool html)
{
	memset(x, 0, sizeof(*x));
	x->html = html;
	x->buf = xmlBufferCreate();
	x->w = x->buf ? xmlNewTextWriterMemory(x->buf, 0) : NULL;
	if (!x->w) {
		x->failed = true;
		return;
	}
	if (html) {
		rtk_xml_raw(x, "<!DOCTYPE html>\n");
		return;
	}
	note(x, xmlTextWriterSetIndent(x->w, 1));
	note(x, xmlTextWriterSetIndentString(x->w, BAD_CAST INDENT));
	note(x, xmlTextWriterStartDocument(x->w, NULL, "UTF-8", NULL));
}

int rtk_xml_end(struct rtk_xml *x, FILE *out)
{
	if (x->w) {
		note(x, xmlTextWriterEndDocument(x->w));
		xmlFreeTextWriter(x->w);
	}
	if (!x->failed)
		fputs((const char *)xmlBufferContent(x->buf), out);
	if (x->buf)
		xmlBufferFree(x->buf);
	return x->failed ? -ENOMEM : 0;
}

void rtk_xml_open(struct rtk_xml *x, const char *name)
{
	if (x->w)
		note(x, xmlTextWriterStartElement(x->w, BAD_CAST name));
}

void rtk_xml_void(struct rtk_xml *x)
{
	if (x->w)
		note(x, xmlTextWriterEndElement(x->w));
}

void rtk_xml_close(struct rtk_xml *x)
{
	if (!x->html)
		rtk_xml_void(x);
	else if (x->w)
		note(x, xmlTextWriterFullEndElement(x->w));
}

void rtk_xml_raw(struct rtk_xml *x, const char *markup)
{
	if (x->w)
		note(x, xmlTextWriterWriteRaw(x->w, BAD_CAST markup));
}

/* The name of a task is any bytes; XML has no control characters. */
static char *clean(const char *text)
{
	char *out = malloc(strlen(text) * strlen(REPLACEMENT) + 1), *to = out;
	int c, len;

	while (out && *text) {
		len = 4;
		c = xmlGetUTF8Char((const unsigned char *)text, &len);
		if (c < 0)
			len = 1;
		if (c < 0 || !xmlIsCharQ(c)) {
			to = stpcpy(to, REPLACEMENT);
		} else {
			memcpy(to, text, (size_t)len);
			to += len;
		}
		text += len;
	}
	if (out)
		*to = '\0';
	return out;
}

static char *__printf(2, 0)
	clean_format(struct rtk_xml *x, const char *fmt, va_list ap)
{
	char *text, *out;

	if (vasprintf(&text, fmt, ap) < 0)
		text = NULL;
	out = text ? clean(text) : NULL;
	free(text);
	x->failed |= !out;
	return out;
}

void rtk_xml_attr(struct rtk_xml *x, const char *name, const char *fmt, ...)
{
	char *text;
	va_list ap;

	va_start(ap, fmt);
	text = clean_format(x, fmt, ap);
	va_end(ap);
	if (text && x->w)
		note(x, xmlTextWriterWriteAttribute(x->w, BAD_CAST name,
						    BAD_CAST text));
	free(text);
}

void rtk_xml_vtext(struct rtk_xml *x, const char *fmt, va_list ap)
{
	char *text = clean_format(x, fmt, ap);

	if (text && x->w)
		note(x, xmlTextWriterWriteString(x->w, BAD_CAST text));
	free(text);
}

void rtk_xml_text(struct rtk_xml *x, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	rtk_xml_vtext(x, fmt, ap);
	va_end(ap);
}

void rtk_xml_leaf(struct rtk_xml *x, const char *name, const char *fmt, ...)
{
	va_list ap;

	rtk_xml_open(x, name);
	va_start(ap, fmt);
	rtk_xml_vtext(x, fmt, ap);
	va_end(ap);
	rtk_xml_close(x);
}
