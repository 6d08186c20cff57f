// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "outfile.h"
#include "util.h"

static int fail(const char *path, int err)
{
	rtk_err("%s: %s", path, strerror(-err));
	return err;
}

/* Pipes, terminals and devices are written to as they are. */
static bool is_special(const char *path)
{
	struct stat st;

	return !stat(path, &st) && !S_ISREG(st.st_mode);
}

/* A link stays one: /dev/stdout must not be replaced. */
static const char *resolve(const char *path, char *real)
{
	return realpath(path, real) ? real : path;
}

static int open_temp(const char *path, char *temp)
{
	mode_t mask;
	int fd;

	if (snprintf(temp, PATH_MAX, "%s.XXXXXX", path) >= PATH_MAX)
		return -ENAMETOOLONG;
	fd = mkostemp(temp, O_CLOEXEC);
	if (fd < 0)
		return -errno;
	mask = umask(0);
	umask(mask);
	if (!fchmod(fd, 0666 & ~mask))
		return fd;
	mask = (mode_t)errno;
	close(fd);
	unlink(temp);
	return -(int)mask;
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
	fd = open_temp(resolve(path, real), temp);
	if (fd < 0)
		return fail(path, fd);
	close(fd);
	unlink(temp);
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
	fd = open(path, O_WRONLY | O_CLOEXEC);
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
