#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Measures for a minute how late timers and the threads that they wake are, on all CPUs,
# each 200 us at priority 80, and draws the histogram into plot.png: what the script of
# this name does with cyclictest.
# usage: scripts/histogram-plot.sh [ARGUMENT]...
# Arguments are those of rtk run hrtimer: --duration 10m, for example, or cpus=2-3.
set -euo pipefail

rtk=${RTK:-$(dirname "$(readlink -f "$0")")/../userspace/rtk}
picture=plot.png

if [ "${1-}" = --help ]; then
	sed -n '3,7s/^# //p' "$0"
	exit
fi
json=$(mktemp)
trap 'rm -f "$json"' EXIT

# The reference's settings, where no others are given.
for setting in period_ns=200us priority=80 "cpus=$(cat /sys/devices/system/cpu/online)"; do
	[[ " $* " == *" ${setting%%=*}="* ]] || set -- "$setting" "$@"
done
# A run that was stopped by Ctrl-C is drawn, too.
trap : INT
rc=0
"$rtk" run hrtimer --duration 1m "$@" --json "$json" || rc=$?
[ -s "$json" ] || exit "$rc"
[ ! -e $picture ] || echo "$picture is replaced"
"$rtk" plot "$json" --kind linear -o $picture || exit 2
echo "$picture: the histogram"
exit "$rc"
