#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# What the tests of this folder run in their VMs: gaps_guest.sh CASE[:ARG]...
#
# A CPU that is measured has interrupts off, so disturbances come from the last one,
# where this shell is, too.
. "$(dirname "$0")/../guest.sh"

RTK=/sys/kernel/debug/rtk
D=$RTK/hwlat
I=/sys/kernel/debug/rtk_inject
T=/sys/kernel/tracing

# pause SECONDS: no process, which would be a disturbance of its own
pause() { read -r -t "$1" -u "$NEVER"; }

# inject WORD...
inject() { echo "$* from=$LAST" >$I/inject || fail "inject $*"; }

# begin PARAM=VALUE...: a run on CPU 0, if nothing else is said.
begin()
{
	set_all enable=0 width_us=100 window_us=250000 width_us=250000 burst_us=20000 cpus=0 \
		mode=parallel duration_ms=250 warmup_ms=10 threshold_ns=100000 "$@" enable=1
}

# port NUMBER BYTE...: as printf's escapes
port()
{
	local number=$1 byte

	shift
	for byte; do
		printf %b "$byte" | dd of=/dev/port bs=1 seek=$((number)) conv=notrunc status=none
	done
}

# Virtual CPUs that count instructions take turns, which any timer of the machine
# ends. The old one (PIT) here has nothing else to do: every 100 us. So the last CPU
# gets its turn in time, and not when a burst on CPU 0 has ended.
turns()
{
	port 0x43 '\x34'
	port 0x40 '\x77' '\x00'
}

# run NAME [PARAM=VALUE]...: nobody disturbs it.
run()
{
	local name=$1

	shift
	begin "$@"
	until pause 0.3; ended; do :; done
	show "$name"
}

# disturbed NAME KIND COUNT LENGTH PERIOD [PARAM=VALUE]...: what comes between two bursts,
# as one in some hundred does, is counted, but is in no gap. Then once more, at another
# moment.
disturbed()
{
	local name=$1 kind=$2 count=$3 length=$4 period=$5

	shift 5
	for _ in 1 2 3; do
		begin "$@"
		pause 0.05
		inject "kind=$kind cpu=0 count=$count length_ns=$length period_ns=$period"
		until pause 0.3; ended; do :; done
		[ "$(grep -c " worst=0 .* $kind=[1-9]" $D/outliers)" -lt "$count" ] || break
	done
	show "$name"
	cat $I/log
}

# lasting [PARAM=VALUE]...: a run that stop NAME ends. However slow the host is, what
# is to happen in it does.
lasting()
{
	begin duration_ms=0 "$@"
	until_true grep -Eq 'covered_ns=[1-9]' $D/stats
}

stop()
{
	set_all enable=0
	show "$1"
}

# broadcast COUNT LENGTH PERIOD: SMIs for both CPUs that are measured. What a busy host
# takes from them may be much more to tell.
broadcast()
{
	lasting cpus=0-1 threshold_ns="$2" outlier_slots=4096
	inject "kind=smi cpu=0 count=$1 length_ns=$2 period_ns=$3"
	until_true happened "$1"
	stop broadcast | grep -v ' smi=0 '
}

# others NAME LENGTH: interrupts off on the last CPU
others()
{
	lasting
	echo "kind=irqoff cpu=$LAST length_ns=$2" >$I/inject || fail "inject"
	until_true happened 1
	stop "$1"
}

# told N: the host has sent more NMIs than that.
told() { [ "$(awk '$1 == "NMI:" { print $2 }' /proc/interrupts)" -gt "$1" ]; }

# held NAME N: the host does something to the whole machine meanwhile. It ends with
# an NMI, before which there were N.
held()
{
	lasting
	echo "ready for $1"
	until_true told "$2"
	stop "$1"
}

# recipe SECONDS: the usual way to look for SMIs, on all CPUs but one. The kernel
# complains of CPUs that nobody gets for half of its usual time. Outliers are many.
recipe()
{
	echo 5 >/proc/sys/kernel/watchdog_thresh
	echo 10 >/sys/module/rcupdate/parameters/rcu_cpu_stall_timeout
	begin cpus=0-$((LAST - 1)) window_us=1000000 width_us=950000 burst_us=5000 \
		threshold_ns=1000 duration_ms="${1}000"
	until pause 1; ended; do :; done
	show recipe | grep -v ' worst='
}

histogram()
{
	echo "== histogram"
	cat $D/histogram
}

# tracer COUNT LENGTH PERIOD: the kernel's, under the same as disturbed
tracer()
{
	echo 0 >$T/tracing_on
	echo 1 >$T/tracing_cpumask
	echo hwlat >$T/current_tracer
	echo none >$T/hwlat_detector/mode
	echo 100 >$T/hwlat_detector/width
	echo 250000 >$T/hwlat_detector/window
	echo 240000 >$T/hwlat_detector/width
	echo $(($2 / 2000)) >$T/tracing_thresh
	echo 1 >$T/tracing_on
	pause 0.05
	inject "kind=smi cpu=0 count=$1 length_ns=$2 period_ns=$3"
	pause 0.5
	echo 0 >$T/tracing_on
	echo "== tracer"
	grep -v '^#' $T/trace
	echo nop >$T/current_tracer
}

mkfifo /tmp/never
exec {NEVER}<>/tmp/never
LAST=$(($(nproc) - 1))
taskset -cp "$LAST" $$ >/dev/null
insmod "$RTK_MODDIR/rtk_inject.ko" i_know=1 || exit 1
insmod "$RTK_MODDIR/rtk_smi.ko" i_know=1 broadcast=1 || exit 1
for a; do
	IFS=: read -ra words <<<"$a"
	"${words[@]}"
done
