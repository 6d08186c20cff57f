#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# What test_inject.sh runs in its VMs: inject_guest.sh q35|other
I=/sys/kernel/debug/rtk_inject

# load MODULE [ARG]...
load() { insmod "$RTK_MODDIR/$1.ko" "${@:2}" 2>/dev/null && echo loaded || echo refused; }
unload() { rmmod "$1" 2>/dev/null && echo unloaded || echo refused; }
inject() { { echo "$@" >$I/inject; } 2>/dev/null && echo taken || echo refused; }
# The bit of TAINT_TEST.
tainted() { echo $(($(cat /proc/sys/kernel/tainted) >> 18 & 1)); }

# What the boot CPU executes at an SMI: seen while SMRAM is open.
handler()
{
	setpci -s 0:0.0 9d.b=4a
	dd if=/dev/mem bs=32 skip=$((0xa8000 / 32)) count=1 2>/dev/null | od -tx1
	setpci -s 0:0.0 9d.b=0a
}

q35()
{
	local before

	echo "inject without i_know: $(load rtk_inject), tainted $(tainted)"
	echo "inject: $(load rtk_inject i_know=1), tainted $(tainted)"
	echo "smi without i_know: $(load rtk_smi)"
	echo "kind without its module: $(inject kind=smi cpu=0 length_ns=1000)"
	before=$(handler)
	echo "smi: $(load rtk_smi i_know=1)"
	[ "$before" = "$(handler)" ] || echo "handler: ours"
	echo "SMRAM: $(setpci -s 0:0.0 9d.b)"
	echo "too short: $(inject kind=smi cpu=0 length_ns=999)"
	echo "too long: $(inject kind=smi cpu=0 length_ns=10000001)"
	echo "no CPU: $(inject kind=smi cpu=2 length_ns=1000)"
	echo "unload below it: $(unload rtk_inject)"
	echo "series: $(inject kind=smi cpu=1 length_ns=100000 count=256 period_ns=10000000)"
	until [ "$(wc -l <$I/log)" -ge 5 ]; do sleep 0.1; done
	echo "each counted once: $(sed 's/.*\(counted=.*\)/\1/' $I/log | sort -u)"
	echo "unload while it goes on: $(unload rtk_smi)"
	[ "$before" = "$(handler)" ] && echo "handler then: as before"
	echo "SMRAM then: $(setpci -s 0:0.0 9d.b)"
	echo "log then: $(wc -l <$I/log)"
	# Until the next reset.
	setpci -s 0:0.0 9d.b=1a
	echo "locked: $(load rtk_smi i_know=1)"
	echo "inject at the end: $(unload rtk_inject)"
}

other()
{
	echo "inject: $(load rtk_inject i_know=1)"
	echo "smi: $(load rtk_smi i_know=1)"
}

"$1"
dmesg | sed -n 's/.*rtk_\(inject\|smi\): /said: \1: /p'
