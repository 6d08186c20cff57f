#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Runs of selfirq: that they count right, that the interrupts of series ipi are ones of
# another CPU, and what becomes of a run whose CPUs go.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../libparams.sh"

D=$RTK_DEBUGFS/selfirq
T=/sys/kernel/tracing

need_module
need_tool rmmod
[ -d "$D" ] || skip_all "no debugfs"
LAST=$(sed 's/.*[-,]//' /sys/devices/system/cpu/online)
[ "$LAST" -ge 1 ] || skip_all "one CPU"
ONLINE=/sys/devices/system/cpu/cpu$LAST/online

cleanup()
{
	[ ! -e $T/events/csd/enable ] || echo 0 >$T/events/csd/enable
	echo 1 >"$ONLINE"
	set_defaults
	lib_cleanup
}
trap cleanup EXIT

let_default() { try threshold_series ""; }

# So slow that no stall of a busy machine is an overload.
fresh()
{
	set_defaults
	set_all cpus=0 warmup_ms=0 period_ns=5000000 "$@"
}

# word SERIES KEY [CPU]: of the stats
word() { stat_word selfirq "${3-0}" "$1" "$2"; }
grown() { [ "$(word "$1" "$2")" -ge "$3" ]; }
# grows SERIES KEY: by some, from now on
grows() { wait_for 60 grown "$1" "$2" $(($(word "$1" "$2") + 5)); }

# lanes: "cpu/series" of those with samples
lanes() { sed -n 's/^cpu=\([0-9]*\) series=\([a-z]*\) count=[1-9].*/\1\/\2/p' "$D/stats" | xargs; }

test_counts()
{
	local c all=

	# A grid begins within 5 s, or there is no run.
	run duration_ms=1000 warmup_ms=6000
	eq "both series are recorded" "$(lanes)" "0/timer 0/ipi"
	eq "expected is duration through period" \
		"$(grep -o 'expected=.* delivered' "$D/stats" | sort -u)" "expected=200 delivered"
	eq "the ledgers balance" "$(unbalanced selfirq)" ""
	run duration_ms=1000 ipi=0
	eq "ipi=0: the timer alone" "$(lanes)" "0/timer"
	run duration_ms=1000 cpus="0-$LAST"
	for ((c = 0; c <= LAST; c++)); do all+=" $c/timer $c/ipi"; done
	eq "all CPUs are interrupted by another one" " $(lanes)" "$all"
	eq "... their ledgers balance" "$(unbalanced selfirq)" ""
}

# calls: function call interrupts that CPU 0 got, as the kernel counts them
calls() { awk '$1 == "CAL:" { print $2 }' /proc/interrupts; }

test_interrupts()
{
	local before n

	fresh duration_ms=2000 from_cpu="$LAST" threshold_ns=1 outlier_slots=2000
	before=$(calls)
	set_all enable=1
	wait_for 60 ended
	n=$(word ipi count)
	# Two calls that come together share one.
	cmp_num "the kernel has counted an interrupt for each sample" \
		$(($(calls) - before)) -ge $((n * 9 / 10))
	has "what was interrupted is the thread that waits for it" "$(cat "$D/outliers")" \
		'series=ipi .*comm=rtk/0'
}

# traced REGEX FLAGS CPU: events so seen; FLAGS is a glob of irqs-off, resched, hardirq
traced()
{
	awk -v what="$1" -v flags="$2" -v cpu="[$(printf %03d "$3")]" '
		$0 ~ what {
			for (i = 2; i < 6; i++)
				if ($i == cpu && $(i + 1) ~ flags) n++
		}
		END { print n + 0 }' $T/trace
}

# Each call as the kernel traces it: sent where, called where and how.
test_traced()
{
	if [ ! -d $T/events/csd ]; then
		for _ in 1 2 3 4; do ktap_test_skip "this kernel does not trace calls"; done
		return
	fi
	echo >$T/trace
	echo 1 >$T/events/csd/enable
	echo 1 >$T/tracing_on
	run duration_ms=1000 from_cpu="$LAST"
	echo 0 >$T/events/csd/enable
	eq "they are sent by the CPU that is to" \
		"$(grep -c 'csd_queue_cpu: cpu=0 .*func=selfirq_ipi' $T/trace)" \
		"$(traced 'csd_queue_cpu: cpu=0 .*func=selfirq_ipi' . "$LAST")"
	cmp_num "... one for each sample" "$(word ipi count)" -gt 0
	eq "those that were interrupts are samples" \
		"$(traced 'csd_function_entry: .*func=selfirq_ipi' '^..[hH]' 0)" "$(word ipi count)"
	eq "those that were none are counted" \
		"$(traced 'csd_function_entry: .*func=selfirq_ipi' '^..[^hH]' 0)" \
		"$(word timer ipi_polled)"
}

test_sender_goes()
{
	local n

	fresh from_cpu="$LAST"
	set_all enable=1
	ok "the sender sends" grows ipi count
	echo 0 >"$ONLINE"
	ok "without it that is counted" grows timer ipi_offline
	n=$(word ipi count)
	ok "... the timer goes on" grows timer count
	eq "... and nobody else sends" "$(word ipi count)" "$n"
	echo 1 >"$ONLINE"
	ok "back it sends again" grows ipi count
	set_all enable=0
	cmp_num "what was not sent is missed" "$(word ipi missed)" -ge 5
	eq "the ledgers balance" "$(unbalanced selfirq)" ""
}

test_measured_goes()
{
	fresh cpus="$LAST"
	set_all enable=1
	wait_for 60 grep -q 'series=ipi count=[1-9]' "$D/stats"
	echo 0 >"$ONLINE"
	ok "the run ends with its only CPU" wait_for 60 ended
	has "... and says so" "$(state)" "^failed .*reason=cpu-lost .*lost_cpus=$LAST"
	eq "... its ledgers balance" "$(unbalanced selfirq)" ""
	echo 1 >"$ONLINE"
	fresh cpus="0-$LAST"
	set_all enable=1
	for _ in 1 2 3 4 5; do
		echo 0 >"$ONLINE"
		echo 1 >"$ONLINE"
	done
	ok "one of several goes, which is also a sender: the rest goes on" grows timer count
	set_all enable=0
	eq "... the ledgers balance" "$(unbalanced selfirq)" ""
}

# However it hits what is on its way.
test_ends()
{
	local i bad='' begin=$SECONDS

	for ((i = 0; i < 20; i++)); do
		fresh cpus="0-$LAST" period_ns=500000
		set_all enable=1
		sleep "0.0$((i % 5))"
		set_all enable=0
		bad+=$(unbalanced selfirq)
	done
	eq "stopped twenty times: the ledgers balance" "$bad" ""
	bad=
	for ((i = 0; i < 5; i++)); do
		fresh cpus="0-$LAST" period_ns=500000
		set_all enable=1
		sleep "0.0$i"
		rmmod rtk || bad+="$i: not unloaded"
		modprobe rtk 2>/dev/null || insmod "${RTK_MODDIR:-$TOP}/rtk.ko"
	done
	eq "unloaded five times during a run" "$bad" ""
	cmp_num "... and nothing of it took long" $((SECONDS - begin)) -lt 120
}

read_help
start $((6 + 2 + 4 + 7 + 5 + 3))
test_counts
test_interrupts
test_traced
test_sender_goes
test_measured_goes
test_ends
ktap_finished
