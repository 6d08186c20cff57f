// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>

#include "eci.h"
#include "params.h"

/* The words are that program's, its spelling, too: scripts look for them. */
static const char *const jitter_words[] = {
	"Timings are in CPU Core cycles",
	"Inst_Min:    Minimum Excution time during the display update interval(default is ~1 second)",
	"Inst_Max:    Maximum Excution time during the display update interval(default is ~1 second)",
	"Inst_jitter: Jitter in the Excution time during rhe display update interval. This is the value of interest",
	"last_Exec:   The Excution time of last iteration just before the display update",
	"Abs_Min:     Absolute Minimum Excution time since the program started or statistics were reset",
	"Abs_Max:     Absolute Maximum Excution time since the program started or statistics were reset",
	"tmp:         Cumulative value calcualted by the dummy function",
	"Interval:    Time interval between the display updates in Core Cycles",
	"Sample No:   Sample number",
	"",
	"  Inst_Min   Inst_Max   Inst_jitter last_Exec  Abs_min    Abs_max      tmp       Interval     Sample No",
};

static const char *param(const struct rtk_result *r, const char *name)
{
	return rtk_params_value(&r->test, name) ?: "?";
}

static void jitter_row(FILE *out, const struct rtk_datatable *t, size_t i)
{
	static const struct {
		const char *column;
		int width;
	} cells[] = {
		{ "inst_min", 10 },   { "inst_max", 11 }, { "inst_jitter", 11 },
		{ "last_exec", 11 },  { "abs_min", 11 },  { "abs_max", 11 },
		{ "tmp", 14 },	      { "interval", 11 }, { "sample", 11 },
		{ "max_jitter", 11 },
	};
	size_t k;

	for (k = 0; k < RTK_ARRAY_SIZE(cells); k++)
		fprintf(out, "%*lld", cells[k].width,
			rtk_extra_cell(t, i, cells[k].column));
	fputc('\n', out);
}

int rtk_eci_jitter(FILE *out, const struct rtk_result *r)
{
	const struct rtk_datatable *t = rtk_extra_find(&r->extra, "rows");
	size_t i;

	fputs("Linux Jitter testing program version 1.9\n", out);
	fprintf(out, "Iterations=%s\n", param(r, "rows"));
	fprintf(out, "The pragram will execute a dummy function %s times\n",
		param(r, "loop"));
	fprintf(out, "Display is updated every %s displayUpdate intervals\n",
		param(r, "calls"));
	fprintf(out, "Thread affinity will be set to core_id:%s\n",
		r->test.cpus);
	for (i = 0; i < RTK_ARRAY_SIZE(jitter_words); i++)
		fprintf(out, "%s\n", jitter_words[i]);
	for (i = 0; t && i < t->n; i++)
		jitter_row(out, t, i);
	return 0;
}
