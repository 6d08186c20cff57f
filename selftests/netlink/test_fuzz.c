// SPDX-License-Identifier: GPL-2.0
/*
 * A hundred thousand messages made by chance, always the same ones: half of
 * them built of the family's parts, half of them good ones with some bytes
 * changed. Every answer is well formed, and all works as before afterwards.
 */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "nl.h"
#include "kselftest_harness.h"

#define MESSAGES	100000
#define SEED		0x9e3779b97f4a7c15ULL
/* On a debug kernel; on others kselftest gives less. */
#define PATIENCE	1500
/* Messages that a run may last. */
#define RUN_LASTS	40

#define TRACING_ON	"/sys/kernel/tracing/tracing_on"

/* Values that fit many parameters; no period below 1 ms is among them. */
static const char * const values[] = {
	"0", "1", "-1", "2", "99", "1000000", "2000000", "10000000", "0-1", "0,1", "",
	"fifo", "rr", "other", "irq", "thread", "user", "junk", "0x10", "01", " 1", "1 ",
	"9223372036854775807", "-9223372036854775808", "18446744073709551615", "\n", "\377",
};

static const char * const names[] = { TEST_NAME, "", "irq", "thread", "nonsense", "rtk" };

/* How many answers there were of each kind; errors by their number. */
struct counts {
	unsigned int error[4096];
	unsigned int replies;
	unsigned int started;
	unsigned int stopped;
	unsigned int dumps;
	bool running;
};

FIXTURE(fuzz) {
	struct nl nl;
	struct info info;
	struct desc desc;
	struct lanes lanes;
	struct counts counts;
	char tracing_on;
};

static char tracing(char set)
{
	int fd = open(TRACING_ON, set ? O_WRONLY : O_RDONLY);
	char c = set;

	if (fd < 0 || (set ? write(fd, &c, 1) : read(fd, &c, 1)) != 1)
		c = 0;
	close(fd);
	return c;
}

FIXTURE_SETUP(fuzz)
{
	if (no_module())
		SKIP(return, "not root, or module rtk is not loaded");
	self->tracing_on = tracing(0);
	ASSERT_EQ(0, nl_open(&self->nl));
	ASSERT_EQ(0, clean_slate(&self->nl));
	ASSERT_EQ(0, get_desc(&self->nl, &self->desc));
}

FIXTURE_TEARDOWN(fuzz)
{
	clean_slate(&self->nl);
	nl_close(&self->nl);
	if (self->tracing_on)
		tracing(self->tracing_on);
}

/* --- chance ------------------------------------------------------------------- */

static __u64 state = SEED;

static unsigned int below(unsigned int n)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (state >> 32) % n;
}

#define ONE_OF(array)	(array)[below(ARRAY_SIZE(array))]

static void put_bytes(struct nlmsghdr *nlh, int type)
{
	__u8 bytes[40];
	unsigned int i, n = below(sizeof(bytes));

	for (i = 0; i < n; i++)
		bytes[i] = below(256);
	mnl_attr_put(nlh, type, n, bytes);
}

static void put_number(struct nlmsghdr *nlh, int type)
{
	static const __u64 numbers[] = { 0, 1, 2, 1000, 0xffffffff, 1ULL << 63, ~0ULL };
	static const size_t sizes[] = { 1, 2, 4, 4, 4, 8, 8 };
	__u64 n = ONE_OF(numbers);

	mnl_attr_put(nlh, type, ONE_OF(sizes), &n);
}

static void put_chance(struct nlmsghdr *nlh, int type, unsigned int depth)
{
	struct nlattr *nest;
	unsigned int n;

	switch (below(depth ? 5 : 4)) {
	case 0:
		put_bytes(nlh, type);
		break;
	case 1:
		put_number(nlh, type);
		break;
	case 2:
		mnl_attr_put_strz(nlh, type, ONE_OF(names));
		break;
	case 3:
		mnl_attr_put_strz(nlh, type, ONE_OF(values));
		break;
	case 4:
		nest = mnl_attr_nest_start(nlh, type);
		for (n = below(4); n; n--)
			put_chance(nlh, below(RTK_A_PARAM_MAX + 2), depth - 1);
		mnl_attr_nest_end(nlh, nest);
		break;
	}
}

/* As the policy wants it. */
static void put_right(struct nlmsghdr *nlh, int type, const struct desc *desc)
{
	if (type == RTK_A_PARAM)
		nl_put_param(nlh, desc->param[below(desc->n_params)].name, ONE_OF(values));
	else
		nl_put_right(nlh, type, below(4), ONE_OF(names));
}

/* Starts and stops take their time: fewer of them. */
static const struct op {
	int cmd;
	int flags;
} ops[] = {
	{ RTK_CMD_START, NLM_F_ACK }, { RTK_CMD_STOP, NLM_F_ACK },
	{ RTK_CMD_SET, NLM_F_ACK }, { RTK_CMD_SET, 0 }, { RTK_CMD_SET, 0 },
	{ RTK_CMD_RESET, NLM_F_ACK }, { RTK_CMD_RESET, 0 },
	{ RTK_CMD_TEST_GET, NLM_F_ACK }, { RTK_CMD_TEST_GET, NLM_F_DUMP },
	{ RTK_CMD_STATS_GET, NLM_F_DUMP }, { RTK_CMD_STATS_GET, NLM_F_DUMP },
	{ RTK_CMD_HIST_GET, NLM_F_DUMP }, { RTK_CMD_HIST_GET, NLM_F_DUMP | NLM_F_ACK },
	{ RTK_CMD_OUTLIER_GET, NLM_F_DUMP }, { RTK_CMD_OUTLIER_GET, NLM_F_DUMP | NLM_F_ACK },
};

/* The family's parts, put together more or less as they should be. */
static struct nlmsghdr *build(struct nl *nl, const struct desc *desc)
{
	static const int types[] = {
		RTK_A_DETACH, RTK_A_CPU, RTK_A_SERIES, RTK_A_PARAM, RTK_A_PARAM,
	};
	struct op op = ONE_OF(ops);
	struct nlmsghdr *nlh;
	unsigned int n;

	if (!below(16))
		op.cmd = below(256);
	if (!below(16))
		op.flags = below(65536);
	nlh = nl_begin(nl, op.cmd, op.flags);
	if (below(8))
		put_right(nlh, RTK_A_TEST, desc);
	for (n = below(3); n; n--)
		put_right(nlh, ONE_OF(types), desc);
	for (n = below(4) ? 0 : below(5); n; n--)
		put_chance(nlh, below(RTK_A_MAX + 2), 3);
	return nlh;
}

static struct nlmsghdr *build_good(struct nl *nl)
{
	struct op op = ONE_OF(ops);
	struct nlmsghdr *nlh = nl_begin(nl, op.cmd, op.flags);

	mnl_attr_put_strz(nlh, RTK_A_TEST, TEST_NAME);
	if (op.cmd == RTK_CMD_SET || op.cmd == RTK_CMD_START) {
		nl_put_param(nlh, "period_ns", "20000000");
		nl_put_param(nlh, "threshold_series", "irq");
	} else if (op.cmd >= RTK_CMD_STATS_GET) {
		mnl_attr_put_u32(nlh, RTK_A_CPU, below(2));
		mnl_attr_put_strz(nlh, RTK_A_SERIES, "irq");
	}
	return nlh;
}

/* Some bytes, or the length, become others. */
static struct nlmsghdr *mutate(struct nl *nl)
{
	struct nlmsghdr *nlh = build_good(nl);
	__u8 *bytes = (__u8 *)nlh;
	unsigned int n;

	for (n = below(4); n; n--) {
		__u8 *at = &bytes[4 + below(nlh->nlmsg_len - 4)];

		*at = below(2) ? *at ^ 1 << below(8) : below(256);
	}
	switch (below(8)) {
	case 0:
		nlh->nlmsg_len = MNL_NLMSG_HDRLEN + below(nlh->nlmsg_len - MNL_NLMSG_HDRLEN);
		break;
	case 1:
		for (n = below(64); n; n--)
			bytes[nlh->nlmsg_len++] = below(256);
		break;
	}
	return nlh;
}

/* --- answers ------------------------------------------------------------------- */

static bool well_formed(const struct nlmsghdr *nlh)
{
	const struct nlattr *attr = mnl_nlmsg_get_payload_offset(nlh, GENL_HDRLEN);
	const char *end = mnl_nlmsg_get_payload_tail(nlh);

	if (nlh->nlmsg_len > NL_MESSAGE_MAX ||
	    mnl_nlmsg_get_payload_len(nlh) < GENL_HDRLEN)
		return false;
	while (mnl_attr_ok(attr, end - (const char *)attr)) {
		if (mnl_attr_get_type(attr) > RTK_A_MAX)
			return false;
		attr = mnl_attr_next(attr);
	}
	return (const char *)attr == end;
}

static void count_reply(const struct genlmsghdr *genl, struct counts *c)
{
	c->replies++;
	if (genl->cmd == RTK_CMD_START) {
		c->started++;
		c->running = true;
	} else if (genl->cmd == RTK_CMD_STOP) {
		c->stopped++;
		c->running = false;
	}
}

static int answer_cb(const struct nlmsghdr *nlh, void *data)
{
	const struct nlmsgerr *err = mnl_nlmsg_get_payload(nlh);
	struct counts *c = data;

	switch (nlh->nlmsg_type) {
	case NLMSG_DONE:
		c->dumps++;
		return mnl_nlmsg_get_payload_len(nlh) < sizeof(int);
	case NLMSG_ERROR:
		if (mnl_nlmsg_get_payload_len(nlh) < sizeof(*err) ||
		    err->error > 0 || err->error <= -4096)
			return -1;
		c->error[-err->error]++;
		return 0;
	case NLMSG_NOOP:
	case NLMSG_OVERRUN:
		return -1;
	}
	if (!well_formed(nlh))
		return -1;
	count_reply(mnl_nlmsg_get_payload(nlh), c);
	return 0;
}

/* One message and all that comes of it. */
static int fuzz_one(struct nl *nl, const struct desc *desc, struct counts *c)
{
	struct nlmsghdr *nlh = below(2) ? build(nl, desc) : mutate(nl);
	size_t len = nlh->nlmsg_len;

	/* To no other family of the machine. */
	nlh->nlmsg_type = nl->family;
	if (!below(64))
		nlh->nlmsg_len += 1 + below(1 << 16);
	if (send(mnl_socket_get_fd(nl->sock), nlh, len, 0) != (ssize_t)len)
		return -errno;
	return nl_drain(nl, answer_cb, c);
}

/* Workers of a run: "rtk/" and the number of a CPU. */
static unsigned int count_threads(void)
{
	char path[300], comm[32];
	struct dirent *entry;
	unsigned int n = 0;
	DIR *dir = opendir("/proc");
	FILE *f;

	while (dir && (entry = readdir(dir))) {
		snprintf(path, sizeof(path), "/proc/%s/comm", entry->d_name);
		f = isdigit(entry->d_name[0]) ? fopen(path, "r") : NULL;
		if (!f)
			continue;
		n += fgets(comm, sizeof(comm), f) && !strncmp(comm, "rtk/", 4);
		fclose(f);
	}
	if (dir)
		closedir(dir);
	return n;
}

static int module_references(void)
{
	FILE *f = fopen("/sys/module/rtk/refcnt", "r");
	int n = -1;

	if (f && fscanf(f, "%d", &n) != 1)
		n = -1;
	if (f)
		fclose(f);
	return n;
}

TEST_F_TIMEOUT(fuzz, hundred_thousand, PATIENCE)
{
	static const char * const again[] = {
		"period_ns", "10000000", "warmup_ms", "500", "duration_ms", "500", NULL,
	};
	static const int errors[] = { 0, ENOENT, EBUSY, EINVAL, ERANGE, EOPNOTSUPP };
	struct counts *c = &self->counts;
	struct nl *nl = &self->nl;
	unsigned int i, since = 0;

	TH_LOG("seed 0x%llx", SEED);
	for (i = 0; i < MESSAGES; i++) {
		ASSERT_EQ(0, fuzz_one(nl, &self->desc, c)) {
			TH_LOG("message %u", i);
		}
		since = c->running ? since + 1 : 0;
		if (since < RUN_LASTS)
			continue;
		ASSERT_EQ(0, nl_command(nl, RTK_CMD_STOP, false, NULL));
		c->running = false;
	}
	/* It has seen something of everything. */
	TH_LOG("%u replies, %u dumps, %u starts", c->replies, c->dumps, c->started);
	for (i = 0; i < ARRAY_SIZE(errors); i++) {
		TH_LOG("error %d: %u", errors[i], c->error[errors[i]]);
		EXPECT_LT(20, c->error[errors[i]]);
	}
	EXPECT_LT(100, c->dumps);
	EXPECT_LT(10, c->started);
	EXPECT_LT(10, c->stopped);

	ASSERT_EQ(0, clean_slate(nl));
	EXPECT_EQ(0, count_threads());
	EXPECT_EQ(0, module_references());
	ASSERT_EQ(0, nl_command(nl, RTK_CMD_START, false, again));
	EXPECT_LT(0, count_threads());
	ASSERT_EQ(0, wait_end(nl, 60, &self->info));
	EXPECT_STREQ("duration", self->info.reason);
	EXPECT_EQ(0, count_threads());
	ASSERT_EQ(0, get_stats(nl, &self->lanes));
	EXPECT_LE(2, self->lanes.n);
	for (i = 0; i < self->lanes.n; i++) {
		const struct lane *l = &self->lanes.lane[i];

		EXPECT_EQ(50, l->expected);
		EXPECT_EQ(l->expected, l->delivered + l->missed);
	}
}

TEST_HARNESS_MAIN
