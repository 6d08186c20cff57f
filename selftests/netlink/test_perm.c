// SPDX-License-Identifier: GPL-2.0
/*
 * Who may not: everybody without CAP_SYS_ADMIN in the initial user namespace,
 * and everybody in another network namespace.
 */
#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <linux/capability.h>

#include "nl.h"
#include "kselftest_harness.h"

static const int do_ops[] = {
	RTK_CMD_TEST_GET, RTK_CMD_SET, RTK_CMD_START, RTK_CMD_STOP, RTK_CMD_RESET,
};

static const int dumps[] = {
	RTK_CMD_TEST_GET, RTK_CMD_STATS_GET, RTK_CMD_HIST_GET, RTK_CMD_OUTLIER_GET,
};

FIXTURE(perm) {
	struct nl nl;
	struct nl owner;
};

FIXTURE_SETUP(perm)
{
	static const char * const endless[] = { "period_ns", "10000000", NULL };
	struct stat st;

	if (getuid() || stat("/sys/module/rtk", &st))
		SKIP(return, "not root, or module rtk is not loaded");
	ASSERT_EQ(0, nl_open(&self->nl));
	ASSERT_EQ(0, nl_open(&self->owner));
	ASSERT_EQ(0, clean_slate(&self->owner));
	/* Something that they could stop. */
	ASSERT_EQ(0, nl_command(&self->owner, RTK_CMD_START, false, endless));
}

FIXTURE_TEARDOWN(perm)
{
	clean_slate(&self->owner);
	nl_close(&self->nl);
	nl_close(&self->owner);
}

/* Every operation is refused with EPERM; the number of those that are not. */
static int not_refused(struct nl *nl)
{
	struct nlmsghdr *nlh;
	unsigned int i;
	int rc, bad = 0;

	for (i = 0; i < ARRAY_SIZE(do_ops); i++) {
		nlh = nl_begin(nl, do_ops[i], NLM_F_ACK);
		mnl_attr_put_strz(nlh, RTK_A_TEST, TEST_NAME);
		if (do_ops[i] == RTK_CMD_SET)
			nl_put_param(nlh, "thread", "0");
		rc = nl_call(nl, nlh, NULL, NULL);
		if (rc == -EPERM && !nl->messages)
			continue;
		fprintf(stderr, "# operation %d gives %d\n", do_ops[i], rc);
		bad++;
	}
	for (i = 0; i < ARRAY_SIZE(dumps); i++) {
		rc = nl_call(nl, nl_dump(nl, dumps[i], TEST_NAME, -1, NULL), NULL, NULL);
		if (rc == -EPERM && !nl->messages)
			continue;
		fprintf(stderr, "# dump %d gives %d\n", dumps[i], rc);
		bad++;
	}
	return bad;
}

static int drop_sys_admin(void)
{
	struct __user_cap_header_struct head = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[2];

	if (syscall(SYS_capget, &head, data))
		return -1;
	data[0].effective &= ~(1U << CAP_SYS_ADMIN);
	data[0].permitted &= ~(1U << CAP_SYS_ADMIN);
	data[0].inheritable &= ~(1U << CAP_SYS_ADMIN);
	return syscall(SYS_capset, &head, data);
}

static int become_nobody(void)
{
	return setresgid(65534, 65534, 65534) || setresuid(65534, 65534, 65534);
}

static int enter_user_namespace(void)
{
	return unshare(CLONE_NEWUSER);
}

/* In a child that has given up privileges; on a new socket, or on one of root's. */
static int child_not_refused(struct nl *nl, int (*give_up)(void))
{
	int status;
	pid_t pid;

	pid = fork();
	if (!pid) {
		static struct nl mine;
		int bad;

		if (give_up())
			_exit(100);
		if (!nl && nl_open(&mine))
			_exit(101);
		bad = not_refused(nl ?: &mine);
		_exit(bad);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid || !WIFEXITED(status))
		return -1;
	return WEXITSTATUS(status);
}

static bool still_running(struct nl *nl)
{
	struct info info;

	return !get_info(nl, &info) && info.state == RTK_STATE_RUNNING;
}

TEST_F(perm, root_is_not_refused)
{
	/* The same function finds nothing to refuse here: it can fail. */
	EXPECT_EQ(ARRAY_SIZE(do_ops) + ARRAY_SIZE(dumps), not_refused(&self->nl));
}

TEST_F(perm, root_without_sys_admin)
{
	EXPECT_EQ(0, child_not_refused(NULL, drop_sys_admin));
	EXPECT_TRUE(still_running(&self->owner));
}

TEST_F(perm, nobody)
{
	EXPECT_EQ(0, child_not_refused(NULL, become_nobody));
	EXPECT_TRUE(still_running(&self->owner));
}

TEST_F(perm, root_of_a_user_namespace)
{
	struct stat st;

	if (stat("/proc/self/ns/user", &st))
		SKIP(return, "the kernel has no user namespaces");
	EXPECT_EQ(0, child_not_refused(NULL, enter_user_namespace));
	EXPECT_TRUE(still_running(&self->owner));
}

/* The socket was opened by root; who sends counts as well. */
TEST_F(perm, socket_of_root)
{
	EXPECT_EQ(0, child_not_refused(&self->nl, drop_sys_admin));
	EXPECT_EQ(0, child_not_refused(&self->nl, become_nobody));
	EXPECT_TRUE(still_running(&self->owner));
}

/* The child's end: opens a socket as nobody and passes it on. */
static void send_socket(int to)
{
	char byte = 0, control[CMSG_SPACE(sizeof(int))] = {};
	struct iovec iov = { .iov_base = &byte, .iov_len = 1 };
	struct msghdr msg = {
		.msg_iov = &iov, .msg_iovlen = 1,
		.msg_control = control, .msg_controllen = sizeof(control),
	};
	struct cmsghdr *cmsg = CMSG_FIRSTHDR(&msg);
	int fd;

	if (become_nobody())
		_exit(1);
	fd = socket(AF_NETLINK, SOCK_RAW, NETLINK_GENERIC);
	cmsg->cmsg_level = SOL_SOCKET;
	cmsg->cmsg_type = SCM_RIGHTS;
	cmsg->cmsg_len = CMSG_LEN(sizeof(int));
	memcpy(CMSG_DATA(cmsg), &fd, sizeof(fd));
	_exit(fd < 0 || sendmsg(to, &msg, 0) != 1);
}

static int receive_socket(int from)
{
	char byte, control[CMSG_SPACE(sizeof(int))] = {};
	struct iovec iov = { .iov_base = &byte, .iov_len = 1 };
	struct msghdr msg = {
		.msg_iov = &iov, .msg_iovlen = 1,
		.msg_control = control, .msg_controllen = sizeof(control),
	};
	int fd;

	if (recvmsg(from, &msg, 0) != 1 || !CMSG_FIRSTHDR(&msg))
		return -1;
	memcpy(&fd, CMSG_DATA(CMSG_FIRSTHDR(&msg)), sizeof(fd));
	return fd;
}

/*
 * The other way round: root is talked into writing to somebody's socket. Only
 * without an address: who names one knows what it is for.
 */
TEST_F(perm, socket_of_nobody)
{
	struct nl theirs = self->nl;
	struct sockaddr_nl addr = { .nl_family = AF_NETLINK };
	int pair[2], status, fd;
	pid_t pid;

	ASSERT_EQ(0, socketpair(AF_UNIX, SOCK_STREAM, 0, pair));
	pid = fork();
	ASSERT_LE(0, pid);
	if (!pid)
		send_socket(pair[1]);
	fd = receive_socket(pair[0]);
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, bind(fd, (struct sockaddr *)&addr, sizeof(addr)));
	theirs.sock = mnl_socket_fdopen(fd);
	ASSERT_NE(NULL, theirs.sock);
	theirs.no_address = true;
	EXPECT_EQ(0, not_refused(&theirs));
	EXPECT_TRUE(still_running(&self->owner));
	nl_close(&theirs);
	close(pair[0]);
	close(pair[1]);
}

TEST_F(perm, other_network_namespace)
{
	static struct nl there;
	struct nlmsghdr *nlh;

	/* For the rest of this test's process. */
	ASSERT_EQ(0, unshare(CLONE_NEWNET)) {
		TH_LOG("unshare: %s", strerror(errno));
	}
	ASSERT_EQ(0, nl_socket(&there));
	EXPECT_EQ(-ENOENT, nl_family(&there, RTK_FAMILY_NAME));
	/* Knowing the number is no way in. */
	there.family = self->nl.family;
	nlh = nl_begin(&there, RTK_CMD_STOP, NLM_F_ACK);
	mnl_attr_put_strz(nlh, RTK_A_TEST, TEST_NAME);
	EXPECT_EQ(-ENOENT, nl_call(&there, nlh, NULL, NULL));
	EXPECT_TRUE(still_running(&self->owner));
	nl_close(&there);
}

/* A socket of another namespace with the number of the owner's does not end it. */
TEST_F(perm, same_port_in_another_namespace)
{
	struct sockaddr_nl addr = { .nl_family = AF_NETLINK, .nl_pid = self->owner.portid };
	int fd;

	ASSERT_EQ(0, unshare(CLONE_NEWNET));
	fd = socket(AF_NETLINK, SOCK_RAW, NETLINK_GENERIC);
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, bind(fd, (struct sockaddr *)&addr, sizeof(addr)));
	close(fd);
	/* And one of another protocol in this one. */
	fd = socket(AF_NETLINK, SOCK_RAW, NETLINK_ROUTE);
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, bind(fd, (struct sockaddr *)&addr, sizeof(addr)));
	close(fd);
	usleep(300000);
	EXPECT_TRUE(still_running(&self->owner));
}

TEST_HARNESS_MAIN
