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

static const char *const caterpillar_words[] = {
	"",
	"Timings are in CPU Core cycles",
	"",
	"SampleMin:       Minimum execution time during the display update interval",
	"SampleMax:       Maximum execution time during the display update interval",
	"SmplJitter:      Jitter in the execution time during the display update interval",
	"SessionMin:      Minimum execution time since the program started or statistics were reset",
	"SessionMax:      Maximum execution time since the program started or statistics were reset",
	"SessionJitter:   Jitter in the execution since the program started or statistics were reset",
	"Sample:          Sample number",
	"",
	"Priming cache...",
	"",
	"  SampleMin  SampleMax   SmplJitter  SessionMin SessionMax SessionJitter  Sample",
};

/* A column, and how wide it is there. */
struct cell {
	const char *column;
	int width;
};

static const struct cell jitter_cells[] = {
	{ "inst_min", 10 },   { "inst_max", 11 }, { "inst_jitter", 11 },
	{ "last_exec", 11 },  { "abs_min", 11 },  { "abs_max", 11 },
	{ "tmp", 14 },	      { "interval", 11 }, { "sample", 11 },
	{ "max_jitter", 11 },
};

static const struct cell caterpillar_cells[] = {
	{ "sample_min", 10 },  { "sample_max", 11 },  { "smpl_jitter", 11 },
	{ "session_min", 13 }, { "session_max", 11 }, { "session_jitter", 11 },
	{ "sample", 11 },
};

static const char *param(const struct rtk_result *r, const char *name)
{
	return rtk_params_value(&r->test, name) ?: "?";
}

static void print_words(FILE *out, const char *const *words, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		fprintf(out, "%s\n", words[i]);
}

static void print_rows(FILE *out, const struct rtk_datatable *t,
		       const struct cell *cells, size_t n)
{
	size_t i, k;

	for (i = 0; t && i < t->n; i++) {
		for (k = 0; k < n; k++)
			fprintf(out, "%*lld", cells[k].width,
				rtk_extra_cell(t, i, cells[k].column));
		fputc('\n', out);
	}
}

int rtk_eci_jitter(FILE *out, const struct rtk_result *r,
		   const struct rtk_report *rep)
{
	(void)rep;
	fputs("Linux Jitter testing program version 1.9\n", out);
	fprintf(out, "Iterations=%s\n", param(r, "rows"));
	fprintf(out, "The pragram will execute a dummy function %s times\n",
		param(r, "loop"));
	fprintf(out, "Display is updated every %s displayUpdate intervals\n",
		param(r, "calls"));
	fprintf(out, "Thread affinity will be set to core_id:%s\n",
		r->test.cpus);
	print_words(out, jitter_words, RTK_ARRAY_SIZE(jitter_words));
	print_rows(out, rtk_extra_find(&r->extra, "rows"), jitter_cells,
		   RTK_ARRAY_SIZE(jitter_cells));
	return 0;
}

int rtk_eci_caterpillar(FILE *out, const struct rtk_result *r,
			const struct rtk_report *rep)
{
	(void)rep;
	fputs("\nCache Allocation Technology (CAT)erpillar benchmark v1.1\n\n",
	      out);
	fprintf(out,
		"The benchmark will execute an operation function %s times.\n",
		param(r, "ops"));
	fprintf(out, "Samples are taken every %s test cycles.\n",
		param(r, "calls"));
	fprintf(out, "A total of %s samples will be measured.\n",
		param(r, "samples"));
	fprintf(out, "Thread affinity will be set to core_id: %s\n",
		r->test.cpus);
	print_words(out, caterpillar_words, RTK_ARRAY_SIZE(caterpillar_words));
	print_rows(out, rtk_extra_find(&r->extra, "samples"), caterpillar_cells,
		   RTK_ARRAY_SIZE(caterpillar_cells));
	return 0;
}
