// SPDX-License-Identifier: GPL-2.0
/*
 * jitter: variation of the execution time of a piece of arithmetic.
 *
 * The payload touches no memory, so what varies is what interrupts, the firmware,
 * a sibling thread or the frequency take. It is that of Intel's program jitter,
 * version 1.9, and so are rows and columns. There a first interval with one call
 * more is measured, which is in the absolute extremes and in no row.
 */
#include "jitter.h"
#include "ticks.h"
#include "utest.h"

/* Untimed calls at the beginning; their results are in the sum, too. */
#define PRIMING 1000
/* And after a rest; in no sum. */
#define REFRESH 10

struct jitter_config {
	__s64 loop;
	__s64 calls;
	__s64 rows;
	__s64 seed;
};

/* Series, and their order. */
enum { EXEC, JITTER };

enum {
	INST_MIN,
	INST_MAX,
	INST_JITTER,
	LAST,
	ABS_MIN,
	ABS_MAX,
	TMP,
	INTERVAL,
	SAMPLE,
	MAX_JITTER,
	COLUMNS,
};

static const char *const columns[] = {
	"inst_min", "inst_max",	  "inst_jitter", "last_exec",
	"abs_min",  "abs_max",	  "tmp",	 "interval",
	"sample",   "max_jitter", NULL,
};

/* One timed call. */
static __u64 call(struct rtk_ucpu *c, __u32 seed, __u32 *tmp)
{
	const struct jitter_config *config = c->config;
	__u64 begin, end;
	__u32 a;

	begin = rtk_ticks();
	a = rtk_jitter_payload((__u32)config->loop, seed);
	end = rtk_ticks();
	*tmp += a;
	return end - begin;
}

/* Others were here: the code comes back into the caches, and counts nowhere. */
static void refresh(struct rtk_ucpu *c, __u32 seed)
{
	__u32 unused = 0;
	int i;

	for (i = 0; i < REFRESH && !rtk_ucpu_over(c); i++)
		call(c, seed, &unused);
}

/* Calls up to the next row. Returns false where the run ends before it. */
static bool interval(struct rtk_ucpu *c, __s64 calls, __u32 seed, __s64 *row)
{
	__u32 tmp = (__u32)row[TMP];
	__s64 exec, i;

	row[INST_MIN] = INT64_MAX;
	row[INST_MAX] = 0;
	for (i = 0; i < calls; i++) {
		if (rtk_ucpu_over(c))
			return false;
		if (rtk_ucpu_rest(c))
			refresh(c, seed);
		exec = (__s64)call(c, seed, &tmp);
		rtk_ucpu_record(c, EXEC, exec);
		if (exec < row[INST_MIN])
			row[INST_MIN] = exec;
		if (exec > row[INST_MAX])
			row[INST_MAX] = exec;
		row[LAST] = exec;
	}
	row[INST_JITTER] = row[INST_MAX] - row[INST_MIN];
	if (row[INST_MIN] < row[ABS_MIN])
		row[ABS_MIN] = row[INST_MIN];
	if (row[INST_MAX] > row[ABS_MAX])
		row[ABS_MAX] = row[INST_MAX];
	row[TMP] = tmp;
	return true;
}

static void jitter_measure(struct rtk_ucpu *c)
{
	const struct jitter_config *config = c->config;
	__u32 seed = (__u32)config->seed, tmp = 0;
	__s64 row[COLUMNS] = { [ABS_MIN] = INT64_MAX };
	__u64 shown, now;
	int i;

	if (config->seed < 0)
		seed = (__u32)rtk_ticks();
	for (i = 0; i < PRIMING && !rtk_ucpu_over(c); i++)
		call(c, seed, &tmp);
	row[TMP] = tmp;
	if (!interval(c, config->calls + 1, seed, row))
		return;
	shown = rtk_ticks();
	while (c->common->duration_ms >= 0 || row[SAMPLE] < config->rows) {
		if (!interval(c, config->calls, seed, row))
			return;
		now = rtk_ticks();
		row[INTERVAL] = (__s64)(now - shown);
		shown = now;
		row[SAMPLE]++;
		if (row[INST_JITTER] > row[MAX_JITTER])
			row[MAX_JITTER] = row[INST_JITTER];
		rtk_urow(c, row);
		rtk_ucpu_record(c, JITTER, row[INST_JITTER]);
		c->done = (__u64)row[SAMPLE];
	}
}

static __u64 jitter_total(const void *config)
{
	const struct jitter_config *cfg = config;

	return (__u64)cfg->rows;
}

#define FIELD(field) .offset = offsetof(struct jitter_config, field)

static const struct rtk_uparam params[] = {
	{
		.name = "loop",
		.type = RTK_PARAM_TYPE_U64,
		.min = 1,
		.max = 1000000000,
		.def = "80000",
		.help = "steps of the payload in a timed call",
		FIELD(loop),
	},
	{
		.name = "calls",
		.type = RTK_PARAM_TYPE_U64,
		.min = 1,
		.max = 1000000000,
		.def = "20000",
		.help = "timed calls for a row",
		FIELD(calls),
	},
	{
		.name = "rows",
		.type = RTK_PARAM_TYPE_U64,
		.min = 1,
		.max = 1000000000,
		.def = "200",
		.help = "rows to measure, unless duration_ms is given",
		FIELD(rows),
	},
	{
		.name = "seed",
		.type = RTK_PARAM_TYPE_S64,
		.min = -1,
		.max = 0xffffffffLL,
		.def = "-1",
		.help = "start value of the payload; -1: the counter's low 32 bits",
		FIELD(seed),
	},
};

static const struct rtk_useries series[] = {
	[EXEC] = { .name = "exec", .unit = "ticks" },
	[JITTER] = { .name = "jitter", .unit = "ticks" },
};

const struct rtk_utest rtk_utest_jitter = {
	.name = "jitter",
	.summary = "variation of the execution time of arithmetic",
	.params = params,
	.n_params = RTK_ARRAY_SIZE(params),
	.series = series,
	.n_series = RTK_ARRAY_SIZE(series),
	.config_size = sizeof(struct jitter_config),
	.rows = "rows",
	.columns = columns,
	.busy = true,
	.total = jitter_total,
	.measure = jitter_measure,
};
