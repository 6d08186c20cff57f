#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The tests on a network device of the igb family, which QEMU has from 8 on: a VM of its
# own for each kernel. Others are there to be read. What igb_guest.sh says is said here.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../libvm.sh"

N=69

# boot KERNEL: what it says is in $TMP/KERNEL/out
boot()
{
	local TMP=$TMP/$1

	mkdir "$TMP"
	# Registers that a driver has are out of reach otherwise.
	vm --kernel "$1" --device igb --device edu --device qemu-xhci --append iomem=relaxed -- \
		env KSFT="${KTAP_HELPERS%/kselftest/*}" "$TEST_DIR/igb_guest.sh"
}

# relay KERNEL: each of the N, also those that it did not come to
relay()
{
	local line said=0

	while read -r line; do
		case $line in
		"ok "*) ktap_test_pass "$1 ${line#ok * }" ;;
		"not ok "*) ktap_test_fail "$1 ${line#not ok * }" ;;
		"# Totals"*) continue ;;
		"#"*) echo "$line"; continue ;;
		*) continue ;;
		esac
		said=$((said + 1))
	done <"$TMP/$1/out"
	for ((; said < N; said++)); do ktap_test_fail "$1 is not said"; done
}

start $((4 * N))
for flavour in '' -rt; do
	# Two at a time: this emulation has one thread each.
	boot "6.1$flavour" &
	boot "6.12$flavour"
	wait
	relay "6.1$flavour"
	relay "6.12$flavour"
done
ktap_finished
