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
schema=$kernel/Documentation/netlink/genetlink.yaml
cli=(/usr/bin/python3 -B "$kernel/tools/net/ynl/cli.py" --output-json
	--spec "$TOP/Documentation/netlink/specs/rtk.yaml")

# ynl --do|--dump OPERATION [KEYS]: with the test, and further keys of JSON. The
# schema has been looked at once; that takes seconds.
ynl()
{
	"${cli[@]}" --no-schema "$1" "$2" --json "{\"test\": \"$T\"${3:+, $3}}"
}

# What rtk and ynl say of the lanes, in the same words.
rtk_lanes()
{
	jq -r '.ledger as $l | .series[] | select(.cpu != "all") | . as $s |
		($l[] | select(.cpu == $s.cpu and .series == $s.name)) |
		"\(.cpu) \(.series) \($s.count) \($s.min) \($s.max) \(.expected) \(.delivered) \(.missed)"' |
		sort
}

ynl_lanes()
{
	jq -r '.[].lane | "\(.cpu) \(.series) \(.count) \(.minimum) \(.maximum) \(.expected) \(.delivered) \(.missed)"' |
		sort
}

# Buckets are bytes to ynl: {u32 index, u32 0, u64 count}. Their sums, by lane.
ynl_sums()
{
	/usr/bin/python3 -c '
import json, struct, sys
sums = {}
for m in json.load(sys.stdin):
    lane = (m["cpu"], m["series"])
    data = bytes.fromhex(m["hist"]["buckets"])
    sums[lane] = sums.get(lane, 0) + sum(n for _, _, n in struct.iter_unpack("=IIQ", data))
for lane, n in sums.items():
    print(*lane, n)' | sort
}

start 16

"$RTK" stop "$T" >/dev/null
ok "the schema takes the spec" "${cli[@]}" --schema "$schema" --list-ops
has "and operations are listed" "$OUT" '^test-get +\[ do, dump \]'

ok "tests and parameters are dumped" "${cli[@]}" --no-schema --dump test-get --json '{}'
eq "tests are those that rtk lists" "$(jq -r '.[] | select(.info).test' <<<"$OUT")" \
	"$("$RTK" list | awk '{ print $1 }')"
names=$(jq -r --arg t "$T" '.[] | select(.test == $t) | .param[]?.name' <<<"$OUT")
eq "parameters are the files of debugfs" \
	"$(for n in $names; do [ -f "$RTK_DEBUGFS/$T/$n" ] || echo "$n"; done)" ""
cmp_num "there are some" "$(wc -l <<<"$names")" -gt 10

ok "a run is started with values of its own" ynl --do start '"detach": true, "param": [
	{"name": "period_ns", "value": "10000000"}, {"name": "warmup_ms", "value": "0"}]'
eq "it is running" "$("$RTK" list | awk -v t="$T" '$1 == t { print $2 }')" running
eq "with the value given" "$("$RTK" get "$T" period_ns)" 10000000
exits 1 "another start is refused" ynl --do start
has "as busy" "$OUT" 'error: -16'
ok "it is stopped" ynl --do stop

ok "statistics are read" ynl --dump stats-get
stats=$(ynl_lanes <<<"$OUT")
"$RTK" show "$T" --json "$TMP/show" >/dev/null 2>&1
eq "and are those of rtk" "$stats" "$(rtk_lanes <"$TMP/show")"
cmp_num "of at least one CPU" "$(wc -l <<<"$stats")" -ge 2
OUT=$(ynl --dump hist-get | ynl_sums)
eq "the buckets' sums are the counts" "$OUT" "$(cut -d ' ' -f 1-3 <<<"$stats")"

"$RTK" reset "$T" >/dev/null
"$RTK" set "$T" --defaults >/dev/null
ktap_finished
