#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The client and test hwlat of the module: what is reported, refused and failed.
. "$(dirname "$0")/../lib.sh"

need_module
need_tool jq nproc
[ "$(nproc)" -gt 1 ] || skip_all "one CPU"
schema=$TOP/Documentation/result.schema.json

RUN=("$RTK" run hwlat warmup_ms=10 --allow emulated)
validate() { /usr/bin/python3 "$TEST_DIR/validate.py" "$schema" "$@"; }
lines() { grep -c -- "$1" <<<"$OUT"; }
recorded() { sed -n 's/^Samples recorded: //p' <<<"$OUT"; }

start 33

ok "defaults" "$RTK" set hwlat --defaults
ok "run" "${RUN[@]}" --duration 1s --json "$TMP/run.json"
has "coverage" "$OUT" '^CPU +samples +covered s +% +above +SMIs +NMIs$'
has "of a CPU" "$OUT" '^1 +[1-9][0-9]+ +0\.[0-9]+ +[0-9]+\.[0-9]+ +[0-9]+ '
has "what is above the threshold" "$OUT" '^gaps above 10 us: [0-9]+'
has "the clock that was read" "$OUT" '^parameters:.* clock=(tsc|raw)\b'
has_not "no reason that is about tasks" "$OUT" ' (not-rt|idle-states|not-isolated|few-samples): '
ok "the document fits the schema" validate "$TMP/run.json"
ok "it has the CPU's numbers" jq -e \
	'.per_cpu[0] | .samples > 0 and .covered_ns > 0 and .covered_ns <= .wall_ns and .nmi >= 0' "$TMP/run.json"

exits 1 "--fail-above 1ns" "${RUN[@]}" --duration 500ms --fail-above 1ns --json "$TMP/all.json"
has "each gap is above that" "$OUT" '^gaps above 1 ns: [1-9][0-9]*, of which [1-9][0-9]* are on record'
has "the largest are shown" "$OUT" '^the 16 largest '
has "the worst with both gaps of its pair" "$OUT" '^  inner_ns=[0-9]+ outer_ns=[0-9]+ watching=[1-9]'
ok "the document has them all" validate "$TMP/all.json"
ok "each with its details" jq -e '.outliers | length > 16 and all(
	.inner_ns == .value or .outer_ns == .value)' "$TMP/all.json"
ok "a limit above the threshold" "${RUN[@]}" --duration 500ms --fail-above 1h threshold_ns=1us
exits 2 "a limit below it" "${RUN[@]}" --duration 500ms --fail-above 1us threshold_ns=2us

exits 1 "hwlatdetect's report" "${RUN[@]}" --duration 2s --fail-above 1ns \
	--format hwlatdetect --report "$TMP/samples" --cpu
eq "begins as that" "$(head -n 5 <<<"$OUT" | tail -n 4)" \
	"   detector: rtk
   parameters:
        CPU list:          $(jq -r .cpus "$TMP/run.json")
        Latency threshold: 0.001us"
eq "a line for each sample" "$(lines '^ts: [0-9]*\.[0-9]\{9\}, inner:[0-9]*, outer:[0-9]*, cpu:[0-9]*$')" "$(recorded)"
eq "in the file, too" "$(wc -l <"$TMP/samples")" "$(recorded)"
exits 0 "the same from rtk show" "$RTK" show hwlat --allow emulated --format hwlatdetect
eq "with the same samples" "$(lines '^ts: ')" "$(recorded)"
exits 2 "for another test" "$RTK" run hrtimer --format hwlatdetect
has "is refused in words" "$OUT" '--format hwlatdetect: for test hwlat only, not for hrtimer'

"$RTK" set hwlat mode=roundrobin burst_us=100
ok "--defaults" "${RUN[@]}" --defaults --duration 300ms burst_us=200
has "what was set before is as by default" "$("$RTK" get hwlat)" '^mode=parallel$'
has "what is given is not" "$("$RTK" get hwlat)" '^burst_us=200$'

exits 2 "all CPUs" "${RUN[@]}" cpus="$(cat /sys/devices/system/cpu/online)"
has "are refused with the module's reason" "$OUT" 'leave one that is online out'
"$RTK" start hrtimer cpus=1 period_ns=10ms duration_ms=0 >/dev/null
exits 2 "a CPU that another test measures" "${RUN[@]}" cpus=1 --duration 500ms
ok "share=1" "${RUN[@]}" cpus=1 --duration 500ms share=1
has "is recorded" "$OUT" ' shared: test hrtimer ran on the same CPUs'
"$RTK" stop hrtimer >/dev/null
"$RTK" set hwlat --defaults
"$RTK" set hrtimer --defaults

ktap_finished
