#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The measurement in idle one-CPU VMs that count instructions instead of time:
# what it gives is known or repeatable there, whatever the host does. Medians
# are compared with those of the timerlat tracer and of cyclictest in the same
# boot; that is a comparison of the lengths of code paths, without caches.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../libvm.sh"

GUEST=$TEST_DIR/icount_guest.sh
POINTS=2000
PERIOD_NS=1000000

# guest KERNEL WHAT
# What the kernel does by itself meanwhile may not keep a thread from its CPU.
guest() { vm --kernel "$1" --smp 1 --icount 3 --append preempt=full -- "$GUEST" "$2"; }

word() { sed -n "s/^cpu=0 series=$1 .*[ ]$2=\([0-9]*\).*/\1/p" <<<"$OUT" | head -n 1; }

# due SERIES: how many periods lie within its longest samples, of which a list is kept
due()
{
	sed -n "s/^cpu=0 series=$1 worst=1 value_ns=\([0-9]*\) .*/\1/p" <<<"$OUT" |
		awk -v period=$PERIOD_NS '{ n += int($1 / period) } END { print n + 0 }'
}

# The low end of the bucket with the median: the value may be 1/64 more.
our_median()
{
	awk -v s="# cpu=0 series=$1" '
		/^#/ || /worst=/ { on = $0 == s; next }
		on && NF == 3 { low[++n] = $1; count[n] = $3; total += $3 }
		END {
			for (i = 1; i <= n; i++) {
				sum += count[i]
				if (2 * sum >= total) { print low[i]; exit }
			}
		}' <<<"$OUT"
}

# moved A B: how many samples of a run are in other buckets in the other one
moved()
{
	awk '/^#/ || /worst=/ { series = $0; next }
		NF == 3 { n[series, $1] += FNR == NR ? $3 : -$3; all += $3 }
		END {
			for (i in n)
				sum += n[i] < 0 ? -n[i] : n[i]
			print all ? int((sum + 1) / 2) : "no samples"
		}' <(echo "$1") <(echo "$2")
}

# peer_median PATTERN: of lines "... VALUE [COUNT]" that match.
peer_median()
{
	grep "^$1" <<<"$OUT" | sed "s/^$1 //" | sort -n | awk '
		{ value[NR] = $1; count[NR] = NF > 1 ? $2 : 1; total += count[NR] }
		END {
			for (i = 1; i <= NR; i++) {
				sum += count[i]
				if (2 * sum >= total) { print value[i]; exit }
			}
		}'
}

test_known()
{
	local s first

	if ! guest 6.12 ours; then
		for s in 1 2 3 4 5 6 7 8 9; do ktap_test_fail "no run in a VM that counts instructions"; done
		return
	fi
	for s in irq thread; do
		within "$s: expected is duration through period" "$(word $s expected)" \
			$((POINTS - 1)) $((POINTS + 1))
		eq "$s: expected is delivered and missed" "$(word $s expected)" \
			$(($(word $s delivered) + $(word $s missed)))
		# When the kernel's own work comes, and takes how long, is another with
		# each image. Of an idle machine's 2 s it is next to nothing.
		eq "$s: missed is what passed during the longest" "$(word $s missed)" "$(due $s)"
		within "$s: an idle machine misses next to nothing" "$(word $s missed)" 0 4
	done
	first=$OUT
	guest 6.12 ours
	# At times an interrupt of the emulator's own comes elsewhere, and to a few samples.
	diag "$(diff <(echo "$first") <(echo "$OUT") | head -n 10)"
	within "another run is the same, but for a few samples" "$(moved "$first" "$OUT")" 0 4
}

test_peers()
{
	local irq thread tl_irq tl_thread cyclic low high

	if ! guest 6.1-rt peers; then
		for _ in 1 2 3 4 5; do ktap_test_fail "no run beside timerlat and cyclictest"; done
		return
	fi
	irq=$(our_median irq) thread=$(our_median thread)
	tl_irq=$(peer_median "timerlat irq") tl_thread=$(peer_median "timerlat thread")
	cyclic=$(peer_median cyclictest)
	diag "medians, ns: irq $irq, timerlat $tl_irq; thread $thread, timerlat $tl_thread, cyclictest $cyclic"
	# They measured, and lost nothing, or the comparison would be of nothing.
	within "timerlat: samples" "$(grep -c '^timerlat thread' <<<"$OUT")" $((POINTS - 50)) $((POINTS + 50))
	eq "timerlat: none lost" "$(grep -c 'overrun: 0$' <<<"$OUT")" 2
	has "cyclictest: samples" "$OUT" "^# Total: 0*$POINTS\$"
	# Below half of theirs it would not be the same thing that is measured.
	within "irq: median not above timerlat's" "$irq" $((tl_irq / 2)) "$tl_irq"
	low=$((tl_thread < cyclic ? tl_thread : cyclic))
	high=$((tl_thread > cyclic ? tl_thread : cyclic))
	within "thread: median between or below theirs" "$thread" $((low / 2)) "$high"
}

start 14
test_known
test_peers
ktap_finished
