#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Parameter verbosity: what is said of a run in the kernel log.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../libparams.sh"

D=$RTK_DEBUGFS/hrtimer

need_module
need_tool dmesg
[ -d "$D" ] || skip_all "no debugfs"
cleanup() { set_defaults; lib_cleanup; }
trap cleanup EXIT
let_default() { try threshold_series ""; }

fresh()
{
	set_defaults
	set_all cpus=0 warmup_ms=0 period_ns=10000000 thread=1 duration_ms=2500 "$@"
}

# said: what the log has of this test since the last call
said()
{
	local all

	all=$(dmesg | sed -n 's/^\[[^]]*\] rtk: hrtimer: //p')
	tail -n +"$((SEEN + 1))" <<<"$all"
}

# logs VERBOSITY [PARAM=VALUE...]: a run; SAID is what was said of it
logs()
{
	local v=$1

	shift
	SEEN=$(dmesg | grep -c '\] rtk: hrtimer: ')
	run verbosity="$v" "$@"
	SAID=$(said)
}

lines() { grep -c "$1" <<<"$SAID"; }

# words SERIES: of the stats, as the log has them
words()
{
	local w

	printf 'series=%s' "$1"
	for w in count min_ns mean_ns max_ns missed; do
		printf ' %s=%s' $w "$(stat_word hrtimer 0 "$1" $w)"
	done
}

read_help
start 11
logs 0 threshold_ns=1
eq "0: nothing" "$SAID" ""
logs 1 threshold_ns=1
eq "1: a line for each series" "$(lines .)" 2
for s in irq thread; do
	# The mean is not rounded there.
	eq "... $s as in stats" "$(sed -n "/series=$s /s/ mean_ns=[0-9]*//p" <<<"$SAID")" \
		"$(words $s | sed 's/ mean_ns=[0-9]*//')"
done
logs 2 threshold_ns=1
within "2: also a line a second, of the series with the threshold" "$(lines series=thread)" 2 4
eq "... and one of the others" "$(lines series=irq)" 1
logs 3 threshold_ns=1 threshold_series=irq
n=$(stat_word hrtimer 0 irq outliers)
cmp_num "3: there are outliers" "$n" -gt 10
eq "... each is told, or counted" "$(awk '
	/^outlier / { n++ }
	/^outliers / { sub(/.*more=/, ""); n += $0 }
	END { print n + 0 }' <<<"$SAID")" "$n"
has "... with its series and value" "$SAID" \
	'^outlier cpu=0 series=irq value_ns=[0-9]+ mono_ns=[0-9]+ pid=[0-9]+ comm='
logs 3 threshold_ns=1000000000000
eq "3: without an outlier as 2" "$(lines '^outlier')" 0
fails "4 is refused" try verbosity 4
ktap_finished
