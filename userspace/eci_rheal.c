// SPDX-License-Identifier: GPL-2.0
#include <string.h>

#include "eci.h"

/* As Python prints a float: no zeros at the end, but for the one after the dot. */
static void print_float(FILE *out, __s64 ps)
{
	char text[32];
	int len = snprintf(text, sizeof(text), "%.3f", (double)ps / 1000);

	while (text[len - 1] == '0' && text[len - 2] != '.')
		len--;
	fprintf(out, "%.*s", len, text);
}

static void print_value(FILE *out, const struct rtk_datatable *t,
			const char *name, const char *column, int digits)
{
	__s64 ps, sum = 0;
	size_t i;

	fputc('[', out);
	for (i = 0; i < t->n; i++) {
		if (i)
			fputs(", ", out);
		ps = rtk_extra_cell(t, i, column);
		print_float(out, ps);
		sum += ps;
	}
	fputs("]\n", out);
	fprintf(out, "#%s_sum is %.*f\n", name, digits, (double)sum / 1000);
	fprintf(out, "#%s_avg is %.*f\n", name, digits,
		(double)sum / 1000 / (double)t->n);
}

static bool was_measured(const struct rtk_result *r, const char *series)
{
	size_t i;

	for (i = 0; i < r->nsums; i++)
		if (!strcmp(r->sums[i].series->name, series))
			return r->sums[i].count;
	return false;
}

int rtk_eci_rhealstone(FILE *out, const struct rtk_result *r,
		       const struct rtk_report *rep)
{
	/* The scripts' order; the first prints two digits there, the others six. */
	static const struct {
		const char *name;
		const char *series;
		const char *column;
		int digits;
	} values[] = {
		{ "ctx", "task_switch", "switch_ps", 2 },
		{ "dead", "deadlock", "deadlock_ps", 6 },
		{ "pree", "preemption", "preemption_ps", 6 },
		{ "sem", "semaphore", "semaphore_ps", 6 },
	};
	const struct rtk_datatable *t = rtk_extra_find(&r->extra, "runs");
	size_t i;

	(void)rep;
	for (i = 0; t && t->n && i < RTK_ARRAY_SIZE(values); i++)
		if (was_measured(r, values[i].series))
			print_value(out, t, values[i].name, values[i].column,
				    values[i].digits);
	return 0;
}
