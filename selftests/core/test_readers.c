// SPDX-License-Identifier: GPL-2.0
/*
 * Programs that take the thread's place: readers of per_cpu/cpuN/wait, what
 * they get, who is refused, and what becomes of the ledger when they go.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <linux/capability.h>

#include "reader.h"
#include "kselftest_harness.h"

/* So slow that no stall of a busy machine makes the overload guard end it. */
#define PERIOD		10000000
/* For anything that has to happen on a slow machine, s. */
#define PATIENCE	60

/* What a reader in another process has done so far; error is of the last read. */
struct reader {
	unsigned int records;
	unsigned int wrong;
	int error;
};

static int set(const char *name, const char *value)
{
	char path[128];

	snprintf(path, sizeof(path), DEBUGFS_DIR "%s", name);
	return put(path, value);
}

/* What a file holds, as one string. */
static const char *get(const char *name)
{
	static char text[16384];
	char path[128];
	size_t n;
	FILE *f;

	snprintf(path, sizeof(path), DEBUGFS_DIR "%s", name);
	f = fopen(path, "r");
	n = f ? fread(text, 1, sizeof(text) - 1, f) : 0;
	text[n] = '\0';
	if (f)
		fclose(f);
	return text;
}

/* A number out of a text of stats; -1 if it isn't there. */
static long long number(const char *stats, int cpu, const char *series, const char *key)
{
	const char *line, *end, *word;
	char pattern[64];

	snprintf(pattern, sizeof(pattern), "cpu=%d series=%s ", cpu, series);
	line = strstr(stats, pattern);
	if (!line)
		return -1;
	end = strchr(line, '\n');
	snprintf(pattern, sizeof(pattern), " %s=", key);
	word = strstr(line, pattern);
	return word && word < end ? strtoll(word + strlen(pattern), NULL, 10) : -1;
}

static long long stat_of(int cpu, const char *series, const char *key)
{
	return number(get("stats"), cpu, series, key);
}

static bool balances(int cpu, const char *series)
{
	const char *stats = get("stats");
	long long expected = number(stats, cpu, series, "expected");
	long long delivered = number(stats, cpu, series, "delivered");
	long long missed = number(stats, cpu, series, "missed");

	if (delivered > 0 && missed >= 0 && expected == delivered + missed)
		return true;
	fprintf(stderr, "# cpu %d %s: expected %lld, delivered %lld, missed %lld\n",
		cpu, series, expected, delivered, missed);
	return false;
}

static bool all_balance(int cpu)
{
	return balances(cpu, "irq") && balances(cpu, "thread") && balances(cpu, "user");
}

static __u64 now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ULL + t.tv_nsec;
}

/* Reads to the end of the run, and looks at each record. */
static void read_all(int fd, struct reader *r)
{
	struct rtk_wait w, last = {};
	int n;

	while ((n = next(fd, &w)) == sizeof(w)) {
		bool good = w.sequence == r->records && w.thread >= w.planned &&
			    w.thread <= now();

		if (r->records)
			good = good && w.planned > last.planned &&
			       !((w.planned - last.planned) % PERIOD);
		r->wrong += !good;
		last = w;
		__atomic_store_n(&r->records, r->records + 1, __ATOMIC_RELEASE);
	}
	r->error = n;
}

/* A process that reads to the end of the run. */
static pid_t fork_reader(int cpu, struct reader *r)
{
	pid_t pid;

	memset(r, 0, sizeof(*r));
	pid = fork();
	if (!pid) {
		pin(cpu);
		read_all(open_wait(cpu), r);
		_exit(0);
	}
	return pid;
}

static bool has_read(const struct reader *r, unsigned int n)
{
	time_t end = time(NULL) + PATIENCE;

	while (__atomic_load_n(&r->records, __ATOMIC_ACQUIRE) < n) {
		if (time(NULL) > end)
			return false;
		usleep(1000);
	}
	return true;
}

/* Exit status of a process, or -1. */
static int status_of(pid_t pid)
{
	int status;

	if (waitpid(pid, &status, 0) != pid || !WIFEXITED(status))
		return -1;
	return WEXITSTATUS(status);
}

FIXTURE(readers) {
	struct reader *r;
	struct rtk_wait w;
	void *nowhere;
	int fd;
};

static void defaults(void)
{
	set("enable", "0");
	set("user", "0");
	set("cpus", "");
	set("duration_ms", "0");
	set("warmup_ms", "100");
	set("period_ns", "250000");
}

FIXTURE_SETUP(readers)
{
	if (no_debugfs())
		SKIP(return, "not root, or no debugfs of module rtk");
	self->r = mmap(NULL, 2 * sizeof(*self->r), PROT_READ | PROT_WRITE,
		       MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	self->nowhere = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, self->r);
	ASSERT_NE(MAP_FAILED, self->nowhere);
	defaults();
	ASSERT_EQ(0, set("period_ns", "10000000"));
	ASSERT_EQ(0, set("warmup_ms", "1"));
	ASSERT_EQ(0, set("user", "1"));
	ASSERT_EQ(0, pin(0));
	self->fd = open_wait(0);
	ASSERT_LE(0, self->fd);
}

FIXTURE_TEARDOWN(readers)
{
	close(self->fd);
	defaults();
}

TEST_F_TIMEOUT(readers, without_a_run, PATIENCE)
{
	EXPECT_EQ(-EAGAIN, next(self->fd, &self->w));
	ASSERT_EQ(0, set("enable", "1"));
	EXPECT_EQ(sizeof(self->w), next(self->fd, &self->w));
	ASSERT_EQ(0, set("enable", "0"));
	/* It was part of that run: once it is told of its end. */
	EXPECT_EQ(0, next(self->fd, &self->w));
	EXPECT_EQ(-EAGAIN, next(self->fd, &self->w));
}

TEST_F_TIMEOUT(readers, of_a_run_without_them, PATIENCE)
{
	ASSERT_EQ(0, set("user", "0"));
	ASSERT_EQ(0, set("enable", "1"));
	EXPECT_EQ(-EINVAL, next(self->fd, &self->w));
	EXPECT_NE(NULL, strstr(get("last_error"), "user=1"));
	EXPECT_EQ(-1, stat_of(0, "user", "count"));
}

TEST_F_TIMEOUT(readers, not_pinned, PATIENCE)
{
	cpu_set_t both;

	if (sysconf(_SC_NPROCESSORS_ONLN) < 2)
		SKIP(return, "one CPU");
	CPU_ZERO(&both);
	CPU_SET(0, &both);
	CPU_SET(1, &both);
	ASSERT_EQ(0, set("enable", "1"));
	ASSERT_EQ(0, sched_setaffinity(0, sizeof(both), &both));
	EXPECT_EQ(-EINVAL, next(self->fd, &self->w));
	EXPECT_NE(NULL, strstr(get("last_error"), "taskset -c 0"));
	ASSERT_EQ(0, pin(1));
	EXPECT_EQ(-EINVAL, next(self->fd, &self->w));
	ASSERT_EQ(0, pin(0));
	EXPECT_EQ(sizeof(self->w), next(self->fd, &self->w));
	/* One that goes away ends its series, and may come back. */
	ASSERT_EQ(0, pin(1));
	EXPECT_EQ(-EINVAL, next(self->fd, &self->w));
	EXPECT_TRUE(balances(0, "thread"));
	ASSERT_EQ(0, pin(0));
	EXPECT_EQ(sizeof(self->w), next(self->fd, &self->w));
	EXPECT_EQ(0, self->w.sequence);
	ASSERT_EQ(0, set("enable", "0"));
	EXPECT_TRUE(balances(0, "thread"));
}

TEST_F_TIMEOUT(readers, of_a_cpu_that_is_not_measured, PATIENCE)
{
	if (sysconf(_SC_NPROCESSORS_ONLN) < 2)
		SKIP(return, "one CPU");
	ASSERT_EQ(0, set("cpus", "1"));
	ASSERT_EQ(0, set("enable", "1"));
	EXPECT_EQ(-ENODEV, next(self->fd, &self->w));
	EXPECT_NE(NULL, strstr(get("last_error"), "CPU 0 "));
}

TEST_F_TIMEOUT(readers, without_sys_admin, PATIENCE)
{
	struct __user_cap_header_struct head = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[2] = {};
	pid_t pid;

	ASSERT_EQ(0, set("enable", "1"));
	pid = fork();
	if (!pid) {
		if (syscall(SYS_capset, &head, data))
			_exit(100);
		_exit(-next(self->fd, &self->w));
	}
	EXPECT_EQ(EPERM, status_of(pid));
}

TEST_F_TIMEOUT(readers, buffer, PATIENCE)
{
	char large[4096];

	ASSERT_EQ(24, sizeof(struct rtk_wait));
	ASSERT_EQ(0, set("enable", "1"));
	EXPECT_EQ(-1, read(self->fd, large, 23));
	EXPECT_EQ(EINVAL, errno);
	EXPECT_EQ(24, read(self->fd, large, 24));
	EXPECT_EQ(24, read(self->fd, large, sizeof(large)));
	EXPECT_EQ(-1, read(self->fd, self->nowhere, 24));
	EXPECT_EQ(EFAULT, errno);
}

TEST_F_TIMEOUT(readers, records, 2 * PATIENCE)
{
	pid_t pid;

	ASSERT_EQ(0, set("enable", "1"));
	pid = fork_reader(0, self->r);
	EXPECT_TRUE(has_read(self->r, 30));
	ASSERT_EQ(0, set("enable", "0"));
	EXPECT_EQ(0, status_of(pid));
	EXPECT_EQ(0, self->r->error);
	EXPECT_EQ(0, self->r->wrong);
	EXPECT_TRUE(all_balance(0));
	EXPECT_EQ(self->r->records, stat_of(0, "thread", "delivered"));
	/* The way back of the last one may be cut off by the end. */
	EXPECT_GE(self->r->records, stat_of(0, "user", "delivered"));
	EXPECT_LE(self->r->records - 1, stat_of(0, "user", "delivered"));
	EXPECT_GE(stat_of(0, "thread", "min_ns"), stat_of(0, "irq", "min_ns"));
	EXPECT_GE(stat_of(0, "user", "min_ns"), stat_of(0, "thread", "min_ns"));
}

TEST_F_TIMEOUT(readers, end_as_planned, 2 * PATIENCE)
{
	pid_t pid;

	ASSERT_EQ(0, set("duration_ms", "2000"));
	ASSERT_EQ(0, set("enable", "1"));
	pid = fork_reader(0, self->r);
	EXPECT_EQ(0, status_of(pid));
	EXPECT_EQ(0, self->r->error);
	EXPECT_LE(1, self->r->records);
	EXPECT_GE(200, self->r->records);
	while (get("enable")[0] != '0')
		usleep(10000);
	EXPECT_TRUE(all_balance(0));
}

TEST_F_TIMEOUT(readers, second_one, 2 * PATIENCE)
{
	char name[32];
	pid_t pid;

	ASSERT_EQ(0, set("enable", "1"));
	ASSERT_EQ(sizeof(self->w), next(self->fd, &self->w));
	snprintf(name, sizeof(name), "pid %d", getpid());
	/* With a file of its own, or by the same one. */
	pid = fork();
	if (!pid)
		_exit(-next(open_wait(0), &self->w));
	EXPECT_EQ(EBUSY, status_of(pid));
	EXPECT_NE(NULL, strstr(get("last_error"), name));
	pid = fork();
	if (!pid)
		_exit(-next(self->fd, &self->w));
	EXPECT_EQ(EBUSY, status_of(pid));
	/* The first has not noticed. */
	EXPECT_EQ(sizeof(self->w), next(self->fd, &self->w));
	EXPECT_EQ(1, self->w.sequence);
}

TEST_F_TIMEOUT(readers, killed_and_replaced, 2 * PATIENCE)
{
	struct reader *first = self->r, *second = self->r + 1;
	long long expected;
	pid_t pid;

	ASSERT_EQ(0, set("enable", "1"));
	pid = fork_reader(0, first);
	EXPECT_TRUE(has_read(first, 5));
	kill(pid, SIGKILL);
	EXPECT_EQ(-1, status_of(pid));
	EXPECT_TRUE(balances(0, "thread") && balances(0, "user"));
	/* Nobody is there: nothing is expected, except by the timer. */
	expected = stat_of(0, "thread", "expected");
	usleep(20 * PERIOD / 1000);
	EXPECT_EQ(expected, stat_of(0, "thread", "expected"));
	EXPECT_LE(expected + 10, stat_of(0, "irq", "expected"));
	pid = fork_reader(0, second);
	EXPECT_TRUE(has_read(second, 5));
	ASSERT_EQ(0, set("enable", "0"));
	EXPECT_EQ(0, status_of(pid));
	EXPECT_EQ(0, first->wrong + second->wrong);
	EXPECT_TRUE(all_balance(0));
	/* Of the killed one a record may not have reached its memory. */
	EXPECT_LE(first->records + second->records, stat_of(0, "thread", "delivered"));
	EXPECT_GE(first->records + second->records + 1, stat_of(0, "thread", "delivered"));
}

/* A file that a child has inherited does not close with its reader. */
TEST_F_TIMEOUT(readers, killed_with_its_file_open, 2 * PATIENCE)
{
	struct reader *first = self->r, *second = self->r + 1;
	pid_t pid;

	ASSERT_EQ(0, set("enable", "1"));
	pid = fork();
	if (!pid) {
		read_all(self->fd, first);
		_exit(0);
	}
	EXPECT_TRUE(has_read(first, 5));
	kill(pid, SIGKILL);
	EXPECT_EQ(-1, status_of(pid));
	pid = fork_reader(0, second);
	EXPECT_TRUE(has_read(second, 5));
	EXPECT_EQ(-EBUSY, next(self->fd, &self->w));
	kill(pid, SIGKILL);
	EXPECT_EQ(-1, status_of(pid));
	EXPECT_EQ(0, first->wrong + second->wrong);
	/* Or by the dead one's own file. */
	pid = fork();
	if (!pid) {
		memset(first, 0, sizeof(*first));
		read_all(self->fd, first);
		_exit(0);
	}
	EXPECT_TRUE(has_read(first, 5));
	kill(pid, SIGKILL);
	EXPECT_EQ(-1, status_of(pid));
	EXPECT_EQ(sizeof(self->w), next(self->fd, &self->w));
	EXPECT_EQ(0, self->w.sequence);
	ASSERT_EQ(0, set("enable", "0"));
	EXPECT_TRUE(all_balance(0));
}

TEST_F_TIMEOUT(readers, cpu_offline, 2 * PATIENCE)
{
	struct reader *stays = self->r, *goes = self->r + 1;
	pid_t pid[2];

	if (sysconf(_SC_NPROCESSORS_ONLN) < 2 || access(CPU1_ONLINE, W_OK))
		SKIP(return, "no CPU 1 that can be taken offline");
	ASSERT_EQ(0, set("cpus", "0-1"));
	ASSERT_EQ(0, set("enable", "1"));
	pid[0] = fork_reader(0, stays);
	pid[1] = fork_reader(1, goes);
	EXPECT_TRUE(has_read(stays, 5));
	EXPECT_TRUE(has_read(goes, 5));
	EXPECT_EQ(0, put(CPU1_ONLINE, "0"));
	/* Its series ends there; which of the two it hears of first is open. */
	EXPECT_EQ(0, status_of(pid[1]));
	EXPECT_TRUE(!goes->error || goes->error == -EINVAL);
	EXPECT_TRUE(has_read(stays, stays->records + 5));
	EXPECT_EQ(0, put(CPU1_ONLINE, "1"));
	ASSERT_EQ(0, set("enable", "0"));
	EXPECT_EQ(0, status_of(pid[0]));
	EXPECT_EQ(0, stays->error);
	EXPECT_EQ(0, stays->wrong + goes->wrong);
	EXPECT_NE(NULL, strstr(get("state"), "lost_cpus=1"));
	EXPECT_TRUE(all_balance(0) && all_balance(1));
}

TEST_F_TIMEOUT(readers, keep_the_module, PATIENCE)
{
	/* As rmmod does: not to wait. */
	EXPECT_EQ(-1, syscall(SYS_delete_module, "rtk", O_NONBLOCK));
	EXPECT_EQ(EAGAIN, errno);
	EXPECT_EQ(-EAGAIN, next(self->fd, &self->w));
	ASSERT_EQ(0, set("enable", "1"));
	EXPECT_EQ(sizeof(self->w), next(self->fd, &self->w));
}

static void on_signal(int signal) {}

/* With a handler that doesn't restart the call. */
static void read_to_signal(int fd, struct reader *r)
{
	struct sigaction action = { .sa_handler = on_signal };
	struct rtk_wait w;

	sigaction(SIGUSR1, &action, NULL);
	__atomic_store_n(&r->records, 1, __ATOMIC_RELEASE);
	do {
		r->error = next(fd, &w);
	} while (r->error > 0);
	_exit(0);
}

TEST_F_TIMEOUT(readers, signal, 2 * PATIENCE)
{
	int status;
	pid_t pid;

	/* Most of the time it is blocked. */
	ASSERT_EQ(0, set("period_ns", "1000000000"));
	ASSERT_EQ(0, set("enable", "1"));
	self->r->records = 0;
	pid = fork();
	if (!pid)
		read_to_signal(open_wait(0), self->r);
	EXPECT_TRUE(has_read(self->r, 1));
	/* Again and again: the first may find it before its read. */
	while (!waitpid(pid, &status, WNOHANG)) {
		kill(pid, SIGUSR1);
		usleep(20000);
	}
	EXPECT_EQ(-EINTR, self->r->error);
	EXPECT_EQ(sizeof(self->w), next(self->fd, &self->w));
	ASSERT_EQ(0, set("enable", "0"));
	EXPECT_TRUE(balances(0, "thread"));
}

TEST_HARNESS_MAIN
