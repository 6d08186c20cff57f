// SPDX-License-Identifier: GPL-2.0
/*
 * What comes without being asked for: the group events, the tracepoint of
 * outliers, and the end of the kernel's trace.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "nl.h"
#include "kselftest_harness.h"

#define TRACING		"/sys/kernel/tracing/"
#define PATIENCE	60
#define EVENTS_MAX	1000
#define SLOTS		3

static const char * const plain[] = {
	"period_ns", "10000000", "warmup_ms", "10", "duration_ms", "500", NULL,
};

/* Each sample is an outlier; armed before the end of warm-up on a busy host, too. */
static const char * const noisy[] = {
	"period_ns", "10000000", "warmup_ms", "1000", "duration_ms", "2000",
	"threshold_ns", "1", "threshold_series", "irq", "outlier_slots", "3",
	"cpus", "0", NULL,
};

static const char * const traced[] = {
	"period_ns", "10000000", "warmup_ms", "10", "duration_ms", "500",
	"threshold_ns", "1", "threshold_series", "irq", "cpus", "0", NULL,
};

struct event {
	__u32 generation;
	bool has_info;
	__u32 state;
	char reason[64];
	bool has_counts;
	__u64 new;
	__u64 lost;
	bool has_outlier;
	bool worst;
	__u32 cpu;
	char series[32];
	__s64 value;
};

struct events {
	unsigned int n;
	struct event event[EVENTS_MAX];
};

FIXTURE(events) {
	struct nl nl;
	struct nl listener;
	struct info info;
	struct lanes lanes;
	struct samples samples;
	struct events events;
};

/* Opens a socket that listens; it has no request that an answer could be to. */
static int listen_to(struct nl *nl)
{
	int large = 4 << 20, rc = nl_open(nl);
	__u32 group;

	if (!rc)
		rc = nl_group(nl, &group);
	nl->seq = 0;
	if (rc)
		return rc;
	setsockopt(mnl_socket_get_fd(nl->sock), SOL_SOCKET, SO_RCVBUFFORCE, &large,
		   sizeof(large));
	return nl_join(nl, group);
}

static void take_outlier(const struct nlattr *nest, struct event *e)
{
	const struct nlattr *attr;

	e->has_outlier = true;
	mnl_attr_for_each_nested(attr, nest) {
		switch (mnl_attr_get_type(attr)) {
		case RTK_A_OUTLIER_WORST:
			e->worst = true;
			break;
		case RTK_A_OUTLIER_CPU:
			e->cpu = mnl_attr_get_u32(attr);
			break;
		case RTK_A_OUTLIER_SERIES:
			snprintf(e->series, sizeof(e->series), "%s", mnl_attr_get_str(attr));
			break;
		case RTK_A_OUTLIER_VALUE:
			e->value = mnl_attr_get_u64(attr);
			break;
		}
	}
}

static void take_info(const struct nlattr *nest, struct event *e)
{
	const struct nlattr *attr;

	e->has_info = true;
	mnl_attr_for_each_nested(attr, nest) {
		if (mnl_attr_get_type(attr) == RTK_A_INFO_STATE)
			e->state = mnl_attr_get_u32(attr);
		if (mnl_attr_get_type(attr) == RTK_A_INFO_REASON)
			snprintf(e->reason, sizeof(e->reason), "%s", mnl_attr_get_str(attr));
	}
}

static void take_counts(const struct nlattr *nest, struct event *e)
{
	const struct nlattr *attr;

	e->has_counts = true;
	mnl_attr_for_each_nested(attr, nest) {
		if (mnl_attr_get_type(attr) == RTK_A_EVENT_NEW)
			e->new = mnl_attr_get_u64(attr);
		if (mnl_attr_get_type(attr) == RTK_A_EVENT_LOST)
			e->lost = mnl_attr_get_u64(attr);
	}
}

static int event_cb(const struct nlmsghdr *nlh, void *data)
{
	const struct genlmsghdr *genl = mnl_nlmsg_get_payload(nlh);
	struct events *all = data;
	const struct nlattr *attr;
	const char *test = "";
	struct event *e;

	if (genl->cmd != RTK_CMD_EVENT_NTF || all->n == EVENTS_MAX)
		return -1;
	e = &all->event[all->n++];
	memset(e, 0, sizeof(*e));
	mnl_attr_for_each(attr, nlh, sizeof(*genl)) {
		switch (mnl_attr_get_type(attr)) {
		case RTK_A_TEST:
			test = mnl_attr_get_str(attr);
			break;
		case RTK_A_GENERATION:
			e->generation = mnl_attr_get_u32(attr);
			break;
		case RTK_A_INFO:
			take_info(attr, e);
			break;
		case RTK_A_EVENT:
			take_counts(attr, e);
			break;
		case RTK_A_OUTLIER:
			take_outlier(attr, e);
			break;
		default:
			return -1;
		}
	}
	return strcmp(test, TEST_NAME) || e->has_info == e->has_counts ? -1 : 0;
}

static bool is_end(const struct event *e)
{
	return e->has_info && e->state != RTK_STATE_RUNNING;
}

/* Events up to the end of a run. */
static int listen_to_end(struct nl *nl, struct events *all)
{
	int rc;

	all->n = 0;
	do {
		rc = nl_receive(nl, event_cb, all);
	} while (!rc && (!all->n || !is_end(&all->event[all->n - 1])));
	return rc;
}

static int tracing_on(void)
{
	FILE *f = fopen(TRACING "tracing_on", "r");
	int c = f ? fgetc(f) : EOF;

	if (f)
		fclose(f);
	return c == EOF ? -1 : c - '0';
}

/*
 * The outliers in the trace are those of the samples that are no worst ones, in
 * the same order, or the first so many of them. Number of those found, or -1.
 */
static int find_traced(const struct samples *all)
{
	unsigned int i = 0, found = 0;
	unsigned long long sequence;
	char line[512], series[32];
	long long value;
	FILE *f = fopen(TRACING "trace", "r");
	unsigned int cpu;
	char *at;

	while (f && fgets(line, sizeof(line), f)) {
		at = strstr(line, "rtk_outlier: ");
		if (!at)
			continue;
		while (i < all->n && all->sample[i].worst)
			i++;
		if (sscanf(at, "rtk_outlier: cpu=%u series=%31s value=%lld sequence=%llu",
			   &cpu, series, &value, &sequence) != 4 || i == all->n ||
		    cpu != all->sample[i].cpu || value != all->sample[i].value ||
		    sequence != all->sample[i].sequence ||
		    strcmp(series, all->sample[i].series)) {
			fprintf(stderr, "# not expected in the trace: %s", at);
			fclose(f);
			return -1;
		}
		i++;
		found++;
	}
	if (f)
		fclose(f);
	return found;
}

/*
 * What the trace has of a function on CPU 0: its calls before the first outlier,
 * and those after it.
 */
static void count_calls(const char *function, unsigned int calls[2])
{
	FILE *f = fopen(TRACING "per_cpu/cpu0/trace", "r");
	char line[512], call[64];
	bool after = false;

	calls[0] = 0;
	calls[1] = 0;
	snprintf(call, sizeof(call), ": %s <-", function);
	while (f && fgets(line, sizeof(line), f)) {
		if (strstr(line, "rtk_outlier: "))
			after = true;
		if (strstr(line, call))
			calls[after]++;
	}
	if (f)
		fclose(f);
}

static void end_tracing(void)
{
	put(TRACING "current_tracer", "nop");
	put(TRACING "set_ftrace_filter", "");
	put(TRACING "events/rtk/rtk_outlier/enable", "0");
	put(TRACING "trace", "");
	put(TRACING "tracing_on", "1");
}

FIXTURE_SETUP(events)
{
	if (no_module())
		SKIP(return, "not root, or module rtk is not loaded");
	ASSERT_EQ(0, nl_open(&self->nl));
	ASSERT_EQ(0, clean_slate(&self->nl));
	ASSERT_EQ(0, listen_to(&self->listener));
}

FIXTURE_TEARDOWN(events)
{
	end_tracing();
	clean_slate(&self->nl);
	nl_close(&self->listener);
	nl_close(&self->nl);
}

TEST_F_TIMEOUT(events, of_a_run, 2 * PATIENCE)
{
	const struct event *e = self->events.event;

	ASSERT_EQ(0, nl_command(&self->nl, RTK_CMD_START, false, plain));
	ASSERT_EQ(0, listen_to_end(&self->listener, &self->events));
	ASSERT_EQ(2, self->events.n);
	EXPECT_EQ(RTK_STATE_RUNNING, e[0].state);
	EXPECT_STREQ("", e[0].reason);
	EXPECT_EQ(RTK_STATE_DONE, e[1].state);
	EXPECT_STREQ("duration", e[1].reason);
	EXPECT_EQ(self->nl.generation, e[0].generation);
	EXPECT_EQ(self->nl.generation, e[1].generation);

	ASSERT_EQ(0, nl_command(&self->nl, RTK_CMD_START, false, plain));
	ASSERT_EQ(0, nl_command(&self->nl, RTK_CMD_STOP, false, NULL));
	ASSERT_EQ(0, listen_to_end(&self->listener, &self->events));
	ASSERT_EQ(2, self->events.n);
	EXPECT_EQ(RTK_STATE_RUNNING, e[0].state);
	EXPECT_STREQ("stopped", e[1].reason);
	EXPECT_EQ(self->nl.generation, e[1].generation);
}

TEST_F_TIMEOUT(events, of_outliers, 2 * PATIENCE)
{
	const struct event *e = self->events.event;
	unsigned int i, last;
	__s64 value = 0;
	__u64 new = 0;

	ASSERT_EQ(0, nl_command(&self->nl, RTK_CMD_START, false, noisy));
	ASSERT_EQ(0, listen_to_end(&self->listener, &self->events));
	last = self->events.n - 1;
	EXPECT_EQ(RTK_STATE_RUNNING, e[0].state);
	EXPECT_STREQ("duration", e[last].reason);
	ASSERT_LE(2, last);
	/* One in 100 ms; one at once, one at the end, and one between late ends. */
	EXPECT_GE(2000 / 100 + 3, last - 1);
	for (i = 1; i < last; i++) {
		ASSERT_TRUE(e[i].has_counts && e[i].has_outlier);
		EXPECT_EQ(self->nl.generation, e[i].generation);
		EXPECT_LE(1, e[i].new);
		EXPECT_EQ(e[i].new > SLOTS ? e[i].new - SLOTS : 0, e[i].lost);
		EXPECT_TRUE(e[i].worst);
		EXPECT_EQ(0, e[i].cpu);
		EXPECT_STREQ("irq", e[i].series);
		EXPECT_LE(value, e[i].value);
		value = e[i].value;
		new += e[i].new;
	}
	ASSERT_EQ(0, get_stats(&self->nl, &self->lanes));
	ASSERT_LE(1, self->lanes.n);
	ASSERT_STREQ("irq", self->lanes.lane[0].series);
	EXPECT_EQ(self->lanes.lane[0].outliers, new);
	EXPECT_EQ(self->lanes.lane[0].count, new);
	EXPECT_EQ(self->lanes.lane[0].max, value);
}

TEST_F_TIMEOUT(events, nobody_reads, 2 * PATIENCE)
{
	static struct events received;
	static struct nl lazy;
	int small = 1, rc;

	ASSERT_EQ(0, listen_to(&lazy));
	/* The kernel takes its least, and that is room for one or two. */
	ASSERT_EQ(0, setsockopt(mnl_socket_get_fd(lazy.sock), SOL_SOCKET, SO_RCVBUF,
				&small, sizeof(small)));
	ASSERT_EQ(0, nl_command(&self->nl, RTK_CMD_START, false, noisy));
	/* Whoever does read loses nothing by it, and neither does the run. */
	ASSERT_EQ(0, listen_to_end(&self->listener, &self->events));
	EXPECT_STREQ("duration", self->events.event[self->events.n - 1].reason);
	ASSERT_EQ(0, get_stats(&self->nl, &self->lanes));
	EXPECT_EQ(200, self->lanes.lane[0].expected);
	EXPECT_EQ(200, self->lanes.lane[0].delivered + self->lanes.lane[0].missed);
	rc = nl_receive(&lazy, event_cb, &received);
	EXPECT_EQ(-ENOBUFS, rc);
	/* What had been sent before is there. */
	EXPECT_EQ(0, nl_receive(&lazy, event_cb, &received));
	EXPECT_EQ(RTK_STATE_RUNNING, received.event[0].state);
	nl_close(&lazy);
}

TEST_F_TIMEOUT(events, tracepoint, 2 * PATIENCE)
{
	if (put(TRACING "events/rtk/rtk_outlier/enable", "1"))
		SKIP(return, "no tracefs");
	ASSERT_EQ(0, put(TRACING "tracing_on", "1"));
	ASSERT_EQ(0, put(TRACING "trace", ""));
	ASSERT_EQ(0, nl_command(&self->nl, RTK_CMD_START, false, traced));
	ASSERT_EQ(0, wait_end(&self->nl, PATIENCE, &self->info));
	ASSERT_EQ(0, get_samples(&self->nl, &self->samples));
	ASSERT_EQ(0, get_stats(&self->nl, &self->lanes));
	EXPECT_LE(1, self->lanes.lane[0].outliers);
	EXPECT_EQ(self->lanes.lane[0].outliers, find_traced(&self->samples));
	EXPECT_EQ(1, tracing_on());
}

TEST_F_TIMEOUT(events, stop_tracing, 2 * PATIENCE)
{
	static const char * const pairs[] = { "stop_tracing", "1", NULL };

	if (put(TRACING "events/rtk/rtk_outlier/enable", "1"))
		SKIP(return, "no tracefs");
	ASSERT_EQ(0, put(TRACING "tracing_on", "1"));
	ASSERT_EQ(0, put(TRACING "trace", ""));
	ASSERT_EQ(0, nl_command(&self->nl, RTK_CMD_SET, false, pairs));
	/* Nothing is above the threshold. */
	ASSERT_EQ(0, nl_command(&self->nl, RTK_CMD_START, false, plain));
	ASSERT_EQ(0, wait_end(&self->nl, PATIENCE, &self->info));
	EXPECT_EQ(1, tracing_on());
	/* The first outlier ends the trace, with itself; the run goes on. */
	ASSERT_EQ(0, nl_command(&self->nl, RTK_CMD_START, false, traced));
	ASSERT_EQ(0, wait_end(&self->nl, PATIENCE, &self->info));
	EXPECT_STREQ("duration", self->info.reason);
	EXPECT_EQ(0, tracing_on());
	ASSERT_EQ(0, get_samples(&self->nl, &self->samples));
	EXPECT_EQ(1, find_traced(&self->samples));
}

/* What led to the first outlier is what the kernel's function tracer has then. */
TEST_F_TIMEOUT(events, stop_function_trace, 2 * PATIENCE)
{
	static const char * const pairs[] = { "stop_tracing", "1", NULL };
	static const char called[] = "hrtimer_interrupt";
	unsigned int calls[2];

	if (put(TRACING "events/rtk/rtk_outlier/enable", "1"))
		SKIP(return, "no tracefs");
	/* Debian's kernels have it, those for debugging have not. */
	if (access(TRACING "set_ftrace_filter", F_OK))
		SKIP(return, "no function trace of single functions");
	ASSERT_EQ(0, put(TRACING "set_ftrace_filter", called));
	ASSERT_EQ(0, put(TRACING "current_tracer", "function"));
	ASSERT_EQ(0, put(TRACING "tracing_on", "1"));
	ASSERT_EQ(0, put(TRACING "trace", ""));
	ASSERT_EQ(0, nl_command(&self->nl, RTK_CMD_SET, false, pairs));
	ASSERT_EQ(0, nl_command(&self->nl, RTK_CMD_START, false, traced));
	ASSERT_EQ(0, wait_end(&self->nl, PATIENCE, &self->info));
	EXPECT_STREQ("duration", self->info.reason);
	EXPECT_EQ(0, tracing_on());
	ASSERT_EQ(0, get_stats(&self->nl, &self->lanes));
	/* The run went on for long. */
	EXPECT_LE(2, self->lanes.lane[0].count);
	count_calls(called, calls);
	EXPECT_LE(1, calls[0]);
	EXPECT_EQ(0, calls[1]);
	ASSERT_EQ(0, get_samples(&self->nl, &self->samples));
	EXPECT_EQ(1, find_traced(&self->samples));
}

TEST_HARNESS_MAIN
