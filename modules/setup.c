// SPDX-License-Identifier: GPL-2.0
/*
 * What a run is made of before it begins: its copy of the parameters, CPUs, lanes.
 */
#include <linux/slab.h>

#include "internal.h"

static void setup_free_cpu(struct rtk_worker *w)
{
	unsigned int i;

	if (!w)
		return;
	for (i = 0; i < RTK_SERIES_MAX; i++)
		rtk_lane_free(w->c.lane[i]);
	kvfree(w->c.priv);
	kfree(w);
}

static void setup_release(struct kref *ref)
{
	struct rtk_run *run = container_of(ref, struct rtk_run, ref);
	unsigned int i;

	for (i = 0; i < run->n; i++)
		setup_free_cpu(run->w[i]);
	kfree(run->w);
	kfree(run->config);
	kfree(run);
}

void rtk_run_put(struct rtk_run *run)
{
	if (run)
		kref_put(&run->ref, setup_release);
}

static struct rtk_worker *setup_alloc_cpu(struct rtk_inst *inst, struct rtk_run *run,
					  int cpu, unsigned int index)
{
	const struct rtk_test *test = inst->test;
	int node = cpu_to_node(cpu);
	struct rtk_worker *w = kzalloc_node(sizeof(*w), GFP_KERNEL, node);
	unsigned int i;

	if (!w)
		return NULL;
	w->inst = inst;
	w->c.cpu = cpu;
	w->c.index = index;
	w->c.config = run->config;
	w->c.common = &run->common;
	w->c.priv = kvzalloc_node(test->cpu_size, GFP_KERNEL, node);
	if (!w->c.priv)
		goto err;
	for (i = 0; i < test->n_series; i++) {
		if (!rtk_series_on(&test->series[i], run->config) ||
		    (test->series[i].on_cpu && !test->series[i].on_cpu(run->config, cpu)))
			continue;
		w->c.lane[i] = rtk_lane_alloc(run, &w->c, &test->series[i],
					      i == run->threshold_series);
		if (!w->c.lane[i])
			goto err;
	}
	return w;
err:
	setup_free_cpu(w);
	return NULL;
}

struct rtk_run *rtk_setup_alloc(struct rtk_inst *inst, const struct rtk_common *common,
				const void *config)
{
	struct rtk_run *run = kzalloc(sizeof(*run), GFP_KERNEL);

	if (!run)
		return NULL;
	kref_init(&run->ref);
	run->common = *common;
	run->config = kmemdup(config, inst->test->config_size, GFP_KERNEL);
	rtk_param_cpus(inst->test, common, &run->cpus);
	init_completion(&run->go);
	if (!run->config) {
		rtk_run_put(run);
		return NULL;
	}
	return run;
}

/* The CPUs of a run, when it is settled what is recorded there; ctl held. */
static int setup_alloc_cpus(struct rtk_inst *inst, struct rtk_run *run, struct rtk_err *err)
{
	int cpu, series;

	series = rtk_param_threshold_series(inst->test, &run->common, run->config);
	if (series < 0)
		return rtk_fail(err, -EOPNOTSUPP,
				"threshold_series=%s: it cannot be recorded here",
				run->common.threshold_series);
	run->threshold_series = series;
	run->w = kcalloc(cpumask_weight(&run->cpus), sizeof(*run->w), GFP_KERNEL);
	if (!run->w)
		return rtk_fail(err, -ENOMEM, "no memory for a run");
	for_each_cpu(cpu, &run->cpus) {
		run->w[run->n] = setup_alloc_cpu(inst, run, cpu, run->n);
		if (!run->w[run->n])
			return rtk_fail(err, -ENOMEM, "no memory for the histograms");
		run->w[run->n++]->c.n = cpumask_weight(&run->cpus);
	}
	return 0;
}

/* CPUs of a run; cpus held. */
static int setup_check_cpus(const struct rtk_test *test, const struct cpumask *cpus,
			    struct rtk_err *err)
{
	int cpu;

	for_each_cpu(cpu, cpus)
		if (!cpu_online(cpu))
			return rtk_fail(err, -ENODEV, "cpus=%*pbl: CPU %d is offline",
					cpumask_pr_args(cpus), cpu);
	if (!test->spares_cpu)
		return 0;
	if (num_online_cpus() == 1)
		return rtk_fail(err, -EOPNOTSUPP,
				"%s takes CPUs away from everything else, and needs two that are online; this machine has one",
				test->name);
	if (cpumask_subset(cpu_online_mask, cpus))
		return rtk_fail(err, -EINVAL,
				"cpus=%*pbl: %s takes CPUs away from everything else; leave one that is online out",
				cpumask_pr_args(cpus), test->name);
	return 0;
}

void rtk_setup_undo(struct rtk_inst *inst, struct rtk_run *run)
{
	if (run->prepared && inst->test->unprepare)
		inst->test->unprepare(run->config);
	run->prepared = false;
}

int rtk_setup_settle(struct rtk_inst *inst, struct rtk_run *run, struct rtk_err *err)
{
	const struct rtk_test *test = inst->test;
	int rc = setup_check_cpus(test, &run->cpus, err);

	if (!rc && test->choose)
		rc = test->choose(run->config, &run->cpus, err);
	cpumask_copy(&run->busy, &run->cpus);
	/* Before a device is touched: another test may measure on its CPU. */
	if (!rc)
		rc = rtk_run_check_free(inst, run, err);
	cpumask_clear(&run->busy);
	if (!rc && test->prepare) {
		rc = test->prepare(run->config, &run->cpus, &run->busy, err);
		run->prepared = !rc;
	}
	cpumask_or(&run->busy, &run->busy, &run->cpus);
	return rc ? rc : setup_alloc_cpus(inst, run, err);
}
