#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Where the kernel has no clock but the tick, with interrupts off the time stands still.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../libvm.sh"

GUEST=$TEST_DIR/clock_guest.sh

start 4
ok "a VM without a clock but the tick" vm --kernel 6.12 --smp 2 --root initramfs \
	--append "clocksource=jiffies highres=off nohz=off" -- "$GUEST"
OUT=$(cat "$TMP/out")
has "its clock" "$OUT" '^clock source: jiffies$'
has "is refused, and the client says why" "$OUT" \
	'^status 4: rtk: .*moves in steps of [0-9]* ns here: with it no gap can be measured'
has "other tests run" "$OUT" '^hrtimer: done .*reason=stopped'
ktap_finished
