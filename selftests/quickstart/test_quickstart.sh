#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The newcomer's command, for real: both tiers, the second one inside a VM, where
# a module can be loaded. --fast: the first one only.
. "$(dirname "$0")/../lib.sh"

need_root
need_tool git jq make
kernel=6.1-rt
fast=
[ "${1-}" != --fast ] || fast=1

# A tree of its own, so that neither results nor objects of the checkout change;
# in the cache, since a guest has a /tmp of its own. The rig asks git which
# files there are.
export RTK_CACHE=${RTK_CACHE:-$TOP/.cache}
tree=$RTK_CACHE/check/quickstart
copy_tree()
{
	rm -rf "$tree"
	mkdir -p "$tree"
	(cd "$TOP" && tar -c --exclude='*.o' --exclude='*.ko' --exclude='*.cmd' --exclude=obj \
		.gitignore Makefile Kbuild modules scripts uapi userspace) | tar -x -C "$tree"
	git init -q "$tree"
}

json() { jq -er "$1" "$tree/results/quickstart.json" 2>&1; }

# What both tiers have to say. $1: its name.
check_report()
{
	has "$1: the first line is the tier" "$(head -n 1 <<<"$OUT")" "^tier: $1: "
	has "$1: table" "$OUT" '^(emulated \| )?all +[0-9]+ +[0-9]+ '
	has "$1: verdict" "$OUT" 'verdict: '
	has "$1: says what changed" "$OUT" '^installed: nothing$'
}

# refused DURATION: at once, with one line that names it.
refused()
{
	local said rc=0

	said=$("$TOP/scripts/quickstart" --dry-run --duration "$1" 2>&1) || rc=$?
	[ "$rc" = 2 ] && [ "$(wc -l <<<"$said")" = 1 ] && [[ $said == *"--duration "*"$1"* ]]
}

start $((fast ? 13 : 21))

bad=
for d in 0 0s -5s 08 abc '' 1.5h '5 s' 604801 169h 999999999999999999999h; do
	refused "$d" || bad+=" '$d'"
done
eq "durations that are none, or too long, are refused" "$bad" ""
ok "a week is not too long" "$TOP/scripts/quickstart" --dry-run --tier=vm --duration 168h

copy_tree
ok "vm: ends with 0" "$tree/scripts/quickstart" --tier=vm --yes --duration 3s
check_report vm
report=$(sed -n '/^== hrtimer/,/^== results/p' <<<"$OUT" | grep -v '^==')
has_not "vm: each line of the report is marked" "$report" '^[^e].*[0-9]'
has "vm: how to get a real one" "$OUT" 'sudo scripts/quickstart --tier=module'
eq "vm: JSON" "$(json .schema)" "rtk-result/1"
has "vm: the verdict knows that it is emulated" "$(json '.verdict.reasons[].id')" '^emulated$'
eq "vm: the picture is a picture" "$(head -c 4 "$tree/results/quickstart.png" | od -An -c | tr -d ' ')" '211PNG'
has_not "vm: nothing goes on running" "$(ps -eo args)" "^[^ ]*qemu.*$tree/results"

[ -z "$fast" ] || ktap_finished

# Built here as the guest would, or it would begin anew: with the folder that its link leads
# to, and nothing of the make that runs this.
headers=$("$TOP/scripts/fetch" "headers:$kernel")
fresh_make -s -C "$tree" modules KDIR="$headers" >"$TMP/log" 2>&1 || diag "$(cat "$TMP/log")"
ok "module: ends with 0, module unloaded; and is interrupted" "$TOP/scripts/vm" \
	--kernel $kernel --no-module -- "$TEST_DIR/quickstart_guest.sh" "$tree" "$headers"
interrupted=$(sed '1,/^== interrupted/d' <<<"$OUT")
OUT=$(sed '/^== interrupted/,$d' <<<"$OUT")
check_report module
has "module: results" "$OUT" '^quickstart.png$'
has "module: is interrupted while it measures" "$interrupted" '^hrtimer +running '
has "module: the module is unloaded then, too" "$interrupted" '^left: $'

ktap_finished
