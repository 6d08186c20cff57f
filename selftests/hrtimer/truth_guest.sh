#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# What test_truth.sh runs in its VMs:
# truth_guest.sh NAME:KIND[@CPU]:LENGTH_NS[:PARAM=VALUE]...
#
# For each of them one run, disturbed once on CPU, shortly before one of its grid
# points. Everything that is said about it stands below "== NAME".
set -u

D=/sys/kernel/debug/rtk/hrtimer
I=/sys/kernel/debug/rtk_inject
PERIOD_NS=1000000
# The disturbance begins so long before the grid point.
LEAD_NS=5000

fail()
{
	echo "$*: $(cat $D/last_error)" >&2
	exit 1
}

# set_all PARAM=VALUE...
set_all()
{
	local a

	for a; do
		echo "${a#*=}" >"$D/${a%%=*}" || fail "$a"
	done
}

# word LINE KEY
word()
{
	local v=${1#* "$2"=}

	echo "${v%% *}"
}

# A grid point that has passed; all CPUs have the same.
grid_point()
{
	local line

	read -r line < <(grep '^cpu=0 series=irq worst=1' $D/outliers)
	[ "$line" ] || fail "no sample"
	echo $(($(word "$line" mono_ns) - $(word "$line" value_ns)))
}

# one NAME KIND[@CPU] LENGTH [PARAM=VALUE]...
one()
{
	local name=$1 kind cpu length=$3 at

	IFS=@ read -r kind cpu <<<"$2"
	shift 3
	set_all threshold_ns=0 threshold_series= stop_on_threshold=0 period_ns=$PERIOD_NS \
		align=1 warmup_ms=1 duration_ms=400 "$@" enable=1
	sleep 0.05
	at=$(grid_point) || exit 1
	echo "kind=$kind cpu=${cpu:-0} length_ns=$length start_ns=$((at + 200 * PERIOD_NS - LEAD_NS))" \
		>$I/inject || fail "inject $kind"
	until [ "$(cat $I/log)" ]; do sleep 0.05; done
	# What was held up is served before the end of a run without one.
	sleep 0.05
	[ "$(cat $D/duration_ms)" != 0 ] || set_all enable=0
	until [ "$(cat $D/enable)" = 0 ]; do sleep 0.05; done
	echo "== $name"
	cat $D/state $D/stats $D/outliers $I/log
	"$RTK" show hrtimer --quiet
}

RTK=$(cd "$(dirname "$0")/../../userspace" && pwd)/rtk
cd /
insmod "$RTK_MODDIR/rtk_inject.ko" i_know=1 || exit 1
insmod "$RTK_MODDIR/rtk_smi.ko" i_know=1 || exit 1
for a; do
	IFS=: read -ra words <<<"$a"
	one "${words[@]}"
done
