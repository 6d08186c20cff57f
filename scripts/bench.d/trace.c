// SPDX-License-Identifier: GPL-2.0
/*
 * QEMU TCG plugin: writes the address of every guest instruction that is
 * executed between a start and a stop mark to a file, exactly and in order.
 *
 * A mark is a 7-byte nop with a displacement of our own, see mark.h. There is
 * no locking: it is for one CPU.
 *
 * File: 64-bit words in the host's byte order. Bits 0 to 47 are the address,
 * bits 56 to 63 say what the word is, see mark.h.
 */
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "mark.h"
#include "plugin.h"

#define EXPORT __attribute__((visibility("default")))

EXPORT int qemu_plugin_version = 1;

static __u64 buffer[1 << 16];
static size_t used;
static int fd = -1;
static bool tracing;

static void flush(void)
{
	const char *p = (const char *)buffer;
	size_t left = used * sizeof(*buffer);

	while (left) {
		ssize_t n = write(fd, p, left);

		if (n < 0) {
			perror("bench: trace");
			exit(1);
		}
		p += n;
		left -= n;
	}
	used = 0;
}

static void put(__u64 word)
{
	buffer[used++] = word;
	if (used == sizeof(buffer) / sizeof(*buffer))
		flush();
}

static void executed(unsigned int cpu, void *data)
{
	if (tracing)
		put((uintptr_t)data);
}

static void marked(unsigned int cpu, void *data)
{
	unsigned int mark = (uintptr_t)data;

	if (mark == MARK_START) {
		tracing = true;
	} else if (tracing) {
		/* Nothing is lost, however QEMU ends. */
		put(WORD(KIND_STOP, 0));
		flush();
		tracing = false;
	}
}

/* The number of the mark, or 0. */
static unsigned int which_mark(const unsigned char *code, size_t size)
{
	static const unsigned char nop[] = { 0x0f, 0x1f, 0x80 };
	__u32 disp;

	if (size != 7 || memcmp(code, nop, sizeof(nop)))
		return 0;
	memcpy(&disp, code + sizeof(nop), sizeof(disp));
	return disp == MARK_START || disp == MARK_STOP ? disp : 0;
}

static unsigned int kind_of(const unsigned char *code, size_t size)
{
	static const unsigned char rdtsc[] = { 0x0f, 0x31 };
	static const unsigned char rdtscp[] = { 0x0f, 0x01, 0xf9 };

	if (size == sizeof(rdtsc) && !memcmp(code, rdtsc, size))
		return KIND_CLOCK;
	if (size == sizeof(rdtscp) && !memcmp(code, rdtscp, size))
		return KIND_CLOCK;
	return KIND_INSN;
}

/* A block is translated once: its instructions get their calls here. */
static void translated(qemu_plugin_id_t id, struct qemu_plugin_tb *tb)
{
	size_t i, n = qemu_plugin_tb_n_insns(tb);

	for (i = 0; i < n; i++) {
		struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, i);
		const unsigned char *code = qemu_plugin_insn_data(insn);
		size_t size = qemu_plugin_insn_size(insn);
		unsigned int mark = which_mark(code, size);
		__u64 word = WORD(kind_of(code, size),
				     qemu_plugin_insn_vaddr(insn));

		if (mark)
			qemu_plugin_register_vcpu_insn_exec_cb(insn, marked, 0,
							       (void *)(uintptr_t)mark);
		else
			qemu_plugin_register_vcpu_insn_exec_cb(insn, executed, 0,
							       (void *)word);
	}
}

EXPORT int qemu_plugin_install(qemu_plugin_id_t id,
			       const struct qemu_plugin_info *info, int argc,
			       char **argv)
{
	if (argc != 1 || strncmp(argv[0], "out=", 4)) {
		fprintf(stderr, "bench: trace: want out=FILE\n");
		return 1;
	}
	fd = open(argv[0] + 4, O_WRONLY | O_CREAT | O_TRUNC, 0644);
	if (fd < 0) {
		perror(argv[0] + 4);
		return 1;
	}
	qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
	return 0;
}
