/* SPDX-License-Identifier: GPL-2.0 */
/* Well-formed XML, and HTML that is XML too, by libxml2. Errors are remembered. */
#ifndef RTK_REP_XML_H
#define RTK_REP_XML_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <libxml/xmlwriter.h>

#include "util.h"

/**
 * struct rtk_xml - a document that is being written
 * @w: writer
 * @buf: what is written
 * @html: an empty element has an end tag, which a browser asks for
 * @failed: something is missing
 */
struct rtk_xml {
	xmlTextWriter *w;
	xmlBuffer *buf;
	bool html;
	bool failed;
};

/**
 * rtk_xml_begin() - begin a document
 * @x: filled; end with rtk_xml_end()
 * @html: HTML
 */
void rtk_xml_begin(struct rtk_xml *x, bool html);

/**
 * rtk_xml_end() - end a document and print it
 * @x: document, all its elements closed
 * @out: where to
 *
 * Return: 0 or -ENOMEM
 */
int rtk_xml_end(struct rtk_xml *x, FILE *out);

/**
 * rtk_xml_open() - begin an element
 * @x: document
 * @name: its name
 */
void rtk_xml_open(struct rtk_xml *x, const char *name);

/**
 * rtk_xml_close() - end the element begun last
 * @x: document
 */
void rtk_xml_close(struct rtk_xml *x);

/**
 * rtk_xml_void() - end an element that has no end tag in HTML
 * @x: document
 */
void rtk_xml_void(struct rtk_xml *x);

/**
 * rtk_xml_attr() - add an attribute to the element just begun
 * @x: document
 * @name: its name
 * @fmt: value
 */
void rtk_xml_attr(struct rtk_xml *x, const char *name, const char *fmt, ...)
	__printf(3, 4);

/**
 * rtk_xml_text() - add text to an element
 * @x: document
 * @fmt: any text; characters that XML can't have become U+FFFD
 */
void rtk_xml_text(struct rtk_xml *x, const char *fmt, ...) __printf(2, 3);

/**
 * rtk_xml_vtext() - the same
 * @x: document
 * @fmt: text
 * @ap: its arguments
 */
void rtk_xml_vtext(struct rtk_xml *x, const char *fmt, va_list ap)
	__printf(2, 0);

/**
 * rtk_xml_leaf() - an element with text only
 * @x: document
 * @name: element
 * @fmt: text
 */
void rtk_xml_leaf(struct rtk_xml *x, const char *name, const char *fmt, ...)
	__printf(3, 4);

/**
 * rtk_xml_raw() - add what is markup already
 * @x: document
 * @markup: well-formed
 */
void rtk_xml_raw(struct rtk_xml *x, const char *markup);

#endif
