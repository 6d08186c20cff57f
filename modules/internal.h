/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Between the files of the core. Tests include rtk.h only.
 *
 * Locks, outermost first; each is optional, the order is not:
 *
 *   genl      held by generic netlink around its own (un)registration. Our
 *             operations are parallel: they do not hold its mutex, but its
 *             semaphore for reading, so that they keep families from coming and
 *             going, and wait no longer than they must
 *   cpus      cpus_read_lock(): held through each start and stop and through
 *             changes of the list of tests. CPU hotplug's teardown holds it
 *             for writing, so it sees no half-made run and needs no other lock
 *             to walk list and CPUs
 *   inst.ctl  one transition (set, start, stop, reset, unregister) of a test
 *             at a time; held while workers are created and joined
 *   rtk_lock  the list, and what readers look at: parameters, state, run
 *             pointer. Short: nothing sleeps long under it
 *
 * Workers and handlers take none of them, nor does a reader in user space while it
 * writes; before and after that it takes rtk_lock, below its file's busy (reader.c).
 * The controller takes cpus and ctl like any other caller of rtk_run_stop().
 */
#ifndef RTK_INTERNAL_H
#define RTK_INTERNAL_H

#include <linux/completion.h>
#include <linux/kref.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/pm_qos.h>
#include <linux/smp.h>
#include <linux/workqueue.h>

#include <uapi/linux/rtk_version.h>
#include <uapi/linux/rtk_wait.h>

#include "rtk.h"

struct dentry;
struct rtk_reader;
struct seq_file;

/**
 * struct rtk_worker - a CPU of a run, the core's view
 * @c: the test's view
 * @inst: test
 * @task: the core's thread on this CPU
 * @ready: worker runs on its CPU with its policy
 * @armed: the test is armed, or @rc says why not
 * @quit: the worker is to end
 * @gone: it does
 * @rc: result of arming
 * @is_armed: @armed with success and not yet disarmed
 * @end_call: ends the window, on the CPU
 * @window_ended: it has
 * @closed: window closed, disarmed, worker joined, ledger final
 * @ended_mono: end of the window once @closed, ns
 * @smi_first: SMIs of the CPU before the test was armed
 * @smis: how many came in until the end once @closed; -1 not counted
 * @nmi_first: NMIs of the CPU then
 * @nmis: how many came in until the end; -1 not counted
 * @reported: outliers of the lane with the threshold that events have told of;
 *	the controller's
 * @logged: the same for the kernel log
 * @reader: open file of this CPU whose program takes part, or NULL; rtk_lock
 * @inside: it is using lanes or the test, with preemption off
 * @stopped: no reader may begin to; set under rtk_lock
 * @user_planned: activation that the reader has got and not come back from, ns;
 *	0 for none. The reader's
 * @user_next: grid point up to which it got them, ns. The reader's
 */
struct rtk_worker {
	struct rtk_cpu c;
	struct rtk_inst *inst;
	struct task_struct *task;
	struct completion ready;
	struct completion armed;
	bool quit;
	struct completion gone;
	int rc;
	bool is_armed;
	call_single_data_t end_call;
	struct completion window_ended;
	bool closed;
	u64 ended_mono;
	u32 smi_first;
	s64 smis;
	u32 nmi_first;
	s64 nmis;
	u64 reported;
	u64 logged;
	struct rtk_reader *reader;
	atomic_t inside;
	bool stopped;
	u64 user_planned;
	u64 user_next;
};

/**
 * struct rtk_owner - who starts a run
 * @portid: netlink socket whose end ends the run; 0 for none
 * @pid: process, in the initial namespace
 * @comm: its name
 */
struct rtk_owner {
	u32 portid;
	pid_t pid;
	char comm[TASK_COMM_LEN];
};

/**
 * struct rtk_run - a run and its results
 * @ref: the test's, and one for each reader
 * @common: copy of the parameters
 * @config: copy of the test's parameters
 * @cpus: measured CPUs
 * @busy: these, and others that the test keeps busy
 * @lost: those of them that went offline, or whose worker was moved away for it
 * @prepared: rtk_test.unprepare is owed; ctl
 * @n: number of @w
 * @w: CPUs, by index
 * @go: workers may arm; written @abort before
 * @abort: they must not
 * @heartbeat: see struct rtk_cpu; the controller's
 * @base: see struct rtk_cpu
 * @measure_from: see struct rtk_cpu
 * @deadline: see struct rtk_cpu; S64_MAX for endless
 * @started_wall: CLOCK_REALTIME at @measure_from, ns
 * @ended_mono: end of the last window, ns; 0 while running
 * @owner: who started it
 * @owner_gone: its socket was closed
 * @shared_with: another test on the same CPUs, or empty
 * @cause: more words about the reason of its end, or empty; rtk_lock
 * @qos: CPU latency request
 * @threshold_series: number of the series that the threshold applies to
 * @next_event: jiffies before which no further event is sent; the controller's
 * @next_log: the same for the line a second in the kernel log
 */
struct rtk_run {
	struct kref ref;
	struct rtk_common common;
	void *config;
	struct cpumask cpus;
	struct cpumask busy;
	struct cpumask lost;
	bool prepared;
	unsigned int n;
	struct rtk_worker **w;
	struct completion go;
	bool abort;
	u64 heartbeat;
	u64 base;
	u64 measure_from;
	u64 deadline;
	u64 started_wall;
	u64 ended_mono;
	struct rtk_owner owner;
	bool owner_gone;
	char shared_with[RTK_STRING_SIZE];
	struct rtk_err cause;
	struct pm_qos_request qos;
	unsigned int threshold_series;
	unsigned long next_event;
	unsigned long next_log;
};

/**
 * struct rtk_file - what a file in debugfs points to if there are many of it
 * @inst: test
 * @number: row of a parameter, or a CPU
 */
struct rtk_file {
	struct rtk_inst *inst;
	unsigned int number;
};

/**
 * struct rtk_inst - a registered test
 * @test: its description; not to be used once @dead
 * @ref: list, open files and operations in progress
 * @link: in rtk_tests
 * @ctl: see above
 * @dead: unregistered; changes under @ctl
 * @common: current parameters; rtk_lock
 * @config: current parameters of the test; rtk_lock
 * @state: state; changes under @ctl and rtk_lock
 * @reason: why the last run ended, or empty; rtk_lock
 * @generation: number of the run; rtk_lock
 * @run: results, NULL when idle; rtk_lock, and stable while running
 * @last_error: why the last set or start was refused; rtk_lock
 * @controller: ends the run when its writers have ended
 * @dir: debugfs directory
 * @files: for the files of parameters by row, then those of CPUs
 */
struct rtk_inst {
	const struct rtk_test *test;
	struct kref ref;
	struct list_head link;
	/* One transition at a time. */
	struct mutex ctl;
	bool dead;
	struct rtk_common common;
	void *config;
	enum rtk_state state;
	const char *reason;
	u32 generation;
	struct rtk_run *run;
	struct rtk_err last_error;
	struct delayed_work controller;
	struct dentry *dir;
	struct rtk_file *files;
};

/**
 * struct rtk_assign - a parameter to set
 * @name: name
 * @value: text
 */
struct rtk_assign {
	const char *name;
	const char *value;
};

/**
 * struct rtk_request - what a set or start asks for
 * @owner: who asks; start only
 * @assign: parameters, all of them or none
 * @n: number of @assign
 * @bad: out: number of the refused one, else left alone
 * @generation: out: number of the run that was started
 */
struct rtk_request {
	struct rtk_owner owner;
	const struct rtk_assign *assign;
	unsigned int n;
	int bad;
	u32 generation;
};

/* core.c: the list of tests */

extern struct mutex rtk_lock;
extern struct list_head rtk_tests;
extern struct workqueue_struct *rtk_wq;
/* Grows with each change of tests, parameters and runs; rtk_lock. */
extern u32 rtk_changes;
/* The system is about to suspend: nothing starts; rtk_lock. */
extern bool rtk_suspending;

/* Finds a test by name and takes a reference; NULL if there is none. */
struct rtk_inst *rtk_inst_get(const char *name);
/* The test at a position of the list, with a reference, or NULL. */
struct rtk_inst *rtk_inst_at(unsigned int pos);
void rtk_inst_put(struct rtk_inst *inst);
/* Has this test a series that readers in user space record? */
bool rtk_test_has_readers(const struct rtk_test *test);

/* run.c: life of a run. All may sleep and take ctl and rtk_lock; start, stop and
 * kill take cpus, too.
 */

/**
 * rtk_run_start() - set parameters, all or none, and start
 * @inst: test
 * @req: what is asked for
 *
 * Return: 0, -EBUSY while running, when a CPU is taken or the system is about
 * to suspend, -EINVAL, -ENODEV (offline CPU, or @inst is gone), -ENOMEM,
 * -ETIMEDOUT (a worker didn't get its CPU); last_error has the words
 */
int rtk_run_start(struct rtk_inst *inst, struct rtk_request *req);

/* Stops a run if there is one, else does nothing; 0, -ENODEV, or -ESTALE where
 * @generation is not 0 and not the run's. @state and @reason are what the run is
 * then said to have ended with.
 */
int rtk_run_stop(struct rtk_inst *inst, u32 generation, enum rtk_state state,
		 const char *reason);
/* Drops results; -EBUSY while running, -ENODEV when gone. */
int rtk_run_reset(struct rtk_inst *inst);
/* The same as rtk_run_start(), without starting. */
int rtk_run_set(struct rtk_inst *inst, struct rtk_request *req);
/* Stops the test for good; no transition succeeds afterwards. */
void rtk_run_kill(struct rtk_inst *inst);
/* Measured time so far, ns; rtk_lock held. */
u64 rtk_run_elapsed(const struct rtk_run *run);
/* What turns CLOCK_MONOTONIC into CLOCK_REALTIME as of the run's start, ns. */
s64 rtk_run_wall_offset(const struct rtk_run *run);
/* Fills in the calling process. */
void rtk_owner_self(struct rtk_owner *owner, u32 portid);
static inline bool rtk_inst_busy(const struct rtk_inst *inst)
{
	return inst->state == RTK_STATE_RUNNING ||
	       inst->state == RTK_STATE_STOPPING;
}

/* Ends a running run; ctl and cpus held. */
void rtk_run_finish(struct rtk_inst *inst, enum rtk_state state,
		    const char *reason);

/* Are the CPUs that a run keeps busy free? 0 or -EBUSY. Takes rtk_lock; it is looked at
 * again when the run begins.
 */
int rtk_run_check_free(struct rtk_inst *inst, const struct rtk_run *run, struct rtk_err *err);

/* setup.c: what a run is made of. ctl held, may sleep. */

/* A run with parameters as they are now; NULL without memory. */
struct rtk_run *rtk_setup_alloc(struct rtk_inst *inst, const struct rtk_common *common,
				const void *config);
/**
 * rtk_setup_settle() - settle what is measured where
 * @inst: test
 * @run: its run; rtk_setup_undo() is to follow in any case
 * @err: words
 *
 * Context: cpus held.
 * Return: 0 or -errno
 */
int rtk_setup_settle(struct rtk_inst *inst, struct rtk_run *run, struct rtk_err *err);
/* Gives back what the test has taken for the run, if it has not been yet. */
void rtk_setup_undo(struct rtk_inst *inst, struct rtk_run *run);
void rtk_run_put(struct rtk_run *run);

/* reader.c: programs in the place of the thread */

/* A reader of a CPU, not yet part of a run; NULL without memory. */
struct rtk_reader *rtk_reader_new(struct rtk_inst *inst, int cpu);
/* Ends its part and frees it. May sleep, takes rtk_lock. */
void rtk_reader_free(struct rtk_reader *r);
/**
 * rtk_reader_wait() - wait for the next activation
 * @r: reader
 * @wait: what to tell user space
 *
 * The first call joins the run.
 *
 * Return: 1, 0 when the run has ended, -EAGAIN while there is none, -EINVAL for
 * a task that isn't pinned to the CPU or a run without series user, -EBUSY if
 * there is another reader, -ENODEV, -EPERM, -ERESTARTSYS
 */
int rtk_reader_wait(struct rtk_reader *r, struct rtk_wait *wait);
/* Lanes of readers count nothing until there is one. Before arming. */
void rtk_reader_init(struct rtk_worker *w);
/* Sends readers home and waits until they have left; the windows are closed. */
void rtk_readers_stop(struct rtk_worker **w, unsigned int n);
/* Has this run lanes that readers record? */
bool rtk_reader_wanted(const struct rtk_worker *w);

/* control.c: what ends a run */

/*
 * Lets the controller look at the run in a while. cpus held: a timer put on a
 * CPU that has just gone would never fire, one that was there before is moved.
 */
void rtk_control_queue(struct rtk_inst *inst);
/* Sends an event if there are new outliers, and time for one; the @last one
 * comes at once. ctl held.
 */
void rtk_control_events(struct rtk_inst *inst, bool last);
/* Does the controller run on a measured CPU, for want of another? cpus held. */
bool rtk_control_is_measured(const struct rtk_run *run);
/* Work function of rtk_inst.controller. */
void rtk_control_work(struct work_struct *work);
/* Marks the runs that a closed netlink socket owned. Takes rtk_lock. */
void rtk_control_owner_gone(u32 portid);
/* A CPU goes offline: closes its part of every run. Timers and threads of it would
 * be moved to another one without a word, and go on measuring there. Under cpus
 * for writing.
 */
int rtk_control_cpu_down(unsigned int cpu);

/* worker.c: the threads. Under cpus and ctl, may sleep. */

/**
 * rtk_workers_start() - create, place and arm the workers of a run
 * @inst: test, with its run
 * @err: words for a failure
 *
 * Return: 0, or -errno and no worker is left
 */
int rtk_workers_start(struct rtk_inst *inst, struct rtk_err *err);
/**
 * rtk_workers_close() - close windows, disarm, and join workers
 * @w: workers of a run; those that are closed already are left alone
 * @n: number of them
 *
 * Also from CPU hotplug's teardown. Whatever runs on their CPUs, it takes no longer
 * than their ends on the caller's CPU would.
 */
void rtk_workers_close(struct rtk_worker **w, unsigned int n);
/* Is this CPU's part final? For readers without ctl. */
static inline bool rtk_worker_closed(const struct rtk_worker *w)
{
	/* Pairs with the release in rtk_workers_close(). */
	return smp_load_acquire(&w->closed);
}

/* param.c: parameters */

/* Number of rows, common ones first. */
unsigned int rtk_param_count(const struct rtk_test *test);
const struct rtk_param *rtk_param_row(const struct rtk_test *test,
				      unsigned int i);
/* Default of a row as text: the test's own, or the row's. */
const char *rtk_param_default(const struct rtk_test *test, unsigned int i);
/**
 * rtk_param_format() - value as text
 * @test: test
 * @i: row
 * @common: common parameters
 * @config: parameters of the test
 * @buf: RTK_PARAM_VALUE_MAX + 1 bytes
 */
void rtk_param_format(const struct rtk_test *test, unsigned int i,
		      const struct rtk_common *common, const void *config,
		      char *buf);
/* Words of an ENUM as "a|b|c", in @buf. */
const char *rtk_param_choices(const struct rtk_param *row, char *buf, size_t size);
/* Sets defaults; -EINVAL for a row whose default isn't valid. */
int rtk_param_defaults(const struct rtk_test *test, struct rtk_common *common,
		       void *config);
/* Is this a name for a test, series or parameter? Letters, digits, "_". */
bool rtk_name_valid(const char *name);
/* Checks rows at registration: 0 or -EINVAL. */
int rtk_param_check_rows(const struct rtk_test *test);
/**
 * rtk_param_apply() - set parameters in a copy
 * @test: test
 * @common: common parameters to change
 * @config: parameters of the test to change
 * @req: what to set; gets the number of the refused one
 * @err: words
 *
 * Checks each value, then the relations between all. A name given twice is
 * refused.
 *
 * Return: 0 or -EINVAL, -ENOENT for an unknown name; the copy is then undefined
 */
int rtk_param_apply(const struct rtk_test *test, struct rtk_common *common,
		    void *config, struct rtk_request *req, struct rtk_err *err);
/* Number of the series that the threshold applies to, or -EINVAL. */
int rtk_param_threshold_series(const struct rtk_test *test,
			       const struct rtk_common *common,
			       const void *config);
/* CPUs that a run would measure; hotplug must be held off by the caller, or
 * the answer is only for showing.
 */
void rtk_param_cpus(const struct rtk_test *test, const struct rtk_common *common,
		    struct cpumask *cpus);
/* Is this CPU none of the isolated ones? */
bool rtk_housekeeping_cpu(int cpu);
/* Is this series recorded with this configuration? */
bool rtk_series_on(const struct rtk_series *series, const void *config);

/* hist.c: lanes and copies of them */

/**
 * rtk_lane_alloc() - lane for a series on a CPU
 * @run: run
 * @c: CPU
 * @series: series
 * @ring: does the threshold apply to this series?
 *
 * Return: lane or NULL without memory
 */
struct rtk_lane *rtk_lane_alloc(struct rtk_run *run, struct rtk_cpu *c,
				const struct rtk_series *series, bool ring);
void rtk_lane_free(struct rtk_lane *lane);

/**
 * struct rtk_snap - copy of a lane
 * @buckets: its counts; NULL if they were not asked for
 * @n_buckets: number of them
 * @cpu: CPU
 * @series: series
 * @running: the lane was still being written
 * @count: sum of @buckets, or of the moments where there are none
 * @m: moments
 * @max: largest sample
 * @negative: see struct rtk_lane
 * @wrong_cpu: see struct rtk_lane
 * @outliers: see struct rtk_lane
 * @period: period of the grid; 0 while not armed
 * @expected: grid points until now or the end
 * @late: see struct rtk_lane
 * @missed: see struct rtk_lane
 * @ended_mono: end of the window, 0 while running
 * @smis: SMIs of the CPU during the run; -1 while running or not counted
 * @nmis: NMIs likewise
 * @counters: rtk_test.counters, NULL but for the CPU's first series
 * @n_counters: number of them
 * @counter: their values
 */
struct rtk_snap {
	u64 *buckets;
	u32 n_buckets;
	int cpu;
	const struct rtk_series *series;
	bool running;
	u64 count;
	struct rtk_moments m;
	s64 max;
	u64 negative;
	u64 wrong_cpu;
	u64 outliers;
	u64 period;
	u64 expected;
	u64 late;
	u64 missed;
	u64 ended_mono;
	s64 smis;
	s64 nmis;
	const struct rtk_counter *counters;
	unsigned int n_counters;
	u64 counter[RTK_COUNTERS_MAX];
};

/* Are there activations to account for? Not before there is a grid, nor without one. */
static inline bool rtk_snap_has_ledger(const struct rtk_snap *snap)
{
	return snap->series->flags & RTK_SERIES_LEDGER && snap->period;
}

/* The test whose run a lane is of. rtk_lock held. */
static inline const struct rtk_test *rtk_lane_test(const struct rtk_lane *lane)
{
	return container_of(lane->c, struct rtk_worker, c)->inst->test;
}

/* Memory for any lane's buckets: 0 or -ENOMEM. */
int rtk_snap_alloc(struct rtk_snap *snap);
void rtk_snap_free(struct rtk_snap *snap);
/**
 * rtk_snap_take() - copy the lane at a position
 * @inst: test
 * @pos: position: CPUs in order, the series of each in order
 * @snap: where to; buckets are copied if it has memory for them
 *
 * Context: rtk_lock held.
 * Return: 0, -ENOENT past the last lane
 */
int rtk_snap_take(struct rtk_inst *inst, unsigned int pos,
		  struct rtk_snap *snap);
/* Lane at a position, NULL past the last one. rtk_lock held. */
struct rtk_lane *rtk_lane_at(struct rtk_inst *inst, unsigned int pos);
/* Arithmetic mean, rounded to nearest; 0 for no samples. */
s64 rtk_snap_mean(const struct rtk_snap *snap);
/* Sample standard deviation, rounded down; 0 for less than two samples. */
u64 rtk_snap_stddev(const struct rtk_snap *snap);
/* Percentile 100 * num / den; in the order of signed values. count is not 0. */
s64 rtk_snap_percentile(const struct rtk_snap *snap, u32 num, u32 den);

/* outlier.c: samples with context */

/* Stores a sample above a limit. The lane's writer context. */
void rtk_outlier_note(struct rtk_lane *lane, s64 value, u64 now);
/* Takes the counters that the first outlier is compared with. On the CPU. */
void rtk_outlier_begin(struct rtk_cpu *c);
/**
 * struct rtk_worst - copy of the worst samples of a lane, all of one time
 * @sample: samples, the worst first
 * @n: number of them
 */
struct rtk_worst {
	struct rtk_sample sample[RTK_WORST];
	unsigned int n;
};

/**
 * rtk_outlier_at() - sample of a lane at a place
 * @lane: lane
 * @worst: the reader's; filled at place 0, to be kept for those after it. NULL from
 *	RTK_WORST on
 * @place: below RTK_WORST one of the worst, and from there on outlier number
 *	place - RTK_WORST of the ring. Where there is none, as in a ring that
 *	moved on meanwhile, it becomes the next at which there is one
 * @sample: where to
 *
 * Context: rtk_lock held. Never disturbs the writer.
 * Return: false past the last
 */
bool rtk_outlier_at(struct rtk_lane *lane, struct rtk_worst *worst, u64 *place,
		    struct rtk_sample *sample);
/* Worst sample of the series with the threshold on all CPUs, or NULL; its lane.
 * rtk_lock held.
 */
struct rtk_lane *rtk_outlier_worst(struct rtk_inst *inst, struct rtk_sample *sample);

/* klog.c: a run in the kernel log. The controller's, ctl held; takes rtk_lock. */

/* What is new, at each look. */
void rtk_klog_look(struct rtk_inst *inst);
/* The result. */
void rtk_klog_end(struct rtk_inst *inst);

/* debugfs.c */

int rtk_debugfs_init(void);
void rtk_debugfs_exit(void);
int rtk_debugfs_add(struct rtk_inst *inst);
void rtk_debugfs_del(struct rtk_inst *inst);
/* Is this the name of a file of the core's in a test's directory? */
bool rtk_debugfs_reserved(const char *name);

/* netlink.c */

int rtk_netlink_init(void);
void rtk_netlink_exit(void);
/* Tells listeners of new outliers; @new 0: of the run's state. May sleep, takes
 * rtk_lock.
 */
void rtk_netlink_event(struct rtk_inst *inst, u64 new, u64 lost);

#endif /* RTK_INTERNAL_H */
