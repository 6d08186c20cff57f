// SPDX-License-Identifier: GPL-2.0
/*
 * Several processes at once.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "nl.h"
#include "kselftest_harness.h"

#define PATIENCE	60
#define STARTERS	8
#define ROUNDS		10
#define HAMMERS		4
#define HAMMER_SECONDS	4

static const char * const endless[] = { "period_ns", "10000000", "warmup_ms", "0", NULL };

/* What a starter tells. */
struct report {
	pid_t pid;
	int rc;
};

FIXTURE(parallel) {
	struct nl nl;
	struct info info;
	struct lanes lanes;
};

FIXTURE_SETUP(parallel)
{
	if (no_module())
		SKIP(return, "not root, or module rtk is not loaded");
	ASSERT_EQ(0, nl_open(&self->nl));
	ASSERT_EQ(0, clean_slate(&self->nl));
}

FIXTURE_TEARDOWN(parallel)
{
	clean_slate(&self->nl);
	nl_close(&self->nl);
}

/* In a child: the end of the pipe go lets all off at once, that of stay home. */
static void start_at_once(const int *go, const int *stay, int to)
{
	struct report report = { .pid = getpid() };
	static struct nl mine;
	char c;

	close(go[1]);
	close(stay[1]);
	report.rc = nl_open(&mine);
	if (!report.rc && !read(go[0], &c, 1))
		report.rc = nl_command(&mine, RTK_CMD_START, false, endless);
	if (write(to, &report, sizeof(report)) != sizeof(report))
		_exit(1);
	/* The run is its socket's. */
	_exit(read(stay[0], &c, 1));
}

/* The one who succeeded; 0 if it is not one, or others failed but with EBUSY. */
static pid_t the_winner(int from)
{
	struct report report;
	unsigned int i, won = 0, busy = 0;
	pid_t winner = 0;

	for (i = 0; i < STARTERS; i++) {
		if (read(from, &report, sizeof(report)) != sizeof(report))
			return 0;
		won += !report.rc;
		busy += report.rc == -EBUSY;
		if (!report.rc)
			winner = report.pid;
	}
	if (won == 1 && busy == STARTERS - 1)
		return winner;
	fprintf(stderr, "# %u succeeded, %u found it busy\n", won, busy);
	return 0;
}

static bool balanced(const struct lanes *lanes)
{
	unsigned int i;

	for (i = 0; i < lanes->n; i++)
		if (lanes->lane[i].expected != lanes->lane[i].delivered + lanes->lane[i].missed)
			return false;
	return true;
}

TEST_F_TIMEOUT(parallel, one_start_succeeds, 2 * PATIENCE)
{
	int go[2], stay[2], reports[2], status;
	unsigned int round, i;
	char text[64];
	pid_t winner;

	for (round = 0; round < ROUNDS; round++) {
		ASSERT_EQ(0, pipe(go) ?: pipe(stay) ?: pipe(reports));
		for (i = 0; i < STARTERS; i++)
			if (!fork())
				start_at_once(go, stay, reports[1]);
		close(reports[1]);
		close(go[1]);
		winner = the_winner(reports[0]);
		EXPECT_NE(0, winner);
		EXPECT_EQ(0, get_info(&self->nl, &self->info));
		EXPECT_EQ(RTK_STATE_RUNNING, self->info.state);
		EXPECT_EQ(winner, self->info.owner_pid);
		snprintf(text, sizeof(text), TEST_NAME " busy: owner pid %d ", winner);
		EXPECT_NE(NULL, strstr(self->info.last_error, text)) {
			TH_LOG("last error: %s", self->info.last_error);
		}
		close(stay[1]);
		for (i = 0; i < STARTERS; i++) {
			EXPECT_LT(0, wait(&status));
			EXPECT_EQ(0, status);
		}
		EXPECT_EQ(0, wait_end(&self->nl, PATIENCE, &self->info));
		EXPECT_STREQ("owner-gone", self->info.reason);
		EXPECT_EQ(0, get_stats(&self->nl, &self->lanes));
		EXPECT_LE(2, self->lanes.n);
		EXPECT_TRUE(balanced(&self->lanes));
		close(go[0]);
		close(stay[0]);
		close(reports[0]);
	}
}

/* One operation by chance; what is not expected of it is returned. */
static int strike(struct nl *nl, unsigned int what)
{
	static const char * const pairs[] = { "period_ns", "20000000", NULL };
	static struct samples samples;
	static struct lanes lanes;
	static struct desc desc;
	static struct info info;
	int rc;

	switch (what % 9) {
	case 0:
		return get_desc(nl, &desc);
	case 1:
		return get_info(nl, &info);
	case 2:
		return get_stats(nl, &lanes);
	case 3:
		return get_hist(nl, &lanes);
	case 4:
		return get_samples(nl, &samples);
	case 5:
		return nl_command(nl, RTK_CMD_STOP, false, NULL);
	case 6:
		rc = nl_command(nl, RTK_CMD_SET, false, pairs);
		break;
	case 7:
		rc = nl_command(nl, RTK_CMD_RESET, false, NULL);
		break;
	default:
		rc = nl_command(nl, RTK_CMD_START, false, endless);
		break;
	}
	return rc == -EBUSY ? 0 : rc;
}

static int hammer(unsigned int seed)
{
	time_t end = time(NULL) + HAMMER_SECONDS;
	static struct nl mine;
	unsigned int n, what = 0;
	int rc = nl_open(&mine);

	for (n = 0; !rc && time(NULL) < end; n++) {
		what = rand_r(&seed);
		rc = strike(&mine, what);
	}
	if (!rc && n > 10)
		return 0;
	fprintf(stderr, "# operation %u, number %u: %s\n", what % 9, n, strerror(-rc));
	return 1;
}

TEST_F_TIMEOUT(parallel, everything_at_once, 2 * PATIENCE)
{
	struct info *info = &self->info;
	__u32 generation;
	unsigned int i;
	int status;

	ASSERT_EQ(0, get_info(&self->nl, info));
	generation = info->generation;
	for (i = 0; i < HAMMERS; i++)
		if (!fork())
			_exit(hammer(i + 1));
	for (i = 0; i < HAMMERS; i++) {
		ASSERT_LT(0, wait(&status));
		EXPECT_EQ(0, status);
	}
	/* A run that is left goes with its owner. */
	ASSERT_EQ(0, wait_end(&self->nl, PATIENCE, info));
	EXPECT_TRUE(info->state == RTK_STATE_IDLE || info->state == RTK_STATE_DONE);
	EXPECT_LT(generation + 10, info->generation);
	ASSERT_EQ(0, get_stats(&self->nl, &self->lanes));
	EXPECT_TRUE(info->state == RTK_STATE_IDLE || self->lanes.n >= 2);
	EXPECT_TRUE(balanced(&self->lanes));
}

TEST_HARNESS_MAIN
