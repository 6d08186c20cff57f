#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Suspend ends a run, and none begins meanwhile. In VMs with a root of their own,
# since no file of the host's can be read then; as far as the kernel's test mode
# goes, with CPU 1 taken offline.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../libvm.sh"

check_suspend()
{
	ok "$1: suspends and comes back" vm --kernel "$1" --smp 2 --root initramfs \
		--append suspend.pm_test_delay=1 -- "$TEST_DIR/ends_guest.sh" suspend:core suspend_client suspend_of:hwlat
	OUT=$(section suspended)
	has "$1: the run has failed" "$OUT" '^failed .* reason=suspended .* lost_cpus='
	eq "$1: its ledgers balance" "$(balances 0 1)" "0 0 0 0"
	eq "$1: a start meanwhile is refused" "$(sed -n 's/^refused=//p' <<<"$OUT")" \
		"the system is about to suspend"
	OUT=$(section "after suspend")
	has "$1: a run after it" "$OUT" '^done .* reason=duration elapsed_ns=500000000 cpus=0-1 lost_cpus=$'
	eq "$1: its ledgers balance, too" "$(balances 0 1)" "0 0 0 0"
	OUT=$(section client)
	has "$1: the client's verdict" "$OUT" '^verdict: INVALID'
	has "$1: ... and why" "$OUT" 'suspended: the machine was suspended during the run'
	eq "$1: ... and its status" "$(sed -n 's/^status=//p' <<<"$OUT")" 3
	OUT=$(section "suspended hwlat")
	has "$1: a run of hwlat has failed" "$OUT" '^failed .* reason=suspended '
	OUT=$(section "hwlat after suspend")
	has "$1: ... and another one ends as planned" "$OUT" '^done .* reason=duration '
}

start $((2 * 11))
for kernel in 6.1-rt 6.12; do
	check_suspend $kernel
done
ktap_finished
