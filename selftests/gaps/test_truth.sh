#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Gaps of known length, and what the test hwlat says of them, in VMs that count
# instructions instead of time; and beside it the kernel's tracer.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../libvm.sh"

GUEST=$TEST_DIR/gaps_guest.sh
# What the CPU that the disturbance comes from takes of the other one's turn.
WAY=10000
WINDOW=250000000

# outliers KEY=VALUE: of CPU 0, in the section in OUT, with that word
outliers() { grep "^cpu=0 series=gap worst=0 .* $1 " <<<"$OUT"; }

# values KEY=VALUE LOW: how many of those outliers are so long, but no longer than
# the way takes
values()
{
	outliers "$1" | sed 's/.* value_ns=\([0-9]*\).*/\1/' |
		awk -v low="$2" -v way=$WAY '$1 >= low && $1 <= low + way' | wc -l
}

# Nothing happens: what is covered is nearly all.
check_none()
{
	OUT=$(section none)
	eq "$1 nothing: no gap" "$(stat 0 gap outliers)" 0
	cmp_num "$1 nothing: the longest" "$(stat 0 gap max_ns)" -lt 100000
	eq "$1 nothing: no SMI, no NMI" "$(stat 0 gap smi) $(stat 0 gap nmi)" "0 0"
	# Instructions: a third of the kernel's tracer.
	within "$1 nothing: from reading to reading" "$(stat 0 gap p99_ns)" 8 24
	# To the last reading.
	within "$1 nothing: the window" "$(stat 0 gap wall_ns)" $WINDOW $((WINDOW + 1000))
	within "$1 nothing: covered" "$(stat 0 gap covered_ns)" $((WINDOW * 98 / 100)) $WINDOW
}

check_smi()
{
	local line inner outer

	OUT=$(section smi)
	eq "$1 SMI: one gap" "$(stat 0 gap outliers)" 1
	eq "$1 SMI: as long as it is" "$(values smi=1 150000)" 1
	eq "$1 SMI: counted" "$(stat 0 gap smi) $(stat 0 gap nmi)" "1 0"
	line=$(outliers smi=1)
	inner=$(sed 's/.* inner_ns=\([0-9]*\).*/\1/' <<<"$line")
	outer=$(sed 's/.* outer_ns=\([0-9]*\).*/\1/' <<<"$line")
	eq "$1 SMI: it is the inner gap or the outer one" \
		"$(printf '%s\n' "$inner" "$outer" | sort -n | tail -n 1)" "$(stat 0 gap max_ns)"
	cmp_num "$1 SMI: ... and the other one is none" $((inner < outer ? inner : outer)) -lt 100
	has "$1 SMI: one CPU was measuring" "$line" ' watching=1$'
	OUT=$(section short)
	eq "$1 short SMI: a gap above 1 us" "$(values smi=1 1500)" 1
	eq "$1 short SMI: counted" "$(stat 0 gap smi)" 1
}

check_nmi()
{
	OUT=$(section nmi)
	eq "$1 NMIs: counted" "$(stat 0 gap nmi) $(stat 0 gap smi)" "3 0"
	eq "$1 NMIs: each with its gap" "$(values nmi=1 15000)" 3
}

check_histogram()
{
	OUT=$(section nmi)
	eq "$1: count is the sum of the buckets" \
		"$(section histogram | awk '/^#/ { next } { n += $3 } END { print n }')" \
		"$(sed -n 's/^cpu=0 series=gap count=\([0-9]*\).*/\1/p' <<<"$OUT")"
}

# Both see the same ten. The tracer keeps the longest of a window.
check_peer()
{
	OUT=$(section peer)
	eq "$1 ten SMIs: counted" "$(stat 0 gap smi)" 10
	eq "$1 ten SMIs: each with its gap" "$(values smi=1 200000) $(stat 0 gap outliers)" "10 10"
	OUT=$(section tracer)
	diag "the kernel's tracer: $OUT"
	has "$1 ten SMIs: the kernel's tracer has one of them" "$OUT" 'inner/outer\(us\): .*20[0-9]'
}

# Stops the emulator now and then: a clock of instructions does not see it.
hold_up()
{
	wait_for 120 test -s "$TMP/pid"
	while sleep 1; do
		kill -STOP "$(cat "$TMP/pid")" || return
		sleep 0.3
		kill -CONT "$(cat "$TMP/pid")"
		echo held
	done >>"$TMP/held" 2>/dev/null
}

check()
{
	local holder

	rm -f "$TMP/pid" "$TMP/held"
	hold_up &
	holder=$!
	ok "$1: runs in a VM that counts instructions" vm --kernel "$1" --smp 2 --icount 0 \
		--accel tcg --qemu-arg -cpu --qemu-arg max,-hypervisor \
		--qemu-arg -pidfile --qemu-arg "$TMP/pid" -- "$GUEST" run:none turns \
		disturbed:smi:smi:1:150000:0 disturbed:short:smi:1:1500:0:threshold_ns=1000 \
		disturbed:nmi:nmi:3:15000:15000000:threshold_ns=10000 histogram \
		disturbed:peer:smi:10:200000:15000000 tracer:10:200000:15000000
	kill $holder 2>/dev/null
	cmp_num "$1: the emulator was stopped again and again" "$(wc -l <"$TMP/held")" -ge 3
	check_none "$1"
	check_smi "$1"
	check_nmi "$1"
	check_histogram "$1"
	check_peer "$1"
}

# watching CPU: how many CPUs were measuring in its worst gaps
watching() { sed -n "s/^cpu=$1 .* worst=1 .* watching=//p" <<<"$OUT" | sort -nu | xargs; }

# Windows of 25 ms: each CPU gets five of the ten, or all.
check_modes()
{
	local c

	ok "$1 two CPUs: runs in a VM that counts instructions" vm --kernel "$1" --smp 3 --icount 0 \
		--accel tcg --qemu-arg -cpu --qemu-arg max,-hypervisor -- "$GUEST" \
		run:turns:cpus=0-1:mode=roundrobin:width_us=24000:window_us=25000 \
		run:both:cpus=0-1:width_us=24000:window_us=25000
	OUT=$(section turns)
	for c in 0 1; do
		eq "$1 in turn: CPU $c measures alone" "$(watching $c)" 1
		within "$1 in turn: CPU $c has its part" "$(stat $c gap covered_ns)" 117600000 120000000
	done
	OUT=$(section both)
	has "$1 at once: both measure" "$(watching 0) $(watching 1)" 2
}

start $((2 * (2 + 6 + 8 + 2 + 1 + 3) + 6))
for kernel in 6.1-rt 6.12-rt; do
	check $kernel
done
check_modes 6.12
ktap_finished
