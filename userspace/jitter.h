/* SPDX-License-Identifier: GPL-2.0 */
/* What test jitter executes. Pure. */
#ifndef RTK_JITTER_H
#define RTK_JITTER_H

#include <linux/types.h>

/**
 * rtk_jitter_payload() - arithmetic that touches no memory
 * @n: steps
 * @seed: value to begin with
 *
 * For i from 0 to n - 1: a = (a + 3 * i + n) & 0x7f0f0000, modulo 2^32.
 *
 * Return: the last a
 */
__u32 rtk_jitter_payload(__u32 n, __u32 seed);

#endif
