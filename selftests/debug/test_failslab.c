// SPDX-License-Identifier: GPL-2.0
/*
 * No memory: of each operation every allocation fails once, the first, the
 * second, and so on until there is none left. Either the operation fails, or it
 * does without; in both cases nothing is left of it, and a run works after it.
 * What a failure breaks without a word, such as a leak, the kernel reports.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "nl.h"
#include "kselftest_harness.h"

#define FAULTS		"/sys/kernel/debug/"
/* Makes all kernel threads. */
#define KTHREADD	2
/* More allocations than any operation has. */
#define ALLOCS_MAX	5000
/* For what takes a second, on a slow machine, s. */
#define PATIENCE	60
/* For all tries of an operation, with a run after each, s. */
#define LONG		1500

static const char * const quick[] = {
	"period_ns", "10000000", "warmup_ms", "0", "duration_ms", "50", "cpus", "0-1",
	"threshold_ns", "1", NULL,
};

static const char * const endless[] = {
	"period_ns", "10000000", "warmup_ms", "0", "duration_ms", "0", "cpus", "0-1", NULL,
};

/**
 * struct op - operation under test
 * @name: for messages
 * @victim: the task whose allocations fail; 0 for the caller
 * @before: brings about the state that it is for, without failures
 * @run: the operation; 0 or -errno
 * @after: what must be true after it, given its result
 */
struct op {
	const char *name;
	pid_t victim;
	int (*before)(struct nl *nl);
	int (*run)(struct nl *nl);
	int (*after)(int run);
};

/* --- failures ---------------------------------------------------------------- */

/* A setting of both kinds of failure. */
static int put_fault(const char *name, const char *value)
{
	char path[128];
	int rc;

	snprintf(path, sizeof(path), FAULTS "failslab/%s", name);
	rc = put(path, value);
	snprintf(path, sizeof(path), FAULTS "fail_page_alloc/%s", name);
	return rc ?: put(path, value);
}

/* Only allocations below calls from addresses in this range. */
static int put_range(unsigned long start, unsigned long end)
{
	char text[32];
	int rc;

	snprintf(text, sizeof(text), "%#lx", start);
	rc = put_fault("require-start", text);
	snprintf(text, sizeof(text), "%#lx", end);
	return rc ?: put_fault("require-end", text);
}

/* The same, for a function of the kernel's. */
static int put_function(const char *name)
{
	unsigned long at, start = 0, end = -1UL;
	FILE *f = fopen("/proc/kallsyms", "r");
	char word[256];
	int pass;

	for (pass = 0; f && pass < 2; pass++) {
		rewind(f);
		while (fscanf(f, "%lx %*c %255s%*[^\n]", &at, word) == 2) {
			if (!strcmp(word, name))
				start = at;
			else if (start && at > start && at < end)
				end = at;
		}
	}
	if (f)
		fclose(f);
	return start ? put_range(start, end) : -ENOENT;
}

/* The same, for our module. */
static int put_module(void)
{
	unsigned long size, at;
	FILE *f = fopen("/proc/modules", "r");
	char name[64];
	int rc = -ENOENT;

	while (f && fscanf(f, "%63s %lu %*s %*s %*s %lx%*[^\n]", name, &size, &at) == 3)
		if (!strcmp(name, "rtk"))
			rc = put_range(at, at + size);
	if (f)
		fclose(f);
	return rc;
}

static int open_nth(pid_t pid)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/fail-nth", pid ?: getpid());
	return open(path, O_RDWR);
}

static int set_nth(int fd, unsigned int n)
{
	char text[16];
	int len = snprintf(text, sizeof(text), "%u", n);

	return pwrite(fd, text, len, 0) == len ? 0 : -errno;
}

/* How many allocations were left until the one that would have failed. */
static unsigned int get_nth(int fd)
{
	char text[16] = "";

	return pread(fd, text, sizeof(text) - 1, 0) > 0 ? atoi(text) : 0;
}

/* --- what must be true after each -------------------------------------------- */

static unsigned int count_threads(void)
{
	char path[300], comm[32];
	unsigned int n = 0;
	struct dirent *d;
	DIR *dir = opendir("/proc");
	FILE *f;

	while (dir && (d = readdir(dir))) {
		snprintf(path, sizeof(path), "/proc/%s/comm", d->d_name);
		f = fopen(path, "r");
		if (!f)
			continue;
		if (fgets(comm, sizeof(comm), f) && !strncmp(comm, "rtk/", 4))
			n++;
		fclose(f);
	}
	closedir(dir);
	return n;
}

static int wait_threads(void)
{
	time_t end = time(NULL) + PATIENCE;

	while (count_threads()) {
		if (time(NULL) > end)
			return -ETIME;
		usleep(10000);
	}
	return 0;
}

static int check_ledgers(struct nl *nl)
{
	static struct lanes lanes;
	unsigned int i;
	int rc = get_stats(nl, &lanes);

	if (rc)
		return rc;
	for (i = 0; i < lanes.n; i++) {
		const struct lane *l = &lanes.lane[i];

		if (l->running || !l->has_ledger || l->expected != l->delivered + l->missed)
			return -EBADMSG;
	}
	return lanes.n ? 0 : -ENODATA;
}

/* Nothing is left of the last operation, and a run can be had. */
static int check_run(void)
{
	struct info info;
	struct nl nl;
	int rc = nl_open(&nl);

	if (rc)
		return rc;
	rc = nl_command(&nl, RTK_CMD_STOP, false, NULL) ?: wait_threads();
	rc = rc ?: nl_command(&nl, RTK_CMD_START, false, quick);
	rc = rc ?: wait_end(&nl, PATIENCE, &info);
	if (!rc && info.state != RTK_STATE_DONE)
		rc = -EPROTO;
	rc = rc ?: check_ledgers(&nl) ?: wait_threads();
	nl_close(&nl);
	return rc;
}

static int say(const struct op *op, unsigned int n, const char *what, int rc)
{
	fprintf(stderr, "# %s, allocation %u: %s: %s\n", op->name, n, what, strerror(-rc));
	return rc;
}

/* fork() has its own view of some failures. */
static bool is_lack(const struct op *op, int rc)
{
	return rc == -ENOMEM || rc == -ENOBUFS || (rc == -EAGAIN && op->victim == KTHREADD);
}

/* One try: 1 if allocation @n was made to fail and all is well, 0 if there was none. */
static int fail_one(const struct op *op, int fd, unsigned int n, unsigned int *refused)
{
	unsigned int left;
	struct nl nl = {};
	int rc, run;

	rc = op->before ? op->before(&nl) : 0;
	if (rc)
		return say(op, n, "no way to begin", rc);
	if (set_nth(fd, n))
		return say(op, n, "no fail-nth", -errno);
	run = op->run(&nl);
	left = get_nth(fd);
	set_nth(fd, 0);
	nl_close(&nl);
	if (run && (left || !is_lack(op, run)))
		return say(op, n, "wrong error", run);
	*refused += !!run;
	rc = op->after ? op->after(run) : 0;
	rc = rc ?: check_run();
	if (rc)
		return say(op, n, "no run after it", rc);
	return !left;
}

/* All tries; how many of them were refused, or -errno. */
static int fail_each(const struct op *op)
{
	unsigned int n = 0, refused = 0;
	int fd = open_nth(op->victim), rc;

	if (fd < 0)
		return -errno;
	do {
		rc = fail_one(op, fd, ++n, &refused);
	} while (rc > 0 && n < ALLOCS_MAX);
	close(fd);
	fprintf(stderr, "# %s: %u allocations failed, %u of them it\n", op->name, n - 1, refused);
	return rc ?: (int)refused;
}

FIXTURE(failslab) {
	struct nl listener;
};

FIXTURE_SETUP(failslab)
{
	__u32 group;

	ASSERT_EQ(0, put_fault("verbose", "0"));
	ASSERT_EQ(0, put_fault("ignore-gfp-wait", "N"));
	ASSERT_EQ(0, put(FAULTS "fail_page_alloc/ignore-gfp-highmem", "N"));
	ASSERT_EQ(0, put(FAULTS "fail_page_alloc/min-order", "0"));
	ASSERT_EQ(0, put_range(0, -1UL));
	/* Faults of our own pages are not meant. */
	ASSERT_EQ(0, mlockall(MCL_CURRENT | MCL_FUTURE));
	/* Or events would need no memory. */
	ASSERT_EQ(0, nl_open(&self->listener));
	ASSERT_EQ(0, nl_group(&self->listener, &group));
	ASSERT_EQ(0, nl_join(&self->listener, group));
	ASSERT_EQ(0, check_run());
}

FIXTURE_TEARDOWN(failslab)
{
	nl_close(&self->listener);
}

/* --- requests ------------------------------------------------------------------ */

static int run_set(struct nl *nl)
{
	return nl_command(nl, RTK_CMD_SET, false, endless);
}

static int run_start(struct nl *nl)
{
	return nl_command(nl, RTK_CMD_START, false, endless);
}

static int run_stop(struct nl *nl)
{
	return nl_command(nl, RTK_CMD_STOP, false, NULL);
}

static int run_reset(struct nl *nl)
{
	return nl_command(nl, RTK_CMD_RESET, false, NULL);
}

static int before_start(struct nl *nl)
{
	return nl_open(nl) ?: run_set(nl);
}

static int before_stop(struct nl *nl)
{
	return nl_open(nl) ?: run_start(nl);
}

#define FAIL_EACH(...) EXPECT_LT(0, fail_each(&(const struct op){ __VA_ARGS__ }))

TEST_F_TIMEOUT(failslab, netlink_commands, LONG)
{
	FAIL_EACH("set", .before = nl_open, .run = run_set);
	FAIL_EACH("start", .before = nl_open, .run = run_start);
	FAIL_EACH("stop", .before = before_stop, .run = run_stop);
	FAIL_EACH("reset", .before = nl_open, .run = run_reset);
}

TEST_F_TIMEOUT(failslab, kernel_threads, LONG)
{
	FAIL_EACH("start", KTHREADD, .before = nl_open, .run = run_start);
}

/* Events have no memory while a run ends by itself; nobody waits for them. */
TEST_F_TIMEOUT(failslab, controller, 3 * PATIENCE)
{
	static const char * const pairs[] = { "duration_ms", "1000", NULL };
	struct info info;
	char left[16] = "";
	struct nl nl;
	FILE *f;

	ASSERT_EQ(0, nl_open(&nl));
	ASSERT_EQ(0, put_module());
	ASSERT_EQ(0, nl_command(&nl, RTK_CMD_START, true, pairs));
	EXPECT_EQ(0, put_fault("times", "1000000"));
	EXPECT_EQ(0, put_fault("probability", "100"));
	EXPECT_EQ(0, wait_threads());
	EXPECT_EQ(0, put_fault("probability", "0"));
	f = fopen(FAULTS "failslab/times", "r");
	ASSERT_NE(NULL, f);
	EXPECT_NE(NULL, fgets(left, sizeof(left), f));
	fclose(f);
	EXPECT_GT(1000000, atoi(left));
	EXPECT_EQ(0, wait_end(&nl, PATIENCE, &info));
	EXPECT_EQ(RTK_STATE_DONE, info.state);
	EXPECT_EQ(0, check_ledgers(&nl));
	nl_close(&nl);
	EXPECT_EQ(0, check_run());
}

/* --- dumps --------------------------------------------------------------------- */

static int run_info(struct nl *nl)
{
	struct info info;

	return get_info(nl, &info);
}

static int run_desc(struct nl *nl)
{
	static struct desc desc;

	return get_desc(nl, &desc);
}

static int run_stats(struct nl *nl)
{
	static struct lanes lanes;

	return get_stats(nl, &lanes);
}

static int run_hist(struct nl *nl)
{
	static struct lanes lanes;

	return get_hist(nl, &lanes);
}

static int run_samples(struct nl *nl)
{
	static struct samples samples;

	return get_samples(nl, &samples);
}

TEST_F_TIMEOUT(failslab, dumps, LONG)
{
	FAIL_EACH("test-get", .before = nl_open, .run = run_info);
	FAIL_EACH("dump of test-get", .before = nl_open, .run = run_desc);
	FAIL_EACH("stats-get", .before = nl_open, .run = run_stats);
	FAIL_EACH("hist-get", .before = nl_open, .run = run_hist);
	FAIL_EACH("outlier-get", .before = nl_open, .run = run_samples);
}

/* --- debugfs --------------------------------------------------------------------- */

static const char *file;

static int run_read(struct nl *nl)
{
	static char buf[65536];
	int fd = open(file, O_RDONLY), n;

	if (fd < 0)
		return -errno;
	do {
		n = read(fd, buf, sizeof(buf));
	} while (n > 0);
	n = n ? -errno : 0;
	close(fd);
	return n;
}

/* It would block. */
static int run_open(struct nl *nl)
{
	int fd = open(DEBUGFS_DIR "per_cpu/cpu0/wait", O_RDONLY);

	return fd < 0 || close(fd) ? -errno : 0;
}

static int run_write(struct nl *nl)
{
	return put(DEBUGFS_DIR "period_ns", "10000000");
}

static int run_enable(struct nl *nl)
{
	return put(DEBUGFS_DIR "enable", "1");
}

TEST_F_TIMEOUT(failslab, debugfs, LONG)
{
	static const char * const names[] = {
		"stats", "histogram", "outliers", "current_value", "state", "help",
		"last_error", "enable", "period_ns", "cpus",
	};
	char path[128];
	unsigned int i;

	for (i = 0; i < sizeof(names) / sizeof(*names); i++) {
		snprintf(path, sizeof(path), DEBUGFS_DIR "%s", names[i]);
		file = path;
		FAIL_EACH(names[i], .run = run_read);
	}
	FAIL_EACH("opening wait", .run = run_open);
	FAIL_EACH("writing period_ns", .run = run_write);
	FAIL_EACH("writing enable", .before = before_start, .run = run_enable);
}

TEST_F_TIMEOUT(failslab, kernel_threads_by_debugfs, LONG)
{
	FAIL_EACH("writing enable", KTHREADD, .before = before_start, .run = run_enable);
}

/* --- loading ----------------------------------------------------------------------- */

/* In memory: what a file system needs is not meant. */
static char image[1 << 20];
static ssize_t image_size;

static int read_image(void)
{
	const char *dir = getenv("RTK_MODDIR");
	char path[256];
	int fd;

	snprintf(path, sizeof(path), "%s/rtk.ko", dir ?: ".");
	fd = open(path, O_RDONLY);
	if (fd < 0)
		return -errno;
	image_size = read(fd, image, sizeof(image));
	close(fd);
	return image_size > 0 && image_size < (ssize_t)sizeof(image) ? 0 : -EIO;
}

static bool is_there(const char *path)
{
	struct stat st;

	return !stat(path, &st);
}

static int load(void)
{
	return syscall(SYS_init_module, image, image_size, "") ? -errno : 0;
}

static int before_load(struct nl *nl)
{
	if (syscall(SYS_delete_module, "rtk", O_NONBLOCK))
		return -errno;
	return is_there("/sys/kernel/debug/rtk") ? -EEXIST : 0;
}

static int run_load(struct nl *nl)
{
	return load();
}

/* What a failed one leaves would be in the way of the next. */
static int after_load(int run)
{
	if (!run)
		return 0;
	return is_there("/sys/module/rtk") || is_there("/sys/kernel/debug/rtk") ? -EEXIST : load();
}

TEST_F_TIMEOUT(failslab, load, LONG)
{
	ASSERT_EQ(0, read_image());
	/* What the loader itself needs is not meant. */
	ASSERT_EQ(0, put_function("do_init_module"));
	FAIL_EACH("load", .before = before_load, .run = run_load, .after = after_load);
}

TEST_HARNESS_MAIN
