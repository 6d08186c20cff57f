// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "uclaim.h"

/* An abstract name: no file stays behind, whatever becomes of the process. */
static socklen_t name_of(struct sockaddr_un *addr, int cpu)
{
	int len;

	memset(addr, 0, sizeof(*addr));
	addr->sun_family = AF_UNIX;
	len = snprintf(addr->sun_path + 1, sizeof(addr->sun_path) - 1,
		       "rtk-cpu-%d", cpu);
	return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 +
			   (size_t)len);
}

/* The process that has it: 0 none, 1 one of which nobody knows the number. */
static int owner_of(const struct sockaddr_un *addr, socklen_t len)
{
	struct ucred cred = { .pid = 0 };
	socklen_t size = sizeof(cred);
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	bool is_there;

	if (fd < 0)
		return 0;
	is_there = !connect(fd, (const struct sockaddr *)addr, len) ||
		   errno == EAGAIN;
	if (is_there)
		getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &cred, &size);
	close(fd);
	/* Of another PID namespace the number is 0. */
	return !is_there ? 0 : cred.pid ? cred.pid : 1;
}

static int claim_one(struct rtk_uclaim *claim, int cpu, bool realtime)
{
	struct sockaddr_un addr;
	socklen_t len = name_of(&addr, cpu);
	int *fd, owner = owner_of(&addr, len);

	if (owner || !realtime)
		return owner;
	fd = rtk_grow(&claim->fd, &claim->n, sizeof(*fd));
	if (!fd)
		return -ENOMEM;
	*fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	/* Without sockets nobody has claims: go on. */
	if (*fd < 0)
		return 0;
	if (bind(*fd, (struct sockaddr *)&addr, len))
		return errno == EADDRINUSE ? 1 : 0;
	listen(*fd, 8);
	return 0;
}

int rtk_uclaim_take(struct rtk_uclaim *claim, const struct rtk_cpuset *cpus,
		    bool realtime, int *cpu)
{
	int err = 0;

	memset(claim, 0, sizeof(*claim));
	for (*cpu = rtk_cpuset_next(cpus, 0); *cpu >= 0;
	     *cpu = rtk_cpuset_next(cpus, *cpu + 1)) {
		err = claim_one(claim, *cpu, realtime);
		if (err)
			break;
	}
	return err;
}

void rtk_uclaim_give(struct rtk_uclaim *claim)
{
	size_t i;

	for (i = 0; i < claim->n; i++)
		if (claim->fd[i] >= 0)
			close(claim->fd[i]);
	free(claim->fd);
	memset(claim, 0, sizeof(*claim));
}
