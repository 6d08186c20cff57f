// SPDX-License-Identifier: GPL-2.0
/*
 * The list of tests, registration, and the module's beginning and end.
 */
#define pr_fmt(fmt) "rtk: " fmt

#include <linux/cpu.h>
#include <linux/cpuhotplug.h>
#include <linux/init.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/suspend.h>

#include "compat/workqueue.h"
#include "internal.h"
#include "nic.h"
#include "pcireg.h"
#include "smi.h"

/* The list of tests and what readers look at; see internal.h. */
DEFINE_MUTEX(rtk_lock);
LIST_HEAD(rtk_tests);
struct workqueue_struct *rtk_wq;
u32 rtk_changes;
bool rtk_suspending;

static int core_cpuhp_state;

static void inst_release(struct kref *ref)
{
	struct rtk_inst *inst = container_of(ref, struct rtk_inst, ref);

	kfree(inst->config);
	kfree(inst);
}

void rtk_inst_put(struct rtk_inst *inst)
{
	kref_put(&inst->ref, inst_release);
}

/* The first test that matches, with a reference, or NULL. */
static struct rtk_inst *core_find(bool (*match)(const struct rtk_inst *inst, void *arg),
				  void *arg)
{
	struct rtk_inst *inst, *found = NULL;

	mutex_lock(&rtk_lock);
	list_for_each_entry(inst, &rtk_tests, link) {
		if (!match(inst, arg))
			continue;
		kref_get(&inst->ref);
		found = inst;
		break;
	}
	mutex_unlock(&rtk_lock);
	return found;
}

static bool match_name(const struct rtk_inst *inst, void *name)
{
	return !strcmp(inst->test->name, name);
}

struct rtk_inst *rtk_inst_get(const char *name)
{
	return core_find(match_name, (void *)name);
}

static bool match_position(const struct rtk_inst *inst, void *left)
{
	return !(*(unsigned int *)left)--;
}

struct rtk_inst *rtk_inst_at(unsigned int pos)
{
	return core_find(match_position, &pos);
}

static bool match_busy(const struct rtk_inst *inst, void *unused)
{
	return rtk_inst_busy(inst);
}

static bool has_series(const struct rtk_test *test, unsigned int flag)
{
	unsigned int i;

	for (i = 0; i < test->n_series; i++)
		if (test->series[i].flags & flag)
			return true;
	return false;
}

/* A thread's series needs a thread; a reader's, that and a handler's grid. */
static int check_series_flags(const struct rtk_test *test, const struct rtk_series *s)
{
	if (s->flags & RTK_SERIES_THREAD && !test->thread)
		return -EINVAL;
	if (s->flags & RTK_SERIES_USER &&
	    (!has_series(test, RTK_SERIES_THREAD) || !has_series(test, RTK_SERIES_HARDIRQ)))
		return -EINVAL;
	return 0;
}

bool rtk_test_has_readers(const struct rtk_test *test)
{
	return has_series(test, RTK_SERIES_USER);
}

static int check_series(const struct rtk_test *test)
{
	unsigned int i, k;

	if (!test->series || !test->n_series || test->n_series > RTK_SERIES_MAX)
		return -EINVAL;
	for (i = 0; i < test->n_series; i++) {
		const struct rtk_series *s = &test->series[i];

		if (!rtk_name_valid(s->name) || !rtk_name_valid(s->unit) ||
		    check_series_flags(test, s))
			return -EINVAL;
		for (k = 0; k < i; k++)
			if (!strcmp(test->series[k].name, s->name))
				return -EINVAL;
	}
	return 0;
}

/* A push test's callbacks, or a pull test's. */
static bool check_callbacks(const struct rtk_test *test)
{
	if (test->measure)
		return !test->arm && !test->disarm && !test->thread;
	return test->arm && test->disarm && !test->publish;
}

static bool check_numbers(const struct rtk_test *test)
{
	unsigned int i;

	for (i = 0; i < RTK_DETAILS && test->details[i]; i++)
		if (!rtk_name_valid(test->details[i]))
			return false;

	if (test->n_counters > RTK_COUNTERS_MAX || (test->n_counters && !test->counters))
		return false;
	for (i = 0; i < test->n_counters; i++)
		if (!rtk_name_valid(test->counters[i].name))
			return false;
	return true;
}

static int check_test(const struct rtk_test *test)
{
	if (!rtk_name_valid(test->name) || !test->summary ||
	    !test->owner || !check_callbacks(test) || !check_numbers(test) ||
	    !test->config_size || (test->n_params && !test->params)) {
		pr_err("test %s: description is not complete\n",
		       test->name ?: "without a name");
		return -EINVAL;
	}
	if (check_series(test)) {
		pr_err("test %s: series are not valid\n", test->name);
		return -EINVAL;
	}
	return rtk_param_check_rows(test);
}

static struct rtk_inst *inst_alloc(const struct rtk_test *test)
{
	struct rtk_inst *inst = kzalloc(sizeof(*inst), GFP_KERNEL);

	if (!inst)
		return ERR_PTR(-ENOMEM);
	inst->test = test;
	inst->reason = "";
	kref_init(&inst->ref);
	mutex_init(&inst->ctl);
	INIT_DELAYED_WORK(&inst->controller, rtk_control_work);
	inst->config = kzalloc(test->config_size, GFP_KERNEL);
	if (!inst->config) {
		rtk_inst_put(inst);
		return ERR_PTR(-ENOMEM);
	}
	return inst;
}

/* Under cpus, since CPU hotplug walks the list without rtk_lock. */
static int inst_link(struct rtk_inst *inst)
{
	struct rtk_inst *other;
	int rc = 0;

	cpus_read_lock();
	mutex_lock(&rtk_lock);
	list_for_each_entry(other, &rtk_tests, link)
		if (!strcmp(other->test->name, inst->test->name))
			rc = -EEXIST;
	if (!rc)
		list_add_tail(&inst->link, &rtk_tests);
	rtk_changes++;
	mutex_unlock(&rtk_lock);
	cpus_read_unlock();
	return rc;
}

int rtk_test_register(const struct rtk_test *test)
{
	struct rtk_inst *inst;
	int rc = check_test(test);

	if (rc)
		return rc;
	inst = inst_alloc(test);
	if (IS_ERR(inst))
		return PTR_ERR(inst);
	rc = rtk_param_defaults(test, &inst->common, inst->config);
	if (rc)
		goto err_put;
	rc = inst_link(inst);
	if (rc)
		goto err_put;
	rc = rtk_debugfs_add(inst);
	if (rc)
		goto err_kill;
	return 0;
err_kill:
	rtk_run_kill(inst);
err_put:
	rtk_inst_put(inst);
	return rc;
}
EXPORT_SYMBOL_GPL(rtk_test_register);

void rtk_test_unregister(const struct rtk_test *test)
{
	struct rtk_inst *inst = test->name ? rtk_inst_get(test->name) : NULL;

	if (!inst)
		return;
	if (inst->test == test) {
		rtk_run_kill(inst);
		/* Waits for readers inside; later ones find it gone. */
		rtk_debugfs_del(inst);
		rtk_inst_put(inst);
	}
	rtk_inst_put(inst);
}
EXPORT_SYMBOL_GPL(rtk_test_unregister);

static void core_set_suspending(bool suspending)
{
	mutex_lock(&rtk_lock);
	rtk_suspending = suspending;
	mutex_unlock(&rtk_lock);
}

/* Clocks stop and CPUs vanish; what a run measured across that is no result. */
static int core_pm_event(struct notifier_block *nb, unsigned long event, void *data)
{
	struct rtk_inst *inst;

	switch (event) {
	case PM_SUSPEND_PREPARE:
	case PM_HIBERNATION_PREPARE:
	case PM_RESTORE_PREPARE:
		/* First, so that the loop below has an end. */
		core_set_suspending(true);
		while ((inst = core_find(match_busy, NULL))) {
			rtk_run_stop(inst, 0, RTK_STATE_FAILED, "suspended");
			rtk_inst_put(inst);
		}
		break;
	case PM_POST_SUSPEND:
	case PM_POST_HIBERNATION:
	case PM_POST_RESTORE:
		core_set_suspending(false);
		break;
	}
	return NOTIFY_DONE;
}

static struct notifier_block core_pm_nb = { .notifier_call = core_pm_event };

static const struct rtk_test * const core_tests[] = {
	&rtk_test_hrtimer,
	&rtk_test_hwlat,
	&rtk_test_selfirq,
#ifdef CONFIG_PCI
	&rtk_test_msi_latency,
	&rtk_test_msi_jitter,
	&rtk_test_mmio,
#endif
};

static void core_unregister_tests(void)
{
	unsigned int i;

	for (i = ARRAY_SIZE(core_tests); i-- > 0;)
		rtk_test_unregister(core_tests[i]);
}

static int core_register_tests(void)
{
	unsigned int i;
	int rc;

	for (i = 0; i < ARRAY_SIZE(core_tests); i++) {
		rc = rtk_test_register(core_tests[i]);
		if (rc) {
			core_unregister_tests();
			return rc;
		}
	}
	return 0;
}

static int __init rtk_init(void)
{
	int rc = -ENOMEM;

	/* Bound: a controller stays off the measured CPUs (control_cpu()). */
	rtk_wq = alloc_workqueue("rtk", RTK_WQ_PERCPU, 0);
	if (!rtk_wq)
		return rc;
	rc = cpuhp_setup_state_nocalls(CPUHP_AP_ONLINE_DYN, "rtk:online", NULL,
				       rtk_control_cpu_down);
	if (rc < 0)
		goto err_wq;
	core_cpuhp_state = rc;
	rtk_smi_init();
	rc = register_pm_notifier(&core_pm_nb);
	if (rc)
		goto err_cpuhp;
	rc = rtk_debugfs_init();
	if (rc)
		goto err_pm;
	rtk_nic_init();
	rtk_pcireg_init();
	rc = core_register_tests();
	if (rc)
		goto err_nic;
	/* Last, so that a client never sees half of it. */
	rc = rtk_netlink_init();
	if (rc)
		goto err_tests;
	return 0;
err_tests:
	core_unregister_tests();
err_nic:
	rtk_pcireg_exit();
	rtk_nic_exit();
	rtk_debugfs_exit();
err_pm:
	unregister_pm_notifier(&core_pm_nb);
err_cpuhp:
	cpuhp_remove_state_nocalls(core_cpuhp_state);
err_wq:
	destroy_workqueue(rtk_wq);
	return rc;
}

static void __exit rtk_exit(void)
{
	rtk_netlink_exit();
	core_unregister_tests();
	/* Waits for tests that use a device, so there must be none. */
	rtk_pcireg_exit();
	rtk_nic_exit();
	rtk_debugfs_exit();
	unregister_pm_notifier(&core_pm_nb);
	cpuhp_remove_state_nocalls(core_cpuhp_state);
	destroy_workqueue(rtk_wq);
}

module_init(rtk_init);
module_exit(rtk_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Real-time measurements inside the kernel");
MODULE_AUTHOR("the rtk developers");
MODULE_VERSION(RTK_VERSION);
