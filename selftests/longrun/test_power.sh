#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# A run of which a power cut, or a kill, leaves the last checkpoint, and what becomes of
# it in the next boot. QEMU is killed: what the guest has not synced is lost.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../libvm.sh"

GUEST=$TEST_DIR/longrun_guest.sh
DISK=$TMP/disk.img

need_tool jq mkfs.ext4

boot()
{
	vm --kernel 6.12-rt --qemu-arg -pidfile --qemu-arg "$TMP/pid" --qemu-arg -drive \
		--qemu-arg "file=$DISK,if=virtio,format=raw,cache=writeback" -- "$GUEST" "$@"
}

# doc NAME: the document below "== NAME"
doc() { section "$1" | sed -n '/^{/,/^}/p'; }

# Each lane's ledger: 0 for one that balances and has something in it
off_balance()
{
	jq '[.ledger[] | select(.expected != .delivered + .missed or .expected < 1)] | length' <<<"$1"
}

cut_power()
{
	wait_for 250 grep -qs '^saved' "$TMP/out" && kill -9 "$(cat "$TMP/pid")"
}

start 20
truncate -s 64M "$DISK"
mkfs.ext4 -q -F "$DISK"
: >"$TMP/out"
cut_power &
boot until_the_end
wait $!
eq "the power is cut in the middle of the run" $? 0
saved=$(awk '/^saved/ { print $2 }' "$TMP/out")
ok "the next boot" boot resumed killed full

before=$(doc found)
after=$(doc resumed)
eq "the document is whole" "$(jq -r .schema <<<"$before")" rtk-result/1
eq "it says that the run went on" "$(jq -r '.ended + .verdict.reasons[0].id' <<<"$before")" running
cmp_num "it has all that was saved" "$(jq .duration_ns <<<"$before")" -ge "${saved:-9999999999999}"
eq "resumed: two parts, the first cut" "$(jq -c '[.parts[].ended]' <<<"$after")" '["","duration"]'
eq "all ledgers balance" "$(off_balance "$after")" 0
eq "samples are the sum" "$(jq '[.series[] | select(.cpu == "all") | .count - ([.histogram[][2]] | add)] | max' <<<"$after")" 0
cmp_num "... and more than before" "$(jq '.series[0].count' <<<"$after")" -gt "$(jq '.series[0].count' <<<"$before")"
cmp_num "the largest of before is not lost" "$(jq '.series[-1].max' <<<"$after")" -ge "$(jq '.series[-1].max' <<<"$before")"
eq "its reasons: the emulator's and the machine's" \
	"$(jq -c '[.verdict.reasons[].id] | index("running")' <<<"$after")" null
eq "intervals of both" "$(jq '[.intervals[].end] | . == sort and length > 6' <<<"$after")" true
printf '%s\n' "$after" >"$TMP/after.json"
ok "by the schema" /usr/bin/python3 "$TOP/selftests/client/validate.py" \
	"$TOP/Documentation/result.schema.json" "$TMP/after.json"

OUT=$(section killed)
has "killed: the checkpoint says that it went on" "$OUT" '^\["","running"'
has "resumed: INVALID, as all in an emulator" "$OUT" '^exit 3$'
eq "all ledgers balance" "$(off_balance "$(doc killed)")" 0

OUT=$(section full)
has "a full disk: the file of before is whole" "$OUT" '^"rtk-result/1"$'
eq "said once" "$(grep -c 'No space left on device; the run goes on' <<<"$OUT")" 1
has "and so is that there is room again" "$OUT" 'can be written again$'
has "Ctrl-C: the result is written" "$OUT" '^\["stopped",.*"interrupted"'
ktap_finished
