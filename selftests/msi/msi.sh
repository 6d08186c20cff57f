# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Sourced after lib.sh by the tests on a device that raises MSIs when it is told to: DEV.
# They call it WHAT.
# shellcheck disable=SC2153
need_module
need_tool jq python3 timeout setpriv rmmod

T=/sys/kernel/tracing
PCI=/sys/bus/pci/devices
LAST=$(sed 's/.*[-,]//' /sys/devices/system/cpu/online)
[ "$LAST" -ge 1 ] || skip_all "one CPU"

# need_device VENDOR DEVICE [DRIVER]: sets DEV. The rig's machines have it.
need_device()
{
	local d

	for d in "$PCI"/*; do
		if [ "$(cat "$d/vendor" "$d/device" | xargs)" = "0x$1 0x$2" ]; then
			DEV=${d##*/}
			[ -z "${3-}" ] || modprobe "$3" || skip_all "no driver $3"
			return
		fi
	done
	[ -z "${RTK_VM-}" ] || { echo "Bail out! no device $1:$2; see stage_vm in scripts/check"; exit 1; }
	skip_all "no device $1:$2"
}

load() { modprobe rtk 2>/dev/null || insmod "${RTK_MODDIR:-$TOP}/rtk.ko"; }

# Whatever a test has left: no run, no claim, the module loaded.
cleanup()
{
	[ -z "${PID-}" ] || kill -9 "$PID" 2>/dev/null
	[ -d /sys/module/rtk ] || load
	"$RTK" restore >/dev/null 2>&1
	[ ! -d $T/instances/msi ] || rmdir $T/instances/msi
	lib_cleanup
}
trap cleanup EXIT

driver() { basename "$(readlink "$PCI/$DEV/driver")" 2>/dev/null || echo none; }
# owner: its driver, and its network interface, if it is one
owner() { echo "$(driver) $(ls "$PCI/$DEV/net" 2>/dev/null)"; }
owned_by() { [ "$(owner)" = "$1" ]; }

# msi TEST PARAM=VALUE...: a run to its own end, its document in $TMP/run.json
msi()
{
	local test=$1

	shift
	rm -f "$TMP/run.json"
	timeout 120 "$RTK" run "$test" "device=$DEV" "$@" --duration 0 --defaults --quiet \
		--allow emulated --json "$TMP/run.json"
}

json() { jq -r "$1" "$TMP/run.json"; }

# all SERIES KEY: of all CPUs
all() { json ".series[] | select(.name == \"$1\" and .cpu == \"all\") | .$2"; }

# on SERIES: the CPUs that have samples of it
on() { json "[.series[] | select(.name == \"$1\" and .cpu != \"all\" and .count > 0) | .cpu] | join(\" \")"; }

# cycles: of msi_jitter, also those that were too long
cycles() { json '([.series[] | select(.name == "period" and .cpu == "all") | .count] + [.per_cpu[].long_cycles]) | add'; }

# wrong SERIES...: what is wrong with their statistics
wrong()
{
	local s

	for s; do
		json ".series[] | select(.name == \"$s\" and .cpu == \"all\")
			| select(([.histogram[][2]] | add) != .count or .min > .mean or .mean > .max)
			| \"\(.name): \(.count) \(.min) \(.mean) \(.max)\""
	done
}

# begin TEST PARAM=VALUE...: an endless run in the background, PID, which measures
begin()
{
	local test=$1

	shift
	rm -f "$TMP/run.json"
	# Whatever ends us ends it, too.
	setpriv --pdeathsig KILL "$RTK" run "$test" "device=$DEV" "$@" count=-1 --duration 0 --defaults \
		--quiet --allow emulated --json "$TMP/run.json" >"$TMP/run" 2>&1 &
	PID=$!
	wait_for 60 measures "$test" || diag "it does not begin: $(cat "$TMP/run")"
}

measures() { [[ $(state "$1") = running* ]] && grep -Eq '^cpu=[0-9]+ series=(irq|phase|read) count=[1-9][0-9]' "$RTK_DEBUGFS/$1/stats"; }
# measured: samples of series irq of msi_latency
measured() { sed -n 's/^cpu=[0-9]* series=irq count=\([0-9]*\).*/\1/p' "$RTK_DEBUGFS/msi_latency/stats"; }
measured_more() { [ "$(measured)" -gt "$1" ]; }
# lost N: so many at least
lost() { [ "$(sed -n 's/^cpu=[0-9]* .* lost=\([0-9]*\).*/\1/p' "$RTK_DEBUGFS/msi_latency/stats" | sort -n | tail -n 1)" -ge "$1" ]; }
state() { cat "$RTK_DEBUGFS/$1/state"; }
over() { ! grep -qs '^State:.[^Z]' "/proc/$PID/status"; }

# ends TEXT STATUS: the run in the background does so soon
ends()
{
	local rc=still-there

	if wait_for 60 over; then
		wait "$PID"
		rc=$?
	fi
	OUT=$(cat "$TMP/run")
	[ "$rc" = "$2" ] || diag "$OUT"
	eq "$1" "$rc" "$2"
}

# stop: as by Ctrl-C
stop()
{
	kill -INT "$PID"
	ends "$1" 0
}

# said TEXT REGEX: by the client
said() { has "$1" "$OUT" "$2"; }

# irq: number of the vector of an open device
irq() { for i in "$PCI/$DEV"/msi_irqs/*; do echo "${i##*/}"; done; }

# interrupts CPU: how many of these the kernel has counted on it
interrupts() { cut -d, -f$(($1 + 1)) "/sys/kernel/irq/$(irq)/per_cpu_count"; }

# threads: those of the device's vector
threads() { pgrep -c "^irq/$(irq)-"; }

# bad: interrupts lost, too many, or on another CPU; null where one of these is not counted.
# QEMU's 82574 sends some twice.
SPURIOUS=.spurious
bad() { json "[.counters.wrong_cpu, (.per_cpu[] | .lost, $SPURIOUS)] | if any(. == null) then null else add end"; }

# --- what holds for each device ---------------------------------------------------

# checks_latency [PARAM=VALUE]...: hard, threaded, and what the kernel has seen. 15 tests
checks_latency()
{
	local i=$T/instances/msi

	mkdir $i
	echo 1 >$i/events/irq/irq_handler_entry/enable
	ok "$WHAT: 100 interrupts" msi msi_latency count=100 irq_cpu="$LAST" work_cpu=0 handler=hard \
		warmup_ms=0 "$@"
	echo 0 >$i/tracing_on
	# A few more where those of the self-tests come twice, too.
	within "$WHAT: the kernel has counted these, and two self-tests" \
		"$(($(traced "$LAST") + $(traced 0) - $(json '[.per_cpu[].spurious] | add')))" 102 112
	# A claim does not care where its own come to.
	cmp_num "$WHAT: ... on that CPU" "$(traced 0)" -le 4
	rmdir $i
	eq "$WHAT: a sample for each" "$(all irq count) $(all write count) $(all work count)" "100 100 100"
	eq "$WHAT: none lost, none too many" "$(bad)" 0
	eq "$WHAT: on the CPU that was asked for" "$(on irq)" "$LAST"
	eq "$WHAT: they are written by the other one" "$(on write) $(on work)" "0 0"
	eq "$WHAT: no series of a thread without one" "$(all thread count)" ""
	eq "$WHAT: statistics" "$(wrong irq write work)" ""
	ok "$WHAT: the document fits the schema" validate

	ok "$WHAT: threaded" msi msi_latency count=50 irq_cpu=0 work_cpu="$LAST" handler=threaded "$@"
	eq "$WHAT: ... has both values of each, and none lost or too many" \
		"$(all irq count) $(all thread count) $(bad)" "50 50 0"
	eq "$WHAT: ... on the CPU that was asked for" "$(on irq) $(on thread)" "0 0"
	eq "$WHAT: ... statistics" "$(wrong irq thread write)" ""
	# Never the other way round.
	cmp_num "$WHAT: ... the thread is later than the interrupt" \
		"$(all thread min)" -gt "$(all irq min)"
}

# traced CPU: how often the kernel called the handler there
traced() { grep -c " \[$(printf %03d "$1")\] .* irq_handler_entry: .* name=rtk" $T/instances/msi/trace; }

validate()
{
	/usr/bin/python3 "$TEST_DIR/../client/validate.py" "$TOP/Documentation/result.schema.json" "$TMP/run.json"
}

# checks_block: interrupts off where they are handled. 4 tests
checks_block()
{
	# A ms and more: no counter is faster than that.
	local ticks=5000000

	ok "$WHAT: interrupts off for 3 ms on the handler's CPU" msi msi_latency count=20 period_us=20000 \
		irq_cpu="$LAST" work_cpu="$LAST" block_ns=3000000
	cmp_num "$WHAT: ... hold up each" "$(all irq min)" -ge 3000000
	ok "$WHAT: ... and in the kernel's ticks" msi msi_latency count=20 period_us=20000 \
		irq_cpu="$LAST" work_cpu="$LAST" block_ticks=$ticks
	cmp_num "$WHAT: ... hold up each" "$(all irq min)" -ge 1000000
}

# checks_threads [PARAM=VALUE]...: who runs the handler. 4 tests
checks_threads()
{
	local handler

	for handler in hard threaded; do
		begin msi_latency irq_cpu="$LAST" work_cpu=0 handler=$handler "$@"
		eq "$WHAT: handler=$handler: threads of the vector" "$(threads)" \
			"$([ $handler = hard ] && echo 0 || echo 1)"
		stop "$WHAT: ... until Ctrl-C"
	done
}

# checks_jitter [PARAM=VALUE]...: 7 tests
checks_jitter()
{
	ok "$WHAT: jitter of 50 interrupts" msi msi_jitter count=50 warmup_ms=0 irq_cpu="$LAST" work_cpu=0 "$@"
	eq "$WHAT: ... none lost, none too many" "$(all phase count) $(bad)" "50 0"
	cmp_num "$WHAT: ... all were triggered" "$(all trigger_lateness count)" -ge 50
	eq "$WHAT: ... 49 cycles between them" "$(cycles)" 49
	eq "$WHAT: ... on the CPUs that were asked for" \
		"$(on trigger_lateness) $(on period) $(on phase) $(on period_abs)" "0 $LAST $LAST $LAST"
	eq "$WHAT: ... statistics" "$(wrong trigger_lateness period phase period_abs)" ""
	eq "$WHAT: ... the largest deviation is that of a cycle" "$(all period_abs max)" \
		"$(json '[.series[] | select(.name == "period" and .cpu == "all") | -.min, .max] | max')"
}
