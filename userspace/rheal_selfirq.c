// SPDX-License-Identifier: GPL-2.0
/* Interrupt latency by the module's test selfirq, on low's CPU. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "nl.h"
#include "params.h"
#include "rheal.h"
#include "ucpus.h"

#define TEST "selfirq"
/* Activations are so far from each other that any machine keeps up. */
#define PERIOD_MS 1
#define WARMUP_MS 10
/* While it runs nobody asks the module: that would disturb it. */
#define NAP_NS 50000000
/* From its planned end to the end of all its work. */
#define SETTLE_NS (10 * 1000000000LL)

static int set(struct rtk_kvs *kvs, const char *name, __s64 value)
{
	char text[24];

	snprintf(text, sizeof(text), "%lld", value);
	return rtk_params_set(kvs, name, text);
}

/* Whatever was set before, all else is as by default. */
static int settings(struct rheal *h, struct rtk_nl *nl, struct rtk_kvs *kvs)
{
	const struct rheal_config *config = h->c->config;
	struct rtk_tests tests;
	int err;

	err = rtk_nl_tests(nl, TEST, &tests);
	if (err)
		return err;
	err = set(kvs, "cpus", h->c->cpu);
	if (!err)
		err = set(kvs, "period_ns", PERIOD_MS * 1000000);
	if (!err)
		err = set(kvs, "warmup_ms", WARMUP_MS);
	if (!err)
		err = set(kvs, "duration_ms", config->loops * PERIOD_MS);
	if (!err)
		err = rtk_params_defaults(&tests.v[0], kvs);
	rtk_tests_free(&tests);
	return err;
}

/* Until it is over, or the run is. */
static int wait_over(struct rheal *h, struct rtk_nl *nl, __u32 generation)
{
	const struct rheal_config *config = h->c->config;
	const struct timespec nap = { .tv_nsec = NAP_NS };
	__s64 due = rtk_mono_ns() +
		    (WARMUP_MS + config->loops * PERIOD_MS) * 1000000;
	struct rtk_test t;
	int err = -ETIMEDOUT;
	bool going;

	while (rtk_mono_ns() < due + SETTLE_NS) {
		if (rtk_ucpu_over(h->c))
			return rtk_nl_stop(nl, TEST, generation);
		nanosleep(&nap, NULL);
		if (rtk_mono_ns() < due)
			continue;
		err = rtk_nl_test_get(nl, TEST, &t);
		if (err)
			return err;
		going = t.state == RTK_STATE_RUNNING ||
			t.state == RTK_STATE_STOPPING;
		if (t.state == RTK_STATE_FAILED) {
			err = -EIO;
			snprintf(h->why, sizeof(h->why), "%s failed: %s", TEST,
				 t.cause && *t.cause ? t.cause : t.reason);
		}
		rtk_test_free(&t);
		if (!going)
			return err;
	}
	return -ETIMEDOUT;
}

static void take_lane(struct rheal *h, const struct rtk_lane *from)
{
	enum rheal_series series = strcmp(from->series, "ipi") ?
					   RHEAL_INTERRUPT :
					   RHEAL_INTERRUPT_IPI;
	struct rheal_sum *sum = &h->sum[series];

	rtk_ulane_merge(&h->c->lane[series], from);
	sum->n += from->moments_count;
	sum->missed += from->missed;
	sum->raw_ps += from->sum * 1000;
	sum->run_n += from->moments_count;
	sum->run_ps += from->sum * 1000;
	h->c->done += from->moments_count;
}

static int take(struct rheal *h, struct rtk_nl *nl)
{
	struct rtk_lanes lanes;
	size_t i;
	int err = rtk_nl_hist(nl, TEST, &lanes);

	if (err)
		return err;
	for (i = 0; i < lanes.n; i++)
		if (lanes.v[i].moments)
			take_lane(h, &lanes.v[i]);
	rtk_lanes_free(&lanes);
	return 0;
}

static void explain(struct rheal *h, int err, const char *kernel)
{
	if (h->why[0])
		return;
	if (err == -EBUSY)
		snprintf(h->why, sizeof(h->why), "%s can not run: %s", TEST,
			 kernel && *kernel ? kernel : "it is in use");
	else if (err == -ENOENT)
		snprintf(h->why, sizeof(h->why),
			 kernel ? "the module has no test %s" :
				  "the module is not loaded",
			 TEST);
	else
		snprintf(h->why, sizeof(h->why), "%s: %s", TEST,
			 kernel && *kernel ? kernel : strerror(-err));
}

/* The connection owns the run: it ends with this process at the latest. */
static int run(struct rheal *h)
{
	struct rtk_kvs kvs = { 0 };
	struct rtk_nl *nl;
	__u32 generation;
	int err;

	err = rtk_nl_open(&nl);
	if (err) {
		explain(h, err, NULL);
		return err;
	}
	err = settings(h, nl, &kvs);
	if (!err)
		err = rtk_nl_start(nl, TEST, &kvs, false, &generation);
	rtk_kvs_free(&kvs);
	if (!err)
		err = wait_over(h, nl, generation);
	if (!err)
		err = take(h, nl);
	if (err)
		explain(h, err, rtk_nl_error(nl));
	rtk_nl_close(nl);
	return err;
}

/* Low has to wait, so that it writes no lane meanwhile. */
int rheal_selfirq(struct rheal *h)
{
	rtk_ucpus_avoid(&h->c->common->cpus);
	h->why[0] = '\0';
	h->no_selfirq = run(h);
	return 0;
}

__s64 rheal_selfirq_bound(const struct rheal *h)
{
	const struct rheal_config *config = h->c->config;

	/* What a request may take at most, and the end of its workers. */
	return config->loops * PERIOD_MS / 1000 + 60;
}
