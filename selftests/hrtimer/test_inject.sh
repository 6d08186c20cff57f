#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The modules that disturb on purpose: whom they refuse, and what they leave behind.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../libvm.sh"

# guest CASE ARG... [-- OPTION...]
guest()
{
	local words=()

	while [ $# -gt 0 ] && [ "$1" != -- ]; do
		words+=("$1")
		shift
	done
	vm --kernel 6.12-rt --no-module --root initramfs --accel tcg "${@:2}" -- \
		"$TEST_DIR/inject_guest.sh" "${words[@]}"
}

# said KEY WANT
said()
{
	local line got=

	while IFS= read -r line; do
		[[ $line != "$1: "* ]] || got=${line#"$1: "}
	done <<<"$OUT"
	eq "$1: $2" "$got" "$2"
}

# Requests that are refused, and how.
INVALID=()
for k in irqoff preemptoff softirq fifo nmi; do
	INVALID+=("kind=$k cpu=0 length_ns=0" "kind=$k cpu=0 length_ns=999"
		  "kind=$k cpu=0 length_ns=100000001")
done
OK="kind=irqoff cpu=0 length_ns=1000"
SERIES="$OK count=2 period_ns"
INVALID+=(
	"kind=smi cpu=0 length_ns=1000" "kind= cpu=0 length_ns=1000" "cpu=0 length_ns=1000"
	"kind=irqoff cpu=0" "$OK count=0" "$OK count=257 period_ns=1000000" "$OK count=2"
	"$SERIES=999999" "$SERIES=1000000001"
	"kind=irqoff cpu=0 length_ns=600000 count=2 period_ns=1199999"
	"$OK start_ns=1" "$OK start_ns=9223372036854775808"
	"$OK kind=irqoff" "$OK cpu=0" "$OK length_ns=1000" "$OK count=1 count=1"
	"$OK start_ns=0 start_ns=0" "$SERIES=1000000 period_ns=1000000"
	"$OK colour=red" "$OK count" "$OK count=" "$OK count=1x" "$OK count=-1"
	"$OK count=18446744073709551617" "$OK\\n$OK" "$OK\\0" "$OK\\0 count=1" " "
	"$OK$(printf '%513s' "")"
)
ABSENT=(
	"kind=irqoff length_ns=1000" "kind=irqoff cpu=1 length_ns=1000"
	"kind=irqoff cpu=2 length_ns=1000" "kind=irqoff cpu=8192 length_ns=1000"
	"kind=irqoff cpu=4294967296 length_ns=1000"
)

check_bounds()
{
	local r

	guest bounds "${INVALID[@]}" "${ABSENT[@]}"
	for r in "${INVALID[@]}"; do said "$r" "Invalid argument"; done
	for r in "${ABSENT[@]}"; do said "$r" "No such device"; done
	has "the log says why: twice" "$OUT" '^said: inject: refused: count= given twice$'
	has "the log says why: past" "$OUT" '^said: inject: refused: start_ns=1 is past$'
	has "the log says why: bounds" "$OUT" \
		'^said: inject: refused: length_ns=999: allowed 1000 to 100000000$'
	said "the series" "256, 1"
	said "the next one" taken
	said "its log" kind=fifo
}

# Under lockdown nothing disturbs any more, but rtk measures.
check_lockdown()
{
	local m

	guest late_modules
	for m in inject heavy; do
		said "late rtk_$m" "admitted Operation not permitted"
		has "the log says why: $m" "$OUT" "^said: $m: refused: the kernel is locked down\$"
	done
	said "after it" "tainted 0, 0 modules"
	said files none

	guest late_use
	said file taken
	said "late rtk_smi" "admitted Operation not permitted"
	has "the log says why: smi" "$OUT" '^said: smi: refused: the kernel is locked down$'
	said "open file" "Operation not permitted"
	has "the log says why: open file" "$OUT" '^said: inject: refused: the kernel is locked down$'
	said log kind=irqoff
	has "heavy: refused, and why" "$OUT" '^heavy: rtk: .*the kernel is locked down'
	said "heavy is" idle
	said measuring possible
}

start $((23 + ${#INVALID[@]} + ${#ABSENT[@]} + 6 + 15))

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

guest other -- --qemu-arg -M --qemu-arg pc,hpet=off
said "smi" refused
has "the log says why: no q35" "$OUT" "^said: smi: for QEMU's machine q35 only"

check_bounds
check_lockdown

ktap_finished
