#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# What test_icount.sh runs in its VMs: icount_guest.sh ours|peers
#
# ours: a run by debugfs with all that it says. peers: that, and the same period
# by the timerlat tracer and by cyclictest.
set -u

D=/sys/kernel/debug/rtk/hrtimer
T=/sys/kernel/tracing
PERIOD_NS=1000000

ours()
{
	cd "$D" || exit 1
	echo "$PERIOD_NS" >period_ns
	echo 2000 >duration_ms
	echo 1 >enable || exit 1
	# Nothing else runs meanwhile.
	sleep 2.3
	cat state stats histogram outliers last_error
}

# As "timerlat SERIES VALUE_NS". 2 s at 1 kHz fit into the trace buffer.
timerlat()
{
	cd "$T" || exit 1
	echo 0 >tracing_on
	echo 4096 >buffer_size_kb
	echo $((PERIOD_NS / 1000)) >osnoise/timerlat_period_us
	echo timerlat >current_tracer || exit 1
	echo 1 >tracing_on
	sleep 2
	echo 0 >tracing_on
	grep overrun per_cpu/cpu0/stats
	sed -n 's/.*context *\([a-z]*\) timer_latency *\([0-9]*\) ns.*/timerlat \1 \2/p' trace
	echo nop >current_tracer
}

# As "cyclictest VALUE_NS COUNT". What is above 200 us is counted by it.
cyclic()
{
	cyclictest -q -m -p 95 -a 0 -t 1 -i $((PERIOD_NS / 1000)) -l 2000 -N -h 200000 \
		>/dev/shm/cyclictest || exit 1
	awk '/^[0-9]/ && $2 > 0 { print "cyclictest", $1 + 0, $2 + 0 }
	     /^# (Total|Histogram Overflows)/' /dev/shm/cyclictest
}

case $1 in
ours) ours ;;
peers)
	echo "== ours"
	ours
	echo "== timerlat"
	(timerlat)
	echo "== cyclictest"
	cyclic
	;;
esac
