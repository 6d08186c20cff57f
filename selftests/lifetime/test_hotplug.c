// SPDX-License-Identifier: GPL-2.0
/*
 * CPUs that go and come: before a run, during it, together with the module, and
 * all the time while runs start and stop.
 */
#include <stdlib.h>
#include <time.h>

#include "lifetime.h"
#include "kselftest_harness.h"

/* So slow that no stall of a busy machine makes the overload guard end it. */
#define PERIOD		"5000000"
#define HAMMER_SECONDS	15

static const char * const both[] = {
	"cpus", "0-1", "period_ns", PERIOD, "warmup_ms", "0", "duration_ms", "0", NULL,
};

FIXTURE(hotplug) {
	int module;
	struct nl nl;
	struct info info;
	struct lanes lanes;
	struct lanes lost;
	struct actor toggler;
};

/* Takes CPU 1 away and back until told to stop; the answer is how often. */
static int toggle(struct actor *self, int arg)
{
	int n = 0, rc = 0;

	while (!actor_told(self) && !rc) {
		rc = put(CPU1_ONLINE, "0") ?: put(CPU1_ONLINE, "1");
		n++;
	}
	actor_hear(self);
	return rc ?: n;
}

FIXTURE_SETUP(hotplug)
{
	if (no_debugfs())
		SKIP(return, "not root, or no debugfs of module rtk");
	if (access(CPU1_ONLINE, W_OK))
		SKIP(return, "no CPU 1 that can be taken offline");
	self->module = module_open();
	ASSERT_LE(0, self->module);
	ASSERT_EQ(0, put(CPU1_ONLINE, "1"));
	ASSERT_EQ(0, actor_create(&self->toggler, toggle, 0));
	ASSERT_EQ(0, nl_open(&self->nl));
	ASSERT_EQ(0, clean_slate(&self->nl));
}

FIXTURE_TEARDOWN(hotplug)
{
	actor_destroy(&self->toggler);
	put(CPU1_ONLINE, "1");
	nl_close(&self->nl);
	EXPECT_EQ(0, module_restore(self->module));
	if (!nl_open(&self->nl))
		clean_slate(&self->nl);
	nl_close(&self->nl);
}

static __u64 now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ULL + t.tv_nsec;
}

/* Waits until a CPU has so many samples in each series. */
static bool has_samples(struct nl *nl, struct lanes *lanes, unsigned int cpu, __u64 n)
{
	time_t end = time(NULL) + PATIENCE;
	unsigned int i, missing = 1;

	while (missing && time(NULL) < end) {
		usleep(10000);
		if (get_stats(nl, lanes))
			return false;
		missing = !lanes->n;
		for (i = 0; i < lanes->n; i++)
			missing += lanes->lane[i].cpu == cpu && lanes->lane[i].count < n;
	}
	return !missing;
}

static unsigned int unbalanced(const struct lanes *lanes)
{
	unsigned int i, n = 0;

	for (i = 0; i < lanes->n; i++)
		n += lanes->lane[i].expected !=
		     lanes->lane[i].delivered + lanes->lane[i].missed;
	return n;
}

/* All that can be known of the lanes of CPU 1 is as it was. */
static bool same_of_cpu1(const struct lanes *a, const struct lanes *b)
{
	unsigned int i;

	if (a->n != b->n)
		return false;
	for (i = 0; i < a->n; i++)
		if (a->lane[i].cpu == 1 && memcmp(&a->lane[i], &b->lane[i], sizeof(a->lane[i])))
			return false;
	return true;
}

TEST_F_TIMEOUT(hotplug, during_a_run, 5 * PATIENCE)
{
	struct nl *nl = &self->nl;
	__u64 before, after, count = 0;
	unsigned int i;

	ASSERT_EQ(0, nl_command(nl, RTK_CMD_START, false, both));
	ASSERT_TRUE(has_samples(nl, &self->lanes, 1, 3));
	before = now();
	ASSERT_EQ(0, put(CPU1_ONLINE, "0"));
	after = now();
	ASSERT_EQ(0, get_stats(nl, &self->lost));
	ASSERT_EQ(4, self->lost.n);
	for (i = 0; i < self->lost.n; i++) {
		const struct lane *l = &self->lost.lane[i];

		EXPECT_EQ(l->cpu == 0, l->running);
		if (l->cpu == 0) {
			count = l->count > count ? l->count : count;
			continue;
		}
		/* Closed then, not later when the run ends. */
		EXPECT_LT(before, l->ended);
		EXPECT_GT(after, l->ended);
		EXPECT_EQ(l->expected, l->delivered + l->missed);
	}
	EXPECT_TRUE(has_samples(nl, &self->lanes, 0, count + 5));
	EXPECT_TRUE(same_of_cpu1(&self->lost, &self->lanes));
	ASSERT_EQ(0, put(CPU1_ONLINE, "1"));
	EXPECT_TRUE(has_samples(nl, &self->lanes, 0, count + 20));
	EXPECT_TRUE(same_of_cpu1(&self->lost, &self->lanes));
	ASSERT_EQ(0, nl_command(nl, RTK_CMD_STOP, false, NULL));
	ASSERT_EQ(0, get_stats(nl, &self->lanes));
	EXPECT_TRUE(same_of_cpu1(&self->lost, &self->lanes));
	EXPECT_EQ(0, unbalanced(&self->lanes));
	ASSERT_EQ(0, get_info(nl, &self->info));
	EXPECT_EQ(RTK_STATE_DONE, self->info.state);
	EXPECT_STREQ("1", self->info.lost);
	/* The next run has it again. */
	ASSERT_EQ(0, nl_command(nl, RTK_CMD_START, false, both));
	EXPECT_TRUE(has_samples(nl, &self->lanes, 1, 3));
}

TEST_F_TIMEOUT(hotplug, offline_at_start, 5 * PATIENCE)
{
	static const char * const online[] = { "cpus", "", NULL };
	struct nl *nl = &self->nl;
	unsigned int i;

	ASSERT_EQ(0, put(CPU1_ONLINE, "0"));
	EXPECT_EQ(-ENODEV, nl_command(nl, RTK_CMD_START, false, both));
	ASSERT_EQ(0, get_info(nl, &self->info));
	EXPECT_STREQ("cpus=0-1: CPU 1 is offline", self->info.last_error);
	EXPECT_EQ(RTK_STATE_IDLE, self->info.state);
	EXPECT_EQ(0, nl_command(nl, RTK_CMD_SET, false, both));
	EXPECT_EQ(-ENODEV, put(DEBUGFS_DIR "enable", "1"));
	/* Those that are there, where none is named. */
	EXPECT_EQ(0, nl_command(nl, RTK_CMD_START, false, online));
	EXPECT_TRUE(has_samples(nl, &self->lanes, 0, 3));
	for (i = 0; i < self->lanes.n; i++)
		EXPECT_NE(1, self->lanes.lane[i].cpu);
}

TEST_F_TIMEOUT(hotplug, unload_meanwhile, 5 * PATIENCE)
{
	struct nl *nl = &self->nl;

	ASSERT_EQ(0, nl_command(nl, RTK_CMD_START, false, both));
	ASSERT_TRUE(has_samples(nl, &self->lanes, 1, 3));
	ASSERT_EQ(0, put(CPU1_ONLINE, "0"));
	nl_close(nl);
	EXPECT_EQ(0, module_unload());
	ASSERT_EQ(0, module_load(self->module));
	ASSERT_EQ(0, nl_open(nl));
	ASSERT_EQ(0, nl_command(nl, RTK_CMD_START, false, NULL));
	nl_close(nl);
	EXPECT_EQ(0, module_unload());
	ASSERT_EQ(0, put(CPU1_ONLINE, "1"));
	ASSERT_EQ(0, module_load(self->module));
	ASSERT_EQ(0, nl_open(nl));
	ASSERT_EQ(0, nl_command(nl, RTK_CMD_START, false, both));
	EXPECT_TRUE(has_samples(nl, &self->lanes, 1, 3));
}

/* Starts and stops a run in one of several ways: 0, or -ENODEV by the CPU. */
static int start_stop(struct nl *nl, unsigned int n)
{
	static const char * const cpus[] = { "", "0-1", "1" };
	const char * const pairs[] = {
		"cpus", cpus[n % 3], "period_ns", PERIOD, "warmup_ms", "0",
		"duration_ms", n % 7 ? "0" : "10", NULL,
	};
	int rc;

	if (n % 2)
		rc = nl_command(nl, RTK_CMD_START, false, pairs);
	else
		rc = nl_command(nl, RTK_CMD_SET, false, pairs) ?: put(DEBUGFS_DIR "enable", "1");
	if (rc)
		return rc;
	usleep(n * 7919 % 30000);
	return n % 4 < 2 ? nl_command(nl, RTK_CMD_STOP, false, NULL) : put(DEBUGFS_DIR "enable", "0");
}

TEST_F_TIMEOUT(hotplug, all_the_time, 5 * PATIENCE)
{
	time_t end = time(NULL) + HAMMER_SECONDS;
	unsigned int n, good = 0;
	int rc;

	actor_tell(&self->toggler, 1);
	for (n = 0; time(NULL) < end; n++) {
		rc = start_stop(&self->nl, n);
		good += !rc;
		ASSERT_TRUE(!rc || rc == -ENODEV) {
			TH_LOG("cycle %u: %s", n, strerror(-rc));
		}
		ASSERT_EQ(0, get_stats(&self->nl, &self->lanes));
		ASSERT_EQ(0, unbalanced(&self->lanes)) {
			TH_LOG("cycle %u", n);
		}
		if (n % 16 != 15)
			continue;
		nl_close(&self->nl);
		ASSERT_EQ(0, module_unload());
		ASSERT_EQ(0, module_load(self->module));
		ASSERT_EQ(0, nl_open(&self->nl));
	}
	actor_tell(&self->toggler, 0);
	rc = actor_hear(&self->toggler);
	TH_LOG("%u starts, %u of them good; CPU 1 was away %d times", n, good, rc);
	EXPECT_LT(2, rc);
	EXPECT_LT(2, good);
}

TEST_HARNESS_MAIN
