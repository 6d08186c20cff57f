#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# A measurement by echo and cat alone, and what its files say.
. "$(dirname "$0")/../lib.sh"

D=$RTK_DEBUGFS/hrtimer

need_module
need_tool chrt taskset rmmod
[ -d "$D" ] || skip_all "no debugfs"

cleanup()
{
	defaults
	lib_cleanup
}
trap cleanup EXIT

set_to() { printf '%s\n' "$2" >"$D/$1"; }
state() { cat "$D/state"; }
ended() { [ "$(cat "$D/enable")" = 0 ]; }

# set NAME=VALUE...
set_all()
{
	local a

	for a; do
		set_to "${a%%=*}" "${a#*=}" || diag "$a: $(cat "$D/last_error")"
	done
}

defaults()
{
	set_all enable=0 offset_ns=0 align=0 cpus= duration_ms=0 warmup_ms=100 policy=fifo \
		threshold_ns=0 threshold_series= stop_on_threshold=0 stop_tracing=0 \
		outlier_slots=256 period_ns=250000 thread=1 user=0
}

# run NAME=VALUE...: to its planned end. Less than the second that the overload
# guard looks at, so that no busy machine makes it a failure.
run()
{
	defaults
	set_all duration_ms=500 period_ns=1000000 "$@" enable=1
	wait_for 60 ended || diag "does not end: $(state)"
}

# check_stats WANT...: each line has all the words, they fit together, and the
# lines are those wanted, as cpu/series.
check_stats()
{
	awk -v want="$*" '
		function complain(what) { print what ": " $0 }
		{
			split("", v)
			for (i = 1; i <= NF; i++) {
				if (split($i, w, "=") != 2) complain("not a word: " $i)
				v[w[1]] = w[2]
			}
			got = got (NR > 1 ? " " : "") v["cpu"] "/" v["series"]
			n = split("count expected delivered late missed negative", must, " ")
			for (i = 1; i <= n; i++)
				if (v[must[i]] !~ /^[0-9]+$/) complain("no " must[i])
			n = split("min_ns mean_ns stddev_ns p50_ns p99_ns max_ns", must, " ")
			for (i = 1; i <= n; i++)
				if ((must[i] in v) != (v["count"] > 0)) complain("word " must[i])
			if (v["expected"] + 0 != v["delivered"] + v["missed"]) complain("ledger")
			if (v["delivered"] + 0 != v["count"] + v["negative"]) complain("count")
			if (v["negative"] != 0) complain("negative")
			if (v["late"] + 0 > v["count"] + 0) complain("late")
			if (v["count"] == 0) next
			if (v["min_ns"] + 0 > v["p50_ns"] + 0 || v["p50_ns"] + 0 > v["p99_ns"] + 0 ||
			    v["p99_ns"] + 0 > v["max_ns"] + 0) complain("percentiles")
			if (v["min_ns"] + 0 > v["mean_ns"] + 0 || v["mean_ns"] + 0 > v["max_ns"] + 0)
				complain("mean")
			if (v["stddev_ns"] + 0 > v["max_ns"] - v["min_ns"]) complain("stddev")
		}
		END { if (got != want) print "lines: " got ", not " want }' "$D/stats"
}

# Blocks in the order of stats, parted by two empty lines; rows [low, high)
# that are buckets, in order; their sum is the count, the ends hold min and max.
check_histogram()
{
	awk '
		function complain(what) { print what ": " block ": " $0 }
		# Width of the bucket that begins at low: 64 in an octave.
		function width(low,   w) {
			for (w = 1; low >= 128 * w; w *= 2);
			return w
		}
		function close_block() {
			if (block == "") return
			if (sum != count[block]) complain("sum " sum ", count " count[block])
			if (!(first <= min[block] && min[block] < first_high)) complain("minimum")
			if (!(low <= max[block] && max[block] < high)) complain("maximum")
		}
		FILENAME ~ /stats$/ {
			for (i = 1; i <= NF; i++) { split($i, w, "="); v[w[1]] = w[2] }
			key = "# cpu=" v["cpu"] " series=" v["series"]
			order[++lanes] = key
			count[key] = v["count"]; min[key] = v["min_ns"]; max[key] = v["max_ns"]
			next
		}
		/^#/ {
			close_block()
			block = $0
			if (++blocks > 1 && empty != 2) complain(empty " empty lines")
			if (block != order[blocks]) complain("not " order[blocks])
			empty = sum = high = 0
			first = -1
			next
		}
		NF == 0 { empty++; next }
		empty || NF != 3 { complain("row") }
		{
			if ($1 < high) complain("order")
			low = $1; high = $2; sum += $3
			if ($2 - $1 != width($1) || $1 % width($1)) complain("bucket")
			if ($3 !~ /^[1-9][0-9]*$/) complain("count")
			if (first < 0) { first = low; first_high = high }
		}
		END {
			close_block()
			if (blocks != lanes || !lanes) print blocks " blocks for " lanes " lanes"
			if (empty) print "empty lines at the end"
		}' "$D/stats" "$D/histogram"
}

online() { tr ',' '\n' </sys/devices/system/cpu/online | while IFS=- read -r a b; do seq "$a" "${b:-$a}"; done; }
lanes() { for c in $(online); do echo "$c/irq"; [ "${1-}" = irq ] || echo "$c/thread"; done | xargs; }

test_before_any_run()
{
	set_to enable 1 && set_to enable 0
	rmmod rtk 2>/dev/null && { modprobe rtk 2>/dev/null || insmod "${RTK_MODDIR:-$TOP}/rtk.ko"; }
	if [[ $(state) != idle* ]]; then
		for _ in 1 2 3; do ktap_test_skip "module cannot be loaded anew"; done
		return
	fi
	eq "before any run: stats are empty" "$(cat "$D/stats" "$D/histogram" "$D/outliers")" ""
	eq "before any run: idle" "$(state)" "idle generation=0"
	eq "before any run: enable reads 0" "$(cat "$D/enable")" 0
}

test_by_echo()
{
	local a b

	defaults
	set_all period_ns=10000000
	ok "enable takes 1" set_to enable 1
	eq "enable reads 1" "$(cat "$D/enable")" 1
	has "state is running" "$(state)" '^running generation=[0-9]+ elapsed_ns=[0-9]+ cpus='
	exits 1 "enable takes no second 1" set_to enable 1
	has "the error is that it is busy" "$OUT" 'Device or resource busy'
	has "the reason names the owner" "$(cat "$D/last_error")" "hrtimer busy: owner pid [0-9]+ \(test_debugfs_ru"
	wait_for 60 grep -q 'cpu=0 series=thread count=[1-9]' "$D/stats"
	a=$(stat_word hrtimer 0 irq count)
	wait_for 60 sh -c "[ \$(grep -o 'series=irq count=[0-9]*' $D/stats | head -n 1 | tr -dc 0-9) -gt $a ]"
	b=$(stat_word hrtimer 0 irq count)
	cmp_num "results grow while it runs" "$b" -gt "$a"
	has "current values while it runs" "$(cat "$D/current_value")" \
		'^cpu=0 series=irq last_ns=[0-9]+ max_ns=[0-9]+ mean_ns=[0-9]+ min_ns=[0-9]+'
	exits 1 "enable takes no nonsense" set_to enable 2
	has "the reason says what it takes" "$(cat "$D/last_error")" '^enable: allowed 0 or 1'
	ok "enable takes 0" set_to enable 0
	eq "enable reads 0" "$(cat "$D/enable")" 0
	has "state is done" "$(state)" '^done generation=[0-9]+ reason=stopped elapsed_ns=[0-9]+ cpus=[0-9,-]+ lost_cpus=$'
	cmp_num "the results stay" "$(stat_word hrtimer 0 irq count)" -ge "$b"
	eq "stats: every line and word, and they agree" "$(check_stats "$(lanes)")" ""
	eq "histogram: blocks, rows and sums" "$(check_histogram)" ""
	a=$(cat "$D/stats" "$D/histogram")
	set_all period_ns=20000000 thread=0
	eq "the results stay when a parameter is set" "$(cat "$D/stats" "$D/histogram")" "$a"
	ok "enable takes 0 with nothing to stop" set_to enable 0
	eq "the results stay then, too" "$(cat "$D/stats" "$D/histogram")" "$a"
}

test_duration()
{
	run
	has "a duration ends by itself" "$(state)" '^done .*reason=duration elapsed_ns=500000000 '
	eq "stats of it" "$(check_stats "$(lanes)")" ""
	eq "histogram of it" "$(check_histogram)" ""
	# A grid begins within 5 s, or there is no run. So slow that no stall of a busy
	# machine is an overload.
	run warmup_ms=6000 period_ns=10000000
	eq "expected is duration through period" \
		"$(grep -o 'expected=.* delivered' "$D/stats" | sort -u)" "expected=50 delivered"
	run cpus=0
	eq "one CPU: its lines only" "$(check_stats 0/irq 0/thread)" ""
	has "one CPU: state says so" "$(state)" ' cpus=0 '
	run thread=0
	eq "thread=0: lines of irq only" "$(check_stats "$(lanes irq)")" ""
	eq "thread=0: histogram" "$(check_histogram)" ""
	run align=1 offset_ns=100000
	has "align and offset: it ends as planned" "$(state)" '^done .*reason=duration'
	eq "align and offset: stats" "$(check_stats "$(lanes)")" ""
	run align=1 offset_ns=1000000000
	eq "an offset beyond the end: nothing is expected there" "$(check_stats "$(lanes)")" ""
	run period_ns=1000000000 warmup_ms=0 cpus=0
	eq "not one whole period: stats" "$(check_stats 0/irq 0/thread)" ""
	run warmup_ms=0 period_ns=300000
	eq "no warm-up: stats" "$(check_stats "$(lanes)")" ""
	for policy in rr other; do
		run "policy=$policy"
		eq "policy $policy: stats" "$(check_stats "$(lanes)")" ""
	done
}

test_policy()
{
	local spec want tid

	for spec in "fifo 42 SCHED_FIFO" "rr 1 SCHED_RR" "other 50 SCHED_OTHER"; do
		read -r p prio want <<<"$spec"
		defaults
		set_all "policy=$p" "priority=$prio" period_ns=10000000 duration_ms=0 enable=1
		tid=$(grep -lx rtk/0 /proc/[0-9]*/comm | tr -dc 0-9)
		has "policy $p: the thread has it" "$(chrt -p "$tid" | tr "\n" " ")" \
			"policy: $want.* priority: $([ "$p" = other ] && echo 0 || echo "$prio") $"
		eq "policy $p: the thread is on its CPU" "$(taskset -cp "$tid" | sed 's/.*: //')" 0
		set_to enable 0
	done
	set_to priority 95
}

has_outliers() { [ "$(stat_word hrtimer 0 irq outliers)" -ge "$1" ]; }

test_outliers()
{
	defaults
	set_all threshold_ns=1 threshold_series=irq outlier_slots=10 cpus=0 period_ns=10000000 enable=1
	wait_for 60 has_outliers 20
	set_to enable 0
	eq "outliers: every sample, the ring keeps ten" \
		"$(grep -c 'series=irq worst=0' "$D/outliers")" 10
	eq "outliers: the counter has them all" "$(stat_word hrtimer 0 irq outliers)" \
		"$(stat_word hrtimer 0 irq count)"
	eq "outliers: the worst is the maximum" \
		"$(sed -n '1s/.*value_ns=\([0-9]*\).*/\1/p' "$D/outliers")" "$(stat_word hrtimer 0 irq max_ns)"
	defaults
	set_all period_ns=10000000 threshold_ns=1 stop_on_threshold=1 enable=1
	ok "stop_on_threshold: it ends" wait_for 60 ended
	has "stop_on_threshold: the reason" "$(state)" '^done .*reason=threshold'
	eq "stop_on_threshold: ledgers" "$(check_stats "$(lanes)")" ""
	stops_tracing
}

# A file that is read while another run begins is not one of both.
test_stale()
{
	local f fd

	for f in stats histogram outliers; do
		run threshold_ns=1
		exec {fd}<"$D/$f"
		dd bs=1 count=1 status=none <&"$fd" >"$TMP/first"
		run threshold_ns=1
		has "$f of two runs: an error" "$(cat <&"$fd" 2>&1)" 'Stale file handle$'
		exec {fd}<&-
	done
}

# 10 us on every CPU: it ends either way, and the machine answers all the time. Which
# way is right is known in the VMs of ends/test_overload.sh only.
test_overload()
{
	local begin=$SECONDS slowest=0 t

	defaults
	set_all period_ns=10000 duration_ms=2000 warmup_ms=0
	ok "the shortest period: it starts" set_to enable 1
	while ! ended && [ $((SECONDS - begin)) -lt 100 ]; do
		t=$SECONDS
		sleep 0.1
		[ $((SECONDS - t)) -le "$slowest" ] || slowest=$((SECONDS - t))
	done
	ok "the shortest period: it ends" ended
	cmp_num "the shortest period: the shell answers" "$slowest" -lt 20
	has "the shortest period: done or overload" "$(state)" '^(done .*reason=duration elapsed_ns=2000000000 |failed .*reason=overload)'
	if [[ $(state) = failed* ]]; then
		has "the reason names a period that works" "$(state)" ' cause=CPU [0-9]+ .* try .*[0-9]{5,} ns or more$'
	else
		has_not "there is no cause to name" "$(state)" 'cause='
	fi
	eq "the shortest period: ledgers" "$(check_stats "$(lanes)")" ""
	# Nobody waits for the end of a warm-up that cannot be kept up with.
	set_all period_ns=10000 duration_ms=1000 warmup_ms=3600000
	set_to enable 1
	sleep 3
	t=$SECONDS
	set_to enable 0
	ok "the shortest period in a warm-up: it ends" ended
	cmp_num "the shortest period in a warm-up: the shell answers" $((SECONDS - t)) -lt 20
}

start $((3 + 19 + 15 + 6 + 7 + 3 + 8))
test_before_any_run
test_by_echo
test_duration
test_policy
test_outliers
test_stale
test_overload
ktap_finished
