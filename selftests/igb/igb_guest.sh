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

# Beside its driver, which shares its registers.
test_read()
{
	exits 2 "reads: what a driver has" timeout 60 "$RTK" run mmio device="$DEV" --duration 1s --defaults
	said "... is refused" "driver igb has it; force=1 reads it nevertheless"
	ok "... force=1 reads it" msi mmio force=1 count=1000
	eq "... at the register that is known" "$(json '.params | "\(.bar) \(.offset)"') $(all read count)" \
		"0 0x8 1000"
	eq "... beside its driver" "$(owner)" "$BEFORE"
	begin mmio force=1
	echo "$DEV" >"$PCI/$DEV/driver/unbind"
	ends "... which lets it go: the run ends" 3
	has "... and says so" "$(state mmio)" '^failed .*reason=device-gone'
	cmp_num "... keeps its samples" "$(all read count)" -gt 0
	echo "$DEV" >/sys/bus/pci/drivers/igb/bind
}

# All devices of which a register is known: one with its driver, two without.
test_all_safe()
{
	local igb=$DEV edu usb

	need_device 1234 11e8
	edu=$DEV
	need_device 1b36 000d
	usb=$DEV
	exits 3 "reads of all devices that are known" \
		timeout 100 "$RTK" run mmio --all-safe --duration 200ms --defaults
	said "... edu" "^$edu  BAR 0 \+ 0x0 +[1-9][0-9]* "
	said "... xHCI" "^$usb  BAR 0 \+ 0x0 +[1-9][0-9]* "
	said "... not what a driver has" "^$igb  not read: driver igb has it; force=1 "
	eq "... nothing else" "$(grep -c '^0000:' <<<"$OUT")" 3
	eq "... nobody has them afterwards" "$(ls -d "$PCI/$edu/driver" "$PCI/$usb/driver" 2>/dev/null)" ""
	DEV=$edu
}

# For good: the last of all.
test_locked_down()
{
	"$RTK" device claim "$DEV" >/dev/null
	mount -t securityfs securityfs /sys/kernel/security
	echo integrity >/sys/kernel/security/lockdown
	exits 2 "locked down: no register is read" "$RTK" start mmio device="$DEV"
	said "... which is said" "the kernel is locked down, so no device may be used"
	exits 2 "... nor by the client's own claim" timeout 60 "$RTK" run mmio device="$DEV" --duration 1s --defaults
}

start $((15 + 4 + 4 + 7 + 2 + 4 + 15 + 1 + 8 + 6 + 3))
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
test_read
test_all_safe
test_locked_down
ktap_finished
