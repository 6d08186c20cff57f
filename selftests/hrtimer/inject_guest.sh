#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# What test_inject.sh runs in its VMs: inject_guest.sh CASE [ARG]...
. "$(dirname "$0")/../guest.sh"

HERE=$(cd "$(dirname "$0")" && pwd)

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
	until_true happened 5
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

# bounds REQUEST...: each, and what it gives, while a series goes on.
bounds()
{
	local first r error

	load rtk_inject i_know=1
	echo 0 >/sys/devices/system/cpu/cpu1/online
	inject kind=irqoff cpu=0 length_ns=1000 count=256 period_ns=20000000
	until_true happened 1
	first=$(head -n 1 $I/log)
	for r; do
		# In one write, which the shell's own would not be.
		error=$(printf '%b' "$r" | dd of=$I/inject bs=4k iflag=fullblock status=none 2>&1)
		[ "$(head -n 1 $I/log)" = "$first" ] || error+=", changed"
		echo "$r: ${error##*: }"
	done
	until_true happened 256
	echo "the series: $(wc -l <$I/log), $(head -n 1 $I/log | grep -cFx "$first")"
	echo "the next one: $(inject kind=fifo cpu=0 length_ns=1000)"
	until_true happened 1
	echo "its log: $(sed 's/ .*//' $I/log)"
}

lock_down()
{
	mount -t securityfs securityfs /sys/kernel/security
	echo integrity >/sys/kernel/security/lockdown
}

# late MODULE...: admitted before the lockdown, and called after it. Later, the
# kernel itself refuses what is not signed.
late()
{
	local m end
	local -A pids

	mkfifo /tmp/end
	for m; do
		"$HERE/insmod_late" "$RTK_MODDIR/$m.ko" i_know=1 </tmp/end >"/tmp/$m" &
		pids[$m]=$!
	done
	exec {end}>/tmp/end
	for m; do until_true grep -q admitted "/tmp/$m"; done
	lock_down
	exec {end}>&-
	for m; do
		wait "${pids[$m]}"
		echo "late $m: $(xargs <"/tmp/$m")"
	done
}

# No module before the lockdown
late_modules()
{
	load rtk
	late rtk_inject rtk_heavy
	echo "after it: tainted $(tainted), $(lsmod | grep -cE '^rtk_(inject|heavy) ') modules"
	[ -e $I ] || echo "files: none"
}

# Modules before the lockdown
late_use()
{
	local file rtk=$HERE/../../userspace/rtk

	load rtk
	load rtk_inject i_know=1
	load rtk_heavy i_know=1
	exec {file}>$I/inject
	echo kind=irqoff cpu=0 length_ns=1000 >&$file && echo "file: taken"
	until_true happened 1
	late rtk_smi
	echo "open file: $({ echo kind=fifo cpu=0 length_ns=1000 >&$file; } 2>&1 | sed 's/.*: //')"
	echo "log: $(sed 's/ .*//' $I/log)"
	echo "heavy: $("$rtk" start heavy duration_ms=100 2>&1)"
	echo "heavy is: $(sed 's/ .*//' "${D%/*}/heavy/state")"
	"$rtk" run hrtimer --duration 100ms period_ns=10ms --allow emulated >/tmp/run 2>&1 &&
		echo "measuring: possible"
}

"$@"
dmesg | sed -n 's/.*rtk_\(heavy\|inject\|smi\): /said: \1: /p'
