// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cli.h"
#include "hold.h"

/* Resets and probes take a second; another claim may have to be waited for. */
#define BEGIN_MS 30000
/* Hundreds of devices. */
#define LIST_SIZE (1 << 20)
#define END_TRIES 3000
#define END_NS 10000000

/* Bounded: up to @stop, or the beginning where no more comes. */
static void read_until(int fd, char stop, char *line, size_t size)
{
	struct pollfd pfd = { .fd = fd, .events = POLLIN };
	__s64 end = rtk_mono_ns() + BEGIN_MS * 1000000LL, left;
	size_t len = 0;
	ssize_t n = 1;

	while (n > 0 && len < size - 1 && !memchr(line, stop, len)) {
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
static int connect_to(struct rtk_hold *h, const char *path, char **argv,
		      int *from)
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

/* Executes rtk-device; from @from comes what it prints. Prints its error. */
static int start(struct rtk_hold *h, char **argv, int *from)
{
	char path[PATH_MAX];
	int err;

	h->pid = 0;
	if (rtk_cli_companion("device", path, sizeof(path)))
		return rtk_cli_no_device();
	err = connect_to(h, path, argv, from);
	if (!err)
		return RTK_EXIT_OK;
	rtk_err("%s: %s", path, strerror(-err));
	return RTK_EXIT_ERROR;
}

/* What it said was no answer: it has said why, unless it hangs or was killed. */
static int give_up(struct rtk_hold *h)
{
	int status = rtk_hold_end(h);

	if (!status)
		rtk_err("rtk-device: no answer within %d s", BEGIN_MS / 1000);
	return status ? status : RTK_EXIT_ERROR;
}

int rtk_hold_begin(struct rtk_hold *h, const char *text, unsigned int flags,
		   struct rtk_device *d)
{
	char *argv[6] = { (char *)rtk_prog(), (char *)"hold", (char *)text };
	int from = -1, err, status;
	char line[4096] = "";
	size_t n = 3;

	if (flags & RTK_HOLD_UNBOUND)
		argv[n++] = (char *)"--unbound";
	if (flags & RTK_HOLD_FORCE)
		argv[n++] = (char *)"--force";
	status = start(h, argv, &from);
	if (status)
		return status;
	read_until(from, '\n', line, sizeof(line));
	close(from);
	err = rtk_device_parse(d, line);
	return !err || err == -ENOENT ? RTK_EXIT_OK : give_up(h);
}

static json_t *parse_list(const char *text)
{
	json_t *doc = json_loads(text, 0, NULL);
	json_t *list = json_incref(json_object_get(doc, "devices"));

	json_decref(doc);
	return list;
}

int rtk_hold_safe(json_t **list)
{
	char *argv[5] = { (char *)rtk_prog(), (char *)"list", (char *)"--safe",
			  (char *)"--json" };
	char *text = calloc(1, LIST_SIZE);
	struct rtk_hold h;
	int from = -1, status;

	if (!text) {
		rtk_err_nomem();
		return RTK_EXIT_ERROR;
	}
	status = start(&h, argv, &from);
	if (!status) {
		read_until(from, '\0', text, LIST_SIZE);
		close(from);
		*list = parse_list(text);
		status = *list ? rtk_hold_end(&h) : give_up(&h);
	}
	free(text);
	if (status || json_array_size(*list))
		return status;
	json_decref(*list);
	rtk_err("this machine has no device with a register that is known to be safe to read");
	return RTK_EXIT_ERROR;
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
