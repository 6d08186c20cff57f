#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Every parameter in debugfs: what it takes, what it refuses and why, and that
# a refused value changes nothing.
. "$(dirname "$0")/../lib.sh"

D=$RTK_DEBUGFS/hrtimer

need_module
need_tool setpriv dd
[ -d "$D" ] || skip_all "no debugfs"

# Others may come; these may not go.
EXPECTED="cpus duration_ms warmup_ms policy priority dma_latency_us threshold_ns
threshold_series stop_on_threshold stop_tracing outlier_slots share period_ns align
offset_ns thread user"

declare -A RANGE DEFAULT
NAMES=()

# "name: text", then a line "<tab>range, default value".
read_help()
{
	local name='' line

	while IFS= read -r line; do
		case $line in
		$'\t'*', default '*)
			NAMES+=("$name")
			line=${line#$'\t'}
			RANGE[$name]=${line%, default *}
			DEFAULT[$name]=${line##*, default }
			[ "${DEFAULT[$name]}" != empty ] || DEFAULT[$name]=
			;;
		[a-z]*:*) name=${line%%:*} ;;
		esac
	done <"$D/help"
}

# Without a process for each of a thousand reads and writes.

# try NAME VALUE: a write as echo does it; the error's words in ERR.
try()
{
	local rc=0

	{ printf '%s\n' "$2" >"$D/$1"; } 2>"$TMP/err" || rc=1
	ERR=
	read -r ERR <"$TMP/err"
	return $rc
}

# get NAME: its first line, in GOT.
get()
{
	GOT=
	IFS= read -r GOT <"$D/$1"
}

# In an order that fits: what needs another value goes first.
set_defaults()
{
	local n

	echo 0 >"$D/enable"
	try offset_ns 0
	for n in "${NAMES[@]}"; do
		try "$n" "${DEFAULT[$n]}" || diag "default of $n: $ERR"
	done
}

# takes NAME VALUE [AS]: written, read back (as AS), no error.
takes()
{
	local got

	try "$1" "$2"
	get "$1"
	got=$GOT
	get last_error
	[ "$got" = "${3-$2}" ] && [ -z "$ERR$GOT" ] ||
		PROBLEMS+="$1 does not take '${2:0:40}': it is '$got'; $ERR; $GOT"$'\n'
}

# refuses NAME VALUE WHY [ERROR]: not written, old value kept, the reason in
# last_error begins with the name and matches WHY.
refuses()
{
	local old

	get "$1"
	old=$GOT
	if try "$1" "$2"; then
		PROBLEMS+="$1 takes '${2:0:40}'"$'\n'
	elif [[ $ERR != *"Invalid argument"* ]]; then
		PROBLEMS+="$1='${2:0:40}': $ERR"$'\n'
	fi
	get "$1"
	[ "$GOT" = "$old" ] || PROBLEMS+="$1='${2:0:40}' changed it from '$old'"$'\n'
	get last_error
	[[ $GOT = "$1"* && $GOT =~ $3 ]] ||
		PROBLEMS+="$1='${2:0:40}': last_error says '$GOT', not '$1 ... $3'"$'\n'
}

# said WHAT TEXT: last_error has that text.
said()
{
	get last_error
	[[ $GOT = *"$2"* ]] || PROBLEMS+="$1: last_error says '$GOT', not '$2'"$'\n'
}

verdict()
{
	eq "$1" "$PROBLEMS" ""
	PROBLEMS=
}
PROBLEMS=

# refuses_file NAME FILE: its content, in one write.
refuses_file()
{
	local old

	get "$1"
	old=$GOT
	! dd if="$2" of="$D/$1" bs=4M conv=notrunc 2>/dev/null || PROBLEMS+="$1 takes $2"$'\n'
	get "$1"
	[ "$GOT" = "$old" ] || PROBLEMS+="$1: $2 changed it to '$GOT'"$'\n'
	said "$1: $2" "$1"
}

number_limits()
{
	local name=$1 min=${2%%..*} max=${2##*..} why

	max=${max%% *}
	why="allowed $min\\.\\.$max"
	[ "$name" != offset_ns ] || try align 1
	takes "$name" "$min"
	takes "$name" "$max"
	refuses "$name" "$((min - 1))" "$why"
	# May not fit into the shell's numbers.
	refuses "$name" "$(next "$max")" "$why"
	refuses "$name" 9223372036854775808 "$why"
	refuses "$name" -9223372036854775809 "$why"
	refuses "$name" 18446744073709551617 "$why"
	refuses "$name" "${max}x" "$why"
	refuses "$name" "$max $max" "$why"
	refuses "$name" "1.5" "$why"
	refuses "$name" "$max ns" "$why"
	refuses "$name" "" "$why"
	refuses "$name" nonsense "$why"
	takes "$name" "$max"
	verdict "number $name at its limits and beyond"
}

next()
{
	if [ "$1" = 9223372036854775807 ]; then
		echo 9223372036854775808
	else
		echo $(($1 + 1))
	fi
}

bool_words()
{
	local word

	takes "$1" 1
	takes "$1" 0
	for word in 2 -1 01 y yes true on "" " 1" "1 0" nonsense; do
		refuses "$1" "$word" "allowed 0 or 1"
	done
	verdict "switch $1"
}

enum_words()
{
	local word first=${2%%|*}

	for word in ${2//|/ }; do
		takes "$1" "$word"
	done
	for word in 0 1 "" "${first}x" "${first^^}" "$2" "$first $first" nonsense; do
		refuses "$1" "$word" "allowed ${2//|/.}"
	done
	verdict "words of $1"
}

cpu_lists()
{
	local last list

	last=$(sed 's/.*[-,]//' /sys/devices/system/cpu/possible)
	takes "$1" 0
	takes "$1" "" ""
	takes "$1" "0-$last" "$(sed 's/^0-0$/0/' <<<"0-$last")"
	takes "$1" "$last"
	takes "$1" "0,0" 0
	takes "$1" "0-$last:1/1" "$(sed 's/^0-0$/0/' <<<"0-$last")"
	for list in "$((last + 1))" "0-$((last + 1))" 99999999999 0- -0 - x "0;1" "0-$last:" 0x0 "1-0"; do
		refuses "$1" "$list" "list|beyond|possible"
	done
	verdict "CPU lists of $1"
}

# All that is known of a string: one word, of which only series names make sense here.
strings()
{
	local word

	takes "$1" thread
	takes "$1" irq
	takes "$1" "" ""
	for word in nonsense "irq thread" " irq" $'ir\001q' "$(printf 'a%.0s' {1..32})"; do
		refuses "$1" "$word" ""
	done
	verdict "words of $1"
}

test_kind()
{
	local name=$1 range=${RANGE[$1]}

	case $range in
	*..*) number_limits "$name" "$range" ;;
	"0|1") bool_words "$name" ;;
	*"|"*) enum_words "$name" "$range" ;;
	"list of CPUs"*) cpu_lists "$name" ;;
	"a word") strings "$name" ;;
	*) ktap_test_fail "help gives a range of a known kind for $name: $range" ;;
	esac
}

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

test_files()
{
	local n missing=

	for n in $EXPECTED; do
		[[ " ${NAMES[*]} " = *" $n "* ]] || missing+=" help:$n"
		[ -f "$D/$n" ] || missing+=" file:$n"
	done
	for n in "${NAMES[@]}"; do
		[ -f "$D/$n" ] || missing+=" file:$n"
		get "$n"
		[ "$GOT" = "${DEFAULT[$n]}" ] || missing+=" default:$n"
	done
	eq "every parameter has its place, and its default" "$missing" ""
	eq "parameters are for root to write" \
		"$(cd "$D" && stat -c '%a %u %g' "${NAMES[@]}" enable | sort -u)" "644 0 0"
	eq "the rest is to be read" "$(cd "$D" && stat -c %a state stats histogram outliers \
		current_value help last_error | sort -u)" 444
}

read_help
start $((3 + ${#NAMES[@]} + 2 + 1 + 2 + 4))
set_defaults
test_files
for name in "${NAMES[@]}"; do
	set_defaults
	test_kind "$name"
done
set_defaults
test_huge
test_relations
test_running
test_privileges
set_defaults
ktap_finished
