// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "rep.h"
#include "table.h"
#include "util.h"

#define NAME_WIDTH 20
#define WIDTH 96

/* Folded between words; a word that is longer has a line of its own. */
static void print_fact(void *arg, const char *key, const char *text, bool known)
{
	FILE *out = arg;
	int len, col = fprintf(out, "  %-*s", NAME_WIDTH, key);

	if (!known)
		col += fprintf(out, " not known:");
	while (*text) {
		len = (int)strcspn(text, "\n ");
		if (col + len >= WIDTH && col > NAME_WIDTH + 2) {
			fputc('\n', out);
			col = fprintf(out, "%*s", NAME_WIDTH + 2, "");
		}
		col += fprintf(out, " %.*s", len, text);
		text += len;
		text += strspn(text, "\n ");
	}
	fputc('\n', out);
}

static int print_result(FILE *out, const struct rtk_result *r)
{
	int err = rtk_table_print(out, r, false);

	if (err)
		return err;
	rtk_table_verdict(out, r, true);
	fputs("\nmachine:\n", out);
	return rtk_rep_facts(r, print_fact, out);
}

static int print_all(FILE *out, const struct rtk_rep *rep)
{
	size_t i;
	int err = 0;

	for (i = 0; !err && i < rep->n; i++) {
		if (rep->n > 1)
			fprintf(out, "%s== %s\n", i ? "\n" : "", rep->file[i]);
		err = print_result(out, &rep->v[i]);
	}
	return err;
}

/* A document comes from anywhere: what is in it must not steer a terminal. */
int rtk_rep_text(FILE *out, const struct rtk_rep *rep)
{
	char *text = NULL, *line, *end;
	size_t size = 0;
	FILE *f = open_memstream(&text, &size);
	int err = f ? print_all(f, rep) : -ENOMEM;

	if (f && fclose(f))
		err = -ENOMEM;
	for (line = text; !err && *line; line = end + 1) {
		end = strchr(line, '\n');
		*end = '\0';
		rtk_printable(line);
		fprintf(out, "%s\n", line);
	}
	free(text);
	return err;
}
