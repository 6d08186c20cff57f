#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# When is a machine overloaded? Known cases on both sides, in VMs that count
# instructions instead of time.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../libvm.sh"

GUEST=$TEST_DIR/ends_guest.sh

# state_word KEY: of the section in OUT.
state_word() { sed -n "1s/.* $1=\([0-9]*\).*/\1/p" <<<"$OUT"; }

# overloaded NAME CPU MIN_MS MAX_MS: ended by the guard, after so long.
overloaded()
{
	OUT=$(section "$1")
	has "$1: is overload" "$OUT" "^failed .* reason=overload .* cause=CPU $2 cannot carry this"
	within "$1: seen in time" "$(state_word elapsed_ns)" "${3}000000" "${4}000000"
	eq "$1: its ledger balances" "$(balance "$2" irq)" 0
}

# carried NAME CPU
carried()
{
	OUT=$(section "$1")
	has "$1: is no overload" "$OUT" '^done .* reason=duration '
	eq "$1: its ledger balances" "$(balance "$2" irq)" 0
}

# proposed LOW HIGH: the period that the cause names, twice what the handler took.
proposed()
{
	within "... and names a period" \
		"$(sed -n '1s/.* try a period of \([0-9]*\) ns or more.*/\1/p' <<<"$OUT")" "$1" "$2"
}

# With one CPU, whoever would end the run is kept from it by the handler.
one_cpu()
{
	local light=heavy:250000:150000:0:2000 slow=heavy:20000000:12000000:0:2000
	local third=heavy:250000:75000:0:2000 slow_third=heavy:20000000:6000000:0:2000
	local stall=heavy:1000000:2000000000:1:4000

	ok "$1: runs on one CPU" vm --kernel "$1" --smp 1 --icount 4 -- "$GUEST" \
		$light $slow $third $slow_third $stall shortest:0 spared alone no_throttling unattended
	overloaded $light 0 100 200
	proposed 300000 310000
	overloaded $slow 0 100 500
	proposed 24000000 24010000
	carried $third 0
	carried $slow_third 0
	carried $stall 0
	within "$stall: is measured" "$(stat 0 irq max_ns)" 1999000000 2001000000
	overloaded shortest:0 0 500 25000
	OUT=$(section spared)
	has "spared: a test that needs another CPU is refused" "$OUT" \
		'^rtk: hwlat takes CPUs away .*needs two that are online; this machine has one$'
	has "spared: ... as one that cannot run here" "$OUT" '^status=4$'
	OUT=$(section alone)
	has "alone: a run stops" "$OUT" '^done .* reason=stopped '
	has "alone: ... while a real-time task keeps the CPU" "$OUT" '^in spite of the hog$'
	eq "alone: its ledgers balance" "$(balances 0)" "0 0"
	overloaded unattended 0 5000 7500
	eq "unattended: the thread was in time" "$(stat 0 thread late)" 0
}

# The controller, on CPU 0, always runs; the thread of CPU 1 does not.
two_cpus()
{
	local name

	ok "$1: runs on two CPUs" vm --kernel "$1" --smp 2 --icount 4 -- "$GUEST" \
		shortest:1 throttled kept:-1 kept:700000
	overloaded shortest:1 1 500 20000
	carried throttled 1
	cmp_num "throttled: the thread is seen to have run hardly ever" "$(stat 1 thread missed)" -ge 800
	for name in kept:-1 kept:700000; do
		carried $name 1
		within "$name: is measured" "$(stat 1 thread missed)" 800 900
	done
}

start $((28 + 13))
one_cpu 6.12
two_cpus 6.1
ktap_finished
