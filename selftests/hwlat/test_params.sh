#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The parameters of hwlat: ranges, what goes together, and what is refused when a run
# is to begin.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../libparams.sh"

D=$RTK_DEBUGFS/hwlat
CLOCKS=/sys/devices/system/clocksource/clocksource0
EXPECTED="cpus duration_ms warmup_ms policy priority dma_latency_us threshold_ns
threshold_series stop_on_threshold stop_tracing outlier_slots verbosity share mode window_us
width_us burst_us clock force"
SERIES=gap

need_module
need_tool python3
[ -d "$D" ] || skip_all "no debugfs"
SOURCE=$(cat $CLOCKS/current_clocksource)
LAST=$(sed 's/.*[-,]//' /sys/devices/system/cpu/online)

cleanup()
{
	echo "$SOURCE" >$CLOCKS/current_clocksource
	online 1
	set_defaults
	lib_cleanup
}
trap cleanup EXIT

# online 0|1: all CPUs but 0
online()
{
	local f

	for f in /sys/devices/system/cpu/cpu[1-9]*/online; do echo "$1" >"$f"; done
}

# A width is no longer than its window, and shorter with a real-time policy.
let_default() { try width_us 100; }
let_range()
{
	case $1 in
	width_us) try window_us 3600000000 ;;
	window_us | policy) try width_us 100 ;;
	esac
}

test_defaults()
{
	local n

	eq "netlink has the same defaults" \
		"$("$RTK" get hwlat | sed -n 's/.*; default: //p')" \
		"$(for n in "${NAMES[@]}"; do echo "${DEFAULT[$n]:-empty}"; done)"
	eq "the test's own ones" "${DEFAULT[policy]} ${DEFAULT[threshold_ns]}" "other 10000"
}

test_relations()
{
	set_defaults
	refuses width_us 1000001 'longer than window_us=1000000'
	! try window_us 949999 || PROBLEMS+="a window below its width"$'\n'
	said "a window below its width" "width_us=950000: longer than window_us=949999"
	! try policy fifo || PROBLEMS+="fifo for 95 %"$'\n'
	said "fifo for 95 %" "use policy=other, a smaller width, or force=1"
	takes force 1
	takes policy fifo
	! try force 0 || PROBLEMS+="not forced any longer"$'\n'
	takes width_us 900000
	takes force 0
	takes policy rr
	refuses width_us 900001 'takes? more than 90 %'
	takes policy other
	takes width_us 950000
	verdict "parameters that depend on each other"
}

# refuses_start WHAT ERROR WHY
refuses_start()
{
	if try enable 1; then
		PROBLEMS+="$1: it starts"$'\n'
		try enable 0
		return
	fi
	[[ $ERR = *"$2"* ]] || PROBLEMS+="$1: $ERR"$'\n'
	said "$1" "$3"
}

test_cpus()
{
	set_defaults
	try cpus "0-$LAST"
	refuses_start "all CPUs" "Invalid argument" "leave one that is online out"
	try cpus ""
	try duration_ms 50
	try enable 1 || PROBLEMS+="no CPUs named: $ERR"$'\n'
	wait_for 60 grep -q '^done ' "$D/state"
	grep -Eq " cpus=$(sed 's/^1-1$/1/' <<<"1-$LAST") " "$D/state" || PROBLEMS+="$(cat "$D/state")"$'\n'
	verdict "one CPU stays free: the lowest, if nothing is said"
	online 0
	refuses_start "one CPU" "Operation not supported" "this machine has one"
	try cpus 0
	refuses_start "one CPU that is named" "Operation not supported" "this machine has one"
	online 1
	verdict "a machine with one CPU has none to measure"
}

# auto: what clock that was
resolved()
{
	set_defaults
	"$RTK" run hwlat cpus="$LAST" --duration 100ms --json "$TMP/json" >/dev/null 2>&1
	python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["params"]["clock"])' "$TMP/json"
}

test_clock()
{
	local other

	other=$(tr ' ' '\n' <$CLOCKS/available_clocksource | grep -v '^tsc' | head -n 1)
	if [ -z "$other" ] || ! echo "$other" >$CLOCKS/current_clocksource; then
		ktap_test_skip "no clock source but the TSC"
		ktap_test_skip "no clock source but the TSC"
		return
	fi
	set_defaults
	try cpus "$LAST"
	try clock tsc
	refuses_start "clock=tsc with $other" "Operation not supported" \
		"the kernel does not tell the time with the TSC"
	verdict "the TSC is refused where the kernel does not trust it"
	eq "auto is the raw clock then, and the result says so" "$(resolved)" raw
	echo "$SOURCE" >$CLOCKS/current_clocksource
}

read_help
start $((3 + ${#NAMES[@]} + 2 + 1 + 2 + 2))
test_names
test_defaults
test_relations
test_cpus
test_clock
ktap_finished
