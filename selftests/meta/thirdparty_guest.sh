#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# What test_thirdparty.sh runs in its VMs: thirdparty_guest.sh FOLDER CLIENT
#
# FOLDER has the modules wheel.ko and refused.ko.
D=/sys/kernel/debug/rtk/wheel
client=$2
err=/tmp/err

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

# --- two tests at once: H runs on CPU 0 -------------------------------------------

H=/sys/kernel/debug/rtk/hrtimer

# wheel_on CPUS [SHARE]: starts it there
wheel_on()
{
	echo "$1" >$D/cpus
	echo "${2-0}" >$D/share
	echo 1 >$D/enable
}

# samples DIRECTORY CPU: waits for some more of the first series
samples()
{
	local i first now

	for ((i = 0; i < 300; i++)); do
		now=$(sed -n "s/^cpu=$2 series=[a-z]* count=\([0-9]*\).*/\1/p;T;q" "$1/stats")
		[ "${now:-0}" -le "${first:=${now:-0}}" ] || { echo yes; return; }
		sleep 0.1
	done
}

echo 0 >$D/duration_ms
echo 0 >$H/cpus
echo 10000000 >$H/period_ns
echo 1 >$H/enable
wheel_on 0 2>"$err"; echo "claimed: $? $(sed 's/.*: //' "$err"): $(cat $D/last_error)"
wheel_on 0-1 2>"$err"; echo "claimed in part: $? $(cat $D/last_error)"
"$client" start wheel cpus=0 2>"$err"; echo "claimed, by the client: $? $(cat "$err")"
wheel_on 1; echo "beside: $? $(samples $D 1) $(samples $H 0)"
echo 0 >$D/enable
echo "not shared: $("$client" show wheel | grep -c ' shared: ')"
wheel_on 0 1; echo "shared: $? $(samples $D 0) $(samples $H 0)"
rmmod wheel 2>/dev/null || echo "in use"
echo 0 >$D/enable
for t in wheel hrtimer; do
	echo "shared by $t: $("$client" show $t | sed -n 's/.* shared: //p')"
done
rmmod wheel && echo "unloaded beside a run"
echo "the other goes on: $(cut -d ' ' -f 1 $H/state) $(samples $H 0)"
insmod wheel.ko && echo 1 >$D/enable 2>/dev/null
echo "back beside it: $(cat $D/last_error)"
rmmod wheel
echo 0 >$H/enable
insmod wheel.ko

insmod refused.ko && rmmod refused
dmesg | sed -n 's/.*\(refused: .*\)/\1/p'

rmmod wheel && echo "unloaded"
[ -e $D ] || echo "directory is gone"
echo "listed then: $("$client" list | grep -c '^wheel')"
rmmod rtk && echo "rtk unloaded"
