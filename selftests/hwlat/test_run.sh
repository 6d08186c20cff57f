#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Runs of hwlat: what they say of themselves, and what happens to them.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../libparams.sh"

D=$RTK_DEBUGFS/hwlat
H=$RTK_DEBUGFS/hrtimer

need_module
need_tool python3 rmmod
[ -d "$D" ] || skip_all "no debugfs"
LAST=$(sed 's/.*[-,]//' /sys/devices/system/cpu/online)
[ "$LAST" -ge 1 ] || skip_all "one CPU"
ONLINE=/sys/devices/system/cpu/cpu$LAST/online
MEASURED=$(seq -s, 1 "$LAST")

cleanup()
{
	echo 1 >"$ONLINE"
	set_defaults
	echo 0 >"$H/enable"
	echo 250000 >"$H/period_ns"
	echo >"$H/cpus"
	echo 0 >"$H/share"
	lib_cleanup
}
trap cleanup EXIT

let_default() { try width_us 100; }

fresh()
{
	set_defaults
	set_all width_us=19000 window_us=20000 duration_ms=300 warmup_ms=10 "$@"
}

# agrees TEXT CLOCK CPUS: the last run with itself
agrees()
{
	cp "$D/stats" "$TMP/stats"
	"$RTK" show hwlat --quiet --json "$TMP/json" >"$TMP/show" 2>&1 ||
		[ -s "$TMP/json" ] || diag "$(cat "$TMP/show")"
	eq "$1" "$(python3 -B "$TEST_DIR/sums.py" "$TMP/json" "$TMP/stats" "$2" "$3" 2>&1)" ""
}

test_sums()
{
	local burst

	run
	agrees "as it is: sums" "$CLOCK" "$MEASURED"
	run clock=raw
	agrees "the raw clock: sums" raw "$MEASURED"
	for burst in 100 1000 20000; do
		run burst_us=$burst
		agrees "bursts of $burst us: sums" "$CLOCK" "$MEASURED"
	done
	run width_us=20000
	agrees "all of the time: sums" "$CLOCK" "$MEASURED"
	run cpus=0 width_us=100 window_us=100 force=1 policy=fifo
	agrees "a policy that is forced: sums" "$CLOCK" 0
	run threshold_ns=60
	agrees "a threshold in ns: sums" "$CLOCK" "$MEASURED"
	run threshold_ns=1 outlier_slots=4096
	agrees "each gap an outlier: sums" "$CLOCK" "$MEASURED"
}

# words KEY: of the outliers
words() { sed -n "s/.* $1=\([0-9]*\).*/\1/p" "$D/outliers" | sort -nu | xargs; }

# How many measure at a time is exact only where instructions are counted.
test_modes()
{
	run mode=roundrobin duration_ms=600
	agrees "in turn: sums" "$CLOCK" "$MEASURED"
	run mode=parallel threshold_ns=1 duration_ms=600
	cmp_num "at once: no more than there are" "$(words watching | awk '{ print $NF }')" -le "$LAST"
}

test_outliers()
{
	run threshold_ns=1 cpus="$LAST" outlier_slots=64
	eq "outliers: the ring keeps what it has room for" "$(grep -c ' worst=0 ' "$D/outliers")" 64
	eq "outliers: each says max of inner and outer at least" \
		"$(awk '{ for (i in v) delete v[i]
			for (i = 1; i <= NF; i++) { split($i, w, "="); v[w[1]] = w[2] + 0 }
			if (v["value_ns"] != v["inner_ns"] && v["value_ns"] != v["outer_ns"]) print }' \
			"$D/outliers")" ""
	fresh threshold_ns=1 stop_on_threshold=1 duration_ms=0
	set_all enable=1
	ok "stop_on_threshold: it ends" wait_for 60 ended
	has "stop_on_threshold: the reason" "$(state)" '^done .*reason=threshold'
	stops_tracing
}

# full PARAM=VALUE...: a run that takes its CPUs wholly
full()
{
	fresh duration_ms=0 width_us=20000 burst_us=20000 "$@"
	set_all enable=1
	wait_for 60 grep -Eq 'covered_ns=[1-9]' "$D/stats" || diag "measures nothing: $(state)"
}

# quickly TEXT COMMAND [ARG]...: within twenty seconds
quickly()
{
	local text=$1 begin=$SECONDS

	shift
	ok "$text" "$@"
	cmp_num "$text: in time" $((SECONDS - begin)) -lt 20
}

test_ends()
{
	full
	quickly "the shell is usable beside it" sh -c 'for i in 1 2 3 4 5; do sleep 0.1; done'
	quickly "it is stopped by debugfs" sh -c "echo 0 >$D/enable"
	has "... and done" "$(state)" '^done .* reason=stopped '
	full
	quickly "it is stopped by netlink" "$RTK" stop hwlat
	has "... and done, too" "$(state)" '^done .* reason=stopped '
	full
	quickly "the module is unloaded" rmmod rtk
	modprobe rtk 2>/dev/null || insmod "${RTK_MODDIR:-$TOP}/rtk.ko"
	ok "... and can be loaded again" grep -q '^idle' "$D/state"
}

# The last CPU goes away: it is lost, the others go on.
test_offline()
{
	local lane

	full
	quickly "a CPU goes offline" sh -c "echo 0 >$ONLINE"
	lane=$(grep "^cpu=$LAST " "$D/stats")
	if [ "$LAST" -gt 1 ]; then
		has "the run goes on" "$(state)" '^running '
		sleep 0.2
	else
		has "the run has lost its only CPU" "$(state)" '^failed .* lost_cpus=1$'
	fi
	eq "what it measured is final" "$(grep "^cpu=$LAST " "$D/stats")" "$lane"
	set_all enable=0
	has "it is said to be lost" "$(state)" " lost_cpus=$LAST$"
	echo 1 >"$ONLINE"
	run
	has "with the CPU back it is measured again" "$(state)" '^done .* reason=duration .* lost_cpus=$'
}

test_beside()
{
	full
	echo 10000000 >"$H/period_ns"
	echo "$LAST" >"$H/cpus"
	fails "another test on its CPU is refused" sh -c "echo 1 >$H/enable"
	has "... since it is taken" "$(cat "$H/last_error")" 'hwlat is running on CPUs'
	set_all enable=0
	echo 1 >"$H/share"
	full share=1
	ok "with share=1 it is not" sh -c "echo 1 >$H/enable"
	echo 0 >"$H/enable"
	set_all enable=0
	echo 0 >"$H/share"
	run mode=roundrobin
	has "the mode changes from run to run" "$(state)" '^done .* reason=duration '
}

read_help
start $((9 + 2 + 5 + 10 + 7 + 4))
# What auto is.
CLOCK=$(grep -q '^tsc' /sys/devices/system/clocksource/clocksource0/current_clocksource &&
	echo tsc || echo raw)
test_sums
test_modes
test_outliers
test_ends
test_offline
test_beside
ktap_finished
