// SPDX-License-Identifier: GPL-2.0
/*
 * How long a processor waits for a register of a device: one that is read over and over
 * again. A read is not posted, so it takes the whole way there and back, behind all that
 * is on the way; nothing on the processor can shorten or hide that time.
 */
#include <linux/math64.h>
#include <linux/slab.h>
#include <linux/sort.h>
#include <linux/string.h>
#include <linux/timekeeping.h>

#include "pcireg.h"
#include "rtk.h"

/* So long reads go on until others are let in, ns. */
#define MMIO_BURST	NSEC_PER_MSEC
/* So often the device is looked at, should what it answers not be all ones, ns. */
#define MMIO_LOOK	(100 * NSEC_PER_MSEC)
/* A real-time task that never rests is stopped by the kernel: it rests between. */
#define MMIO_REST	(MMIO_BURST / 8)
/* Slow is what takes so many times the median of the first so many reads. */
#define MMIO_SLOW	10
#define MMIO_FIRST	1000
/* Stamps for their cost, before each burst. */
#define MMIO_STAMPS	16

/* A read is what the threshold is for, if none is named: the last one. */
enum { MMIO_GAP, MMIO_READ };

enum {
	MMIO_LOOPS,
	MMIO_TOTAL,
	MMIO_ONES,
	MMIO_OUTLIERS,
	MMIO_SCHED,
	MMIO_LIMIT,
	MMIO_CLOCK,
};

enum { MMIO_MEMORY, MMIO_CONFIG };

/**
 * struct mmio_config - parameters, and what follows from them
 * @device: device, or "auto"
 * @address: physical address instead, hexadecimal; empty for none
 * @space: memory or configuration space
 * @bar: BAR, -1 for the default
 * @offset: hexadecimal; empty for the default
 * @width: bytes
 * @force: whatever speaks against it
 * @block_irq: interrupts are off during a read
 * @count: reads on each CPU, -1 for endless
 * @mmio_outlier_ns: a longer read is slow; 0 for MMIO_SLOW times the median
 * @sched_outlier_ns: a longer time between two reads is long
 * @m: what is read; not a parameter
 */
struct mmio_config {
	char device[RTK_PCI_SIZE];
	char address[RTK_STRING_SIZE];
	s64 space;
	s64 bar;
	char offset[RTK_STRING_SIZE];
	u64 width;
	s64 force;
	s64 block_irq;
	s64 count;
	u64 mmio_outlier_ns;
	u64 sched_outlier_ns;
	struct rtk_pcireg *m;
};

/**
 * struct mmio_cpu - a CPU's part of a run; the worker's alone
 * @loops: reads that count
 * @total: their time, ns
 * @ones: those that gave all ones, although the device is there
 * @outliers: slow ones
 * @sched: long times between two
 * @limit: what a slow one is longer than, ns; U64_MAX until that is known, 0 at first
 * @clock: shortest time between two readings of the clock, ns
 * @last: end of the latest read, by mmio_clock(); 0 where no time is to be taken from it
 * @shift: CLOCK_MONOTONIC is so much before that clock
 * @looked: when the device was looked at, by mmio_clock()
 * @look: how long that took at least, ns
 * @sure: all ones are a value now: the device has been looked at
 * @first: the first reads, ns
 */
struct mmio_cpu {
	u64 loops;
	u64 total;
	u64 ones;
	u64 outliers;
	u64 sched;
	u64 limit;
	u64 clock;
	u64 last;
	u64 shift;
	u64 looked;
	u64 look;
	bool sure;
	u32 first[MMIO_FIRST];
};

/*
 * Not slewed, and of the fast sort, which waits for nobody who sets the clock. Behind
 * a read it is not before its value: readl() and the clock see to that.
 */
static __always_inline u64 mmio_clock(void)
{
	return ktime_get_raw_fast_ns();
}

/* --- measuring ------------------------------------------------------------------- */

/*
 * The time that a stamp costs is in each read; it is told, not taken off. A run may be one
 * burst only, and the first stamps find nothing in the caches.
 */
static void mmio_clock_cost(struct mmio_cpu *h)
{
	u64 start = mmio_clock(), end;
	unsigned int i;

	for (i = 0; i < MMIO_STAMPS; i++) {
		end = mmio_clock();
		if (!h->clock || end - start < h->clock)
			h->clock = end - start;
		start = end;
	}
}

/* What takes us @ns between two reads is no time between them. */
static void mmio_pass(struct mmio_cpu *h, u64 ns)
{
	if (h->last)
		h->last += ns;
}

static void mmio_record_gap(struct rtk_cpu *c, u64 start)
{
	const struct mmio_config *cfg = c->config;
	struct mmio_cpu *h = c->priv;
	u64 gap = start - h->last;

	h->sched += (s64)gap > (s64)cfg->sched_outlier_ns;
	rtk_record(c->lane[MMIO_GAP], gap, start + h->shift);
}

static void mmio_record_read(struct rtk_cpu *c, u64 start, u64 end)
{
	struct mmio_cpu *h = c->priv;
	u64 ns = end - start;

	rtk_record(c->lane[MMIO_READ], ns, end + h->shift);
	/* A clock that goes backwards is told by the lane. */
	if ((s64)ns < 0)
		return;
	if (h->loops < MMIO_FIRST)
		h->first[h->loops] = min_t(u64, ns, U32_MAX);
	h->loops++;
	h->total += ns;
	h->outliers += ns > h->limit;
}

/* Also says that a value is none, when this CPU is to read no more. */
static bool mmio_is_wrong(struct rtk_cpu *c, u64 value)
{
	const struct mmio_config *cfg = c->config;
	struct mmio_cpu *h = c->priv;

	if (likely(value != cfg->m->ones) || h->sure)
		return false;
	if (rtk_pcireg_doubt(cfg->m))
		return true;
	/* Once in a burst: the looks would be most of the time, where that is its value. */
	h->sure = true;
	h->looked = mmio_clock();
	return false;
}

/*
 * One read, interrupts off if they are to be; the caller has seen to it. With them, all
 * else: what is kept of it, and others. Returns false if this CPU is to read no more.
 */
static __always_inline bool mmio_once(struct rtk_cpu *c, enum rtk_pcireg_how how)
{
	const struct mmio_config *cfg = c->config;
	struct mmio_cpu *h = c->priv;
	u64 start = mmio_clock(), value = rtk_pcireg_read(cfg->m, how), end;

	/* It is there before the clock is read. */
	OPTIMIZER_HIDE_VAR(value);
	barrier();
	end = mmio_clock();
	if (cfg->block_irq)
		local_irq_enable();
	if (raw_smp_processor_id() != c->cpu || mmio_is_wrong(c, value))
		return false;
	if (rtk_in_window(c, start + h->shift)) {
		if (h->last && h->loops)
			mmio_record_gap(c, start);
		mmio_record_read(c, start, end);
		h->ones += value == cfg->m->ones;
	}
	h->last = max(end, h->looked);
	return true;
}

/* The first reads are to be looked at before there are more. */
static __always_inline bool mmio_is_full(const struct mmio_cpu *h)
{
	return h->limit == U64_MAX && h->loops >= MMIO_FIRST;
}

/* Interrupts are off at its beginning and end. Returns false to be called no more. */
static __always_inline bool mmio_burst(struct rtk_cpu *c, enum rtk_pcireg_how how)
{
	const struct mmio_config *cfg = c->config;
	struct mmio_cpu *h = c->priv;
	u64 end = mmio_clock() + MMIO_BURST;
	bool more = true;

	do {
		if (cfg->block_irq)
			local_irq_disable();
		else
			local_irq_enable();
		more = mmio_once(c, how);
		if (more && h->loops == (u64)cfg->count) {
			rtk_window_end(c);
			more = false;
		}
	} while (more && h->last < end && !mmio_is_full(h) &&
		 h->last + h->shift < READ_ONCE(c->end));
	local_irq_disable();
	return more;
}

/*
 * By the one who reads, so that its reads are not held up. Interrupts are off. Returns
 * false if there is nothing to be read.
 */
static bool mmio_look(struct rtk_cpu *c)
{
	const struct mmio_config *cfg = c->config;
	struct mmio_cpu *h = c->priv;
	u64 now = mmio_clock();
	bool wrong;

	if (now - h->looked < MMIO_LOOK)
		return !READ_ONCE(cfg->m->why);
	h->looked = now;
	/* The drivers of some buses take locks that sleep on PREEMPT_RT. */
	local_irq_enable();
	wrong = rtk_pcireg_doubt(cfg->m);
	local_irq_disable();
	/* And not more than it took ever: what has come in between is no part of it. */
	h->look = min(h->look ?: U64_MAX, mmio_clock() - now);
	mmio_pass(h, h->look);
	return !wrong && smp_processor_id() == c->cpu;
}

static u64 mmio_measure(struct rtk_cpu *c)
{
	const struct mmio_config *cfg = c->config;
	struct mmio_cpu *h = c->priv;
	enum rtk_pcireg_how how = cfg->m->how;
	bool rests = c->common->policy != RTK_POLICY_OTHER, more;

	if (!mmio_look(c))
		return U64_MAX;
	if (!h->limit)
		h->limit = cfg->mmio_outlier_ns ?: U64_MAX;
	h->shift = ktime_get() - mmio_clock();
	h->sure = false;
	mmio_clock_cost(h);
	/* For the usual way a copy of its own, without a choice between the stamps. */
	if (how == RTK_PCIREG_READL)
		more = mmio_burst(c, RTK_PCIREG_READL);
	else
		more = mmio_burst(c, how);
	if (!more)
		return U64_MAX;
	if (!rests)
		return 0;
	/* Our own rest is no time between two reads. */
	h->last = 0;
	return ktime_get() + MMIO_REST;
}

/* --- publishing ---------------------------------------------------------------------- */

static int mmio_compare(const void *a, const void *b)
{
	u32 x = *(const u32 *)a, y = *(const u32 *)b;

	return x < y ? -1 : x > y;
}

/* What is slow is known only when there is something to compare with. */
static void mmio_settle_limit(struct mmio_cpu *h)
{
	u32 n = min_t(u64, h->loops, MMIO_FIRST), i;
	u64 start = mmio_clock();

	sort(h->first, n, sizeof(h->first[0]), mmio_compare, NULL);
	h->limit = MMIO_SLOW * ((u64)h->first[(n - 1) / 2] + h->first[n / 2]) / 2 ?: 1;
	for (i = 0; i < n; i++)
		h->outliers += h->first[i] > h->limit;
	mmio_pass(h, mmio_clock() - start);
}

static void mmio_publish(struct rtk_cpu *c)
{
	struct mmio_cpu *h = c->priv;

	if (h->limit == U64_MAX && h->loops &&
	    (h->loops >= MMIO_FIRST || ktime_get() >= READ_ONCE(c->end) ||
	     raw_smp_processor_id() != c->cpu))
		mmio_settle_limit(h);
	WRITE_ONCE(c->counter[MMIO_LOOPS], h->loops);
	WRITE_ONCE(c->counter[MMIO_TOTAL], h->total);
	WRITE_ONCE(c->counter[MMIO_ONES], h->ones);
	WRITE_ONCE(c->counter[MMIO_OUTLIERS], h->outliers);
	WRITE_ONCE(c->counter[MMIO_SCHED], h->sched);
	WRITE_ONCE(c->counter[MMIO_LIMIT], h->limit == U64_MAX ? 0 : h->limit);
	WRITE_ONCE(c->counter[MMIO_CLOCK], h->clock);
}

/* --- the test --------------------------------------------------------------------- */

static struct rtk_pcireg_request mmio_request(const struct mmio_config *cfg)
{
	return (struct rtk_pcireg_request){
		.user = "mmio",
		.device = cfg->device,
		.address = cfg->address,
		.offset = cfg->offset,
		.config = cfg->space == MMIO_CONFIG,
		.force = cfg->force,
		.atomic = cfg->block_irq,
		.bar = cfg->bar,
		.width = cfg->width,
	};
}

static int mmio_check(const struct rtk_common *common, const void *config,
		      struct rtk_err *err)
{
	const struct mmio_config *cfg = config;
	struct rtk_pcireg_request req = mmio_request(cfg);

	if (!cfg->count)
		return rtk_fail(err, -EINVAL,
				"count=0: no reads; give a number, or -1 for no end");
	return rtk_pcireg_check(&req, err);
}

static int mmio_prepare(void *config, struct cpumask *cpus, struct cpumask *busy,
			struct rtk_err *err)
{
	struct mmio_config *cfg = config;
	struct rtk_pcireg_request req = mmio_request(cfg);
	struct rtk_pcireg *m = kzalloc(sizeof(*m), GFP_KERNEL);
	int rc;

	if (!m)
		return rtk_fail(err, -ENOMEM, "no memory for a run");
	rc = rtk_pcireg_open(&req, m, err);
	if (rc) {
		kfree(m);
		return rc;
	}
	strscpy(cfg->device, pci_name(m->pdev), sizeof(cfg->device));
	scnprintf(cfg->offset, sizeof(cfg->offset), "0x%llx", m->offset);
	if (m->address)
		scnprintf(cfg->address, sizeof(cfg->address), "0x%llx", m->address);
	cfg->bar = m->bar;
	cfg->m = m;
	return 0;
}

static void mmio_unprepare(void *config)
{
	struct mmio_config *cfg = config;

	rtk_pcireg_close(cfg->m);
	kfree(cfg->m);
}

static const char *mmio_watch(const void *config, struct rtk_err *err)
{
	const struct mmio_config *cfg = config;

	return rtk_pcireg_watch(cfg->m, err);
}

static const char * const mmio_spaces[] = { "memory", "config", NULL };

static const struct rtk_param mmio_params[] = {
	{
		.name = "device", .type = RTK_PARAM_TYPE_PCI, .def = "auto",
		.help = "device to read from, claimed before (rtk device claim); auto: the only one",
		RTK_FIELD(struct mmio_config, device),
	}, {
		.name = "address", .type = RTK_PARAM_TYPE_STRING, .def = "",
		.help = "physical address in a memory BAR, hexadecimal; says all that device, bar and offset would",
		RTK_FIELD(struct mmio_config, address),
	}, {
		.name = "space", .type = RTK_PARAM_TYPE_ENUM, .def = "memory",
		.choices = mmio_spaces,
		.help = "what is read: a memory BAR, or the configuration space",
		RTK_FIELD(struct mmio_config, space),
	}, {
		.name = "bar", .type = RTK_PARAM_TYPE_S64,
		.min = -1, .max = PCI_STD_NUM_BARS - 1, .def = "-1",
		.help = "BAR; -1: that of the register that is known to be harmless, or the first in memory",
		RTK_FIELD(struct mmio_config, bar),
	}, {
		.name = "offset", .type = RTK_PARAM_TYPE_STRING, .def = "",
		.help = "register, hexadecimal; without it one that is known to be harmless, if there is one",
		RTK_FIELD(struct mmio_config, offset),
	}, {
		.name = "width", .type = RTK_PARAM_TYPE_U64, .unit = "bytes",
		.min = 1, .max = 8, .def = "4",
		.help = "bytes of a read: 4; with force=1 also 1, 2 or 8",
		RTK_FIELD(struct mmio_config, width),
	}, {
		.name = "force", .type = RTK_PARAM_TYPE_BOOL, .def = "0",
		.help = "read beside a driver that has the device; allow other widths",
		RTK_FIELD(struct mmio_config, force),
	}, {
		.name = "block_irq", .type = RTK_PARAM_TYPE_BOOL, .def = "1",
		.help = "interrupts are off during a read",
		RTK_FIELD(struct mmio_config, block_irq),
	}, {
		.name = "count", .type = RTK_PARAM_TYPE_S64,
		.min = -1, .max = S64_MAX, .def = "-1",
		.help = "reads on each CPU; -1: until duration_ms or a stop",
		RTK_FIELD(struct mmio_config, count),
	}, {
		.name = "mmio_outlier_ns", .type = RTK_PARAM_TYPE_U64, .unit = "ns",
		.min = 0, .max = NSEC_PER_SEC, .def = "0",
		.help = "a read that takes longer is slow; 0: 10 times the median of the first 1000",
		RTK_FIELD(struct mmio_config, mmio_outlier_ns),
	}, {
		.name = "sched_outlier_ns", .type = RTK_PARAM_TYPE_U64, .unit = "ns",
		.min = 1, .max = NSEC_PER_SEC, .def = "100000",
		.help = "a longer time between two reads is counted: something else ran",
		RTK_FIELD(struct mmio_config, sched_outlier_ns),
	},
};

static const struct rtk_default mmio_defaults[] = {
	/* It never waits for anything. */
	{ "policy", "other" },
	{ }
};

static const struct rtk_series mmio_series[] = {
	[MMIO_GAP] = { .name = "gap", .unit = "ns" },
	[MMIO_READ] = { .name = "read", .unit = "ns" },
};

static const struct rtk_counter mmio_counters[] = {
	[MMIO_LOOPS] = { .name = "loops" },
	[MMIO_TOTAL] = { .name = "total_ns", .unit = "ns" },
	[MMIO_ONES] = { .name = "all_ones" },
	[MMIO_OUTLIERS] = { .name = "mmio_outliers" },
	[MMIO_SCHED] = { .name = "sched_outliers" },
	[MMIO_LIMIT] = { .name = "mmio_limit_ns", .unit = "ns" },
	[MMIO_CLOCK] = { .name = "clock_ns", .unit = "ns" },
};

const struct rtk_test rtk_test_mmio = {
	.name = "mmio",
	.summary = "how long reading a register of a PCI device takes",
	.owner = THIS_MODULE,
	.params = mmio_params,
	.n_params = ARRAY_SIZE(mmio_params),
	.defaults = mmio_defaults,
	.config_size = sizeof(struct mmio_config),
	.cpu_size = sizeof(struct mmio_cpu),
	.series = mmio_series,
	.n_series = ARRAY_SIZE(mmio_series),
	.counters = mmio_counters,
	.n_counters = ARRAY_SIZE(mmio_counters),
	.one_cpu = true,
	.check = mmio_check,
	.prepare = mmio_prepare,
	.unprepare = mmio_unprepare,
	.watch = mmio_watch,
	.measure = mmio_measure,
	.publish = mmio_publish,
};
