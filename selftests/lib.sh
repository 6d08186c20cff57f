# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Sourced by the test scripts:  . "$(dirname "$0")/../lib.sh"
#
# KTAP comes from the kernel's ktap_helpers.sh (ktap_print_header,
# ktap_set_plan N, ktap_test_pass|fail|skip TEXT, ktap_print_msg,
# ktap_finished). This adds where things are and comparisons that say what
# they got. It does not set -e: a test goes on after a failure.
set -u

LIB_DIR=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck disable=SC2034 # for the tests
TEST_DIR=$(cd "$(dirname "$0")" && pwd)

# The checkout, if the tests lie in one (in it, or installed below it).
rtk_find_top()
{
	local d=$LIB_DIR

	while [ "$d" != / ] && [ ! -f "$d/uapi/linux/rtk_hist.h" ]; do
		d=$(dirname "$d")
	done
	[ "$d" = / ] || echo "$d"
}

# Beside the tests, installed or in a kernel tree; else what make exported; else
# from the cache.
rtk_find_ktap()
{
	local f=kselftest/ktap_helpers.sh

	if [ -f "$LIB_DIR/../$f" ]; then
		echo "$LIB_DIR/../$f"
	elif [ "${KSFT-}" ]; then
		echo "$KSFT/$f"
	elif [ "$TOP" ]; then
		echo "$("$TOP/scripts/fetch" linux-source)/tools/testing/selftests/$f"
	fi
}

TOP=$(rtk_find_top)

# The client: $RTK, the checkout's, or the installed one.
if [ -z "${RTK-}" ]; then
	RTK=$TOP/userspace/rtk
	[ -x "$RTK" ] || RTK=$(command -v rtk || echo "$RTK")
fi
export RTK
export RTK_DEBUGFS=${RTK_DEBUGFS:-/sys/kernel/debug/rtk}

KTAP_HELPERS=$(rtk_find_ktap)
# shellcheck source=/dev/null
. "$KTAP_HELPERS" || { echo "Bail out! no ktap_helpers.sh; set KSFT"; exit 1; }

# TMP is a folder that goes away with the test. A test that sets a trap of its
# own for EXIT calls lib_cleanup in it.
TMP=$(mktemp -d)
lib_cleanup() { rm -rf "$TMP" ${SHARED:+"$SHARED"}; }
trap lib_cleanup EXIT

# make_shared: SHARED is another one, which VMs see, too: their /tmp is their own.
make_shared() { SHARED=$(mktemp -d /var/tmp/rtk-test.XXXXXX); }

# start N: header and plan in one.
start()
{
	ktap_print_header
	ktap_set_plan "$1"
}

# skip_all REASON: the whole program can not run here.
skip_all()
{
	ktap_print_header
	ktap_skip_all "$*"
	exit "$KSFT_SKIP"
}

need_root() { [ "$(id -u)" = 0 ] || skip_all "not root"; }

need_module()
{
	need_root
	[ -d /sys/module/rtk ] || skip_all "module rtk is not loaded"
}

# need_tool NAME...
need_tool()
{
	local t

	for t; do
		command -v "$t" >/dev/null || skip_all "no program '$t'"
	done
}

# diag TEXT: every line of TEXT as a comment, of many the last ones.
diag() { [ -z "$1" ] || tail -n 30 <<<"$1" | sed 's/^/# /'; }

# ok TEXT COMMAND [ARG]...: the command succeeds. OUT is what it printed.
ok() { exits 0 "$@"; }

# exits STATUS TEXT COMMAND [ARG]...: the command ends with that status.
exits()
{
	local want=$1 text=$2 got=0

	shift 2
	OUT=$("$@" 2>&1) || got=$?
	if [ "$got" = "$want" ]; then
		ktap_test_pass "$text"
	else
		diag "$* ended with status $got, not $want; it printed:"
		diag "$OUT"
		ktap_test_fail "$text"
	fi
}

# fails TEXT COMMAND [ARG]...: the command fails, whatever its status.
fails()
{
	local text=$1 got=0

	shift
	OUT=$("$@" 2>&1) || got=$?
	if [ "$got" != 0 ]; then
		ktap_test_pass "$text"
	else
		diag "$* succeeded; it printed:"
		diag "$OUT"
		ktap_test_fail "$text"
	fi
}

# eq TEXT GOT WANT: equal as strings.
eq()
{
	if [ "$2" = "$3" ]; then
		ktap_test_pass "$1"
	else
		diag "got:  $2"
		diag "want: $3"
		ktap_test_fail "$1"
	fi
}

# cmp_num TEXT A OP B: integers; OP is -eq -ne -lt -le -gt -ge.
cmp_num()
{
	if test "$2" "$3" "$4" 2>/dev/null; then
		ktap_test_pass "$1"
	else
		diag "not true: $2 $3 $4"
		ktap_test_fail "$1"
	fi
}

# has TEXT STRING REGEX: some line of STRING matches the extended regex.
has()
{
	if grep -Eq -- "$3" <<<"$2"; then
		ktap_test_pass "$1"
	else
		diag "no line matches '$3' in:"
		diag "$2"
		ktap_test_fail "$1"
	fi
}

# has_not TEXT STRING REGEX
has_not()
{
	if grep -Eq -- "$3" <<<"$2"; then
		diag "a line matches '$3' in:"
		diag "$2"
		ktap_test_fail "$1"
	else
		ktap_test_pass "$1"
	fi
}

# fresh_make ARG...: no part of the make that runs the tests, and of where that one builds.
fresh_make() { env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL -u MAKEOVERRIDES -u OUTPUT -u WERROR make "$@"; }

# wait_for SECONDS COMMAND [ARG]...: until it succeeds; bounded. A minute is a bound that
# no machine comes near, however loaded it is.
wait_for()
{
	local end=$((SECONDS + $1))

	shift
	until "$@" >/dev/null 2>&1; do
		[ "$SECONDS" -lt "$end" ] || return 1
		sleep 0.1
	done
}

# listens PID: rtk monitor has joined its groups, nlctrl's notify being the last.
listens()
{
	awk -v pid="$1" '$3 % 4194304 == pid && $4 ~ /[89a-f]...$/ { found = 1 }
		END { exit !found }' /proc/net/netlink
}

# stat_word TEST CPU SERIES KEY: a word of debugfs' stats; empty if absent.
stat_word()
{
	awk -v c="cpu=$2" -v s="series=$3" -v k="$4=" '
		{
			hit = 0
			for (i = 1; i <= NF; i++)
				hit += $i == c || $i == s
			if (hit < 2)
				next
			for (i = 1; i <= NF; i++)
				if (index($i, k) == 1)
					print substr($i, length(k) + 1)
		}' "$RTK_DEBUGFS/$1/stats"
}

# unbalanced TEST [moved]: lines of debugfs' stats that don't add up; where threads were
# moved off a CPU they may come from another one
unbalanced()
{
	awk -v moved="${2-}" '/ expected=/ {
		for (i = 1; i <= NF; i++) { split($i, w, "="); v[w[1]] = w[2] }
		if (v["expected"] != v["delivered"] + v["missed"] || v["negative"] ||
		    v["delivered"] != v["count"] || (v["wrong_cpu"] && moved == ""))
			print
	}' "$RTK_DEBUGFS/$1/stats"
}

# stops_tracing: a run of the test's own (run PARAM=VALUE...) does it at an outlier.
stops_tracing()
{
	local on=/sys/kernel/tracing/tracing_on

	if ! [ -w $on ]; then
		ktap_test_skip "stop_tracing: no tracefs"
		return
	fi
	echo 1 >$on
	run threshold_ns=1 stop_tracing=1
	eq "stop_tracing: the trace buffer is stopped" "$(cat $on)" 0
	echo 1 >$on
}

# within TEXT VALUE LOW HIGH
within()
{
	if [ "${2:-x}" -ge "$3" ] 2>/dev/null && [ "$2" -le "$4" ]; then
		ktap_test_pass "$1"
	else
		diag "got '$2', not $3 to $4"
		ktap_test_fail "$1"
	fi
}
