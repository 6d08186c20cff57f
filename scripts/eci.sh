# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Sourced by the tests that go by the names and the options of Intel's programs.
# They set test, usage, and param: the parameter behind each letter.
# shellcheck disable=SC2154
set -euo pipefail

rtk=${RTK:-$(dirname "$(readlink -f "$0")")/../userspace/rtk}

refuse()
{
	echo "$test: $1" >&2
	exit 2
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
		# What else is wrong with a number, rtk says.
		[[ $OPTARG =~ ^[0-9]+$ ]] || refuse "-$o $OPTARG: not a whole number"
		args[$o]=${param[$o]}=$OPTARG
	done
	shift $((OPTIND - 1))
	[ $# = 0 ] || refuse "$1: no such argument; see $test --help"
	exec "$rtk" run "$test" "${args[@]}" --format eci
}
