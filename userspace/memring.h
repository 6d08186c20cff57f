/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A ring of pointers in memory: each element holds the address of the next, so
 * that a load can't begin before the one before it has ended. Pure.
 */
#ifndef RTK_MEMRING_H
#define RTK_MEMRING_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

/* Loads of a turn, see rtk_memring_chase(). */
#define RTK_MEMRING_TURN 1024

/**
 * struct rtk_memring - a ring
 * @base: address of the first element
 * @stride: distance of two elements in bytes, a multiple of a pointer's size
 * @n: number of elements, not 0
 */
struct rtk_memring {
	char *base;
	size_t stride;
	size_t n;
};

/**
 * rtk_memring_build() - write the pointers
 * @ring: ring
 * @random: in random order, the same at each call; else by ascending addresses
 * @stop: looked at meanwhile, or NULL
 *
 * Either way it is one cycle that visits every element once.
 *
 * Return: true; false where it was stopped, and is no ring
 */
bool rtk_memring_build(const struct rtk_memring *ring, bool random,
		       const atomic_bool *stop);

/**
 * rtk_memring_chase() - go round
 * @p: an element
 * @turns: go on by so many times RTK_MEMRING_TURN elements
 *
 * Return: element at the end; whoever does not use it may find that nothing was
 * loaded
 */
void *rtk_memring_chase(void *p, size_t turns);

#endif
