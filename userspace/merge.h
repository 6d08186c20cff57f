/* SPDX-License-Identifier: GPL-2.0 */
/* A run that was taken up again: what it had before and what it has now are one. */
#ifndef RTK_MERGE_H
#define RTK_MERGE_H

#include "result.h"

/**
 * rtk_merge_close() - end a part of which only a checkpoint is left
 * @before: result that was read back; of one that has ended nothing changes
 *
 * The checkpoint came between activations: what was on its way then belongs to what
 * is lost. It may be as much as a stall of the longest sample so far takes, and a
 * second; where it is more, the ledger stays out of balance.
 *
 * Return: activations that were on their way
 */
__u64 rtk_merge_close(struct rtk_result *before);

/**
 * rtk_merge_data() - add what was measured before
 * @r: result of the present part, not summarized yet
 * @before: all before it, closed
 *
 * Return: 0 or -ENOMEM
 */
int rtk_merge_data(struct rtk_result *r, const struct rtk_result *before);

/**
 * rtk_merge_verdict() - add the reasons that the parts before had
 * @r: judged result, with everything merged
 * @before: all before it
 *
 * But for those that going on has mended: running, few samples, interrupted.
 *
 * Return: 0 or -ENOMEM
 */
int rtk_merge_verdict(struct rtk_result *r, const struct rtk_result *before);

#endif
