#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# What test_igb.sh runs in its VMs: both tests on an 82576, as what it is and by the
# registers of igc, which it has but for those that are older.
. "$(dirname "$0")/../lib.sh"
# shellcheck source=selftests/msi/msi.sh
. "$(dirname "$0")/../msi/msi.sh"
need_device 8086 10c9 igb

# register OFFSET VALUE: of the device
register()
{
	python3 - "$PCI/$DEV/resource0" "$@" <<-'END'
	import mmap, os, sys
	f = os.open(sys.argv[1], os.O_RDWR | os.O_SYNC)
	m = memoryview(mmap.mmap(f, 0x20000)).cast('I')
	m[int(sys.argv[2], 0) // 4] = int(sys.argv[3], 0)
	END
}

EIMS=0x1524
EIMC=0x1528

# Those that come while it is masked become one, which comes when it no longer is.
test_masked()
{
	begin msi_latency period_us=10000 irq_cpu="$LAST" work_cpu=0
	register $EIMC 1
	ok "$WHAT: masked ones are lost" wait_for 60 lost 2
	register $EIMS 1
	ok "$WHAT: ... the run goes on when they come again" wait_for 60 measured_more "$(measured)"
	stop "$WHAT: ... until Ctrl-C"
	# Those after it were in doubt until one came.
	eq "$WHAT: ... the first of them was written, and is no sample" \
		$(($(all write count) - $(all irq count))) 1
}

start $((15 + 4 + 4 + 7 + 2 + 4 + 15 + 1))
ip link set "$(ls "$PCI/$DEV/net")" name lan9
BEFORE=$(owner)
WHAT=igb
checks_latency period_us=10000
checks_block
checks_threads period_us=10000
checks_jitter period_us=10000
ok "$WHAT: it can't time interrupts by itself" msi msi_jitter source=device period_us=10000 count=10 \
	irq_cpu="$LAST" work_cpu=0
eq "$WHAT: ... so a timer does, which is said" "$(json .params.source) $(all phase count)" "hrtimer 10"
test_masked
WHAT=igc
checks_latency period_us=10000 backend=igc
eq "driver and interface are what they were" "$(owner)" "$BEFORE"
ktap_finished
