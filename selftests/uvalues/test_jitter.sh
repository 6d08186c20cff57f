#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Test jitter: its numbers, its rows, and the text and the options of the original.
. "$(dirname "$0")/../lib.sh"
# shellcheck source=selftests/utests/utests.sh
. "$(dirname "$0")/../utests/utests.sh"

start 24

ok "a run" user jitter loop=500 calls=300 rows=4 seed=0x43090000
has "the rows are printed" "$OUT" '^cpu +inst_min +inst_max +inst_jitter +last_exec +abs_min +abs_max +tmp +interval +sample +max_jitter$'
has "so is what a tick is" "$OUT" '^a tick is [0-9.]+ ns: the counter runs at [0-9.]+ MHz$'
eq "its rows are right" "$(rows)" ""
eq "it ended by itself" "$(json .ended)" complete
ok "it fits the schema" validate "$TMP/run.json"

ok "another seed" user jitter loop=77 calls=2 rows=2 seed=4294967295
eq "its rows are right, too" "$(rows)" ""
ok "no seed" user jitter loop=10 calls=1 rows=1
eq "then there is one nevertheless" "$(json .params.seed)" -1

ok "as the original prints it" user jitter loop=100 calls=20 rows=2 cpus=0 --format eci
eq "heading" "$(head -n 6 <<<"$OUT")" "Linux Jitter testing program version 1.9
Iterations=2
The pragram will execute a dummy function 100 times
Display is updated every 20 displayUpdate intervals
Thread affinity will be set to core_id:0
Timings are in CPU Core cycles"
eq "names of the columns" "$(sed -n 17p <<<"$OUT")" \
	"  Inst_Min   Inst_Max   Inst_jitter last_Exec  Abs_min    Abs_max      tmp       Interval     Sample No"
eq "rows" "$(sed -n 18,19p <<<"$OUT")" \
	"$(json '.tables.rows.rows[][1:] | @tsv' | while read -ra v; do
		printf '%10d%11d%11d%11d%11d%11d%14d%11d%11d%11d\n' "${v[@]}"
	done)"
has "what comes after it is a comment" "$(sed -n 20p <<<"$OUT")" '^# verdict: '
eq "and no more" "$(wc -l <<<"$OUT")" 20
exits 2 "the buckets with it" "$RTK" run jitter --format eci --histogram
eq "are refused" "$OUT" "rtk: --histogram and --all-cpus are for --format table"
exits 2 "the text of another" "$RTK" run jitter --format hwlatdetect
eq "is refused by name" "$OUT" "rtk: --format hwlatdetect: for test hwlat only, not for jitter"


OUT=$("$TOP/scripts/jitter" -c 0 -l 100 -r 20 -i 3 2>&1)
eq "scripts/jitter: its letters" "$(sed -n '2,5s/[^0-9]*\([0-9]*\).*/\1/p' <<<"$OUT" | xargs)" "3 100 20 0"
eq "it has the rows" "$(grep -c '^ .*[0-9]$' <<<"$OUT")" 3
eq "--help" "$("$TOP/scripts/jitter" --help | head -n 1)" "usage: jitter [OPTION]..."
bad=
while read -r args text; do
	# shellcheck disable=SC2086 # words
	[ "$("$TOP/scripts/jitter" ${args//,/ } 2>&1; echo $?)" = "$text"$'\n'2 ] || bad+=" $args"
done <<-'END'
	-x,1 jitter: -x: no such option; see jitter --help
	-l jitter: -l: a number is missing; see jitter --help
	-l,abc jitter: -l abc: not a whole number
	-i,-3 jitter: -i -3: not a whole number
	-c,0-1 jitter: -c 0-1: not a whole number
	-r,0 rtk: calls=0: allowed 1..1000000000
	7 jitter: 7: no such argument; see jitter --help
END
eq "what is wrong is refused in one line, with status 2" "$bad" ""

ktap_finished
