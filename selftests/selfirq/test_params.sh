#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The parameters of selfirq: ranges, what goes together, and what is refused when a run
# is to begin.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../libparams.sh"

D=$RTK_DEBUGFS/selfirq
EXPECTED="cpus duration_ms warmup_ms policy priority dma_latency_us threshold_ns
threshold_series stop_on_threshold stop_tracing outlier_slots verbosity share period_ns ipi from_cpu"
SERIES="timer ipi"

need_module
[ -d "$D" ] || skip_all "no debugfs"
LAST=$(sed 's/.*[-,]//' /sys/devices/system/cpu/online)
[ "$LAST" -ge 1 ] || skip_all "one CPU"
ONLINE=/sys/devices/system/cpu/cpu$LAST/online

cleanup()
{
	echo 1 >"$ONLINE"
	set_defaults
	lib_cleanup
}
trap cleanup EXIT

let_default() { try threshold_series ""; }
let_range() { :; }

test_relations()
{
	set_defaults
	takes threshold_series ipi
	! try ipi 0 || PROBLEMS+="ipi=0 goes with threshold_series=ipi"$'\n'
	said ipi threshold_series=ipi
	takes threshold_series timer
	takes ipi 0
	refuses threshold_series ipi 'does not record'
	verdict "parameters that depend on each other"
}

# refuses_start ERROR WHY PARAM=VALUE...
refuses_start()
{
	local error=$1 why=$2

	shift 2
	set_defaults
	set_all "$@"
	! try enable 1 || PROBLEMS+="$*: it starts"$'\n'
	[[ $ERR = *"$error"* ]] || PROBLEMS+="$*: $ERR"$'\n'
	said "$*" "$why"
}

test_senders()
{
	local none=${RANGE[from_cpu]##*..}

	refuses_start "No such device" "from_cpu=$none: there is no such CPU online" from_cpu="$none"
	refuses_start "Invalid argument" "from_cpu=$LAST: it is measured itself" from_cpu="$LAST"
	refuses_start "Invalid argument" "take it out of cpus=$LAST," from_cpu="$LAST" cpus="$LAST"
	echo 0 >"$ONLINE"
	refuses_start "No such device" "from_cpu=$LAST: there is no such CPU online" \
		from_cpu="$LAST" cpus=0
	echo 1 >"$ONLINE"
	verdict "senders that cannot send are refused"
	set_defaults
	set_all from_cpu=0 ipi=0 duration_ms=10 cpus=0
	try enable 1 || PROBLEMS+="$ERR"$'\n'
	wait_for 60 ended || PROBLEMS+="it does not end"$'\n'
	verdict "who sends does not matter where nothing is sent"
}

# Another test is on the CPU that sends.
test_claims()
{
	local other=$RTK_DEBUGFS/hrtimer

	echo "$LAST" >"$other/cpus"
	echo 1 >"$other/enable" || PROBLEMS+="hrtimer: $(cat "$other/last_error")"$'\n'
	refuses_start "busy" "hrtimer is running on CPUs $LAST; " from_cpu="$LAST" cpus=0
	set_all share=1 duration_ms=100
	try enable 1 || PROBLEMS+="share=1: $ERR"$'\n'
	wait_for 60 ended || PROBLEMS+="it does not end"$'\n'
	OUT=$("$RTK" show selfirq --quiet --allow emulated; "$RTK" show hrtimer --quiet --allow emulated)
	[ "$(grep -c 'shared' <<<"$OUT")" = 2 ] || PROBLEMS+="$OUT"$'\n'
	echo 0 >"$other/enable"
	echo >"$other/cpus"
	verdict "a sender that another test measures is refused, or shared"
}

read_help
start $((3 + ${#NAMES[@]} + 1 + 3))
test_names
test_relations
test_senders
test_claims
ktap_finished
