// SPDX-License-Identifier: GPL-2.0
/* From sums to the numbers of a result. */
#include <math.h>
#include <stdio.h>

#include "rheal.h"

static double mean(__s64 sum, __u64 n)
{
	return n ? (double)sum / (double)n : 0;
}

static double net_mean(const struct rheal_sum *sum)
{
	return mean(sum->raw_ps - sum->cost_ps, sum->n);
}

void rheal_row(struct rheal *h, __s64 run)
{
	__s64 row[RHEAL_SERIES + 1] = { run };
	struct rheal_sum *sum;
	size_t i;

	for (i = 0; i < RHEAL_SERIES; i++) {
		sum = &h->sum[i];
		row[i + 1] = llrint(mean(sum->run_ps, sum->run_n));
		sum->run_n = 0;
		sum->run_ps = 0;
	}
	rtk_urow(h->c, row);
}

double rheal_composite(const double *ps)
{
	double sum = 0;
	size_t i;

	for (i = 0; i < 6; i++) {
		if (ps[i] <= 0)
			return NAN;
		sum += 1e12 / ps[i];
	}
	return sum / 6;
}

static void add_composite(const struct rheal *h, struct rtk_extra *e)
{
	static const enum rheal_series six[] = {
		RHEAL_SWITCH,	 RHEAL_PREEMPTION, RHEAL_INTERRUPT,
		RHEAL_SEMAPHORE, RHEAL_DEADLOCK,   RHEAL_MESSAGE_MQ,
	};
	double ps[RTK_ARRAY_SIZE(six)];
	size_t i;

	for (i = 0; i < RTK_ARRAY_SIZE(six); i++) {
		if (!h->sum[six[i]].n)
			return;
		ps[i] = net_mean(&h->sum[six[i]]);
	}
	rtk_extra_value(e, "composite_per_s", rheal_composite(ps));
	rtk_extra_note(e,
		       "composite_per_s: arithmetic mean of 1/t, t being the net means of task_switch, preemption, interrupt, semaphore, deadlock and message_mq in s%s",
		       isnan(rheal_composite(ps)) ?
			       "; there is none, since one of them is not above 0" :
			       "");
}

static __s64 median_ps(const struct rtk_ulane *lane)
{
	return rtk_stats_percentile(lane->count, lane->m.n,
				    &rtk_stats_percentiles[0], lane->m.max) *
	       1000;
}

static void add_values(const struct rheal *h, struct rtk_extra *e)
{
	static const char *const columns[] = {
		"raw_mean_ps",	 "cost_ps", "net_mean_ps",
		"net_median_ps", "n",	    NULL,
	};
	struct rtk_datatable *t = rtk_extra_table(e, "values", columns);
	const struct rheal_sum *sum;
	size_t i;

	for (i = 0; i < RHEAL_SERIES; i++) {
		sum = &h->sum[i];
		if (!sum->n)
			continue;
		rtk_extra_named_row(e, t, rheal_series[i].name,
				    (__s64[]){
					    llrint(mean(sum->raw_ps, sum->n)),
					    llrint(mean(sum->cost_ps, sum->n)),
					    llrint(net_mean(sum)),
					    median_ps(&h->c->lane[i]),
					    (__s64)sum->n,
				    });
	}
}

static void add_disorder(const struct rheal *h, struct rtk_extra *e)
{
	__u64 all = 0;
	size_t i;

	for (i = 0; i < RHEAL_SERIES; i++) {
		all += h->sum[i].out_of_order;
		if (h->sum[i].out_of_order)
			rtk_extra_note(e,
				       "%s: %llu samples are left out, since the tasks did not run in the right order",
				       rheal_series[i].name,
				       h->sum[i].out_of_order);
	}
	rtk_extra_value(e, "out_of_order", (double)all);
}

static void add_source(const struct rheal *h, struct rtk_extra *e)
{
	if (!h->source_known)
		return;
	if (!h->selfirq) {
		rtk_extra_note(e,
			       "interrupt: from a timer to the handler of its signal in a program, since %s",
			       h->why);
		return;
	}
	rtk_extra_value(e, "interrupt_missed",
			(double)h->sum[RHEAL_INTERRUPT].missed);
	rtk_extra_note(e,
		       "interrupt: from a timer to its handler in the kernel, by the module's test selfirq%s",
		       h->c->lane[RHEAL_INTERRUPT_IPI].off ?
			       "; interrupt_ipi: there is no other CPU to send" :
			       "");
}

void rheal_collect(const struct rtk_ucpu *c, struct rtk_extra *e)
{
	const struct rheal *h = c->priv;

	add_values(h, e);
	add_disorder(h, e);
	add_composite(h, e);
	add_source(h, e);
}
