// SPDX-License-Identifier: GPL-2.0
/*
 * Unloading, a thousand times, in whatever state and at whatever moment: it
 * succeeds and leaves nothing, or is refused at once and nothing has changed.
 *
 * Runs do not keep the module: unloading ends them. Who has a file of debugfs
 * open, a reader that is blocked in the file wait among them, and who has not read
 * a dump of netlink to its end does.
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <time.h>

#include "lifetime.h"
#include "kselftest_harness.h"

#define TURNS		1000
#define SEED		20240229
#define DELAY_MAX	4000

enum { RUN_NONE, RUN_DEBUGFS, RUN_OWNED, RUN_DETACHED, RUN_KINDS };

/**
 * struct turn - what unloading finds
 * @number: number
 * @run: RUN_*
 * @file: an open file, begun to read
 * @dump: a dump in progress
 * @reader: a program blocked in the file wait
 * @meddler: a process that starts, stops and reads all the time
 * @delay: before unloading, us
 */
struct turn {
	unsigned int number;
	unsigned int run;
	bool file;
	bool dump;
	bool reader;
	bool meddler;
	unsigned int delay;
};

/**
 * struct scene - what there is to play with
 * @module: file of the module
 * @file: open file, or -1
 * @nl: socket that owns the run
 * @dump: socket of a dump
 * @reader: see actor_read_along()
 * @meddler: see meddle()
 * @refused: how often unloading was refused
 */
struct scene {
	int module;
	int file;
	struct nl nl;
	struct nl dump;
	struct actor reader;
	struct actor meddler;
	unsigned int refused;
};

FIXTURE(unload) {
	struct scene s;
	struct footprint before;
	struct footprint after;
};

/* One of what others do, at any moment: all but no answer is right. */
static int meddle_once(struct nl *nl, unsigned int n)
{
	static const char * const pairs[] = { "user", "0", "period_ns", "10000000", NULL };
	static struct lanes lanes;
	char buf[64];
	int fd, rc = nl_open(nl);

	if (!rc && n % 4 == 0)
		rc = nl_command(nl, RTK_CMD_START, false, pairs);
	else if (!rc && n % 4 == 1)
		rc = get_stats(nl, &lanes);
	else if (!rc && n % 4 == 2)
		rc = nl_command(nl, RTK_CMD_STOP, false, NULL);
	else if (!rc)
		rc = nl_command(nl, RTK_CMD_RESET, false, NULL);
	nl_close(nl);
	fd = open(DEBUGFS_DIR "stats", O_RDONLY);
	if (fd >= 0 && read(fd, buf, sizeof(buf)) < 0 && errno == EINTR)
		rc = -EINTR;
	close(fd);
	return rc;
}

static int meddle(struct actor *self, int arg)
{
	static struct nl nl;
	unsigned int n = arg;
	int rc = 0;

	/* -EAGAIN: no answer came. -ENOENT: the module has gone. */
	while (!actor_told(self) && rc != -EAGAIN && rc != -ENOENT)
		rc = meddle_once(&nl, n++);
	actor_hear(self);
	return rc == -EAGAIN ? rc : 0;
}

FIXTURE_SETUP(unload)
{
	if (no_debugfs())
		SKIP(return, "not root, or no debugfs of module rtk");
	self->s.file = -1;
	self->s.module = module_open();
	ASSERT_LE(0, self->s.module);
	ASSERT_EQ(0, actor_create(&self->s.reader, actor_read_along, 0));
	ASSERT_EQ(0, actor_create(&self->s.meddler, meddle, 0));
}

FIXTURE_TEARDOWN(unload)
{
	nl_close(&self->s.dump);
	nl_close(&self->s.nl);
	close(self->s.file);
	actor_destroy(&self->s.reader);
	actor_destroy(&self->s.meddler);
	EXPECT_EQ(0, module_restore(self->s.module));
}

static bool complain(const struct turn *t, const char *what, int rc)
{
	fprintf(stderr, "# turn %u (run %u, file %d, dump %d, reader %d, meddler %d, %u us): %s: %s\n",
		t->number, t->run, t->file, t->dump, t->reader, t->meddler, t->delay, what,
		strerror(rc < 0 ? -rc : rc));
	return false;
}

static int start_run(struct scene *s, const struct turn *t)
{
	const char * const pairs[] = {
		"period_ns", "5000000", "warmup_ms", "0", "duration_ms", "0",
		"threshold_ns", "1", "user", t->reader ? "1" : "0", NULL,
	};
	int rc;

	if (t->run == RUN_NONE)
		return 0;
	if (t->run == RUN_DEBUGFS)
		return nl_command(&s->nl, RTK_CMD_SET, false, pairs) ?:
		       put(DEBUGFS_DIR "enable", "1");
	rc = nl_command(&s->nl, RTK_CMD_START, t->run == RUN_DETACHED, pairs);
	if (rc || t->run == RUN_OWNED)
		return rc;
	nl_close(&s->nl);
	return nl_open(&s->nl);
}

/*
 * Begun by the request, and not at its end before the first part is read. There
 * are no lanes without a run.
 */
static int start_dump(struct scene *s, const struct turn *t)
{
	struct nl *nl = &s->dump;
	int rc = nl_open(nl);

	return rc ?: nl_send(nl, nl_dump(nl, t->run ? RTK_CMD_HIST_GET : RTK_CMD_TEST_GET,
					 TEST_NAME, -1, NULL));
}

static bool set_up(struct scene *s, const struct turn *t)
{
	char c;
	int rc = start_run(s, t);

	if (rc)
		return complain(t, "start", rc);
	if (t->reader) {
		actor_tell(&s->reader, 1);
		rc = actor_hear(&s->reader);
		if (rc <= 0)
			return complain(t, "the reader's first read", rc);
	}
	if (t->file) {
		s->file = open(DEBUGFS_DIR "histogram", O_RDONLY);
		if (s->file < 0 || read(s->file, &c, 1) < 0)
			return complain(t, "histogram", errno);
	}
	rc = t->dump ? start_dump(s, t) : 0;
	if (rc)
		return complain(t, "dump", rc);
	if (t->meddler)
		actor_tell(&s->meddler, 1);
	return true;
}

/* After a refusal everything is as it was, and goes on. */
static bool goes_on(struct scene *s, const struct turn *t)
{
	struct info info;
	char buf[4096];
	int rc = get_info(&s->nl, &info);

	if (rc)
		return complain(t, "refused, and then", rc);
	if (info.state != (t->run ? RTK_STATE_RUNNING : RTK_STATE_IDLE))
		return complain(t, "refused, and the run has changed", 0);
	while (t->file && (rc = read(s->file, buf, sizeof(buf))) > 0)
		;
	if (rc)
		return complain(t, "refused, and the file", errno);
	while (t->dump && t->number % 2 && !s->dump.done && !rc)
		rc = nl_receive(&s->dump, NULL, NULL);
	return !rc || complain(t, "refused, and the dump", rc);
}

/* Takes away what keeps the module. */
static bool let_go(struct scene *s, const struct turn *t)
{
	int rc;

	if (t->meddler) {
		actor_tell(&s->meddler, 0);
		rc = actor_hear(&s->meddler);
		if (rc)
			return complain(t, "the meddler", rc);
	}
	if (t->reader) {
		put(DEBUGFS_DIR "enable", "0");
		rc = actor_hear(&s->reader);
		/* Who meddles may have ended one run and begun another one. */
		if (rc && !(t->meddler && (rc == -EAGAIN || rc == -EINVAL)))
			return complain(t, "the reader's last read", rc);
	}
	close(s->file);
	s->file = -1;
	nl_close(&s->dump);
	return true;
}

static bool nothing_is_left(const struct turn *t)
{
	if (!access("/sys/module/rtk", F_OK) || !access("/sys/kernel/debug/rtk", F_OK))
		return complain(t, "unloaded, and something is left", 0);
	return true;
}

static bool unload(struct scene *s, const struct turn *t)
{
	/* A socket's dump ends some time after the socket. */
	time_t end = time(NULL) + PATIENCE;
	bool refused, keeps = t->file || t->dump || t->reader;
	int rc = module_unload();

	refused = rc == -EAGAIN;
	s->refused += refused;
	if (rc && !refused)
		return complain(t, "unloading", rc);
	if (!t->meddler && refused != keeps)
		return complain(t, refused ? "refused" : "not refused", 0);
	if (refused && !t->meddler && !goes_on(s, t))
		return false;
	if (!let_go(s, t))
		return false;
	while (rc == -EAGAIN && time(NULL) < end) {
		rc = module_unload();
		if (rc && !t->dump)
			break;
		usleep(1000);
	}
	if (rc)
		return complain(t, "unloading in the end", rc);
	nl_close(&s->nl);
	return nothing_is_left(t);
}

static bool take_turn(struct scene *s, const struct turn *t)
{
	int rc = module_load(s->module);

	if (rc)
		return complain(t, "loading", rc);
	rc = nl_open(&s->nl);
	if (rc)
		return complain(t, "family", rc);
	if (!set_up(s, t))
		return false;
	usleep(t->delay);
	return unload(s, t);
}

static struct turn random_turn(unsigned int number)
{
	struct turn t = {
		.number = number,
		.run = random() % RUN_KINDS,
		.file = random() % 4 == 0,
		.dump = random() % 4 == 0,
		.reader = random() % 3 == 0,
		.meddler = random() % 4 == 0,
		.delay = random() % DELAY_MAX,
	};

	t.reader = t.reader && t.run;
	return t;
}

/* The same as below, one by one, so that a failure shows what it is about. */
TEST_F_TIMEOUT(unload, each_state_alone, 2 * PATIENCE)
{
	static const struct turn turns[] = {
		{ .run = RUN_NONE },
		{ .run = RUN_DEBUGFS },
		{ .run = RUN_OWNED },
		{ .run = RUN_DETACHED },
		{ .run = RUN_NONE, .file = true },
		{ .run = RUN_OWNED, .file = true },
		{ .run = RUN_NONE, .dump = true },
		{ .run = RUN_OWNED, .dump = true },
		{ .run = RUN_DETACHED, .dump = true },
		{ .run = RUN_DEBUGFS, .reader = true },
		{ .run = RUN_OWNED, .reader = true },
		{ .run = RUN_OWNED, .file = true, .dump = true, .reader = true },
	};
	unsigned int i;

	ASSERT_EQ(0, module_unload());
	for (i = 0; i < ARRAY_SIZE(turns); i++) {
		struct turn t = turns[i];

		t.number = i;
		t.delay = 20000;
		ASSERT_TRUE(take_turn(&self->s, &t));
	}
}

TEST_F_TIMEOUT(unload, a_thousand_times, 20 * PATIENCE)
{
	unsigned int i;

	ASSERT_EQ(0, module_unload());
	srandom(SEED);
	for (i = 0; i < TURNS; i++) {
		struct turn t = random_turn(i);

		/* The first ones fill caches. */
		if (i == TURNS / 10)
			ASSERT_EQ(0, footprint_take(&self->before));
		ASSERT_TRUE(take_turn(&self->s, &t)) {
			TH_LOG("seed %u", SEED);
		}
	}
	ASSERT_EQ(0, footprint_take(&self->after));
	EXPECT_FALSE(footprint_grew(&self->before, &self->after, TURNS - TURNS / 10));
	TH_LOG("seed %u: %u turns, %u refused", SEED, TURNS, self->s.refused);
	/* Both have been seen often. */
	EXPECT_LT(TURNS / 10, self->s.refused);
	EXPECT_GT(TURNS - TURNS / 10, self->s.refused);
}

TEST_HARNESS_MAIN
