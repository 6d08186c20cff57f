#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# rtk device and rtk restore where there is no such device: errors, rights, and a
# journal made up here. With devices they are tested by those who have some.
. "$(dirname "$0")/../lib.sh"

need_tool jq setpriv
export RTK_JOURNAL=$TMP/journal
boot=$(cat /proc/sys/kernel/random/boot_id)
nobody=(setpriv --reuid=65534 --regid=65534 --clear-groups)

# entry NUMBER KIND PID START: a change of a device that is not there.
entry()
{
	mkdir -p "$RTK_JOURNAL"
	jq -n --arg kind "$2" --argjson pid "$3" --argjson start "$4" --arg boot "$boot" \
		'{ schema: "rtk-journal/1", kind: $kind, boot: $boot, pid: $pid, start: $start,
		   comm: "test", before: { device: "00ff:1f:1f.7", driver: "igb", override: "",
		   interfaces: [] } }' >"$RTK_JOURNAL/000000000$1-$2.json"
}
entries() { find "$RTK_JOURNAL" -name '*.json' -printf '%f\n' | sort | xargs; }
start_of() { sed 's/.*) //' "/proc/$1/stat" | cut -d ' ' -f 20; }

start 29

ok "the commands" "$RTK" device --help
has "are listed" "$OUT" "  release "
exits 2 "one that is not there" "$RTK" device clam auto
has "has one near it" "$OUT" "did you mean 'claim'?"
exits 2 "no device given" "$RTK" device claim
exits 2 "no address" "$RTK" device claim 3:0.0
has "is said not to be one" "$OUT" "expected 0000:03:00.0, 03:00.0 or auto"
exits 2 "a device that is not there" "$RTK" device claim 00ff:1f:1f.7
has "is said to be none" "$OUT" "no such device"
exits 2 "it can't be held either" "$RTK" device hold 00ff:1f:1f.7
exits 2 "nor given back" "$RTK" device release 00ff:1f:1f.7
ok "all that are claimed: none" "$RTK" device release all
exits 4 "a user may not take one" "${nobody[@]}" "$RTK" device claim auto
exits 4 "nor undo anything" "${nobody[@]}" "$RTK" restore
ok "but look at them" env -u RTK_JOURNAL "${nobody[@]}" "$RTK" device list
ok "as JSON, too" "$RTK" device list --json
eq "which is such" "$(jq -r .schema <<<"$OUT")" rtk-devices/1

ok "nothing to undo" "$RTK" restore
eq "is said" "$OUT" "nothing to undo"

entry 1 device 0 0
entry 2 device $$ "$(start_of $$)"
entry 3 device $$ 1
ok "what there is to undo" "$RTK" restore --dry-run
eq "is not undone without being asked for" "$(entries)" \
	"0000000001-device.json 0000000002-device.json 0000000003-device.json"
ok "changes without an owner" "$RTK" restore
has "are undone, a device that is gone, too" "$OUT" "00ff:1f:1f.7: this device is gone"
eq "those of a living process are not" "$(entries)" "0000000002-device.json"
entry 3 tea 0 0
exits 2 "a kind that nobody knows" "$RTK" restore --all
has "is an error" "$OUT" "0000000003-tea.json: "
eq "and stays; with --all the others do not" "$(entries)" "0000000003-tea.json"
echo '{' >"$RTK_JOURNAL/0000000003-tea.json"
exits 2 "so does what can't be read" "$RTK" restore
eq "whatever it is" "$(entries)" "0000000003-tea.json"

ktap_finished
