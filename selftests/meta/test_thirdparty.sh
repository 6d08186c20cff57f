#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The test that Documentation/writing-a-test.rst is about, built from its text
# as a module of its own, and what becomes of it in a VM. And descriptions that
# must be refused.
. "$(dirname "$0")/../lib.sh"

GUEST=$TEST_DIR/thirdparty_guest.sh

need_root
[ "$TOP" ] || skip_all "not in a checkout: no scripts/vm"
need_tool make gcc
. "$TEST_DIR/kbuild.sh"
make_shared
PAGE=$TOP/Documentation/writing-a-test.rst

# block LANGUAGE: the page's first literal block in it, without its indent.
block()
{
	awk -v head=".. code-block:: $1" '
		$0 == head && !on { on = 1; next }
		on && /^[^ ]/ { exit }
		on { sub(/^    /, ""); print }' "$PAGE" | sed '1{/^$/d}' | unexpand --first-only
}

# The second module tries what is written here; a test that lacks nothing shows
# that it is not something else that is refused.
refused_source()
{
	cat <<-'END'
	// SPDX-License-Identifier: GPL-2.0
	#include <linux/module.h>
	#include "rtk.h"

	struct config { u64 value; };

	static int arm(struct rtk_cpu *c) { return -EIO; }
	static void disarm(struct rtk_cpu *c) { }
	static void thread(struct rtk_cpu *c) { }
	static u64 measure(struct rtk_cpu *c) { return c->end; }
	static void publish(struct rtk_cpu *c) { }
	static const struct rtk_counter nameless[RTK_COUNTERS_MAX + 1];
	static const struct rtk_counter named[RTK_COUNTERS_MAX + 1] = {
		{ .name = "a" }, { .name = "b" }, { .name = "c" }, { .name = "d" },
		{ .name = "e" }, { .name = "f" }, { .name = "g" }, { .name = "h" } };
	static const struct rtk_series one[] = { { .name = "a", .unit = "ns" } };
	static const struct rtk_series twice[] = {
		{ .name = "a", .unit = "ns" }, { .name = "a", .unit = "ns" } };
	static const struct rtk_series of_nobody[] = {
		{ .name = "a", .unit = "ns", .flags = RTK_SERIES_THREAD } };

	static struct rtk_param row;
	static struct rtk_test test;

	static void fresh(void)
	{
		row = (struct rtk_param){ .name = "value", .type = RTK_PARAM_TYPE_U64,
			.max = 9, .def = "1", .help = "a value",
			RTK_FIELD(struct config, value) };
		test = (struct rtk_test){ .name = "spare", .summary = "none",
			.owner = THIS_MODULE, .params = &row, .n_params = 1,
			.config_size = sizeof(struct config), .cpu_size = 8,
			.series = one, .n_series = 1, .arm = arm, .disarm = disarm };
	}

	static void pull(void)
	{
		test.arm = NULL;
		test.disarm = NULL;
		test.measure = measure;
		test.publish = publish;
	}

	#define TRY(what, change) do { \
		int rc; \
		fresh(); \
		change; \
		rc = rtk_test_register(&test); \
		pr_info("refused: %s: %d\n", what, rc); \
		if (!rc) \
			rtk_test_unregister(&test); \
	} while (0)

	static int __init refused_init(void)
	{
		TRY("nothing", );
		TRY("name in use", test.name = "hrtimer");
		TRY("name of another module", test.name = "wheel");
		TRY("no name", test.name = NULL);
		TRY("no word", test.name = "../x");
		TRY("no summary", test.summary = NULL);
		TRY("no owner", test.owner = NULL);
		TRY("no arm", test.arm = NULL);
		TRY("no disarm", test.disarm = NULL);
		TRY("measure beside arm", test.measure = measure);
		TRY("measure beside arm alone", (test.measure = measure, test.disarm = NULL));
		TRY("measure beside disarm", (test.measure = measure, test.arm = NULL));
		TRY("measure beside thread", (pull(), test.thread = thread));
		TRY("publish without measure", test.publish = publish);
		TRY("counters without names", (test.counters = nameless, test.n_counters = 1));
		TRY("no counters", test.n_counters = 1);
		TRY("too many counters", (test.counters = named,
			test.n_counters = RTK_COUNTERS_MAX + 1));
		TRY("no series", test.n_series = 0);
		TRY("too many series", test.n_series = RTK_SERIES_MAX + 1);
		TRY("series twice", (test.series = twice, test.n_series = 2));
		TRY("series of no thread", test.series = of_nobody);
		TRY("no rows", test.params = NULL);
		TRY("reserved enable", row.name = "enable");
		TRY("reserved stats", row.name = "stats");
		TRY("reserved per_cpu", row.name = "per_cpu");
		TRY("common row", row.name = "duration_ms");
		TRY("no help", row.help = NULL);
		TRY("no default", row.def = NULL);
		TRY("default out of range", row.def = "10");
		TRY("wrong size", row.size = 4);
		TRY("outside", row.offset = 8);
		TRY("empty range", row.min = 10);
		TRY("a pull test", (pull(), test.counters = named,
			test.n_counters = RTK_COUNTERS_MAX));
		return 0;
	}

	static void __exit refused_exit(void) { }

	module_init(refused_init);
	module_exit(refused_exit);
	MODULE_LICENSE("GPL");
	MODULE_DESCRIPTION("Descriptions that are refused");
	END
}

# build KERNEL: rtk itself for its symbols, then the modules against it.
build()
{
	local rtk=$TMP/rtk.$1 dir=$TMP/ext.$1 kdir

	kdir=$("$TOP/scripts/fetch" "headers:$1" 2>/dev/null) || return
	mkdir "$dir" "$SHARED/$1"
	copy_modules "$rtk"
	kbuild "$kdir" "$rtk" || return
	block c >"$dir/wheel.c"
	refused_source >"$dir/refused.c"
	{ block make; echo "obj-m += refused.o"; } >"$dir/Kbuild"
	kbuild "$kdir" "$dir" RTK="$rtk" KBUILD_EXTRA_SYMBOLS="$rtk/Module.symvers" \
		KCFLAGS=-Werror || return
	cp "$dir/wheel.ko" "$dir/refused.ko" "$SHARED/$1/"
}

# said KEY: what the guest says of it.
said() { sed -n "s/^$1: //p" <<<"$OUT"; }

check_refused()
{
	local got want='nothing: 0
name in use: -17
name of another module: -17'

	got=$(sed -n 's/^refused: //p' <<<"$OUT")
	eq "$1: complete descriptions are taken, names in use are not" "$(head -n 3 <<<"$got")" "$want"
	eq "$1: the last one is taken as well" "$(tail -n 1 <<<"$got")" "a pull test: 0"
	want=$(refused_source | sed -n 's/^TRY("\([^"]*\)".*/\1: -22/p' | sed '1,3d;$d')
	eq "$1: all others are refused as not valid" "$(sed '1,3d;$d' <<<"$got")" "$want"
	cmp_num "$1: ... and they are many" "$(wc -l <<<"$got")" -eq 33
}

# Two tests, of which the other one runs on CPU 0.
check_claims()
{
	local why='hrtimer is running on CPUs 0; choose others, stop it, or set share=1'

	has "$1: a CPU of another run is refused" "$(said claimed)" '^1 .*Device or resource busy'
	has "$1: ... with the test and the CPUs" "$(said claimed)" "$why"
	eq "$1: also one of several" "$(said "claimed in part")" "1 $why"
	has "$1: also by the client" "$(said "claimed, by the client")" "^2 .*$why"
	eq "$1: on other CPUs both run" "$(said beside)" "0 yes yes"
	eq "$1: that is not sharing" "$(said "not shared")" 0
	eq "$1: share=1 of the later one alone lets both run on one CPU" "$(said shared)" "0 yes yes"
	has "$1: neither is unloaded then" "$OUT" '^in use$'
	eq "$1: the one's result has it" "$(said "shared by wheel")" "test hrtimer ran on the same CPUs"
	eq "$1: and the other's" "$(said "shared by hrtimer")" "test wheel ran on the same CPUs"
	has "$1: a module goes while another's run goes on" "$OUT" '^unloaded beside a run$'
	eq "$1: which is not disturbed" "$(said "the other goes on")" "running yes"
	eq "$1: loaded again: all claims are as before" "$(said "back beside it")" "$why"
}

check_module()
{
	local stats

	ok "$1: modules build against headers and symbols" build "$1"
	OUT=$(cd "$TOP" && scripts/vm --kernel "$1" --timeout 200 -- "$GUEST" "$SHARED/$1" \
		"$RTK" 2>"$TMP/err") || diag "$(tail -n 20 "$TMP/err")"
	has "$1: in debugfs" "$(said registered)" '(^| )period_ms .*stats'
	eq "$1: in netlink" "$(said listed)" 1
	has "$1: its parameter has its bounds" "$(said "last error")" 'period_ms'
	has "$1: is started" "$OUT" '^started$'
	has_not "$1: is not unloaded while running" "$OUT" '^unloaded while running$'
	has_not "$1: rtk is not unloaded below it" "$OUT" '^rtk unloaded below it$'
	has "$1: goes on running" "$(said meanwhile)" '^running '
	has "$1: is stopped" "$(said stopped)" '^done .*reason=stopped'
	stats=$(said stats)
	has "$1: has samples of its series" "$stats" '^cpu=0 series=gap count=[1-9]'
	# 20 ms are whole jiffies, of which the first may be almost over.
	cmp_num "$1: they are what it measures" "$(sed -n 's/.* max_ns=\([0-9]*\).*/\1/p' <<<"$stats")" \
		-ge 16000000
	has "$1: ends as planned" "$(said ended)" '^done .*reason=duration'
	check_claims "$1"
	check_refused "$1"
	has "$1: is unloaded" "$OUT" '^unloaded$'
	has "$1: its directory goes with it" "$OUT" '^directory is gone$'
	eq "$1: netlink knows it no longer" "$(said "listed then")" 0
	has "$1: then rtk is unloaded" "$OUT" '^rtk unloaded$'
}

[ -x "$RTK" ] || skip_all "no client: make client"
start $((2 * 33))
for kernel in 6.1-rt 6.12; do
	check_module $kernel
done
ktap_finished
