#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Interrupts that do not come, a device that goes, a module and a client that go: the run
# ends or goes on as it should, counts, keeps its samples, and gives the device back.
. "$(dirname "$0")/../lib.sh"
# shellcheck source=selftests/msi/msi.sh
. "$(dirname "$0")/msi.sh"
# config_word OFFSET [VALUE]: 16 bits of the configuration space, read or written
config_word()
{
	local f=$PCI/$DEV/config

	if [ $# = 1 ]; then
		od -An -tu2 -j $(($1)) -N 2 "$f" | tr -d ' '
	else
		# shellcheck disable=SC2059
		printf "\\x$(printf %02x $(($2 & 255)))\\x$(printf %02x $(($2 >> 8)))" |
			dd of="$f" bs=2 seek=$(($1 / 2)) conv=notrunc status=none
	fi
}

COMMAND=4
MASTER=4
# command CLEAR SET: bits of the command register
command() { config_word $COMMAND $(($(config_word $COMMAND) & ~$1 | $2)); }

# kept TEXT: what was measured before the run ended is in its document
kept() { cmp_num "$1" "$(all irq count)" -gt 0; }
back() { ok "... the device goes back to its driver" wait_for 60 owned_by "$BEFORE"; }

# An interrupt is a write to memory, which the device may not do for a while.
test_masked()
{
	begin msi_latency period_us=10000
	command $MASTER 0
	ok "interrupts that don't come are counted as lost" wait_for 60 lost 2
	command 0 $MASTER
	ok "... the run goes on when they come again" wait_for 60 measured_more "$(measured)"
	stop "... until Ctrl-C"
	# Those after it were in doubt until one came.
	eq "... the first of them was written, and is no sample" \
		$(($(all write count) - $(all irq count))) 1
	back
}

test_silent()
{
	begin msi_latency period_us=10000
	command $MASTER 0
	ends "no interrupt at all any more: the run ends" 3
	command 0 $MASTER
	has "... and says so" "$(state msi_latency)" 'reason=device-silent .*10 interrupts in a row'
	kept "... and keeps the samples"
	eq "... its ledgers balance" "$(unbalanced msi_latency)" ""
	back
}

# However a side of the run ends: both have had the same grid points.
test_ends()
{
	local i bad=''

	for ((i = 0; i < 5; i++)); do
		msi msi_jitter period_us=10000 warmup_ms=0 threshold_series=phase \
			threshold_ns=1 stop_on_threshold=1 >/dev/null
		bad+=$(unbalanced msi_jitter)
		msi msi_latency period_us=10000 warmup_ms=0 threshold_series=write \
			threshold_ns=1 stop_on_threshold=1 >/dev/null
		bad+=$(unbalanced msi_latency)
	done
	eq "ended by the threshold: the ledgers balance" "$bad" ""
	for i in "$LAST 0" "0 $LAST"; do
		begin msi_latency period_us=10000 irq_cpu="${i% *}" work_cpu="${i#* }"
		echo 0 >"/sys/devices/system/cpu/cpu$LAST/online"
		ends "a CPU goes offline: the run ends" 0
		echo 1 >"/sys/devices/system/cpu/cpu$LAST/online"
		has "... and says so" "$(state msi_latency)" "^failed .*reason=cpu-lost .*lost_cpus=$LAST"
		eq "... its ledgers balance" "$(unbalanced msi_latency moved)" ""
	done
	back
}

test_unbound()
{
	begin msi_latency period_us=10000
	ok "the driver is unbound during a run" timeout 60 bash -c "echo $DEV >/sys/bus/pci/drivers/rtk/unbind"
	ends "... which ends as failed" 3
	has "... and says so" "$(state msi_latency)" 'reason=device-gone .*was taken away during the run'
	kept "... and keeps the samples"
	back
}

test_unloaded()
{
	begin msi_latency period_us=10000
	ok "the module is unloaded during a run" timeout 60 rmmod rtk
	ends "... of which the client can only say that" 2
	back
	load
}

test_killed()
{
	begin msi_latency period_us=10000
	kill -9 "$PID"
	wait "$PID" 2>/dev/null
	ok "a client that is killed: the run ends" wait_for 60 grep -q '^[a-z]* .*reason=' "$RTK_DEBUGFS/msi_latency/state"
	ok "... rtk restore" "$RTK" restore
	back
}

held() { [ "$(driver)" = rtk ]; }

test_held()
{
	"$RTK" device hold "$DEV" >"$TMP/run" 2>&1 < <(exec sleep 300) &
	PID=$!
	ok "a device is held" wait_for 60 held
	kill -9 "$PID"
	wait "$PID" 2>/dev/null
	rmmod rtk
	ok "... its holder is killed, the module gone: rtk restore" "$RTK" restore
	back
	load
}

start $((5 + 5 + 8 + 5 + 3 + 3 + 3))
need_device 1234 11e8
BEFORE=$(owner)
test_masked
test_silent
test_ends
# One that has a driver and an interface to get back.
need_device 8086 10d3 e1000e
ip link set "$(ls "$PCI/$DEV/net")" name lan9
BEFORE=$(owner)
test_unbound
test_unloaded
test_killed
test_held
ktap_finished
