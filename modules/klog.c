// SPDX-License-Identifier: GPL-2.0
/*
 * A run in the kernel log, for who has nothing else: parameter verbosity. Printed by
 * the controller; no writer ever prints.
 */
#define pr_fmt(fmt) "rtk: " fmt

#include <linux/minmax.h>
#include <linux/printk.h>

#include "internal.h"

/* From which verbosity on there is: the result, a line a second, each outlier. */
#define KLOG_RESULT	1
#define KLOG_SECONDS	2
#define KLOG_OUTLIERS	3
/* No more outliers in one look of the controller, 10 ms; the rest is counted. */
#define KLOG_BURST	8

/* One line for a series, over all CPUs. */
static void klog_series(struct rtk_inst *inst, unsigned int series)
{
	s64 min = S64_MAX, max = S64_MIN, sum = 0;
	const char *unit = inst->test->series[series].unit;
	struct rtk_snap snap = {};
	u64 n = 0, missed = 0;
	bool found = false;
	unsigned int pos;

	for (pos = 0;; pos++) {
		int rc;

		mutex_lock(&rtk_lock);
		rc = rtk_snap_take(inst, pos, &snap);
		mutex_unlock(&rtk_lock);
		if (rc)
			break;
		if (snap.series != &inst->test->series[series])
			continue;
		found = true;
		n += snap.m.n;
		sum += snap.m.sum;
		min = min(min, snap.m.min);
		max = max(max, snap.max);
		missed += snap.missed;
	}
	if (found && !n)
		pr_info("%s: series=%s count=0 missed=%llu\n", inst->test->name,
			inst->test->series[series].name, missed);
	if (n)
		pr_info("%s: series=%s count=%llu min_%s=%lld mean_%s=%lld max_%s=%lld missed=%llu\n",
			inst->test->name, inst->test->series[series].name, n, unit, min, unit,
			div64_s64(sum, n), unit, max, missed);
}

/* The outliers of a CPU that have not been told yet. */
static void klog_outliers(struct rtk_inst *inst, struct rtk_worker *w)
{
	struct rtk_lane *lane = w->c.lane[inst->run->threshold_series];
	struct rtk_sample sample[KLOG_BURST];
	u64 place, end, new;
	unsigned int i, n = 0;

	if (!lane || READ_ONCE(lane->outliers) == w->logged)
		return;
	mutex_lock(&rtk_lock);
	new = READ_ONCE(lane->outliers) - w->logged;
	place = RTK_WORST + w->logged;
	w->logged += new;
	end = RTK_WORST + w->logged;
	/* One that has come since is for the next look. */
	while (n < KLOG_BURST && rtk_outlier_at(lane, NULL, &place, &sample[n]) && place++ < end)
		n++;
	mutex_unlock(&rtk_lock);
	for (i = 0; i < n; i++)
		pr_info("%s: outlier cpu=%d series=%s value_%s=%lld mono_ns=%llu pid=%d comm=%.*s\n",
			inst->test->name, lane->cpu, lane->series->name, lane->series->unit,
			sample[i].value, sample[i].mono, sample[i].pid, TASK_COMM_LEN,
			sample[i].comm);
	if (new > n)
		pr_info("%s: outliers cpu=%d more=%llu\n", inst->test->name, lane->cpu, new - n);
}

void rtk_klog_look(struct rtk_inst *inst)
{
	struct rtk_run *run = inst->run;
	unsigned int i;

	for (i = 0; run->common.verbosity >= KLOG_OUTLIERS && i < run->n; i++)
		klog_outliers(inst, run->w[i]);
	if (run->common.verbosity < KLOG_SECONDS || time_before(jiffies, run->next_log))
		return;
	run->next_log = jiffies + HZ;
	klog_series(inst, run->threshold_series);
}

void rtk_klog_end(struct rtk_inst *inst)
{
	struct rtk_run *run = inst->run;
	unsigned int i;

	for (i = 0; run->common.verbosity >= KLOG_OUTLIERS && i < run->n; i++)
		klog_outliers(inst, run->w[i]);
	for (i = 0; run->common.verbosity >= KLOG_RESULT && i < inst->test->n_series; i++)
		klog_series(inst, i);
}
