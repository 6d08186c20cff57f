// SPDX-License-Identifier: GPL-2.0
/* How a value is measured: the same for all but interrupts. */
#include <errno.h>
#include <math.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "rheal.h"

/*
 * After each stretch of steps all tasks sleep for as long. Some task always runs until
 * then, so that nothing of a lower priority does: neither threads of interrupts, on
 * which a disk depends, nor what ends this run. Real-time throttling has no reason
 * to come, either.
 */
#define STRETCH_NS 5000000

/* High's job, and middle's. The last step, too, lets them run. */
static int high_job(struct rheal *h)
{
	int err;

	do
		err = h->kind->wait(h);
	while (!err && !atomic_load_explicit(&h->over, memory_order_relaxed));
	return err;
}

static int middle_job(struct rheal *h)
{
	do {
		while (sem_wait(&h->ready))
			;
		rheal_set(&h->e.middle, rtk_ticks());
	} while (!atomic_load_explicit(&h->over, memory_order_relaxed));
	return 0;
}

static int compare(const void *a, const void *b)
{
	const __u64 *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

__u64 rheal_median(__u64 *v, size_t n)
{
	qsort(v, n, sizeof(*v), compare);
	return v[n / 2];
}

static __s64 to_ps(const struct rheal *h, __u64 ticks)
{
	return llrint((double)ticks * h->ps_per_tick);
}

/* With the stamps around it, which are around what is measured as well. */
static __s64 cost(struct rheal *h, const struct rheal_kind *kind)
{
	__u64 begin;
	size_t i;

	for (i = 0; i < RHEAL_WARM; i++)
		kind->bare(h);
	for (i = 0; i < RHEAL_COSTS; i++) {
		begin = rtk_ticks();
		kind->bare(h);
		h->costs[i] = rtk_ticks() - begin;
	}
	return to_ps(h, rheal_median(h->costs, RHEAL_COSTS));
}

void rheal_record(struct rheal *h, enum rheal_series series, __s64 raw_ps,
		  __s64 cost_ps)
{
	struct rheal_sum *sum = &h->sum[series];
	__s64 net = raw_ps - cost_ps;

	/* To the nearest: cut off, the mean would be half a ns too low. */
	rtk_ucpu_record(h->c, series, llrint((double)net / 1000));
	sum->n++;
	sum->raw_ps += raw_ps;
	sum->cost_ps += cost_ps;
	sum->run_n++;
	sum->run_ps += net;
	h->c->done++;
}

/* One step. False where its events are not in order, or high got another message. */
static bool step(struct rheal *h, const struct rheal_kind *kind, __s64 *raw_ps)
{
	struct rheal_events e;

	memset(&h->e, 0, sizeof(h->e));
	rheal_set(&h->got, 0);
	h->message++;
	e.before = rtk_ticks();
	kind->send(h);
	e.after = rtk_ticks();
	e.lock = rheal_get(&h->e.lock);
	e.unlock = rheal_get(&h->e.unlock);
	e.high = rheal_get(&h->e.high);
	e.middle = rheal_get(&h->e.middle);
	*raw_ps = to_ps(h, e.high - (kind->broken ? e.lock : e.before));
	if (rheal_get(&h->got) != h->message)
		return false;
	return kind->broken ? rheal_unlocked(&e) : rheal_inside(&e);
}

/* Up to a pause. Returns how many samples are still to be taken. */
static __s64 steps(struct rheal *h, const struct rheal_kind *kind,
		   __s64 cost_ps, __s64 left)
{
	__s64 until = rtk_mono_ns() + STRETCH_NS, raw_ps;
	int warm = RHEAL_WARM;
	bool good;

	while (left && (warm || rtk_mono_ns() < until)) {
		if (rtk_ucpu_over(h->c) || atomic_load(&h->failed))
			return 0;
		good = step(h, kind, &raw_ps);
		if (warm) {
			warm--;
			continue;
		}
		left--;
		if (good)
			rheal_record(h, kind->series, raw_ps, cost_ps);
		else
			h->sum[kind->series].out_of_order++;
	}
	return left;
}

/* The tasks begin, and wait for nothing at its end. */
static int stretch(struct rheal *h, const struct rheal_kind *kind,
		   __s64 cost_ps, __s64 *left)
{
	int err;

	atomic_store(&h->over, false);
	rheal_begin(&h->high, high_job);
	if (kind->broken)
		rheal_begin(&h->middle, middle_job);
	*left = steps(h, kind, cost_ps, *left);
	atomic_store(&h->over, true);
	kind->send(h);
	err = rheal_settle(h, kind->broken ? 2 : 1, RHEAL_SETTLE_S);
	if (!err && atomic_load(&h->failed))
		err = rtk_ucpu_fail(h->c, -h->failed, "series %s: %s",
				    rheal_series[kind->series].name,
				    strerror(h->failed));
	return err;
}

int rheal_measure(struct rheal *h, const struct rheal_kind *kind)
{
	const struct rheal_config *config = h->c->config;
	__s64 cost_ps = cost(h, kind), left = config->loops;
	int err;

	h->kind = kind;
	err = rheal_priority(h, kind->peer ? 0 : 2);
	while (!err && left) {
		err = stretch(h, kind, cost_ps, &left);
		rtk_ucpu_sleep(h->c, STRETCH_NS);
	}
	return err ? err : rheal_priority(h, 0);
}
