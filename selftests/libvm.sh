# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Sourced after lib.sh by the tests that boot their own VMs.
need_root
[ "$TOP" ] || skip_all "not in a checkout: no scripts/vm"

# vm OPTION... -- COMMAND [ARG]...: OUT, and $TMP/out, is what it prints.
vm()
{
	local rc=0

	(cd "$TOP" && scripts/vm --timeout 280 --append cryptomgr.notests "$@") \
		>"$TMP/out" 2>"$TMP/err" || rc=$?
	OUT=$(cat "$TMP/out")
	[ $rc = 0 ] || diag "$(tail -n 20 "$TMP/err")"
	return $rc
}

# Options of a VM that monitor can talk to.
# shellcheck disable=SC2034 # for the tests
MONITOR=(--qemu-arg -qmp --qemu-arg "unix:$TMP/qmp,server=on,wait=off")

# monitor "COMMAND [NAME=VALUE]..."...: of QEMU
monitor()
{
	python3 - "$TMP/qmp" "$@" <<-'END'
	import json, socket, sys
	s = socket.socket(socket.AF_UNIX)
	s.settimeout(60)
	s.connect(sys.argv[1])
	f = s.makefile('rw')
	f.readline()
	for command in ['qmp_capabilities'] + sys.argv[2:]:
	    name, *words = command.split()
	    args = dict(w.split('=', 1) for w in words)
	    f.write(json.dumps({'execute': name, 'arguments': args}) + '\n')
	    f.flush()
	    while 'return' not in f.readline():
	        pass
	END
}

# section NAME: what the guest says below "== NAME".
section() { awk -v s="== $1" '/^== / { on = $0 == s; next } on' "$TMP/out"; }

# stat CPU SERIES KEY: of the section in OUT.
stat()
{
	sed -n "s/^cpu=$1 series=$2 count=.*[ ]$3=\([0-9]*\).*/\1/p" <<<"$OUT"
}

# balance CPU SERIES: 0 for a ledger that balances and holds something.
balance()
{
	local expected

	expected=$(stat "$1" "$2" expected)
	[ "${expected:-0}" -gt 0 ] || expected=-1
	echo $((expected - 10#0$(stat "$1" "$2" delivered) - 10#0$(stat "$1" "$2" missed)))
}

# balances CPU...: that of both series on each
balances()
{
	local c s all=()

	for c; do
		for s in irq thread; do all+=("$(balance "$c" $s)"); done
	done
	echo "${all[*]}"
}
