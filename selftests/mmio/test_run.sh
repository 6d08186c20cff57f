#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Runs of mmio on QEMU's device edu: each read counts once, what is counted adds up, and a
# disturbance of known length is found where it belongs.
. "$(dirname "$0")/../lib.sh"
# shellcheck source=selftests/mmio/mmio.sh
. "$(dirname "$0")/mmio.sh"
need_device 1234 11e8
INJECT=/sys/kernel/debug/rtk_inject
MODULE=${RTK_MODDIR:-$TOP}/rtk_inject.ko

trap 'set_defaults; [ ! -d $INJECT ] || rmmod rtk_inject; cleanup' EXIT

fresh()
{
	set_defaults
	set_all device="$DEV" cpus="$LAST" warmup_ms=0 count=3000 "$@"
}

# sum: total_ns is that of the values, of which there is the mean, rounded; how far off
sum()
{
	local n

	n=$(word read count)
	echo $((($(number total_ns) + n / 2) / n - $(word read mean_ns)))
}

grown() { [ "$(word read count)" -gt "$1" ]; }

test_counts()
{
	local i c all='' want=''

	for i in 1 0; do
		run block_irq=$i mmio_outlier_ns=1000000
		eq "block_irq=$i: all that were asked for" "$(state | grep -o 'reason=[a-z]*') $(number loops)" \
			"reason=duration 3000"
		eq "... each is a sample, and what is between two" \
			"$(word read count) $(word gap count)" "3000 2999"
		eq "... total_ns is their sum" "$(sum)" 0
		eq "... none is all ones" "$(number all_ones)" 0
		within "... reading the clock is part of each" "$(number clock_ns)" 1 "$(word read min_ns)"
	done
	run count=200 cpus="0-$LAST"
	for ((c = 0; c <= LAST; c++)); do
		all+="$(number loops $c) $(word read count $c) "
		want+="200 200 "
	done
	eq "on each CPU, if there are several" "$all" "$want"
	run count=1
	eq "one read has none before it" "$(number loops) $(word read count) $(word gap count)" "1 1 0"
	run count=2
	eq "two are the sum of both" "$(number total_ns)" $(($(word read min_ns) + $(word read max_ns)))
}

test_ends()
{
	fresh count=-1
	set_all enable=1
	wait_for 60 grown 0
	has "while it runs: current_value" "$(cat "$D/current_value")" \
		"^cpu=$LAST series=read last_ns=[0-9]+ max_ns=[0-9]+ mean_ns=[0-9]+ min_ns=[0-9]+"
	ok "... goes on without an end" wait_for 60 grown $(($(word read count) + 10000))
	set_all enable=0
	has "... until it is stopped" "$(state)" "^done .*reason=stopped"
	eq "... counts what was read" "$(number loops) $(sum)" "$(word read count) 0"
	run count=-1 duration_ms=100
	has "duration_ms ends it" "$(state)" "^done .*reason=duration elapsed_ns=[1-9][0-9]{8}"
	cmp_num "... after some reads" "$(number loops)" -gt 100
	run threshold_ns=1 stop_on_threshold=1
	has "so does the threshold" "$(state)" "^done .*reason=threshold"
	has "... which is for the reads" "$(cat "$D/outliers")" "^cpu=$LAST series=read "
	run threshold_ns=1 threshold_series=gap stop_on_threshold=1
	has "... unless asked otherwise" "$(cat "$D/outliers")" "^cpu=$LAST series=gap "
	stops_tracing
}

# By themselves, or by what is said of them.
test_limits()
{
	local limit low high

	run mmio_outlier_ns=1 sched_outlier_ns=1
	eq "every read is above 1 ns, every gap, too" \
		"$(number mmio_outliers) $(number sched_outliers) $(number mmio_limit_ns)" \
		"3000 2999 1"
	run mmio_outlier_ns=1000000000 sched_outlier_ns=1000000000
	eq "none is above 1 s" "$(number mmio_outliers) $(number sched_outliers)" "0 0"
	run
	eq "the first 1000 are looked at, which ends no gap" "$(word gap count)" 2999
	# All there are; the median is between the 500th and the 501st.
	run count=1000
	limit=$(number mmio_limit_ns)
	read -r low high < <(awk '
		/^# / { on = /series=read/; next }
		!on || NF != 3 { next }
		n < 500 && n + $3 >= 500 { low = $1 }
		n < 501 && n + $3 >= 501 { high = $2 }
		{ n += $3 }
		END { print 10 * low, 10 * high }' "$D/histogram")
	within "without a limit it is 10 times the median" "$limit" "$low" "$high"
	# Of those in its own bucket nobody knows.
	read -r low high < <(awk -v limit="$limit" '
		/^# / { on = /series=read/; next }
		!on || NF != 3 { next }
		$1 > limit { low += $3 }
		$2 > limit + 1 { high += $3 }
		END { print low + 0, high + 0 }' "$D/histogram")
	within "... above which are so many" "$(number mmio_outliers)" "$low" "$high"
}

# injected TEXT: 20 interrupts of 2 ms hit the run, PARAM=VALUE...
injected()
{
	fresh count=-1 mmio_outlier_ns=1900000 sched_outlier_ns=1900000 "$@"
	set_all enable=1
	wait_for 60 grown 1000
	echo "kind=irqoff cpu=$LAST length_ns=2000000 count=20 period_ns=10000000" >$INJECT/inject
	wait_for 60 test_log 20
	wait_for 60 grown $(($(word read count) + 1000))
	set_all enable=0
}
test_log() { [ "$(wc -l <$INJECT/log)" -ge "$1" ]; }

# More than these come of the machine's own. When a host holds up the CPU, two of them
# come without a read in between, which are one gap then.
test_truth()
{
	if ! insmod "$MODULE" i_know=1 2>/dev/null; then
		for _ in 1 2 3 4; do ktap_test_skip "no module that disturbs"; done
		return
	fi
	injected block_irq=1
	cmp_num "interrupts of 2 ms: between two reads, with interrupts off" \
		"$(number sched_outliers)" -ge 10
	cmp_num "... by their length" "$(word gap max_ns)" -ge 2000000
	injected block_irq=0
	cmp_num "... else in reads, too" "$(number mmio_outliers)" -ge 1
	cmp_num "... none is lost" "$(($(number mmio_outliers) + $(number sched_outliers)))" -ge 10
	rmmod rtk_inject
}

# Is another one ready to run, or is it taken: both are a gap. Three times 150 ms.
test_preempted()
{
	fresh count=-1 sched_outlier_ns=140000000
	set_all enable=1
	wait_for 60 grown 1000
	for _ in 1 2 3; do
		python3 - "$LAST" <<-'END'
		import os, sys, time
		os.sched_setaffinity(0, {int(sys.argv[1])})
		os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(10))
		end = time.monotonic() + 0.15
		while time.monotonic() < end:
		    pass
		END
		wait_for 60 grown "$(word read count)"
	done
	set_all enable=0
	cmp_num "a task that takes the CPU three times makes three long gaps" \
		"$(number sched_outliers)" -ge 3
	cmp_num "... by their length" "$(word gap max_ns)" -ge 150000000
}

# A device that is there may answer so.
test_ones()
{
	local w here='' there=''

	run count=500 force=1 width=8 offset=0
	eq "all ones are counted, and the run goes on" "$(number loops) $(number all_ones)" "500 500"
	for w in 1 2 4; do
		run count=500 force=1 width=$w space=config
		here+="$(number loops) $(number all_ones) "
		run count=500 force=1 width=$w space=config offset=100
		there+="$(number loops) $(number all_ones) "
	done
	eq "... none in the configuration space, by any width" "$here" "500 0 500 0 500 0 "
	eq "... but where it has nothing" "$there" "500 500 500 500 500 500 "
}

# settled: what was read
settled() { json '.params | "\(.device) \(.space) \(.bar) \(.offset) \(.address) \(.width)"'; }

test_client()
{
	local at

	at=$(bar "$DEV" 0)
	at=$(printf 0x%x "${at% *}")
	ok "by the client" msi mmio count=2000
	eq "... what was read is said" "$(settled)" "$DEV memory 0 0x0 $at 4"
	eq "... and how often" "$(all read count) $(json '[.per_cpu[].loops] | add')" "2000 2000"
	eq "... statistics" "$(wrong read gap)" ""
	ok "... the document fits the schema" validate
	ok "... that can be said again" msi mmio count=10 bar=0 offset=0x0 address="$at"
	ok "another register" msi mmio count=10 offset=80 width=8 force=1
	ok "... and the device alone" timeout 120 "$RTK" run mmio device="$DEV" count=10 \
		--duration 0 --quiet --allow emulated --json "$TMP/run.json"
	eq "... which is not what was read before" "$(settled)" "$DEV memory 0 0x0 $at 4"
	setpriv --pdeathsig KILL "$TOP/scripts/mmioLatency.sh" "${at#0x}" 1 >"$TMP/run" 2>&1 &
	PID=$!
	wait_for 60 measures mmio || diag "it does not begin: $(cat "$TMP/run")"
	kill -INT $PID
	ends "mmioLatency.sh, until Ctrl-C" 3
	eq "... prints the block" "$(grep -v '^#' <<<"$OUT" | sed 's/[0-9][0-9]*/N/')" "$BLOCK"
	eq "... avg is total / loops" "$(block avg)" $(($(block total) / $(block loops)))
}

BLOCK='RT Core Module
------------------------
 Stats:
  max= N
  avg= N
  min= N
  total= N
  loops= N

 mmio-outliers: N
 sched-outliers: N'
# block WORD: a number in it
block() { sed -n "s/^  $1= //p" <<<"$OUT"; }

start $((13 + 10 + 5 + 4 + 2 + 3 + 12))
"$RTK" device claim "$DEV" >/dev/null
read_help
test_counts
test_ends
test_limits
test_truth
test_preempted
test_ones
set_defaults
"$RTK" device release "$DEV" >/dev/null
test_client
ktap_finished
