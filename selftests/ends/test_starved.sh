#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Real-time tasks that keep the measured CPUs for themselves don't keep a run from
# ending. In VMs that count instructions instead of time.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../libvm.sh"

check_starved()
{
	ok "$1: runs beside real-time tasks" vm --kernel "$1" --smp 3 --icount 5 -- \
		"$TEST_DIR/ends_guest.sh" no_throttling starved deadline refused
	OUT=$(section starved)
	has "$1 starved: is stopped" "$OUT" '^done .* reason=stopped .* cpus=1-2 '
	eq "$1 starved: the ledgers balance" "$(balances 1 2)" "0 0 0 0"
	# A worker gets half a second, both the same.
	within "$1 starved: one wait for both CPUs" "$(sed -n 's/^stop_us=//p' <<<"$OUT")" 500000 900000
	OUT=$(section held)
	has "$1 deadline: nobody has ended the run" "$OUT" '^running '
	cmp_num "$1 deadline: the timer was armed until then" "$(sed -n 's/^armed_before=//p' <<<"$OUT")" -ge 1
	eq "$1 deadline: the handler has ended itself" "$(sed -n 's/^armed_after=//p' <<<"$OUT")" 0
	OUT=$(section deadline)
	has "$1 deadline: it ends as planned" "$OUT" '^done .* reason=duration elapsed_ns=4000000000 '
	eq "$1 deadline: expected is duration through period" "$(stat 1 irq expected)" 400
	eq "$1 deadline: the ledgers balance" "$(balances 1)" "0 0"
	OUT=$(section refused)
	has "$1 refused: names the cause" "$OUT" \
		'^rtk: CPU 1: the measuring thread did not get to run within 5 s; is a real-time task keeping the CPU\?'
	has "$1 refused: and the mend" "$OUT" ' End it, or measure other CPUs \(cpus=\)$'
	eq "$1 refused: status" "$(sed -n 's/^status=//p' <<<"$OUT")" 2
	OUT=$(section "after refused")
	has "$1 refused: without the task it starts" "$OUT" '^done .* reason=duration '
}

start $((2 * 14))
for kernel in 6.1-rt 6.12; do
	check_starved $kernel
done
ktap_finished
