// SPDX-License-Identifier: GPL-2.0
/*
 * The guest's program for what a shell can't do.
 *
 *   helper window COUNT PERIOD_US   open a window of the trace, sleep COUNT
 *                                   times for PERIOD_US, close the window
 *   helper send                     send what comes in to the host
 *
 * One long sleep is an idle machine; many short ones are the foreign timer
 * interrupts and task switches that a measurement could make slower.
 *
 * Sending goes by QEMU's debug port: an instruction for each byte, where a
 * serial port takes its driver and an interrupt for every few.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/io.h>
#include <time.h>
#include <unistd.h>

#include "mark.h"

#define MARK(disp) ({ \
	__asm__ volatile("nopl %c0(%%rax)" : : "i"(disp) : "memory"); \
})

static int window(long count, long period)
{
	struct timespec next;

	clock_gettime(CLOCK_MONOTONIC, &next);
	MARK(MARK_START);
	while (count--) {
		next.tv_nsec += period % 1000000 * 1000;
		next.tv_sec += period / 1000000 + next.tv_nsec / 1000000000;
		next.tv_nsec %= 1000000000;
		while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &next,
				       NULL) == EINTR)
			;
	}
	MARK(MARK_STOP);
	return 0;
}

static int send(void)
{
	char buf[4096];
	ssize_t n;

	if (ioperm(DEBUG_PORT, 1, 1)) {
		perror("helper: ioperm");
		return 1;
	}
	while ((n = read(0, buf, sizeof(buf))) > 0)
		outsb(DEBUG_PORT, buf, n);
	return n < 0;
}

int main(int argc, char **argv)
{
	if (argc == 4 && !strcmp(argv[1], "window"))
		return window(atol(argv[2]), atol(argv[3]));
	if (argc == 2 && !strcmp(argv[1], "send"))
		return send();
	fprintf(stderr, "usage: helper window COUNT PERIOD_US | helper send\n");
	return 2;
}
