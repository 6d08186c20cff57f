#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The rig itself: does scripts/vm pass on exactly what the guest did?
# KTAP on stdout. --fast: one boot of each kind, under a minute.
#
# shellcheck disable=SC2016,SC1003,SC2317 # what the guest's shell is to expand
set -u

TOP=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd -P)
export RTK_CACHE=${RTK_CACHE:-$TOP/.cache}
CR=$'\r'
FAST=0
[ "${1:-}" != --fast ] || FAST=1
COUNT=0
FAILED=0
WORK=$(cd "$(mktemp -d)" && pwd -P)
# A checkout of its own: the rig's test does not depend on the project's modules.
CHECKOUT=$WORK/checkout
VM=$CHECKOUT/scripts/vm
trap cleanup EXIT
unset RTK_VM_ALLOW

cleanup()
{
	rm -rf "$WORK" "$RTK_CACHE"/build/*."$(cksum <<< "$CHECKOUT" | cut -d' ' -f1)"*
}

# check NAME COMMAND...: one result line; says what was seen on failure.
check()
{
	local name=$1
	shift
	COUNT=$((COUNT + 1))
	if "$@"; then
		echo "ok $COUNT $name"
	else
		FAILED=$((FAILED + 1))
		echo "not ok $COUNT $name"
		sed 's/^/# /' "$WORK/err" | tail -n 20
	fi
}

# vm ARG...: run it; status in RC, streams in $WORK/out and $WORK/err.
vm()
{
	RC=0
	"$VM" "$@" > "$WORK/out" 2> "$WORK/err" || RC=$?
}

status_is() { [ "$RC" = "$1" ] || { echo "# status $RC, expected $1"; return 1; }; }
out_is() { [ "$(cat "$WORK/out")" = "$1" ] || { echo "# stdout: $(head -c 300 "$WORK/out")"; return 1; }; }
err_has() { [ -z "$1" ] || grep -q -e "$1" "$WORK/err"; }
fails_with() { status_is "$1" && err_has "$2"; }

# --- without a guest -----------------------------------------------------------

usage_errors()
{
	local line rc=0
	while IFS= read -r line; do
		# shellcheck disable=SC2086
		vm $line -- true
		if ! status_is 2 || [ "$(wc -l < "$WORK/err")" != 1 ]; then
			echo "# for: $line"
			rc=1
		fi
	done <<-END
	--kernel 5.10
	--smp 0
	--smp two
	--mem big
	--timeout
	--icount 99
	--accel hvf
	--accel kvm --icount 0
	--icount 0 --root 9p
	--nonsense
	stray
	END
	return $rc
}

log_verdict() { printf '%s\n' "$@" | awk -f "$TOP/scripts/vm.d/logcheck.awk"; }

log_is_bad()
{
	local line
	while IFS= read -r line; do
		[ -n "$(log_verdict "[ 1.0] $line")" ] || { echo "# missed: $line"; return 1; }
	done <<-'END'
	Kernel panic - not syncing: sysrq triggered crash
	Oops: 0000 [#1] PREEMPT_RT SMP PTI
	BUG: kernel NULL pointer dereference, address: 0000000000000000
	BUG: sleeping function called from invalid context at kernel/locking/mutex.c:580
	BUG: scheduling while atomic: swapper/0/0/0x00000002
	WARNING: CPU: 0 PID: 88 at kernel/time/timer.c:1 foo+0x1/0x2 [rtk]
	WARNING: kernel/time/timer.c:1 at foo+0x1/0x2, CPU#0: sh/88
	WARNING: possible circular locking dependency detected
	WARNING: possible recursive locking detected
	WARNING: inconsistent lock state
	WARNING: suspicious RCU usage
	INFO: possible recursive locking detected
	rcu: INFO: rcu_preempt detected stalls on CPUs/tasks:
	rcu: INFO: rcu_preempt self-detected stall on CPU
	watchdog: BUG: soft lockup - CPU#1 stuck for 22s! [sh:88]
	NMI watchdog: Watchdog detected hard LOCKUP on cpu 1
	INFO: task sh:88 blocked for more than 120 seconds.
	UBSAN: array-index-out-of-bounds in foo.c:1:1
	BUG: KASAN: slab-use-after-free in foo+0x1/0x2 [rtk]
	BUG: KCSAN: data-race in foo [rtk] / bar
	BUG: KCSAN: data-race in foo / bar [rtk_inject]
	[ BUG: Invalid wait context ]
	ODEBUG: free active (active state 0) object: 0000000000000000 object type: hrtimer
	BUG: using smp_processor_id() in preemptible [00000000] code: sh/88
	kmemleak: 1 new suspected memory leaks (see /sys/kernel/debug/kmemleak)
	Call Trace:
	END
}

# race LINE [PLACE]: a report of KCSAN's with that line in it, and a line of ours after it.
race()
{
	local rule='[ 1] =================================================================='
	log_verdict "$rule" "[ 1] BUG: KCSAN: data-race in ${2-foo / bar}" '[ 1]' "$1" \
		'[ 1] Reported by Kernel Concurrency Sanitizer on:' "$rule" '[ 2]  run_start+0x1/0x2 [rtk]'
}

races_of_rtk()
{
	[ -n "$(race '[ 1]  run_start+0x1/0x2 [rtk]')" ] && [ -n "$(race '[ 1]  fire+0x1/0x2 [rtk_inject]')" ] &&
		[ -n "$(race '[ 1] WARNING: CPU: 0 PID: 88 at kernel/time/timer.c:1 foo+0x1/0x2')" ] &&
		[ -z "$(race '[ 1]  tick_sched_do_timer+0x1/0x2')" ] &&
		[ -z "$(race '[ 1]  mmio_measure+0x1/0x2 [rtk]' ktime_get_raw_fast_ns+0x1/0x2)" ]
}

log_is_good()
{
	[ -z "$(log_verdict '[ 0.0] Linux version 6.1' '[ 0.1] [Firmware Bug]: TSC ADJUST' \
		'[ 0.2] rcu: Hierarchical RCU implementation.' \
		'[ 0.3] WARNING: this tool is old' '[ 0.4] rtk: loading out-of-tree module taints kernel.')" ] &&
		[ -z "$(RTK_VM_ALLOW='at .* foo[+]' log_verdict '[ 1] ---[ cut here ]---' \
			'[ 1] WARNING: CPU: 0 PID: 1 at x.c:1 foo+0x1/0x2' '[ 1] Call Trace:' '[ 1]  bar')" ] &&
		[ -z "$(RTK_VM_ALLOW='vmalloc error' log_verdict '[ 1] kthreadd: vmalloc error: size 1' \
			'[ 1] CPU: 0 UID: 0' '[ 1] Call Trace:')" ] &&
		[ -n "$(log_verdict '[ 1] kthreadd: vmalloc error: size 1' '[ 1] Call Trace:')" ] &&
		[ -n "$(RTK_VM_ALLOW='at .* foo[+]' log_verdict \
			'[ 1] WARNING: CPU: 0 PID: 1 at x.c:1 foo+0x1/0x2' '[ 2] Oops: 0000')" ]
}

# --- what comes back -----------------------------------------------------------

BYTES='i=0; while [ $i -lt 256 ]; do printf "\\$(printf %03o $i)"; i=$((i+1)); done; printf "a\r\nb\n\r"'
bytes_sum() { { bash -c "$BYTES"; head -c 1000000 /dev/zero | tr '\0' '\r'; head -c 1000000 /dev/zero; } | sha256sum; }
send_bytes="$BYTES; head -c 1000000 /dev/zero | tr '\\0' '\\r'; head -c 1000000 /dev/zero; echo to-stderr >&2; exit 200"

byte_exact()
{
	vm --no-module "$@" -- bash -c "$send_bytes"
	status_is 200 && [ "$(sha256sum < "$WORK/out")" = "$(bytes_sum)" ] &&
		[ "$(cat "$WORK/err")" = to-stderr ]
}

keeps_words()
{
	local nl=$'two\nlines'
	vm --no-module "$@" -- printf '<%s>' 'a b' "it's" '"$HOME"' "$nl" '' '\' "tab	$CR" '*' -- -x
	status_is 0 && out_is "<a b><it's><\"\$HOME\"><$nl><><\\><tab	$CR><*><--><-x>"
}

# results come back, other writes don't; the directory is kept; the mounts are there
SURROUNDINGS='
	set -e
	[ "$PWD" = "$1/selftests/rig" ] && [ "$(hostname)" = rtk-vm ] && [ "$(id -u)" = 0 ]
	[ -d /sys/kernel/debug/tracing ] && [ -e /sys/kernel/tracing/trace_marker ] && [ -c /dev/pts/ptmx ]
	[ -d "$RTK_MODDIR" ] && [ "$HOME $LANG" = "/root C.UTF-8" ] && [ -z "${RTK_RIG_SECRET:-}" ]
	touch /dev/shm/x /tmp/x; modprobe dummy 2> /dev/null || modprobe igb
	ping -c 1 127.0.0.1 > /dev/null 2>&1 || ip link show lo | grep -q UP
	mkdir "$1/results/rig"; printf "1\r\n2" > "$1/results/rig/file"
	echo lost > "$1/rig-must-not-exist"; echo /dev/stderr >> /dev/stderr
	(sleep 1000 &) '

surroundings()
{
	local dir=$CHECKOUT/selftests/rig
	rm -rf "$CHECKOUT/results"
	RC=0
	(cd "$dir" && RTK_RIG_SECRET=1 "$VM" --no-module "$@" -- bash -c "$SURROUNDINGS" bash "$CHECKOUT") \
		> "$WORK/out" 2> "$WORK/err" || RC=$?
	status_is 0 && [ "$(od -An -c "$CHECKOUT/results/rig/file" | tr -d ' ')" = '1\r\n2' ] &&
		[ ! -e "$CHECKOUT/rig-must-not-exist" ]
}

# --- how a guest can end ---------------------------------------------------------

ends_badly()
{
	local want=$1 text=$2
	shift 2
	vm --no-module "$@"
	fails_with "$want" "$text"
}

allowed_warning()
{
	RC=0
	RTK_VM_ALLOW='at rig_test' "$VM" --no-module --root initramfs -- sh -c \
		'echo "WARNING: CPU: 0 PID: 1 at rig_test" > /dev/kmsg; exit 9' > "$WORK/out" 2> "$WORK/err" || RC=$?
	status_is 9
}

# interrupted SIGNAL STATUS: no QEMU is left, and no file unless it was SIGKILL.
interrupted()
{
	local pid files
	mkdir -p "$WORK/tmp"
	TMPDIR=$WORK/tmp "$VM" --no-module --root initramfs -- sh -c 'echo up; sleep 100' \
		> "$WORK/out" 2> "$WORK/err" &
	pid=$!
	for _ in $(seq 600); do
		[ ! -s "$WORK/out" ] || break
		sleep 0.1
	done
	kill -"$1" $pid
	RC=0
	wait $pid 2> /dev/null || RC=$?
	sleep 1
	files=$(ls "$WORK/tmp")
	rm -rf "$WORK/tmp"
	status_is "$2" && out_is up && ! pgrep -f "initrd $WORK/tmp" &&
		{ [ "$1" = KILL ] || [ -z "$files" ]; }
}

# --- modules -----------------------------------------------------------------------

# Give the checkout a module whose init does what $1 says.
make_module()
{
	cat > "$CHECKOUT/modules/core.c" <<-END
	#include <linux/module.h>
	static int __init rtk_init(void) { $1 }
	static void __exit rtk_exit(void) { }
	module_init(rtk_init);
	module_exit(rtk_exit);
	MODULE_DESCRIPTION("rig test");
	MODULE_LICENSE("GPL");
	END
}

make_checkout()
{
	mkdir -p "$CHECKOUT/modules" "$CHECKOUT/scripts" "$CHECKOUT/selftests/rig"
	cp -r "$TOP/scripts/vm" "$TOP/scripts/vm.d" "$TOP/scripts/fetch" "$TOP/scripts/fetch.d" \
		"$CHECKOUT/scripts/"
	echo 'obj-m := rtk.o' > "$CHECKOUT/Kbuild"
	echo 'rtk-y := modules/core.o' >> "$CHECKOUT/Kbuild"
	make_module 'return 0;'
}

# module BODY STATUS TEXT ARG...: with that module, the run ends like this.
module()
{
	local body=$1 want=$2 text=$3
	shift 3
	make_module "$body"
	RC=0
	(cd / && "$VM" "$@" -- sh -c \
		'grep -c ^rtk /proc/modules; modinfo -F description rtk; pwd') \
		> "$WORK/out" 2> "$WORK/err" || RC=$?
	status_is "$want" && grep -q -e "$text" "$WORK/out" "$WORK/err"
}

# --- repeatable runs ------------------------------------------------------------------

repeatable()
{
	local cmd='date +%s%N; cat /proc/uptime /proc/interrupts; dmesg; echo x > results/rig.txt; ls -l --time-style=full-iso results'
	vm --no-module "$@" -- sh -c "$cmd"
	status_is 0 || return 1
	cp "$WORK/out" "$WORK/first"
	sleep 1.3
	vm --no-module "$@" -- sh -c "$cmd"
	status_is 0 && [ "$(wc -l < "$WORK/out")" -gt 100 ] && cmp "$WORK/first" "$WORK/out" > "$WORK/err" 2>&1
}

# --- the list ----------------------------------------------------------------------------

make_checkout
echo "TAP version 13"
if [ "$FAST" = 1 ]; then echo 1..9; else echo 1..30; fi
check "usage errors are one line and status 2" usage_errors
check "splats are found in a log" log_is_bad
check "a clean log and allowed splats pass" log_is_good
check "data races count where rtk takes part" races_of_rtk
check "2 MB of any bytes and status 200 pass, 9p" byte_exact
check "surroundings, results and dropped writes, 9p" surroundings --kernel 6.1-rt
check "words are kept" keeps_words --root initramfs
check "panic is 125" ends_badly 125 'Kernel panic' --root initramfs -- sh -c 'echo c > /proc/sysrq-trigger'
check "module is built and loaded" module 'return 0;' 0 'rig test'
if [ "$FAST" = 0 ]; then
	check "2 MB of any bytes and status 200 pass, initramfs" byte_exact --root initramfs
	check "surroundings, results and dropped writes, initramfs" surroundings --root initramfs
	check "words are kept, 9p" keeps_words
	check "6.12 boots" ends_badly 3 '' --kernel 6.12 -- sh -c 'exit 3'
	check "6.12-rt boots with QEMU 10 and igb" ends_badly 3 '' --kernel 6.12-rt --device igb -- \
		sh -c 'lspci -n | grep -q 8086:10c9 && exit 3'
	check "time-out is 124" ends_badly 124 'time-out after 6 s' --timeout 6 -- sleep 1000
	check "warning is 125" ends_badly 125 'rig_test' --root initramfs -- \
		sh -c 'echo "WARNING: CPU: 0 PID: 1 at rig_test" > /dev/kmsg'
	check "allowed warning passes" allowed_warning
	check "power-off without the end marker is 126" ends_badly 126 'ended before' --root initramfs -- \
		sh -c 'echo o > /proc/sysrq-trigger; sleep 100'
	check "reboot without the end marker is 126" ends_badly 126 'ended before' -- \
		sh -c 'echo b > /proc/sysrq-trigger; sleep 100'
	check "missing program is 127" ends_badly 127 'rig-no-such' -- rig-no-such
	check "missing kernel module is 2" ends_badly 2 'rig-no-such: .*no such module' \
		--with-module dummy --with-module rig-no-such -- true
	check "kernel modules are put in, or built in" ends_badly 4 '' --root initramfs \
		--with-module dummy --with-module virtio-scsi --with-module 8250_pci -- \
		sh -c 'modprobe virtio_scsi && modprobe dummy && exit 4'
	check "unknown QEMU device is 2" ends_badly 2 'QEMU does not start' --device rig-no-such -- true
	check "SIGTERM is 143 and nothing is left" interrupted TERM 143
	check "SIGKILL leaves no QEMU" interrupted KILL 137
	check "module is built and loaded, 6.12-rt, initramfs" module 'return 0;' 0 'rig test' \
		--kernel 6.12-rt --root initramfs
	check "module with a WARN is 125" module 'WARN_ON(1); return 0;' 125 'rtk_init'
	check "module that refuses to load is 123" module 'return -EINVAL;' 123 'does not load'
	check "--icount runs are identical" repeatable --icount 3 --kernel 6.1-rt --no-module
	check "module that does not build is 2" module 'return nonsense;' 2 'nonsense'
fi
echo "# $((COUNT - FAILED)) passed, $FAILED failed"
[ "$FAILED" = 0 ]
