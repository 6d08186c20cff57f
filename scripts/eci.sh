# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Sourced by the tests that go by the names and the options of Intel's programs.
# They set test and usage, and with letters param: the parameter behind each.
# shellcheck disable=SC2154
set -euo pipefail

rtk=${RTK:-$(dirname "$(readlink -f "$0")")/../userspace/rtk}

refuse()
{
	echo "$test: $1" >&2
	exit 2
}

# whole NAME VALUE: what else is wrong with a number, rtk says.
whole() { [[ $2 =~ ^[0-9]+$ ]] || refuse "$1 $2: not a whole number"; }

# endless NUMBER: below 0, which is until Ctrl-C
endless() { [[ $1 =~ ^-0*[1-9][0-9]*$ ]]; }

# help_or_arguments MIN MAX [ARG]...
help_or_arguments()
{
	local min=$1 max=$2

	shift 2
	case ${1-} in
	-h | --help) echo "$usage"; exit 0 ;;
	esac
	[ $# -ge "$min" ] || refuse "an argument is missing; see $test --help"
	[ $# -le "$max" ] || refuse "${!#}: no such argument; see $test --help"
}

run_eci()
{
	local o letters
	local -A args

	letters=$(printf '%s:' "${!param[@]}")
	[ "${1-}" != --help ] || set -- -h
	while getopts ":h$letters" o; do
		case $o in
		h) echo "$usage"; exit 0 ;;
		:) refuse "-$OPTARG: a number is missing; see $test --help" ;;
		\?) refuse "-$OPTARG: no such option; see $test --help" ;;
		esac
		whole "-$o" "$OPTARG"
		args[$o]=${param[$o]}=$OPTARG
	done
	shift $((OPTIND - 1))
	[ $# = 0 ] || refuse "$1: no such argument; see $test --help"
	exec "$rtk" run "$test" "${args[@]}" --format eci
}
