// SPDX-License-Identifier: GPL-2.0
#include <linux/types.h>

#include "memring.h"

/* Elements written between two looks at stop. */
#define STEP 4096

static void **element(const struct rtk_memring *ring, size_t i)
{
	return (void **)(void *)(ring->base + i * ring->stride);
}

static bool stopped(const atomic_bool *stop, size_t i)
{
	return stop && !(i % STEP) &&
	       atomic_load_explicit(stop, memory_order_relaxed);
}

/* splitmix64; the high half of the product is below n (Lemire 2019). */
static size_t below(__u64 *state, size_t n)
{
	__u64 z = *state += 0x9e3779b97f4a7c15;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	z ^= z >> 31;
	return (size_t)((unsigned __int128)z * n >> 64);
}

/* Sattolo's algorithm: swapping with an earlier one only leaves one cycle. */
static bool shuffle(const struct rtk_memring *ring, const atomic_bool *stop)
{
	__u64 state = 1;
	void **a, **b, *p;
	size_t i;

	for (i = 0; i < ring->n; i++) {
		if (stopped(stop, i))
			return false;
		*element(ring, i) = element(ring, i);
	}
	for (i = ring->n - 1; i; i--) {
		if (stopped(stop, i))
			return false;
		a = element(ring, i);
		b = element(ring, below(&state, i));
		p = *a;
		*a = *b;
		*b = p;
	}
	return true;
}

bool rtk_memring_build(const struct rtk_memring *ring, bool random,
		       const atomic_bool *stop)
{
	size_t i;

	if (random)
		return shuffle(ring, stop);
	for (i = 0; i < ring->n; i++) {
		if (stopped(stop, i))
			return false;
		*element(ring, i) = element(ring, (i + 1) % ring->n);
	}
	return true;
}

#define LOAD(p) (*(void **)(p))

static inline void *load8(void *p)
{
	return LOAD(LOAD(LOAD(LOAD(LOAD(LOAD(LOAD(LOAD(p))))))));
}

/* Unrolled, though the loop's own instructions would find time beside a load. */
void *rtk_memring_chase(void *p, size_t turns)
{
	size_t i = turns * (RTK_MEMRING_TURN / 32);

	while (i--)
		p = load8(load8(load8(load8(p))));
	return p;
}
