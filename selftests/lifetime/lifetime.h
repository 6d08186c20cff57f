/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the tests of lifetime and concurrency share. Functions return 0 or more,
 * or -errno.
 */
#ifndef RTK_SELFTEST_LIFETIME_H
#define RTK_SELFTEST_LIFETIME_H

#include <stdbool.h>
#include <sys/types.h>

#include "nl.h"
#include "reader.h"

/* For anything that has to happen on a slow machine, s. */
#define PATIENCE	60

/* actor.c: processes that are kept at hand */

/**
 * struct actor - such a process, or in it the way back
 * @pid: process
 * @fd: socket to the other side
 */
struct actor {
	pid_t pid;
	int fd;
};

/* Runs in the process each time it is told to begin; gives the answer. */
typedef int (*actor_fn)(struct actor *self, int arg);

int actor_create(struct actor *a, actor_fn fn, int arg);
void actor_destroy(struct actor *a);
/* A number to the other side. */
void actor_tell(struct actor *a, int number);
/* What the other side said; -ETIME when it doesn't in time. */
int actor_hear(struct actor *a);
/* Has the other side said something by now? */
bool actor_told(struct actor *a);
/*
 * Reads a CPU's file wait to the run's end; arg is the CPU. Says what the first
 * read gave, then what the last one did.
 */
int actor_read_along(struct actor *self, int arg);

/* module.c */

/* The file of rtk.ko. */
int module_open(void);
int module_load(int fd);
/* As rmmod: not to wait. -ETIME if it was not decided at once. */
int module_unload(void);
/* Loads it if it isn't there, for those who come after. */
int module_restore(int fd);

/* footprint.c: what the system holds */

#define FOOTPRINT_CACHES	512

/**
 * struct footprint - counts that a leak makes grow
 * @n: number of caches
 * @name: their names
 * @objects: objects in use in each
 * @threads: all threads
 * @measuring: threads of runs
 * @areas: of vmalloc
 * @slab: memory of slab that can not be reclaimed, KiB
 * @percpu: memory for each CPU, KiB
 */
struct footprint {
	unsigned int n;
	char name[FOOTPRINT_CACHES][40];
	long objects[FOOTPRINT_CACHES];
	long threads;
	long measuring;
	long areas;
	long slab;
	long percpu;
};

int footprint_take(struct footprint *f);
/* Could @times repetitions have left something behind each time? Says what. */
bool footprint_grew(const struct footprint *before, const struct footprint *after,
		    unsigned int times);

#endif /* RTK_SELFTEST_LIFETIME_H */
