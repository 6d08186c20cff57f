#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Several clients of one test: who is refused and told why, whose run goes on,
# and what the one whose run is taken away reports. Ends by unloading and loading
# the module.
. "$(dirname "$0")/../lib.sh"

need_module
D=$RTK_DEBUGFS/hrtimer
[ -d "$D" ] || skip_all "no debugfs"

RUN=("$RTK" run hrtimer period_ns=10ms warmup_ms=10 --allow emulated)
BUSY='hrtimer busy: owner pid'

cleanup()
{
	[ -d /sys/module/rtk ] || "$RTK" module load
	echo 0 >"$D/enable"
	lib_cleanup
}
trap cleanup EXIT

running() { [ "$(cat "$D/enable")" = 1 ]; }
not_running() { ! running; }
measuring() { running && grep -q 'cpu=0 series=irq count=[1-9]' "$D/stats"; }
gone() { ! kill -0 "$1"; }
set_to() { echo "$2" >"$D/$1"; }

# begin DURATION [NAME=VALUE]...: a client in the background; PID
begin()
{
	local duration=$1

	shift
	"${RUN[@]}" "$@" --duration "$duration" >"$TMP/out" 2>&1 &
	PID=$!
	wait_for 60 measuring || diag "no run: $(cat "$TMP/out")"
}

# finish: its report in OUT, its STATUS
finish()
{
	STATUS=0
	wait "$PID" || STATUS=$?
	OUT=$(cat "$TMP/out")
}

# replace: another run in the place of the client's, while it does not look
replace()
{
	kill -STOP "$PID"
	set_to enable 0
	set_to enable 1
	[ $# = 0 ] || kill "-$1" "$PID"
	kill -CONT "$PID"
}

test_refused()
{
	local monitor

	"$RTK" monitor >"$TMP/monitor" 2>&1 &
	monitor=$!
	wait_for 60 listens "$monitor"
	begin 60s
	exits 2 "a second run is refused" "${RUN[@]}" --duration 1s
	has "with the owner and how to stop it" "$OUT" \
		"$BUSY $PID \(rtk\), [0-9.]+ [nmu]?s of 60 s; stop: sudo [^ ]*rtk stop hrtimer"
	exits 2 "a start in the background as well" "$RTK" start hrtimer
	exits 2 "set is refused" "$RTK" set hrtimer warmup_ms=20
	has "with the owner" "$OUT" "$BUSY $PID \(rtk\)"
	exits 1 "start by debugfs is refused" set_to enable 1
	has "as busy" "$OUT" 'Device or resource busy'
	has "with the owner" "$(cat "$D/last_error")" "$BUSY $PID \(rtk\)"
	exits 1 "set by debugfs is refused" set_to warmup_ms 20
	eq "nothing was set" "$(cat "$D/warmup_ms")" 10
	ok "the first run is not disturbed" running
	kill -INT "$PID"
	finish
	eq "and ends as it is told" "$STATUS" 0
	has "with its report" "$OUT" 'interrupted: interrupted by a signal'
	ok "the monitor saw it end" wait_for 60 grep -q 'hrtimer done: stopped' "$TMP/monitor"
	kill -INT "$monitor"
	wait "$monitor"
	# Its start and its end; the start may have been before the monitor's.
	cmp_num "and nothing of those refused" "$(grep -c ' hrtimer ' "$TMP/monitor")" -le 2
}

test_debugfs_first()
{
	set_to period_ns 10000000
	set_to duration_ms 0
	set_to enable 1
	exits 2 "refused while a run of debugfs is there" "${RUN[@]}" --duration 1s
	has "with its owner" "$OUT" "$BUSY $$ \(test_two.sh\), [0-9.]+ [nmu]?s of an endless run"
	ok "which goes on" running
	ok "a client stops it" "$RTK" stop hrtimer
	ok "it has ended" not_running
}

test_stopped_by_another()
{
	begin 60s
	ok "another client stops it" "$RTK" stop hrtimer
	finish
	eq "stopped: status by the verdict" "$STATUS" 0
	has "stopped: the verdict says so" "$OUT" 'interrupted: stopped before its planned end'
	has "stopped: with numbers" "$OUT" '^all +[1-9][0-9]* '
	begin 60s user=1
	set_to enable 0
	finish
	eq "stopped by debugfs, with readers: status by the verdict" "$STATUS" 0
	has "stopped by debugfs: the verdict says so" "$OUT" 'interrupted: stopped before its planned end'
	has_not "no reader failed" "$OUT" ' reader: '
	set_to user 0
}

# It must not end what is not its own.
test_replaced()
{
	begin 60s
	replace
	finish
	eq "its run was replaced: status" "$STATUS" 2
	has "it says so" "$OUT" 'another client has started or reset hrtimer meanwhile'
	ok "the other's run goes on" running
	set_to enable 0
	begin 60s
	replace INT
	finish
	eq "replaced and Ctrl-C: status" "$STATUS" 2
	ok "the other's run goes on" running
	set_to enable 0
}

test_killed()
{
	begin 60s user=1
	kill -KILL "$PID"
	finish 2>/dev/null
	ok "killed together with its readers: the run ends" wait_for 60 not_running
	has "as the owner's end" "$(cat "$D/state")" '^done .*reason=owner-gone'
	set_to user 0
	ok "the next one runs" "${RUN[@]}" --duration 1s
}

# Everybody is told, and nobody waits for ever.
test_unloaded()
{
	local monitor

	begin 60s user=1
	exits 2 "not unloaded under readers" "$RTK" module unload
	has "it says why" "$OUT" 'in use'
	ok "they go on" running
	"$RTK" stop hrtimer
	finish
	eq "and end well" "$STATUS" 0
	"$RTK" monitor >"$TMP/monitor" 2>&1 &
	monitor=$!
	wait_for 60 listens "$monitor"
	begin 60s user=0
	ok "unloaded during a run" "$RTK" module unload
	finish
	eq "its client fails" "$STATUS" 2
	has "and says why" "$OUT" 'the module was unloaded during the run'
	wait_for 60 gone "$monitor" || kill "$monitor"
	wait "$monitor"
	eq "so does a monitor" "$?" 2
	has "and says why" "$(cat "$TMP/monitor")" 'the module was unloaded'
	ok "loaded again" "$RTK" module load
}

start $((15 + 5 + 7 + 5 + 3 + 10))
test_refused
test_debugfs_first
test_stopped_by_another
test_replaced
test_killed
test_unloaded
ktap_finished
