# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Sourced after lib.sh by the tests of tests in user space. They need no module, and
# run on this machine as well as in the VMs.
# shellcheck disable=SC2034 # for the tests

need_root
need_tool jq python3

SCHEMA=$TOP/Documentation/result.schema.json

# Emulated: what is told of time is the emulator's, and a second is a long time.
in_vm() { [ "${RTK_MODDIR-}" ]; }

# user TEST ARG...: run it, with its document in $TMP/run.json.
user() { "$RTK" run "$@" --allow emulated --json "$TMP/run.json"; }

json() { jq -r "$1" "$TMP/run.json"; }

reasons() { json '[.verdict.reasons[].id] | join(" ")'; }

validate() { /usr/bin/python3 "$TEST_DIR/../client/validate.py" "$SCHEMA" "$@"; }

rows() { python3 -B "$TEST_DIR/rows.py" "$TMP/run.json" 2>&1; }

# begin ARG...: jitter until it is stopped, in the background: its process is PID, the
# measured thread TID. A call is long, so that next to no time is outside of one.
begin()
{
	# Whatever ends us ends it, too: it keeps a CPU from all others.
	setpriv --pdeathsig KILL "$RTK" run jitter loop=100000 calls=100 duration_ms=0 "$@" \
		--allow emulated --json "$TMP/run.json" >"$TMP/run" 2>&1 &
	PID=$!
	wait_for 60 measures || diag "it does not begin: $(cat "$TMP/run")"
}

# It has used the CPU for longer than the calls take that come before the first sample.
measures()
{
	TID=$(awk -v pid="$PID" '$1 != pid && $14 + $15 > 100 { print $1 }' "/proc/$PID"/task/*/stat)
	[ "$TID" ]
}

over() { ! grep -qs '^State:.[^Z]' "/proc/$PID/status"; }

# ends TEXT: it does so in time, with status 0.
ends()
{
	local rc=still-there

	if wait_for 60 over; then
		wait "$PID"
		rc=$?
	else
		kill -9 "$PID"
	fi
	[ "$rc" = 0 ] || diag "$(cat "$TMP/run")"
	eq "$1" "$rc" 0
}
