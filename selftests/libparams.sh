# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Sourced after lib.sh by the tests of parameters in debugfs. They set D, the test's
# directory, EXPECTED, names of parameters, and SERIES, and have the functions
# let_default and let_range NAME.
# shellcheck disable=SC2034 # PROBLEMS and others are for the tests

declare -A RANGE DEFAULT
# Of a string that is no series: words that it takes.
declare -A WORDS
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

set_defaults()
{
	local n

	echo 0 >"$D/enable"
	let_default
	for n in "${NAMES[@]}"; do
		try "$n" "${DEFAULT[$n]}" || diag "default of $n: $ERR"
	done
}

# set_all PARAM=VALUE...
set_all()
{
	local a

	for a; do
		echo "${a#*=}" >"$D/${a%%=*}" || diag "$a: $(cat "$D/last_error")"
	done
}

state() { cat "$D/state"; }
ended() { [ "$(cat "$D/enable")" = 0 ]; }

# run PARAM=VALUE...: to its planned end, after the test's own fresh PARAM=VALUE...
run()
{
	fresh "$@"
	set_all enable=1
	wait_for 60 ended || diag "does not end: $(state)"
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

pci_devices()
{
	local word

	takes "$1" auto
	takes "$1" 0000:03:00.0
	takes "$1" 03:00.0 0000:03:00.0
	takes "$1" FF:1F.7 0000:ff:1f.7
	for word in "" nonsense AUTO autox "auto auto" 3 03:00 03:00.8 03:20.0 103:00.0 03:00.0x \
		"03:00.0 1" 0000:03:00.0.0 00000000:00:03:00.0 -1:00.0 "$(printf '0%.0s' {1..99})"; do
		refuses "$1" "$word" "not the address of a PCI device"
	done
	verdict "devices of $1"
}

# All that is known of a string: one word, of which only series names make sense, or WORDS.
strings()
{
	local word

	for word in ${WORDS[$1]-$SERIES}; do
		takes "$1" "$word"
	done
	takes "$1" "" ""
	for word in nonsense "$word $word" " $word" "$word"$'\001' "$(printf 'a%.0s' {1..32})"; do
		refuses "$1" "$word" ""
	done
	verdict "words of $1"
}

test_kind()
{
	local name=$1 range=${RANGE[$1]}

	set_defaults
	let_range "$name"
	case $range in
	*..*) number_limits "$name" "$range" ;;
	"0|1") bool_words "$name" ;;
	*"|"*) enum_words "$name" "$range" ;;
	"list of CPUs"*) cpu_lists "$name" ;;
	"auto, or a PCI device"*) pci_devices "$name" ;;
	"a word") strings "$name" ;;
	*) ktap_test_fail "help gives a range of a known kind for $name: $range" ;;
	esac
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

# All of them alone, after read_help.
test_names()
{
	local n

	set_defaults
	test_files
	for n in "${NAMES[@]}"; do
		test_kind "$n"
	done
}
