#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Test caterpillar: its rows, its working set, and the text and the options of the
# original.
. "$(dirname "$0")/../lib.sh"
# shellcheck source=selftests/utests/utests.sh
. "$(dirname "$0")/../utests/utests.sh"

start 21

# A time and its row: all values must be those of the one sample.
ok "one sample" user caterpillar calls=200 ops=300 samples=1 working_set=4096
has "of what it was asked for is told" "$OUT" '^note: working set of CPU [0-9]+: 4 KiB, as asked for by working_set=$'
has "so is what it needs" "$OUT" '^note: it says something only with a noisy neighbour on another core'
eq "its row is right" "$(rows)" ""
eq "the working set" "$(json .values.working_set_bytes)" 4096
ok "several samples" user caterpillar calls=50 ops=500 samples=5 working_set=65536
has "more lines than operations" "$OUT" ': 31 KiB, a line for each operation: ops= does not reach more$'
has "the rows are printed" "$OUT" '^cpu +sample_min +sample_max +smpl_jitter +session_min +session_max +session_jitter +sample$'
eq "they are right" "$(rows)" ""
ok "it fits the schema" validate "$TMP/run.json"

size=$(cat /sys/devices/system/cpu/cpu0/cache/index2/size 2>/dev/null)
why="the size of the L2 cache"
[ "$size" ] || { size=256K why="the CPU states no size of an L2 cache"; }
OUT=$(user caterpillar calls=2 ops=1000000 samples=1 cpus=0)
has "by default the L2 cache's size" "$OUT" "^note: working set of CPU 0: ${size%K} KiB, $why\$"

ok "as the original prints it" user caterpillar ops=100 calls=20 samples=2 cpus=0 --format eci
eq "heading" "$(head -n 9 <<<"$OUT")" "
Cache Allocation Technology (CAT)erpillar benchmark v1.1

The benchmark will execute an operation function 100 times.
Samples are taken every 20 test cycles.
A total of 2 samples will be measured.
Thread affinity will be set to core_id: 0

Timings are in CPU Core cycles"
eq "names of the columns" "$(sed -n 19,21p <<<"$OUT")" "Priming cache...

  SampleMin  SampleMax   SmplJitter  SessionMin SessionMax SessionJitter  Sample"
eq "rows" "$(sed -n 22,23p <<<"$OUT")" \
	"$(json '.tables.samples.rows[][1:] | @tsv' | while read -ra v; do
		printf '%10d%11d%11d%13d%11d%11d%11d\n' "${v[@]}"
	done)"
has "what comes after it is a comment" "$(sed -n 24p <<<"$OUT")" '^# verdict: '
eq "and no more" "$(wc -l <<<"$OUT")" 24

OUT=$("$TOP/scripts/caterpillar" -c 0 -n 20 -i 100 -s 3 2>&1)
eq "scripts/caterpillar: its letters" "$(sed -n '4,7s/[^0-9]*\([0-9]*\).*/\1/p' <<<"$OUT" | xargs)" "100 20 3 0"
eq "it has the rows" "$(grep -c '^ .*[0-9]$' <<<"$OUT")" 3
eq "--help" "$("$TOP/scripts/caterpillar" --help | head -n 1)" "usage: caterpillar [OPTION]..."
eq "what is wrong is refused" "$("$TOP/scripts/caterpillar" -n 1 2>&1; echo $?)" \
	$'rtk: calls=1: allowed 2..1000000000\n2'

ktap_finished
