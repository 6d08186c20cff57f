// SPDX-License-Identifier: GPL-2.0
/*
 * Life of a run as netlink shows it: start, stop, reset, what is refused
 * meanwhile, and whose it is.
 */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "nl.h"
#include "kselftest_harness.h"

/* Long enough for anything that has to happen on a slow machine. */
#define PATIENCE 30

/*
 * So slow that no stall of a busy machine makes the overload guard end it, and
 * armed before the end of warm-up there, too.
 */
static const char * const quick[] = {
	"period_ns", "10000000", "warmup_ms", "500", "duration_ms", "300", NULL,
};

static const char * const endless[] = {
	"period_ns", "10000000", "warmup_ms", "10", "duration_ms", "0", NULL,
};

FIXTURE(run) {
	struct nl nl;
	struct nl other;
	struct info info;
	struct desc desc;
	struct lanes lanes;
};

FIXTURE_SETUP(run)
{
	if (no_module())
		SKIP(return, "not root, or module rtk is not loaded");
	ASSERT_EQ(0, nl_open(&self->nl));
	ASSERT_EQ(0, nl_open(&self->other));
	ASSERT_EQ(0, clean_slate(&self->nl));
}

FIXTURE_TEARDOWN(run)
{
	clean_slate(&self->nl);
	nl_close(&self->other);
	nl_close(&self->nl);
}

static __u64 clock_ns(clockid_t id)
{
	struct timespec t;

	clock_gettime(id, &t);
	return t.tv_sec * 1000000000ULL + t.tv_nsec;
}

TEST_F_TIMEOUT(run, to_its_planned_end, 2 * PATIENCE)
{
	__u64 mono = clock_ns(CLOCK_MONOTONIC), wall = clock_ns(CLOCK_REALTIME);
	struct info *i = &self->info;
	struct nl *nl = &self->nl;
	__u32 generation;
	char comm[32];
	unsigned int k;

	ASSERT_EQ(0, get_info(nl, i));
	generation = i->generation;
	ASSERT_EQ(0, nl_command(nl, RTK_CMD_START, false, quick));
	EXPECT_EQ(generation + 1, nl->generation);
	ASSERT_EQ(0, wait_end(nl, PATIENCE, i));
	EXPECT_EQ(generation + 1, i->generation);
	EXPECT_EQ(RTK_STATE_DONE, i->state);
	EXPECT_STREQ("duration", i->reason);
	EXPECT_STREQ("", i->last_error);
	EXPECT_STREQ("", i->lost);
	EXPECT_EQ(300000000, i->planned);
	EXPECT_EQ(300000000, i->elapsed);
	ASSERT_TRUE(i->has_end);
	EXPECT_EQ(300000000, i->ended_mono - i->started_mono);
	EXPECT_GE(i->started_mono, mono + 500000000);
	EXPECT_LE(i->ended_mono, clock_ns(CLOCK_MONOTONIC));
	EXPECT_GE(i->started_wall, wall + 500000000);
	EXPECT_LE(i->started_wall, clock_ns(CLOCK_REALTIME));
	EXPECT_EQ(getpid(), i->owner_pid);
	prctl(PR_GET_NAME, comm);
	EXPECT_STREQ(comm, i->owner_comm);

	ASSERT_EQ(0, get_stats(nl, &self->lanes));
	EXPECT_GE(self->lanes.n, 2);
	for (k = 0; k < self->lanes.n; k++) {
		const struct lane *l = &self->lanes.lane[k];

		EXPECT_EQ(30, l->expected);
		EXPECT_EQ(l->expected, l->delivered + l->missed);
		EXPECT_EQ(10000000, l->period);
		EXPECT_EQ(i->ended_mono, l->ended);
		EXPECT_FALSE(l->running);
	}
}

TEST_F_TIMEOUT(run, stopped, 2 * PATIENCE)
{
	struct info *i = &self->info;
	struct nl *nl = &self->nl;
	unsigned int k;

	ASSERT_EQ(0, nl_command(nl, RTK_CMD_START, false, endless));
	ASSERT_EQ(0, get_info(nl, i));
	EXPECT_EQ(RTK_STATE_RUNNING, i->state);
	EXPECT_STREQ("", i->reason);
	EXPECT_FALSE(i->has_end);
	EXPECT_EQ(0, i->planned);
	usleep(300000);
	ASSERT_EQ(0, nl_command(nl, RTK_CMD_STOP, false, NULL));
	/* The answer comes when nothing of it runs any more. */
	ASSERT_EQ(0, get_info(nl, i));
	EXPECT_EQ(RTK_STATE_DONE, i->state);
	EXPECT_STREQ("stopped", i->reason);
	ASSERT_TRUE(i->has_end);
	EXPECT_EQ(i->elapsed, i->ended_mono - i->started_mono);
	ASSERT_EQ(0, get_stats(nl, &self->lanes));
	for (k = 0; k < self->lanes.n; k++) {
		const struct lane *l = &self->lanes.lane[k];

		EXPECT_EQ(l->expected, l->delivered + l->missed);
		EXPECT_FALSE(l->running);
		EXPECT_LE(l->ended, i->ended_mono);
	}
	/* Nothing to stop is no error. */
	EXPECT_EQ(0, nl_command(nl, RTK_CMD_STOP, false, NULL));
	ASSERT_EQ(0, get_info(nl, i));
	EXPECT_STREQ("stopped", i->reason);
}

static int stop_generation(struct nl *nl, __u32 generation)
{
	struct nlmsghdr *nlh = nl_begin(nl, RTK_CMD_STOP, NLM_F_ACK);

	mnl_attr_put_strz(nlh, RTK_A_TEST, TEST_NAME);
	mnl_attr_put_u32(nlh, RTK_A_GENERATION, generation);
	return nl_call(nl, nlh, NULL, NULL);
}

/* Who stops its own run stops no other that is in its place. */
TEST_F(run, stopped_by_number)
{
	struct info *i = &self->info;
	struct nl *nl = &self->nl;
	__u32 mine;

	ASSERT_EQ(0, nl_command(nl, RTK_CMD_START, false, endless));
	mine = nl->generation;
	ASSERT_EQ(0, nl_command(nl, RTK_CMD_STOP, false, NULL));
	/* Nothing of it is left to stop. */
	EXPECT_EQ(0, stop_generation(nl, mine));
	ASSERT_EQ(0, nl_command(&self->other, RTK_CMD_START, false, endless));
	EXPECT_EQ(-ESTALE, stop_generation(nl, mine));
	EXPECT_NE(0, nl->offset);
	EXPECT_NE(0, nl->text[0]);
	EXPECT_EQ(-ESTALE, stop_generation(nl, mine + 2));
	ASSERT_EQ(0, get_info(nl, i));
	EXPECT_EQ(RTK_STATE_RUNNING, i->state);
	EXPECT_EQ(0, stop_generation(nl, mine + 1));
	ASSERT_EQ(0, get_info(nl, i));
	EXPECT_EQ(RTK_STATE_DONE, i->state);
	ASSERT_EQ(0, nl_command(nl, RTK_CMD_RESET, false, NULL));
	EXPECT_EQ(-ESTALE, stop_generation(nl, mine + 1));
}

TEST_F(run, stopped_during_warm_up)
{
	static const char * const pairs[] = { "warmup_ms", "600000", NULL };
	struct info *i = &self->info;
	struct nl *nl = &self->nl;
	unsigned int k;

	ASSERT_EQ(0, nl_command(nl, RTK_CMD_START, false, pairs));
	usleep(50000);
	ASSERT_EQ(0, get_info(nl, i));
	EXPECT_EQ(0, i->elapsed);
	ASSERT_EQ(0, nl_command(nl, RTK_CMD_STOP, false, NULL));
	ASSERT_EQ(0, get_info(nl, i));
	EXPECT_EQ(RTK_STATE_DONE, i->state);
	EXPECT_EQ(0, i->elapsed);
	/* Not at the end of a warm-up that never came. */
	EXPECT_LE(i->ended_mono, clock_ns(CLOCK_MONOTONIC));
	ASSERT_EQ(0, get_stats(nl, &self->lanes));
	EXPECT_GE(self->lanes.n, 2);
	for (k = 0; k < self->lanes.n; k++) {
		EXPECT_EQ(0, self->lanes.lane[k].count);
		EXPECT_EQ(0, self->lanes.lane[k].expected);
		EXPECT_EQ(0, self->lanes.lane[k].missed);
	}
}

TEST_F(run, refused_while_running)
{
	static const char * const pairs[] = { "thread", "0", NULL };
	static const int cmds[] = { RTK_CMD_SET, RTK_CMD_START, RTK_CMD_RESET };
	struct info *i = &self->info;
	struct nl *nl = &self->nl;
	char pid[32], comm[32];
	__u32 generation;
	unsigned int k;

	ASSERT_EQ(0, nl_command(nl, RTK_CMD_START, false, endless));
	generation = nl->generation;
	snprintf(pid, sizeof(pid), "%d", getpid());
	prctl(PR_GET_NAME, comm);
	for (k = 0; k < ARRAY_SIZE(cmds); k++) {
		EXPECT_EQ(-EBUSY, nl_command(&self->other, cmds[k], false,
					     cmds[k] == RTK_CMD_RESET ? NULL : pairs));
		EXPECT_NE(0, self->other.text[0]);
		ASSERT_EQ(0, get_info(nl, i));
		EXPECT_EQ(RTK_STATE_RUNNING, i->state);
		EXPECT_EQ(generation, i->generation);
		EXPECT_NE(NULL, strstr(i->last_error, pid)) {
			TH_LOG("last error: %s", i->last_error);
		}
		EXPECT_NE(NULL, strstr(i->last_error, comm));
	}
	ASSERT_EQ(0, get_desc(nl, &self->desc));
	EXPECT_STREQ("1", find_param(&self->desc, "thread")->value);
	/* Not the owner, but as privileged. */
	EXPECT_EQ(0, nl_command(&self->other, RTK_CMD_STOP, false, NULL));
}

TEST_F_TIMEOUT(run, values_of_the_run, 2 * PATIENCE)
{
	static const char * const later[] = { "period_ns", "2000000", NULL };
	struct nl *nl = &self->nl;
	const struct param *p;
	unsigned int k;

	ASSERT_EQ(0, nl_command(nl, RTK_CMD_START, false, quick));
	ASSERT_EQ(0, wait_end(nl, PATIENCE, &self->info));
	/* Values given to start stay. */
	ASSERT_EQ(0, get_desc(nl, &self->desc));
	for (k = 0; quick[k]; k += 2) {
		p = find_param(&self->desc, quick[k]);
		EXPECT_STREQ(quick[k + 1], p->value);
		EXPECT_FALSE(p->has_run_value);
	}
	/* What is set later is not what the results were measured with. */
	ASSERT_EQ(0, nl_command(nl, RTK_CMD_SET, false, later));
	ASSERT_EQ(0, get_desc(nl, &self->desc));
	for (k = 0; k < self->desc.n_params; k++)
		EXPECT_EQ(!strcmp(self->desc.param[k].name, "period_ns"),
			  self->desc.param[k].has_run_value);
	p = find_param(&self->desc, "period_ns");
	EXPECT_STREQ("2000000", p->value);
	EXPECT_STREQ(quick[1], p->run_value);
	EXPECT_LE(nl->largest, NL_MESSAGE_MAX);
}

TEST_F_TIMEOUT(run, reset, 2 * PATIENCE)
{
	struct info *i = &self->info;
	struct nl *nl = &self->nl;
	unsigned int k;

	ASSERT_EQ(0, nl_command(nl, RTK_CMD_START, false, quick));
	ASSERT_EQ(0, wait_end(nl, PATIENCE, i));
	ASSERT_EQ(0, nl_command(nl, RTK_CMD_RESET, false, NULL));
	EXPECT_EQ(i->generation + 1, nl->generation);
	ASSERT_EQ(0, get_info(nl, i));
	EXPECT_EQ(RTK_STATE_IDLE, i->state);
	EXPECT_EQ(nl->generation, i->generation);
	EXPECT_STREQ("", i->reason);
	EXPECT_FALSE(i->has_run);
	ASSERT_EQ(0, get_stats(nl, &self->lanes));
	EXPECT_EQ(0, self->lanes.n);
	ASSERT_EQ(0, get_hist(nl, &self->lanes));
	EXPECT_EQ(0, self->lanes.n);
	/* The parameters are kept. */
	ASSERT_EQ(0, get_desc(nl, &self->desc));
	for (k = 0; quick[k]; k += 2) {
		const struct param *p = find_param(&self->desc, quick[k]);

		EXPECT_STREQ(quick[k + 1], p->value);
		EXPECT_FALSE(p->has_run_value);
	}
	EXPECT_EQ(0, nl_command(nl, RTK_CMD_RESET, false, NULL));
}

/* A start that is refused leaves the results of the run before alone. */
TEST_F_TIMEOUT(run, results_survive_a_refused_start, 2 * PATIENCE)
{
	static const char * const bad[] = { "period_ns", "1", NULL };
	struct nl *nl = &self->nl;
	__u64 count;

	ASSERT_EQ(0, nl_command(nl, RTK_CMD_START, false, quick));
	ASSERT_EQ(0, wait_end(nl, PATIENCE, &self->info));
	ASSERT_EQ(0, get_stats(nl, &self->lanes));
	count = self->lanes.lane[0].count;
	EXPECT_NE(0, count);
	EXPECT_EQ(-EINVAL, nl_command(nl, RTK_CMD_START, false, bad));
	ASSERT_EQ(0, get_stats(nl, &self->lanes));
	ASSERT_GE(self->lanes.n, 2);
	EXPECT_EQ(count, self->lanes.lane[0].count);
	ASSERT_EQ(0, get_info(nl, &self->info));
	EXPECT_EQ(RTK_STATE_DONE, self->info.state);
	EXPECT_STREQ("duration", self->info.reason);
}

TEST_F_TIMEOUT(run, ends_with_its_socket, 2 * PATIENCE)
{
	struct info *i = &self->info;

	ASSERT_EQ(0, nl_command(&self->other, RTK_CMD_START, false, endless));
	/* Another socket's end is nothing to it. */
	nl_close(&self->nl);
	ASSERT_EQ(0, nl_open(&self->nl));
	usleep(200000);
	ASSERT_EQ(0, get_info(&self->nl, i));
	EXPECT_EQ(RTK_STATE_RUNNING, i->state);
	nl_close(&self->other);
	ASSERT_EQ(0, wait_end(&self->nl, PATIENCE, i));
	EXPECT_EQ(RTK_STATE_DONE, i->state);
	EXPECT_STREQ("owner-gone", i->reason);
	ASSERT_EQ(0, get_stats(&self->nl, &self->lanes));
	EXPECT_EQ(self->lanes.lane[0].expected,
		  self->lanes.lane[0].delivered + self->lanes.lane[0].missed);
}

TEST_F_TIMEOUT(run, ends_with_a_killed_process, 2 * PATIENCE)
{
	struct info *i = &self->info;
	int status = -1;
	pid_t pid;

	pid = fork();
	ASSERT_LE(0, pid);
	if (!pid) {
		static struct nl mine;

		if (nl_open(&mine) || nl_command(&mine, RTK_CMD_START, false, endless))
			_exit(1);
		raise(SIGKILL);
	}
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	ASSERT_TRUE(WIFSIGNALED(status));
	ASSERT_EQ(0, wait_end(&self->nl, PATIENCE, i));
	EXPECT_STREQ("owner-gone", i->reason);
	EXPECT_EQ(pid, i->owner_pid);
}

TEST_F(run, goes_on_when_detached)
{
	struct info *i = &self->info;

	ASSERT_EQ(0, nl_command(&self->other, RTK_CMD_START, true, endless));
	nl_close(&self->other);
	usleep(500000);
	ASSERT_EQ(0, get_info(&self->nl, i));
	EXPECT_EQ(RTK_STATE_RUNNING, i->state);
	ASSERT_EQ(0, nl_command(&self->nl, RTK_CMD_STOP, false, NULL));
	ASSERT_EQ(0, get_info(&self->nl, i));
	EXPECT_STREQ("stopped", i->reason);
}

/* A run of debugfs belongs to nobody's socket. */
TEST_F(run, debugfs_run_has_no_owner)
{
	struct info *i = &self->info;

	ASSERT_EQ(0, nl_command(&self->other, RTK_CMD_SET, false, endless));
	ASSERT_EQ(0, put(DEBUGFS_DIR "enable", "1"));
	nl_close(&self->other);
	usleep(300000);
	ASSERT_EQ(0, get_info(&self->nl, i));
	EXPECT_EQ(RTK_STATE_RUNNING, i->state);
	EXPECT_EQ(getpid(), i->owner_pid);
}

/* Start, stop and restart in a row: each has a generation of its own. */
TEST_F_TIMEOUT(run, again_and_again, 2 * PATIENCE)
{
	struct info *i = &self->info;
	struct nl *nl = &self->nl;
	__u32 generation;
	unsigned int k;

	ASSERT_EQ(0, get_info(nl, i));
	generation = i->generation;
	for (k = 1; k <= 20; k++) {
		ASSERT_EQ(0, nl_command(nl, RTK_CMD_START, false, endless));
		EXPECT_EQ(generation + k, nl->generation);
		ASSERT_EQ(0, nl_command(nl, RTK_CMD_STOP, false, NULL));
		ASSERT_EQ(0, get_stats(nl, &self->lanes));
		ASSERT_GE(self->lanes.n, 2);
		EXPECT_EQ(generation + k, self->lanes.lane[0].generation);
	}
}

TEST_HARNESS_MAIN
