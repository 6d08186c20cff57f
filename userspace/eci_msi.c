// SPDX-License-Identifier: GPL-2.0
#include "eci.h"

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
	return print_block(out, rtk_result_measured(r, "irq_adj") ?:
					rtk_result_measured(r, "irq"));
}

int rtk_eci_msi_jitter(FILE *out, const struct rtk_result *r,
		       const struct rtk_report *rep)
{
	(void)rep;
	return print_block(out, rtk_result_measured(r, "period_abs"));
}
