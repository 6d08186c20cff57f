// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cli.h"
#include "hold.h"

/* Resets and probes take a second; another claim may have to be waited for. */
#define BEGIN_MS 30000
#define END_TRIES 3000
#define END_NS 10000000

/* Bounded: a line, or its beginning where no more comes. */
static void read_line(int fd, char *line, size_t size)
{
	struct pollfd pfd = { .fd = fd, .events = POLLIN };
	__s64 end = rtk_mono_ns() + BEGIN_MS * 1000000LL, left;
	size_t len = 0;
	ssize_t n = 1;

	while (n > 0 && len < size - 1 && !memchr(line, '\n', len)) {
		left = (end - rtk_mono_ns()) / 1000000;
		if (left <= 0 || poll(&pfd, 1, (int)left) != 1)
			break;
		n = read(fd, line + len, size - 1 - len);
		if (n > 0)
			len += (size_t)n;
	}
	line[len] = '\0';
}

static int spawn(struct rtk_hold *h, const char *path, char **argv,
		 const int in[2], const int out[2])
{
	posix_spawn_file_actions_t fa;
	int err = posix_spawn_file_actions_init(&fa);

	if (err)
		return -err;
	err = posix_spawn_file_actions_adddup2(&fa, in[0], STDIN_FILENO);
	if (!err)
		err = posix_spawn_file_actions_adddup2(&fa, out[1],
						       STDOUT_FILENO);
	if (!err)
		err = posix_spawn(&h->pid, path, &fa, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&fa);
	if (err)
		h->pid = 0;
	return -err;
}

/* Both ends close by themselves in programs that are executed. */
static int start(struct rtk_hold *h, const char *path, char **argv, int *from)
{
	int in[2], out[2], err;

	if (pipe2(in, O_CLOEXEC))
		return -errno;
	if (pipe2(out, O_CLOEXEC)) {
		err = -errno;
		close(in[0]);
		close(in[1]);
		return err;
	}
	err = spawn(h, path, argv, in, out);
	close(in[0]);
	close(out[1]);
	h->input = in[1];
	*from = out[0];
	if (err) {
		close(in[1]);
		close(out[0]);
	}
	return err;
}

int rtk_hold_begin(struct rtk_hold *h, const char *text, unsigned int flags,
		   struct rtk_device *d)
{
	char *argv[6] = { (char *)rtk_prog(), (char *)"hold", (char *)text };
	char path[PATH_MAX], line[4096];
	int from = -1, err, status;
	size_t n = 3;

	if (flags & RTK_HOLD_UNBOUND)
		argv[n++] = (char *)"--unbound";
	if (flags & RTK_HOLD_FORCE)
		argv[n++] = (char *)"--force";

	h->pid = 0;
	if (rtk_cli_companion("device", path, sizeof(path)))
		return rtk_cli_no_device();
	err = start(h, path, argv, &from);
	if (err) {
		rtk_err("%s: %s", path, strerror(-err));
		return RTK_EXIT_ERROR;
	}
	read_line(from, line, sizeof(line));
	close(from);
	err = rtk_device_parse(d, line);
	if (!err || err == -ENOENT)
		return RTK_EXIT_OK;
	/* It has said why, unless it hangs or was killed. */
	status = rtk_hold_end(h);
	if (!status)
		rtk_err("%s: no answer within %d s", path, BEGIN_MS / 1000);
	return status ? status : RTK_EXIT_ERROR;
}

static int wait_for(pid_t pid, int *status)
{
	const struct timespec pause = { .tv_nsec = END_NS };
	int tries = END_TRIES;
	pid_t got;

	while (!(got = waitpid(pid, status, WNOHANG)) && tries--)
		nanosleep(&pause, NULL);
	if (got < 0)
		return -errno;
	return got ? 0 : -ETIME;
}

int rtk_hold_end(struct rtk_hold *h)
{
	int status, err;

	if (!h->pid)
		return RTK_EXIT_OK;
	close(h->input);
	err = wait_for(h->pid, &status);
	h->pid = 0;
	if (!err && WIFEXITED(status))
		return WEXITSTATUS(status);
	rtk_err("the process that gives the device back %s; run: sudo %s restore",
		err == -ETIME ? "hangs" : "was killed", rtk_prog());
	return RTK_EXIT_ERROR;
}
