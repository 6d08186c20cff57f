#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# What test_ledger.sh runs in its VM: ledger_guest.sh FOLDER CLIENT WAY...
#
# For each way, with the modules in FOLDER/WAY: a run, the timer of which is held
# up for some periods.
for way in "${@:3}"; do
	insmod "$1/$way/rtk.ko" || exit 1
	insmod "$1/$way/rtk_inject.ko" i_know=1 || exit 1
	echo "== $way"
	read -r up _ </proc/uptime
	echo "kind=irqoff cpu=0 length_ns=5500000 start_ns=$((${up/./} * 10000000 + 800000000))" \
		>/sys/kernel/debug/rtk_inject/inject
	"$2" run hrtimer period_ns=1ms --duration 1s --allow emulated 2>&1
	echo "status $?"
	grep missed= /sys/kernel/debug/rtk/hrtimer/stats
	rmmod rtk_inject rtk
done
