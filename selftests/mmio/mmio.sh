# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Sourced after lib.sh by the tests of mmio, which also need what those of MSIs have:
# msi mmio PARAM=VALUE... is a run of the client's, begin mmio one in the background.
# shellcheck source=selftests/libparams.sh
. "$LIB_DIR/libparams.sh"
# shellcheck source=selftests/msi/msi.sh
. "$LIB_DIR/msi/msi.sh"
# shellcheck disable=SC2034 # for libparams.sh
D=$RTK_DEBUGFS/mmio

# Both of these have one.
state() { cat "$RTK_DEBUGFS/${1-mmio}/state"; }

let_default()
{
	try threshold_series ""
	try force 1
	try width 4
}
let_range() { try force 1; }

# number KEY [CPU]: of a CPU's stats, in whatever line
number() { sed -n "s/^cpu=${2-$LAST} .* $1=\([0-9]*\).*/\1/p" "$D/stats" | head -n 1; }
# word SERIES KEY [CPU]
word() { stat_word mmio "${3-$LAST}" "$1" "$2"; }

# bar DEVICE NUMBER: its first and its last address
bar() { sed -n "$(($2 + 1))s/ 0x[0-9a-f]*\$//p" "$PCI/$1/resource"; }

# machine: what a run must leave as it was, of all devices: driver, what it may be, power
# management, command register.
machine()
{
	cd "$PCI" || return
	stat -c %N ./*/driver 2>/dev/null
	grep -H '' ./*/driver_override ./*/power/control
	setpci -v -s '*:*' COMMAND
	cd - >/dev/null || return
}

# stub: DEV has a driver then that does nothing, and keeps nothing for itself; unstub
stub()
{
	modprobe pci-stub || skip_all "no driver pci-stub"
	echo pci-stub >"$PCI/$DEV/driver_override"
	echo "$DEV" >/sys/bus/pci/drivers_probe
}

unstub()
{
	[ "$(driver)" != pci-stub ] || echo "$DEV" >/sys/bus/pci/drivers/pci-stub/unbind
	echo >"$PCI/$DEV/driver_override"
}
