/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Between the guest's helper, QEMU's plugin and trace.py: marks in
 * the guest's code, and words of the trace.
 */
#ifndef BENCH_MARK_H
#define BENCH_MARK_H

/* Displacements of nopl disp32(%rax). */
#define MARK_START	0x72746b01
#define MARK_STOP	0x72746b02

/* The port of QEMU's isa-debugcon. */
#define DEBUG_PORT	0xe9

/* What a word of the trace is: an instruction, one that reads the TSC, or the
 * end of a window.
 */
#define KIND_INSN	0
#define KIND_CLOCK	1
#define KIND_STOP	2

#define WORD(kind, addr) \
	((__u64)(kind) << 56 | ((addr) & 0xffffffffffffULL))

#endif /* BENCH_MARK_H */
