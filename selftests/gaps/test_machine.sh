#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# What happens to a whole machine, in VMs that run freely: only what no busy host can
# falsify. And the usual recipe, for long enough that the kernel would complain.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../libvm.sh"

GUEST=$TEST_DIR/gaps_guest.sh
# For one CPU: a host that takes it away for so long is rare.
LONG=100000000
LONG_SMI=10000000
# Seconds that the machine is held.
HELD=2

need_tool python3

# Done to the machine once it is ready for it. Between two bursts nobody watches, and
# a busy host may keep the CPU there for a while: three times are not all of them there.
do_sigstop()
{
	local pid

	pid=$(cat "$TMP/pid")
	for _ in 1 2 3; do
		kill -STOP "$pid"
		sleep $HELD
		kill -CONT "$pid"
		sleep 0.7
	done
}

do_stop()
{
	monitor stop
	sleep $HELD
	monitor cont
}

# meanwhile NAME...: what is done, in this order; an NMI tells the guest that it was
meanwhile()
{
	local name

	for name; do
		wait_for 250 grep -qs "^ready for $name" "$TMP/out" || return
		"do_$name"
		monitor inject-nmi
	done
}

check_held()
{
	OUT=$(section sigstop)
	cmp_num "$1 stopped by the host: a gap of that length" "$(stat 0 gap max_ns)" -ge $((HELD * 900000000))
	OUT=$(section stop)
	cmp_num "$1 stopped with its clocks: no gap of that length" "$(stat 0 gap max_ns)" -lt $((HELD * 900000000))
	eq "$1 NMI: counted" "$(stat 0 gap nmi)" 1
}

# Some other CPU has interrupts off. A host may hold up this one just then, but not
# each time.
check_others()
{
	local i untouched=0

	for i in 1 2 3 4 5; do
		OUT=$(section "other$i")
		[ "$(stat 0 gap max_ns)" -ge $((LONG / 2)) ] || untouched=$((untouched + 1))
	done 2>/dev/null
	cmp_num "$1 interrupts off elsewhere: no gap" $untouched -ge 1
}

# spans CPU: begins and ends of its gaps with an SMI in them
spans()
{
	local length end

	sed -n "s/^cpu=$1 series=gap worst=0 value_ns=\([0-9]*\) .* mono_ns=\([0-9]*\) .* smi=[1-9].*/\1 \2/p" <<<"$OUT" |
		while read -r length end; do
			[ "$length" -lt $LONG_SMI ] || echo $((end - length)) "$end"
		done
}

# Many come between two bursts, or when the host holds up a CPU.
check_broadcast()
{
	local b0 e0 b1 e1 both=0

	OUT=$(section broadcast)
	cmp_num "$1 SMIs for all: counted on one CPU" "$(stat 0 gap smi)" -ge 1
	cmp_num "$1 SMIs for all: ... and on the other" "$(stat 1 gap smi)" -ge 1
	while read -r b0 e0; do
		while read -r b1 e1; do
			[ "$b0" -ge "$e1" ] || [ "$b1" -ge "$e0" ] || both=$((both + 1))
		done < <(spans 1)
	done < <(spans 0)
	cmp_num "$1 SMIs for all: gaps on both, at the same time" $both -ge 1
}

check_recipe()
{
	OUT=$(section recipe)
	has "$1 recipe: it ends as planned" "$OUT" '^done .* reason=duration elapsed_ns=15000000000 cpus=0-1 '
	cmp_num "$1 recipe: has measured" "$(stat 0 gap covered_ns)" -gt 1000000000
}

check()
{
	local pid

	: >"$TMP/out"
	meanwhile sigstop stop &
	pid=$!
	RTK_VM_ALLOW='Uhhuh|Dazed' ok "$1: runs" vm --kernel "$1" --smp 3 --root initramfs \
		--accel tcg --qemu-arg -cpu --qemu-arg max,-hypervisor \
		--qemu-arg -pidfile --qemu-arg "$TMP/pid" \
		"${MONITOR[@]}" -- "$GUEST" \
		"broadcast:40:$LONG_SMI:25000000" \
		"others:other1:$LONG" "others:other2:$LONG" "others:other3:$LONG" \
		"others:other4:$LONG" "others:other5:$LONG" held:sigstop:0 held:stop:1 recipe:15
	kill $pid 2>/dev/null
	check_broadcast "$1"
	check_others "$1"
	check_held "$1"
	check_recipe "$1"
}

start $((2 * (1 + 3 + 1 + 3 + 2)))
for kernel in 6.1-rt 6.12; do
	check $kernel
done
ktap_finished
