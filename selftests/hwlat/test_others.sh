#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# What others need while hwlat takes its CPUs the whole time: that RCU gets on, and
# CPUs go offline or are kept from it.
. "$(dirname "$0")/../lib.sh"

D=$RTK_DEBUGFS/hwlat
TRACER=/sys/kernel/tracing/instances/rtk-test
CPUS=/sys/devices/system/cpu
DEADLINES=()

need_module
need_tool chrt rmdir
[ -d "$D" ] || skip_all "no debugfs"
LAST=$(sed 's/.*[-,]//' $CPUS/online)
[ "$LAST" -ge 1 ] || skip_all "one CPU"

cleanup()
{
	local c

	[ ${#DEADLINES[@]} = 0 ] || kill "${DEADLINES[@]}"
	for c in "$CPUS"/cpu*/online; do echo 1 >"$c"; done
	echo 0 >"$D/enable"
	echo >"$D/cpus"
	echo 950000 >"$D/width_us"
	echo 5000 >"$D/burst_us"
	echo 0 >"$D/duration_ms"
	[ ! -d $TRACER ] || rmdir $TRACER
	lib_cleanup
}
trap cleanup EXIT

# whole CPUS: measures them for five minutes and more than anybody waits for, always
whole()
{
	echo "$1" >"$D/cpus"
	echo 1000000 >"$D/width_us"
	echo 20000 >"$D/burst_us"
	echo 300000 >"$D/duration_ms"
	echo 1 >"$D/enable" || diag "$(cat "$D/last_error")"
	wait_for 60 measures "${1##*[-,]}"
}

measures() { [ "$(stat_word hwlat "$1" gap covered_ns)" -gt 0 ]; }
state() { cat "$D/state"; }
running() { [[ $(state) = running* ]]; }
lost() { [[ $(state) = failed*reason=cpu-lost* ]]; }

# A tracer of functions of its own is freed when no task can be inside it any more.
test_rcu()
{
	if ! grep -qw function /sys/kernel/tracing/available_tracers; then
		for _ in 1 2; do ktap_test_skip "no tracer of functions"; done
		return
	fi
	whole "1-$LAST"
	mkdir $TRACER
	echo hrtimer_nanosleep >$TRACER/set_ftrace_filter
	echo function >$TRACER/current_tracer
	ok "a tracer ends" sh -c "echo nop >$TRACER/current_tracer"
	ok "... during the run" running
	rmdir $TRACER
	echo 0 >"$D/enable"
}

# Whether or not the scheduler moves the worker before it finds that the CPU must stay,
# a run whose CPU is measured no longer does not say that it ended as planned.
test_refused_offline()
{
	local i

	# 90 % of each CPU are promised: none can go.
	for ((i = 0; i <= LAST; i++)); do
		chrt -d --sched-runtime 90000000 --sched-deadline 100000000 \
			--sched-period 100000000 0 sleep 600 &
		DEADLINES+=($!)
	done
	sleep 1
	whole "$LAST"
	fails "a CPU is kept from going" sh -c "echo 0 >$CPUS/cpu$LAST/online" 2>/dev/null
	sleep 1
	ok "the run goes on, or says that it has lost it" sh -c \
		"grep -q '^running\|^failed .*reason=cpu-lost .*lost_cpus=$LAST' $D/state"
	diag "$(state)"
	echo 0 >"$D/enable"
	kill "${DEADLINES[@]}"
	wait "${DEADLINES[@]}" 2>/dev/null
	DEADLINES=()
}

# All but one are measured, and that one goes.
test_last_free()
{
	local i

	# CPU 1 is to be the free one.
	for ((i = 2; i < LAST; i++)); do echo 0 >$CPUS/cpu$i/online; done
	whole "0$([ "$LAST" = 1 ] || echo ",$LAST")"
	echo 0 >$CPUS/cpu1/online
	ok "when the last free CPU goes, the run ends" wait_for 60 lost
	has "... and says why; it has lost none" "$(state)" \
		' lost_cpus= cause=CPU 1, the last that was left free, went offline$'
	diag "$(state)"
	echo 1 >$CPUS/cpu1/online
}

start 6
test_rcu
test_refused_offline
test_last_free
ktap_finished
