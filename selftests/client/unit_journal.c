// SPDX-License-Identifier: GPL-2.0
/* The journal of changes: on the disk before the change, gone when it is undone. */
#include <errno.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "captured.h"
#include "files.h"
#include "journal.h"
#include "util.h"

static char folder[64];

/* What a walk has seen: the values of "n" in its order. */
struct seen {
	char list[64];
	struct rtk_change last;
	int stop_after;
};

static int see(struct rtk_journal *j, const struct rtk_change *c, void *arg)
{
	struct seen *s = arg;
	size_t len = strlen(s->list);

	(void)j;
	snprintf(s->list + len, sizeof(s->list) - len, "%s%lld", len ? " " : "",
		 (long long)json_integer_value(json_object_get(c->before, "n")));
	s->last = *c;
	return s->stop_after && !--s->stop_after ? 7 : 0;
}

static int walk(struct seen *s)
{
	struct rtk_journal j;
	int err;

	memset(s->list, 0, sizeof(s->list));
	err = rtk_journal_open(&j, false);
	if (!err)
		err = rtk_journal_each(&j, see, s);
	rtk_journal_close(&j);
	return err;
}

static void add(int n, bool owned, char *file)
{
	json_t *before = json_pack("{si}", "n", n);
	struct rtk_journal j;

	ok(!rtk_journal_open(&j, true) &&
	   !rtk_journal_add(&j, "test", before, owned, file),
	   "change %d is entered", n);
	rtk_journal_close(&j);
	json_decref(before);
}

static void take_out(const char *file)
{
	struct rtk_journal j;

	ok(!rtk_journal_open(&j, true) && !rtk_journal_remove(&j, file),
	   "%s is taken out", file);
	rtk_journal_close(&j);
}

static void test_order(void)
{
	char file[4][RTK_CHANGE_FILE_SIZE], path[160];
	struct seen s = { 0 };

	ok(!walk(&s) && !*s.list, "a journal that is not there is empty");
	ok(access(folder, F_OK), "and looking at it makes none");
	add(1, false, file[0]);
	ok_str(file[0], "0000000001-test.json", "the first entry's name");
	snprintf(path, sizeof(path), "%s/%s", folder, file[0]);
	ok(!access(path, R_OK), "it is a file of its own");
	add(2, false, file[1]);
	add(3, false, file[2]);
	ok(!walk(&s), "all are looked at");
	ok_str(s.list, "3 2 1", "the newest first");
	s.stop_after = 2;
	ok_num(walk(&s), 7, "a walk can be ended");
	ok_str(s.list, "3 2", "where it was");
	take_out(file[1]);
	add(4, false, file[3]);
	ok(!walk(&s), "after one is undone");
	ok_str(s.list, "4 3 1", "the others are in their order");
	take_out(file[0]);
	take_out(file[2]);
	take_out(file[3]);
	ok(!walk(&s) && !*s.list, "all undone");
}

/* Rewrites what an entry says. */
static void edit(const char *file, const char *key, json_t *value)
{
	char path[160];
	json_t *o;

	snprintf(path, sizeof(path), "%s/%s", folder, file);
	o = json_load_file(path, 0, NULL);
	if (json_object_set_new(o, key, value) || json_dump_file(o, path, 0))
		ok(false, "%s is written", path);
	json_decref(o);
}

/* A process that enters a change and ends without undoing it. */
static void killed(char *file)
{
	struct seen s = { 0 };
	pid_t pid = fork();
	siginfo_t info;

	if (!pid) {
		add(5, true, file);
		_exit(0);
	}
	waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT);
	tap_count++;
	ok(!walk(&s) && s.last.pid == pid && !s.last.alive,
	   "one that has ended does not, though it is still to be waited for");
	waitpid(pid, NULL, 0);
	ok(!walk(&s) && s.last.pid == pid && !s.last.alive, "nor later");
	rtk_copy(file, RTK_CHANGE_FILE_SIZE, s.last.file);
}

static void test_owner(void)
{
	char file[RTK_CHANGE_FILE_SIZE];
	struct seen s = { 0 };

	add(1, true, file);
	ok(!walk(&s) && s.last.pid == getpid() && s.last.alive,
	   "its owner is alive");
	ok(*s.last.comm, "and has a name");
	edit(file, "start", json_integer((json_int_t)s.last.start + 1));
	ok(!walk(&s) && !s.last.alive,
	   "another process of that number is not its owner");
	take_out(file);
	add(2, false, file);
	ok(!walk(&s) && !s.last.pid && !s.last.alive, "one without an owner");
	edit(file, "boot", json_string("of another boot"));
	ok(!walk(&s) && !*s.list, "what another boot has changed is void");
	take_out(file);
	killed(file);
	take_out(file);
}

static void test_broken(void)
{
	char file[RTK_CHANGE_FILE_SIZE];
	struct seen s = { 0 };

	add(1, false, file);
	put(folder, "/0000000007-test.json", "{ \"schema\": \"rtk-jou");
	put(folder, "/0000000008-test.json.tmp", "{");
	put(folder, "/README", "mine");
	captured();
	ok_num(walk(&s), -EINVAL, "an entry that can't be read is an error");
	ok_str(s.list, "1", "which keeps from no other");
	ok(strstr(captured(), "0000000007-test.json: "), "and is named");
	put(folder, "/0000000007-test.json", "");
	edit(file, "schema", json_string("rtk-journal/99"));
	ok_num(walk(&s), -EINVAL, "so is one of another version");
	ok(strstr(captured(), "another version"), "which is said");
	take_out("0000000007-test.json");
	take_out(file);
}

/* The other process gets the journal only when the first has done its change. */
static void test_lock(void)
{
	const struct timespec pause = { .tv_nsec = 200000000 };
	char file[RTK_CHANGE_FILE_SIZE], byte;
	struct rtk_journal j;
	struct seen s = { 0 };
	json_t *before;
	int fds[2];
	pid_t pid;

	if (pipe(fds))
		return;
	pid = fork();
	if (!pid) {
		before = json_pack("{si}", "n", 6);
		if (rtk_journal_open(&j, true) || write(fds[1], "x", 1) != 1 ||
		    nanosleep(&pause, NULL) ||
		    rtk_journal_add(&j, "test", before, false, file))
			_exit(1);
		_exit(0);
	}
	ok(read(fds[0], &byte, 1) == 1 && !rtk_journal_open(&j, true),
	   "the journal is opened by two");
	ok(!rtk_journal_each(&j, see, &s), "the second looks at it");
	ok_str(s.list, "6", "the first was done by then");
	ok(!rtk_journal_remove(&j, s.last.file), "an end");
	rtk_journal_close(&j);
	waitpid(pid, NULL, 0);
}

int main(void)
{
	char top[] = "/tmp/rtk-unit-XXXXXX";

	tap_begin();
	capture_errors();
	if (!mkdtemp(top))
		return 1;
	snprintf(folder, sizeof(folder), "%s/a/b", top);
	setenv("RTK_JOURNAL", folder, 1);
	test_order();
	test_owner();
	test_broken();
	test_lock();
	if (!remove_tree(top))
		return 1;
	return tap_end();
}
