#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Loading and unloading, and what happens to a run when a CPU or the module goes.
. "$(dirname "$0")/../lib.sh"

D=$RTK_DEBUGFS/hrtimer
CPUS=/sys/devices/system/cpu
QOS=/dev/cpu_dma_latency

need_module
need_tool rmmod modprobe od python3
[ -d "$D" ] || skip_all "no debugfs"

load() { modprobe rtk 2>/dev/null || insmod "${RTK_MODDIR:-$TOP}/rtk.ko"; }

cleanup()
{
	exec 7<&-
	[ ! -w "$CPUS/cpu1/online" ] || echo 1 >"$CPUS/cpu1/online"
	[ -d /sys/module/rtk ] || load
	echo 0 >"$D/enable"
	lib_cleanup
}
trap cleanup EXIT

set_to() { printf '%s\n' "$2" >"$D/$1"; }
running() { [ "$(cat "$D/enable")" = 1 ]; }
state_word() { sed -n "s/.* $1=\([^ ]*\).*/\1/p" "$D/state"; }

# Endless, and so slow that no busy machine makes the overload guard end it.
run_endless()
{
	set_to cpus "" && set_to duration_ms 0 && set_to warmup_ms 10 &&
		set_to period_ns 10000000 && set_to enable 1
}

family_exists()
{
	python3 - <<-'END'
		import socket, struct, sys
		name = b"rtk\0"
		s = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 16)
		attr = struct.pack("HH", 4 + len(name), 2) + name
		s.send(struct.pack("IHHIIBBH", 20 + len(attr), 16, 1, 1, 0, 3, 1, 0) + attr)
		kind = struct.unpack("IHHII", s.recv(8192)[:16])[1]
		sys.exit(kind == 2)
	END
}

# Everything by which a loaded module shows.
traces()
{
	[ ! -d /sys/module/rtk ] || echo "module"
	[ ! -d "$RTK_DEBUGFS" ] || echo "debugfs"
	! grep -qsx 'rtk/[0-9]*' /proc/[0-9]*/comm || echo "threads"
	! family_exists || echo "family"
}

in_use() { OUT=$(rmmod rtk 2>&1) && return 1; [ -d /sys/module/rtk ]; }

effective_qos() { od -An -td4 -N4 "$QOS" | tr -d ' '; }

test_load_cycles()
{
	local i bad=

	for i in 1 2 3 4 5; do
		rmmod rtk || bad+=" rmmod $i"
		load || bad+=" insmod $i"
	done
	eq "five times out and in" "$bad" ""
	eq "loaded again: all of it is there" "$(traces | tr '\n' ' ')" "module debugfs family "
	rmmod rtk
	eq "idle and unloaded: nothing is left" "$(traces)" ""
	load
	eq "loaded: no run yet" "$(cat "$D/state")" "idle generation=0"
}

# Either is right: out, with nothing left, or refused at once and untouched.
test_unload_during_run()
{
	local begin

	run_endless
	wait_for 60 grep -q 'count=[1-9]' "$D/stats"
	diag "$(cat "$D/state" "$D/last_error")"
	has "a run has its threads" "$(traces)" threads
	begin=$SECONDS
	if rmmod rtk 2>/dev/null; then
		eq "unloaded during a run: nothing is left" "$(traces)" ""
		load
	else
		ok "not unloaded during a run: it goes on" running
	fi
	cmp_num "unloading during a run is decided at once" $((SECONDS - begin)) -lt 30
	# As a run with results, and as one that was never started.
	set_to enable 0
	set_to duration_ms 50 && set_to enable 1
	wait_for 60 grep -q ^0 "$D/enable"
	ok "unloaded with results" rmmod rtk
	eq "unloaded with results: nothing is left" "$(traces)" ""
	load
	run_endless
	set_to enable 0
}

test_open_files()
{
	local f

	for f in period_ns enable stats histogram outliers state help last_error current_value; do
		exec 7<"$D/$f"
		if in_use; then
			ktap_test_pass "open file $f keeps the module"
		else
			ktap_test_fail "open file $f keeps the module"
		fi
		# It is readable still, and closing it frees the module.
		cat <&7 >/dev/null || diag "cannot read $f"
		exec 7<&-
	done
	run_endless
	exec 7<"$D/stats"
	in_use
	ok "refused to unload: the run goes on" running
	exec 7<&-
	set_to enable 0
	ok "closed: the module can go" rmmod rtk
	load
}

test_qos()
{
	local before

	[ -r "$QOS" ] || {
		for _ in 1 2 3 4; do ktap_test_skip "CPU latency limit: no $QOS"; done
		return
	}
	before=$(effective_qos)
	run_endless
	eq "CPU latency limit during a run" "$(effective_qos)" 0
	set_to enable 0
	eq "CPU latency limit after it" "$(effective_qos)" "$before"
	set_to dma_latency_us 37
	run_endless
	eq "CPU latency limit of 37 us" "$(effective_qos)" 37
	set_to enable 0
	set_to dma_latency_us -1
	run_endless
	eq "CPU latency limit left alone" "$(effective_qos)" "$before"
	set_to enable 0
	set_to dma_latency_us 0
}

HOTPLUG_TESTS=13

test_hotplug()
{
	local online=$CPUS/cpu1/online lost0 lost1 end0 i

	if [ ! -w "$online" ] || [ "$(cat "$online")" = 0 ]; then
		for ((i = 0; i < HOTPLUG_TESTS; i++)); do ktap_test_skip "CPU 1 cannot go offline"; done
		return
	fi
	set_to cpus 0-1 && set_to duration_ms 0 && set_to period_ns 5000000 && set_to enable 1
	wait_for 60 grep -q 'cpu=1 series=thread count=[1-9]' "$D/stats"
	ok "CPU 1 goes offline during a run" sh -c "echo 0 >$online"
	ok "the run goes on" running
	eq "the lost CPU is named" "$(state_word lost_cpus)" 1
	lost0=$(grep 'cpu=1' "$D/stats")
	end0=$(stat_word hrtimer 0 irq count)
	wait_for 60 sh -c "[ \$(sed -n 's/^cpu=0 series=irq count=\([0-9]*\).*/\1/p' $D/stats) -gt $((end0 + 5)) ]"
	cmp_num "the other CPU measures on" "$(stat_word hrtimer 0 irq count)" -gt $((end0 + 5))
	lost1=$(grep 'cpu=1' "$D/stats")
	eq "the lost one does not" "$lost1" "$lost0"
	has_not "no thread of it is left" "$(cat /proc/[0-9]*/comm 2>/dev/null)" '^rtk/1$'
	ok "CPU 1 comes back" sh -c "echo 1 >$online"
	sleep 0.3
	eq "and does not join again" "$(grep 'cpu=1' "$D/stats")" "$lost0"
	set_to enable 0
	eq "all ledgers balance" "$(unbalanced hrtimer moved)" ""
	# The scheduler moves the lost one's thread before the run hears of it.
	has_not "the other has nothing from a wrong CPU" "$(grep cpu=0 "$D/stats")" 'wrong_cpu=[1-9]'

	echo 0 >"$online"
	fails "no start on an offline CPU" sh -c "echo 1 >$D/enable"
	has "the reason names it" "$(cat "$D/last_error")" 'cpus=0-1: CPU 1 is offline'
	# The only CPU of a run: nothing is left to measure.
	echo 1 >"$online"
	set_to cpus 1
	set_to enable 1
	echo 0 >"$online"
	wait_for 60 grep -q ^0 "$D/enable"
	has "a run whose last CPU went" "$(cat "$D/state")" '^failed .*reason=cpu-lost .*lost_cpus=1'
	echo 1 >"$online"
	set_to cpus ""
}

start $((4 + 5 + 11 + 4 + HOTPLUG_TESTS))
test_load_cycles
test_unload_during_run
test_open_files
test_qos
test_hotplug
ktap_finished
