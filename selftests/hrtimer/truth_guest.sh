#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# What test_truth.sh runs in its VMs:
# truth_guest.sh NAME:KIND[@CPU[@TIMES]]:LENGTH_NS[:PARAM=VALUE]...
# and in those of test_worst.sh: truth_guest.sh client:NAME:KIND@CPU:LENGTH_NS:SERIES...
#
# For each of them one run, disturbed on CPU once or so many times, shortly before one
# of its grid points; with user=1 a run of the client's. Everything that is said about
# it stands below "== NAME".
. "$(dirname "$0")/../guest.sh"

RTK=$(cd "$(dirname "$0")/../../userspace" && pwd)/rtk
PERIOD_NS=1000000
# The disturbance begins so long before the grid point.
LEAD_NS=5000
# From one to the next
DISTANCE_NS=40000000
# Ticks are at the multiples of 4 ms, that is, of so many periods, or all are at
# those of the period.
TICK=4

# The line of a sample; none while it warms up.
sample() { grep -m 1 '^cpu=[0-9]* series=irq worst=1' $D/outliers; }

# A grid point that has passed; all CPUs have the same.
grid_point()
{
	local line

	until_true sample >/dev/null
	line=$(sample)
	echo $(($(word "$line" mono_ns) - $(word "$line" value_ns)))
}

# request GRID_POINT KIND CPU LENGTH TIMES: some time ahead, and in the middle between
# two ticks: how many a disturbance meets depends on its length alone. Refused if a
# busy host has let that time pass.
request()
{
	local at now

	read -r now _ </proc/uptime
	now=${now/./}0000000
	at=$(($1 + (now - $1) / PERIOD_NS * PERIOD_NS))
	at=$((at + (200 + TICK - (at / PERIOD_NS + TICK / 2) % TICK) * PERIOD_NS))
	echo "kind=$2 cpu=$3 length_ns=$4 start_ns=$((at - LEAD_NS)) count=$5 \
		period_ns=$DISTANCE_NS" >$I/inject
}

# disturb KIND CPU LENGTH [TIMES]: and waits until it is over.
disturb()
{
	local grid times=${4:-1}

	sleep 0.05
	grid=$(grid_point) || exit 1
	until_true request "$grid" "$1" "$2" "$3" "$times"
	until_true happened "$times"
}

overload() { grep -q 'reason=overload' $D/state; }

# one NAME KIND[@CPU] LENGTH [PARAM=VALUE]...; again where a host is so busy that it leaves
# the machine too little for the run.
one()
{
	for _ in 1 2 3; do
		attempt "${@:2}"
		overload || break
	done
	show "$1"
	cat $I/log
	"$RTK" show hrtimer --quiet
}

# attempt KIND[@CPU] LENGTH [PARAM=VALUE]...
attempt()
{
	local kind cpu times length=$2

	IFS=@ read -r kind cpu times <<<"$1"
	shift 2
	set_all threshold_ns=0 threshold_series= stop_on_threshold=0 period_ns=$PERIOD_NS \
		align=1 user=0 warmup_ms=1 duration_ms=400 "$@"
	if [ "$(cat $D/user)" = 1 ]; then
		"$RTK" run hrtimer --duration 400ms >/dev/null &
		until_true grep -q ^running $D/state
	else
		set_all enable=1
	fi
	disturb "$kind" "${cpu:-0}" "$length" "${times:-1}"
	# What was held up is served before the end of a run without one.
	sleep 0.05
	[ "$(cat $D/duration_ms)" != 0 ] || set_all enable=0
	until_true ended
	wait
}

# client NAME KIND@CPU LENGTH SERIES: a run of the client's, with its monitor
# beside it, and with a program to interrupt.
client()
{
	local name=$1 kind cpu status=0 victim monitor up now

	IFS=@ read -r kind cpu <<<"$2"
	taskset -c "$cpu" /tmp/victim -c 'while :; do :; done' &
	victim=$!
	"$RTK" monitor hrtimer >/tmp/monitor 2>&1 &
	monitor=$!
	sleep 0.5
	"$RTK" run hrtimer cpus="$cpu" --duration 1s --fail-above 500us threshold_series="$4" align=1 \
		period_ns=$PERIOD_NS warmup_ms=1 --allow emulated --json /tmp/json >/tmp/client 2>&1 &
	until_true grep -q ^running $D/state
	disturb "$kind" "$cpu" "$3"
	wait $! || status=$?
	read -r up _ </proc/uptime
	now=${EPOCHREALTIME/./}000
	up=${up/./}0000000
	kill $victim $monitor
	echo "== $name"
	cat /tmp/client $I/log
	echo "status=$status victim=$victim wall_ns=$((now - up))"
	echo "== $name monitor"
	cat /tmp/monitor
	echo "== $name json"
	cat /tmp/json
}

cd /
insmod "$RTK_MODDIR/rtk_inject.ko" i_know=1 || exit 1
[[ "$*" != *:smi[@:]* ]] || insmod "$RTK_MODDIR/rtk_smi.ko" i_know=1 || exit 1
cp /bin/bash /tmp/victim
for a; do
	IFS=: read -ra words <<<"$a"
	case ${words[0]} in
	client) "${words[@]}" ;;
	*) one "${words[@]}" ;;
	esac
done
