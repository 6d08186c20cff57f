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
	__u32 group;
};

FIXTURE_SETUP(perm)
{
	static const char * const endless[] = { "period_ns", "10000000", NULL };

	if (no_module())
		SKIP(return, "not root, or module rtk is not loaded");
	ASSERT_EQ(0, nl_open(&self->nl));
	ASSERT_EQ(0, nl_open(&self->owner));
	ASSERT_EQ(0, nl_group(&self->nl, &self->group));
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

/* Every operation is refused with an error; the number of those that are not. */
static int not_refused(struct nl *nl, int error)
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
		if (rc == error && !nl->messages)
			continue;
		fprintf(stderr, "# operation %d gives %d\n", do_ops[i], rc);
		bad++;
	}
	for (i = 0; i < ARRAY_SIZE(dumps); i++) {
		rc = nl_call(nl, nl_dump(nl, dumps[i], TEST_NAME, -1, NULL), NULL, NULL);
		if (rc == error && !nl->messages)
			continue;
		fprintf(stderr, "# dump %d gives %d\n", dumps[i], rc);
		bad++;
	}
	return bad;
}

/* Keeps some capabilities at the most. */
static int keep_caps(__u64 keep)
{
	struct __user_cap_header_struct head = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[2];
	unsigned int i;

	if (syscall(SYS_capget, &head, data))
		return -1;
	for (i = 0; i < 2; i++, keep >>= 32) {
		data[i].effective &= keep;
		data[i].permitted &= keep;
		data[i].inheritable &= keep;
	}
	return syscall(SYS_capset, &head, data);
}

static int drop_sys_admin(void)
{
	return keep_caps(~(1ULL << CAP_SYS_ADMIN));
}

static int keep_net_admin(void)
{
	return keep_caps(1ULL << CAP_NET_ADMIN);
}

static int become_nobody(void)
{
	return setresgid(65534, 65534, 65534) || setresuid(65534, 65534, 65534);
}

static int enter_user_namespace(void)
{
	return unshare(CLONE_NEWUSER);
}

/*
 * In a child that has given up privileges; on a new socket, or on one of root's.
 * The group of events is refused as well.
 */
static int child_not_refused(struct nl *nl, __u32 group, int (*give_up)(void))
{
	int status;
	pid_t pid;

	pid = fork();
	if (!pid) {
		static struct nl mine;

		if (give_up())
			_exit(100);
		if (!nl && nl_open(&mine))
			_exit(101);
		nl = nl ?: &mine;
		_exit(not_refused(nl, -EPERM) + (nl_join(nl, group) != -EPERM));
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
	/* The same functions find nothing to refuse here: they can fail. */
	EXPECT_EQ(ARRAY_SIZE(do_ops) + ARRAY_SIZE(dumps), not_refused(&self->nl, -EPERM));
	EXPECT_EQ(0, nl_join(&self->nl, self->group));
}

TEST_F(perm, root_without_sys_admin)
{
	EXPECT_EQ(0, child_not_refused(NULL, self->group, drop_sys_admin));
	EXPECT_TRUE(still_running(&self->owner));
}

/* That is what containers have. */
TEST_F(perm, net_admin_alone)
{
	EXPECT_EQ(0, child_not_refused(NULL, self->group, keep_net_admin));
	EXPECT_EQ(0, child_not_refused(&self->nl, self->group, keep_net_admin));
	EXPECT_TRUE(still_running(&self->owner));
}

TEST_F(perm, nobody)
{
	EXPECT_EQ(0, child_not_refused(NULL, self->group, become_nobody));
	EXPECT_TRUE(still_running(&self->owner));
}

TEST_F(perm, root_of_a_user_namespace)
{
	struct stat st;

	if (stat("/proc/self/ns/user", &st))
		SKIP(return, "the kernel has no user namespaces");
	EXPECT_EQ(0, child_not_refused(NULL, self->group, enter_user_namespace));
	EXPECT_TRUE(still_running(&self->owner));
}

/* The socket was opened by root; who sends counts as well. */
TEST_F(perm, socket_of_root)
{
	EXPECT_EQ(0, child_not_refused(&self->nl, self->group, drop_sys_admin));
	EXPECT_EQ(0, child_not_refused(&self->nl, self->group, become_nobody));
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
	EXPECT_EQ(0, not_refused(&theirs, -EPERM));
	EXPECT_TRUE(still_running(&self->owner));
	nl_close(&theirs);
	close(pair[0]);
	close(pair[1]);
}

/* Opens a socket in another network namespace, where there is no such family. */
static int open_elsewhere(struct nl *there, const struct nl *here, int flags)
{
	int rc;

	/* For the rest of this process. */
	if (unshare(CLONE_NEWNET | flags))
		return -errno;
	rc = nl_open(there);
	/* Knowing the number is no way in. */
	there->family = here->family;
	return rc;
}

TEST_F(perm, other_network_namespace)
{
	static struct nl there;

	ASSERT_EQ(-ENOENT, open_elsewhere(&there, &self->nl, 0));
	EXPECT_EQ(0, not_refused(&there, -ENOENT));
	EXPECT_TRUE(still_running(&self->owner));
	nl_close(&there);
}

/* In a child: what root of a namespace of its own can hear. */
static int listen_elsewhere(struct nl *nl, __u32 group, int parent)
{
	static struct nl there;
	int rc = open_elsewhere(&there, nl, CLONE_NEWUSER);
	char c = 0;

	if (rc != -ENOENT || not_refused(&there, -ENOENT))
		return 1;
	/* Its number may be somebody else's there: that is no way in, either. */
	nl_join(&there, group);
	if (write(parent, &c, 1) != 1 || read(parent, &c, 1) != 1)
		return 2;
	return recv(mnl_socket_get_fd(there.sock), &c, 1, MSG_DONTWAIT) >= 0 ? 3 : 0;
}

TEST_F(perm, events_stay_in_their_namespace)
{
	int pair[2], status;
	pid_t pid;
	char c;

	ASSERT_EQ(0, nl_join(&self->nl, self->group));
	ASSERT_EQ(0, socketpair(AF_UNIX, SOCK_STREAM, 0, pair));
	pid = fork();
	ASSERT_LE(0, pid);
	if (!pid)
		_exit(listen_elsewhere(&self->nl, self->group, pair[1]));
	close(pair[1]);
	ASSERT_EQ(1, read(pair[0], &c, 1)) {
		TH_LOG("the listener has given up");
	}
	ASSERT_EQ(0, nl_command(&self->owner, RTK_CMD_STOP, false, NULL));
	/* Here it is heard. */
	ASSERT_LT(0, recv(mnl_socket_get_fd(self->nl.sock), &c, 1, MSG_DONTWAIT));
	ASSERT_EQ(1, write(pair[0], &c, 1));
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_EQ(0, status);
	close(pair[0]);
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
