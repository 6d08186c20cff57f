#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# scripts/bench: its numbers are exact, so two runs are the same; what they
# must hold whatever rtk's code is; and it can fail.
. "$(dirname "$0")/../lib.sh"

KERNEL=6.1-rt
BENCH=$TOP/scripts/bench
export RTK_CACHE=${RTK_CACHE:-$TOP/.cache}

[ -x "$BENCH" ] || skip_all "not in a checkout"
[ -z "${RTK_VM-}" ] || skip_all "boots VMs: not in one"
need_tool gcc python3 cyclictest

# The guest has a copy of the checkout in its memory, so work that goes on in
# it would be another guest: both runs are of one copy.
copy()
{
	mkdir "$TMP/tree"
	tar -C "$TOP" --exclude=./.git --exclude=./.cache --exclude=./results -cf - . |
		tar -C "$TMP/tree" -xf -
}

# What scripts/vm has built for the copy.
cleanup()
{
	rm -rf "$RTK_CACHE"/build/*."$(cksum <<< "$TMP/tree" | cut -d' ' -f1)"*
	lib_cleanup
}
trap cleanup EXIT

# run N: the numbers of a run into $TMP/N, its traces into $TMP.
run()
{
	"$TMP/tree/scripts/bench" --kernel $KERNEL --periods 40 --counts --report-only --keep "$TMP/keep$1" \
		--output "$TMP/$1.json" > "$TMP/$1" 2> "$TMP/$1.err" || diag "$(tail -n 20 "$TMP/$1.err")"
}

# number SAMPLER FIGURE
number() { awk -v s="$1" -v f="$2" '$1 == s && $2 == f { print $3 }' "$TMP/1"; }

# doctor SUFFIX SED: report on the first run's traces with the symbols edited.
doctor()
{
	local t=$TMP/keep1/$KERNEL

	sed "$1" "$t.text" > "$t.edited"
	python3 -B "$TOP/scripts/bench.d/report.py" "$TMP/edited.json" "$KERNEL=x=$t.trace=$t.edited"
}

start 10

exits 2 "an unknown option is refused" "$BENCH" --nonsense
exits 2 "a kernel without timerlat is refused" "$BENCH" --kernel 6.1

copy
run 1
run 2
diag "$(diff "$TMP/1" "$TMP/2")"
cmp_num "there are numbers" "$(wc -l < "$TMP/1")" -gt 50
eq "two runs give the same numbers" "$(md5sum < "$TMP/1")" "$(md5sum < "$TMP/2")"
ok "and the same JSON" cmp "$TMP/1.json" "$TMP/2.json"

# The peer's path is the kernel's: it does not change with rtk.
cmp_num "timerlat's period is what it was" "$(number timerlat period)" -eq 7324
cmp_num "rtk's period is shorter" "$(number rtk period)" -lt "$(number timerlat period)"
eq "rtk adds nothing to a foreign wake-up" "$(number rtk foreign)" 0

fails "a trace that was cut off is refused" doctor '$d'
fails "a window that is missing is refused" doctor 1d
