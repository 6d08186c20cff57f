#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Both tests on QEMU's device edu: every interrupt is a sample, where and how it was asked
# for, also those that the device times itself.
. "$(dirname "$0")/../lib.sh"
# shellcheck source=selftests/msi/msi.sh
. "$(dirname "$0")/msi.sh"
need_device 1234 11e8
WHAT=edu

start $((15 + 4 + 4 + 7 + 5 + 1))
BEFORE=$(owner)
checks_latency period_us=10000
checks_block
checks_threads period_us=10000
checks_jitter period_us=10000

ok "$WHAT: it times 25 interrupts by itself" msi msi_jitter source=device period_us=100000 count=25 \
	warmup_ms=0 irq_cpu="$LAST" work_cpu=0
eq "$WHAT: ... and says so" "$(json .params.source) $(all trigger_lateness count)" "device "
eq "$WHAT: ... the cycles between them" "$(cycles)" 25
eq "$WHAT: ... none too many" "$(bad)" 0
# A line through ten of them comes first.
cmp_num "$WHAT: ... the last ones are held against their own grid" "$(all phase count)" -gt 0

eq "$WHAT: it belongs to whom it belonged to" "$(owner)" "$BEFORE"
ktap_finished
