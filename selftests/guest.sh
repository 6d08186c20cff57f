# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Sourced by the scripts that the tests run in their VMs, which have no KTAP:
# . "$(dirname "$0")/../guest.sh"
# What they print is judged on the host.
set -u

D=/sys/kernel/debug/rtk/hrtimer
# Of rtk_inject
I=/sys/kernel/debug/rtk_inject

fail()
{
	echo "$*: $(cat "$D/last_error")" >&2
	exit 1
}

# set_all PARAM=VALUE...
set_all()
{
	local a

	for a; do
		echo "${a#*=}" >"$D/${a%%=*}" || fail "$a"
	done
}

# word LINE KEY
word()
{
	local v=${1#* "$2"=}

	echo "${v%% *}"
}

# until_true COMMAND [ARG]...: for a minute at most
until_true()
{
	local i

	for ((i = 0; i < 1200; i++)); do
		"$@" && return
		sleep 0.05
	done
	fail "not within a minute: $*"
}

# happened N: so many disturbances at least
happened() { [ "$(wc -l <$I/log)" -ge "$1" ]; }

ended() { [ "$(cat "$D/enable")" = 0 ]; }

# show NAME: all that is said about the run.
show()
{
	echo "== $1"
	cat "$D/state" "$D/stats" "$D/outliers"
}
