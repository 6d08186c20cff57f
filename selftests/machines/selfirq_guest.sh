#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# What test_selfirq.sh runs in its VMs: selfirq_guest.sh CASE...
. "$(dirname "$0")/../guest.sh"

D=${D%/*}/selfirq
T=/sys/kernel/tracing

calls() { awk '$1 == "CAL:" { print $2 }' /proc/interrupts; }

# A run by the client.
client()
{
	local before

	before=$(calls)
	"$(dirname "$0")/../../userspace/rtk" run selfirq cpus=0 --duration 1s \
		--allow emulated 2>&1
	echo "status=$?"
	echo "calls=$(($(calls) - before))"
	cat "$D/stats"
}

# Stopped while the CPU that sends lets interrupts in only now and then.
held()
{
	local up time

	insmod "$RTK_MODDIR/rtk_inject.ko" i_know=1
	set_all cpus=0 from_cpu=1 duration_ms=0
	read -r up _ </proc/uptime
	echo "kind=irqoff cpu=1 length_ns=100000000 start_ns=$((${up/./} * 10000000 + 100000000))" \
		"period_ns=200000000 count=30" >$I/inject
	echo 1 >$T/events/csd/enable
	for time in 0.2 0.23 0.26 0.29 0.32; do
		echo started >$T/trace_marker
		set_all enable=1
		sleep $time
		set_all enable=0
		echo stopped >$T/trace_marker
		sleep 0.2
		grep -o 'ipi_busy=.*' "$D/stats"
	done
	echo 0 >$T/events/csd/enable
	awk '/: started$/ { runs++; on = 1 }
		/: stopped$/ { on = 0 }
		/csd_function_entry: func=selfirq/ { if (on) calls++; else late++ }
		END { print "runs=" runs, "calls=" calls, "late=" late + 0 }' $T/trace
	show stopped
	rmmod rtk_inject
}

# Six CPUs are measured: one has too much to do with that, two have not.
many()
{
	set_all cpus=0-5 from_cpu=7 period_ns=50000
	(echo 1 >"$D/enable") 2>/dev/null || echo "refused: $(cat "$D/last_error")"
	set_all from_cpu=-1 period_ns=1000000 duration_ms=300 enable=1
	sleep 3
	cat "$D/state" "$D/stats"
}

# This shell is never where interrupts are off.
taskset -cp 0 $$ >/dev/null
for a; do "$a"; done
