#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# memlat: points, reports, kinds of memory, wrong parameters, the end by a signal.
. "$(dirname "$0")/../lib.sh"
# shellcheck source=selftests/utests/utests.sh
. "$(dirname "$0")/../utests/utests.sh"

need_tool gnuplot setpriv

# Another test may run beside this one; 1 MiB has 21 points.
LONG=(memlat share=1 size_mib=1)
SMALL=("${LONG[@]}" warmup_us=100 repetitions=3)
POINTS=21
CPUS=$(nproc)
HUGE=/sys/kernel/mm/hugepages/hugepages-2048kB/nr_hugepages
NOBODY=(setpriv --bounding-set=-all --inh-caps=-all --clear-groups --reuid=65534 --regid=65534)

# cells TABLE COLUMN: of the latest document
cells() { json ".tables.$1 | (.columns | index(\"$2\")) as \$i | .rows[][\$i]"; }

# refused TEXT REGEX PARAMETER...: status 2, and one line that matches
refused()
{
	local text=$1 line=$2

	shift 2
	exits 2 "refused: $text" user memlat "$@"
	has "and says why" "$OUT" "^rtk: .*$line"
	eq "in one line" "$(wc -l <<<"$OUT")" 1
}

# A kernel without NUMA has node 0, too.
test_points()
{
	ok "runs" user "${SMALL[@]}"
	ok "the document fits the schema" validate "$TMP/run.json"
	eq "a row for each point" "$(cells curve size_bytes | wc -l)" $POINTS
	eq "sizes grow" "$(cells curve size_bytes)" "$(cells curve size_bytes | sort -nu)"
	eq "from 512 bytes" "$(cells curve size_bytes | head -n 1)" 512
	eq "to 1 MiB" "$(cells curve size_bytes | tail -n 1)" 1048576
	eq "a load takes time, and the median not less than the minimum" \
		"$(json '[.tables.curve.rows[] | select(.[3] < 1 or .[4] < .[3] or .[5] < 3 * 1024)] | length')" 0
	eq "a sample for each repetition" "$(json '.series[] | select(.cpu == "all").count')" $((3 * POINTS))
	eq "no page faults while measuring" "$(json '.counters | .page_faults + .major_faults')" 0
	eq "it came to its end" "$(json .ended)" complete
	cmp_num "levels" "$(cells levels level | wc -l)" -gt 0
	ok "with a duration, too" user "${SMALL[@]}" --duration 10m
	eq "which it need not use up" "$(json .ended)" complete
	ok "random order on node 0" user "${SMALL[@]}" order=random node=0
	eq "has as many" "$(cells curve size_bytes | wc -l)" $POINTS
}

# The companion that draws is the checkout's.
test_picture()
{
	if [ -z "$TOP" ]; then
		ktap_test_skip "picture: no rtk-plot"
		ktap_test_skip "picture: no rtk-plot"
		return
	fi
	ok "a picture" "$RTK" plot "$TMP/run.json" -o "$TMP/it's.svg"
	has "with its curve" "$(cat "$TMP/it's.svg")" 'stride 512: median'
}

test_strides()
{
	ok "two strides" user "${SMALL[@]}" strides=64,65536
	eq "the larger has no point below it" "$(cells curve stride_bytes | uniq -c | xargs)" \
		"$POINTS 64 $((POINTS - 12)) 65536"
}

test_lmbench()
{
	ok "--format lmbench" user "${SMALL[@]}" strides=512,1024 --format lmbench
	eq "as lat_mem_rd prints it" "$(grep -vEc '^("stride=(512|1024)|[0-9]+\.[0-9]{5} [0-9]+\.[0-9]{3}|# .*|)$' <<<"$OUT")" 0
	eq "both strides, and a blank line" "$(grep -nE '^("|$)' <<<"$OUT" | tr '\n' ' ')" \
		"1:\"stride=512 $((POINTS + 2)): $((POINTS + 3)):\"stride=1024 "
	eq "sizes of the first" "$(awk 'NR > 1 { print $1 } NR == 8 { exit }' <<<"$OUT" | xargs)" \
		"0.00049 0.00098 0.00195 0.00293 0.00391 0.00586 0.00781"
	exits 2 "not of another test" "$RTK" run jitter rows=1 --format lmbench
}

# lat_mem_rd ARG...: what it would run
lat_mem_rd() { RTK="echo" "$TOP/scripts/lat_mem_rd" "$@"; }

# Its words, in their order.
test_lat_mem_rd()
{
	eq "lat_mem_rd: all options" "$(lat_mem_rd -P 2 -W 5 -N 3 -t 64 128 512)" \
		"run memlat parallel=2 warmup_us=5 repetitions=3 order=random size_mib=64 strides=128,512 --format lmbench"
	eq "lat_mem_rd: none" "$(lat_mem_rd 128)" "run memlat size_mib=128 --format lmbench"
	exits 2 "lat_mem_rd: no size" lat_mem_rd -t
	eq "is said" "$OUT" "lat_mem_rd: SIZE is missing; see lat_mem_rd --help"
	exits 2 "lat_mem_rd: an unknown option" lat_mem_rd -x 1
	eq "is said" "$OUT" "lat_mem_rd: -x: no such option; see lat_mem_rd --help"
}

# limited OPTION VALUE COMMAND...: below a limit of ulimit's
limited() { (ulimit "$1" "$2" && shift 2 && "$@"); }

test_refused()
{
	refused "no list" 'strides=64k: not a list of bytes' strides=64k
	refused "a stride that is no pointer's" 'strides=12: 12: allowed 8' strides=12
	refused "a stride larger than the size" 'strides=2097152: .*allowed 8\.\.1048576' strides=2097152 size_mib=1
	refused "an unknown order" 'order=up: allowed stride|random' order=up
	refused "no repetition" 'repetitions=0: allowed 1' repetitions=0
	refused "fewer CPUs than parallel" 'parallel=2: only 1 CPU' parallel=2 cpus=0
	refused "a node that is not there" 'node=99: no such node' node=99
	refused "more huge pages than there are" \
		'524288 pages of 2048 kB wanted, .* echo [0-9]+ > /sys/kernel/mm/hugepages/' \
		size_mib=1048576 huge_pages=2m
	refused "more memory than there is" 'size_mib=1048576: more than is free.*MemAvailable' \
		size_mib=1048576
	exits 2 "more than the process may have is refused" limited -v 100000 user memlat share=1
	has "and says why" "$OUT" '^rtk: CPU [0-9]+: 128 MiB can.t be had: .*ulimit -v'
	ok "more than may be locked is not" limited -l 64 "${NOBODY[@]}" "$RTK" run "${SMALL[@]}" --allow emulated
	has "but the verdict says so" "$OUT" '^DEGRADED memory: memory is not locked'
}

test_pages()
{
	local before

	if [ -d /sys/kernel/mm/transparent_hugepage ]; then
		ok "transparent huge pages" user "${SMALL[@]}" huge_pages=transparent
		has "which it says" "$OUT" '^parameters: .*huge_pages=transparent'
	else
		exits 2 "no transparent huge pages" user "${SMALL[@]}" huge_pages=transparent
		has "which it says" "$OUT" 'has no transparent huge pages'
	fi
	before=$(cat $HUGE)
	echo $((before + 1)) >$HUGE
	ok "a reserved huge page" user "${SMALL[@]}" huge_pages=2m
	echo "$before" >$HUGE
}

test_parallel()
{
	ok "two CPUs" user "${SMALL[@]}" cpus=0-1 parallel=2
	eq "points on each" "$(cells curve cpu | sort | uniq -c | xargs)" "$POINTS 0 $POINTS 1"
	eq "and of all" "$(cells all size_bytes | wc -l)" $POINTS
	eq "minimum of minima" "$(json '[.tables.curve.rows[] | select(.[2] == 1048576)[3]] | min')" \
		"$(json '.tables.all.rows[] | select(.[1] == 1048576)[2]')"
}

# has_run PID SECONDS: a thread of it has had a CPU for so long
has_run()
{
	cat /proc/"$1"/task/*/stat | awk -v s="$2" -v hz="$(getconf CLK_TCK)" '
		$14 + $15 > max { max = $14 + $15 } END { exit max < s * hz }'
}

# Each of many points takes a second, so that after three two have been measured.
# Of an ordinary priority: real-time tasks for so long would keep others from a CPU.
test_interrupted()
{
	local long=("${LONG[@]}" "strides=8,16,24,32,40,48,56,64" policy=other warmup_us=1000000)

	setpriv --pdeathsig KILL "$RTK" run "${long[@]}" --allow emulated --json "$TMP/run.json" >"$TMP/run" 2>&1 &
	PID=$!
	wait_for 60 has_run "$PID" 3 || diag "$(cat "$TMP/run")"
	kill -INT "$PID"
	ends "Ctrl-C: it ends well"
	eq "Ctrl-C: the result says so" "$(json .ended)" stopped
	within "Ctrl-C: with what was measured" "$(cells curve size_bytes | wc -l)" 1 $((8 * POINTS - 1))
	ok "a duration ends it, too" user "${long[@]}" --duration 3s
	eq "and is its end" "$(json .ended)" duration
	cmp_num "with what was measured" "$(cells curve size_bytes | wc -l)" -lt $((8 * POINTS))
}

start $((70 + (CPUS > 1 ? 4 : 0)))
test_points
test_picture
test_strides
test_lmbench
test_lat_mem_rd
test_refused
test_pages
[ "$CPUS" = 1 ] || test_parallel
test_interrupted
ktap_finished
