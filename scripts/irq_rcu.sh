#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Intel's script of this name moves interrupts and the tasks of RCU away from the CPUs
# that are measured. This one can also move them back.
test=irq_rcu.sh
usage="usage: $test [CPUS]
       $test --restore
Moves all interrupts but timer and cascade to CPU 0, and the tasks of RCU to CPU 0 or
to CPUS (a list such as 0,4-7). Where they were before is kept until the next boot, in
/run/rtk/irq_rcu: --restore moves them back. What is bound to a CPU by the kernel cannot
be moved, and is counted. irqbalance would move interrupts again: stop it before.
Exit status: 0 done, 1 not all could be moved back, 2 wrong usage, 4 cannot run here."
# shellcheck source=scripts/eci.sh
. "$(dirname "$(readlink -f "$0")")/eci.sh"

saved=/run/rtk/irq_rcu

# A thing to move is of kind irq or task, and has a number.
name()
{
	case $1 in
	irq) cat "/sys/kernel/irq/$2/actions" ;;
	task) cat "/proc/$2/comm" ;;
	esac 2>/dev/null
}

cpus()
{
	case $1 in
	irq) cat "/proc/irq/$2/smp_affinity_list" ;;
	task) sed -n 's/^Cpus_allowed_list:\t//p' "/proc/$2/status" ;;
	esac 2>/dev/null
}

put()
{
	case $1 in
	irq) echo "$3" >"/proc/irq/$2/smp_affinity_list" ;;
	task) taskset -pc "$3" "$2" ;;
	esac >/dev/null 2>&1
}

# Each as its kind and number. Of an interrupt without an action nobody makes use.
things()
{
	local d

	for d in /sys/kernel/irq/*; do
		case $(cat "$d/actions" 2>/dev/null) in
		'' | timer | cascade) ;;
		*) echo "irq ${d##*/}" ;;
		esac
	done
	pgrep -P 2 ^rcu | sed 's/^/task /'
}

# The first time only: a second call must not take what the first one did for it.
keep() { grep -q "^$1 $2 " "$saved" || echo "$1 $2 $(cpus "$1" "$2") $(name "$1" "$2")" >>"$saved"; }

move()
{
	local kind id before where
	local -A to=([irq]=0 [task]=$1) moved=([irq]=0 [task]=0) stay=([irq]=0 [task]=0)

	mkdir -p "${saved%/*}"
	touch "$saved"
	while read -r kind id; do
		where=${to[$kind]}
		before=$(cpus "$kind" "$id") || continue
		keep "$kind" "$id"
		if put "$kind" "$id" "$where"; then
			moved[$kind]=$((moved[$kind] + 1))
			[ "$before" = "$where" ] ||
				echo "$kind $id ($(name "$kind" "$id")): from CPU $before to $where"
		else
			stay[$kind]=$((stay[$kind] + 1))
			echo "$kind $id ($(name "$kind" "$id")): stays on CPU $before"
		fi
	done < <(things)
	echo "${moved[irq]} interrupts are for CPU ${to[irq]} now, ${stay[irq]} cannot be moved"
	echo "${moved[task]} tasks of RCU are on CPU ${to[task]} now, ${stay[task]} cannot be moved"
	echo "to undo it: $0 --restore"
}

restore()
{
	local kind id where name left

	[ -s "$saved" ] || { echo "nothing to move back"; return; }
	left=$(while read -r kind id where name; do
		# Another one may have got the number meanwhile.
		[ "$(name "$kind" "$id")" = "$name" ] || continue
		[ "$(cpus "$kind" "$id")" = "$where" ] || put "$kind" "$id" "$where" ||
			echo "$kind $id $where $name"
	done <"$saved")
	[ -z "$left" ] || {
		echo "$left" >"$saved"
		echo "$test: cannot be moved back: $left" >&2
		return 1
	}
	echo "$(wc -l <"$saved") interrupts and tasks are where they were"
	rm "$saved"
}

help_or_arguments 0 1 "$@"
[ "$(id -u)" = 0 ] || { echo "$test: must be root; run: sudo $0 $*" >&2; exit 4; }
case ${1-} in
--restore) restore ;;
*)
	if ! [[ ${1-0} =~ ^[0-9]+(-[0-9]+)?(,[0-9]+(-[0-9]+)?)*$ ]] || ! taskset -c "${1-0}" true 2>/dev/null; then
		refuse "$1: no list of CPUs that are online; see $test --help"
	fi
	move "${1-0}"
	;;
esac
