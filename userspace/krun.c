// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "cmd.h"
#include "krun.h"
#include "live.h"
#include "params.h"
#include "report.h"
#include "ucpus.h"

/* Twice a second is enough for eyes, and disturbs little. */
#define TICK_MS 500
/* After its planned end the controller has to notice and join the workers. */
#define SETTLE_MS 20
#define OVERDUE_NS (60 * 1000000000LL)

static void wait_signal(struct rtk_krun *run, int ms)
{
	struct pollfd pfd = { .fd = run->signals, .events = POLLIN };
	struct signalfd_siginfo info;

	if (poll(&pfd, 1, ms) == 1 &&
	    read(run->signals, &info, sizeof(info)) == sizeof(info))
		run->interrupted = true;
}

bool rtk_krun_interrupted(struct rtk_krun *run)
{
	wait_signal(run, 0);
	return run->interrupted;
}

/* Waits for the next look, or a signal. */
static void wait_tick(struct rtk_krun *run, const struct rtk_test *t)
{
	__s64 left = TICK_MS;

	if (t->planned_ns > 0 && t->elapsed_ns >= 0)
		left = (t->planned_ns - t->elapsed_ns) / 1000000 + SETTLE_MS;
	if (left < SETTLE_MS)
		left = SETTLE_MS;
	wait_signal(run, left < TICK_MS ? (int)left : TICK_MS);
}

static int look(struct rtk_krun *run, struct rtk_test *t)
{
	struct rtk_lanes lanes;
	int err;

	rtk_test_free(t);
	err = rtk_nl_test_get(run->nl, run->test, t);
	if (!err && t->generation != run->generation)
		err = -ESTALE;
	if (err || !run->live || t->state != RTK_STATE_RUNNING)
		return err;
	err = rtk_nl_stats(run->nl, run->test, &lanes);
	if (err)
		return err;
	rtk_live_print(t, &lanes);
	rtk_lanes_free(&lanes);
	return 0;
}

/* Off the measured CPUs, and the readers that the run waits for onto them. */
static int serve(struct rtk_krun *run)
{
	struct rtk_cpuset cpus;
	struct rtk_tests tests;
	int status = rtk_cmd_test(run->nl, run->test, &tests);

	if (status)
		return status;
	if (tests.v[0].cpus && !rtk_cpuset_parse(&cpus, tests.v[0].cpus))
		rtk_ucpus_avoid(&cpus);
	if (rtk_readers_wanted(&tests.v[0]) &&
	    rtk_readers_start(&tests.v[0], &run->readers))
		status = RTK_EXIT_ERROR;
	rtk_tests_free(&tests);
	return status;
}

/* After the run. Readers are ended by its end, or by its owner's. */
static void serve_end(struct rtk_krun *run, struct rtk_result *r)
{
	struct rtk_test t;

	if (!run->readers)
		return;
	rtk_test_init(&t);
	if (rtk_nl_test_get(run->nl, run->test, &t))
		rtk_test_init(&t);
	r->readers_failed = rtk_readers_end(run->readers, t.last_error,
					    r->readers_why,
					    sizeof(r->readers_why));
	run->readers = NULL;
	rtk_test_free(&t);
}

static bool is_over(const struct rtk_test *t)
{
	return t->state != RTK_STATE_RUNNING && t->state != RTK_STATE_STOPPING;
}

static int watch_failed(struct rtk_krun *run, int err)
{
	run->replaced = err == -ESTALE;
	if (run->replaced) {
		rtk_err("another client has started or reset %s meanwhile: the results are lost",
			run->test);
		return RTK_EXIT_ERROR;
	}
	rtk_err("%s: %s", run->test,
		err == -ENODEV || err == -ENOENT ?
			"the module was unloaded during the run" :
		*rtk_nl_error(run->nl) ? rtk_nl_error(run->nl) :
					 strerror(-err));
	return RTK_EXIT_ERROR;
}

/* What can't be had now is had at the next one, or at the end. */
static void checkpoint(struct rtk_krun *run, struct rtk_result *r)
{
	if (!rtk_report_collect(run->nl, run->test, run->generation,
				&run->checkpoint, r))
		rtk_checkpoint_save(&run->checkpoint, r);
}

/* From start to end of the run in the kernel. */
static int watch(struct rtk_krun *run, struct rtk_result *r)
{
	struct rtk_test t;
	int err;

	rtk_test_init(&t);
	rtk_checkpoint_begin(&run->checkpoint);
	err = look(run, &t);
	if (!err)
		run->overdue = rtk_mono_ns() + t.planned_ns + OVERDUE_NS;
	while (!err && !is_over(&t)) {
		wait_tick(run, &t);
		err = look(run, &t);
		if (!err && run->interrupted) {
			err = rtk_nl_stop(run->nl, run->test, run->generation);
			break;
		}
		if (!err)
			rtk_readers_report(run->readers, t.last_error);
		if (!err && !is_over(&t) &&
		    rtk_checkpoint_due(&run->checkpoint))
			checkpoint(run, r);
		/* Warm-up comes before the planned time. */
		if (t.elapsed_ns <= 0)
			run->overdue =
				rtk_mono_ns() + t.planned_ns + OVERDUE_NS;
		if (!err && t.planned_ns > 0 && rtk_mono_ns() > run->overdue)
			err = -ETIME;
	}
	rtk_test_free(&t);
	if (run->live)
		rtk_live_clear();
	return err ? watch_failed(run, err) : RTK_EXIT_OK;
}

/* The device's interrupt is there while the test runs only. */
static void look_at_vector(struct rtk_device *d)
{
	if (!d->bdf[0])
		return;
	d->vector = rtk_pci_vector("", d->bdf, d->chip, sizeof(d->chip));
	if (d->chip[0])
		d->remapping = rtk_pci_remapped(d->chip);
}

int rtk_krun_start(struct rtk_krun *run, struct rtk_result *r)
{
	if (rtk_env_capture(&r->env, "") || rtk_env_watch(&r->env, ""))
		return -ENOMEM;
	return rtk_nl_start(run->nl, run->test, &run->kvs, false,
			    &run->generation);
}

int rtk_krun_finish(struct rtk_krun *run, struct rtk_result *r)
{
	int status;

	r->fail_above_ns = run->fail_above_ns;
	look_at_vector(&r->device);
	status = serve(run);
	if (!status)
		status = watch(run, r);
	if (status && !run->replaced)
		rtk_nl_stop(run->nl, run->test, run->generation);
	serve_end(run, r);
	if (status)
		return status;
	r->interrupted = run->interrupted;
	status = rtk_report_collect(run->nl, run->test, run->generation,
				    &run->checkpoint, r);
	if (!status)
		rtk_params_settled(&r->test, &run->kvs, run->given, &r->extra);
	return status;
}
