#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The counter of scripts/check: what is no success must not look like one.
. "$(dirname "$0")/../lib.sh"

count() { printf '%b' "$1" | "$TOP/scripts/check.d/ktap.py" "${@:2}" | tail -n 1; }

# runner TEXT PLAN PROGRAM VERDICT WANT: one program as the runner shows it.
runner()
{
	eq "$1" "$(count "TAP version 13\n1..$2\n# overriding timeout to 300
# selftests: /x/selftests/area: test_x\n$3$4\n")" "total $5"
}

good='ok 1 selftests: /x/selftests/area: test_x'
bad='not ok 1 selftests: /x/selftests/area: test_x'

start 16

runner "three results" 1 "# TAP version 13\n# 1..3\n# ok 1 a\n# ok 2 b\n# ok 3 c\n" "$good" "3 0 0"
runner "a failure" 1 "# TAP version 13\n# 1..2\n# ok 1 a\n# not ok 2 b\n" "$bad # exit=1" "1 1 0"
runner "a skip inside" 1 "# 1..2\n# ok 1 a\n# ok 2 b # SKIP no such device\n" "$good" "1 0 1"
runner "all skipped" 1 "# TAP version 13\n# 1..0 # SKIP not root\n" "$good # SKIP" "0 1 0"
runner "skipped without a word" 1 "" "$good # SKIP" "0 1 0"
runner "died after its last result" 1 "# 1..1\n# ok 1 a\n" "$bad # exit=139" "1 1 0"
runner "died half way, no error seen" 1 "# 1..3\n# ok 1 a\n" "$good" "1 1 0"
runner "no plan" 1 "# ok 1 a\n" "$good" "1 1 0"
runner "no output" 1 "" "$good" "0 1 0"
runner "time-out" 1 "# 1..2\n# ok 1 a\n" "$bad # TIMEOUT 300 seconds" "1 1 0"
runner "runner stopped short" 2 "# 1..1\n# ok 1 a\n" "$good" "1 1 0"
runner "runner died within a program" 1 "# 1..1\n# ok 1 a\n" "" "1 2 0"
runner "nested results count once" 1 "# 1..1\n#     ok 1 in\n#     not ok 2 in\n# ok 1 a\n" "$good" "1 0 0"

eq "plain: two programs" "$(count 'TAP version 13\n1..1\nok 1 a\nTAP version 13\n1..2\nok 1 a\nnot ok 2 b\n' --plain)" "total 2 1 0"
eq "plain: the second stops short" "$(count '# obj/test_a\n1..1\nok 1 a\n# obj/test_b\n1..2\nok 1 a\n' --plain)" "total 2 1 0"
eq "nothing at all is a failure" "$(count '')" "total 0 1 0"

ktap_finished
