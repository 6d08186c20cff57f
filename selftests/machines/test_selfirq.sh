#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# selfirq on machines that are not like the others: one CPU, and CPUs that poll when
# they are idle. In VMs that count instructions instead of time, so that nothing is
# missed.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../libvm.sh"

# guest CASE KERNEL OPTION...: OUT is what it prints
guest() { vm --icount 4 --kernel "${@:2}" -- "$TEST_DIR/selfirq_guest.sh" "$1"; }

# all_came SERIES
all_came() { has "$1: all came" "$OUT" "^cpu=0 series=$1 count=1000 .* delivered=1000 .*missed=0 "; }

one_cpu()
{
	ok "$1: runs on one CPU" guest client "$1" --smp 1
	OUT=$(cat "$TMP/out")
	has "... without an error" "$OUT" '^status=0$'
	all_came timer
	has_not "ipi: nobody sends" "$OUT" '^cpu=0 series=ipi'
	has "... as the result says" "$OUT" '^parameters: .* ipi=0;'
}

# What polls is told without an interrupt, unless it is busy.
polling()
{
	ok "$1: runs on CPUs that poll" guest client "$1" --smp 2 --append idle=poll
	OUT=$(cat "$TMP/out")
	all_came timer
	all_came ipi
	has "ipi: none was polled" "$OUT" 'series=timer .* ipi_busy=0 ipi_offline=0 ipi_polled=0$'
	cmp_num "ipi: the kernel has counted them" "$(sed -n 's/^calls=//p' <<<"$OUT")" -ge 1000
}

# What is on its way may use the memory of the run, and its code.
held()
{
	ok "$1: is stopped while its sender is held up" guest held "$1" --smp 2
	OUT=$(cat "$TMP/out")
	has "... it is" "$OUT" '^ipi_busy=[1-9]'
	has "... nothing of it runs after the end" "$OUT" '^runs=5 calls=[1-9][0-9]* late=0$'
	eq "... the ledgers balance" "$(balance 0 timer) $(balance 0 ipi)" "0 0"
}

many()
{
	ok "$1: runs on eight CPUs" vm --kernel "$1" --smp 8 -- "$TEST_DIR/selfirq_guest.sh" many
	OUT=$(cat "$TMP/out")
	has "... a sender that would have too much to do is refused" "$OUT" \
		'^refused: period_ns=50000: a CPU would send to 6 others, which takes at least 60000;'
	has "... two share it" "$OUT" '^done .*reason=duration .*cpus=0-5 '
	eq "... and every CPU gets some" "$(grep -c 'series=ipi count=[1-9]' <<<"$OUT")" 6
}

start $((5 + 4 + 5 + 5 + 4))
one_cpu 6.12
held 6.12
many 6.12
polling 6.12
polling 6.1-rt
ktap_finished
