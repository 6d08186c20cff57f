// SPDX-License-Identifier: GPL-2.0
/*
 * rtk_inject: disturbances of known length, to hold rtk's measurements against.
 * For test machines: it stops CPUs on request.
 *
 * <debugfs>/rtk_inject/inject takes a line of words key=value:
 *   kind=irqoff|preemptoff|softirq|fifo|nmi, and with rtk_smi loaded smi
 *   cpu=N         victim, online
 *   from=N        the CPU whose timer it comes from, if it is not the victim's: nmi
 *                 and smi reach a CPU whose interrupts are off only in this way
 *   length_ns=L   1000 to 100000000
 *   start_ns=S    CLOCK_MONOTONIC of the first, not past; 0: in a millisecond
 *   period_ns=P   distance of further ones, 1000000 and 2 * L at least, a second
 *                 at most
 *   count=C       how many, 1 if not given, 256 at most
 * and log has a line for each that took place, with its measured begin and
 * length, and for an SMI how many the CPU counted meanwhile; of an SMI for another
 * CPU it knows only when it was sent. A write stops what was going on before. One
 * that is refused changes nothing, and the kernel's log says why.
 */
#define pr_fmt(fmt) "rtk_inject: " fmt

#include <linux/cpu.h>
#include <linux/debugfs.h>
#include <linux/hrtimer.h>
#include <linux/interrupt.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/preempt.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/string.h>
#include <linux/timekeeping.h>
#include <uapi/linux/sched/types.h>

#include "compat/hrtimer.h"
#include "compat/nmi.h"
#include "rtk_inject.h"

#define INJECT_MAX	256
#define LINE_MAX	512
#define LENGTH_MIN	1000ULL
#define LENGTH_MAX	(100ULL * NSEC_PER_MSEC)

enum inject_kind { IRQOFF, PREEMPTOFF, SOFTIRQ, FIFO, NMI, EXTRA, KINDS };

static const char *kind_names[KINDS] = {
	"irqoff", "preemptoff", "softirq", "fifo", "nmi"
};

/* What was asked for; constant while the timer is armed. */
struct inject_plan {
	enum inject_kind kind;
	unsigned int cpu;
	unsigned int from;
	u64 length;
	u64 start;
	u64 period;
	u64 count;
};

/* One that took place. */
struct inject_entry {
	u64 begin;
	u64 end;
	u32 counted;
};

static struct inject_plan plan;
static struct inject_entry entries[INJECT_MAX];
/* Fired by the timer; taken place. Each has one writer: a CPU of the plan. */
static unsigned int fired, happened;
static struct hrtimer inject_timer;
static struct task_struct *inject_task;
static struct tasklet_struct inject_tasklet;
static struct dentry *inject_dir;
/* What another module has added; its name stands in kind_names. */
static const struct rtk_inject_kind *inject_extra;
/* One plan at a time, and what kinds there are. */
static DEFINE_MUTEX(inject_lock);

static bool i_know;
module_param(i_know, bool, 0);
MODULE_PARM_DESC(i_know, "1: I know that this stops CPUs on request");

/* On the victim, in the context that the kind is about; an SMI is sent to it. */
static void inject_spin(void)
{
	struct inject_entry *e = &entries[happened];

	e->begin = ktime_get_mono_fast_ns();
	if (plan.kind == EXTRA) {
		e->counted = inject_extra->run(plan.cpu);
		e->end = ktime_get_mono_fast_ns();
	} else {
		do {
			cpu_relax();
			e->end = ktime_get_mono_fast_ns();
		} while (e->end - e->begin < plan.length);
	}
	/* The entry before its number. */
	smp_store_release(&happened, happened + 1);
}

static int inject_nmi(unsigned int cmd, struct pt_regs *regs)
{
	/* Somebody else's NMI: ours are counted. */
	if (plan.kind != NMI || happened >= READ_ONCE(fired) ||
	    raw_smp_processor_id() != plan.cpu)
		return RTK_NMI_DONE;
	inject_spin();
	return RTK_NMI_HANDLED;
}

static void inject_softirq(struct tasklet_struct *t)
{
	inject_spin();
}

static int inject_thread(void *data)
{
	while (!kthread_should_stop()) {
		set_current_state(TASK_INTERRUPTIBLE);
		if (happened >= READ_ONCE(fired) && !kthread_should_stop())
			schedule();
		__set_current_state(TASK_RUNNING);
		if (happened >= READ_ONCE(fired))
			continue;
		if (plan.kind == PREEMPTOFF)
			preempt_disable();
		inject_spin();
		if (plan.kind == PREEMPTOFF)
			preempt_enable();
	}
	return 0;
}

/* Hard interrupt context. */
static enum hrtimer_restart inject_fire(struct hrtimer *timer)
{
	/* Went offline: the kernel moved the timer to somebody else's CPU. */
	if (raw_smp_processor_id() != plan.from)
		return HRTIMER_NORESTART;
	WRITE_ONCE(fired, fired + 1);
	switch (plan.kind) {
	case IRQOFF:
	case EXTRA:
		inject_spin();
		break;
	case PREEMPTOFF:
	case FIFO:
		wake_up_process(inject_task);
		break;
	case SOFTIRQ:
		tasklet_hi_schedule(&inject_tasklet);
		break;
	case NMI:
		rtk_send_nmi(plan.cpu);
		break;
	case KINDS:
		break;
	}
	if (fired >= plan.count)
		return HRTIMER_NORESTART;
	hrtimer_add_expires_ns(timer, plan.period);
	return HRTIMER_RESTART;
}

/* PINNED means the calling CPU, so this is the one that it comes from. */
static void inject_arm(void *data)
{
	hrtimer_start(&inject_timer, ns_to_ktime(plan.start),
		      HRTIMER_MODE_ABS_PINNED_HARD);
}

static void inject_stop(void)
{
	hrtimer_cancel(&inject_timer);
	tasklet_kill(&inject_tasklet);
	if (inject_task)
		kthread_stop(inject_task);
	inject_task = NULL;
}

static int inject_start(const struct inject_plan *new)
{
	struct task_struct *task = NULL;
	int rc;

	inject_stop();
	fired = 0;
	happened = 0;
	plan = *new;
	if (plan.kind == EXTRA) {
		rc = inject_extra->prepare(plan.length);
		if (rc)
			return rc;
	}
	if (plan.kind == PREEMPTOFF || plan.kind == FIFO) {
		task = kthread_create_on_cpu(inject_thread, NULL, plan.cpu,
					     "rtk_inject/%u");
		if (IS_ERR(task))
			return PTR_ERR(task);
		/* Above the measuring threads' default of 95. */
		sched_setattr_nocheck(task, &(struct sched_attr){
				.size = sizeof(struct sched_attr),
				.sched_policy = SCHED_FIFO, .sched_priority = 99 });
		wake_up_process(task);
	}
	inject_task = task;
	if (!plan.start)
		plan.start = ktime_get() + NSEC_PER_MSEC;
	rc = smp_call_function_single(plan.from, inject_arm, NULL, 1);
	if (rc)
		inject_stop();
	return rc;
}

/* Notes why; its value is @rc. */
#define inject_refuse(rc, fmt, ...) \
({ \
	pr_err("refused: " fmt "\n", ##__VA_ARGS__); \
	(rc); \
})

enum inject_key { KEY_KIND, KEY_CPU, KEY_FROM, KEY_LENGTH, KEY_START, KEY_PERIOD, KEY_COUNT, KEYS };

static int parse_word(char *word, u64 *values, unsigned long *seen)
{
	static const char * const keys[KEYS] = {
		"kind", "cpu", "from", "length_ns", "start_ns", "period_ns", "count"
	};
	char *value = strchr(word, '=');
	int key, kind;

	if (!value)
		return inject_refuse(-EINVAL, "'%s' is not key=value", word);
	*value++ = '\0';
	key = match_string(keys, KEYS, word);
	if (key < 0)
		return inject_refuse(-EINVAL, "unknown key '%s'", word);
	if (__test_and_set_bit(key, seen))
		return inject_refuse(-EINVAL, "%s= given twice", word);
	if (key == KEY_KIND) {
		kind = match_string(kind_names, KINDS, value);
		if (kind < 0)
			return inject_refuse(-EINVAL, "unknown kind '%s'", value);
		values[key] = kind;
	} else if (kstrtou64(value, 0, &values[key])) {
		return inject_refuse(-EINVAL, "%s=%s is no number", word, value);
	}
	return 0;
}

/* CPUs stay as they are. */
static int check_values(const u64 *v)
{
	u64 longest = v[KEY_KIND] == EXTRA ? inject_extra->length_max : LENGTH_MAX;
	u64 shortest = max(2 * v[KEY_LENGTH], (u64)NSEC_PER_MSEC);

	if (v[KEY_KIND] >= KINDS)
		return inject_refuse(-EINVAL, "no kind=");
	if (v[KEY_CPU] >= nr_cpu_ids || !cpu_online(v[KEY_CPU]))
		return inject_refuse(-ENODEV, "no cpu= that is online");
	if (v[KEY_FROM] >= nr_cpu_ids || !cpu_online(v[KEY_FROM]))
		return inject_refuse(-ENODEV, "from=%llu: not online", v[KEY_FROM]);
	if (v[KEY_FROM] != v[KEY_CPU] && v[KEY_KIND] != NMI && v[KEY_KIND] != EXTRA)
		return inject_refuse(-EINVAL, "from=%llu: only nmi and smi come from there",
				     v[KEY_FROM]);
	if (v[KEY_LENGTH] < LENGTH_MIN || v[KEY_LENGTH] > longest)
		return inject_refuse(-EINVAL, "length_ns=%llu: allowed %llu to %llu",
				     v[KEY_LENGTH], LENGTH_MIN, longest);
	if (!v[KEY_COUNT] || v[KEY_COUNT] > INJECT_MAX)
		return inject_refuse(-EINVAL, "count=%llu: allowed 1 to %u",
				     v[KEY_COUNT], INJECT_MAX);
	if (v[KEY_COUNT] > 1 && (v[KEY_PERIOD] < shortest || v[KEY_PERIOD] > NSEC_PER_SEC))
		return inject_refuse(-EINVAL, "period_ns=%llu: allowed %llu to %lu",
				     v[KEY_PERIOD], shortest, NSEC_PER_SEC);
	/* All that it is behind would come at once. */
	if (v[KEY_START] && (s64)v[KEY_START] < ktime_get())
		return inject_refuse(-EINVAL, "start_ns=%llu is past", v[KEY_START]);
	return 0;
}

static int parse_plan(char *line, struct inject_plan *p)
{
	u64 v[KEYS] = { [KEY_KIND] = KINDS, [KEY_CPU] = U64_MAX, [KEY_COUNT] = 1 };
	unsigned long seen = 0;
	char *word;
	int rc;

	while ((word = strsep(&line, " \t\n"))) {
		rc = *word ? parse_word(word, v, &seen) : 0;
		if (rc)
			return rc;
	}
	if (!test_bit(KEY_FROM, &seen))
		v[KEY_FROM] = v[KEY_CPU];
	rc = check_values(v);
	*p = (struct inject_plan){
		.kind = v[KEY_KIND], .cpu = v[KEY_CPU], .from = v[KEY_FROM],
		.length = v[KEY_LENGTH], .start = v[KEY_START],
		.period = v[KEY_PERIOD], .count = v[KEY_COUNT],
	};
	return rc;
}

static ssize_t inject_write(struct file *file, const char __user *ubuf,
			    size_t size, loff_t *ppos)
{
	struct inject_plan new;
	char *line;
	int rc;

	/* Of debugfs' own rules, a file that is open already knows nothing. */
	rc = rtk_inject_locked_down();
	if (rc)
		return rc;
	if (*ppos || size > LINE_MAX)
		return inject_refuse(-EINVAL, "more than %u bytes", LINE_MAX);
	line = memdup_user_nul(ubuf, size);
	if (IS_ERR(line))
		return PTR_ERR(line);
	/* Both CPUs stay until it is armed. */
	cpus_read_lock();
	mutex_lock(&inject_lock);
	if (strlen(line) != size)
		rc = inject_refuse(-EINVAL, "a null byte in the line");
	else
		rc = parse_plan(line, &new) ?: inject_start(&new);
	mutex_unlock(&inject_lock);
	cpus_read_unlock();
	kfree(line);
	return rc ?: size;
}

static const struct file_operations inject_fops = {
	.owner = THIS_MODULE,
	.write = inject_write,
};

static int log_show(struct seq_file *m, void *unused)
{
	unsigned int i, n;

	mutex_lock(&inject_lock);
	/* The number before the entries that it promises. */
	n = smp_load_acquire(&happened);
	for (i = 0; i < n; i++) {
		seq_printf(m, "kind=%s cpu=%u begin_ns=%llu length_ns=%llu",
			   kind_names[plan.kind], plan.cpu, entries[i].begin,
			   entries[i].end - entries[i].begin);
		if (plan.kind == EXTRA)
			seq_printf(m, " counted=%u", entries[i].counted);
		seq_putc(m, '\n');
	}
	mutex_unlock(&inject_lock);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(log);

int rtk_inject_add(const struct rtk_inject_kind *kind)
{
	int rc = 0;

	mutex_lock(&inject_lock);
	if (inject_extra) {
		rc = -EBUSY;
	} else {
		inject_extra = kind;
		kind_names[EXTRA] = kind->name;
	}
	mutex_unlock(&inject_lock);
	return rc;
}
EXPORT_SYMBOL_GPL(rtk_inject_add);

void rtk_inject_del(void)
{
	mutex_lock(&inject_lock);
	if (plan.kind == EXTRA) {
		inject_stop();
		/* Its name goes, too. */
		happened = 0;
	}
	inject_extra = NULL;
	kind_names[EXTRA] = NULL;
	mutex_unlock(&inject_lock);
}
EXPORT_SYMBOL_GPL(rtk_inject_del);

static int __init rtk_inject_init(void)
{
	int rc;

	rc = rtk_inject_permit(i_know);
	if (rc)
		return rc;
	rc = rtk_register_nmi(inject_nmi);
	if (rc)
		return rc;
	hrtimer_setup(&inject_timer, inject_fire, CLOCK_MONOTONIC,
		      HRTIMER_MODE_ABS_PINNED_HARD);
	tasklet_setup(&inject_tasklet, inject_softirq);
	inject_dir = debugfs_create_dir("rtk_inject", NULL);
	debugfs_create_file("inject", 0200, inject_dir, NULL, &inject_fops);
	debugfs_create_file("log", 0444, inject_dir, NULL, &log_fops);
	return 0;
}

static void __exit rtk_inject_exit(void)
{
	debugfs_remove(inject_dir);
	inject_stop();
	rtk_unregister_nmi();
}

module_init(rtk_inject_init);
module_exit(rtk_inject_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Disturbances of known length, for rtk's self-tests");
MODULE_AUTHOR("the rtk developers");
