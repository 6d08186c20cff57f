// SPDX-License-Identifier: GPL-2.0
/* Rows that the originals' documentation shows come out to the character. */
#include "eci.h"
#include "tap.h"
#include "util.h"

/* An empty result with a parameter NAME=VALUE for each pair of PARAMS. */
static void make(struct rtk_result *r, const char *const *params)
{
	struct rtk_param *p;

	rtk_result_init(r);
	r->test.cpus = strdup("1");
	for (; *params; params += 2) {
		p = rtk_grow(&r->test.params, &r->test.nparams, sizeof(*p));
		rtk_copy(p->name, sizeof(p->name), params[0]);
		p->run_value = strdup(params[1]);
	}
}

static char *text_of(const struct rtk_result *r,
		     int (*print)(FILE *out, const struct rtk_result *r,
				  const struct rtk_report *rep))
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	ok(out && !print(out, r, NULL), "printed");
	if (out)
		fclose(out);
	return text;
}

static void test_jitter(void)
{
	static const char *const params[] = { "loop", "80000", "calls", "20000",
					      "rows", "200",   NULL };
	static const char *const columns[] = {
		"cpu", "inst_min", "inst_max", "inst_jitter", "last_exec",
		"abs_min", "abs_max", "tmp", "interval", "sample", "max_jitter",
		NULL
	};
	static const __s64 rows[][11] = {
		{ 1, 158807, 158939, 132, 158809, 158807, 158939, 3158835200,
		  3179339706, 1, 132 },
		{ 1, 158807, 158944, 137, 158852, 158807, 158944, 2370306048,
		  3179421895, 2, 137 },
		{ 1, 158807, 158938, 131, 158860, 158807, 158944, 1581776896,
		  3179361092, 3, 137 },
		{ 1, 158807, 158940, 133, 158840, 158807, 158944, 793247744,
		  3179379386, 4, 137 },
		{ 1, 158807, 158944, 137, 158843, 158807, 158944, 4718592,
		  3179371249, 5, 137 },
	};
	static const char want[] =
		"Linux Jitter testing program version 1.9\n"
		"Iterations=200\n"
		"The pragram will execute a dummy function 80000 times\n"
		"Display is updated every 20000 displayUpdate intervals\n"
		"Thread affinity will be set to core_id:1\n"
		"Timings are in CPU Core cycles\n"
		"Inst_Min:    Minimum Excution time during the display update interval(default is ~1 second)\n"
		"Inst_Max:    Maximum Excution time during the display update interval(default is ~1 second)\n"
		"Inst_jitter: Jitter in the Excution time during rhe display update interval. This is the value of interest\n"
		"last_Exec:   The Excution time of last iteration just before the display update\n"
		"Abs_Min:     Absolute Minimum Excution time since the program started or statistics were reset\n"
		"Abs_Max:     Absolute Maximum Excution time since the program started or statistics were reset\n"
		"tmp:         Cumulative value calcualted by the dummy function\n"
		"Interval:    Time interval between the display updates in Core Cycles\n"
		"Sample No:   Sample number\n"
		"\n"
		"  Inst_Min   Inst_Max   Inst_jitter last_Exec  Abs_min    Abs_max      tmp       Interval     Sample No\n"
		"    158807     158939        132     158809     158807     158939    3158835200 3179339706          1        132\n"
		"    158807     158944        137     158852     158807     158944    2370306048 3179421895          2        137\n"
		"    158807     158938        131     158860     158807     158944    1581776896 3179361092          3        137\n"
		"    158807     158940        133     158840     158807     158944     793247744 3179379386          4        137\n"
		"    158807     158944        137     158843     158807     158944       4718592 3179371249          5        137\n"
		"";
	struct rtk_datatable *t;
	struct rtk_result r;
	char *text;
	size_t i;

	make(&r, params);
	t = rtk_extra_table(&r.extra, "rows", columns);
	for (i = 0; i < RTK_ARRAY_SIZE(rows); i++)
		rtk_extra_row(&r.extra, t, rows[i]);
	text = text_of(&r, rtk_eci_jitter);
	ok_str(text, want, "jitter 1.9");
	free(text);
	rtk_result_free(&r);
}

static void test_caterpillar(void)
{
	static const char *const params[] = { "calls", "10000", "ops", "50000",
					      "samples", "200", NULL };
	static const char *const columns[] = {
		"cpu", "sample_min", "sample_max", "smpl_jitter", "session_min",
		"session_max", "session_jitter", "sample", NULL
	};
	static const __s64 rows[][8] = {
		{ 1, 152506, 156402, 557, 152506, 156402, 557, 0 },
		{ 1, 152429, 156426, 551, 152429, 156426, 554, 1 },
		{ 1, 152180, 156335, 561, 152180, 156426, 556, 2 },
	};
	static const char want[] =
		"\n"
		"Cache Allocation Technology (CAT)erpillar benchmark v1.1\n"
		"\n"
		"The benchmark will execute an operation function 50000 times.\n"
		"Samples are taken every 10000 test cycles.\n"
		"A total of 200 samples will be measured.\n"
		"Thread affinity will be set to core_id: 1\n"
		"\n"
		"Timings are in CPU Core cycles\n"
		"\n"
		"SampleMin:       Minimum execution time during the display update interval\n"
		"SampleMax:       Maximum execution time during the display update interval\n"
		"SmplJitter:      Jitter in the execution time during the display update interval\n"
		"SessionMin:      Minimum execution time since the program started or statistics were reset\n"
		"SessionMax:      Maximum execution time since the program started or statistics were reset\n"
		"SessionJitter:   Jitter in the execution since the program started or statistics were reset\n"
		"Sample:          Sample number\n"
		"\n"
		"Priming cache...\n"
		"\n"
		"  SampleMin  SampleMax   SmplJitter  SessionMin SessionMax SessionJitter  Sample\n"
		"    152506     156402        557       152506     156402        557          0\n"
		"    152429     156426        551       152429     156426        554          1\n"
		"    152180     156335        561       152180     156426        556          2\n"
		"";
	struct rtk_datatable *t;
	struct rtk_result r;
	char *text;
	size_t i;

	make(&r, params);
	t = rtk_extra_table(&r.extra, "samples", columns);
	for (i = 0; i < RTK_ARRAY_SIZE(rows); i++)
		rtk_extra_row(&r.extra, t, rows[i]);
	text = text_of(&r, rtk_eci_caterpillar);
	ok_str(text, want, "caterpillar 1.1");
	free(text);
	rtk_result_free(&r);
}

int main(void)
{
	tap_begin();
	test_jitter();
	test_caterpillar();
	return tap_end();
}
