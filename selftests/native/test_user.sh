#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Tests in user space on this machine itself: what would take minutes in an emulated one,
# and without a real-time policy. All else of them is in areas utests and uvalues.
. "$(dirname "$0")/../lib.sh"
need_root
need_tool jq setpriv

ordinary() { "$RTK" run "$@" policy=other --json - 2>/dev/null; }

# The JSON document of a run, and its text after that.
says() { jq -n "first(inputs) | $1" <<<"$OUT"; }

# A run that is killed in its middle, at a time when half of its rows are saved.
killed()
{
	"$RTK" run jitter policy=other loop=800 calls=2000 rows=4000 --checkpoint 1s \
		--json "$TMP/k.json" --quiet >/dev/null 2>&1 &
	wait_for 60 test -s "$TMP/k.json"
	kill -9 $!
	wait $!
}

# of FILTER: of the document of that run
of() { jq -c "$1" "$TMP/k.json"; }

start 16

# 61000 calls of 80000 steps: what the original shows of itself.
OUT=$(ordinary jitter seed=0x43090000 rows=2)
eq "jitter: the published sums" "$(says '[.tables.rows.rows[][7]] | @csv')" '"3158835200,2370306048"'
OUT=$(ordinary caterpillar samples=2 calls=1000)
eq "caterpillar: 2000 calls" "$(says '[.series[] | select(.cpu == "all").count] | @csv')" '"2000,2"'
OUT=$(ordinary memlat size_mib=4 warmup_us=1000 repetitions=3)
eq "memlat: 25 points, three times" "$(says '[(.tables.curve.rows | length), .series[-1].count] | @csv')" '"25,75"'
eq "from 512 bytes up to 4 MiB" "$(says '[.tables.curve.rows[0][2], .tables.curve.rows[-1][2]] | @csv')" \
	'"512,4194304"'
has "a load takes longer from 4 MiB than from 512 bytes" \
	"$(says '.tables.curve.rows | .[-1][3] > .[0][3]')" '^true$'
exits 4 "rhealstone needs a right" setpriv --bounding-set=-sys_nice --inh-caps=-sys_nice \
	sh -c 'ulimit -r 0 && exec "$@"' sh "$RTK" run rhealstone loops=10
has "and says which" "$OUT" '^rtk: policy=fifo priority=95: .*CAP_SYS_NICE'
killed 2>/dev/null
eq "killed: the document says that it went on" "$(of '[.ended, .verdict.reasons[0].id]')" '["","running"]'
eq "and what a tick is" "$(of '.conditions.ticks_hz > 1e6')" true
rows=$(of '.tables.rows.rows | length')
OUT=$("$RTK" run --resume "$TMP/k.json" 2>/dev/null)
eq "resumed: it has all its rows" "$(of '[.ended, (.tables.rows.rows | length)]')" '["complete",4000]'
cmp_num "those of before among them" "${rows:-0}" -gt 0
eq "and two parts" "$(of '[.parts[].ended]')" '["","complete"]'
exits 2 "it can't be resumed any more" "$RTK" run --resume "$TMP/k.json"
has "since it came to its end" "$OUT" 'own end: nothing to resume$'
exits 2 "a test beside the file" "$RTK" run jitter --resume "$TMP/k.json"
has "list: they are there" "$("$RTK" list 2>/dev/null)" '^rhealstone +user '

ktap_finished
