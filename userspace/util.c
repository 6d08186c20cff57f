// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

#include "util.h"

void rtk_err(const char *fmt, ...)
{
	va_list ap;

	/* What is on stdout belongs before the error, also in a common file. */
	fflush(stdout);
	fputs("rtk: ", stderr);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
}

int rtk_err_nomem(void)
{
	rtk_err("out of memory");
	return -ENOMEM;
}

void rtk_copy(char *dst, size_t size, const char *src)
{
	size_t len = src ? strnlen(src, size - 1) : 0;

	if (len)
		memcpy(dst, src, len);
	dst[len] = '\0';
}

void rtk_printable(char *s)
{
	for (; *s; s++)
		if ((unsigned char)*s < ' ' || *s == 0x7f)
			*s = '?';
}

void *rtk_grow(void *array, size_t *n, size_t size)
{
	char *old, *grown;

	memcpy(&old, array, sizeof(old));
	grown = old;
	if (!(*n & (*n - 1))) {
		grown = reallocarray(old, *n ? *n * 2 : 1, size);
		if (!grown)
			return NULL;
		memcpy(array, &grown, sizeof(grown));
	}
	memset(grown + *n * size, 0, size);
	return grown + (*n)++ * size;
}

static int read_file(char *buf, size_t size, const char *path)
{
	size_t len = 0;
	ssize_t got;
	int fd, err = 0;

	buf[0] = '\0';
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	while (len < size - 1) {
		got = read(fd, buf + len, size - 1 - len);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			err = -errno;
		if (got <= 0)
			break;
		len += (size_t)got;
	}
	close(fd);
	if (err)
		len = 0;
	while (len && (buf[len - 1] == '\n' || buf[len - 1] == '\0'))
		len--;
	buf[len] = '\0';
	return err ? err : (int)len;
}

static int __printf(2, 0) format_path(char *path, const char *fmt, va_list ap)
{
	int len = vsnprintf(path, PATH_MAX, fmt, ap);

	return len < 0 || len >= PATH_MAX ? -ENAMETOOLONG : 0;
}

int rtk_read_text(char *buf, size_t size, const char *fmt, ...)
{
	char path[PATH_MAX];
	va_list ap;
	int err;

	va_start(ap, fmt);
	err = format_path(path, fmt, ap);
	va_end(ap);
	buf[0] = '\0';
	return err ? err : read_file(buf, size, path);
}

int rtk_read_number(__s64 *value, const char *fmt, ...)
{
	char path[PATH_MAX], text[32], *end;
	va_list ap;
	long long v;
	int err;

	va_start(ap, fmt);
	err = format_path(path, fmt, ap);
	va_end(ap);
	if (!err)
		err = read_file(text, sizeof(text), path);
	if (err < 0)
		return err;
	errno = 0;
	v = strtoll(text, &end, 10);
	if (errno || end == text || *end)
		return -EINVAL;
	*value = v;
	return 0;
}

/* Levenshtein's distance; words longer than 31 characters are never near. */
static unsigned int distance(const char *a, const char *b)
{
	unsigned int row[32], diag, up, cost;
	size_t la = strlen(a), lb = strlen(b), i, j;

	if (la > 31 || lb > 31)
		return 31;
	for (j = 0; j <= lb; j++)
		row[j] = (unsigned int)j;
	for (i = 1; i <= la; i++) {
		diag = row[0];
		row[0] = (unsigned int)i;
		for (j = 1; j <= lb; j++) {
			up = row[j];
			cost = diag + (a[i - 1] != b[j - 1]);
			if (up + 1 < cost)
				cost = up + 1;
			if (row[j - 1] + 1 < cost)
				cost = row[j - 1] + 1;
			diag = up;
			row[j] = cost;
		}
	}
	return row[lb];
}

const char *rtk_nearest(const char *word, const char *best, const char *next)
{
	unsigned int limit = strlen(word) < 4 ? 1 : strlen(word) < 8 ? 2 : 3;
	unsigned int d = distance(word, next);

	if (d > limit || (best && distance(word, best) <= d))
		return best;
	return next;
}

static const char *prog = "rtk";

const char *rtk_prog(void)
{
	return prog;
}

void rtk_set_prog(const char *argv0)
{
	if (argv0 && strchr(argv0, '/'))
		prog = argv0;
}

int rtk_self_dir(char *buf, size_t size)
{
	ssize_t len = readlink("/proc/self/exe", buf, size - 1);
	char *slash;

	if (len < 0)
		return -errno;
	if ((size_t)len == size - 1)
		return -ENAMETOOLONG;
	buf[len] = '\0';
	slash = strrchr(buf, '/');
	if (!slash)
		return -ENOENT;
	*slash = '\0';
	return 0;
}

static void fill(sigset_t *set)
{
	sigemptyset(set);
	sigaddset(set, SIGINT);
	sigaddset(set, SIGTERM);
	sigaddset(set, SIGHUP);
}

void rtk_signals_end(void)
{
	const struct timespec now = { 0 };
	sigset_t set, blocked;

	fill(&set);
	/* Of a process that has not taken them there is nothing to end. */
	if (sigprocmask(SIG_BLOCK, NULL, &blocked) ||
	    !sigismember(&blocked, SIGINT))
		return;
	while (sigtimedwait(&set, NULL, &now) > 0)
		;
	sigprocmask(SIG_UNBLOCK, &set, NULL);
}

int rtk_signals(void)
{
	sigset_t set;
	int fd = -1;

	fill(&set);
	if (!sigprocmask(SIG_BLOCK, &set, NULL))
		fd = signalfd(-1, &set, SFD_CLOEXEC);
	if (fd >= 0)
		return fd;
	fd = -errno;
	rtk_err("can't catch signals: %s", strerror(-fd));
	return fd;
}

static __s64 clock_ns(clockid_t clock)
{
	struct timespec ts;

	clock_gettime(clock, &ts);
	return (__s64)ts.tv_sec * 1000000000 + ts.tv_nsec;
}

__s64 rtk_wall_ns(void)
{
	return clock_ns(CLOCK_REALTIME);
}

__s64 rtk_mono_ns(void)
{
	return clock_ns(CLOCK_MONOTONIC);
}
