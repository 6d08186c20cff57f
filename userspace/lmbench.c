// SPDX-License-Identifier: GPL-2.0
#include "lmbench.h"
#include "memcurve.h"

int rtk_lmbench_memlat(FILE *out, const struct rtk_result *r,
		       const struct rtk_report *rep)
{
	const struct rtk_datatable *t = rtk_extra_find(&r->extra, "curve");
	const struct rtk_mempoint *p;
	struct rtk_memcurve c;
	__s64 stride = 0;

	(void)rep;
	if (!t)
		return 0;
	if (rtk_memcurve_merge(&c, t))
		return rtk_err_nomem();
	for (p = c.v; p < c.v + c.n; p++) {
		if (p->stride != stride)
			fprintf(out, "%s\"stride=%lld\n", stride ? "\n" : "",
				p->stride);
		stride = p->stride;
		fprintf(out, "%.5f %.3f\n", (double)p->size / (1024 * 1024),
			(double)p->min_ps / 1000);
	}
	rtk_memcurve_free(&c);
	return 0;
}
