#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# A device that goes, sleeps, or does not answer; a driver, a module and a client that go:
# the run ends or goes on as it should, keeps its samples, and leaves all as it was.
. "$(dirname "$0")/../lib.sh"
# shellcheck source=selftests/mmio/mmio.sh
. "$(dirname "$0")/mmio.sh"

trap 'rescan; need_device 1234 11e8; unstub; set_command 2; setpci -s "$DEV" COMMAND=0:4; cleanup' EXIT

rescan() { echo 1 >/sys/bus/pci/rescan; }
# command VALUE: its command register: 2 is memory
set_command() { setpci -s "$DEV" COMMAND="$1:2"; }

kept() { cmp_num "... keeps its samples" "$(all read count)" -gt 0; }

# gone TEXT: the run in the background ends, since the device is
gone()
{
	ends "$1: the run ends" 3
	has "... and says so" "$(state)" '^failed .*reason=device-gone'
	kept
}

test_removed()
{
	begin mmio
	echo 1 >"$PCI/$DEV/remove"
	gone "the device is removed"
	rescan
	ok "... it is found again" test -e "$PCI/$DEV"
	begin mmio
	echo "$DEV" >/sys/bus/pci/drivers/rtk/unbind
	gone "the driver rtk is unbound"
	begin mmio space=config
	echo "$DEV" >/sys/bus/pci/drivers/rtk/unbind
	gone "... also in the configuration space"
	begin mmio
	set_command 0
	gone "its memory is turned off"
	set_command 2
}

test_stubbed()
{
	stub
	exits 2 "a device with a driver" timeout 60 "$RTK" run mmio device="$DEV" --duration 1s --defaults
	said "... is refused with its name" "driver pci-stub has it; force=1 reads it nevertheless"
	ok "... force=1 reads it" msi mmio force=1 count=100
	eq "... beside its driver" "$(all read count) $(driver)" "100 pci-stub"
	begin mmio force=1
	echo "$DEV" >/sys/bus/pci/drivers/pci-stub/unbind
	gone "its driver lets it go"
	echo "$DEV" >/sys/bus/pci/drivers/pci-stub/bind
	begin mmio force=1
	echo 1 >"$PCI/$DEV/remove"
	gone "it is removed, driver and all"
	rescan
	stub
	set_command 0
	exits 2 "a device that does not decode memory" timeout 60 "$RTK" run mmio device="$DEV" force=1 --duration 1s --defaults
	said "... is refused" "does not decode memory"
	set_command 2
	unstub
}

# One without a driver is enabled, and then what it was.
test_decoding()
{
	set_command 0
	ok "... unless it has no driver" msi mmio count=100
	eq "... is read" "$(all read count) $(json '[.per_cpu[].all_ones] | add')" "100 0"
	eq "... and does not decode afterwards" $((0x$(setpci -s "$DEV" COMMAND) & 2)) 0
	set_command 2
}

# power STATE: of the device, behind the kernel's back: 0 is D0, 3 is D3hot
power() { setpci -s "$DEV" CAP_PM+4.w="$1:3"; }

test_asleep()
{
	stub
	power 3
	exits 2 "a device in D3" timeout 60 "$RTK" run mmio device="$DEV" force=1 --duration 1s --defaults
	said "... is refused" "is in power state D3hot"
	unstub
	ok "... unless it has no driver" msi mmio count=100
	eq "... which is woken" "$(all read count) $((0x$(setpci -s "$DEV" CAP_PM+4.w) & 3))" "100 0"
	echo auto >"$PCI/$DEV/power/control"
	begin mmio
	eq "one that may sleep does not during a run" "$(cat "$PCI/$DEV/power/runtime_status")" active
	stop "... until Ctrl-C"
	echo on >"$PCI/$DEV/power/control"
}

test_unloaded()
{
	begin mmio
	ok "the module is unloaded during a run" timeout 60 rmmod rtk
	ends "... of which the client can only say that" 2
	load
	begin mmio
	kill -9 "$PID"
	wait "$PID" 2>/dev/null
	ok "a client that is killed: the run ends" wait_for 60 grep -q '^[a-z]* .*reason=' "$D/state"
}

start $((13 + 12 + 3 + 3 + 6 + 2))
need_device 8086 10d3
NIC=$DEV
# Another test may have loaded it.
modprobe -r e1000e
need_device 1234 11e8
# One that was a bus master is one afterwards.
setpci -s "$DEV" COMMAND=4:4
BEFORE=$(machine)
test_removed
test_stubbed
test_decoding
test_unloaded
DEV=$NIC
test_asleep
ok "nothing is left: rtk restore" "$RTK" restore
eq "the machine is what it was" "$(machine)" "$BEFORE"
ktap_finished
