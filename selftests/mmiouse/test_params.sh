#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The parameters of mmio: ranges, and what goes together.
. "$(dirname "$0")/../lib.sh"
# shellcheck source=selftests/mmio/mmio.sh
. "$(dirname "$0")/../mmio/mmio.sh"

EXPECTED="cpus duration_ms warmup_ms policy priority dma_latency_us threshold_ns
threshold_series stop_on_threshold stop_tracing outlier_slots share verbosity
device address space bar offset width force block_irq count mmio_outlier_ns sched_outlier_ns"
SERIES="gap read"
WORDS[address]="fea00000 0xFEA00000 0"
WORDS[offset]="8 0x8 5B50"

test_relations()
{
	set_defaults
	refuses count 0 "no reads"
	refuses width 8 "other widths than 4 need force=1"
	takes force 1
	refuses width 3 "must be 1, 2, 4 or 8"
	takes width 8
	! try force 0 || PROBLEMS+="not forced any longer"$'\n'
	takes width 4
	takes force 0
	takes address fea00000
	refuses space config "address=fea00000 is in memory; leave one of them out"
	verdict "parameters that depend on each other"
}

trap 'set_defaults; cleanup' EXIT

read_help
start $((3 + ${#NAMES[@]} + 1))
test_names
test_relations
ktap_finished
