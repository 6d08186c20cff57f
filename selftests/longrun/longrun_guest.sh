#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# What test_power.sh runs in its VMs, on a disk that outlives them: longrun_guest.sh STEP
. "$(dirname "$0")/../guest.sh"

RTK=$(dirname "$0")/../../userspace/rtk
M=/tmp/disk
FILE=$M/result.json

checkpoints() { [ "$(jq '[.intervals[] | select(.series == "irq")] | length' $FILE 2>/dev/null || echo 0)" -ge "$1" ]; }

# Until the power goes. What the host is told has been saved by then.
until_the_end()
{
	"$RTK" run hrtimer period_ns=10ms --duration 300s --checkpoint 1s --json $FILE --quiet &
	until_true checkpoints 3
	echo "saved $(jq .duration_ns $FILE)"
	sleep 600
}

# The owner dies, and the kernel ends its run.
killed()
{
	local pid

	"$RTK" run hrtimer period_ns=10ms --duration 300s --checkpoint 1s --json $M/killed.json --quiet &
	pid=$!
	FILE=$M/killed.json
	until_true checkpoints 2
	kill -9 $pid
	wait $pid
	until_true ended
	echo "== killed"
	jq -c '[.ended, .verdict.reasons[].id]' $FILE
	"$RTK" run --resume $FILE --duration "$(jq '.duration_ns / 1e9 + 2 | floor' $FILE)s" --quiet
	echo "exit $?"
	cat $FILE
}

resumed()
{
	echo "== found"

	cat $FILE
	"$RTK" run --resume $FILE --duration "$(jq '.duration_ns / 1e9 + 2 | floor' $FILE)s" --quiet
	echo "== resumed"
	cat $FILE
}

# A disk that gets full, and has room again.
full()
{
	local pid

	mkdir /tmp/small
	mount -t tmpfs -o size=256k tmpfs /tmp/small
	FILE=/tmp/small/r.json
	"$RTK" run hrtimer period_ns=10ms --duration 300s --checkpoint 1s --json $FILE --quiet 2>/tmp/said &
	pid=$!
	until_true checkpoints 1
	dd if=/dev/zero of=/tmp/small/ballast bs=4k status=none 2>/dev/null
	until_true grep -q 'No space' /tmp/said
	echo "== full"
	jq -c '.schema' $FILE
	rm /tmp/small/ballast
	until_true grep -q 'again' /tmp/said
	kill -INT $pid
	wait $pid
	echo "exit $?"
	cat /tmp/said
	jq -c '[.ended, .verdict.reasons[].id]' $FILE
}

modprobe -a virtio_blk ext4 || exit 1
mkdir -p $M
mount /dev/vda $M || exit 1
for step; do "$step"; done
umount $M
