// SPDX-License-Identifier: GPL-2.0
/*
 * Processes that are kept at hand, since starting one for each of a thousand
 * turns takes an emulated machine too long.
 */
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>

#include "lifetime.h"

static void actor_main(struct actor *self, actor_fn fn, int arg)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	while (actor_hear(self) >= 0)
		actor_tell(self, fn(self, arg));
	_exit(0);
}

int actor_create(struct actor *a, actor_fn fn, int arg)
{
	struct timeval limit = { .tv_sec = PATIENCE };
	int fd[2];

	if (socketpair(AF_UNIX, SOCK_SEQPACKET, 0, fd))
		return -errno;
	a->pid = fork();
	if (!a->pid) {
		struct actor self = { .pid = getppid(), .fd = fd[1] };

		close(fd[0]);
		actor_main(&self, fn, arg);
	}
	close(fd[1]);
	a->fd = fd[0];
	if (a->pid < 0 || setsockopt(fd[0], SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit)))
		return -errno;
	return 0;
}

void actor_destroy(struct actor *a)
{
	if (a->pid <= 0)
		return;
	close(a->fd);
	kill(a->pid, SIGKILL);
	waitpid(a->pid, NULL, 0);
	a->pid = 0;
}

void actor_tell(struct actor *a, int number)
{
	if (send(a->fd, &number, sizeof(number), MSG_NOSIGNAL) != sizeof(number))
		perror("# actor");
}

int actor_hear(struct actor *a)
{
	int number;

	return recv(a->fd, &number, sizeof(number), 0) == sizeof(number) ? number : -ETIME;
}

bool actor_told(struct actor *a)
{
	struct pollfd p = { .fd = a->fd, .events = POLLIN };

	return poll(&p, 1, 0) == 1;
}

int actor_read_along(struct actor *self, int arg)
{
	struct rtk_wait w;
	int fd, rc;

	pin(arg);
	fd = open_wait(arg);
	rc = next(fd, &w);
	actor_tell(self, rc);
	while (rc > 0)
		rc = next(fd, &w);
	close(fd);
	return rc;
}
