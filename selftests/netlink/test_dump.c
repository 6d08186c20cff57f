// SPDX-License-Identifier: GPL-2.0
/*
 * Dumps of what a run has measured: complete, in small messages, and their
 * sums agree.
 */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "nl.h"
#include "kselftest_harness.h"

#define PATIENCE	30
/* 3 KiB of buckets: more than that is more than one message. */
#define MESSAGE_BUCKETS	192

FIXTURE(dump) {
	struct nl nl;
	struct nl other;
	struct info info;
	struct lanes lanes;
	struct lanes more;
	pid_t hog;
};

FIXTURE_SETUP(dump)
{
	if (no_module())
		SKIP(return, "not root, or module rtk is not loaded");
	ASSERT_EQ(0, nl_open(&self->nl));
	ASSERT_EQ(0, nl_open(&self->other));
	ASSERT_EQ(0, clean_slate(&self->nl));
}

FIXTURE_TEARDOWN(dump)
{
	if (self->hog > 0) {
		kill(self->hog, SIGKILL);
		waitpid(self->hog, NULL, 0);
	}
	clean_slate(&self->nl);
	nl_close(&self->other);
	nl_close(&self->nl);
}

static void wait_ns(long ns, bool busy)
{
	struct timespec t = { .tv_nsec = ns }, begin;

	if (!busy) {
		nanosleep(&t, NULL);
		return;
	}
	clock_gettime(CLOCK_MONOTONIC, &begin);
	do {
		clock_gettime(CLOCK_MONOTONIC, &t);
	} while ((t.tv_sec - begin.tv_sec) * 1000000000 + t.tv_nsec - begin.tv_nsec < ns);
}

/* Keeps CPU 0 from threads of lower priority, for 0 to 1 ms at a time. */
static pid_t start_hog(void)
{
	struct sched_param param = { .sched_priority = 99 };
	pid_t pid = fork();
	cpu_set_t cpu;

	if (pid)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	CPU_ZERO(&cpu);
	CPU_SET(0, &cpu);
	sched_setaffinity(0, sizeof(cpu), &cpu);
	sched_setscheduler(0, SCHED_FIFO, &param);
	for (;;) {
		wait_ns(rand() % 1000000, true);
		wait_ns(2000000, false);
	}
}

static unsigned int most_buckets(const struct lanes *lanes)
{
	unsigned int i, most = 0;

	for (i = 0; i < lanes->n; i++)
		if (lanes->lane[i].n_buckets > most)
			most = lanes->lane[i].n_buckets;
	return most;
}

/* A run, ended, of which at least one lane needs several messages. */
static int wide_run(struct nl *nl, struct lanes *lanes, struct info *info)
{
	unsigned int k, ms = 900, us = 500;
	char duration[16], period[16];
	int rc;

	for (k = 0; k < 6; k++) {
		const char * const pairs[] = {
			"warmup_ms", "0", "policy", "other",
			"period_ns", period, "duration_ms", duration, NULL,
		};

		snprintf(duration, sizeof(duration), "%u", ms);
		snprintf(period, sizeof(period), "%u", 1000 * us);
		rc = nl_command(nl, RTK_CMD_START, false, pairs) ?:
		     wait_end(nl, PATIENCE, info) ?:
		     get_hist(nl, lanes);
		if (rc || (info->state == RTK_STATE_DONE &&
			   most_buckets(lanes) > MESSAGE_BUCKETS))
			return rc;
		/* A quiet machine needs longer, an overloaded one more rest. */
		ms *= 2;
		if (info->state == RTK_STATE_FAILED)
			us *= 4;
	}
	return -ENODATA;
}

#define START_WIDE_RUN() do { \
	self->hog = start_hog(); \
	ASSERT_LT(0, self->hog); \
	ASSERT_EQ(0, wide_run(&self->nl, &self->lanes, &self->info)); \
} while (0)

typedef unsigned __int128 u128;

/* Sums over the buckets, with each value at the low or the high end of its own. */
struct bounds {
	__u64 count;
	__u64 late[2];
	u128 sum[2];
	u128 sumsq[2];
	__u64 first;
	__u64 last;
};

static struct bounds bounds_of(const struct lane *l)
{
	struct bounds b = { .first = RTK_HIST_BUCKETS };
	unsigned int i, k;

	for (i = 0; i < RTK_HIST_BUCKETS; i++) {
		if (!l->buckets[i])
			continue;
		if (b.first == RTK_HIST_BUCKETS)
			b.first = i;
		b.last = i;
		b.count += l->buckets[i];
		for (k = 0; k < 2; k++) {
			u128 v = k ? rtk_hist_last(i) : rtk_hist_low(i);

			b.sum[k] += l->buckets[i] * v;
			b.sumsq[k] += l->buckets[i] * v * v;
			b.late[k] += v >= l->period ? l->buckets[i] : 0;
		}
	}
	return b;
}

TEST_F_TIMEOUT(dump, sums, 4 * PATIENCE)
{
	unsigned int k;

	START_WIDE_RUN();
	EXPECT_GE(self->lanes.n, 2);
	for (k = 0; k < self->lanes.n; k++) {
		const struct lane *l = &self->lanes.lane[k];
		struct bounds b = bounds_of(l);

		ASSERT_NE(0, l->count);
		EXPECT_EQ(l->count, b.count);
		EXPECT_EQ(l->count, l->moments_count);
		EXPECT_EQ(l->count + l->negative, l->delivered);
		EXPECT_EQ(l->expected, l->delivered + l->missed);
		EXPECT_EQ(0, l->negative);
		EXPECT_EQ(0, l->wrong_cpu);
		EXPECT_EQ(0, l->outliers);
		EXPECT_STREQ("ns", l->unit);
		EXPECT_EQ(b.first, rtk_hist_index(l->min));
		EXPECT_EQ(b.last, rtk_hist_index(l->max));
		EXPECT_LE(l->min, l->last);
		EXPECT_GE(l->max, l->last);
		EXPECT_NE(0, l->buckets[rtk_hist_index(l->last)]);
		EXPECT_TRUE(b.sum[0] <= l->sum && l->sum <= b.sum[1]);
		EXPECT_TRUE(b.sumsq[0] <= l->sumsq && l->sumsq <= b.sumsq[1]);
		EXPECT_LE(b.late[0], l->late);
		EXPECT_GE(b.late[1], l->late);
		/* A late one in irq has at least one missed behind it. */
		EXPECT_TRUE(strcmp(l->series, "irq") || l->late <= l->missed + 1);
	}
}

TEST_F_TIMEOUT(dump, messages, 4 * PATIENCE)
{
	unsigned int k, i;

	START_WIDE_RUN();
	EXPECT_LE(self->nl.largest, NL_MESSAGE_MAX);
	EXPECT_FALSE(self->nl.intr);
	for (k = 0; k < self->lanes.n; k++) {
		const struct lane *l = &self->lanes.lane[k];

		EXPECT_TRUE(l->end);
		EXPECT_EQ(MAX(1, (l->n_buckets + MESSAGE_BUCKETS - 1) / MESSAGE_BUCKETS),
			  l->messages);
		/* Each lane once. */
		for (i = 0; i < k; i++) {
			EXPECT_TRUE(self->lanes.lane[i].cpu != l->cpu ||
				    strcmp(self->lanes.lane[i].series, l->series));
		}
	}
}

static bool same_lane(const struct lane *a, const struct lane *b)
{
	return a->cpu == b->cpu && !strcmp(a->series, b->series) &&
	       a->count == b->count && a->negative == b->negative &&
	       a->min == b->min && a->max == b->max && a->last == b->last &&
	       a->sum == b->sum && a->sumsq == b->sumsq &&
	       a->moments_count == b->moments_count && a->period == b->period &&
	       a->expected == b->expected && a->delivered == b->delivered &&
	       a->late == b->late && a->missed == b->missed && a->ended == b->ended &&
	       a->outliers == b->outliers && a->generation == b->generation;
}

TEST_F_TIMEOUT(dump, filters, 4 * PATIENCE)
{
	static const int cmds[] = { RTK_CMD_STATS_GET, RTK_CMD_HIST_GET };
	struct lanes *all = &self->lanes, *some = &self->more;
	struct nl *nl = &self->nl;
	unsigned int i, k, cpus = 0;

	START_WIDE_RUN();
	ASSERT_EQ(0, get_stats(nl, some));
	EXPECT_LE(nl->largest, NL_MESSAGE_MAX);
	ASSERT_EQ(all->n, some->n);
	for (k = 0; k < all->n; k++) {
		EXPECT_TRUE(same_lane(&all->lane[k], &some->lane[k]));
		cpus += all->lane[k].cpu == all->lane[0].cpu;
	}
	for (i = 0; i < 2; i++) {
		nl_cb cb = i ? hist_cb : stats_cb;

		for (k = 0; k < all->n; k++) {
			some->n = 0;
			ASSERT_EQ(0, nl_call(nl, nl_dump(nl, cmds[i], TEST_NAME, all->lane[k].cpu,
							 all->lane[k].series), cb, some));
			ASSERT_EQ(1, some->n);
			EXPECT_TRUE(same_lane(&all->lane[k], &some->lane[0]));
		}
		some->n = 0;
		ASSERT_EQ(0, nl_call(nl, nl_dump(nl, cmds[i], TEST_NAME, all->lane[0].cpu, NULL),
				     cb, some));
		EXPECT_EQ(cpus, some->n);
		some->n = 0;
		ASSERT_EQ(0, nl_call(nl, nl_dump(nl, cmds[i], TEST_NAME, -1, "thread"), cb, some));
		EXPECT_EQ(all->n / 2, some->n);
		some->n = 0;
		ASSERT_EQ(0, nl_call(nl, nl_dump(nl, cmds[i], TEST_NAME, 65535, NULL), cb, some));
		ASSERT_EQ(0, nl_call(nl, nl_dump(nl, cmds[i], TEST_NAME, -1, "none"), cb, some));
		EXPECT_EQ(0, some->n);
	}
}

/* What is sent after a restart in the middle is of no run. */
TEST_F_TIMEOUT(dump, interrupted_by_a_restart, 4 * PATIENCE)
{
	static const char * const pairs[] = { "period_ns", "10000000", "duration_ms", "0", NULL };
	struct nl *nl = &self->nl;
	unsigned int k;
	int rc = 0;

	START_WIDE_RUN();
	self->lanes.n = 0;
	ASSERT_EQ(0, nl_send(nl, nl_dump(nl, RTK_CMD_HIST_GET, TEST_NAME, -1, NULL)));
	ASSERT_EQ(0, nl_receive(nl, hist_cb, &self->lanes));
	ASSERT_FALSE(nl->done);
	EXPECT_FALSE(nl->intr);
	ASSERT_EQ(0, nl_command(&self->other, RTK_CMD_START, false, pairs));
	while (!rc && !nl->done)
		rc = nl_receive(nl, hist_cb, &self->lanes);
	EXPECT_EQ(0, rc);
	EXPECT_TRUE(nl->intr);
	for (k = 1; k < self->lanes.n; k++) {
		const struct lane *l = &self->lanes.lane[k];

		EXPECT_EQ(l[-1].generation, l->generation);
	}
	/* The next one is of the new run. */
	ASSERT_EQ(0, get_hist(nl, &self->lanes));
	EXPECT_FALSE(nl->intr);
	ASSERT_GE(self->lanes.n, 2);
	EXPECT_EQ(self->other.generation, self->lanes.lane[0].generation);
}

static const struct {
	int cmd;
	nl_cb cb;
} dumps[] = {
	{ RTK_CMD_TEST_GET, desc_cb },
	{ RTK_CMD_STATS_GET, stats_cb },
	{ RTK_CMD_HIST_GET, hist_cb },
	{ RTK_CMD_OUTLIER_GET, samples_cb },
};

/* What any of them gives. */
union content {
	struct desc desc;
	struct lanes lanes;
	struct samples samples;
};

/* Its first part is made when it is asked for, the rest when it is read. */
static int change_in_between(struct nl *nl, struct nl *other, unsigned int i, int change,
			     const char * const *pairs)
{
	static union content content;
	int rc;

	memset(&content, 0, sizeof(content));
	rc = nl_send(nl, nl_dump(nl, dumps[i].cmd, TEST_NAME, -1, NULL)) ?:
	     nl_command(other, change, false, pairs);
	while (!rc && !nl->done)
		rc = nl_receive(nl, dumps[i].cb, &content);
	return rc;
}

/* Whatever a dump is of: one that is not of one run alone says so. */
TEST_F_TIMEOUT(dump, marked_after_a_change, 4 * PATIENCE)
{
	static const char * const pairs[] = {
		"period_ns", "10000000", "warmup_ms", "0", "duration_ms", "100", NULL,
	};
	static const char * const longer[] = { "duration_ms", "0", NULL };
	struct nl *nl = &self->nl, *other = &self->other;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(dumps); i++) {
		/* With something in it: one of nothing is over when it is asked for. */
		ASSERT_EQ(0, nl_command(nl, RTK_CMD_START, false, pairs));
		ASSERT_EQ(0, wait_end(nl, PATIENCE, &self->info));
		EXPECT_EQ(0, change_in_between(nl, other, i, RTK_CMD_START, longer));
		EXPECT_TRUE(nl->intr) {
			TH_LOG("operation %d, start", dumps[i].cmd);
		}
		usleep(100000);
		/* An end is none: the results stay the same run's. */
		EXPECT_EQ(0, change_in_between(nl, other, i, RTK_CMD_STOP, NULL));
		EXPECT_FALSE(nl->intr) {
			TH_LOG("operation %d, stop", dumps[i].cmd);
		}
		EXPECT_EQ(0, change_in_between(nl, other, i, RTK_CMD_RESET, NULL));
		EXPECT_TRUE(nl->intr) {
			TH_LOG("operation %d, reset", dumps[i].cmd);
		}
	}
}

/* Reads with pauses, in which others use the family. */
static int read_slowly(struct nl *nl, struct nl *other, unsigned int i, void *content)
{
	struct info info;
	int rc = nl_send(nl, nl_dump(nl, dumps[i].cmd, TEST_NAME, -1, NULL));

	while (!rc && !nl->done) {
		usleep(2000);
		rc = get_info(other, &info) ?: nl_receive(nl, dumps[i].cb, content);
	}
	return rc;
}

TEST_F_TIMEOUT(dump, read_in_pieces, 4 * PATIENCE)
{
	static const char * const all[] = { "threshold_ns", "1", NULL };
	static union content whole, pieces;
	struct nl *large = &self->other, *small = &self->nl;
	unsigned int i, pass;
	int least = 1;

	ASSERT_EQ(0, nl_command(&self->nl, RTK_CMD_SET, false, all));
	START_WIDE_RUN();
	/* The kernel takes its least: room for one message of 3 KiB. */
	ASSERT_EQ(0, setsockopt(mnl_socket_get_fd(small->sock), SOL_SOCKET, SO_RCVBUF,
				&least, sizeof(least)));
	for (i = 0; i < ARRAY_SIZE(dumps); i++) {
		/* The kernel learns at the first reading what is offered. */
		large->room = NL_RECV_LARGE;
		for (pass = 0; pass < 2; pass++) {
			memset(&whole, 0, sizeof(whole));
			ASSERT_EQ(0, nl_call(large, nl_dump(large, dumps[i].cmd, TEST_NAME,
							    -1, NULL), dumps[i].cb, &whole));
		}
		pass = large->reads;
		large->room = NL_RECV_SIZE;
		memset(&pieces, 0, sizeof(pieces));
		ASSERT_EQ(0, read_slowly(small, large, i, &pieces));
		EXPECT_FALSE(small->intr);
		EXPECT_EQ(0, memcmp(&whole, &pieces, sizeof(whole))) {
			TH_LOG("operation %d", dumps[i].cmd);
		}
		/* Those of a few lanes and parameters are small. */
		EXPECT_TRUE(small->reads > pass || dumps[i].cmd < RTK_CMD_HIST_GET) {
			TH_LOG("operation %d: %u reads, %u", dumps[i].cmd, small->reads, pass);
		}
	}
}

TEST_F_TIMEOUT(dump, while_running, 4 * PATIENCE)
{
	static const char * const pairs[] = { "period_ns", "10000000", "warmup_ms", "0", NULL };
	struct nl *nl = &self->nl;
	__u64 count[NL_LANES_MAX] = {}, expected[NL_LANES_MAX] = {};
	unsigned int k, i;

	ASSERT_EQ(0, nl_command(nl, RTK_CMD_START, false, pairs));
	/* 1 s at 10 ms, or longer on a machine that stands still for a while. */
	for (k = 0; k < 20 || expected[0] < 50; k++) {
		ASSERT_EQ(0, get_hist(nl, &self->lanes));
		ASSERT_FALSE(nl->intr);
		for (i = 0; i < self->lanes.n; i++) {
			const struct lane *l = &self->lanes.lane[i];

			EXPECT_TRUE(l->running);
			EXPECT_FALSE(l->has_end);
			EXPECT_EQ(l->count, bounds_of(l).count);
			/* Copied after the buckets; one sample may be half recorded. */
			EXPECT_TRUE(!l->count || l->moments_count + 1 >= l->count);
			EXPECT_LE(count[i], l->count);
			EXPECT_LE(expected[i], l->expected);
			count[i] = l->count;
			expected[i] = l->expected;
		}
		usleep(50000);
	}
	EXPECT_NE(0, count[0]);
}

/* A dump in progress keeps the module, and that is said at once. */
TEST_F_TIMEOUT(dump, holds_the_module, 4 * PATIENCE)
{
	struct nl *nl = &self->nl;
	int rc = 0;

	START_WIDE_RUN();
	self->lanes.n = 0;
	ASSERT_EQ(0, nl_send(nl, nl_dump(nl, RTK_CMD_HIST_GET, TEST_NAME, -1, NULL)));
	ASSERT_EQ(0, nl_receive(nl, hist_cb, &self->lanes));
	ASSERT_FALSE(nl->done);
	EXPECT_EQ(-1, syscall(SYS_delete_module, "rtk", O_NONBLOCK));
	EXPECT_TRUE(errno == EWOULDBLOCK || errno == EBUSY);
	while (!rc && !nl->done)
		rc = nl_receive(nl, hist_cb, &self->lanes);
	EXPECT_EQ(0, rc);
	EXPECT_FALSE(nl->intr);
}

TEST_HARNESS_MAIN
