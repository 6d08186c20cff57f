#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# What test_unplugged.sh runs in its VMs.
. "$(dirname "$0")/../lib.sh"
# shellcheck source=selftests/msi/msi.sh
. "$(dirname "$0")/../msi/msi.sh"
need_device 8086 10d3 e1000e

begin msi_latency period_us=10000
echo ready
wait_for 100 over || echo "it does not end"
wait "$PID"
echo "status $?: $(cat "$TMP/run")"
echo "samples $(all irq count)"
wait_for 60 test ! -e "$PCI/$DEV" || echo "the device is still there"
echo "claims $(find /run/rtk/journal -type f 2>/dev/null | wc -l)"
