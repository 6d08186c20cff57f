#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# scripts/check.d/overdue.py ends what a time-out that stands still does not, and
# nothing else.
. "$(dirname "$0")/../lib.sh"

need_root
need_tool unshare
start 4

# stopped LIMIT: a time-out of so long that stands still for some seconds, among
# processes of its own. Says how it ended.
stopped()
{
	timeout 60 unshare --fork --pid --mount-proc --kill-child bash -c '
		"$2" 1 &
		timeout "$1" sleep 3 &
		sleep 0.5
		kill -STOP $!
		sleep 5
		kill -CONT $!
		wait $!
		echo "status $?"' stopped "$1" "$TOP/scripts/check.d/overdue.py" 2>&1
}

OUT=$(stopped 1)
has "what is overdue is killed" "$OUT" '^status 137$'
has "and that is said" "$OUT" '^# overdue: timeout 1 sleep 3 $'
OUT=$(stopped 100)
has "what is not is left alone" "$OUT" '^status 0$'
has_not "and nothing is said" "$OUT" overdue

ktap_finished
