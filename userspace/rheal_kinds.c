// SPDX-License-Identifier: GPL-2.0
/* What low and high do for each value, and what they do it with. */
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "rheal.h"

/* First of all the stamp: what follows is not part of the value. */
static int here(struct rheal *h)
{
	rheal_set(&h->e.high, rtk_ticks());
	rheal_set(&h->got, h->message);
	return 0;
}

/* Task switch: each gives way to the other. */
static void yield(struct rheal *h)
{
	(void)h;
	sched_yield();
}

static int yield_back(struct rheal *h)
{
	sched_yield();
	return here(h);
}

const struct rheal_kind rheal_switch = {
	.series = RHEAL_SWITCH,
	.peer = true,
	.bare = yield,
	.send = yield,
	.wait = yield_back,
};

/* Preemption: a wake-up and nothing else, as the kernel has it. */
static void futex_wake(struct rheal *h)
{
	syscall(SYS_futex, &h->word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

static void preempt(struct rheal *h)
{
	atomic_fetch_add_explicit(&h->word, 1, memory_order_relaxed);
	futex_wake(h);
}

static int be_woken(struct rheal *h)
{
	while (atomic_load_explicit(&h->word, memory_order_relaxed) == h->seen)
		syscall(SYS_futex, &h->word, FUTEX_WAIT_PRIVATE, h->seen, NULL,
			NULL, 0);
	here(h);
	h->seen = atomic_load_explicit(&h->word, memory_order_relaxed);
	return 0;
}

const struct rheal_kind rheal_preemption = {
	.series = RHEAL_PREEMPTION,
	.bare = futex_wake,
	.send = preempt,
	.wait = be_woken,
};

static void post_nobody(struct rheal *h)
{
	sem_post(&h->nobody);
}

static void post(struct rheal *h)
{
	sem_post(&h->wake);
}

static int wait_post(struct rheal *h)
{
	while (sem_wait(&h->wake))
		;
	return here(h);
}

const struct rheal_kind rheal_semaphore = {
	.series = RHEAL_SEMAPHORE,
	.bare = post_nobody,
	.send = post,
	.wait = wait_post,
};

/*
 * Deadlock: low holds the lock when high takes the CPU; high makes middle ready and
 * asks for the lock. Without inheritance of priorities middle would run now, and
 * high wait for as long as that takes. So low runs instead, and gives the lock.
 */
static void hold(struct rheal *h)
{
	pthread_mutex_lock(&h->lock);
	sem_post(&h->wake);
	rheal_set(&h->e.unlock, rtk_ticks());
	pthread_mutex_unlock(&h->lock);
}

static int ask(struct rheal *h)
{
	while (sem_wait(&h->wake))
		;
	sem_post(&h->ready);
	rheal_set(&h->e.lock, rtk_ticks());
	pthread_mutex_lock(&h->lock);
	here(h);
	return pthread_mutex_unlock(&h->lock);
}

static void lock_unlock(struct rheal *h)
{
	pthread_mutex_lock(&h->lock);
	pthread_mutex_unlock(&h->lock);
}

const struct rheal_kind rheal_deadlock = {
	.series = RHEAL_DEADLOCK,
	.broken = true,
	.bare = lock_unlock,
	.send = hold,
	.wait = ask,
};

/*
 * Messages of 8 bytes. Passing them is what is measured, so that nothing but the
 * stamps is a cost. Low's ends do not block: high may be held up.
 */
static void nothing(struct rheal *h)
{
	(void)h;
}

static int received(struct rheal *h, ssize_t n, __u64 message)
{
	rheal_set(&h->e.high, rtk_ticks());
	rheal_set(&h->got, message);
	if (n < 0)
		return errno == EINTR ? 0 : errno;
	return n == sizeof(message) ? 0 : EBADMSG;
}

static void send_mq(struct rheal *h)
{
	mq_send(h->mq_out, (char *)&h->message, sizeof(h->message), 0);
}

static int receive_mq(struct rheal *h)
{
	__u64 message = 0;
	ssize_t n =
		mq_receive(h->mq_in, (char *)&message, sizeof(message), NULL);

	return received(h, n, message);
}

const struct rheal_kind rheal_message_mq = {
	.series = RHEAL_MESSAGE_MQ,
	.bare = nothing,
	.send = send_mq,
	.wait = receive_mq,
};

/* A pipe that is full, or half of a message: high sees that none has come. */
static void send_fd(int fd, __u64 message)
{
	ssize_t n = write(fd, &message, sizeof(message));

	(void)n;
}

static int receive_fd(struct rheal *h, int fd)
{
	__u64 message = 0;
	ssize_t n = read(fd, &message, sizeof(message));

	return received(h, n, message);
}

static void send_pipe(struct rheal *h)
{
	send_fd(h->pipe[1], h->message);
}

static int receive_pipe(struct rheal *h)
{
	return receive_fd(h, h->pipe[0]);
}

const struct rheal_kind rheal_message_pipe = {
	.series = RHEAL_MESSAGE_PIPE,
	.bare = nothing,
	.send = send_pipe,
	.wait = receive_pipe,
};

static void send_event(struct rheal *h)
{
	send_fd(h->event, h->message);
}

static int receive_event(struct rheal *h)
{
	return receive_fd(h, h->event);
}

const struct rheal_kind rheal_message_eventfd = {
	.series = RHEAL_MESSAGE_EVENTFD,
	.bare = nothing,
	.send = send_event,
	.wait = receive_event,
};

/* Nobody else has to find it: it has no name as soon as both ends are there. */
static int open_mq(struct rheal *h)
{
	struct mq_attr attr = { .mq_maxmsg = 4,
				.mq_msgsize = sizeof(h->message) };
	char name[32];
	int err;

	snprintf(name, sizeof(name), "/rtk-%d", getpid());
	h->mq_in = mq_open(name, O_RDONLY | O_CREAT | O_EXCL, 0600, &attr);
	if (h->mq_in < 0)
		return errno;
	h->mq_out = mq_open(name, O_WRONLY | O_NONBLOCK);
	err = h->mq_out < 0 ? errno : 0;
	mq_unlink(name);
	return err;
}

static int open_pipe(struct rheal *h)
{
	if (pipe2(h->pipe, O_CLOEXEC))
		return errno;
	return fcntl(h->pipe[1], F_SETFL, O_NONBLOCK) ? errno : 0;
}

static int init_lock(struct rheal *h)
{
	pthread_mutexattr_t attr;
	int err;

	pthread_mutexattr_init(&attr);
	err = pthread_mutexattr_setprotocol(&attr, PTHREAD_PRIO_INHERIT);
	if (!err)
		err = pthread_mutex_init(&h->lock, &attr);
	pthread_mutexattr_destroy(&attr);
	return err;
}

int rheal_prepare_objects(struct rheal *h)
{
	const char *what = "mutex with priority inheritance";
	int err;

	h->mq_in = -1;
	h->mq_out = -1;
	h->pipe[0] = -1;
	h->pipe[1] = -1;
	h->event = -1;
	sem_init(&h->wake, 0, 0);
	sem_init(&h->ready, 0, 0);
	sem_init(&h->nobody, 0, 0);
	err = init_lock(h);
	if (!err && h->asked & 1U << RHEAL_MESSAGE_MQ) {
		err = open_mq(h);
		/* Also where it is the limit of their bytes. */
		what = err == EMFILE ?
			       "POSIX message queue (raise ulimit -q, or -n)" :
			       "POSIX message queue";
	}
	if (!err) {
		what = "pipe";
		err = open_pipe(h);
	}
	if (!err) {
		what = "eventfd";
		h->event = eventfd(0, EFD_CLOEXEC);
		err = h->event < 0 ? errno : 0;
	}
	if (!err)
		return 0;
	rheal_end_objects(h);
	return rtk_ucpu_fail(h->c, -err, "no %s: %s", what, strerror(err));
}

void rheal_end_objects(struct rheal *h)
{
	const int fd[] = { h->pipe[0], h->pipe[1], h->event };
	size_t i;

	for (i = 0; i < RTK_ARRAY_SIZE(fd); i++)
		if (fd[i] >= 0)
			close(fd[i]);
	if (h->mq_in >= 0)
		mq_close(h->mq_in);
	if (h->mq_out >= 0)
		mq_close(h->mq_out);
}
