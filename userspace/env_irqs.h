/* SPDX-License-Identifier: GPL-2.0 */
/* Interrupts by CPU, from /proc/interrupts. For env_deltas.c only. */
#ifndef RTK_ENV_IRQS_H
#define RTK_ENV_IRQS_H

#include "env_parts.h"

/**
 * rtk_env_interrupts_read() - /proc/interrupts as it is now
 * @root: where the file system is
 *
 * Return: text to be freed, or NULL
 */
char *rtk_env_interrupts_read(const char *root);

/**
 * rtk_env_interrupts_set() - set what fired on the measured CPUs since then
 * @l: what is looked at
 * @before: the text of then, or NULL
 * @why: why it is NULL
 */
void rtk_env_interrupts_set(const struct rtk_env_look *l, const char *before,
			    const char *why);

#endif
