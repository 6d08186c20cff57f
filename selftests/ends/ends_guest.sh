#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# What the tests of this folder run in their VMs: ends_guest.sh CASE[:ARG]...
. "$(dirname "$0")/../guest.sh"

HOGS=()

# hog CPU PRIORITY: a task that keeps a CPU, half a minute at most. Who ends it is
# not held up by it.
hog()
{
	timeout 30 taskset -c "$1" chrt -f "$2" bash -c 'while :; do :; done' &
	HOGS+=($!)
}

end_hogs()
{
	kill "${HOGS[@]}"
	wait "${HOGS[@]}"
	HOGS=()
}

# For the cases after it. Real-time tasks may keep a CPU for ever: they are neither
# throttled, nor do ordinary ones get their turn.
no_throttling()
{
	local f

	echo -1 >/proc/sys/kernel/sched_rt_runtime_us
	for f in /sys/kernel/debug/sched/fair_server/cpu*/runtime; do
		[ ! -e "$f" ] || echo 0 >"$f"
	done
}

# So slow that CPUs that wait for each other's emulation are no overload.
fresh() { set_all cpus= duration_ms=0 warmup_ms=0 period_ns=10000000 "$@"; }

# heavy:PERIOD_NS:SPIN_NS:SPINS:DURATION_MS, a test of its own
heavy()
{
	local D=$D

	D=${D%/*}/heavy
	[ -d "$D" ] || insmod "$RTK_MODDIR/rtk_heavy.ko" i_know=1 || fail "rtk_heavy.ko"
	set_all cpus=0 warmup_ms=0 period_ns="$1" spin_ns="$2" spins="$3" duration_ms="$4" enable=1
	until_true ended
	show "heavy:$1:$2:$3:$4"
}

# shortest:CPU: the shortest period
shortest()
{
	fresh cpus="$1" period_ns=10000 duration_ms=30000 enable=1
	until_true ended
	show "shortest:$1"
}

# The measuring thread of CPU 1 is never let run, although nobody else wants to:
# that is how the machine is set up, and no overload.
throttled()
{
	local before

	before=$(cat /proc/sys/kernel/sched_rt_runtime_us)
	fresh cpus=1 duration_ms=9000 enable=1
	echo 1 >/proc/sys/kernel/sched_rt_runtime_us
	until_true ended
	echo "$before" >/proc/sys/kernel/sched_rt_runtime_us
	show throttled
}

# kept:RUNTIME_US: a task that has the right to does that for long, all the time or
# for that part of each second.
kept()
{
	echo "$1" >/proc/sys/kernel/sched_rt_runtime_us
	fresh cpus=1 duration_ms=9000 enable=1
	hog 1 99
	until_true ended
	end_hogs
	show "kept:$1"
}

# How long the end of a run takes while real-time tasks keep its CPUs.
starved()
{
	local begin end

	fresh cpus=1-2 enable=1
	hog 1 99
	hog 2 99
	sleep 1
	begin=${EPOCHREALTIME/./}
	set_all enable=0
	end=${EPOCHREALTIME/./}
	show starved
	echo "stop_us=$((end - begin))"
	end_hogs
}

# A start by the client on a CPU that a real-time task keeps.
refused()
{
	local rtk status=0

	rtk=$(dirname "$0")/../../userspace/rtk
	hog 1 99
	# Until it has begun
	sleep 1
	"$rtk" run hrtimer cpus=1 --duration 1s >/tmp/refused 2>&1 || status=$?
	end_hogs
	echo "== refused"
	cat /tmp/refused "$D/state"
	echo "status=$status"
	fresh cpus=1 duration_ms=100 enable=1
	until_true ended
	show "after refused"
}

# How many timers there are. One whose handler runs just then is in no list.
armed()
{
	local n=0 i

	for i in 1 2 3 4 5; do
		n=$(grep -c hrtimer_tick /proc/timer_list)
		[ "$n" = 0 ] || break
	done
	echo "$n"
}

# Neither controller nor worker run at the deadline; this shell does.
deadline()
{
	chrt -f -p 60 $$
	fresh cpus=1 duration_ms=4000 enable=1
	hog 1 99
	hog 0 50
	sleep 0.5
	echo "== held"
	echo "armed_before=$(armed)"
	sleep 4
	echo "armed_after=$(armed)"
	cat "$D/state"
	end_hogs
	until_true ended
	show deadline
	chrt -o -p 0 $$
}

# Nobody looks after a run on the one CPU for seconds, although it is served.
unattended()
{
	chrt -f -p 60 $$
	fresh enable=1
	hog 0 50
	sleep 8
	end_hogs
	until_true ended
	show unattended
	chrt -o -p 0 $$
}

# The one CPU of a machine is kept; what throttling leaves has to be enough.
alone()
{
	fresh enable=1
	hog 0 99
	sleep 1
	set_all enable=0
	show alone
	kill -0 "${HOGS[0]}" && echo "in spite of the hog"
	end_hogs
}

# A test that takes CPUs away from everything else.
spared()
{
	echo "== spared"
	"$(dirname "$0")/../../userspace/rtk" run hwlat --duration 1s 2>&1
	echo "status=$?"
}

# Attempts to start until one is refused because of the suspend, or succeeds.
start_meanwhile()
{
	local why=

	until [[ $why = *suspend* ]]; do
		{ echo 1 >"$D/enable"; } 2>/dev/null && return
		read -r why <"$D/last_error"
	done
	echo "$why"
}

# to_sleep LEVEL STATE: as far as LEVEL of the kernel's own test, and back
to_sleep()
{
	echo "$1" >/sys/power/pm_test || fail "suspend to $1"
	echo "$2" >/sys/power/state || fail "suspend to $1"
}

# suspend_of:TEST: during a run of that test, on CPU 1
suspend_of()
{
	local D=${D%/*}/$1

	set_all cpus=1 duration_ms=0 warmup_ms=0 enable=1
	sleep 1
	to_sleep freezer freeze
	show "suspended $1"
	set_all duration_ms=500 enable=1
	until_true ended
	show "$1 after suspend"
}

# suspend:LEVEL: during a run, and a run after it. CPU 1 is kept, so that the
# run's end takes a while, in which nobody may start another.
suspend()
{
	fresh enable=1
	hog 1 99
	start_meanwhile >/tmp/refused &
	sleep 1
	to_sleep "$1" mem
	show suspended
	wait $!
	echo "refused=$(cat /tmp/refused)"
	end_hogs
	fresh duration_ms=500 enable=1
	until_true ended
	show "after suspend"
}

# During a run of the client
suspend_client()
{
	local rtk status=0

	rtk=$(dirname "$0")/../../userspace/rtk
	"$rtk" run hrtimer period_ns=10ms --duration 60s --allow emulated >/tmp/client 2>&1 &
	until_true grep -qs '^running' "$D/state"
	sleep 1
	to_sleep freezer freeze
	wait $! || status=$?
	echo "== client"
	cat /tmp/client
	echo "status=$status"
}

# This shell is never where the hogs are, but for those of CPU 0.
taskset -cp 0 $$ >/dev/null
for a; do
	IFS=: read -ra words <<<"$a"
	"${words[@]}"
done
