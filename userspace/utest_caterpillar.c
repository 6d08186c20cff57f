// SPDX-License-Identifier: GPL-2.0
/*
 * caterpillar: variation of the execution time of memory operations.
 *
 * An operation reads a word, adds 1 and writes it, in one cache line after the
 * other, and round again. So the time of a call is that of the cache that holds
 * the lines, and what varies is what others take of it. Rows and columns are
 * those of Intel's program caterpillar, version 1.1.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "caches.h"
#include "caterpillar.h"
#include "ticks.h"
#include "utest.h"

/* Untimed passes over all lines at the beginning. */
#define PRIMING 16
/* Where the CPU states no size. */
#define DEFAULT_SET (256 * 1024)
#define PAGE 4096

struct caterpillar_config {
	__s64 calls;
	__s64 ops;
	__s64 samples;
	__s64 working_set;
};

/* Of each CPU. */
struct memory {
	__u64 *words;
	__u64 lines;
};

/* Series, and their order. */
enum { EXEC, JITTER };

static const char *const columns[] = {
	[RTK_SAMPLE_MIN] = "sample_min",
	[RTK_SAMPLE_MAX] = "sample_max",
	[RTK_SMPL_JITTER] = "smpl_jitter",
	[RTK_SESSION_MIN] = "session_min",
	[RTK_SESSION_MAX] = "session_max",
	[RTK_SESSION_JITTER] = "session_jitter",
	[RTK_SAMPLE] = "sample",
	[RTK_SAMPLE_COLUMNS] = NULL,
};

/* Lines that are walked on a CPU; why these, in words. */
static __u64 lines_of(const struct caterpillar_config *config, int cpu,
		      const char **why)
{
	const struct rtk_cache *l2;
	struct rtk_caches caches;
	__s64 lines, size = config->working_set;

	rtk_caches_read(&caches, "", cpu);
	l2 = rtk_caches_level(&caches, 2);
	*why = "as asked for by working_set=";
	if (!size && l2) {
		size = l2->size;
		*why = "the size of the L2 cache";
	} else if (!size) {
		size = DEFAULT_SET;
		*why = "the CPU states no size of an L2 cache";
	}
	lines = (size + RTK_CATERPILLAR_LINE - 1) / RTK_CATERPILLAR_LINE;
	if (lines > config->ops) {
		lines = config->ops;
		*why = "a line for each operation: ops= does not reach more";
	}
	return (__u64)lines;
}

static int caterpillar_prepare(struct rtk_ucpu *c)
{
	struct memory *m = c->priv;
	const char *why;
	size_t size;

	m->lines = lines_of(c->config, c->cpu, &why);
	size = m->lines * RTK_CATERPILLAR_LINE;
	m->words = aligned_alloc(PAGE, (size + PAGE - 1) / PAGE * PAGE);
	if (!m->words)
		return rtk_ucpu_fail(c, -ENOMEM,
				     "no %zu bytes for the working set: a smaller working_set=",
				     size);
	/* Here: of this CPU's node, and no page is missing later. */
	memset(m->words, 0, size);
	return 0;
}

static void caterpillar_unprepare(struct rtk_ucpu *c)
{
	struct memory *m = c->priv;

	free(m->words);
}

static void prime(struct rtk_ucpu *c)
{
	const struct memory *m = c->priv;
	int i;

	for (i = 0; i < PRIMING && !rtk_ucpu_over(c); i++)
		rtk_caterpillar_walk(m->words, m->lines, m->lines);
}

/* One sample. Returns false where the run ends before it does. */
static bool sample(struct rtk_ucpu *c, struct rtk_session *session)
{
	const struct caterpillar_config *config = c->config;
	const struct memory *m = c->priv;
	__u64 begin, end;
	__s64 i;

	for (i = 0; i < config->calls; i++) {
		if (rtk_ucpu_over(c))
			return false;
		if (rtk_ucpu_rest(c))
			prime(c);
		begin = rtk_ticks();
		rtk_caterpillar_walk(m->words, m->lines, (__u64)config->ops);
		end = rtk_ticks();
		rtk_moments_add(&session->now, (__s64)(end - begin));
		rtk_ucpu_record(c, EXEC, (__s64)(end - begin));
	}
	return true;
}

static void caterpillar_measure(struct rtk_ucpu *c)
{
	const struct caterpillar_config *config = c->config;
	__u64 samples = (__u64)config->samples;
	struct rtk_session session = { 0 };
	__s64 row[RTK_SAMPLE_COLUMNS];

	prime(c);
	while (c->common->duration_ms >= 0 || session.samples < samples) {
		if (!sample(c, &session))
			return;
		rtk_session_end(&session, row);
		rtk_urow(c, row);
		rtk_ucpu_record(c, JITTER, row[RTK_SMPL_JITTER]);
		c->done = session.samples;
	}
}

static __u64 caterpillar_total(const void *config)
{
	const struct caterpillar_config *cfg = config;

	return (__u64)cfg->samples;
}

/* CPUs can be of different kinds: each size once. */
static void say_sizes(const struct caterpillar_config *config,
		      struct rtk_result *r)
{
	const struct rtk_summary *s;
	__u64 lines, before = 0;
	const char *why;
	size_t i;

	for (i = 0; i < r->nsums && r->sums[i].cpu != RTK_CPU_ALL; i++) {
		s = &r->sums[i];
		lines = lines_of(config, s->cpu, &why);
		if (!before)
			rtk_extra_value(&r->extra, "working_set_bytes",
					(double)(lines * RTK_CATERPILLAR_LINE));
		if (lines != before)
			rtk_extra_note(&r->extra,
				       "working set of CPU %d: %llu KiB, %s",
				       s->cpu,
				       lines * RTK_CATERPILLAR_LINE / 1024,
				       why);
		before = lines;
	}
}

static void say_exec(const struct caterpillar_config *config,
		     const struct rtk_summary *s, struct rtk_extra *e)
{
	size_t i;

	if (!s->m.n)
		return;
	rtk_extra_value(e, "exec_range_ticks", (double)(s->m.max - s->m.min));
	for (i = 0; i < RTK_STATS_PERCENTILES; i++)
		if (!strcmp(rtk_stats_percentiles[i].name, "99.9"))
			rtk_extra_value(e, "exec_p99.9_ticks",
					(double)s->percentile[i]);
	rtk_extra_value(e, "ticks_per_op", s->mean / (double)config->ops);
	if (s->m.n > 1)
		rtk_extra_value(e, "exec_variation", s->stddev / s->mean);
}

static void say_jitter(const struct rtk_summary *s, struct rtk_extra *e)
{
	if (!s->m.n)
		return;
	rtk_extra_value(e, "smpl_jitter_min_ticks", (double)s->m.min);
	rtk_extra_value(e, "smpl_jitter_max_ticks", (double)s->m.max);
	if (s->m.n > 1)
		rtk_extra_value(e, "smpl_jitter_stddev_ticks", s->stddev);
}

static int caterpillar_finish(const void *config, struct rtk_result *r)
{
	const struct rtk_summary *all[2] = { NULL };
	size_t i, n = 0;

	/* Each series ends with its sum over all CPUs. */
	for (i = 0; i < r->nsums && n < RTK_ARRAY_SIZE(all); i++)
		if (r->sums[i].cpu == RTK_CPU_ALL)
			all[n++] = &r->sums[i];
	say_sizes(config, r);
	if (n == RTK_ARRAY_SIZE(all)) {
		say_jitter(all[JITTER], &r->extra);
		say_exec(config, all[EXEC], &r->extra);
	}
	rtk_extra_note(&r->extra,
		       "it says something only with a noisy neighbour on another core, and beside the same run without one");
	return 0;
}

#define FIELD(field) .offset = offsetof(struct caterpillar_config, field)

static const struct rtk_uparam params[] = {
	{
		.name = "calls",
		.type = RTK_PARAM_TYPE_U64,
		.min = 2,
		.max = 1000000000,
		.def = "10000",
		.help = "timed calls for a sample",
		FIELD(calls),
	},
	{
		.name = "ops",
		.type = RTK_PARAM_TYPE_U64,
		.min = 1,
		.max = 10000000,
		.def = "50000",
		.help = "memory operations in a timed call",
		FIELD(ops),
	},
	{
		.name = "samples",
		.type = RTK_PARAM_TYPE_U64,
		.min = 1,
		.max = 1000000000,
		.def = "200",
		.help = "samples to measure, unless duration_ms is given",
		FIELD(samples),
	},
	{
		.name = "working_set",
		.type = RTK_PARAM_TYPE_U64,
		.unit = "bytes",
		.min = 0,
		.max = 1073741824,
		.def = "0",
		.help = "memory to walk over; 0: the size of the L2 cache",
		FIELD(working_set),
	},
};

static const struct rtk_useries series[] = {
	[EXEC] = { .name = "exec", .unit = "ticks" },
	[JITTER] = { .name = "jitter", .unit = "ticks" },
};

const struct rtk_utest rtk_utest_caterpillar = {
	.name = "caterpillar",
	.summary = "variation of the execution time of memory operations",
	.params = params,
	.n_params = RTK_ARRAY_SIZE(params),
	.series = series,
	.n_series = RTK_ARRAY_SIZE(series),
	.config_size = sizeof(struct caterpillar_config),
	.cpu_size = sizeof(struct memory),
	.rows = "samples",
	.columns = columns,
	.busy = true,
	.total = caterpillar_total,
	.prepare = caterpillar_prepare,
	.measure = caterpillar_measure,
	.unprepare = caterpillar_unprepare,
	.finish = caterpillar_finish,
};
