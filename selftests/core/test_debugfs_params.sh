#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Every parameter in debugfs: what it takes, what it refuses and why, and that
# a refused value changes nothing.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../libparams.sh"

D=$RTK_DEBUGFS/hrtimer

need_module
need_tool setpriv dd
[ -d "$D" ] || skip_all "no debugfs"

# Others may come; these may not go.
EXPECTED="cpus duration_ms warmup_ms policy priority dma_latency_us threshold_ns
threshold_series stop_on_threshold stop_tracing outlier_slots verbosity share period_ns align
offset_ns thread user"

SERIES="irq thread"

# Parameters that depend on each other: what goes first so that all take their
# defaults, and what lets one take its whole range.
let_default() { try offset_ns 0; }
let_range() { [ "$1" != offset_ns ] || try align 1; }

test_huge()
{
	local n

	head -c 3000 /dev/zero | tr '\0' 1 >"$TMP/3000"
	head -c 1000000 /dev/zero | tr '\0' 1 >"$TMP/1000000"
	printf '1\0junk' >"$TMP/zero"
	for n in "${NAMES[@]}"; do
		refuses_file "$n" "$TMP/3000"
		refuses_file "$n" "$TMP/1000000"
	done
	verdict "3000 bytes and 1 MB into each parameter"
	for n in thread cpus period_ns policy threshold_series; do
		[ "$n" != period_ns ] || printf '300000\0junk' >"$TMP/zero"
		[ "$n" != policy ] || printf 'rr\0junk' >"$TMP/zero"
		[ "$n" != threshold_series ] || printf 'irq\0junk' >"$TMP/zero"
		refuses_file "$n" "$TMP/zero"
	done
	verdict "text with a zero inside"
}

test_relations()
{
	refuses offset_ns 1 align
	takes align 1
	takes offset_ns 1
	# The value at fault is the other one.
	! try align 0 || PROBLEMS+="align=0 goes with offset_ns"$'\n'
	said align 'offset_ns=1 needs align=1'
	takes offset_ns 0
	takes align 0
	takes threshold_series thread
	! try thread 0 || PROBLEMS+="thread=0 goes with threshold_series=thread"$'\n'
	said thread threshold_series=thread
	takes threshold_series ""
	takes thread 0
	refuses threshold_series thread 'does not record'
	takes thread 1
	verdict "parameters that depend on each other"
}

test_running()
{
	local n old

	set_defaults
	try period_ns 10000000
	try enable 1
	for n in "${NAMES[@]}"; do
		get "$n"
		old=$GOT
		if try "$n" "$old" || [[ $ERR != *"Device or resource busy"* ]]; then
			PROBLEMS+="$n during a run: '$ERR'"$'\n'
		fi
		said "$n" "hrtimer busy: owner pid $BASHPID "
	done
	try enable 0 || PROBLEMS+="enable 0: $ERR"$'\n'
	verdict "refused during a run, with its owner"
	takes period_ns 10000000
	verdict "taken again after it"
}

# refused_as TEXT COMMAND...: every write by a process that lacks what it needs.
refused_as()
{
	local text=$1 line n=0

	shift
	while IFS= read -r line; do
		n=$((n + 1))
		[[ $line = *"Operation not permitted"* || $line = *"Permission denied"* ]] ||
			PROBLEMS+="$line"$'\n'
	done < <(cd "$D" && "$@" bash -c 'for f; do echo 1 >"$f" && echo "$f is taken"; done' \
		- "${NAMES[@]}" enable 2>&1)
	[ "$n" = $((${#NAMES[@]} + 1)) ] || PROBLEMS+="$n answers to all writes"$'\n'
	[ "$(cat "$D/enable")" = 0 ] || PROBLEMS+="a run was started"$'\n'
	[ "$(cd "$D" && cat "${NAMES[@]}")" = "$VALUES" ] || PROBLEMS+="a value was changed"$'\n'
	verdict "$text"
}

test_privileges()
{
	local mode

	set_defaults
	VALUES=$(cd "$D" && cat "${NAMES[@]}")
	refused_as "nobody" setpriv --reuid 65534 --regid 65534 --clear-groups
	mode=$(stat -c %a /sys/kernel/debug)
	chmod o+rx /sys/kernel/debug
	chmod o+w "$D"/*
	ERR=$(setpriv --reuid 65534 --regid 65534 --clear-groups cat "$D/help" 2>&1)
	has "nobody gets at the files now" "$ERR" period_ns
	refused_as "nobody, with modes that let him in" \
		setpriv --reuid 65534 --regid 65534 --clear-groups
	refused_as "root without CAP_SYS_ADMIN" setpriv --bounding-set -sys_admin --inh-caps -sys_admin
	chmod o-w "$D"/*
	chmod "$mode" /sys/kernel/debug
}

read_help
start $((3 + ${#NAMES[@]} + 2 + 1 + 2 + 4))
test_names
set_defaults
test_huge
test_relations
test_running
test_privileges
set_defaults
ktap_finished
