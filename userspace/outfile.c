// SPDX-License-Identifier: GPL-2.0
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "outfile.h"
#include "util.h"

static int fail(const char *path, int err)
{
	rtk_err("%s: %s", path, strerror(-err));
	return err;
}

/*
 * Pipes, terminals and devices are written to as they are. So is what a link leads to
 * that has no name: /dev/stdout, where it is a file that was deleted meanwhile.
 */
static bool is_special(const char *path)
{
	char real[PATH_MAX];
	struct stat st;

	if (!stat(path, &st) && !S_ISREG(st.st_mode))
		return true;
	return !lstat(path, &st) && S_ISLNK(st.st_mode) &&
	       !realpath(path, real);
}

/* A link stays one: /dev/stdout must not be replaced. */
static const char *resolve(const char *path, char *real)
{
	return realpath(path, real) ? real : path;
}

/* Behind a file's own name, while the next of it is being written. */
#define SUFFIX ".rtk-XXXXXX"

static int open_temp(const char *path, char *temp)
{
	mode_t mask;
	int fd;

	if (snprintf(temp, PATH_MAX, "%s" SUFFIX, path) >= PATH_MAX)
		return -ENAMETOOLONG;
	fd = mkostemp(temp, O_CLOEXEC);
	if (fd < 0)
		return -errno;
	mask = umask(0);
	umask(mask);
	/* Where there are no locks nobody takes it for a stale one. */
	flock(fd, LOCK_EX | LOCK_NB);
	if (!fchmod(fd, 0666 & ~mask))
		return fd;
	mask = (mode_t)errno;
	close(fd);
	unlink(temp);
	return -(int)mask;
}

static bool is_temp_of(const char *name, const char *base)
{
	size_t len = strlen(base), fixed = strlen(SUFFIX) - 6;

	return strlen(name) == len + strlen(SUFFIX) &&
	       !strncmp(name, base, len) && !strncmp(name + len, SUFFIX, fixed);
}

/* Who writes holds a lock, which goes with the process. */
static void remove_stale(int dir, const char *name)
{
	int fd = openat(dir, name, O_RDWR | O_NOFOLLOW | O_CLOEXEC);
	struct stat st;

	if (fd < 0)
		return;
	if (!fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_uid == geteuid() &&
	    !flock(fd, LOCK_EX | LOCK_NB))
		unlinkat(dir, name, 0);
	close(fd);
}

/* What a writer that was killed has left beside a file. */
static void sweep(const char *path)
{
	char folder[PATH_MAX], name[PATH_MAX];
	struct dirent *entry;
	const char *base;
	DIR *dir;

	rtk_copy(folder, sizeof(folder), path);
	rtk_copy(name, sizeof(name), path);
	base = basename(name);
	dir = opendir(dirname(folder));
	while (dir && (entry = readdir(dir)))
		if (is_temp_of(entry->d_name, base))
			remove_stale(dirfd(dir), entry->d_name);
	if (dir)
		closedir(dir);
}

bool rtk_outfile_is_file(const char *path)
{
	return strcmp(path, "-") && !is_special(path);
}

int rtk_outfile_check(const char *path)
{
	char temp[PATH_MAX], real[PATH_MAX];
	struct stat st;
	int fd;

	if (!*path) {
		rtk_err("a file to write to has an empty name");
		return -EINVAL;
	}
	if (!strcmp(path, "-"))
		return 0;
	if (!stat(path, &st) && S_ISDIR(st.st_mode))
		return fail(path, -EISDIR);
	if (is_special(path))
		return access(path, W_OK) ? fail(path, -errno) : 0;
	path = resolve(path, real);
	fd = open_temp(path, temp);
	if (fd < 0)
		return fail(path, fd);
	close(fd);
	unlink(temp);
	sweep(path);
	return 0;
}

static int write_all(int fd, const char *text, size_t len)
{
	ssize_t n;

	while (len) {
		n = write(fd, text, len);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		text += n;
		len -= (size_t)n;
	}
	return 0;
}

/* Not every file system can sync a folder; the file itself is safe by then. */
static void sync_folder(const char *path)
{
	char copy[PATH_MAX];
	int fd;

	rtk_copy(copy, sizeof(copy), path);
	fd = open(dirname(copy), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return;
	fsync(fd);
	close(fd);
}

static int replace(const char *path, const char *text, size_t len)
{
	char temp[PATH_MAX];
	int fd = open_temp(path, temp), err;

	if (fd < 0)
		return fd;
	err = write_all(fd, text, len);
	if (!err && fsync(fd))
		err = -errno;
	if (close(fd) && !err)
		err = -errno;
	if (!err && rename(temp, path))
		err = -errno;
	if (err)
		unlink(temp);
	else
		sync_folder(path);
	return err;
}

static int save(const char *path, const char *data, size_t len)
{
	char real[PATH_MAX];
	int fd, err;

	if (!is_special(path))
		return replace(resolve(path, real), data, len);
	fd = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	err = write_all(fd, data, len);
	if (close(fd) && !err)
		err = -errno;
	return err;
}

int rtk_outfile_save(const char *path, const char *text)
{
	return save(path, text, strlen(text));
}

int rtk_outfile_write(const char *path, const char *text)
{
	return rtk_outfile_write_bytes(path, text, strlen(text));
}

int rtk_outfile_write_bytes(const char *path, const char *data, size_t len)
{
	int err;

	if (!strcmp(path, "-")) {
		fflush(stdout);
		err = write_all(STDOUT_FILENO, data, len);
		return err ? fail("standard output", err) : 0;
	}
	err = save(path, data, len);
	return err ? fail(path, err) : 0;
}
