#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# make -C selftests install: what run_kselftest.sh finds there can be run.
. "$(dirname "$0")/../lib.sh"

need_tool rsync make
start 5

dest=$TMP/kselftest
ok "install" fresh_make -s -C "$TOP/selftests" install KSFT_INSTALL_PATH="$dest"
list=$("$dest/run_kselftest.sh" --list)
has "the list has tests" "$list" ':test_'
missing=$(while IFS=: read -r area name; do
	[ -x "$dest/$area/$name" ] || echo "$area/$name"
done <<<"$list")
eq "each is there, and executable" "$missing" ""
absent=$(while IFS=: read -r area name; do
	[ -f "$dest/$area/settings" ] || echo "$area/settings"
done <<<"$list")
eq "each area has its settings" "$absent" ""
ok "the helpers are there" test -f "$dest/rtk/lib.sh" -a -f "$dest/kselftest/ktap_helpers.sh"

ktap_finished
