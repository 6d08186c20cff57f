#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The scripts by Intel's names: their arguments, their output, and that what they change
# is changed back.
. "$(dirname "$0")/../lib.sh"
# shellcheck source=selftests/msi/msi.sh
. "$(dirname "$0")/../msi/msi.sh"
need_device 8086 10d3 e1000e

RESULTS='\*{12} RESULTS \(ns\) \*{12}  \* Max: ([0-9]+) \* Avg: ([0-9]+) \* Min: ([0-9]+) # verdict: [A-Z]+ \(.*\) $'

# block TEXT: OUT is the result, whole numbers in their order, and no more
block()
{
	local max avg min

	if [[ "$(tr '\n' ' ' <<<"$OUT")" =~ ^$RESULTS ]]; then
		max=${BASH_REMATCH[1]} avg=${BASH_REMATCH[2]} min=${BASH_REMATCH[3]}
		[ "$min" -le "$avg" ] && [ "$avg" -le "$max" ] && [ "$max" -gt 0 ]
	else
		false
	fi
	eq "$1" "$?" 0 || diag "$OUT"
}

# asks SCRIPT WORDS ARG...: that is what rtk is asked for
asks()
{
	local script=$1 words=$2

	shift 2
	eq "$script $*" "$(env RTK=echo "$TOP/scripts/$script" "$@")" "$words"
}

test_words()
{
	local bad='' args text

	asks msiLatencyTest.sh "run msi_latency device=auto irq_cpu=1 period_us=10ms count=-1 --duration 0 --defaults --format eci" \
		1 10 -5
	asks msiLatencyTest.sh "run msi_latency device=03:00.0 irq_cpu=0 period_us=1ms count=7 --duration 0 --defaults --format eci" \
		0 1 7 03:00.0
	asks run_msijitter.sh "run msi_jitter device=03:00.0 irq_cpu=1 period_us=2ms count=-1 --duration 60 --defaults --format eci" \
		03:00.0 1 2 60
	asks run_msijitter.sh "run msi_jitter device=auto irq_cpu=1 period_us=2ms count=-1 --duration 0 --defaults --format eci" \
		auto 1 2 -1
	while IFS='|' read -r args text; do
		# shellcheck disable=SC2086 # words
		[ "$("$TOP"/scripts/$args 2>&1; echo $?)" = "$text"$'\n'2 ] || bad+=" $args;"
	done <<-'END'
		msiLatencyTest.sh|msiLatencyTest.sh: an argument is missing; see msiLatencyTest.sh --help
		msiLatencyTest.sh 1 10|msiLatencyTest.sh: an argument is missing; see msiLatencyTest.sh --help
		msiLatencyTest.sh 1 10 5 auto 7|msiLatencyTest.sh: 7: no such argument; see msiLatencyTest.sh --help
		msiLatencyTest.sh -1 10 5|msiLatencyTest.sh: coreSpecIRQ -1: not a whole number
		msiLatencyTest.sh 1 1.5 5|msiLatencyTest.sh: irqPeriod 1.5: not a whole number
		msiLatencyTest.sh 1 10 x|msiLatencyTest.sh: irqCount x: not a whole number
		run_msijitter.sh auto 1 10|run_msijitter.sh: an argument is missing; see run_msijitter.sh --help
		run_msijitter.sh auto x 10 5|run_msijitter.sh: run_core x: not a whole number
		run_msijitter.sh auto 1 10s 5|run_msijitter.sh: interval 10s: not a whole number
		run_msijitter.sh auto 1 10 0|run_msijitter.sh: runtime 0: nothing would be measured; see run_msijitter.sh --help
		irq_rcu.sh 0-|irq_rcu.sh: 0-: no list of CPUs that are online; see irq_rcu.sh --help
		irq_rcu.sh 4095|irq_rcu.sh: 4095: no list of CPUs that are online; see irq_rcu.sh --help
		irq_rcu.sh 0 1|irq_rcu.sh: 1: no such argument; see irq_rcu.sh --help
	END
	eq "what is wrong is refused in one line, with status 2" "$bad" ""
	for text in msiLatencyTest.sh run_msijitter.sh irq_rcu.sh; do
		has "$text --help" "$("$TOP/scripts/$text" --help | head -n 1)" "^usage: $text "
	done
}

# What of it is emulated has status 3.
test_results()
{
	exits 3 "msiLatencyTest.sh" timeout 100 "$TOP/scripts/msiLatencyTest.sh" "$LAST" 10 50 "$DEV"
	block "... prints its result"
	# It is the other one then: what carries the network is not taken.
	ip link set lan9 up
	exits 3 "msiLatencyTest.sh of the only device that may be taken" \
		timeout 100 "$TOP/scripts/msiLatencyTest.sh" "$LAST" 10 50
	ip link set lan9 down
	exits 3 "run_msijitter.sh" timeout 100 "$TOP/scripts/run_msijitter.sh" "$DEV" "$LAST" 10 1
	block "... prints its result"
	setpriv --pdeathsig KILL "$TOP/scripts/msiLatencyTest.sh" "$LAST" 10 -1 "$DEV" >"$TMP/run" 2>&1 &
	PID=$!
	wait_for 60 measures msi_latency || diag "it does not begin: $(cat "$TMP/run")"
	kill -INT $PID
	ends "without an end, until Ctrl-C" 3
	block "... which prints the result, too"
	eq "the device is back" "$(owner)" "$BEFORE"
}

# Of what can be moved; where it is.
affinities()
{
	local pid

	(cd /proc/irq && grep -H . [0-9]*/smp_affinity_list)
	pgrep -P 2 ^rcu | while read -r pid; do taskset -pc "$pid"; done
}

test_moves()
{
	local before some='[0-9]+'

	# Which has interrupts that the kernel has spread over the CPUs.
	[ -z "${RTK_VM-}" ] || { modprobe virtio_scsi && some='[1-9][0-9]*'; }
	echo "0-$LAST" >/proc/irq/8/smp_affinity_list
	before=$(affinities)
	ok "irq_rcu.sh" "$TOP/scripts/irq_rcu.sh" "$LAST"
	said "... says what it has moved" "^irq 8 \\(rtc0\\): from CPU 0-$LAST to 0$"
	said "... and how much" "^[1-9][0-9]* interrupts are for CPU 0 now, $some cannot be moved\$"
	said "... of RCU, too" "^[1-9][0-9]* tasks of RCU are on CPU $LAST now, [0-9]+ cannot be moved$"
	eq "... it is there" "$(cat /proc/irq/8/smp_affinity_list)" 0
	eq "... and so are RCU's tasks" "$(taskset -pc "$(pgrep -P 2 '^rcu_(preempt|sched)$')" | sed 's/.*: //')" "$LAST"
	eq "... but the timer is not" "$(cat /proc/irq/0/smp_affinity_list)" "0-$LAST"
	ok "once more, otherwise" "$TOP/scripts/irq_rcu.sh"
	ok "irq_rcu.sh --restore" "$TOP/scripts/irq_rcu.sh" --restore
	eq "... all is where it was" "$(affinities)" "$before"
	ok "... once more" "$TOP/scripts/irq_rcu.sh" --restore
	said "... there is nothing to be done" '^nothing to move back$'
}

start $((4 + 1 + 3 + 8 + 12))
ip link set "$(ls "$PCI/$DEV/net")" name lan9
BEFORE=$(owner)
test_words
test_moves
test_results
ktap_finished
