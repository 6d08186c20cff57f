#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# What cannot be measured is refused before anything is done, with the words that help.
. "$(dirname "$0")/../lib.sh"
# shellcheck source=selftests/msi/msi.sh
. "$(dirname "$0")/../msi/msi.sh"
need_device 1234 11e8

# refused TEXT WHY PARAM=VALUE...
refused()
{
	local text=$1 why=$2

	shift 2
	exits 2 "$text is refused" "$RTK" run "$@" --duration 1s --defaults
	said "... with the reason" "$why"
}

# handled: interrupts of claimed devices since tracing began
handled() { grep -c ' irq_handler_entry: .* name=rtk' $T/instances/msi/trace; }

# Another test's CPU is left alone, also by what proves that interrupts come.
test_taken()
{
	local i=$T/instances/msi

	"$RTK" device claim "$DEV" >/dev/null
	"$RTK" start hrtimer cpus="$LAST" duration_ms=0 >/dev/null
	mkdir $i
	echo 1 >$i/events/irq/irq_handler_entry/enable
	exits 2 "a CPU that another test measures" "$RTK" start msi_latency device="$DEV" irq_cpu="$LAST"
	said "... with the reason" "hrtimer is running on CPUs $LAST"
	eq "... and it was not interrupted" "$(handled)" 0
	"$RTK" stop hrtimer
	"$RTK" start msi_latency device="$DEV" irq_cpu="$LAST" count=5 duration_ms=0 >/dev/null
	cmp_num "... as it would have been" "$(handled)" -ge 2
	"$RTK" stop msi_latency
	echo 0 >$i/tracing_on
	rmdir $i
	"$RTK" set msi_latency --defaults
	"$RTK" device release "$DEV" >/dev/null
}

start 24
BEFORE=$(owner)
refused "no interrupt at all" '^rtk: count=0: ' msi_latency device="$DEV" count=0
refused "no device there" '0000:ff:1f\.7' msi_latency device=0000:ff:1f.7
refused "what is no address" "^rtk: 'eth0' is no device's address" msi_jitter device=eth0
refused "an unknown family" '^rtk: backend=e100: allowed auto.*igb.*igc.*e1000e.*edu' \
	msi_latency device="$DEV" backend=e100
refused "the wrong family" 'backend=igb' msi_latency device="$DEV" backend=igb
refused "another device's claim as none" '0000:00:00\.0' msi_latency device=0000:00:00.0
eq "nothing was taken" "$(owner)" "$BEFORE"

begin msi_latency period_us=10000
refused "a second test on the device" 'claimed by process' msi_jitter device="$DEV" share=1
exits 2 "... also without a claim" "$RTK" start msi_jitter device="$DEV" share=1
said "... with the reason" 'in use by a run of msi_latency'
"$RTK" set msi_jitter --defaults
ok "the first one goes on" wait_for 60 measured_more "$(measured)"
stop "... until Ctrl-C"
eq "... and gives it back" "$(owner)" "$BEFORE"
test_taken
ktap_finished
