// SPDX-License-Identifier: GPL-2.0
/* What of the readers can be tried without a module. */
#include <errno.h>
#include <unistd.h>

#include "readers.h"
#include "tap.h"
#include "util.h"

static int find(const char *mounts, char *buf, size_t size)
{
	char path[] = "/tmp/rtk-mounts-XXXXXX";
	int fd = mkstemp(path), err;

	if (fd < 0 || write(fd, mounts, strlen(mounts)) < 0)
		return -EIO;
	close(fd);
	err = rtk_readers_debugfs(buf, size, path);
	unlink(path);
	return err;
}

static void test_debugfs(void)
{
	char dir[64];

	ok_num(find("proc /proc proc rw 0 0\n"
		    "debugfs /not proc rw 0 0\n"
		    "none /mnt/de\\040bug debugfs rw 0 0\n", dir, sizeof(dir)),
	       0, "debugfs is found by its type");
	ok_str(dir, "/mnt/de bug", "under any name");
	ok_num(find("debugfs /sys/kernel/debug tracefs rw 0 0\n", dir,
		    sizeof(dir)), -ENOENT, "the name alone does not make it");
	ok_num(find("debugfs /sys/kernel/debug debugfs rw 0 0\n", dir, 8),
	       -ENAMETOOLONG, "a path that is cut is an error");
	ok_num(rtk_readers_debugfs(dir, sizeof(dir), "/nowhere/mounts"),
	       -ENOENT, "no list of mounts");
}

static void test_wanted(void)
{
	struct rtk_series series = { .name = "user" };
	struct rtk_param param = { .name = "user", .value = "0",
				   .run_value = "1" };
	struct rtk_test t = { .params = &param, .nparams = 1 };

	ok(!rtk_readers_wanted(&t), "a test without series user has none");
	t.series = &series;
	t.nseries = 1;
	ok(rtk_readers_wanted(&t), "the run's value counts");
	param.run_value = "0";
	ok(!rtk_readers_wanted(&t), "user=0 needs none");
	t.nparams = 0;
	ok(!rtk_readers_wanted(&t), "a test without the parameter has none");
}

static void test_end(void)
{
	char why[64] = "old";

	ok(!rtk_readers_end(NULL, NULL, why, sizeof(why)) && !*why,
	   "no readers, no failure");
	rtk_readers_report(NULL, NULL);
}

int main(void)
{
	tap_begin();
	test_debugfs();
	test_wanted();
	test_end();
	return tap_end();
}
