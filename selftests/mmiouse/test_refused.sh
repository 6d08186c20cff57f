#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# What must not be read is refused by its name, and nothing is changed for it.
. "$(dirname "$0")/../lib.sh"
# shellcheck source=selftests/mmio/mmio.sh
. "$(dirname "$0")/../mmio/mmio.sh"

# refuse: lines of "PARAM=VALUE...|WHY": with these set in this order, it does not start
refuse()
{
	local words why a

	while IFS='|' read -r words why; do
		set_defaults
		for a in $words enable=1; do
			try "${a%%=*}" "${a#*=}" || break
		done
		get enable
		[ "$GOT" = 0 ] || PROBLEMS+="$words: it starts"$'\n'
		get last_error
		[[ $GOT =~ $why ]] || PROBLEMS+="$words: '$GOT', not '$why'"$'\n'
	done
}

test_addresses()
{
	local first last ram

	read -r first last < <(bar "$EDU" 0)
	ram=$(sed -n 's/^0*\([1-9a-f][0-9a-f]\{5,\}\)-.* : System RAM/\1/p' /proc/iomem | head -n 1)
	refuse <<-END
		address=$ram|address=0?x?$ram: .*is System RAM
		address=0xfee00000|address=0xfee00000: .*is the local APIC
		address=fec00000|fec00000: .*is an I/O APIC
		address=a0000|a0000: .*is VGA memory
		address=fed1c000|fed1c000: no PCI memory BAR is there, see /proc/iomem
		address=$(printf %x $((first - 4)))|no PCI memory BAR is there, see /proc/iomem
		address=$(printf %x $((first - 2)))|begins before BAR 0 of $EDU
		address=$(printf %x $((last - 1)))|reaches beyond the end of BAR 0 of $EDU
		address=xyz|address=xyz: not a hexadecimal number
		address=10000000000000000|address=10000000000000000: not a hexadecimal number
		address=ffffffffffffffff|ffffffffffffffff: no PCI memory BAR is there
	END
	verdict "addresses that are no register's"
	refuse <<-END
		address=$first device=$TESTDEV|is 0x0 in BAR 0 of $EDU: .*says otherwise
		address=$first bar=1|is 0x0 in BAR 0 of $EDU: .*says otherwise
		address=$first offset=4|is 0x0 in BAR 0 of $EDU: .*says otherwise
		address=$first device=$EDU bar=0 offset=0x0|it is not claimed
		address=$first space=config|space=config: address=$first is in memory
	END
	verdict "an address, and something that says otherwise"
}

test_registers()
{
	refuse <<-END
		device=$EDU offset=100000|offset=0x100000: beyond the end of .*BAR.* 0x100000 bytes
		device=$EDU offset=2|offset=0x2: not a multiple of width=4
		device=$EDU offset=4 force=1 width=8|offset=0x4: not a multiple of width=8
		device=$EDU offset=xyz|offset=xyz: not a hexadecimal number
		device=$EDU width=8|width=8: other widths than 4 need force=1
		device=$EDU width=2|width=2: other widths than 4 need force=1
		device=$EDU width=3|width=3: must be 1, 2, 4 or 8
		device=$EDU force=1 width=3|width=3: must be 1, 2, 4 or 8
		device=$EDU bar=1 offset=0|bar=1: it has no memory there
		device=$EDU space=config offset=1000|offset=0x1000: beyond the end of its configuration space
		device=$EDU space=config force=1 width=8|width=8: space=config is read by 4 bytes at most
		device=$EDU space=config bar=0|bar=0: space=config has none
		device=$EDU count=0|count=0: no reads
		device=$TESTDEV|offset= is needed: no register .*is known to be safe to read
		device=$TESTDEV bar=1 offset=0|bar=1: it has no memory there
	END
	verdict "what is no register"
}

test_devices()
{
	refuse <<-END
		device=0000:00:00.0|0000:00:00.0: a bridge is never read
		device=0000:00:1f.0 force=1|0000:00:1f.0: a bridge is never read
		device=$SCREEN offset=0 force=1|$SCREEN: a display controller is never read
		address=$(bar "$SCREEN" 0 | cut -d' ' -f1) force=1|a display controller is never read
		device=$SCSI offset=0 force=1|$SCSI: a storage controller is never read
		device=$SCSI space=config force=1|$SCSI: a storage controller is never read
		device=0000:ff:1f.7 offset=0|0000:ff:1f\.7
		device=eth0|not the address of a PCI device
	END
	verdict "devices that are never read, or are not there"
}

test_bound()
{
	local net

	wait_for 60 test -e "$PCI/$NIC/net"
	net=$(ls "$PCI/$NIC/net")
	refuse <<-END
		device=$NIC|$NIC: driver e1000e has it; force=1 reads it nevertheless
		device=$NIC force=1|$NIC: its driver .*keeps BAR 0 for itself alone
		address=$(bar "$NIC" 0 | cut -d' ' -f1)|driver e1000e has it
	END
	verdict "what a driver has"
	DEV=$NIC
	ok "force=1: the configuration space of such a one" msi mmio space=config force=1 count=100
	eq "... is read" "$(all read count) $(json '[.per_cpu[].all_ones] | add')" "100 0"
	eq "... beside its driver" "$(owner)" "e1000e $net"
	DEV=$EDU
}

# refused TEXT WHY PARAM=VALUE...: by the client, as by debugfs
refused()
{
	local text=$1 why=$2

	shift 2
	exits 2 "$text" timeout 60 "$RTK" run mmio "$@" --duration 1s --defaults
	said "... is refused with the reason" "$why"
}

test_client()
{
	refused "by the client: an address that is no device's" "is the local APIC" address=fee00000
	refused "... a device of which no register is known" "offset= is needed" device="$TESTDEV"
	refused "... a device that is never read" "a display controller is never read" device="$SCREEN"
	refused "... what a driver has" "driver virtio-pci has it; force=1" device="$VIRTIO" offset=0
}

test_busy()
{
	exits 2 "one that nobody has claimed" "$RTK" start mmio device="$EDU" share=1
	said "... with the command" "$EDU: it is not claimed; run: rtk device claim $EDU"
	begin msi_latency period_us=10000
	exits 2 "one that another test has" timeout 60 "$RTK" run mmio device="$EDU" --duration 1s --defaults
	said "... by process" "claimed by process"
	exits 2 "... also without a claim" "$RTK" start mmio device="$EDU" share=1
	said "... by its name" "in use by a run of msi_latency"
	stop "... which goes on"
	begin mmio
	exits 2 "one that mmio has" "$RTK" start msi_latency device="$EDU" share=1
	said "... by its name" "in use by a run of mmio"
	stop "... which goes on"
}

start $((5 + 3 + 8 + 10 + 1))
need_device 1af4 1009
VIRTIO=$DEV
need_device 1af4 1004
SCSI=$DEV
need_device 1234 1111
SCREEN=$DEV
need_device 1b36 0005
TESTDEV=$DEV
need_device 8086 10d3 e1000e
NIC=$DEV
need_device 1234 11e8
EDU=$DEV
read_help
BEFORE=$(machine)
test_addresses
test_registers
test_devices
test_bound
"$RTK" set mmio --defaults
test_client
test_busy
eq "the machine is what it was" "$(machine)" "$BEFORE"
ktap_finished
