/* SPDX-License-Identifier: GPL-2.0 */
/* Long runs: what was measured so far is saved from time to time. */
#ifndef RTK_CHECKPOINT_H
#define RTK_CHECKPOINT_H

#include "result.h"
#include "resume.h"

/* Of a run that is planned for longer than an hour, or without an end. */
#define RTK_CHECKPOINT_DEFAULT_NS (600 * 1000000000LL)
#define RTK_CHECKPOINT_LONG_NS (3600 * 1000000000LL)

/**
 * struct rtk_checkpoint - where and when
 * @path: document, NULL for none
 * @every_ns: distance; 0 none
 * @next_ns: when the next one is due, CLOCK_MONOTONIC
 * @failing: the last one could not be written
 * @resume: the run is one that is taken up again, or NULL
 * @live: a live line is on the terminal
 */
struct rtk_checkpoint {
	const char *path;
	__s64 every_ns;
	__s64 next_ns;
	bool failing;
	const struct rtk_resume *resume;
	bool live;
};

/**
 * rtk_checkpoint_begin() - the run begins to measure
 * @c: checkpoints
 */
void rtk_checkpoint_begin(struct rtk_checkpoint *c);

/**
 * rtk_checkpoint_due() - is it time for one?
 * @c: checkpoints
 *
 * Return: yes; the next is one interval later
 */
bool rtk_checkpoint_due(struct rtk_checkpoint *c);

/**
 * rtk_checkpoint_sum() - from lanes to a summarized result
 * @c: checkpoints
 * @r: result with test and lanes of the present part; its intervals and what was
 *	measured before are added
 *
 * Return: 0; -ENOMEM; -EBADMSG a lane's series is not the test's
 */
int rtk_checkpoint_sum(const struct rtk_checkpoint *c, struct rtk_result *r);

/**
 * rtk_checkpoint_judge() - judge it, and write down its machine
 * @c: checkpoints
 * @r: summarized result
 *
 * Return: 0 or -ENOMEM
 */
int rtk_checkpoint_judge(const struct rtk_checkpoint *c, struct rtk_result *r);

/**
 * rtk_checkpoint_save() - write the result so far
 * @c: checkpoints
 * @r: judged result
 *
 * That it can't be written is said once, and so is that it can be again. The file
 * that was written last stays.
 */
void rtk_checkpoint_save(struct rtk_checkpoint *c, const struct rtk_result *r);

#endif
