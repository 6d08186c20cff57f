/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Failures of memory, one at a time. Functions return 0 or more, else -errno.
 */
#ifndef RTK_SELFTEST_FAIL_H
#define RTK_SELFTEST_FAIL_H

#include <sys/types.h>

#include "nl.h"

#define FAULTS		"/sys/kernel/debug/"
/* Makes all kernel threads. */
#define KTHREADD	2
/* For what takes a second, on a slow machine, s. */
#define PATIENCE	60

/**
 * struct op - operation under test
 * @name: for messages
 * @victim: the task whose allocations fail; 0 for the caller
 * @before: brings about the state that it is for, without failures
 * @run: the operation; 0 or -errno
 * @after: what must be true after it, given its result
 */
struct op {
	const char *name;
	pid_t victim;
	int (*before)(struct nl *nl);
	int (*run)(struct nl *nl);
	int (*after)(int run);
};

/* A setting of both kinds of failure. */
int put_fault(const char *name, const char *value);
/* Only allocations below calls from addresses in this range; */
int put_range(unsigned long start, unsigned long end);
/* from a function of the kernel's; */
int put_function(const char *name);
/* from our module. */
int put_module(void);
/* Waits for the end of all our threads. */
int wait_threads(void);
/* Is every ledger of the run that has ended in balance? */
int check_ledgers(struct nl *nl);
/* Nothing is left of the last operation, and a run can be had. */
int check_run(void);
/* All tries; how many of them were refused. */
int fail_each(const struct op *op);

#endif /* RTK_SELFTEST_FAIL_H */
