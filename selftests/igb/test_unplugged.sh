#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# A device that is unplugged during a run. Where devices can be, the machine is another.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../libvm.sh"
need_tool python3

unplug()
{
	wait_for 250 grep -qs '^ready' "$TMP/out" && monitor "device_del id=nic1"
}

check()
{
	local pid

	: >"$TMP/out"
	unplug &
	pid=$!
	ok "$1: a device is unplugged" vm --kernel "$1" "${MONITOR[@]}" \
		--device pcie-root-port,id=port1,chassis=1 --device e1000e,romfile=,bus=port1,id=nic1 -- \
		env KSFT="${KTAP_HELPERS%/kselftest/*}" "$TEST_DIR/unplugged_guest.sh"
	kill $pid 2>/dev/null
	OUT=$(cat "$TMP/out")
	has "$1: ... the run has failed" "$OUT" '^status 3: .*'
	has "$1: ... and keeps its samples" "$OUT" '^samples [1-9]'
	has "$1: ... nothing is left of it" "$OUT" '^claims 0$'
}

start 8
for kernel in 6.1-rt 6.12; do
	check $kernel
done
ktap_finished
