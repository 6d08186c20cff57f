// SPDX-License-Identifier: GPL-2.0
/*
 * A thousand runs on all CPUs, started over netlink and debugfs in turn, some
 * with readers: each balances, and nothing of them is left.
 */
#include <stdlib.h>

#include "lifetime.h"
#include "kselftest_harness.h"

#define CYCLES		1000
/* The first ones fill caches. */
#define WARM_UP		100
#define READERS		2

FIXTURE(cycles) {
	struct nl nl;
	struct lanes lanes;
	struct actor reader[READERS];
	unsigned int readers;
	struct footprint before;
	struct footprint after;
	__u64 count;
};

FIXTURE_SETUP(cycles)
{
	if (no_debugfs())
		SKIP(return, "not root, or no debugfs of module rtk");
	ASSERT_EQ(0, nl_open(&self->nl));
	ASSERT_EQ(0, clean_slate(&self->nl));
	while (self->readers < READERS && self->readers < sysconf(_SC_NPROCESSORS_ONLN)) {
		unsigned int i = self->readers++;

		ASSERT_EQ(0, actor_create(&self->reader[i], actor_read_along, i));
	}
}

FIXTURE_TEARDOWN(cycles)
{
	unsigned int i;

	for (i = 0; i < self->readers; i++)
		actor_destroy(&self->reader[i]);
	clean_slate(&self->nl);
	nl_close(&self->nl);
}

static int start_cycle(struct nl *nl, unsigned int n, bool user)
{
	const char * const pairs[] = {
		"period_ns", "1000000", "warmup_ms", "0", "duration_ms", "0",
		"threshold_ns", "1", "user", user ? "1" : "0",
		"threshold_series", n % 5 ? "irq" : "thread", NULL,
	};

	if (n % 2)
		return nl_command(nl, RTK_CMD_START, n % 4 == 1, pairs);
	return nl_command(nl, RTK_CMD_SET, false, pairs) ?: put(DEBUGFS_DIR "enable", "1");
}

static int stop_cycle(struct nl *nl, unsigned int n)
{
	return n / 2 % 2 ? nl_command(nl, RTK_CMD_STOP, false, NULL) : put(DEBUGFS_DIR "enable", "0");
}

static bool balanced(const struct lanes *lanes, unsigned int n)
{
	bool good = lanes->n > 0;
	unsigned int i;

	for (i = 0; i < lanes->n; i++) {
		const struct lane *l = &lanes->lane[i];

		if (l->expected == l->delivered + l->missed && !l->running)
			continue;
		fprintf(stderr, "# cycle %u, CPU %u, %s: expected %llu, delivered %llu, missed %llu%s\n",
			n, l->cpu, l->series, l->expected, l->delivered, l->missed,
			l->running ? ", running" : "");
		good = false;
	}
	return good;
}

TEST_F_TIMEOUT(cycles, a_thousand_balance_and_leave_nothing, 10 * PATIENCE)
{
	unsigned int n, i;

	for (n = 0; n < WARM_UP + CYCLES; n++) {
		/*
		 * Both ways of starting and stopping come with it and without; and
		 * more often than not, or what it leaks is too little to be seen.
		 */
		bool user = n % 3;

		if (n == WARM_UP)
			ASSERT_EQ(0, footprint_take(&self->before));
		ASSERT_EQ(0, start_cycle(&self->nl, n, user));
		for (i = 0; user && i < self->readers; i++)
			actor_tell(&self->reader[i], 1);
		for (i = 0; user && i < self->readers; i++)
			ASSERT_LT(0, actor_hear(&self->reader[i]));
		usleep(4000 + 1000 * (n % 4));
		ASSERT_EQ(0, stop_cycle(&self->nl, n));
		for (i = 0; user && i < self->readers; i++)
			ASSERT_EQ(0, actor_hear(&self->reader[i]));
		ASSERT_EQ(0, get_stats(&self->nl, &self->lanes));
		ASSERT_TRUE(balanced(&self->lanes, n));
		for (i = 0; i < self->lanes.n; i++)
			self->count += self->lanes.lane[i].count;
	}
	ASSERT_EQ(0, footprint_take(&self->after));
	EXPECT_FALSE(footprint_grew(&self->before, &self->after, CYCLES));
	/* They were runs indeed, and not all of them empty. */
	EXPECT_LT(CYCLES, self->count);
}

TEST_HARNESS_MAIN
