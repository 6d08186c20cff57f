// SPDX-License-Identifier: GPL-2.0
/* Environment from a made-up file system, and files written in one step. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "env.h"
#include "files.h"
#include "outfile.h"
#include "tap.h"
#include "util.h"

#define CPU "/sys/devices/system/cpu/"
#define CLOCK "/sys/devices/system/clocksource/clocksource0/"

static void put_cpu(const char *root, int cpu, const char *governor,
		    const char *disable)
{
	static const char * const names[] = { "POLL", "C1", "C1E", "C6" };
	static const char * const latencies[] = { "0", "2", "10", "133" };
	char path[256];
	int i;

	snprintf(path, sizeof(path), CPU "cpu%d/cpufreq/scaling_governor", cpu);
	put(root, path, governor);
	for (i = 0; i < 4; i++) {
		snprintf(path, sizeof(path), CPU "cpu%d/cpuidle/state%d/name",
			 cpu, i);
		put(root, path, names[i]);
		snprintf(path, sizeof(path), CPU "cpu%d/cpuidle/state%d/latency",
			 cpu, i);
		put(root, path, latencies[i]);
		snprintf(path, sizeof(path), CPU "cpu%d/cpuidle/state%d/disable",
			 cpu, i);
		put(root, path, i < 2 ? "0\n" : disable);
	}
}

static void test_found(const char *root)
{
	char name[256];
	struct rtk_cpuset cpus;
	struct rtk_env e;

	put(root, "/proc/cmdline", "isolcpus=1 quiet\n");
	put(root, "/proc/cpuinfo",
	    "processor\t: 0\nmodel name\t: Fast CPU 3000\nflags\t: x\n");
	put(root, "/proc/loadavg", "0.50 1.25 2.00 1/100 4711\n");
	put(root, "/sys/kernel/realtime", "1\n");
	put(root, CPU "online", "0-1\n");
	put(root, CPU "isolated", "1\n");
	put(root, CLOCK "current_clocksource", "tsc\n");
	put(root, CLOCK "available_clocksource", "tsc hpet\n");
	put_cpu(root, 0, "schedutil\n", "0\n");
	put_cpu(root, 1, "performance\n", "1\n");
	ok_num(rtk_env_capture(&e, root), 0, "captured");
	gethostname(name, sizeof(name));
	ok_str(e.fact[RTK_FACT_NODE].value, name, "the machine's name");
	ok_str(e.fact[RTK_FACT_CPU_MODEL].value, "Fast CPU 3000", "CPU model");
	ok_str(e.fact[RTK_FACT_CMDLINE].value, "isolcpus=1 quiet", "command line");
	ok_str(e.fact[RTK_FACT_CLOCKSOURCES].value, "tsc hpet", "clock sources");
	ok(e.rt == 1 && strstr(e.fact[RTK_FACT_RT_SOURCE].value,
			       "/sys/kernel/realtime: 1"), "a real-time kernel");
	ok(e.load[0] == 0.5 && e.load[1] == 1.25 && e.load[2] == 2, "load");
	ok(!e.fact[RTK_FACT_IDLE_DRIVER].value &&
	   strstr(e.fact[RTK_FACT_IDLE_DRIVER].reason, "No such file"),
	   "what is missing has a reason");
	rtk_cpuset_parse(&cpus, "1");
	ok_num(rtk_env_capture_cpus(&e, root, &cpus), 0, "CPU 1");
	ok(e.ncpus == 1 && !strcmp(e.cpus[0].governor, "performance") &&
	   e.nidle == 4 && e.idle[3].latency_us == 133 && e.idle[3].disabled,
	   "its governor and idle states");
	ok_num(e.deep_cpu, -1, "its deep idle states are disabled");
	rtk_env_free(&e);

	if (rtk_env_capture(&e, root))
		ok(false, "captured again");
	rtk_cpuset_parse(&cpus, "0-1");
	rtk_env_capture_cpus(&e, root, &cpus);
	ok(e.ncpus == 2 && e.deep_cpu == 0 && e.deep_us == 10,
	   "CPU 0 has deep ones, the quickest takes 10 us");
	rtk_env_free(&e);
}

static void test_missing(const char *root)
{
	struct rtk_cpuset cpus;
	struct rtk_env e;
	size_t i;

	ok_num(rtk_env_capture(&e, root), 0, "captured from an empty folder");
	for (i = 0; i < RTK_FACTS; i++)
		if (!e.fact[i].value == !e.fact[i].reason)
			ok(false, "fact %zu: either a value or a reason", i);
	ok(e.load[2] < 0 && e.cpu_latency_us < 0, "unknown numbers are -1");
	rtk_cpuset_parse(&cpus, "0-3");
	rtk_env_capture_cpus(&e, root, &cpus);
	ok(e.ncpus == 4 && !e.nidle && !e.cpus[3].governor[0],
	   "CPUs of which nothing is known");
	rtk_env_free(&e);
}

static int mode_of(const char *path)
{
	struct stat st;

	return stat(path, &st) ? -1 : (int)(st.st_mode & 07777);
}

static int entries(const char *dir)
{
	char command[PATH_MAX + 32];
	FILE *f;
	int n = -1;

	snprintf(command, sizeof(command), "ls -A '%s' | wc -l", dir);
	f = popen(command, "r");
	if (f && fscanf(f, "%d", &n) != 1)
		n = -1;
	if (f)
		pclose(f);
	return n;
}

static void test_outfile(const char *dir)
{
	char path[PATH_MAX], link[PATH_MAX], text[64];
	struct stat st;
	int fd;

	umask(022);
	snprintf(path, sizeof(path), "%s/out.json", dir);
	ok_num(rtk_outfile_check(path), 0, "a file can be written");
	ok_num(entries(dir), 0, "the check leaves nothing behind");
	ok_num(rtk_outfile_write(path, "one\n"), 0, "it is written");
	ok(rtk_read_text(text, sizeof(text), "%s", path) == 3 &&
	   !strcmp(text, "one"), "with its text");
	ok_num(mode_of(path), 0644, "with the usual mode");
	ok_num(rtk_outfile_write(path, "two\n"), 0, "it is replaced");
	ok_num(entries(dir), 1, "and nothing else is left");
	snprintf(link, sizeof(link), "%s/link", dir);
	ok(!symlink("out.json", link) && !rtk_outfile_check(link) &&
	   !rtk_outfile_write(link, "three\n"), "it is written by a link");
	ok(!lstat(link, &st) && S_ISLNK(st.st_mode) && entries(dir) == 2 &&
	   rtk_read_text(text, sizeof(text), "%s", path) == 5,
	   "which stays");
	snprintf(link, sizeof(link), "%s/nameless", dir);
	fd = open(link, O_RDWR | O_CREAT, 0600);
	unlink(link);
	snprintf(text, sizeof(text), "/proc/self/fd/%d", fd);
	ok(!symlink(text, link) && !rtk_outfile_check(link) &&
	   !rtk_outfile_write(link, "four"), "a link to a file without a name");
	ok(!lstat(link, &st) && S_ISLNK(st.st_mode) &&
	   pread(fd, text, sizeof(text), 0) == 4, "stays one, as /dev/stdout has to");
	ok(!rtk_outfile_is_file(link), "nothing can be replaced there");
	close(fd);
	unlink(link);
	snprintf(link, sizeof(link), "%s.rtk-a1B2c3", path);
	put("", link, "half of it");
	ok(!rtk_outfile_check(path) && access(link, F_OK),
	   "what a killed writer has left is removed");
	put("", link, "half of it");
	fd = open(link, O_RDONLY);
	ok(!flock(fd, LOCK_EX) && !rtk_outfile_check(path) &&
	   !access(link, F_OK), "but not what is being written");
	close(fd);
	unlink(link);
	snprintf(link, sizeof(link), "%s.backup", path);
	put("", link, "another file");
	ok(!rtk_outfile_check(path) && !access(link, F_OK),
	   "nor a file of somebody's own");
	ok_num(rtk_outfile_check(dir), -EISDIR, "a folder is no file");
	ok_num(rtk_outfile_check("/nowhere/x"), -ENOENT, "a folder that is not there");
	ok_num(rtk_outfile_write("/nowhere/x", "x"), -ENOENT, "likewise");
	ok_num(rtk_outfile_write("/dev/full", "x"), -ENOSPC, "a full device");
	ok_num(rtk_outfile_write("/dev/null", "x"), 0, "a device is written to");
	ok_num(mode_of("/dev/null") & 0666, 0666, "and stays one");
}

int main(void)
{
	char dir[] = "/tmp/rtk-unit-XXXXXX", sub[PATH_MAX];

	tap_begin();
	if (!mkdtemp(dir))
		return 1;
	snprintf(sub, sizeof(sub), "%s/root", dir);
	mkdir(sub, 0755);
	test_found(sub);
	snprintf(sub, sizeof(sub), "%s/empty", dir);
	mkdir(sub, 0755);
	test_missing(sub);
	snprintf(sub, sizeof(sub), "%s/files", dir);
	mkdir(sub, 0755);
	test_outfile(sub);
	if (!remove_tree(dir))
		return 1;
	return tap_end();
}
