#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The self-tests as tools/testing/selftests/rtk of a kernel tree: built and
# installed by that tree's Makefile, with nothing of the checkout, and run in a VM.
. "$(dirname "$0")/../lib.sh"

need_root
[ "$TOP" ] || skip_all "not in a checkout: no scripts/vm"
need_tool make gcc rsync
[ -x "$RTK" ] || skip_all "no client: make client"
make_shared
TREE=$SHARED/linux DEST=$SHARED/installed

# A kernel tree that has taken rtk in. The headers are where "make headers" puts
# them.
make_tree()
{
	local source

	source=$("$TOP/scripts/fetch" linux-source) || return
	mkdir -p "$TREE/usr/include/linux"
	cp -r "$source/scripts" "$source/tools" "$TREE/" &&
		cp "$TOP"/uapi/linux/*.h "$TREE/usr/include/linux/" &&
		rsync -a --exclude='*.o' --exclude=kselftest_install "$TOP/selftests/" \
			"$TREE/tools/testing/selftests/rtk/" &&
		make -s -C "$TREE/tools/testing/selftests/rtk" clean
}

# With the environment of somebody who has never heard of the checkout.
install_tests()
{
	env -i PATH="$PATH" make -C "$TREE/tools/testing/selftests" TARGETS=rtk FORCE_TARGETS=1 \
		install INSTALL_PATH="$DEST"
}

start 8
ok "a tree with the self-tests in it" make_tree
ok "make TARGETS=rtk install" install_tests
has_not "nothing is fetched or missing" "$OUT" 'fetch:|[Nn]o such file|missing'
ok "the checkout's own installation" fresh_make -s -C "$TOP/selftests" install KSFT_INSTALL_PATH="$TMP/own"
list=$(cat "$DEST/kselftest-list.txt")
eq "all tests are in the list" "$list" "$(cat "$TMP/own/kselftest-list.txt")"

# Those that take a few seconds; all of them are run by scripts/check.
quick=(rtk/core:test_debugfs_params.sh rtk/netlink:test_{ops,requests,perm})
mapfile -t args < <(printf -- '-t\n%s\n' "${quick[@]}")
ok "the VM" "$TOP/scripts/vm" --kernel 6.12 --timeout 500 -- \
	env RTK="$RTK" "$DEST/run_kselftest.sh" "${args[@]}"
eq "the chosen ones pass" "$(sed -n 's/^ok [0-9]* selftests: \([^ ]*\): /\1:/p' <<<"$OUT" | sort)" \
	"$(printf '%s\n' "${quick[@]}" | sort)"
counted=$("$TOP/scripts/check.d/ktap.py" <<<"$OUT")
has "none of their tests fails or is skipped" "$counted" '^total [1-9][0-9]+ 0 0$'

ktap_finished
