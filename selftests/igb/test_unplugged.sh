#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Devices that are unplugged during a run. Where devices can be, the machine is another.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../libvm.sh"
need_tool python3

unplug()
{
	local name

	for name in nic1 nic2; do
		wait_for 250 grep -qs "^ready $name" "$TMP/out" && monitor "device_del id=$name"
	done
}

check()
{
	local pid test

	: >"$TMP/out"
	unplug &
	pid=$!
	ok "$1: two devices are unplugged" vm --kernel "$1" "${MONITOR[@]}" \
		--device pcie-root-port,id=port1,chassis=1 --device e1000e,romfile=,bus=port1,id=nic1 \
		--device pcie-root-port,id=port2,chassis=2 --device e1000e,romfile=,bus=port2,id=nic2 -- \
		env KSFT="${KTAP_HELPERS%/kselftest/*}" "$TEST_DIR/unplugged_guest.sh"
	kill $pid 2>/dev/null
	OUT=$(cat "$TMP/out")
	for test in msi_latency mmio; do
		has "$1: ... the run of $test has failed" "$OUT" "^$test status 3: .*"
		has "$1: ... and keeps its samples" "$OUT" "^$test samples [1-9]"
	done
	has "$1: ... nothing is left of them" "$OUT" '^claims 0$'
}

start 12
for kernel in 6.1-rt 6.12; do
	check $kernel
done
ktap_finished
