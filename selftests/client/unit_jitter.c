// SPDX-License-Identifier: GPL-2.0
/* The payload of jitter, against published numbers and another way to compute it. */
#include "jitter.h"
#include "random.h"
#include "tap.h"

/* What the original's documentation shows of it, with its calls of a row. */
static void test_published(void)
{
	__u32 f = rtk_jitter_payload(80000, 0x43090000);

	ok_num(f, 0x43080000, "payload of 80000 steps from 0x43090000");
	ok_num((1000 + 20001 + 20000) * f, 3158835200U,
	       "tmp of the first row shown");
	ok_num((1000 + 20001 + 2 * 20000) * f, 2370306048U, "of the second");
	ok_num(20000 * f, 3506438144U, "from row to row");
	f = rtk_jitter_payload(80000, 0x35050000);
	ok_num(f, 0x35040000, "payload from 0x35050000");
	ok_num((1000 + 20001 + 200 * 20000) * f, 1227096064U,
	       "tmp of row 200");
}

/* With 64 bits and a division, backwards through nothing of the same code. */
static __u32 slowly(__u32 n, __u32 seed)
{
	__u64 a = seed, i;

	for (i = 0; i < n; i++) {
		a = (a + 3 * i + n) % 4294967296ULL;
		a = a / 65536 * 65536;
		a = a & 0x7f0f0000;
	}
	return (__u32)a;
}

static void test_random(void)
{
	__u64 state = 362436069;
	__u32 n, seed;
	int i, bad = 0;

	for (i = 0; i < 1000; i++) {
		n = (__u32)(next(&state) % 5000);
		seed = (__u32)next(&state);
		bad += rtk_jitter_payload(n, seed) != slowly(n, seed);
	}
	ok_num(bad, 0, "1000 seeds and lengths, computed otherwise");
	ok_num(rtk_jitter_payload(0, 5), 5, "no step");
}

int main(void)
{
	tap_begin();
	test_published();
	test_random();
	return tap_end();
}
