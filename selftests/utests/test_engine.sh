#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The engine of tests in user space: how a run ends, what it holds of the machine
# meanwhile, what it does without the rights it would like to have.
. "$(dirname "$0")/../lib.sh"
# shellcheck source=selftests/utests/utests.sh
. "$(dirname "$0")/utests.sh"
need_tool setpriv od taskset

latency() { od -An -td4 -N4 /dev/cpu_dma_latency | xargs; }

# task PID FIELD: of its status
task() { sed -n "s/^$2:[[:space:]]*//p" "/proc/$1/status"; }

# nobody ARG...: without any right
nobody() { (ulimit -Sl 64 -r 0 && exec setpriv --reuid 65534 --clear-groups "$RTK" "$@" --allow emulated); }

start 50

# --- how a run ends ---------------------------------------------------------------

ok "its own end" user jitter loop=10 calls=10 rows=2
eq "is told" "$(json '"\(.ended) \(.planned_ns)"')" "complete null"
ok "--duration" user jitter loop=10 calls=10 --duration 500ms
eq "is told" "$(json '"\(.ended) \(.planned_ns)"')" "duration 500000000"
within "and kept" "$(json .duration_ns)" 500000000 60000000000
exits 1 "stop_on_threshold" user jitter loop=1000 calls=1000 duration_ms=0 threshold_ns=1 stop_on_threshold=1
eq "is told" "$(json .ended)" threshold
eq "the first row above it was the last" "$(json '.tables.rows.rows | length')" 1
exits 1 "--fail-above 1ns" user jitter loop=1000 calls=1000 rows=1 --fail-above 1ns
has "with the worst in ticks" "$OUT" '^worst of jitter: [0-9]+ ticks '
ok "--fail-above 10s" user jitter loop=1000 calls=1000 rows=1 --fail-above 10s
exits 2 "what is not allowed" user jitter rows=0
eq "is refused in one line" "$OUT" "rtk: rows=0: allowed 1..1000000000"

# --- what it holds meanwhile -------------------------------------------------------

before=$(latency)
begin dma_latency_us=0
cpu=$(task "$TID" Cpus_allowed_list)
eq "the measured thread has one CPU" "$(taskset -cp "$cpu" $$ >/dev/null && echo one)" one
taskset -cp "$(cat /sys/devices/system/cpu/online)" $$ >/dev/null
eq "policy FIFO, priority 95" "$(awk '{ print $41, $40 }' "/proc/$PID/task/$TID/stat")" "1 95"
if [ "$(nproc)" -gt 1 ]; then
	taskset -cp "$PID" >"$TMP/affinity"
	has_not "the controller is kept off it" ",$(sed 's/.*: //' "$TMP/affinity")," "[,-]${cpu}[,-]"
else
	ktap_test_skip "the controller is kept off it: one CPU"
fi
eq "the controller's policy is the ordinary one" "$(awk '{ print $41 }' "/proc/$PID/task/$PID/stat")" 0
cmp_num "all memory is locked" "$(task "$PID" VmLck | cut -d' ' -f1)" -gt 1000
has "the latency limit is held" "$(readlink "/proc/$PID"/fd/*)" '^/dev/cpu_dma_latency$'
eq "it is 0 us" "$(latency)" 0
kill -INT "$PID"
ends "SIGINT ends it"
eq "is told" "$(json .ended) $(json .planned_ns)" "stopped 0"
has "as a reason, too" "$(reasons)" '\binterrupted\b'
cmp_num "what was measured is reported" "$(json '.series[0].count')" -gt 0
has_not "no page fault" "$(reasons)" page-faults
eq "conditions" "$(json '.conditions | [.realtime, .memory_locked, .latency_held, .rows_lost] | @csv')" \
	"true,true,true,0"
ok "it fits the schema" validate "$TMP/run.json"

begin dma_latency_us=77 policy=rr priority=7
eq "policy RR, priority 7" "$(awk '{ print $41, $40 }' "/proc/$PID/task/$TID/stat")" "2 7"
# Somebody else may want less, but in a VM.
held=$(latency)
in_vm || [ "$held" -ge 77 ] || held=77
eq "another limit" "$held" 77
kill -KILL "$PID"
wait_for 60 over
eq "kill -9 leaves no thread" "$(ls "/proc/$PID/task" 2>/dev/null)" ""
wait "$PID" 2>/dev/null
after=$(latency)
in_vm || after=$before
eq "nor a limit" "$after" "$before"

begin dma_latency_us=-1 policy=other
eq "policy other" "$(awk '{ print $41, $40 }' "/proc/$PID/task/$TID/stat")" "0 0"
has_not "no limit where none is wanted" "$(readlink "/proc/$PID"/fd/*)" latency
kill -TERM "$PID"
ends "SIGTERM ends it, too"
has_not "an ordinary policy that was asked for is no reason" "$(reasons)" '\bpriority\b'

# --- a reader that does not read -----------------------------------------------------

mkfifo "$TMP/fifo"
exec 9<>"$TMP/fifo"
"$RTK" run jitter loop=10 calls=10 rows=3000 policy=other --format eci >"$TMP/fifo" 2>/dev/null &
PID=$!
writes() { grep -q pipe "/proc/$PID/wchan"; }
ok "a report waits for its reader" wait_for 60 writes
kill -TERM $PID
ok "and can be ended all the same" wait_for 60 over
exec 9>&-
wait $PID 2>/dev/null

# --- rests: others need the CPU, too ---------------------------------------------------

counted() { json ".counters.$1"; }

throttling=/proc/sys/kernel/sched_rt_runtime_us
runtime=$(cat $throttling)
if [ "$runtime" -gt 0 ]; then
	ok "with a real-time policy" user jitter loop=1000 calls=100 --duration 2s
	cmp_num "the thread rests" "$(counted rests)" -ge 1
	cmp_num "how late it comes back is kept" "$(counted rest_late_ns)" -gt 0
	cmp_num "and does not sleep otherwise" "$(counted switches)" -le "$(counted rests)"
else
	for text in "with a real-time policy" "the thread rests" \
		"how late it comes back is kept" "and does not sleep otherwise"; do
		ktap_test_skip "$text: no throttling here"
	done
fi
# Only a VM's is ours to change.
in_vm && echo -1 >$throttling
ok "without throttling" user jitter loop=1000 calls=100 --duration 500ms
rests=$(counted rests)
! in_vm || echo "$runtime" >$throttling
in_vm || [ "$runtime" -lt 0 ] || rests=0
# On a machine's only CPU it rests in any case.
[ "$(nproc)" -gt 1 ] || rests=0
eq "the user wants the CPU" "$rests" 0
user jitter loop=1000 calls=100 policy=other --duration 2s >/dev/null
eq "an ordinary thread has no need to" "$(counted rests)" 0

# --- without rights -----------------------------------------------------------------

ok "an ordinary user" nobody run jitter loop=100 calls=10 rows=2
has "has no priority: cause and mend" "$OUT" '^DEGRADED priority: no real-time priority: Operation not permitted: run with sudo, or raise ulimit -r \(CAP_SYS_NICE\)$'
has "and no locked memory" "$OUT" '^DEGRADED memory: memory is not locked: run with sudo, or with ulimit -l unlimited \(it is 64 KiB\)$'
ok "also with more memory than may be locked" nobody run caterpillar calls=2 ops=10000 samples=1 working_set=1048576
exits 4 "who asks for a policy" nobody run jitter policy=fifo rows=1
eq "gets it, or an error" "$OUT" \
	"rtk: policy=fifo priority=95: Operation not permitted: run with sudo, or raise ulimit -r (CAP_SYS_NICE)"

ktap_finished
