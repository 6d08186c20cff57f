// SPDX-License-Identifier: GPL-2.0
/*
 * Failures of memory, one at a time, and what must be true after each.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "fail.h"

/* More allocations than any operation has. */
#define ALLOCS_MAX	5000

static const char * const quick[] = {
	"period_ns", "10000000", "warmup_ms", "0", "duration_ms", "50", "cpus", "0-1",
	"threshold_ns", "1", NULL,
};

/* --- failures ---------------------------------------------------------------- */

/* A setting of both kinds of failure. */
int put_fault(const char *name, const char *value)
{
	char path[128];
	int rc;

	snprintf(path, sizeof(path), FAULTS "failslab/%s", name);
	rc = put(path, value);
	snprintf(path, sizeof(path), FAULTS "fail_page_alloc/%s", name);
	return rc ?: put(path, value);
}

/* Only allocations below calls from addresses in this range. */
int put_range(unsigned long start, unsigned long end)
{
	char text[32];
	int rc;

	snprintf(text, sizeof(text), "%#lx", start);
	rc = put_fault("require-start", text);
	snprintf(text, sizeof(text), "%#lx", end);
	return rc ?: put_fault("require-end", text);
}

/* The same, for a function of the kernel's. */
int put_function(const char *name)
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
int put_module(void)
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

int wait_threads(void)
{
	time_t end = time(NULL) + PATIENCE;

	while (count_threads()) {
		if (time(NULL) > end)
			return -ETIME;
		usleep(10000);
	}
	return 0;
}

int check_ledgers(struct nl *nl)
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
int check_run(void)
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
int fail_each(const struct op *op)
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
