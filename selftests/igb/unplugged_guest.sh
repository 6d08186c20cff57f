#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# What test_unplugged.sh runs in its VMs.
. "$(dirname "$0")/../lib.sh"
# shellcheck source=selftests/msi/msi.sh
. "$(dirname "$0")/../msi/msi.sh"

# unplugged NAME TEST SERIES [PARAM=VALUE]...: a run on the first device that is left
unplugged()
{
	local name=$1 test=$2 series=$3

	shift 3
	begin "$test" "$@"
	echo "ready $name"
	wait_for 100 over || echo "it does not end"
	wait "$PID"
	echo "$test status $?: $(cat "$TMP/run")"
	echo "$test samples $(all "$series" count)"
	wait_for 60 test ! -e "$PCI/$DEV" || echo "the device is still there"
}

need_device 8086 10d3 e1000e
unplugged nic1 msi_latency irq period_us=10000
# A driver would keep its registers for itself.
need_device 8086 10d3
echo "$DEV" >"$PCI/$DEV/driver/unbind"
unplugged nic2 mmio read
echo "claims $(find /run/rtk/journal -type f 2>/dev/null | wc -l)"
