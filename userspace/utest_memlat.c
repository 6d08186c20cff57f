// SPDX-License-Identifier: GPL-2.0
/*
 * memlat: time of a load from memory, over the size of what is read.
 *
 * The loads go round a ring of pointers, so that each must wait for the one
 * before it. What is found at which size shows the caches. The sizes are those
 * of lat_mem_rd.
 */
#include <errno.h>

#include "levels.h"
#include "membuf.h"
#include "memcurve.h"
#include "memring.h"
#include "memroom.h"
#include "ucpus.h"
#include "utest.h"

#define MIB (1024 * 1024)
/* A repetition is so long at least, */
#define REPETITION_S 0.001
/* and goes round the ring once, or does so many turns of a larger one. */
#define TURNS_MAX 4096
#define REPETITIONS_MAX 1001
/* Of what is free this part stays so. */
#define SPARE 16

struct memlat_config {
	__s64 size_mib;
	char strides[RTK_USTRING];
	__s64 random;
	__s64 parallel;
	__s64 warmup_us;
	__s64 repetitions;
	__s64 pages;
	__s64 node;
};

/**
 * struct memlat_cpu - what a CPU has
 * @buf: memory
 * @at: where in the ring it is
 * @meetings: how often it has waited for the others
 * @ps: repetitions of a point, ascending
 * @n: their number
 */
struct memlat_cpu {
	struct rtk_membuf buf;
	void *at;
	unsigned long long meetings;
	__s64 ps[REPETITIONS_MAX];
	size_t n;
};

/* Enough for the largest size. */
#define POINTS_MAX 64

/* CPUs that have come to a meeting, over all meetings of the run. */
static atomic_ullong come;

enum { STRIDE, SIZE, MIN, MEDIAN, LOADS, COLUMNS };

static const char *const columns[] = {
	"stride_bytes", "size_bytes", "min_ps", "median_ps", "loads", NULL,
};

static __s64 bytes_of(const struct memlat_config *config)
{
	return config->size_mib * MIB;
}

/* Of a list that memlat_check() has seen. */
static void strides_of(const struct memlat_config *config,
		       struct rtk_strides *strides)
{
	char why[128];

	rtk_strides_parse(strides, config->strides, bytes_of(config), why,
			  sizeof(why));
}

/* Go on; false where the run is over. */
static bool chase(struct rtk_ucpu *c, size_t turns)
{
	struct memlat_cpu *m = c->priv;

	for (; turns && !rtk_ucpu_over(c); turns--)
		m->at = rtk_memring_chase(m->at, 1);
	return !turns;
}

/* Wait for the other CPUs. Who waits goes on loading: some still measure. */
static bool meet(struct rtk_ucpu *c)
{
	struct memlat_cpu *m = c->priv;

	m->meetings++;
	atomic_fetch_add(&come, 1);
	while (atomic_load(&come) < m->meetings * c->n)
		if (!chase(c, 1))
			return false;
	return !rtk_ucpu_over(c);
}

static size_t turns_of(size_t elements)
{
	size_t turns = elements / RTK_MEMRING_TURN + 1;

	return turns < TURNS_MAX ? turns : TURNS_MAX;
}

/*
 * For the time asked for, and once round at least. Returns how many turns a
 * repetition has, 0 where the run is over.
 */
static size_t warm_up(struct rtk_ucpu *c, size_t elements)
{
	const struct memlat_config *config = c->config;
	double rate = rtk_clockpair_rate(c->pair), took;
	double warmup = (double)config->warmup_us * rate / 1e6;
	size_t done = 0, round = turns_of(elements);
	__u64 begin = rtk_ticks();

	do {
		if (!chase(c, 1))
			return 0;
		done++;
		took = (double)(rtk_ticks() - begin);
	} while (done < round || took < warmup);
	done = (size_t)((double)done * REPETITION_S * rate / took) + 1;
	return done > round ? done : round;
}

/* Picoseconds for a load; -1 where the run is over. */
static __s64 repetition(struct rtk_ucpu *c, size_t turns, double rate)
{
	double loads = (double)turns * RTK_MEMRING_TURN;
	__u64 begin = rtk_ticks(), end;

	if (!chase(c, turns))
		return -1;
	end = rtk_ticks();
	return (__s64)((double)(end - begin) * 1e12 / rate / loads + 0.5);
}

static bool point(struct rtk_ucpu *c, __s64 stride, __s64 size)
{
	const struct memlat_config *config = c->config;
	struct memlat_cpu *m = c->priv;
	const struct rtk_memring ring = {
		.base = m->buf.base,
		.stride = (size_t)stride,
		.n = (size_t)(size / stride),
	};
	__s64 row[COLUMNS] = { [STRIDE] = stride, [SIZE] = size }, ps, i;
	size_t turns;
	double rate;

	rtk_ucpu_rest(c);
	if (!rtk_memring_build(&ring, config->random, c->stop))
		return false;
	m->at = ring.base;
	turns = warm_up(c, ring.n);
	if (!turns || !meet(c))
		return false;
	m->n = 0;
	rate = rtk_clockpair_rate(c->pair);
	for (i = 0; i < config->repetitions; i++) {
		ps = repetition(c, turns, rate);
		if (ps < 0)
			return false;
		rtk_memcurve_insert(m->ps, &m->n, ps);
		rtk_ucpu_record(c, 0, ps);
	}
	row[MIN] = m->ps[0];
	row[MEDIAN] = rtk_memcurve_median(m->ps, m->n);
	row[LOADS] = (__s64)(m->n * turns * RTK_MEMRING_TURN);
	rtk_urow(c, row);
	c->done++;
	return meet(c);
}

static void memlat_measure(struct rtk_ucpu *c)
{
	const struct memlat_config *config = c->config;
	struct rtk_strides strides;
	__s64 size;
	size_t i;

	strides_of(config, &strides);
	for (i = 0; i < strides.n; i++)
		for (size = RTK_MEMCURVE_FIRST; size <= bytes_of(config);
		     size = rtk_memcurve_next(size))
			if (size >= strides.v[i] &&
			    !point(c, strides.v[i], size))
				return;
}

static int memlat_prepare(struct rtk_ucpu *c)
{
	const struct memlat_config *config = c->config;
	struct memlat_cpu *m = c->priv;

	return rtk_membuf_take(&m->buf, (size_t)bytes_of(config),
			       (int)config->pages, (int)config->node, c->stop,
			       c->error, sizeof(c->error));
}

static void memlat_unprepare(struct rtk_ucpu *c)
{
	struct memlat_cpu *m = c->priv;

	rtk_membuf_give(&m->buf);
}

static int check_node(const struct memlat_config *config)
{
	char have[256];

	if (config->node < 0 ||
	    rtk_memroom_node("", (int)config->node, have, sizeof(have)))
		return 0;
	rtk_err("node=%lld: no such node, or one without memory; there are: %s",
		config->node, have);
	return -EINVAL;
}

/* Before it is touched: the kernel would kill somebody for the last page. */
static int check_room(const struct memlat_config *config, __s64 cpus)
{
	__s64 page = (__s64)rtk_membuf_page((int)config->pages), unused;
	__s64 pages = (bytes_of(config) + page - 1) / page * cpus;
	char why[256];

	if (config->pages == RTK_MEMPAGES_2M ||
	    config->pages == RTK_MEMPAGES_1G) {
		if (rtk_memroom_huge("", page / 1024, (int)config->node, pages,
				     why, sizeof(why)))
			return 0;
		rtk_err("huge_pages=%s: %s",
			config->pages == RTK_MEMPAGES_2M ? "2m" : "1g", why);
		return -ENOMEM;
	}
	if (rtk_memroom_free("", (int)config->node, &unused, why, sizeof(why)))
		return 0;
	if (pages * page <= unused - unused / SPARE)
		return 0;
	rtk_err("size_mib=%lld: more than is free, which for %lld CPU%s is %lld (%s)",
		config->size_mib, cpus, cpus == 1 ? "" : "s",
		(unused - unused / SPARE) / MIB / cpus, why);
	return -ENOMEM;
}

static int memlat_check(const void *config, const struct rtk_ucommon *common)
{
	const struct memlat_config *cfg = config;
	__s64 cpus = rtk_ucpus_count(&common->cpus);
	struct rtk_strides strides;
	char why[128];
	int err;

	atomic_store(&come, 0);
	err = rtk_strides_parse(&strides, cfg->strides, bytes_of(cfg), why,
				sizeof(why));
	if (err) {
		rtk_err("strides=%s: %s", cfg->strides, why);
		return err;
	}
	if (cpus < cfg->parallel) {
		rtk_err("parallel=%lld: only %lld CPU%s there: a smaller number, or more in cpus=",
			cfg->parallel, cpus, cpus == 1 ? " is" : "s are");
		return -EINVAL;
	}
	err = check_node(cfg);
	return err ? err : check_room(cfg, cpus);
}

static unsigned int memlat_cpus(const void *config)
{
	const struct memlat_config *cfg = config;

	return (unsigned int)cfg->parallel;
}

static __u64 memlat_total(const void *config)
{
	const struct memlat_config *cfg = config;
	struct rtk_strides strides;
	__u64 total = 0;
	size_t i;

	strides_of(cfg, &strides);
	for (i = 0; i < strides.n; i++)
		total += rtk_memcurve_points(strides.v[i], bytes_of(cfg));
	return total;
}

static void add_all(struct rtk_extra *e, const struct rtk_memcurve *curve)
{
	struct rtk_datatable *t = rtk_extra_table(e, "all", columns);
	const struct rtk_mempoint *p;
	__s64 row[COLUMNS];

	for (p = curve->v; p < curve->v + curve->n; p++) {
		row[STRIDE] = p->stride;
		row[SIZE] = p->size;
		row[MIN] = p->min_ps;
		row[MEDIAN] = p->median_ps;
		row[LOADS] = p->loads;
		rtk_extra_row(e, t, row);
	}
}

/* The first curve's: how many points, and theirs. */
static size_t first_curve(const struct rtk_memcurve *curve, __s64 *size,
			  __s64 *ps)
{
	size_t n;

	for (n = 0; n < curve->n && n < POINTS_MAX; n++) {
		if (curve->v[n].stride != curve->v[0].stride)
			break;
		size[n] = curve->v[n].size;
		ps[n] = curve->v[n].min_ps;
	}
	return n;
}

static void note_level(struct rtk_extra *e, const struct memlat_config *config,
		       const struct rtk_levelrow *row)
{
	if (row->level && row->stated > bytes_of(config) / 2)
		rtk_extra_note(e,
			       "cache level %u (%lld KiB) ends near or beyond the curve's end: a larger size_mib shows it",
			       row->level, row->stated / 1024);
	else if (row->level && !row->seen)
		rtk_extra_note(e,
			       "cache level %u (%lld KiB) does not show in the curve: %s",
			       row->level, row->stated / 1024,
			       config->random ?
				       "others use it, too, or pages spoil it" :
				       "CPUs load ahead in this order; order=random hinders that");
	else if (!row->level && row->seen)
		rtk_extra_note(e,
			       "the curve rises behind %lld KiB, where no cache is stated to end%s",
			       row->seen / 1024,
			       config->pages ?
				       "" :
				       ": TLB misses (see huge_pages), or a part of a cache");
}

static void add_levels(struct rtk_result *r, const struct memlat_config *config,
		       const struct rtk_memcurve *curve)
{
	static const char *const names[] = { "level", "stated_bytes",
					     "seen_bytes", "latency_ps", NULL };
	struct rtk_datatable *t = rtk_extra_table(&r->extra, "levels", names);
	struct rtk_levelrow rows[RTK_LEVELROWS_MAX], *row;
	__s64 size[POINTS_MAX], ps[POINTS_MAX], v[4];
	struct rtk_caches caches;
	struct rtk_levels levels;
	size_t n;

	if (rtk_caches_read(&caches, "", r->sums[0].cpu))
		rtk_extra_note(&r->extra,
			       "the machine states no cache sizes, as many virtual machines: levels are those seen only");
	n = first_curve(curve, size, ps);
	rtk_levels_find(&levels, size, ps, n);
	n = rtk_levels_match(&levels, &caches, rows);
	for (row = rows; row < rows + n; row++) {
		v[0] = row->level;
		v[1] = row->stated;
		v[2] = row->seen;
		v[3] = row->ps;
		rtk_extra_row(&r->extra, t, v);
		note_level(&r->extra, config, row);
	}
}

static int memlat_finish(const void *config, struct rtk_result *r)
{
	const struct rtk_datatable *t = rtk_extra_find(&r->extra, "curve");
	const struct memlat_config *cfg = config;
	struct rtk_memcurve curve;
	size_t i;

	if (!t || !t->n)
		return 0;
	if (rtk_memcurve_merge(&curve, t))
		return rtk_err_nomem();
	if (curve.n < t->n)
		add_all(&r->extra, &curve);
	for (i = 0; i < curve.n && curve.v[i].size != MIB; i++)
		;
	if (i < curve.n)
		rtk_extra_value(&r->extra, "ns_at_1_mib",
				(double)curve.v[i].min_ps / 1000);
	add_levels(r, cfg, &curve);
	if (!cfg->random)
		rtk_extra_note(&r->extra,
			       "CPUs load ahead where distances are constant: order=random shows the latency itself");
	rtk_memcurve_free(&curve);
	return 0;
}

#define FIELD(field) .offset = offsetof(struct memlat_config, field)

static const char *const orders[] = { "stride", "random", NULL };
static const char *const kinds[] = { "none", "transparent", "2m", "1g", NULL };

static const struct rtk_uparam params[] = {
	{
		.name = "size_mib",
		.type = RTK_PARAM_TYPE_U64,
		.unit = "MiB",
		.min = 1,
		.max = 1048576,
		.def = "128",
		.help = "largest size, taken on each CPU",
		FIELD(size_mib),
	},
	{
		.name = "strides",
		.type = RTK_PARAM_TYPE_STRING,
		.def = "512",
		.help = "bytes from one element to the next, such as 64,512: a curve for each",
		FIELD(strides),
	},
	{
		.name = "order",
		.type = RTK_PARAM_TYPE_ENUM,
		.choices = orders,
		.def = "stride",
		.help = "stride: by address, which CPUs foresee (prefetch); random: the latency itself",
		FIELD(random),
	},
	{
		.name = "parallel",
		.type = RTK_PARAM_TYPE_U64,
		.min = 1,
		.max = RTK_CPUSET_MAX,
		.def = "1",
		.help = "CPUs that measure at the same time, where cpus= names none",
		FIELD(parallel),
	},
	{
		.name = "warmup_us",
		.type = RTK_PARAM_TYPE_U64,
		.unit = "us",
		.min = 0,
		.max = 10000000,
		.def = "10000",
		.help = "loads before each point, at least once round",
		FIELD(warmup_us),
	},
	{
		.name = "repetitions",
		.type = RTK_PARAM_TYPE_U64,
		.min = 1,
		.max = REPETITIONS_MAX,
		.def = "11",
		.help = "samples of a point, of 1 ms or once round",
		FIELD(repetitions),
	},
	{
		.name = "huge_pages",
		.type = RTK_PARAM_TYPE_ENUM,
		.choices = kinds,
		.def = "none",
		.help = "pages; with small ones TLB misses are part of large sizes",
		FIELD(pages),
	},
	{
		.name = "node",
		.type = RTK_PARAM_TYPE_S64,
		.min = -1,
		.max = 1023,
		.def = "-1",
		.help = "NUMA node that the memory is on; -1: the CPU's own",
		FIELD(node),
	},
};

static const struct rtk_useries series[] = {
	{ .name = "load", .unit = "ps" },
};

const struct rtk_utest rtk_utest_memlat = {
	.name = "memlat",
	.summary = "time of a load from caches and memory",
	.params = params,
	.n_params = RTK_ARRAY_SIZE(params),
	.series = series,
	.n_series = RTK_ARRAY_SIZE(series),
	.config_size = sizeof(struct memlat_config),
	.cpu_size = sizeof(struct memlat_cpu),
	.rows = "curve",
	.columns = columns,
	.busy = true,
	.check = memlat_check,
	.cpus = memlat_cpus,
	.total = memlat_total,
	.prepare = memlat_prepare,
	.measure = memlat_measure,
	.unprepare = memlat_unprepare,
	.finish = memlat_finish,
};
