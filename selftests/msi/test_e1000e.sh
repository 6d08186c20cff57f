#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Both tests on an 82574, a network device that has a driver of its own before and after.
. "$(dirname "$0")/../lib.sh"
# shellcheck source=selftests/msi/msi.sh
. "$(dirname "$0")/msi.sh"
need_device 8086 10d3 e1000e
WHAT=e1000e SPURIOUS=0

start $((15 + 7 + 1))
# As udev would have it.
ip link set "$(ls "$PCI/$DEV/net")" name lan9
BEFORE=$(owner)
checks_latency period_us=10000
checks_jitter period_us=10000
eq "$WHAT: driver and interface are what they were" "$(owner)" "$BEFORE"
ktap_finished
