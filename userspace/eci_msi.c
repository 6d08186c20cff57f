// SPDX-License-Identifier: GPL-2.0
#include <string.h>

#include "eci.h"

/* A series on all CPUs; NULL where it has no sample. */
static const struct rtk_summary *measured(const struct rtk_result *r,
					  const char *series)
{
	const struct rtk_summary *s;

	for (s = r->sums; s < r->sums + r->nsums; s++)
		if (s->cpu == RTK_CPU_ALL && s->m.n &&
		    !strcmp(s->series->name, series))
			return s;
	return NULL;
}

/* As the kernel's log has it there, without its time stamps. */
static int print_block(FILE *out, const struct rtk_summary *s)
{
	if (!s)
		return 0;
	fputs("************ RESULTS (ns) ************\n\n", out);
	fprintf(out, "* Max: %lld\n", s->m.max);
	fprintf(out, "* Avg: %lld\n", (__s64)(s->m.sum / (__int128)s->m.n));
	fprintf(out, "* Min: %lld\n", s->m.min);
	return 0;
}

int rtk_eci_msi_latency(FILE *out, const struct rtk_result *r,
			const struct rtk_report *rep)
{
	(void)rep;
	/* There the offset is taken from what is printed. */
	return print_block(out, measured(r, "irq_adj") ?: measured(r, "irq"));
}

int rtk_eci_msi_jitter(FILE *out, const struct rtk_result *r,
		       const struct rtk_report *rep)
{
	(void)rep;
	return print_block(out, measured(r, "period_abs"));
}
