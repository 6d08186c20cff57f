#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# A module that loses activations is found out: by the ledger, whichever side of it
# they are missing from. The module as it is passes in the same situation.
. "$(dirname "$0")/../lib.sh"

KERNEL=6.12

need_root
[ "$TOP" ] || skip_all "not in a checkout: no scripts/vm"
need_tool make gcc
. "$TEST_DIR/kbuild.sh"
make_shared

# build WAY [ARG]...
build()
{
	copy_modules "$TMP/$1"
	kbuild "$(scripts fetch "headers:$KERNEL")" "$TMP/$1" "${@:2}" &&
		mkdir -p "$SHARED/$1" && find "$TMP/$1" -name '*.ko' -exec cp {} "$SHARED/$1/" \;
}

scripts() { (cd "$TOP" && "scripts/$1" "${@:2}" 2>>"$TMP/err"); }

# of WAY: what the guest says of it.
of() { awk -v s="== $1" '/^== / { on = $0 == s; next } on' <<<"$OUT"; }

[ -x "$RTK" ] || skip_all "no client: make client"
start 11
ok "the module builds" build whole
ok "the module builds, losing what was delivered" build delivered RTK_BREAK_LEDGER=delivered
ok "the module builds, losing what was missed" build missed RTK_BREAK_LEDGER=missed

OUT=$(scripts vm --kernel "$KERNEL" --no-module --smp 1 --icount 2 --timeout 200 \
	--with "$SHARED" -- "$TEST_DIR/ledger_guest.sh" "$SHARED" "$RTK" whole delivered missed) ||
	diag "$(tail -n 20 "$TMP/err")"
has "as it is: exit status" "$(of whole)" '^status 0$'
has "as it is: something was missed" "$(of whole)" '^cpu=0 series=irq .* missed=[1-9]'
for way in delivered missed; do
	has "$way lost: exit status" "$(of $way)" '^status 3$'
	has "$way lost: verdict" "$(of $way)" 'INVALID'
	has "$way lost: reason" "$(of $way)" 'ledger out of balance: CPU 0 irq: expected'
done

ktap_finished
