#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# rhealstone: all samples are there, in the order that they stand for, from the source
# that the result names. Ends by unloading and loading the module.
. "$(dirname "$0")/../lib.sh"
# shellcheck source=selftests/utests/utests.sh
. "$(dirname "$0")/utests.sh"
need_tool pgrep prlimit setpriv timeout

T=/sys/kernel/tracing
LOOPS=100
MODULE=
[ ! -d /sys/module/rtk ] || MODULE=1

load() { modprobe rtk 2>/dev/null || insmod "${RTK_MODDIR:-$TOP}/rtk.ko"; }

cleanup()
{
	[ -z "$MODULE" ] || [ -d /sys/module/rtk ] || load
	[ ! -d "$T/instances/rheal" ] || rmdir "$T/instances/rheal"
	lib_cleanup
}
trap cleanup EXIT

# run PARAM=VALUE...: the result is in $TMP/run.json, the status is of the run.
run()
{
	rm -f "$TMP/run.json"
	user rhealstone "$@" --quiet
}

counts() { json '[.series[] | select(.cpu == "all") | "\(.name)=\(.count)"] | join(" ")'; }

test_samples()
{
	local n=$((2 * LOOPS))

	ok "two runs of all that tasks do" run runs=2 loops=$LOOPS \
		only=switch,preemption,semaphore,deadlock,message
	eq "each sample of each series is there" "$(counts)" "task_switch=$n preemption=$n semaphore=$n deadlock=$n message_mq=$n message_pipe=$n message_eventfd=$n"
	ok "the document fits the schema" validate "$TMP/run.json"
	eq "the tasks ran in the right order in each step" "$(json .values.out_of_order)" 0
	eq "the runs are rows of a table" "$(json '[.tables.runs.rows[][1]] | join(" ")')" "1 2"
	eq "what is left is what was measured without the cost" \
		"$(json '[.tables.values.rows[] | .[0] - .[1] - .[2] | fabs <= 2] | unique | tostring')" "[true]"
	eq "the mean of the runs is that of all" \
		"$(json '(.tables.runs.rows | map(.[2]) | add / 2) - .tables.values.rows[0][2] | fabs <= 1')" true
	eq "no composite without interrupts" "$(json '.values | has("composite_per_s")')" false
}

# With what the scheduler says of it. Without letters for other tasks: they may
# come between any two.
traced()
{
	local i=$T/instances/rheal seen

	mkdir "$i"
	echo 4096 >"$i/buffer_size_kb"
	echo 1 >"$i/events/sched/sched_switch/enable"
	run "only=$1" loops=$LOOPS >"$TMP/out" || diag "the run failed"
	echo 0 >"$i/tracing_on"
	seen=$(sed -n 's/.*next_comm=rheal-\([lmh]\).*/\1/p' "$i/trace" | tr -d '\n')
	rmdir "$i"
	cmp_num "$1: the kernel has seen $2 in each step" "$(grep -o "$3" <<<"$seen" | wc -l)" -ge $LOOPS
}

test_traced()
{
	if [ ! -d $T/instances ]; then
		for _ in 1 2 3; do ktap_test_skip "no tracefs"; done
		return
	fi
	traced switch "low and high in turn" lh
	traced preemption "high come before low goes on" lh
	traced deadlock "low go on before high, and high before middle" lhlhm
}

test_interrupt()
{
	ok "one run of all" run loops=$LOOPS
	cmp_num "interrupts are among it" "$(json '.tables.runs.rows[0][4]')" -gt 0
	eq "the composite is the mean of six 1/t" \
		"$(json '([.tables.runs.rows[0][2,3,4,6,7,8]] | map(1e12 / .) | add / 6) / .values.composite_per_s - 1 | fabs < 1e-5')" true
	if [ -z "$MODULE" ]; then
		for _ in {1..16}; do ktap_test_skip "module rtk is not loaded"; done
		return
	fi
	has "they come from the module" "$(json '.notes[]')" "^interrupt: .* by the module's test selfirq$"
	eq "all of them, but for those missed" \
		"$(json '(.series[] | select(.name == "interrupt" and .cpu == "all").count) + .values.interrupt_missed')" $LOOPS
	has "and from another CPU" "$(counts)" 'interrupt_ipi=[1-9]'
	"$RTK" show selfirq --json "$TMP/selfirq.json" --quiet >/dev/null 2>&1
	eq "they are what the module has counted" "$(jq -c '[.series[] | select(.cpu == "all")
		| [.count, .max]]' "$TMP/selfirq.json")" \
		"$(json '[.series[] | select(.cpu == "all" and (.name | startswith("interrupt"))) | [.count, .max]] | tostring')"

	ok "selfirq runs for somebody else" "$RTK" start selfirq duration_ms=0
	ok "a run meanwhile" run only=interrupt loops=$LOOPS
	eq "has a program's interrupts, and no others" "$(counts)" "interrupt=$LOOPS"
	has "and says why" "$(json '.notes[]')" '^interrupt: .* signal in a program, since selfirq can not run: '
	ok "selfirq was left alone" "$RTK" stop selfirq

	ok "the module can go" rmmod rtk
	ok "a run without it" run only=interrupt loops=$LOOPS
	eq "has a program's interrupts, too" "$(counts)" "interrupt=$LOOPS"
	has "and says why" "$(json '.notes[]')" '^interrupt: .* signal in a program, since the module is not loaded$'
	ok "the module comes back" load
	ok "interrupts come from it again" run only=interrupt loops=$LOOPS
	has "as the result says" "$(json '.notes[]')" "^interrupt: .* by the module's test selfirq"
}

# Only what has begun can be interrupted.
has_begun() { grep -qs '^rheal-high$' "/proc/$PID"/task/*/comm; }

# stop_in WORD: Ctrl-C while it is measured
stop_in()
{
	run "only=$1" loops=100000000 >"$TMP/run" 2>&1 &
	PID=$(wait_for 60 pgrep -P $! -x rtk >&2; pgrep -P $! -x rtk)
	wait_for 60 has_begun
	sleep 0.3
	kill -INT "$PID"
	wait_for 60 over || kill -KILL "$PID"
	wait $!
	json '[.verdict.reasons[].id | select(. == "interrupted")] | join(" ")'
}

test_stopped()
{
	local word

	for word in switch deadlock interrupt; do
		eq "Ctrl-C ends $word" "$(stop_in $word)" interrupted
	done
	eq "Ctrl-C ends message" "$(stop_in message)" "interrupted"
	has "what it left no time for is in no result" "$(counts)" '^message_mq=[0-9]*$'
	eq "a duration means runs until then" \
		"$(run only=semaphore loops=10 --duration 500ms >"$TMP/out"; json '"\(.ended) \(.tables.runs.rows | length > 1)"')" "duration true"
}

test_refused()
{
	exits 2 "an unknown word" run only=switch,deadlocks
	eq "is named, with those there are" "$OUT" "rtk: only=switch,deadlocks: 'deadlocks' is none of switch, preemption, interrupt, semaphore, deadlock, message"
	exits 2 "a policy with which all are alike" run policy=other
	exits 2 "a priority that leaves none below" run priority=2
	has "says what there must be" "$OUT" 'priority of 3 or more'
	exits 4 "no right to a real-time policy" timeout 20 setpriv --reuid=65534 --regid=65534 \
		--clear-groups "$RTK" run rhealstone
	has "says how to get it" "$OUT" 'sudo'
	exits 2 "no bytes for message queues" timeout 20 prlimit --msgqueue=0 \
		"$RTK" run rhealstone only=message
	has "are what it lacks" "$OUT" 'no POSIX message queue \(raise ulimit -q'
	if [ "$(nproc)" -gt 1 ]; then
		exits 2 "two CPUs" run cpus=0-1
		has "are one too many" "$OUT" 'rhealstone measures one CPU'
	else
		for _ in 1 2; do ktap_test_skip "one CPU"; done
	fi
}

# lines NAME: what one value's lines look like
lines()
{
	local f='-?[0-9]+\.[0-9]{1,3}' d=6

	[ "$1" != ctx ] || d=2
	printf '%s' "\\[$f(, $f)*\\] #$1_sum is -?[0-9]+\\.[0-9]{$d} #$1_avg is -?[0-9]+\\.[0-9]{$d} "
}

# asks NAME ONLY [N]: what the script asks rtk for
asks()
{
	eq "$1 ${3-} measures $2" "$(env RTK=echo "$TOP/scripts/$1" ${3+"$3"} 2>&1)" \
		"run rhealstone runs=${3-1} only=$2 --format eci"
}

test_scripts()
{
	local v want=

	for v in ctx dead pree sem; do want+=$(lines $v); done
	OUT=$(timeout 100 "$RTK" run rhealstone loops=50 runs=2 only=switch,deadlock,preemption,semaphore \
		--format eci 2>&1 | tr '\n' ' ')
	has "the lines of run_rhealstone_bmark" "$OUT" "^$want# verdict: [A-Z]+ \\(.*\\) $"
	eq "a number for each run" "$(grep -o '\[[^]]*, [^],]*\]' <<<"$OUT" | wc -l)" 4
	OUT=$(timeout 100 "$TOP/scripts/ctx_lat" 2>&1 | tr '\n' ' ')
	has "ctx_lat has one value, once" "$OUT" "^\\[[0-9.]+\\] #ctx_sum is [0-9.]+ #ctx_avg is [0-9.]+ # verdict: "
	asks run_rhealstone_bmark switch,deadlock,preemption,semaphore 100
	asks ctx_lat switch
	asks deadlock_bt deadlock
	asks preempt_lat preemption 3
	asks semaphore_lat semaphore 3
	exits 2 "what is no number" "$TOP/scripts/run_rhealstone_bmark" x
	eq "is named" "$OUT" "run_rhealstone_bmark: N x: not a whole number"
	exits 2 "no run at all" "$TOP/scripts/ctx_lat" 0
	exits 2 "two arguments" "$TOP/scripts/ctx_lat" 1 2
	ok "--help" "$TOP/scripts/deadlock_bt" --help
	has "has its own name" "$OUT" '^usage: deadlock_bt '
}

start $((8 + 3 + 19 + 6 + 11 + 14))
test_samples
test_traced
test_interrupt
test_stopped
test_refused
test_scripts
ktap_finished
