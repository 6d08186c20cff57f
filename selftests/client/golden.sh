#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Reports against what they were: golden/NAME.FORMAT is that of golden/NAME.in.json,
# byte for byte. usage: golden.sh [--update] RTK-REPORT; --update writes those that
# there are, to be looked at with git diff. A new one is begun with an empty file.
# Without gnuplot: pictures differ from version to version.
set -euo pipefail

update=0
[ "$1" != --update ] || { update=1; shift; }
report=$(realpath "$1")
cd "$(dirname "$0")/golden"
n=0 failed=0
echo "TAP version 13"

render() { PATH=/nonexistent "$report" --format "${1##*.}" "${1%.*}.in.json"; }

well_formed()
{
	case ${1##*.} in
	html|junit|rteval-xml) xmllint --noout "$1" ;;
	esac
}

for golden in *.*; do
	[[ $golden != *.in.json ]] || continue
	n=$((n + 1))
	if [ $update = 1 ]; then
		render "$golden" >"$golden.new"
		mv "$golden.new" "$golden"
	elif out=$(diff <(render "$golden" 2>&1) "$golden" && well_formed "$golden" 2>&1); then
		echo "ok $n $golden"
	else
		echo "not ok $n $golden"
		head -n 20 <<<"$out" | sed 's/^/# /'
		failed=1
	fi
done
# verdict FILE LIMIT TEXT: what a report with another limit says
verdict()
{
	local said

	n=$((n + 1))
	said=$("$report" --fail-above "$2" "$1.in.json" | grep ^verdict:) || :
	[[ $said == *"$3"* ]] || { printf 'not '; failed=1; }
	echo "ok $n $1 above $2: $said"
}

if [ $update = 0 ]; then
	verdict exceeded 9us 'FAILED: above 9 us: 10000 ns in thread'
	verdict exceeded 10us 'passed: nothing above 10 us'
	verdict published 730us 'FAILED: above 730 us: 731 us in latency'
	verdict published 731us 'passed: nothing above 731 us'
fi
echo "1..$n"
exit $failed
