/* SPDX-License-Identifier: GPL-2.0 */
/* Numbers that look random, the same on every machine. */
#ifndef RANDOM_H
#define RANDOM_H

#include <linux/types.h>

/* xorshift; a state is not 0 */
static inline __u64 next(__u64 *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

#endif
