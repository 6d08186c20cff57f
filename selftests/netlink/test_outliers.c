// SPDX-License-Identifier: GPL-2.0
/*
 * The samples that are kept: the worst of each lane, and those above the
 * threshold.
 */
#include <string.h>
#include <sys/param.h>

#include "nl.h"
#include "kselftest_harness.h"

#define PATIENCE	30

FIXTURE(outliers) {
	struct nl nl;
	struct info info;
	struct lanes lanes;
	struct samples samples;
};

FIXTURE_SETUP(outliers)
{
	if (no_module())
		SKIP(return, "not root, or module rtk is not loaded");
	ASSERT_EQ(0, nl_open(&self->nl));
	ASSERT_EQ(0, clean_slate(&self->nl));
}

FIXTURE_TEARDOWN(outliers)
{
	clean_slate(&self->nl);
	nl_close(&self->nl);
}

/* Samples of one lane, by kind; false if they are in no right order. */
static bool in_order(const struct samples *all, __u32 cpu, const char *series,
		     unsigned int *worst, unsigned int *ring)
{
	const struct sample *before = NULL, *s;
	unsigned int i;

	*worst = 0;
	*ring = 0;
	for (i = 0; i < all->n; i++) {
		s = &all->sample[i];
		if (s->cpu != cpu || strcmp(s->series, series))
			continue;
		if (s->worst && (*ring || (before && before->value < s->value)))
			return false;
		if (!s->worst && *ring && (s->sequence != before->sequence + 1 ||
					   s->mono <= before->mono))
			return false;
		*worst += s->worst;
		*ring += !s->worst;
		before = s;
	}
	return true;
}

TEST_F_TIMEOUT(outliers, of_a_run, 4 * PATIENCE)
{
	static const char * const pairs[] = {
		"period_ns", "2000000", "warmup_ms", "0", "duration_ms", "900",
		"threshold_ns", "1", "threshold_series", "irq", "outlier_slots", "20", NULL,
	};
	struct samples *all = &self->samples;
	unsigned int k, worst, ring;
	struct nl *nl = &self->nl;

	ASSERT_EQ(0, nl_command(nl, RTK_CMD_START, false, pairs));
	ASSERT_EQ(0, wait_end(nl, PATIENCE, &self->info));
	ASSERT_EQ(0, get_stats(nl, &self->lanes));
	ASSERT_EQ(0, get_samples(nl, all));
	EXPECT_LE(nl->largest, NL_MESSAGE_MAX);
	for (k = 0; k < self->lanes.n; k++) {
		const struct lane *l = &self->lanes.lane[k];
		bool irq = !strcmp(l->series, "irq");

		EXPECT_TRUE(in_order(all, l->cpu, l->series, &worst, &ring));
		EXPECT_EQ(MIN(8, l->count), worst);
		/* Every sample of the one series is above 1 ns. */
		EXPECT_EQ(irq ? l->count : 0, l->outliers);
		EXPECT_EQ(irq ? MIN(20, l->count) : 0, ring);
	}
	for (k = 0; k < all->n; k++) {
		const struct sample *s = &all->sample[k];

		EXPECT_EQ(!strcmp(s->series, "irq"), s->has_task);
		EXPECT_GE(s->mono, self->info.started_mono);
		EXPECT_EQ(s->wall - s->mono,
			  self->info.started_wall - self->info.started_mono);
		if (!k || strcmp(s->series, s[-1].series) || s->cpu != s[-1].cpu) {
			unsigned int i = 0;

			/* First of its lane: the maximum. */
			while (i < self->lanes.n && (self->lanes.lane[i].cpu != s->cpu ||
						     strcmp(self->lanes.lane[i].series, s->series)))
				i++;
			ASSERT_LT(i, self->lanes.n);
			EXPECT_EQ(self->lanes.lane[i].max, s->value);
		}
	}
}

TEST_F_TIMEOUT(outliers, stop_on_threshold, 2 * PATIENCE)
{
	static const char * const pairs[] = {
		"period_ns", "10000000", "threshold_ns", "1", "stop_on_threshold", "1", NULL,
	};
	unsigned int k, outliers = 0;

	ASSERT_EQ(0, nl_command(&self->nl, RTK_CMD_START, false, pairs));
	ASSERT_EQ(0, wait_end(&self->nl, PATIENCE, &self->info));
	EXPECT_EQ(RTK_STATE_DONE, self->info.state);
	EXPECT_STREQ("threshold", self->info.reason);
	ASSERT_EQ(0, get_stats(&self->nl, &self->lanes));
	for (k = 0; k < self->lanes.n; k++) {
		const struct lane *l = &self->lanes.lane[k];

		EXPECT_EQ(l->expected, l->delivered + l->missed);
		/* The default: the last series that is recorded. */
		EXPECT_TRUE(!l->outliers || !strcmp(l->series, "thread"));
		outliers += l->outliers;
	}
	EXPECT_LE(1, outliers);
}

TEST_HARNESS_MAIN
