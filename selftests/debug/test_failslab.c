// SPDX-License-Identifier: GPL-2.0
/*
 * No memory: of each operation every allocation fails once, the first, the
 * second, and so on until there is none left. Either the operation fails, or it
 * does without; in both cases nothing is left of it, and a run works after it.
 * What a failure breaks without a word, such as a leak, the kernel reports.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "fail.h"
#include "kselftest_harness.h"

/* For all tries of an operation, with a run after each, s. */
#define LONG		1500

static const char * const endless[] = {
	"period_ns", "10000000", "warmup_ms", "0", "duration_ms", "0", "cpus", "0-1", NULL,
};

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
