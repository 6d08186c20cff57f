#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The test msi_latency with the arguments and the result of Intel's script
# msiLatencyTest.sh.
test=msiLatencyTest.sh
# shellcheck disable=SC2034 # for eci.sh
usage="usage: $test <coreSpecIRQ> <irqPeriod> <irqCount> [DEVICE]
  coreSpecIRQ  CPU that handles the interrupts
  irqPeriod    ms from one interrupt to the next
  irqCount     interrupts to raise; a negative number: until Ctrl-C
  DEVICE       0000:03:00.0, say, or auto: the only one that may be taken (auto)
Takes the device from its driver and gives it back. Times are in ns. Exit status:
0 measured, 2 wrong usage or an error, 3 the result is INVALID, 4 cannot run here."
# shellcheck source=scripts/eci.sh
. "$(dirname "$(readlink -f "$0")")/eci.sh"
help_or_arguments 3 4 "$@"
whole coreSpecIRQ "$1"
whole irqPeriod "$2"
count=$3
if endless "$count"; then
	count=-1
else
	whole irqCount "$count"
fi
exec "$rtk" run msi_latency "device=${4-auto}" "irq_cpu=$1" "period_us=${2}ms" "count=$count" \
	--duration 0 --defaults --format eci
