#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# scripts/layers can fail: each violation, planted in a copy of the tree, is
# found and named by the right rule.
. "$(dirname "$0")/../lib.sh"

# A copy of what layers looks at. Objects stay behind: they are of the tree.
fresh_tree()
{
	rm -rf "$TMP/tree"
	mkdir -p "$TMP/tree"
	(cd "$TOP" && tar -c --exclude='*.o' --exclude='*.ko' --exclude='*.cmd' \
		--exclude=obj modules userspace uapi) | tar -x -C "$TMP/tree"
}

# plant RULE FILE LINE: append the line to the file, demand the finding.
plant()
{
	local rule=$1 file=$2 line=$3 out

	fresh_tree
	printf '%b\n' "$line" >>"$TMP/tree/$file"
	if out=$("$TOP/scripts/layers" "$TMP/tree" 2>&1); then
		diag "$out"
		ktap_test_fail "found in $file: ${line%%\\n*}"
	else
		has "found in $file: ${line%%\\n*}" "$out" "BAD .*$rule"
	fi
}

# object RULE FILE SOURCE: the same for the symbols of an object built from C.
object()
{
	local rule=$1 file=$2 src=$3 out

	fresh_tree
	: >"$TMP/tree/${file%.*}.c"
	gcc -x c -c -o "$TMP/tree/$file" - <<<"$src"
	if out=$("$TOP/scripts/layers" "$TMP/tree" 2>&1); then
		diag "$out"
		ktap_test_fail "found in $file: $src"
	else
		has "found in $file: $src" "$out" "BAD .*$rule"
	fi
}

# A function of a test or of the sample path that does what is forbidden.
record_and() { printf "static void planted(void)\\n{\\n\\trtk_record(a, b, c);\\n\\t%s;\\n}" "$1"; }

start 23

fresh_tree
ok "the tree as it is passes" "$TOP/scripts/layers" "$TMP/tree"

t=modules/test_hrtimer.c
plant "a test includes" $t '#include "internal.h"'
plant "in a test is static" $t 'int planted(void)\n{\n}'
plant "in a test is static" $t 'int planted = 1;'
plant "name no test" modules/netlink.c 'static const char *x = "hrtimer";'
plant "name no test" modules/run.c 'extern struct rtk_test rtk_test_hrtimer;'
plant "netlink to netlink.c" modules/run.c 'static void x(void) { debugfs_create_dir("x", NULL); }'
plant "netlink to netlink.c" modules/core.c 'static void x(void) { nla_put_u32(skb, 1, 2); }'
plant "rtk_hist.h includes" uapi/linux/rtk_hist.h '#include <linux/kernel.h>'
plant "kernel versions" modules/run.c '#if LINUX_VERSION_CODE > 5'
plant "kernel versions" modules/worker.c '#ifdef HAVE_THAT'
plant "are exported" modules/core.c 'EXPORT_SYMBOL_GPL(rtk_run_start);'
plant "are exported" modules/core.c 'EXPORT_SYMBOL(rtk_test_register);'
plant "sample path" $t "$(record_and 'pr_info(x)')"
plant "sample path" $t "$(record_and 'spin_lock(x)')"
plant "sample path" modules/hist.h 'static inline void rtk_planted(void)\n{\n\tx = kmalloc(1, GFP_ATOMIC);\n}'
plant "sample path" uapi/linux/rtk_hist.h 'static inline void rtk_planted(void)\n{\n\tmutex_lock(x);\n}'
plant "know netlink" userspace/cmd_run.c '#include <netlink/genl/genl.h>'
plant "exports its struct" userspace/cmd_run.c 'int planted(void)\n{\n}'

object "in a test is static" modules/test_planted.o 'int planted;'
object "nothing of the core" modules/test_planted.o 'int rtk_run_start(void); static int (*p)(void) __attribute__((used)) = rtk_run_start;'
object "no tricks" modules/rtk.ko 'int kallsyms_lookup_name(void); int f(void) { return kallsyms_lookup_name(); }'
object "exports its struct" userspace/cmd_planted.o 'int f(void) { return 0; }'

ktap_finished
