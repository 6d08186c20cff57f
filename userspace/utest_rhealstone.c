// SPDX-License-Identifier: GPL-2.0
/*
 * rhealstone: what a real-time kernel does most often, by Kar and Porter (1989): six
 * times and one number made of them. All tasks are on one CPU.
 */
#include <errno.h>
#include <sys/prctl.h>
#include <time.h>

#include "rheal.h"
#include "ucpus.h"

/* The counter's rate is right to a thousandth then. */
#define RATE_NS 20000000

static const struct rheal_kind *const kinds[] = {
	&rheal_switch,		&rheal_preemption, &rheal_semaphore,
	&rheal_deadlock,	&rheal_message_mq, &rheal_message_pipe,
	&rheal_message_eventfd,
};

static int rhealstone_check(const void *config,
			    const struct rtk_ucommon *common)
{
	const struct rheal_config *cfg = config;
	unsigned int asked;

	if (rtk_ucpus_count(&common->cpus) != 1) {
		rtk_err("rhealstone measures one CPU, on which all of its tasks are: name one of them, cpus=%d",
			rtk_cpuset_next(&common->cpus, 0));
		return -EINVAL;
	}
	if (common->policy != RTK_UPOLICY_FIFO || common->priority < 3) {
		rtk_err("rhealstone has tasks of three priorities, %s: policy=fifo and a priority of 3 or more",
			"the highest of which is given");
		return -EINVAL;
	}
	return rheal_only(cfg->only, &asked);
}

static __u64 rhealstone_total(const void *config)
{
	const struct rheal_config *cfg = config;
	unsigned int asked, n = 0, i;

	if (rheal_only(cfg->only, &asked))
		return 0;
	for (i = 0; i < RHEAL_SERIES; i++)
		n += asked >> i & 1;
	return (__u64)(cfg->runs * cfg->loops) * n;
}

static int rhealstone_prepare(struct rtk_ucpu *c)
{
	const struct rheal_config *cfg = c->config;
	const struct timespec pause = { .tv_nsec = RATE_NS };
	struct rheal *h = c->priv;
	struct rtk_clockpair pair;
	size_t i;
	int err;

	h->c = c;
	err = rheal_only(cfg->only, &h->asked);
	if (!err)
		err = rheal_prepare_objects(h);
	if (err)
		return err;
	for (i = 0; i < RHEAL_SERIES; i++)
		c->lane[i].off = !(h->asked >> i & 1);
	rtk_clockpair_read(&pair);
	nanosleep(&pause, NULL);
	h->ps_per_tick = 1e12 / rtk_clockpair_rate(&pair);
	prctl(PR_SET_NAME, "rheal-low");
	err = rheal_prepare_tasks(h);
	if (err)
		rheal_end_objects(h);
	return err;
}

static int measure_run(struct rheal *h)
{
	int err = 0;
	size_t i;

	for (i = 0; !err && i < RTK_ARRAY_SIZE(kinds); i++)
		if (h->asked >> kinds[i]->series & 1 && !rtk_ucpu_over(h->c))
			err = rheal_measure(h, kinds[i]);
	if (!err && h->asked >> RHEAL_INTERRUPT & 1 && !rtk_ucpu_over(h->c))
		err = rheal_interrupt(h);
	return err;
}

static void rhealstone_measure(struct rtk_ucpu *c)
{
	const struct rheal_config *cfg = c->config;
	struct rheal *h = c->priv;
	__s64 run;

	for (run = 1; c->common->duration_ms >= 0 || run <= cfg->runs; run++) {
		if (measure_run(h) || rtk_ucpu_over(c))
			return;
		rheal_row(h, run);
	}
}

static void rhealstone_unprepare(struct rtk_ucpu *c)
{
	struct rheal *h = c->priv;

	rheal_end_tasks(h);
	if (c->priv)
		rheal_end_objects(h);
}

#define FIELD(field) .offset = offsetof(struct rheal_config, field)

static const struct rtk_uparam params[] = {
	{
		.name = "loops",
		.type = RTK_PARAM_TYPE_U64,
		.min = 1,
		.max = 1000000000,
		.def = "10000",
		.help = "samples of each series in a run",
		FIELD(loops),
	},
	{
		.name = "runs",
		.type = RTK_PARAM_TYPE_U64,
		.min = 1,
		.max = 1000000,
		.def = "1",
		.help = "how often all is measured, unless duration_ms is given",
		FIELD(runs),
	},
	{
		.name = "only",
		.type = RTK_PARAM_TYPE_STRING,
		.def = "",
		.help = "some of switch,preemption,interrupt,semaphore,deadlock,message",
		FIELD(only),
	},
};

static const char *const columns[] = {
	"run",		"switch_ps", "preemption_ps",
	"interrupt_ps", "ipi_ps",    "semaphore_ps",
	"deadlock_ps",	"mq_ps",     "pipe_ps",
	"eventfd_ps",	NULL,
};

const struct rtk_utest rtk_utest_rhealstone = {
	.name = "rhealstone",
	.summary =
		"task switch, preemption, semaphore and the like, on one CPU",
	.params = params,
	.n_params = RTK_ARRAY_SIZE(params),
	.series = rheal_series,
	.n_series = RHEAL_SERIES,
	.config_size = sizeof(struct rheal_config),
	.cpu_size = sizeof(struct rheal),
	.rows = "runs",
	.columns = columns,
	.needs_rt = true,
	.check = rhealstone_check,
	.total = rhealstone_total,
	.prepare = rhealstone_prepare,
	.measure = rhealstone_measure,
	.unprepare = rhealstone_unprepare,
	.collect = rheal_collect,
};
