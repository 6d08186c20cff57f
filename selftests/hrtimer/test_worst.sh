#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# What the client says of a sample that is known to be late: when, where, who was
# interrupted and what came in meanwhile. In a VM that counts instructions instead
# of time.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../libvm.sh"

need_tool python3 date
PERIOD=1000000
LENGTH=7310000
KINDS=("irqoff irq" "nmi irq" "softirq thread" "fifo thread")

# key NAME: of the words that the guest adds.
key() { sed -n "s/.*\b$1=\([0-9]*\).*/\1/p" <<<"$OUT" | head -n 1; }

# count WORD: of what came in before the sample.
count() { sed -n "s/^ .*[ ]\([0-9]*\) $1s\?[, ].*since the sample before.*/\1/p" <<<"$OUT" | head -n 1; }

# check_worst KIND SERIES
check_worst()
{
	local line value at over nmis=0

	OUT=$(section "$1")
	eq "$1: the client's status" "$(key status)" 1
	line=$(grep 'FAILED: above 500 us: ' <<<"$OUT")
	has "$1: where it was" "$line" " ns in $2 on CPU 1 at "
	value=$(sed 's/.*500 us: \([0-9]*\) ns .*/\1/' <<<"$line")
	# What the other CPU's emulation takes, and a message about so long an NMI.
	within "$1: how late" "$value" $((LENGTH - PERIOD)) $((LENGTH + 5 * PERIOD))
	at=$(date +%s%N -d "$(sed 's/.* at \([-0-9T:.]*Z\).*/\1/' <<<"$line")")
	# When the disturbance was over, by the clock that the guest has told.
	over=$(($(key begin_ns) + $(key length_ns) + $(key wall_ns)))
	within "$1: when it was" "$at" $((over - 20000000)) $((over + 20000000))
	[ "$1" != nmi ] || nmis=1
	eq "$1: NMIs before it" "$(count NMI)" $nmis
	cmp_num "$1: interrupts before it" "$(count interrupt)" -ge 1
	case $1 in
	softirq) cmp_num "$1: softirqs before it" "$(count softirq)" -ge 1 ;;
	irqoff | nmi) has "$1: who was interrupted" "$line" ", interrupted victim \(pid $(key victim)\)" ;;
	esac
	has "$1: the monitor tells it at once" "$(section "$1 monitor")" \
		"; worst so far $value ns in $2 on CPU 1 at "
}

# check_json KIND SERIES
check_json()
{
	section "$1 json" >"$TMP/$1.json"
	ok "$1: the corrected distribution is right" /usr/bin/python3 \
		"$TEST_DIR/../client/validate.py" "$TOP/Documentation/result.schema.json" "$TMP/$1.json"
	ok "$1: ... and has what was kept away" /usr/bin/python3 -c '
import json, sys
added = [s["corrected"]["added"] for s in json.load(open(sys.argv[1]))["series"]
         if (s["name"], s["cpu"]) == (sys.argv[2], 1)]
assert len(added) == 1 and added[0] >= int(sys.argv[3]), added
' "$TMP/$1.json" "$2" $((LENGTH / PERIOD - 1))
}

start $((1 + 9 * ${#KINDS[@]} + 3))
args=()
for k in "${KINDS[@]}"; do
	args+=("client:${k% *}:${k% *}@1:$LENGTH:${k#* }")
done
ok "runs of the client" vm --kernel 6.12 --smp 2 --icount 3 -- "$TEST_DIR/truth_guest.sh" "${args[@]}"
for k in "${KINDS[@]}"; do
	check_worst "${k% *}" "${k#* }"
	check_json "${k% *}" "${k#* }"
done
ktap_finished
