#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# What test_clock.sh runs in its VM.
D=/sys/kernel/debug/rtk/hrtimer

echo "clock source: $(cat /sys/devices/system/clocksource/clocksource0/current_clocksource)"
why=$("$(dirname "$0")/../../userspace/rtk" run hwlat cpus=0 --duration 1s --quiet 2>&1)
echo "status $?: $why"
echo 100000000 >$D/period_ns
echo 1 >$D/enable
sleep 1
echo 0 >$D/enable
echo "hrtimer: $(cat $D/state)"
