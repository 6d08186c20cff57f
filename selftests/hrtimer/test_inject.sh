#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The modules that disturb on purpose: whom they refuse, and what they leave behind.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../libvm.sh"

# guest WHAT OPTION...
guest()
{
	vm --kernel 6.12-rt --no-module --root initramfs --accel tcg "${@:2}" -- \
		"$TEST_DIR/inject_guest.sh" "$1"
}

# said KEY WANT
said() { eq "$1: $2" "$(sed -n "s/^$1: //p" <<<"$OUT")" "$2"; }

start 23

guest q35
said "inject without i_know" "refused, tainted 0"
said "inject" "loaded, tainted 1"
said "smi without i_know" refused
said "kind without its module" refused
said "smi" loaded
said "handler" ours
said "SMRAM" 0a
said "too short" refused
said "too long" refused
said "no CPU" refused
said "unload below it" refused
said "series" taken
said "each counted once" counted=1
said "unload while it goes on" unloaded
said "handler then" "as before"
said "SMRAM then" 0a
said "log then" 0
said "locked" refused
said "inject at the end" unloaded
has "the log says why: i_know" "$OUT" '^said: smi: .*load with i_know=1'
has "the log says why: locked" "$OUT" '^said: smi: SMRAM is locked'

guest other --qemu-arg -M --qemu-arg pc,hpet=off
said "smi" refused
has "the log says why: no q35" "$OUT" "^said: smi: for QEMU's machine q35 only"

ktap_finished
