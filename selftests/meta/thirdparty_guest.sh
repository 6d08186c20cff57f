#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# What test_thirdparty.sh runs in its VMs: thirdparty_guest.sh FOLDER CLIENT
#
# FOLDER has the modules wheel.ko and refused.ko.
D=/sys/kernel/debug/rtk/wheel
client=$2

cd "$1" || exit 1
insmod wheel.ko || exit 1
echo "registered: $(cd $D && echo *)"
echo "listed: $("$client" list | grep -c '^wheel')"

echo 20 >$D/period_ms
echo 1 >$D/period_ms && echo 0 >$D/period_ms 2>/dev/null || echo "last error: $(cat $D/last_error)"
echo 20 >$D/period_ms
echo 0 >$D/cpus
echo 0 >$D/duration_ms
echo 1 >$D/enable && echo "started"
sleep 1
rmmod wheel 2>/dev/null && echo "unloaded while running"
rmmod rtk 2>/dev/null && echo "rtk unloaded below it"
echo "meanwhile: $(cat $D/state)"
echo 0 >$D/enable
echo "stopped: $(cat $D/state)"
echo "stats: $(cat $D/stats)"

echo 300 >$D/duration_ms
echo 1 >$D/enable
for ((i = 0; i < 300; i++)); do
	[ "$(cat $D/enable)" = 1 ] || break
	sleep 0.1
done
echo "ended: $(cat $D/state)"

insmod refused.ko && rmmod refused
dmesg | sed -n 's/.*\(refused: .*\)/\1/p'

rmmod wheel && echo "unloaded"
[ -e $D ] || echo "directory is gone"
echo "listed then: $("$client" list | grep -c '^wheel')"
rmmod rtk && echo "rtk unloaded"
