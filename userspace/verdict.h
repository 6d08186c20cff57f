/* SPDX-License-Identifier: GPL-2.0 */
/* What a result is worth, and the exit status that follows. */
#ifndef RTK_VERDICT_H
#define RTK_VERDICT_H

#include "result.h"
#include "util.h"

/**
 * struct rtk_allow - reasons that do not count for the exit status
 * @ids: ids as given
 * @n: their number
 * @strict: DEGRADED is a failure
 */
struct rtk_allow {
	const char *ids[48];
	size_t n;
	bool strict;
};

/**
 * rtk_verdict_judge() - fill in a result's verdict
 * @r: result with everything else filled in
 *
 * Return: 0 or -ENOMEM
 */
int rtk_verdict_judge(struct rtk_result *r);

/**
 * rtk_verdict_exit() - exit status of a judged result
 * @v: verdict
 * @allow: what not to count
 *
 * Return: OK, FAILED or INVALID
 */
enum rtk_exit rtk_verdict_exit(const struct rtk_verdict *v,
			       const struct rtk_allow *allow);

/**
 * rtk_verdict_allow() - take in an option --allow
 * @allow: appended to
 * @id: id of a reason
 *
 * Prints its error.
 *
 * Return: 0; -EINVAL no such reason
 */
int rtk_verdict_allow(struct rtk_allow *allow, const char *id);

/**
 * rtk_verdict_id() - ids of all reasons, for help and completion
 * @i: from 0
 *
 * Return: id, or NULL behind the last
 */
const char *rtk_verdict_id(size_t i);

/**
 * rtk_verdict_name() - a status as text
 * @status: status
 *
 * Return: one word in capitals
 */
const char *rtk_verdict_name(enum rtk_status status);

#endif
