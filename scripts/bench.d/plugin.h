/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The part of QEMU's plugin interface that the plugin uses, version 1 of it,
 * which is QEMU 4.2 to 8.1. Debian's QEMU has plugins, but no package has the
 * header.
 */
#ifndef BENCH_PLUGIN_H
#define BENCH_PLUGIN_H

#include <stddef.h>
#include <linux/types.h>

typedef __u64 qemu_plugin_id_t;
struct qemu_plugin_info;
struct qemu_plugin_tb;
struct qemu_plugin_insn;

void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id_t id,
					   void (*cb)(qemu_plugin_id_t id,
						      struct qemu_plugin_tb *tb));
void qemu_plugin_register_vcpu_insn_exec_cb(struct qemu_plugin_insn *insn,
					    void (*cb)(unsigned int cpu, void *data),
					    int flags, void *data);
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *tb);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *tb,
						 size_t i);
const void *qemu_plugin_insn_data(const struct qemu_plugin_insn *insn);
size_t qemu_plugin_insn_size(const struct qemu_plugin_insn *insn);
__u64 qemu_plugin_insn_vaddr(const struct qemu_plugin_insn *insn);

#endif /* BENCH_PLUGIN_H */
