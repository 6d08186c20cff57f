/* SPDX-License-Identifier: GPL-2.0 */
/* Taking up a run of which a result, or a checkpoint, is left. */
#ifndef RTK_RESUME_H
#define RTK_RESUME_H

#include "result.h"

/**
 * struct rtk_resume - what is taken up
 * @before: result read back, closed
 * @lost: activations that were on their way at its last checkpoint
 */
struct rtk_resume {
	struct rtk_result before;
	__u64 lost;
};

/**
 * rtk_resume_load() - read the result of a run that did not come to its end
 * @path: its document
 * @total_ns: measured time that it is to have in all, -1 as planned
 * @s: filled; free with rtk_resume_free()
 *
 * Refuses one that has ended as planned, and one of a test whose parts don't add up.
 * Prints its error.
 *
 * Return: 0 or -errno
 */
int rtk_resume_load(const char *path, __s64 total_ns, struct rtk_resume *s);

/**
 * rtk_resume_settings() - the settings of its rest
 * @s: what is taken up
 * @t: test as it is here now
 * @total_ns: see above
 * @kvs: filled
 *
 * Prints its error.
 *
 * Return: 0 or -errno
 */
int rtk_resume_settings(const struct rtk_resume *s, const struct rtk_test *t,
			__s64 total_ns, struct rtk_kvs *kvs);

/**
 * rtk_resume_check() - is it the same machine?
 * @s: what is taken up
 * @e: the machine now
 *
 * Prints what differs.
 *
 * Return: 0 or -EXDEV
 */
int rtk_resume_check(const struct rtk_resume *s, const struct rtk_env *e);

/**
 * rtk_resume_begin() - what the rest of the run takes over at once
 * @s: what is taken up
 * @r: result of the rest
 *
 * Intervals, and how many rows were lost.
 *
 * Return: 0 or -ENOMEM
 */
int rtk_resume_begin(const struct rtk_resume *s, struct rtk_result *r);

/**
 * rtk_resume_rows() - take over the rows of a test's table
 * @s: what is taken up
 * @r: result of the rest; its table has no rows yet
 *
 * Return: 0 or -ENOMEM
 */
int rtk_resume_rows(const struct rtk_resume *s, struct rtk_result *r);

/**
 * rtk_resume_merge() - add what was measured before
 * @s: what is taken up, or NULL: then nothing happens
 * @r: result of the present part, not summarized yet
 *
 * Return: 0 or -ENOMEM
 */
int rtk_resume_merge(const struct rtk_resume *s, struct rtk_result *r);

/**
 * rtk_resume_note() - say in the result of what parts it is
 * @s: what was taken up
 * @r: result of all
 */
void rtk_resume_note(const struct rtk_resume *s, struct rtk_result *r);

/**
 * rtk_resume_free() - free it
 * @s: what is taken up
 */
void rtk_resume_free(struct rtk_resume *s);

#endif
