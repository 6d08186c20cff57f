// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <libxml/parser.h>
#include <libxml/tree.h>

#include "plot.h"
#include "rep_html.h"

/* Several pictures on a page must not have the same ids: "id" becomes "gN-id". */
struct renaming {
	struct rtk_xml *x;
	char prefix[32];
};

/* Where a name begins in an attribute: an id, a link "#name", or "url(#name)". */
static const char *find_name(const xmlAttr *a, const char *value)
{
	const char *name = (const char *)a->name, *url;

	if (!strcmp(name, "id"))
		return value;
	if (!strcmp(name, "href") && *value == '#')
		return value + 1;
	url = strstr(value, "url(#");
	return url ? url + 5 : NULL;
}

static void rename_attr(const struct renaming *n, xmlAttr *a)
{
	xmlChar *old = xmlNodeListGetString(a->doc, a->children, 1);
	const char *value = (const char *)old, *name;
	char *to;

	name = value ? find_name(a, value) : NULL;
	if (name && asprintf(&to, "%.*s%s%s", (int)(name - value), value,
			     n->prefix, name) >= 0) {
		xmlNodeSetContent((xmlNode *)a, BAD_CAST to);
		free(to);
	} else if (name) {
		n->x->failed = true;
	}
	xmlFree(old);
}

static void rename_ids(const struct renaming *n, xmlNode *node)
{
	xmlAttr *a;

	for (; node; node = node->next) {
		if (node->type != XML_ELEMENT_NODE)
			continue;
		for (a = node->properties; a; a = a->next)
			rename_attr(n, a);
		rename_ids(n, node->children);
	}
}

/* As wide as the page, and with a name for who can't see it. */
static void set_root(xmlNode *root, const char *label)
{
	xmlNode *child;

	for (child = root->children; child; child = child->next)
		if (!xmlStrcmp(child->name, BAD_CAST "title"))
			xmlNodeSetContent(child, BAD_CAST label);
	xmlUnsetProp(root, BAD_CAST "width");
	xmlUnsetProp(root, BAD_CAST "height");
	xmlSetProp(root, BAD_CAST "role", BAD_CAST "img");
	xmlSetProp(root, BAD_CAST "aria-label", BAD_CAST label);
}

static void put_svg(struct rtk_xml *x, const char *svg, const char *label,
		    const char *prefix)
{
	xmlDoc *doc = xmlReadMemory(svg, (int)strlen(svg), NULL, NULL,
				    XML_PARSE_NONET | XML_PARSE_NOBLANKS);
	xmlNode *root = doc ? xmlDocGetRootElement(doc) : NULL;
	struct renaming n = { .x = x };
	xmlBuffer *buf = xmlBufferCreate();

	rtk_copy(n.prefix, sizeof(n.prefix), prefix);
	if (root && buf) {
		rename_ids(&n, root);
		set_root(root, label);
		if (xmlNodeDump(buf, doc, root, 0, 0) < 0)
			x->failed = true;
		else
			rtk_xml_raw(x, (const char *)xmlBufferContent(buf));
	}
	x->failed |= !root || !buf;
	xmlBufferFree(buf);
	xmlFreeDoc(doc);
}

static void put_plot(struct rtk_xml *x, const struct rtk_result *r,
		     const char *kind, size_t id)
{
	char label[160], prefix[32], *svg;
	int err = rtk_plot_svg(&r, 1, kind, &svg);

	if (err == -ENODATA)
		return;
	if (err) {
		rtk_html_open(x, "p", "dim");
		rtk_xml_text(x, "No picture (%s): %s.", kind,
			     err == -ENOENT ? "gnuplot is not installed here" :
					      strerror(-err));
		rtk_xml_close(x);
		return;
	}
	snprintf(label, sizeof(label), "%s of %s on CPUs %s", kind,
		 r->test.name, r->test.cpus ?: "?");
	snprintf(prefix, sizeof(prefix), "r%zu-%s-", id, kind);
	rtk_html_open(x, "figure", NULL);
	put_svg(x, svg, label, prefix);
	rtk_xml_close(x);
	free(svg);
}

void rtk_html_plots(struct rtk_xml *x, const struct rtk_result *r, size_t id)
{
	const char *kind;
	size_t i;

	for (i = 0; (kind = rtk_plot_name(i)); i++)
		/* Another view of the histogram. */
		if (strcmp(kind, "linear"))
			put_plot(x, r, kind, id);
}
