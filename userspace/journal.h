/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What has been changed on this system and how it was before, one file for each
 * change. An entry is on the disk before the change is made, and goes when it is
 * undone, so that rtk restore can undo what a killed process has left.
 */
#ifndef RTK_JOURNAL_H
#define RTK_JOURNAL_H

#include <stdbool.h>
#include <sys/types.h>
#include <jansson.h>
#include <linux/types.h>

#define RTK_CHANGE_FILE_SIZE 64

/**
 * struct rtk_journal - an opened journal
 * @dir: its folder, -1 where there is none
 * @path: its name
 * @boot: this boot's id
 */
struct rtk_journal {
	int dir;
	char path[256];
	char boot[64];
};

/**
 * struct rtk_change - an entry
 * @file: its name
 * @kind: what has been changed
 * @before: how it was
 * @pid: process that undoes it at its end, 0 for none: then a command does
 * @start: when that process started, in ticks since boot
 * @comm: its name
 * @alive: it is still there
 */
struct rtk_change {
	char file[RTK_CHANGE_FILE_SIZE];
	char kind[32];
	json_t *before;
	pid_t pid;
	__u64 start;
	char comm[32];
	bool alive;
};

/**
 * rtk_journal_open() - open the journal
 * @j: filled
 * @change: to change the system: then nobody else does until rtk_journal_close()
 *
 * Without @change a journal that is not there is an empty one. RTK_JOURNAL in the
 * environment names another folder than /run/rtk/journal. Prints its error.
 *
 * Return: 0 or -errno; -EBUSY somebody else is changing the system, for long
 */
int rtk_journal_open(struct rtk_journal *j, bool change);

/**
 * rtk_journal_close() - let others change the system
 * @j: opened journal
 */
void rtk_journal_close(struct rtk_journal *j);

/**
 * rtk_journal_add() - enter a change that is to be made
 * @j: journal opened for changes
 * @kind: what is changed
 * @before: how it is now; not taken over
 * @owned: this process undoes it at its end
 * @file: filled with the entry's name
 *
 * The entry is on the disk on return. Prints its error.
 *
 * Return: 0 or -errno
 */
int rtk_journal_add(struct rtk_journal *j, const char *kind, json_t *before,
		    bool owned, char file[RTK_CHANGE_FILE_SIZE]);

/**
 * rtk_journal_remove() - a change is undone
 * @j: journal opened for changes
 * @file: the entry's name
 *
 * Prints its error.
 *
 * Return: 0 or -errno
 */
int rtk_journal_remove(struct rtk_journal *j, const char *file);

/**
 * rtk_journal_each() - look at all entries, newest first
 * @j: journal
 * @fn: called for each, may remove it; ends the walk by another value than 0
 * @arg: its argument
 *
 * What was changed before the present boot is void, and skipped. So is what can't
 * be read, which is printed.
 *
 * Return: 0; what @fn returned; or -errno, printed: -EINVAL for an entry that
 * can't be read
 */
int rtk_journal_each(struct rtk_journal *j,
		     int (*fn)(struct rtk_journal *j,
			       const struct rtk_change *c, void *arg),
		     void *arg);

#endif
