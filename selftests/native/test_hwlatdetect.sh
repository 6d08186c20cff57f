#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# scripts/hwlatdetect: what it makes of hwlatdetect's options and of what rtk says.
. "$(dirname "$0")/../lib.sh"

[ "$TOP" ] || skip_all "not in a checkout: no scripts/hwlatdetect"
H=$TOP/scripts/hwlatdetect

# A client that says how it was called, then what a file says.
cat >"$TMP/rtk" <<'END'
#!/bin/sh
[ "$1" != monitor ] || { echo "monitor $2"; exec sleep 600; }
echo "$*"
cat "${0%/*}/report"
exit "$(cat "${0%/*}/status")"
END
chmod +x "$TMP/rtk"
: >"$TMP/report"
echo 0 >"$TMP/status"
export RTK=$TMP/rtk

# means OPTIONS... -- WANT: how the client is called, behind "run hwlat".
means()
{
	local options=()

	while [ "$1" != -- ]; do options+=("$1"); shift; done
	OUT=$("$H" "${options[@]}" 2>&1)
	eq "hwlatdetect ${options[*]}" "${OUT#run hwlat }" "$2"
}

call() { echo "window_us=$1 width_us=$2 threshold_ns=$3us --duration $4us --fail-above $5us --format hwlatdetect --defaults${6+ $6}"; }

start 32

means -- "$(call 1000000 500000 10 120000000 10)"
means --threshold=1us --duration=1m --window=1000ms --width=950ms --report=a.log -- \
	"$(call 1000000 950000 1 60000000 1 "--report a.log")"
means --threshold 20 --hardlimit 3ms --duration 90 -- "$(call 1000000 500000 20 90000000 3000)"
means --threshold 20 --hardlimit 5 -- "$(call 1000000 500000 20 120000000 20)"
means --dur 2w --thresh 08 -- "$(call 1000000 500000 8 1209600000000 8)"
means --duration 1h --window 3s --width 2s -- "$(call 3000000 2000000 10 3600000000 10)"
means --duration 1d --window 100ms -- "$(call 100000 50000 10 86400000000 10)"
means --width 2s -- "$(call 4000000 2000000 10 120000000 10)"
means --window 100 --width 200 -- "$(call 400 200 10 120000000 10)"
means --cpu-list 1,3-4 --cpu -- "$(call 1000000 500000 10 120000000 10 "cpus=1,3-4 --cpu")"

for bad in "--threshold 30500569w" "--threshold 0" "--threshold 1.5us" "--duration 1y" "--window -1" "--width x" "--kmodule" "--window" "x"; do
	# shellcheck disable=SC2086 # words
	exits 2 "hwlatdetect $bad" "$H" $bad
done
has "is refused by name" "$OUT" '^hwlatdetect: x: no such argument$'
ok "--help" "$H" --help
has "shows the options" "$OUT" '^  --hardlimit T '

for status in 1 3 4; do
	echo $status >"$TMP/status"
	exits $status "ends as rtk does: $status" "$H"
	exits $status "... also with --watch" "$H" --watch
done
means --quiet --report b -- "$(call 1000000 500000 10 120000000 10 "--quiet --report b")"
"$H" --debug --watch 2>"$TMP/err" >/dev/null
has "--debug says how rtk is called" "$(cat "$TMP/err")" "^$RTK run hwlat window_us="

# Whoever is told to end, the run is, and its monitor goes with it.
cat >"$TMP/rtk" <<'END'
#!/bin/sh
echo $$ >"${0%/*}/$1"
trap 'exit 3' TERM
[ "$1" != monitor ] || exec sleep 600
while :; do sleep 0.1; done
END
"$H" --watch &
wait_for 60 test -s "$TMP/run" -a -s "$TMP/monitor"
kill $!
rc=0
wait $! || rc=$?
eq "a signal reaches the run" $rc 3
ok "and its end is the monitor's" wait_for 60 sh -c "! kill -0 $(cat "$TMP/monitor")"

ktap_finished
