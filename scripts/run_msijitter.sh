#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The test msi_jitter with the arguments and the result of Intel's script
# run_msijitter.sh.
test=run_msijitter.sh
# shellcheck disable=SC2034 # for eci.sh
usage="usage: $test <unbind_igb_id> <run_core> <interval> <runtime>
  unbind_igb_id  device: 0000:03:00.0, say, or auto: the only one that may be taken
  run_core       CPU that handles the interrupts
  interval       ms from one interrupt to the next
  runtime        s to measure; a negative number: until Ctrl-C
Takes the device from its driver and gives it back. Times are in ns. Exit status:
0 measured, 2 wrong usage or an error, 3 the result is INVALID, 4 cannot run here."
# shellcheck source=scripts/eci.sh
. "$(dirname "$(readlink -f "$0")")/eci.sh"
help_or_arguments 4 4 "$@"
whole run_core "$2"
whole interval "$3"
runtime=$4
if endless "$runtime"; then
	runtime=0
else
	whole runtime "$runtime"
	((10#$runtime)) || refuse "runtime 0: nothing would be measured; see $test --help"
fi
exec "$rtk" run msi_jitter "device=$1" "irq_cpu=$2" "period_us=${3}ms" count=-1 \
	--duration "$runtime" --defaults --format eci
