#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The kernel's own client of netlink specifications, with ours: it lists the
# tests, starts, reads and stops a run, and sees what rtk sees.
. "$(dirname "$0")/../lib.sh"

need_module
need_tool jq
[ "$TOP" ] || skip_all "no checkout, so no specification"

T=hrtimer
kernel=${KSFT:-$("$TOP/scripts/fetch" linux-source)/tools/testing/selftests}/../../..
ynl=$kernel/tools/net/ynl
spec=$TOP/Documentation/netlink/specs/rtk.yaml
python=(/usr/bin/python3 -B)

# What ynl and rtk say of the lanes, in the same words.
ynl_lanes='.stats[].lane | "\(.cpu) \(.series) \(.count) \(.minimum) \(.maximum) \(.expected) \(.delivered) \(.missed)"'
rtk_lanes='.ledger as $l | .series[] | select(.cpu != "all") | . as $s |
	($l[] | select(.cpu == $s.cpu and .series == $s.name)) |
	"\(.cpu) \(.series) \($s.count) \($s.min) \($s.max) \(.expected) \(.delivered) \(.missed)"'

says() { jq -r --arg t "$T" "$1" <<<"$ANSWERS"; }

start 13

"$RTK" stop "$T" >/dev/null
ok "the schema takes the spec" "${python[@]}" "$ynl/cli.py" --spec "$spec" \
	--schema "$kernel/Documentation/netlink/genetlink.yaml" --list-ops
has "and operations are listed" "$OUT" '^test-get +\[ (do, dump|dump, do) \]'

ok "a run is started, read and stopped" "${python[@]}" "$TEST_DIR/ynl_steps.py" \
	"$ynl" "$spec" "$T"
ANSWERS=$OUT
eq "tests are those of the module that rtk lists" "$(says '.tests[] | select(.info).test')" \
	"$("$RTK" list | awk '$2 != "user" { print $1 }')"
names=$(says '.tests[] | select(.test == $t) | .param[]?.name')
eq "parameters are the files of debugfs" \
	"$(for n in $names; do [ -f "$RTK_DEBUGFS/$T/$n" ] || echo "$n"; done)" ""
cmp_num "there are some" "$(wc -l <<<"$names")" -gt 10
eq "it was running" "$(says .running.info.state)" running
eq "with the value given" "$("$RTK" get "$T" period_ns)" 10000000
eq "another start was refused as busy" "$(says .busy)" 16
eq "all was of one run" "$(says '[.start, .running, .stop, .stats[]] | map(.generation) | unique | length')" 1

"$RTK" show "$T" --json "$TMP/show" >/dev/null 2>&1
lanes=$(says "$ynl_lanes" | sort)
eq "statistics are those of rtk" "$lanes" "$(jq -r "$rtk_lanes" "$TMP/show" | sort)"
cmp_num "of at least one CPU" "$(wc -l <<<"$lanes")" -ge 2
eq "the buckets' sums are the counts" "$(says '.sums | to_entries[] | "\(.key) \(.value)"' | sort)" \
	"$(cut -d ' ' -f 1-3 <<<"$lanes")"

"$RTK" reset "$T" >/dev/null
"$RTK" set "$T" --defaults >/dev/null
ktap_finished
