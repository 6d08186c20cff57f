// SPDX-License-Identifier: GPL-2.0
/*
 * Life of a run: set, start, stop, reset.
 */
#include <linux/cpu.h>
#include <linux/pid.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "internal.h"

void rtk_owner_self(struct rtk_owner *owner, u32 portid)
{
	owner->portid = portid;
	owner->pid = task_pid_nr(current);
	get_task_comm(owner->comm, current);
}

static void run_note_error(struct rtk_inst *inst, const struct rtk_err *err)
{
	mutex_lock(&rtk_lock);
	inst->last_error = *err;
	mutex_unlock(&rtk_lock);
}

/* May a transition begin? ctl held. */
static int run_check_idle(struct rtk_inst *inst, struct rtk_err *err)
{
	struct rtk_run *run = inst->run;
	u64 now = ktime_get();
	u64 elapsed;

	if (inst->dead)
		return -ENODEV;
	if (!rtk_inst_busy(inst))
		return 0;
	elapsed = now > run->measure_from ? now - run->measure_from : 0;
	if (run->common.duration_ms)
		return rtk_fail(err, -EBUSY,
				"%s busy: owner pid %d (%s), %llu s of %llu s; stop it first",
				inst->test->name, run->owner.pid, run->owner.comm,
				elapsed / NSEC_PER_SEC,
				run->common.duration_ms / MSEC_PER_SEC);
	return rtk_fail(err, -EBUSY,
			"%s busy: owner pid %d (%s), %llu s, endless; stop it first",
			inst->test->name, run->owner.pid, run->owner.comm,
			elapsed / NSEC_PER_SEC);
}

/* Does another test keep CPUs of this one's @run busy? rtk_lock held. */
static bool run_overlaps(const struct rtk_inst *inst, const struct rtk_run *run,
			 const struct rtk_inst *other)
{
	return other != inst && rtk_inst_busy(other) &&
	       cpumask_intersects(&other->run->busy, &run->busy);
}

/* Is the machine, and are the CPUs, free for a run? rtk_lock held. */
static int run_check_claims(struct rtk_inst *inst, const struct rtk_run *run,
			    struct rtk_err *err)
{
	struct rtk_inst *other;

	if (rtk_suspending)
		return rtk_fail(err, -EBUSY, "the system is about to suspend");
	if (run->common.share)
		return 0;
	list_for_each_entry(other, &rtk_tests, link)
		if (run_overlaps(inst, run, other))
			return rtk_fail(err, -EBUSY,
					"%s is running on CPUs %*pbl; choose others, stop it, or set share=1",
					other->test->name,
					cpumask_pr_args(&other->run->busy));
	return 0;
}

int rtk_run_check_free(struct rtk_inst *inst, const struct rtk_run *run, struct rtk_err *err)
{
	int rc;

	mutex_lock(&rtk_lock);
	rc = run_check_claims(inst, run, err);
	mutex_unlock(&rtk_lock);
	return rc;
}

/* Both sides of sharing are told; rtk_lock held. */
static void run_note_sharing(struct rtk_inst *inst)
{
	struct rtk_inst *other;

	list_for_each_entry(other, &rtk_tests, link) {
		if (!run_overlaps(inst, inst->run, other))
			continue;
		strscpy(inst->run->shared_with, other->test->name,
			sizeof(inst->run->shared_with));
		strscpy(other->run->shared_with, inst->test->name,
			sizeof(other->run->shared_with));
	}
}

/*
 * Current parameters with the changes asked for, checked, in memory that the
 * caller frees after success; ctl held.
 */
static int run_prepare(struct rtk_inst *inst, struct rtk_common **common, void **config,
		       struct rtk_request *req, struct rtk_err *err)
{
	int rc = -ENOMEM;

	*common = kmemdup(&inst->common, sizeof(inst->common), GFP_KERNEL);
	*config = kmemdup(inst->config, inst->test->config_size, GFP_KERNEL);
	if (*common && *config)
		rc = rtk_param_apply(inst->test, *common, *config, req, err);
	if (rc) {
		kfree(*config);
		kfree(*common);
	}
	return rc;
}

static void run_commit(struct rtk_inst *inst, const struct rtk_common *common,
		       const void *config)
{
	lockdep_assert_held(&rtk_lock);
	rtk_changes++;
	inst->common = *common;
	memcpy(inst->config, config, inst->test->config_size);
	inst->last_error.text[0] = '\0';
}

int rtk_run_set(struct rtk_inst *inst, struct rtk_request *req)
{
	struct rtk_common *common;
	struct rtk_err err = {};
	void *config;
	int rc;

	mutex_lock(&inst->ctl);
	rc = run_check_idle(inst, &err);
	if (!rc)
		rc = run_prepare(inst, &common, &config, req, &err);
	if (!rc) {
		mutex_lock(&rtk_lock);
		run_commit(inst, common, config);
		mutex_unlock(&rtk_lock);
		kfree(config);
		kfree(common);
	} else {
		run_note_error(inst, &err);
	}
	mutex_unlock(&inst->ctl);
	return rc;
}

/* A run that has never begun. */
static void run_discard(struct rtk_inst *inst, struct rtk_run *run)
{
	rtk_setup_undo(inst, run);
	rtk_run_put(run);
}

/*
 * What was held for the run goes back, results stay. The run is still marked
 * as stopping: it counts as busy until nothing of it is left.
 */
static void run_release(struct rtk_inst *inst)
{
	struct rtk_run *run = inst->run;

	if (cpu_latency_qos_request_active(&run->qos))
		cpu_latency_qos_remove_request(&run->qos);
	rtk_setup_undo(inst, run);
	if (inst->test->owner != THIS_MODULE)
		module_put(inst->test->owner);
}

/*
 * Puts a run in the place of the old results, which are returned; so does
 * every refusal leave them alone.
 */
static struct rtk_run *run_publish(struct rtk_inst *inst, struct rtk_run *run,
				   const struct rtk_common *common, const void *config)
{
	struct rtk_run *old = inst->run;

	run_commit(inst, common, config);
	inst->run = run;
	inst->state = RTK_STATE_RUNNING;
	inst->reason = "";
	inst->generation++;
	return old;
}

/* A run that never began: no results. */
static void run_fail(struct rtk_inst *inst)
{
	struct rtk_run *run = inst->run;

	run_release(inst);
	mutex_lock(&rtk_lock);
	inst->state = RTK_STATE_FAILED;
	inst->reason = "start-failed";
	inst->run = NULL;
	mutex_unlock(&rtk_lock);
	rtk_run_put(run);
}

/* ctl and cpus held; takes over @run. */
static int run_launch(struct rtk_inst *inst, struct rtk_run *run,
		      const struct rtk_common *common, const void *config,
		      struct rtk_err *err)
{
	struct rtk_run *old;
	int rc;

	/* Our own tests do not keep us loaded: unloading stops them. */
	if (inst->test->owner != THIS_MODULE && !try_module_get(inst->test->owner)) {
		run_discard(inst, run);
		return -ENODEV;
	}
	mutex_lock(&rtk_lock);
	rc = run_check_claims(inst, run, err);
	if (!rc)
		old = run_publish(inst, run, common, config);
	mutex_unlock(&rtk_lock);
	if (rc) {
		if (inst->test->owner != THIS_MODULE)
			module_put(inst->test->owner);
		run_discard(inst, run);
		return rc;
	}
	rtk_run_put(old);
	if (run->common.dma_latency_us >= 0)
		cpu_latency_qos_add_request(&run->qos, run->common.dma_latency_us);
	rc = rtk_workers_start(inst, err);
	if (rc) {
		run_fail(inst);
		return rc;
	}
	mutex_lock(&rtk_lock);
	run_note_sharing(inst);
	mutex_unlock(&rtk_lock);
	inst->run->next_event = jiffies;
	inst->run->next_log = jiffies + HZ;
	rtk_control_queue(inst);
	rtk_netlink_event(inst, 0, 0);
	return 0;
}

static int run_start_locked(struct rtk_inst *inst, struct rtk_request *req,
			    struct rtk_err *err)
{
	struct rtk_common *common;
	struct rtk_run *run;
	void *config;
	int rc;

	rc = run_check_idle(inst, err);
	if (!rc)
		rc = run_prepare(inst, &common, &config, req, err);
	if (rc)
		return rc;
	run = rtk_setup_alloc(inst, common, config);
	if (!run) {
		rc = rtk_fail(err, -ENOMEM, "no memory for a run");
		goto out;
	}
	rc = rtk_setup_settle(inst, run, err);
	if (rc) {
		run_discard(inst, run);
		goto out;
	}
	run->owner = req->owner;
	rc = run_launch(inst, run, common, config, err);
	req->generation = inst->generation;
out:
	kfree(config);
	kfree(common);
	return rc;
}

int rtk_run_start(struct rtk_inst *inst, struct rtk_request *req)
{
	struct rtk_err err = {};
	int rc;

	cpus_read_lock();
	mutex_lock(&inst->ctl);
	rc = run_start_locked(inst, req, &err);
	if (rc)
		run_note_error(inst, &err);
	mutex_unlock(&inst->ctl);
	cpus_read_unlock();
	return rc;
}

u64 rtk_run_elapsed(const struct rtk_run *run)
{
	u64 end = run->ended_mono ?: min_t(u64, ktime_get(), run->deadline);

	return end > run->measure_from ? end - run->measure_from : 0;
}

s64 rtk_run_wall_offset(const struct rtk_run *run)
{
	return run->started_wall - run->measure_from;
}

static u64 run_last_end(const struct rtk_run *run)
{
	u64 end = 0;
	unsigned int i;

	for (i = 0; i < run->n; i++)
		end = max(end, run->w[i]->ended_mono);
	return end;
}

void rtk_run_finish(struct rtk_inst *inst, enum rtk_state state,
		    const char *reason)
{
	mutex_lock(&rtk_lock);
	inst->state = RTK_STATE_STOPPING;
	mutex_unlock(&rtk_lock);
	rtk_workers_close(inst->run->w, inst->run->n);
	run_release(inst);
	mutex_lock(&rtk_lock);
	inst->run->ended_mono = run_last_end(inst->run);
	inst->state = state;
	inst->reason = reason;
	mutex_unlock(&rtk_lock);
	rtk_control_events(inst, true);
	rtk_klog_end(inst);
	rtk_netlink_event(inst, 0, 0);
}

int rtk_run_stop(struct rtk_inst *inst, u32 generation, enum rtk_state state,
		 const char *reason)
{
	int rc = 0;

	cpus_read_lock();
	mutex_lock(&inst->ctl);
	if (inst->dead)
		rc = -ENODEV;
	else if (generation && generation != inst->generation)
		rc = -ESTALE;
	else if (rtk_inst_busy(inst))
		rtk_run_finish(inst, state, reason);
	mutex_unlock(&inst->ctl);
	cpus_read_unlock();
	return rc;
}

int rtk_run_reset(struct rtk_inst *inst)
{
	struct rtk_run *old = NULL;
	struct rtk_err err = {};
	int rc;

	mutex_lock(&inst->ctl);
	rc = run_check_idle(inst, &err);
	if (rc) {
		run_note_error(inst, &err);
	} else {
		mutex_lock(&rtk_lock);
		old = inst->run;
		inst->run = NULL;
		inst->state = RTK_STATE_IDLE;
		inst->reason = "";
		inst->last_error.text[0] = '\0';
		inst->generation++;
		rtk_changes++;
		mutex_unlock(&rtk_lock);
	}
	mutex_unlock(&inst->ctl);
	rtk_run_put(old);
	return rc;
}

void rtk_run_kill(struct rtk_inst *inst)
{
	struct rtk_run *old;

	cpus_read_lock();
	mutex_lock(&inst->ctl);
	if (rtk_inst_busy(inst))
		rtk_run_finish(inst, RTK_STATE_DONE, "unregistered");
	mutex_lock(&rtk_lock);
	inst->dead = true;
	/* A dump in progress is then seen to be cut short. */
	inst->generation++;
	rtk_changes++;
	list_del(&inst->link);
	old = inst->run;
	inst->run = NULL;
	mutex_unlock(&rtk_lock);
	mutex_unlock(&inst->ctl);
	cpus_read_unlock();
	cancel_delayed_work_sync(&inst->controller);
	rtk_run_put(old);
}
