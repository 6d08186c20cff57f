#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# What test_selfirq.sh runs in its VMs: a run of selfirq by the client.
. "$(dirname "$0")/../guest.sh"

D=${D%/*}/selfirq

calls() { awk '$1 == "CAL:" { print $2 }' /proc/interrupts; }

before=$(calls)
"$(dirname "$0")/../../userspace/rtk" run selfirq cpus=0 --duration 1s --allow emulated 2>&1
echo "status=$?"
echo "calls=$(($(calls) - before))"
show stats
