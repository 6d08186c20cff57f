// SPDX-License-Identifier: GPL-2.0
#include "eci.h"
#include "mmio.h"

int rtk_eci_mmio(FILE *out, const struct rtk_result *r,
		 const struct rtk_report *rep)
{
	struct rtk_mmio m;

	(void)rep;
	if (r->test.state == RTK_STATE_FAILED && r->test.cause)
		fprintf(out, "# %s\n", r->test.cause);
	if (!rtk_mmio_get(r, &m))
		return 0;
	fputs("RT Core Module\n------------------------\n Stats:\n", out);
	fprintf(out, "  max= %lld\n", m.max);
	fprintf(out, "  avg= %lld\n", m.avg);
	fprintf(out, "  min= %lld\n", m.min);
	fprintf(out, "  total= %lld\n", m.total_ns);
	fprintf(out, "  loops= %lld\n\n", m.loops);
	fprintf(out, " mmio-outliers: %lld\n", m.slow);
	fprintf(out, " sched-outliers: %lld\n", m.gaps);
	return 0;
}
