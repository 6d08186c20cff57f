#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Tests in user space where CPUs are offline, go offline, or are forbidden, and where
# there is one CPU only.
. "$(dirname "$0")/../lib.sh"
# shellcheck source=selftests/utests/utests.sh
. "$(dirname "$0")/utests.sh"
in_vm || skip_all "takes a CPU offline: for a VM"

cpu1=/sys/devices/system/cpu/cpu1/online
cgroup=/sys/fs/cgroup
trap 'echo 1 >$cpu1; lib_cleanup' EXIT

# inside ARG...: in a control group that has CPU 0 only
inside() { (echo $BASHPID >$cgroup/rtk-test/cgroup.procs && exec "$@"); }

# With PREEMPT_RT the kernel takes no CPU away on which a real-time thread never sleeps:
# it waits for threads of its own there, which get no time.
policies=(other)
[ -e /sys/kernel/realtime ] || policies+=(fifo)

start $((13 + 4 * ${#policies[@]}))

# --- one CPU -------------------------------------------------------------------------

echo 0 >$cpu1
exits 2 "a CPU that is offline" user jitter cpus=0-1
eq "is named, and those that are there" "$OUT" "rtk: cpus: CPU 1 is not online; online are: 0"
# At a priority above all that would stop it, but for the controller's.
begin
kill -INT "$PID"
ends "on one CPU SIGINT ends it"
eq "which is measured" "$(json .cpus)" 0
has "the controller on it is a reason" "$(reasons)" '\bcontroller\b'
cmp_num "what was measured is reported" "$(json '.series[0].count')" -gt 0
ok "--duration ends it, too" user jitter loop=1000 calls=10 --duration 500ms
echo 1 >$cpu1

# --- a CPU that goes ------------------------------------------------------------------

for policy in "${policies[@]}"; do
	begin cpus=1 policy="$policy"
	echo 0 >$cpu1
	ends "$policy: ends when its CPU goes offline"
	eq "$policy: why" "$(json .ended)" cpu-lost
	has "$policy: as a reason" "$(reasons)" '\bcpu-lost\b'
	cmp_num "$policy: what was measured is reported" "$(json '.series[0].count')" -gt 0
	echo 1 >$cpu1
done
ok "it fits the schema" validate "$TMP/run.json"

# --- a CPU that may not be used ---------------------------------------------------------

echo +cpuset >$cgroup/cgroup.subtree_control
mkdir $cgroup/rtk-test
echo 0 >$cgroup/rtk-test/cpuset.cpus
exits 2 "a CPU that the control group forbids" inside "$RTK" run jitter cpus=1
eq "is named" "$OUT" \
	"rtk: cpus: this process may not use CPU 1 (cpuset of its control group): run it elsewhere, or name other CPUs"
ok "where none is named" inside "$RTK" run jitter loop=10 calls=10 rows=1 --allow emulated --json "$TMP/run.json"
eq "it is one that may be used" "$(json .cpus)" 0
has "with the controller" "$(reasons)" '\bcontroller\b'
rmdir $cgroup/rtk-test

ktap_finished
