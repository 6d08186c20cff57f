# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash disable=SC2034
# Shared by the scripts plot-*, which source it with their arguments: one is the
# result, one the picture. Sets json, picture and tmp, a folder that goes away.
set -euo pipefail

name=${0##*/}
[ $# = 2 ] || { sed -n '3,/^# shellcheck/{/^# shellcheck/!s/^# //p}' "$0" >&2; exit 2; }
json=$1 picture=$2
for tool in jq gnuplot; do
	command -v $tool >/dev/null || {
		echo "$name: no $tool; run: sudo apt-get install jq gnuplot-nox" >&2
		exit 2
	}
done
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

# get [JQ'S OPTION]... FILTER: from the result; "time" makes a text of ns.
get()
{
	jq -r "${@:1:$#-1}" "
		def time: if . < 1e3 then \"\(.) ns\" elif . < 1e6 then \"\(. / 100 | round / 10) us\"
			elif . < 1e9 then \"\(. / 1e5 | round / 10) ms\" else \"\(. / 1e8 | round / 10) s\" end;
		${*: -1}" "$json"
}

# cells TABLE COLUMN...: of each row
cells()
{
	get --arg t "$1" --arg columns "${*:2}" '.tables[$t]
		| [.columns as $all | $columns / " " | .[] as $c | $all | index($c)] as $at
		| .rows[] | [.[$at[]]] | map(tostring) | join(" ")'
}

# title TEXT: with a line of what was measured on, and the verdict: a picture
# travels alone.
title()
{
	local machine

	machine=$(get '[(.environment | .cpu_model?, .kernel_release?),
		(.verdict | "\(.status) \([.reasons[]?.id] | join(", "))")] | map(select(. != null) | tostring) | join("   ")')
	printf '"%s\\n%s"' "${1//[\"\\]/}" "${machine//[\"\\]/}"
}

# terminal WIDTH HEIGHT: gnuplot's lines for a file of the suffix's kind
terminal()
{
	local kind=pngcairo

	[[ $picture != *.svg ]] || kind=svg
	cat <<-END
	set terminal $kind size $1,$2 enhanced font 'DejaVu Sans,12' background rgb 'white'
	set termoption noenhanced
	set output '${picture//\'/\'\'}'
	END
}

# Not every reader looks at the verdict in the JSON.
warning()
{
	get '[.verdict.reasons[]?.id] | index("emulated") | . != null' | grep -q true || return 0
	echo "set label 99 'EMULATED, NOT A LATENCY MEASUREMENT' at screen 0.5, screen 0.5 center font ',34' tc rgb '#60c0392b' rotate by 20 front"
}
