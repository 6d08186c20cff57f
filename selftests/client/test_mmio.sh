#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# What is said to wrong arguments of mmioLatency.sh and of --all-safe, before anything is
# read.
. "$(dirname "$0")/../lib.sh"

script=$TOP/scripts/mmioLatency.sh

# asks WORDS ARG...: that is what rtk is asked for
asks()
{
	local words=$1

	shift
	eq "mmioLatency.sh $*" "$(env RTK=echo "$script" "$@")" "$words"
}

start 7

asks "run mmio address=0xFEBF1000 block_irq=1 --defaults --format eci" 0xFEBF1000 1
asks "run mmio address=febf1000 block_irq=0 --defaults --format eci" febf1000 0
bad=
while IFS='|' read -r args text; do
	# shellcheck disable=SC2086 # words
	[ "$(env RTK=echo "$script" $args 2>&1; echo $?)" = "mmioLatency.sh: $text"$'\n'2 ] || bad+=" $args;"
done <<-'END'
	|an argument is missing; see mmioLatency.sh --help
	febf1000|an argument is missing; see mmioLatency.sh --help
	febf1000 1 0|0: no such argument; see mmioLatency.sh --help
	febf1g 1|MMIO_address febf1g: not a hexadecimal number
	0x 1|MMIO_address 0x: not a hexadecimal number
	-1 1|MMIO_address -1: not a hexadecimal number
	febf1000 2|block_irq 2: not 1 or 0
	febf1000 on|block_irq on: not 1 or 0
END
eq "what is wrong is refused in one line, with status 2" "$bad" ""
has "mmioLatency.sh --help" "$("$script" --help | head -n 1)" "^usage: mmioLatency.sh "

bad=
for o in "--json $TMP/f" "--format eci" --histogram --all-cpus; do
	# shellcheck disable=SC2086 # words
	said=$("$RTK" run mmio --all-safe $o 2>&1) && bad+=" $o"
	[[ $said = "rtk: ${o%% *} is for one result, "* ]] || bad+=" $o: $said"
done
eq "what holds one result is refused with many" "$bad" ""
exits 2 "a test that reads no device is not for that" "$RTK" run jitter --all-safe
has "... and which is, is said" "$OUT" "mmio; not for jitter"

ktap_finished
