#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# What the tests before it have leaked. Runs last.
. "$(dirname "$0")/../lib.sh"

KMEMLEAK=/sys/kernel/debug/kmemleak

# What was freed a moment ago may still be found: a leak is found twice.
scan()
{
	echo scan >"$KMEMLEAK" && sleep 6 && echo scan >"$KMEMLEAK" && cat "$KMEMLEAK"
}

start 2
ok "kmemleak scans" scan
eq "nothing has leaked" "$OUT" ""
ktap_finished
