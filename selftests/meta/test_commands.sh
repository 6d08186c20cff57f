#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The commands around the project: usage errors, dry run, honest last lines.
. "$(dirname "$0")/../lib.sh"

need_root
start 17

quickstart=$TOP/scripts/quickstart check=$TOP/scripts/check

exits 2 "quickstart refuses an unknown tier" "$quickstart" --tier=moon
exits 2 "quickstart refuses an unknown argument" "$quickstart" --fast
exits 2 "quickstart refuses a duration of nothing" "$quickstart" --duration=0s
mkdir "$TMP/tree"
(cd "$TOP" && tar -c --exclude='*.o' --exclude=obj scripts modules userspace uapi) | tar -x -C "$TMP/tree"
state() { find "$TMP/tree" -printf '%p %s %T@\n'; dpkg-query -l; }
before=$(state | sha256sum)
ok "quickstart --dry-run" "$TMP/tree/scripts/quickstart" --dry-run --tier vm
eq "it changes nothing" "$(state | sha256sum)" "$before"
has "its first line is the tier" "$(head -n 1 <<<"$OUT")" '^tier: vm: '
has "it names what would be installed" "$OUT" '^packages to install:'

# Not root, as far as the scripts can tell.
mkdir "$TMP/bin"
printf '#!/bin/sh\necho 1000\n' >"$TMP/bin/id"
chmod +x "$TMP/bin/id"
exits 1 "quickstart wants root" env PATH="$TMP/bin:$PATH" "$quickstart" --tier=vm --yes
has "and says how" "$OUT" 'run: sudo scripts/quickstart --tier=vm --yes'
exits 2 "check wants root" env PATH="$TMP/bin:$PATH" "$check"
exits 2 "check refuses an unknown stage" "$check" --only nothing

# A tree with a violation, checked by its own scripts.
exits 0 "check passes where the stage passes" "$TMP/tree/scripts/check" --only layers
eq "its last line counts" "$(tail -n 1 <<<"$OUT")" "1 passed, 0 failed, 0 skipped"
echo '#include "internal.h"' >>"$TMP/tree/modules/test_hrtimer.c"
exits 1 "check fails where the stage fails" "$TMP/tree/scripts/check" --only layers
eq "its last line counts that" "$(tail -n 1 <<<"$OUT")" "0 passed, 1 failed, 0 skipped"

# Every package that the scripts ask for has a name and a reason.
fails "packages --of an unknown program prints nothing" grep -q . <("$TOP/scripts/packages" --of nothing)
has_not "every package has its reason" "$("$TOP/scripts/packages" --why all)" '^ *[^ ]+ *$'

ktap_finished
