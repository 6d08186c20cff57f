// SPDX-License-Identifier: GPL-2.0
/* The kernel's test protocol: a subtest for each result, its cases in it. */
#include <errno.h>
#include <string.h>

#include "rep.h"

/* One line, whatever a task or a note is called; "#" would begin a directive. */
static void put_text(FILE *out, const char *text)
{
	for (; *text; text++)
		fputc(*text == '#' || (unsigned char)*text < ' ' ? '_' : *text,
		      out);
}

static void print_case(FILE *out, size_t number, const struct rtk_case *c)
{
	fprintf(out, "    %sok %zu %s",
		c->status == RTK_CASE_FAILED ? "not " : "", number, c->name);
	fputs(c->status == RTK_CASE_SKIPPED ? " # SKIP " : ": ", out);
	put_text(out, c->text);
	fputc('\n', out);
}

static int print_result(FILE *out, const struct rtk_rep *rep, size_t i)
{
	const struct rtk_result *r = &rep->v[i];
	struct rtk_cases c;
	size_t k;

	if (rtk_rep_cases(r, &c))
		return -ENOMEM;
	fprintf(out, "    KTAP version 1\n    # Subtest: %s\n    1..%zu\n",
		r->test.name, c.n);
	for (k = 0; k < r->verdict.n; k++) {
		fprintf(out, "    # %s: ", r->verdict.v[k].id);
		put_text(out, r->verdict.v[k].text);
		fputc('\n', out);
	}
	for (k = 0; k < c.n; k++)
		print_case(out, k + 1, &c.v[k]);
	fprintf(out, "%sok %zu %s ", c.failed ? "not " : "", i + 1,
		r->test.name);
	put_text(out, rep->file[i]);
	fputc('\n', out);
	rtk_rep_cases_free(&c);
	return 0;
}

int rtk_rep_ktap(FILE *out, const struct rtk_rep *rep)
{
	size_t i;
	int err = 0;

	fprintf(out, "KTAP version 1\n1..%zu\n", rep->n);
	for (i = 0; !err && i < rep->n; i++)
		err = print_result(out, rep, i);
	return err;
}
