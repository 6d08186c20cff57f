// SPDX-License-Identifier: GPL-2.0
/*
 * The engine of user-space tests: from settings to a judged result. This is the
 * controller, an ordinary thread that stays off the measured CPUs. Where there is
 * no other CPU it has the higher priority, so that it can still end the run.
 */
#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

#include "live.h"
#include "params.h"
#include "ticks.h"
#include "uclaim.h"
#include "ucpus.h"
#include "uhold.h"
#include "urun.h"
#include "uthread.h"
#include "verdict.h"

/* Rows are taken so often; a line for eyes is written each fifth time. */
#define TICK_MS 100
#define LIVE_TICKS 5
#define STARVED_TICKS 10
/* Long enough to know the counter's rate to a thousandth for the threshold. */
#define RATE_NS 20000000

#define STARVED \
	"the thread of CPU %d did not run for 10 s: something of a higher priority, or of its own, kept the CPU"

/* One run. */
struct urun {
	const struct rtk_utest *u;
	struct rtk_urun_how *how;
	struct rtk_result *r;
	struct rtk_uteam team;
	struct rtk_uhold hold;
	struct rtk_cpuset cpus;
	__s64 begin_ns;
	__s64 begin_wall_ns;
	__s64 deadline_ns;
	__u64 total;
	bool complete;
	int lost_cpu;
	int starved_cpu;
	struct rtk_uclaim claim;
};

/* The threshold in the unit of its series. */
static __s64 limit_of(const struct urun *run)
{
	const char *unit =
		run->u->series[run->team.common.threshold_index].unit;
	__s64 ns = run->team.common.threshold_ns;
	double limit = (double)ns;

	if (!ns)
		return INT64_MAX;
	if (!strcmp(unit, "ps"))
		limit *= 1000;
	else if (!strcmp(unit, "ticks"))
		limit *= rtk_clockpair_rate(&run->team.pair) / 1e9;
	return limit < 9e18 ? (__s64)limit : INT64_MAX;
}

static int set_cpus(struct urun *run)
{
	const struct rtk_utest *u = run->u;
	unsigned int wanted = u->cpus ? u->cpus(run->team.config) : 1;
	int err;

	err = rtk_ucpus_choose(&run->team.common.cpus, wanted, &run->cpus);
	if (err)
		return err;
	/* What check() sees is what will be measured. */
	run->team.common.cpus = run->cpus;
	run->r->test.cpus = rtk_cpuset_text(&run->cpus);
	if (!run->r->test.cpus)
		return rtk_err_nomem();
	return u->check ? u->check(run->team.config, &run->team.common) : 0;
}

/* Two on one CPU, unless the user wants that, would measure each other. */
static int claim_cpus(struct urun *run)
{
	char text[32];
	int cpu, pid = rtk_uclaim_take(&run->claim, &run->cpus,
				       run->r->cond.realtime, &cpu);

	if (pid < 0) {
		rtk_err_nomem();
		return RTK_EXIT_ERROR;
	}
	if (!pid)
		return RTK_EXIT_OK;
	if (!run->team.common.share) {
		rtk_err("CPU %d is measured already, by process %d: wait for its end, name other CPUs, or set share=1",
			cpu, pid);
		return RTK_EXIT_ERROR;
	}
	snprintf(text, sizeof(text), "of process %d", pid);
	run->r->test.shared_with = strdup(text);
	return RTK_EXIT_OK;
}

/* Who asked for a policy by name gets it or an error. */
static int set_policy(struct urun *run, const struct rtk_kvs *kvs)
{
	struct rtk_ucond *cond = &run->r->cond;
	struct rtk_uteam *team = &run->team;
	const char *name;
	int err;

	if (run->u->needs_rt && team->common.policy == RTK_UPOLICY_OTHER) {
		rtk_err("%s needs a real-time policy: policy=fifo or policy=rr",
			run->u->name);
		return RTK_EXIT_ERROR;
	}
	err = rtk_uhold_policy(&team->common, &team->policy, &team->priority,
			       cond->priority, sizeof(cond->priority));
	cond->realtime = team->policy != SCHED_OTHER;
	if (!err)
		return RTK_EXIT_OK;
	name = team->common.policy == RTK_UPOLICY_RR ? "rr" : "fifo";
	if (run->u->needs_rt || rtk_params_find(kvs, "policy")) {
		rtk_err("policy=%s priority=%lld: %s", name,
			team->common.priority, cond->priority);
		return RTK_EXIT_CANNOT;
	}
	return RTK_EXIT_OK;
}

/* On a measured CPU it must come before who is measured. */
static void place_controller(struct urun *run)
{
	struct sched_param param = { .sched_priority = run->team.priority + 1 };

	run->r->cond.alone = rtk_ucpus_avoid(&run->cpus);
	if (!run->r->cond.alone && run->r->cond.realtime)
		sched_setscheduler(0, SCHED_FIFO, &param);
}

static void unplace_controller(void)
{
	struct sched_param param = { 0 };

	if (sched_getscheduler(0) == SCHED_FIFO)
		sched_setscheduler(0, SCHED_OTHER, &param);
}

static struct rtk_datatable *rows_table(struct urun *run)
{
	const char *names[RTK_TABLE_COLUMNS + 1] = { "cpu" };
	size_t i;

	if (!run->u->rows)
		return NULL;
	for (i = 0; run->u->columns[i] && i + 1 < RTK_TABLE_COLUMNS; i++)
		names[i + 1] = run->u->columns[i];
	return rtk_extra_table(&run->r->extra, run->u->rows, names);
}

static void drain(struct urun *run)
{
	struct rtk_uthread *t;

	if (!run->u->rows || !run->r->extra.tables)
		return;
	for (t = run->team.v; t < run->team.v + run->team.n; t++)
		rtk_urows_drain(&t->rows, t->c.cpu, &run->r->extra,
				&run->r->extra.table[0]);
}

static void show(struct urun *run)
{
	struct rtk_test *t = &run->r->test;
	struct rtk_lanes lanes = { 0 };
	struct rtk_lane *lane;
	size_t i, k;

	t->elapsed_ns = rtk_mono_ns() - run->begin_ns;
	for (i = 0; i < run->team.n; i++) {
		for (k = 0; k < run->u->n_series; k++) {
			lane = rtk_grow(&lanes.v, &lanes.n, sizeof(*lane));
			if (!lane)
				break;
			rtk_copy(lane->series, sizeof(lane->series),
				 run->u->series[k].name);
			rtk_ulane_look(&run->team.v[i].c.lane[k], lane);
		}
	}
	t->done = run->team.v[0].c.done;
	t->total = run->total;
	rtk_live_print(t, &lanes);
	rtk_lanes_free(&lanes);
}

/* Of the present part: what was before it is added to it each time. */
static void stamp(struct urun *run, __s64 end)
{
	const struct rtk_ucommon *common = &run->team.common;
	struct rtk_test *t = &run->r->test;

	t->started_wall_ns = run->begin_wall_ns;
	t->started_mono_ns = run->begin_ns;
	t->elapsed_ns = end - run->begin_ns;
	t->planned_ns = common->duration_ms < 0 ? -1 :
						  common->duration_ms * 1000000;
}

static void checkpoint(struct urun *run)
{
	struct rtk_result *r = run->r;
	int err;

	rtk_result_forget(r);
	r->test.state = RTK_STATE_RUNNING;
	stamp(run, rtk_mono_ns());
	r->cond.ticks_hz = rtk_clockpair_rate(&run->team.pair);
	rtk_env_clocksource(r->clocksource_after, sizeof(r->clocksource_after));
	err = rtk_uteam_snap(&run->team, r);
	if (!err)
		err = rtk_env_capture_cpus(&r->env, "", &run->cpus);
	if (!err)
		err = rtk_checkpoint_sum(&run->how->checkpoint, r);
	if (!err)
		err = rtk_checkpoint_judge(&run->how->checkpoint, r);
	if (err)
		rtk_err_nomem();
	else
		rtk_checkpoint_save(&run->how->checkpoint, r);
}

/* Until a signal, all threads are over, or it is time to look again. */
static void wait_tick(struct urun *run)
{
	struct pollfd pfd = { .fd = run->how->signals, .events = POLLIN };
	struct signalfd_siginfo info;
	struct timespec ts = { .tv_nsec = TICK_MS * 1000000L };
	__s64 left;

	if (run->deadline_ns >= 0) {
		left = run->deadline_ns - rtk_mono_ns();
		if (left < 0)
			left = 0;
		if (left < ts.tv_nsec)
			ts.tv_nsec = left;
	}
	if (ppoll(&pfd, 1, &ts, NULL) == 1 &&
	    read(pfd.fd, &info, sizeof(info)) == sizeof(info)) {
		run->r->interrupted = true;
		atomic_store(&run->team.stop, true);
	}
	if (run->deadline_ns >= 0 && rtk_mono_ns() >= run->deadline_ns)
		atomic_store(&run->team.stop, true);
}

static void watch(struct urun *run)
{
	unsigned int ticks = 0;

	while (!rtk_uteam_over(&run->team) && !run->team.stop) {
		wait_tick(run);
		drain(run);
		ticks++;
		if (run->how->live && !(ticks % LIVE_TICKS))
			show(run);
		run->lost_cpu = rtk_uteam_moved(&run->team);
		if (ticks % STARVED_TICKS == 0)
			run->starved_cpu = rtk_uteam_starved(&run->team);
		if (run->lost_cpu >= 0 || run->starved_cpu >= 0)
			atomic_store(&run->team.stop, true);
		else if (rtk_checkpoint_due(&run->how->checkpoint))
			checkpoint(run);
	}
	if (run->starved_cpu >= 0)
		rtk_uteam_rescue();
	run->complete = !run->team.stop;
	if (run->how->live)
		rtk_live_clear();
}

static bool has_outlier(const struct urun *run)
{
	size_t i, k;

	for (i = 0; i < run->team.n; i++)
		for (k = 0; k < run->u->n_series; k++)
			if (run->team.v[i].c.lane[k].outliers)
				return true;
	return false;
}

/* Why it ended: the first of these that holds. */
static const char *end_reason(const struct urun *run)
{
	const struct rtk_ucommon *common = &run->team.common;

	if (run->lost_cpu >= 0)
		return "cpu-lost";
	if (run->starved_cpu >= 0)
		return "starved";
	if (common->stop_on_threshold && has_outlier(run))
		return "threshold";
	if (run->r->interrupted)
		return "stopped";
	return run->complete ? "complete" : "duration";
}

static int collect(struct urun *run)
{
	struct rtk_test *t = &run->r->test;
	__s64 end = run->begin_ns;
	char text[16];
	size_t i;

	drain(run);
	rtk_result_forget(run->r);
	if (rtk_uteam_collect(&run->team, run->complete, run->r))
		return -ENOMEM;
	for (i = 0; i < run->team.n; i++)
		if (run->team.v[i].end_ns > end)
			end = run->team.v[i].end_ns;
	if (run->lost_cpu >= 0) {
		snprintf(text, sizeof(text), "%d", run->lost_cpu);
		t->lost_cpus = strdup(text);
	}
	t->state = RTK_STATE_DONE;
	if (run->starved_cpu >= 0) {
		t->state = RTK_STATE_FAILED;
		if (asprintf(&t->cause, STARVED, run->starved_cpu) < 0)
			return -ENOMEM;
	}
	t->reason = strdup(end_reason(run));
	t->ended_mono_ns = end;
	stamp(run, end);
	return t->reason ? 0 : -ENOMEM;
}

/* The CPU that can't go on says why; what the others measured is void, too. */
static int check_errors(const struct urun *run)
{
	size_t i;

	for (i = 0; i < run->team.n; i++) {
		if (!run->team.v[i].c.error[0])
			continue;
		rtk_err("CPU %d: %s", run->team.v[i].c.cpu,
			run->team.v[i].c.error);
		return -EIO;
	}
	return 0;
}

static int measure(struct urun *run)
{
	const struct rtk_ucommon *common = &run->team.common;
	int err, late;

	err = rtk_env_watch(&run->r->env, "");
	if (err)
		return rtk_err_nomem();
	run->r->env.priority = run->team.priority ? run->team.priority : 1;
	err = rtk_uteam_start(&run->team, &run->cpus);
	if (!err) {
		place_controller(run);
		rtk_uteam_rests(&run->team, &run->r->cond);
		run->deadline_ns = -1;
		run->begin_wall_ns = rtk_wall_ns();
		run->begin_ns = rtk_mono_ns();
		stamp(run, run->begin_ns);
		if (common->duration_ms > 0)
			run->deadline_ns =
				run->begin_ns + common->duration_ms * 1000000;
		rtk_checkpoint_begin(&run->how->checkpoint);
		rtk_uteam_go(&run->team);
		watch(run);
	}
	late = rtk_uteam_join(&run->team);
	unplace_controller();
	if (!err)
		err = late ? late : check_errors(run);
	if (!err)
		err = collect(run);
	/* What a thread may still use stays. */
	if (late)
		run->team.config = NULL;
	else
		rtk_uteam_free(&run->team);
	return err;
}

static int digest(struct urun *run)
{
	struct rtk_result *r = run->r;
	int err;

	rtk_env_clocksource(r->clocksource_after, sizeof(r->clocksource_after));
	err = rtk_env_capture_cpus(&r->env, "", &run->cpus);
	if (!err)
		err = rtk_checkpoint_sum(&run->how->checkpoint, r);
	if (!err && run->u->finish) {
		err = run->u->finish(run->team.config, r);
		if (err)
			return err;
	}
	if (!err)
		err = rtk_checkpoint_judge(&run->how->checkpoint, r);
	if (!err && r->extra.nomem)
		err = -ENOMEM;
	if (err)
		rtk_err_nomem();
	return err;
}

static void look_at_machine(struct urun *run)
{
	struct rtk_ucond *cond = &run->r->cond;

	cond->is_user = true;
	cond->busy = run->u->busy;
	cond->ticks_constant = rtk_ticks_constant();
	if (!rtk_uhold_throttled(&cond->throttle_us, &cond->throttle_of_us))
		cond->throttle_us = -1;
}

static int run_all(struct urun *run, const struct rtk_kvs *kvs)
{
	const struct timespec pause = { .tv_nsec = RATE_NS };
	int status, err;

	if (rtk_utest_config(run->u, kvs, &run->team.common, run->team.config))
		return RTK_EXIT_ERROR;
	if (rtk_utest_describe(run->u, &run->r->test) ||
	    rtk_utest_values(&run->r->test, kvs)) {
		rtk_err_nomem();
		return RTK_EXIT_ERROR;
	}
	if (set_cpus(run))
		return RTK_EXIT_ERROR;
	status = set_policy(run, kvs);
	if (!status)
		status = claim_cpus(run);
	if (status)
		return status;
	look_at_machine(run);
	if (run->u->total && run->team.common.duration_ms < 0)
		run->total = run->u->total(run->team.config);
	rtk_clockpair_read(&run->team.pair);
	nanosleep(&pause, NULL);
	run->team.limit = limit_of(run);
	rows_table(run);
	if (run->how->checkpoint.resume &&
	    rtk_resume_rows(run->how->checkpoint.resume, run->r))
		return RTK_EXIT_ERROR;
	rtk_uhold_take(&run->hold, &run->team.common, &run->r->cond);
	err = measure(run);
	rtk_uhold_give(&run->hold);
	if (err)
		return RTK_EXIT_ERROR;
	run->r->cond.ticks_hz = rtk_clockpair_rate(&run->team.pair);
	return digest(run) ? RTK_EXIT_ERROR : RTK_EXIT_OK;
}

int rtk_urun(const struct rtk_utest *u, const struct rtk_kvs *kvs,
	     struct rtk_urun_how *how, struct rtk_result *r)
{
	struct urun run = {
		.u = u, .how = how, .r = r, .lost_cpu = -1, .starved_cpu = -1
	};
	int status;

	r->fail_above_ns = how->fail_above_ns;
	run.hold.latency_fd = -1;
	run.team.test = u;
	run.team.config = calloc(1, u->config_size + 1);
	if (!run.team.config) {
		rtk_err_nomem();
		return RTK_EXIT_ERROR;
	}
	status = run_all(&run, kvs);
	rtk_uclaim_give(&run.claim);
	free(run.team.config);
	return status;
}
