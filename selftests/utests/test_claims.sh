#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Two tests in user space on one CPU, and one that something else keeps from its CPU.
. "$(dirname "$0")/../lib.sh"
# shellcheck source=selftests/utests/utests.sh
. "$(dirname "$0")/utests.sh"
need_tool setpriv chrt taskset

start 14

begin
cpu=$(sed -n 's/^Cpus_allowed_list:[[:space:]]*//p' "/proc/$TID/status")
exits 2 "a second one on the same CPU" "$RTK" run caterpillar cpus="$cpu" samples=1
eq "is told who is there" "$OUT" \
	"rtk: CPU $cpu is measured already, by process $PID: wait for its end, name other CPUs, or set share=1"
OUT=$("$RTK" run jitter cpus="$cpu" policy=other rows=1 loop=10 calls=10 share=1 --duration 1s \
	--allow emulated 2>&1)
has "share=1: it is a reason" "$OUT" "^DEGRADED shared: test of process $PID ran on the same CPUs\$"
kill -KILL $PID
wait_for 60 over
wait $PID 2>/dev/null
ok "kill -9 ends the claim" user jitter cpus="$cpu" rows=1 loop=10 calls=10

# Nor may what waits here: on a machine with PREEMPT_RT the timer of a sleep that has
# begun there runs out only when the hog ends.
python3 -c 'import os, sys
pid, cpu = map(int, sys.argv[1:])
os.sched_setaffinity(pid, os.sched_getaffinity(pid) - {cpu})' $$ "$cpu"

# hog SECONDS: keeps the CPU from a thread of priority 10, and from no thread of the
# kernel's that handles interrupts, without which a machine with PREEMPT_RT stands still.
# The policy first: as an ordinary task it would get there in the rests only. It looks at
# the clock: a timer's end could be one of the things that it keeps from running.
hog()
{
	setpriv --pdeathsig KILL chrt -f 20 taskset -c "$cpu" bash -c \
		'end=$((SECONDS + $1)); while [ "$SECONDS" -lt "$end" ]; do :; done' hog "$1"
}

# Whether it measures or rests then, what it does not have is told; twice, since it could
# be between the two for once. Where all is slow it takes long until the CPU is taken.
begin cpus="$cpu" priority=10
hog 3
hog 3
kill -INT $PID
ends "a CPU that is taken for seconds"
cmp_num "is found, in a sample or between two" "$(json '[(.series[0].max / .conditions.ticks_hz * 1e9),
	.per_cpu[0].rest_late_ns] | max | floor')" -ge 1000000000

# 10 s without running is when it ends; a second more, for the one who looks.
begin cpus="$cpu" priority=10
hog 50 &
hog=$!
wait_for 60 over
ok "kept from its CPU: it ends while that goes on" kill -0 $hog
kill -KILL $hog
wait $PID
eq "the result is INVALID" "$?" 3
eq "why" "$(json .ended)" starved
has "as a reason" "$(json '.verdict.reasons[] | "\(.id): \(.text)"')" \
	"^failed: the run failed: starved: the thread of CPU $cpu did not run for 10 s"
cmp_num "what was measured before is reported" "$(json '.series[0].count')" -gt 0
wait $hog 2>/dev/null
eq "no thread is left" "$(ls /proc/$PID/task 2>/dev/null)" ""
ok "the claim has ended, too" user jitter cpus="$cpu" rows=1 loop=10 calls=10
ok "it fits the schema" validate "$TMP/run.json"

ktap_finished
