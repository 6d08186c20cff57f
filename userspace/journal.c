// SPDX-License-Identifier: GPL-2.0
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "journal.h"
#include "outfile.h"
#include "util.h"

#define FOLDER "/run/rtk/journal"
#define SCHEMA "rtk-journal/1"
/* A change of the system takes a second or so; a driver's probe may be slow. */
#define LOCK_TRIES 600
#define LOCK_NS 50000000

static int fail(const struct rtk_journal *j, int err)
{
	rtk_err("journal %s: %s", j->path, strerror(-err));
	return err;
}

static int make_folders(char *path)
{
	char *p;

	for (p = path + 1; (p = strchr(p, '/')); p++) {
		*p = '\0';
		mkdir(path, 0755);
		*p = '/';
	}
	return mkdir(path, 0755) && errno != EEXIST ? -errno : 0;
}

/* The kernel gives it up when this process ends, however that happens. */
static int lock(struct rtk_journal *j)
{
	const struct timespec pause = { .tv_nsec = LOCK_NS };
	int tries = LOCK_TRIES;

	while (flock(j->dir, LOCK_EX | LOCK_NB)) {
		if (errno != EWOULDBLOCK)
			return fail(j, -errno);
		if (!--tries) {
			rtk_err("journal %s: another rtk is changing the system; try again when it is done",
				j->path);
			return -EBUSY;
		}
		nanosleep(&pause, NULL);
	}
	return 0;
}

int rtk_journal_open(struct rtk_journal *j, bool change)
{
	const char *folder = getenv("RTK_JOURNAL");
	int err = 0;

	memset(j, 0, sizeof(*j));
	rtk_copy(j->path, sizeof(j->path), folder && *folder ? folder : FOLDER);
	rtk_read_text(j->boot, sizeof(j->boot),
		      "/proc/sys/kernel/random/boot_id");
	if (change)
		err = make_folders(j->path);
	j->dir = open(j->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (j->dir < 0 && !change && errno == ENOENT)
		return 0;
	if (j->dir < 0)
		return fail(j, err ? err : -errno);
	err = change ? lock(j) : 0;
	if (err)
		rtk_journal_close(j);
	return err;
}

void rtk_journal_close(struct rtk_journal *j)
{
	if (j->dir >= 0)
		close(j->dir);
	j->dir = -1;
}

/*
 * When a process started, by which it is told from a later one of its number; 0 for
 * one that has ended.
 */
static __u64 start_of(pid_t pid)
{
	char text[1024], *p;
	int field;

	if (rtk_read_text(text, sizeof(text), "/proc/%d/stat", pid) < 0)
		return 0;
	/* Its name may hold anything. Field 2 ends here, 3 is the state, 22 wanted. */
	p = strrchr(text, ')');
	if (!p || !strncmp(p, ") Z", 3))
		return 0;
	for (field = 2; p && field < 22; field++)
		p = strchr(p + 1, ' ');
	return p ? strtoull(p, NULL, 10) : 0;
}

/* "0000000012-device.json", so that names sort as the changes were made. */
static unsigned long number_of(const char *name)
{
	char *end;
	unsigned long n = strtoul(name, &end, 10);
	size_t len = strlen(name);

	if (end != name + 10 || *end != '-' || len < 16 ||
	    len >= RTK_CHANGE_FILE_SIZE || strcmp(name + len - 5, ".json"))
		return 0;
	return n;
}

static int is_entry(const struct dirent *d)
{
	return number_of(d->d_name) != 0;
}

static int scan(const struct rtk_journal *j, struct dirent ***names)
{
	int n = j->dir < 0 ? 0 : scandir(j->path, names, is_entry, alphasort);

	return n < 0 ? fail(j, -errno) : n;
}

static void free_names(struct dirent **names, int n)
{
	if (n <= 0)
		return;
	while (n--)
		free(names[n]);
	free(names);
}

int rtk_journal_add(struct rtk_journal *j, const char *kind, json_t *before,
		    bool owned, char file[RTK_CHANGE_FILE_SIZE])
{
	pid_t pid = owned ? getpid() : 0;
	char path[PATH_MAX], comm[32] = "", *text;
	struct dirent **names = NULL;
	unsigned long last;
	json_t *o;
	int n, err;

	n = scan(j, &names);
	if (n < 0)
		return n;
	last = n ? number_of(names[n - 1]->d_name) : 0;
	free_names(names, n);
	snprintf(file, RTK_CHANGE_FILE_SIZE, "%010lu-%s.json", last + 1, kind);
	snprintf(path, sizeof(path), "%s/%s", j->path, file);
	rtk_read_text(comm, sizeof(comm), "/proc/self/comm");
	o = json_pack("{s:s,s:s,s:s,s:I,s:I,s:s,s:O}", "schema", SCHEMA, "kind",
		      kind, "boot", j->boot, "pid", (json_int_t)pid, "start",
		      (json_int_t)(pid ? start_of(pid) : 0), "comm", comm,
		      "before", before);
	text = o ? json_dumps(o, JSON_INDENT(1)) : NULL;
	json_decref(o);
	if (!text)
		return rtk_err_nomem();
	/* Temporary file, fsync, rename, fsync of the folder. */
	err = rtk_outfile_write(path, text);
	free(text);
	return err;
}

int rtk_journal_remove(struct rtk_journal *j, const char *file)
{
	if (unlinkat(j->dir, file, 0) || fsync(j->dir))
		return fail(j, -errno);
	return 0;
}

/* Return: 0; -ESTALE of another boot; -EINVAL not one of ours, printed */
static int read_entry(const struct rtk_journal *j, const char *file,
		      struct rtk_change *c, json_t **doc)
{
	const char *schema, *kind, *boot, *comm;
	char path[PATH_MAX];
	json_error_t why;
	json_int_t pid, start;

	memset(c, 0, sizeof(*c));
	snprintf(path, sizeof(path), "%s/%s", j->path, file);
	*doc = json_load_file(path, 0, &why);
	if (!*doc ||
	    json_unpack_ex(*doc, &why, 0, "{s:s,s:s,s:s,s:I,s:I,s:s,s:o}",
			   "schema", &schema, "kind", &kind, "boot", &boot,
			   "pid", &pid, "start", &start, "comm", &comm,
			   "before", &c->before)) {
		rtk_err("%s: %s; left alone", path, why.text);
		return -EINVAL;
	}
	if (strcmp(schema, SCHEMA)) {
		rtk_err("%s: of another version of rtk (%s); left alone", path,
			schema);
		return -EINVAL;
	}
	rtk_copy(c->file, sizeof(c->file), file);
	rtk_copy(c->kind, sizeof(c->kind), kind);
	rtk_copy(c->comm, sizeof(c->comm), comm);
	c->pid = (pid_t)pid;
	c->start = (__u64)start;
	c->alive = c->start && start_of(c->pid) == c->start;
	return strcmp(boot, j->boot) ? -ESTALE : 0;
}

int rtk_journal_each(struct rtk_journal *j,
		     int (*fn)(struct rtk_journal *j,
			       const struct rtk_change *c, void *arg),
		     void *arg)
{
	struct dirent **names = NULL;
	struct rtk_change c;
	int i, n, one, bad = 0, err = 0;
	json_t *doc;

	n = scan(j, &names);
	for (i = n - 1; !err && i >= 0; i--) {
		one = read_entry(j, names[i]->d_name, &c, &doc);
		if (!one)
			err = fn(j, &c, arg);
		else if (one != -ESTALE)
			bad = one;
		json_decref(doc);
	}
	free_names(names, n);
	if (n < 0)
		return n;
	return err ? err : bad;
}
