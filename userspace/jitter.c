// SPDX-License-Identifier: GPL-2.0
#include "jitter.h"

__u32 rtk_jitter_payload(__u32 n, __u32 seed)
{
	__u32 a = seed, i;

	for (i = 0; i < n; i++) {
		a += 3 * i + n;
		a &= 0x7f0f0000;
		/* Step by step, however well the compiler can compute. */
		__asm__ volatile("" : "+r"(a));
	}
	return a;
}
