#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The parameters of msi_latency and msi_jitter: ranges, and what goes together.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../libparams.sh"

COMMON="cpus duration_ms warmup_ms policy priority dma_latency_us threshold_ns threshold_series
stop_on_threshold stop_tracing outlier_slots share verbosity
device backend irq_cpu work_cpu period_us count reset"

need_module
[ -d "$RTK_DEBUGFS/msi_latency" ] || skip_all "no debugfs"

cleanup()
{
	for D in "$RTK_DEBUGFS/msi_latency" "$RTK_DEBUGFS/msi_jitter"; do
		NAMES=()
		read_help
		set_defaults
	done
	lib_cleanup
}
trap cleanup EXIT

let_default() { try threshold_series ""; }
let_range() { :; }

# The two CPUs have names of their own.
cpu_lists()
{
	refuses "$1" 0 "name them by irq_cpu= and work_cpu="
	takes "$1" ""
	verdict "no list of CPUs"
}

test_relations()
{
	set_defaults
	refuses count 0 "no interrupts"
	takes count 1
	takes count -1
	verdict "no interrupts at all are refused"
}

# check TEST SERIES PARAMETERS
check()
{
	D=$RTK_DEBUGFS/$1 SERIES=$2 EXPECTED="$COMMON $3" NAMES=()
	read_help
	test_names
	test_relations
}

start $((2 * (3 + 20 + 1) + 4 + 2))
check msi_latency "write work irq thread" "handler offset_ns block_ns block_ticks"
check msi_jitter "trigger_lateness period phase period_abs" "source window_ms"
ktap_finished
