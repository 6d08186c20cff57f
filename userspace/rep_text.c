// SPDX-License-Identifier: GPL-2.0
#include <errno.h>

#include "rep.h"
#include "table.h"

int rtk_rep_text(FILE *out, const struct rtk_rep *rep)
{
	size_t i;

	for (i = 0; i < rep->n; i++) {
		if (rep->n > 1)
			fprintf(out, "%s== %s\n", i ? "\n" : "", rep->file[i]);
		if (rtk_table_print(out, &rep->v[i], false))
			return -ENOMEM;
		rtk_table_verdict(out, &rep->v[i], true);
	}
	return 0;
}
