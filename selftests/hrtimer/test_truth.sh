#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Disturbances of known length, and what the measurement says of them. Exact in
# one-CPU VMs that count instructions instead of time; where two CPUs run freely
# only what no busy host can falsify.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../libvm.sh"

GUEST=$TEST_DIR/truth_guest.sh
PERIOD=1000000
# 7.31 periods.
LENGTH=7310000
# The way into the disturbance and out of it.
WAY=5000
# Less than a period.
SHORT=150000
# Where two CPUs run freely: so slow that what a busy host takes is no overload.
SLOW=5000000
# For an SMI on one CPU of two.
LONG_SMI=8000000
# For one CPU of two: a host that takes away the other one for so long is rare.
LONG=100000000

# From one disturbance to the next
DISTANCE=40000000

# truth OPTION... -- NAME:KIND[@CPU[@TIMES]]:LENGTH_NS[:PARAM=VALUE]...: the CPU must not say
# that it is a hypervisor's, or its count of SMIs would be taken for an invention.
truth()
{
	local options=()

	while [ "$1" != -- ]; do
		options+=("$1")
		shift
	done
	shift
	vm --accel tcg --qemu-arg -cpu --qemu-arg max,-hypervisor "${options[@]}" -- "$GUEST" "$@"
}

# worst SERIES KEY: of CPU 0's worst sample in the section in OUT.
worst()
{
	sed -n "s/^cpu=0 series=$1 worst=1 .*[ ]$2=\([0-9]*\).*/\1/p" <<<"$OUT" | head -n 1
}

# ledger TEXT CPU [SERIES]...: both sides of it, in irq, thread and those.
ledger()
{
	local s got="" want=""

	for s in irq thread "${@:3}"; do
		got+="$(stat "$2" "$s" expected) "
		want+="$((10#0$(stat "$2" "$s" delivered) + 10#0$(stat "$2" "$s" missed))) "
	done
	eq "$1: expected is delivered and missed" "$got" "$want"
}

# true_length TEXT [LENGTH]: the disturbance took place once, as long as was asked
# for.
true_length()
{
	local length=${2:-$LENGTH}

	eq "$1: took place once" "$(grep -c '^kind=' <<<"$OUT")" 1
	within "$1: is as long as asked for" \
		"$(sed -n 's/^kind=.* length_ns=\([0-9]*\).*/\1/p' <<<"$OUT")" "$length" $((length + 1000))
}

# The timer itself is held up.
check_irqoff()
{
	OUT=$(section irqoff)
	true_length "$1 irqoff"
	within "$1 irqoff: irq maximum" "$(stat 0 irq max_ns)" $((LENGTH - WAY)) $((LENGTH + WAY))
	within "$1 irqoff: thread maximum" "$(stat 0 thread max_ns)" \
		"$(stat 0 irq max_ns)" $((LENGTH + 4 * WAY))
	eq "$1 irqoff: irq missed" "$(stat 0 irq missed)" 7
	eq "$1 irqoff: irq late" "$(stat 0 irq late)" 1
	eq "$1 irqoff: thread missed" "$(stat 0 thread missed)" 7
	eq "$1 irqoff: expected is duration through period" "$(stat 0 irq expected)" 400
	ledger "$1 irqoff" 0
}

# held_thread KERNEL NAME [SERIES]: the thread is held up, or who else records that
# series; the timer is not.
held_thread()
{
	local s=${3:-thread}

	OUT=$(section "$2")
	true_length "$1 $2"
	within "$1 $2: irq maximum is not affected" "$(stat 0 irq max_ns)" 0 20000
	eq "$1 $2: irq misses nothing" "$(stat 0 irq missed)" 0
	within "$1 $2: $s maximum" "$(stat 0 "$s" max_ns)" \
		$((LENGTH - PERIOD)) $((LENGTH + 4 * WAY))
	within "$1 $2: $s missed" "$(stat 0 "$s" missed)" 6 7
	ledger "$1 $2" 0 "${@:3}"
}

# A program in the thread's place is held up like that.
check_user()
{
	held_thread "$1" user user
	eq "$1 user: expected is duration through period" "$(stat 0 user expected)" 400
	eq "$1 user: misses what the thread does" "$(stat 0 user missed)" "$(stat 0 thread missed)"
	cmp_num "$1 user: the way back comes on top" "$(stat 0 user max_ns)" -gt "$(stat 0 thread max_ns)"
}

# free_thread KERNEL NAME: a thread of high priority is not held up.
free_thread()
{
	OUT=$(section "$2")
	true_length "$1 $2"
	within "$1 $2: irq maximum is not affected" "$(stat 0 irq max_ns)" 0 20000
	eq "$1 $2: irq misses nothing" "$(stat 0 irq missed)" 0
	within "$1 $2: thread maximum is not affected" "$(stat 0 thread max_ns)" 0 100000
	eq "$1 $2: thread misses nothing" "$(stat 0 thread missed)" 0
	ledger "$1 $2" 0
}

check_nmi()
{
	OUT=$(section nmi)
	true_length "$1 nmi"
	# The kernel may have something to say about so long an NMI.
	within "$1 nmi: irq maximum" "$(stat 0 irq max_ns)" $((LENGTH - PERIOD)) $((LENGTH + 100000))
	eq "$1 nmi: the worst sample saw one" "$(worst irq nmi)" 1
	eq "$1 nmi: irq missed" "$(stat 0 irq missed)" 7
	ledger "$1 nmi" 0
}

# check_smi KERNEL NAME LENGTH SMIS: that many SMIs, or as long without interrupts.
check_smi()
{
	OUT=$(section "$2")
	true_length "$1 $2" "$3"
	within "$1 $2: irq maximum" "$(stat 0 irq max_ns)" $(($3 - WAY)) $(($3 + WAY))
	eq "$1 $2: irq missed" "$(stat 0 irq missed)" $(($3 / PERIOD))
	eq "$1 $2: SMIs that the worst sample saw" "$(worst irq smi)" "$4"
	has "$1 $2: counted by the CPU" "$OUT" '^cpu=0 series=irq worst=1 .* smi_source=msr '
	eq "$1 $2: SMIs of the run" "$(stat 0 irq smi)" "$4"
	eq "$1 $2: reason in the verdict" "$(grep -c '^verdict: .*[ (]smi[,)]' <<<"$OUT")" "$4"
	eq "$1 $2: NMIs that it saw" "$(worst irq nmi)" 0
	ledger "$1 $2" 0
}

# check_smis KERNEL LENGTH: an SMI, and interrupts off for the same time, differ in
# nothing but the count of SMIs.
check_smis()
{
	local irqs

	check_smi "$1" "smi-$2" "$2" 1
	has "$1 smi-$2: the CPU counted it meanwhile" "$OUT" '^kind=smi .* counted=1$'
	irqs=$(worst irq irq)
	check_smi "$1" "no-smi-$2" "$2" 0
	eq "$1 smi-$2: is no interrupt" "$irqs" "$(worst irq irq)"
}

# outliers KEY: of all that CPU 0's irq kept, in their order.
outliers() { sed -n "s/^cpu=0 series=irq worst=0 .*[ ]$1=\([0-9]*\).*/\1/p" <<<"$OUT"; }

# Two SMIs: the time over which the second was counted is what lies between them.
check_span()
{
	local times

	OUT=$(section spans)
	mapfile -t times < <(outliers mono_ns)
	eq "$1 span: an SMI each" "$(outliers smi | xargs)" "1 1"
	eq "$1 span: is the time since the outlier before" "$(outliers smi_span_ns | tail -n 1)" \
		$((times[1] - times[0]))
	within "$1 span: is what lies between the SMIs" "$(outliers smi_span_ns | tail -n 1)" \
		$((DISTANCE - WAY)) $((DISTANCE + WAY))
}

# check_stop KERNEL SERIES: a sample above the threshold ends the run, and all
# that it missed lies behind that sample.
check_stop()
{
	OUT=$(section "stop-$2")
	true_length "$1 stop by $2"
	has "$1 stop by $2: reason" "$OUT" '^done .* reason=threshold '
	within "$1 stop by $2: maximum" "$(stat 0 "$2" max_ns)" $((7 * PERIOD)) $((8 * PERIOD - 1))
	eq "$1 stop by $2: missed is maximum through period" "$(stat 0 "$2" missed)" \
		$(($(stat 0 "$2" max_ns) / PERIOD))
	eq "$1 stop by $2: it is the only outlier" "$(stat 0 "$2" outliers)" 1
	ledger "$1 stop by $2" 0
}

# exact KERNEL
exact()
{
	local stop=threshold_ns=$PERIOD:stop_on_threshold=1:threshold_series
	local irq=threshold_ns=$((SHORT / 2)):threshold_series=irq

	if ! truth --kernel "$1" --smp 1 --icount 0 -- irqoff:irqoff:$LENGTH \
			preemptoff:preemptoff:$LENGTH fifo:fifo:$LENGTH softirq:softirq:$LENGTH \
			nmi:nmi:$LENGTH "stop-irq:irqoff:$LENGTH:$stop=irq" \
			"stop-thread:preemptoff:$LENGTH:$stop=thread" \
			"smi-$SHORT:smi:$SHORT:$irq" "no-smi-$SHORT:irqoff:$SHORT:$irq" \
			"smi-$LENGTH:smi:$LENGTH:$irq" "no-smi-$LENGTH:irqoff:$LENGTH:$irq" \
			"spans:smi@0@2:$SHORT:$irq" "user:preemptoff:$LENGTH:user=1:warmup_ms=100"; then
		ktap_test_fail "$1: no runs in a VM that counts instructions"
	else
		ktap_test_pass "$1: runs in a VM that counts instructions"
	fi
	check_irqoff "$1"
	held_thread "$1" preemptoff
	held_thread "$1" fifo
	# Softirqs of PREEMPT_RT run in threads, below that of the measurement.
	case $1 in
	*-rt) free_thread "$1" softirq ;;
	*) held_thread "$1" softirq ;;
	esac
	check_nmi "$1"
	check_stop "$1" irq
	check_stop "$1" thread
	check_smis "$1" $SHORT
	check_smis "$1" $LENGTH
	check_span "$1"
	check_user "$1"
}

# other_cpu KERNEL: interrupts off on CPU 0 do nothing to CPU 1. A host may hold
# up CPU 1 just then, but not each time; what comes from CPU 0 does.
other_cpu()
{
	local i victims=0 untouched=0 balanced=0 runs=6 names=()

	for ((i = 0; i < runs; i++)); do names+=("$i:irqoff:$LONG:duration_ms=0:period_ns=$SLOW"); done
	truth --kernel "$1" --smp 2 --root initramfs -- "${names[@]}" ||
		diag "no runs with two CPUs"
	for ((i = 0; i < runs; i++)); do
		OUT=$(section $i)
		diag "irq maximum: cpu 0 $(stat 0 irq max_ns), cpu 1 $(stat 1 irq max_ns)"
		[ "$(stat 0 irq max_ns)" -ge $((LONG - SLOW)) ] && ((victims++))
		[ "$(stat 1 irq max_ns)" -lt $((LONG / 2)) ] && ((untouched++))
		[ "$(balances 0 1)" = "0 0 0 0" ] &&
			((balanced++))
	done 2>/dev/null
	eq "$1 two CPUs: the victim's irq shows it each time" $victims $runs
	cmp_num "$1 two CPUs: the other one's irq does not" $untouched -ge 1
	eq "$1 two CPUs: expected is delivered and missed on both" $balanced $runs
}

# other_cpu_smi KERNEL: an SMI of one CPU. When it comes on a busy host is not known
# to a period.
other_cpu_smi()
{
	truth --kernel "$1" --smp 2 --root initramfs -- "0:smi@1:$LONG_SMI:duration_ms=0:period_ns=$SLOW" ||
		diag "no run with two CPUs"
	OUT=$(section 0)
	has "$1 SMI on CPU 1: took place once" "$OUT" '^kind=smi cpu=1 .* counted=1$'
	cmp_num "$1 SMI on CPU 1: irq maximum there" "$(stat 1 irq max_ns)" -ge \
		$((LONG_SMI - SLOW))
	eq "$1 SMI on CPU 1: counted there alone" "$(stat 0 irq smi) $(stat 1 irq smi)" "0 1"
}

start $((2 * (95 + 3 + 10 + 3 + 3)))
for kernel in 6.1-rt 6.12; do
	exact $kernel
	other_cpu $kernel
	other_cpu_smi $kernel
done
ktap_finished
