#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The client against the module: statuses, errors, reports, the end of runs.
# Ends by unloading and loading the module.
. "$(dirname "$0")/../lib.sh"

need_module
need_tool jq setpriv script sysctl timeout unshare

T=hrtimer
# The least that a run needs; an emulated machine's results are INVALID.
RUN=("$RTK" run "$T" period_ns=10ms warmup_ms=10 --allow emulated)
schema=$TOP/Documentation/result.schema.json
validate=$TEST_DIR/validate.py

state() { "$RTK" list | awk -v t="$T" '$1 == t { print $2 }'; }
is_state() { [ "$(state)" = "$1" ]; }
not_running() { [ "$(state)" != running ]; }
measuring() { is_state running && grep -q 'series=thread count=[1-9]' "$RTK_DEBUGFS/$T/stats"; }

nobody=(setpriv --reuid=65534 --regid=65534 --clear-groups)

# alike TEXT REGEX [PREFIX]...: below PREFIX list, get and show can't work, and say
# so in one line.
alike()
{
	local text=$1 line=$2 bad='' said rc c

	shift 2
	for c in list "get $T" "show $T"; do
		rc=0
		# shellcheck disable=SC2086 # words
		said=$("$@" "$RTK" $c 2>&1 >"$TMP/said") || rc=$?
		[ "$rc" = 4 ] && [[ $said != *$'\n'* ]] && grep -Eq -- "$line" <<<"$said" ||
			bad+="$c ended with $rc: $said "
	done
	eq "$text" "$bad" ""
}

# run_then SIGNAL: a run in the background gets a signal. OUT, STATUS.
run_then()
{
	local pid

	# bash starts background jobs with SIGINT ignored; the client does not mind.
	"${RUN[@]}" --duration 10m >"$TMP/out" 2>&1 &
	pid=$!
	wait_for 60 measuring
	kill "-$1" "$pid"
	STATUS=0
	wait "$pid" 2>/dev/null || STATUS=$?
	OUT=$(cat "$TMP/out")
}

start 147

# --- words -----------------------------------------------------------------------

ok "--version" "$RTK" --version
eq "is the loaded module's, and its file's" "$OUT $OUT" \
	"rtk $(cat /sys/module/rtk/version) rtk $(modinfo -F version "${RTK_MODDIR:-$TOP}/rtk.ko")"
eq "version is the same" "$("$RTK" version)" "$OUT"
ok "--help" "$RTK" --help
has "lists the commands" "$OUT" '^  run '
has "and what are programs of their own" "$OUT" '^  restore  '
bad=
for c in run list get set start stop show reset monitor module status; do
	"$RTK" "$c" --help 2>&1 | grep -q "^usage: rtk $c" || bad+=" $c"
done
eq "every command has --help" "$bad" ""
ok "no argument" "$RTK"
has "names the next step" "$OUT" '^next: '
cmp_num "in ten lines" "$(wc -l <<<"$OUT")" -le 10
exits 2 "an unknown command" "$RTK" lst
has "suggests one" "$OUT" "did you mean 'list'"
exits 2 "an unknown option" "$RTK" run "$T" --durration 1
exits 2 "a missing test" "$RTK" run
exits 2 "an unknown test" "$RTK" get hrtimr
has "suggests one" "$OUT" "did you mean 'hrtimer'"

cp "$RTK" "$TMP/rtk"
printf '#!/bin/sh\necho "companion $*"\nexit 7\n' >"$TMP/rtk-hello"
chmod +x "$TMP/rtk-hello"
exits 7 "a companion beside the program is run" "$TMP/rtk" hello a --help
eq "with its arguments" "$OUT" "companion a --help"
cp "$TMP/rtk-hello" "$TMP/rtk-hello.sh"
exits 7 "its name can have a dot" "$TMP/rtk" hello.sh
exits 2 "one in PATH is not" env PATH="$TMP:$PATH" "$RTK" hello
exits 2 "a path is no command" "$TMP/rtk" ../rtk-hello

# --- parameters --------------------------------------------------------------------

ok "set to defaults" "$RTK" set "$T" --defaults
ok "list" "$RTK" list
has "shows the test and its state" "$OUT" '^hrtimer +(idle|done|failed) +[a-z]'
exits 2 "list without a standard output" bash -c '"$RTK" list >&-'
eq "says so" "$OUT" "rtk: standard output: Bad file descriptor"
ok "get all" "$RTK" get "$T"
has "shows what is allowed" "$OUT" 'allowed: 10000\.\.[0-9]+ ns; default: 250000'
ok "set with a unit" "$RTK" set "$T" period_ns=1.5ms warmup_ms=2s
eq "one value comes back" "$("$RTK" get "$T" period_ns) $("$RTK" get "$T" warmup_ms)" "1500000 2000"
exits 2 "a value out of range" "$RTK" set "$T" warmup_ms=5 period_ns=7
has "says what is allowed" "$OUT" 'period_ns=7: allowed 10000\.\.[0-9]+ ns'
eq "nothing was set" "$("$RTK" get "$T" period_ns) $("$RTK" get "$T" warmup_ms)" "1500000 2000"
bad=
for v in abc 1x '' 1e3 5.5ns 99999999999d 1us,2us; do
	"$RTK" set "$T" "period_ns=$v" 2>/dev/null
	[ $? = 2 ] || bad+=" '$v'"
done
eq "garbage is refused" "$bad" ""
exits 2 "a part of a millisecond" "$RTK" set "$T" warmup_ms=1us
has "is refused in words" "$OUT" 'not a whole number of ms'
exits 2 "an unknown parameter" "$RTK" set "$T" perod_ns=1ms
has "suggests one" "$OUT" "did you mean 'period_ns'"
exits 2 "a parameter twice" "$RTK" set "$T" period_ns=1ms period_ns=2ms
ok "defaults again" "$RTK" set "$T" --defaults
eq "come back" "$("$RTK" get "$T" period_ns)" 250000

# --- start, show, stop ---------------------------------------------------------------

ok "reset" "$RTK" reset "$T"
exits 2 "nothing to show" "$RTK" show "$T"
has "says what to do" "$OUT" 'rtk run hrtimer'
ok "start" "$RTK" start "$T" period_ns=10ms duration_ms=60s
eq "names the commands for later" "$OUT" \
	"hrtimer started; results: sudo $RTK show hrtimer; stop: sudo $RTK stop hrtimer"
ok "the run goes on without its client" is_state running
bad=
while read -r said want; do
	# shellcheck disable=SC2086 # words
	[[ $("$RTK" ${said//,/ } 2>&1) == "rtk: "*"; give the parameter: $want" ]] || bad+=" $said"
done <<-END
	start,$T,--duration,5 duration_ms=5000
	start,--duration=2m,$T duration_ms=120000
	start,$T,--fail-above,50us threshold_ns=50000
	start,$T,--duration duration_ms=...
	start,$T,--duration,x duration_ms=...
	set,$T,--duration,5 duration_ms=5000
END
eq "for an option of run start and set name the parameter" "$bad" ""
exits 2 "for what to report" "$RTK" start "$T" --json x
eq "start names the command" "$OUT" \
	"rtk: start has no --json; results are reported by: sudo $RTK show TEST --json"
exits 2 "for defaults" "$RTK" start "$T" --defaults
eq "start names the command, too" "$OUT" \
	"rtk: start has no --defaults; before it: sudo $RTK set TEST --defaults"
exits 2 "a second start" "$RTK" start "$T"
has "names the owner and the command to stop it" "$OUT" \
	'hrtimer busy: owner pid [0-9]+ \(rtk\), [0-9.]+ [nmu]?s of 60 s; stop: sudo [^ ]*rtk stop hrtimer$'
exits 2 "set during the run" "$RTK" set "$T" period_ns=1ms
has "is refused likewise" "$OUT" 'busy: owner pid'
exits 2 "reset during the run" "$RTK" reset "$T"
sleep 1
ok "show during the run" "$RTK" show "$T" --allow emulated
has "says that it runs" "$OUT" 'running: the run has not ended'
ok "stop" "$RTK" stop "$T"
ok "stop again" "$RTK" stop "$T"
ok "show after it" "$RTK" show "$T" --allow emulated --json "$TMP/show.json"
has "says that it was stopped early" "$OUT" 'interrupted: stopped before its planned end'
ok "start without an end" "$RTK" start "$T" period_ns=10ms duration_ms=0
exits 2 "a second one" "$RTK" start "$T"
has "is told that it is endless" "$OUT" ' \(rtk\), [0-9.]+ [nmu]?s of an endless run; stop: sudo '
ok "stop it" "$RTK" stop "$T"
ok "a stop is no interruption of an endless run" "$RTK" show "$T" --allow emulated
has_not "nor is it said to be" "$OUT" ' interrupted: '

# Somebody else's run: its process and name are told, and it can be stopped.
"${RUN[@]}" --duration 60s --json "$TMP/first.json" >"$TMP/first" 2>&1 &
first=$!
wait_for 60 is_state running
exits 2 "a run beside it" "${RUN[@]}" --json "$TMP/second.json"
eq "is refused in one line" "$(wc -l <<<"$OUT")" 1
has "which names the owner's process" "$OUT" "hrtimer busy: owner pid $first \\(rtk\\), "
ok "and leaves no document" test ! -e "$TMP/second.json"
"${RUN[@]}" --json - >"$TMP/out" 2>/dev/null
eq "nor anything on standard output" "$? $(wc -c <"$TMP/out")" "2 0"
ok "stop by somebody else" "$RTK" stop "$T"
wait "$first"
eq "the run reports nevertheless" "$? $(grep -c '^verdict: ' "$TMP/first")" "0 1"
has "that it was stopped" "$(cat "$TMP/first")" 'interrupted: stopped before its planned end'
eq "in the document, too" "$(jq -r .ended "$TMP/first.json")" stopped

# --- run and its reports -------------------------------------------------------------

"${RUN[@]}" --duration 2s --json "$TMP/run.json" --histogram >"$TMP/out" 2>"$TMP/err"
eq "run, emulation allowed" "$?" 0
OUT=$(cat "$TMP/out")
eq "nothing on stderr" "$(cat "$TMP/err")" ""
has "a merged line" "$OUT" '^all +[0-9]+ +[0-9]+ '
has "a ledger" "$OUT" '^CPU +series +expected +delivered +late +missed +added'
has "buckets" "$OUT" '^# cpu=all series=thread'
has "a verdict" "$OUT" '^verdict: '
eq "no control characters in a pipe" "$(tr -d '\n\40-\176' <"$TMP/out" | wc -c)" 0
"${RUN[@]}" --duration 1s --json - >"$TMP/pipe.json" 2>"$TMP/err"
eq "--json - keeps stdout for itself" "$(head -c 1 "$TMP/pipe.json")" "{"
has "and the table goes to stderr" "$(cat "$TMP/err")" '^verdict: '
if [ -f "$schema" ] && /usr/bin/python3 -c 'import jsonschema' 2>/dev/null; then
	ok "the documents fit the schema, sums agree" \
		/usr/bin/python3 "$validate" "$schema" "$TMP/run.json" "$TMP/show.json" "$TMP/pipe.json"
else
	ktap_test_skip "the documents fit the schema (no schema, or no python3-jsonschema)"
fi
if grep -q 'emulated: true\|"emulated": true' "$TMP/run.json"; then
	exits 3 "an emulated result is INVALID" "$RTK" show "$T"
else
	ktap_test_skip "an emulated result is INVALID (not emulated here)"
fi
exits 1 "--strict: a DEGRADED result fails" "${RUN[@]}" --duration 1s --strict --quiet
cmp_num "--quiet: one line" "$(wc -l <<<"$OUT")" -eq 1
exits 1 "--fail-above 1ns" "${RUN[@]}" --duration 1s --fail-above 1ns
has "shows the worst sample" "$OUT" 'FAILED: above 1 ns: [0-9]+ ns in thread on CPU [0-9]+ at 2'
has "and what ran before it" "$OUT" '^  [0-9]+ interrupts?, [0-9]+ softirqs?, [0-9]+ NMIs? since'
ok "--fail-above 1h" "${RUN[@]}" --duration 1s --fail-above 1h
exits 2 "--fail-above and threshold_ns" "${RUN[@]}" --fail-above 1us threshold_ns=2us
exits 2 "an unknown reason to allow" "${RUN[@]}" --allow emulatd
exits 2 "a file that can't be written" timeout 20 "${RUN[@]}" --json /nowhere/x.json
has "is named, before the run" "$OUT" '/nowhere/x.json: No such file'
exits 2 "a full disk" "${RUN[@]}" --duration 1s --json /dev/full
has "the result is printed nevertheless" "$OUT" '^verdict: '
script -qefc "${RUN[*]} --duration 2s" /dev/null >"$TMP/tty" 2>&1 </dev/null
has "a terminal gets a live line" "$(tr '\r' '\n' <"$TMP/tty")" '^hrtimer [0-9]+ of 2 s .* max '

# --- readers ---------------------------------------------------------------------------

ok "user=1: the client runs the readers" "${RUN[@]}" --duration 1s user=1
has "series user has samples" "$OUT" '^all +user +[1-9][0-9]* +[1-9]'
has_not "no reader ended early" "$OUT" ' reader: '
exits 2 "user=1 without debugfs" unshare -m sh -c \
	'umount -a -t debugfs; exec "$@"' sh "${RUN[@]}" --duration 20s user=1
has "says how to mount it" "$OUT" 'run: sudo mount -t debugfs'
ok "nothing runs then" not_running
ok "readers off" "$RTK" set "$T" user=0

# --- events ----------------------------------------------------------------------------

"$RTK" monitor >"$TMP/m.txt" 2>&1 &
text=$!
"$RTK" monitor "$T" --json >"$TMP/m.json" 2>&1 &
json=$!
wait_for 60 listens "$text"
wait_for 60 listens "$json"
"${RUN[@]}" --duration 1s --fail-above 1ns --quiet >/dev/null
ok "monitor: the end is told at once, also in a pipe" \
	wait_for 60 grep -q 'hrtimer done: duration' "$TMP/m.txt"
has "monitor: the start" "$(cat "$TMP/m.txt")" 'Z hrtimer running on CPUs '
has "monitor: outliers and their worst" "$(cat "$TMP/m.txt")" \
	' [0-9]+ outliers?.*; worst so far [0-9]+ ns in thread on CPU [0-9]+ at .* since the sample before'
kill -INT "$text"
wait "$text"
eq "monitor: Ctrl-C is a good end" "$?" 0
ok "monitor --json: an object a line" /usr/bin/python3 -c '
import json, sys
events = [json.loads(line) for line in open(sys.argv[1])]
assert [e["state"] for e in events if e["event"] == "state"] == ["running", "done"], events
assert any(e["event"] == "outliers" and e["worst"]["irq"] >= 0 for e in events), events
' "$TMP/m.json"
kill -TERM "$json"
wait "$json"
rmem=$(sysctl -n net.core.rmem_max)
sysctl -qw net.core.rmem_max=2304
"$RTK" monitor >"$TMP/m.txt" 2>&1 &
text=$!
wait_for 60 listens "$text"
kill -STOP "$text"
"${RUN[@]}" --duration 1s --fail-above 1ns --quiet >/dev/null
kill -CONT "$text"
ok "monitor: lost events are told" wait_for 60 grep -q ' events lost: ' "$TMP/m.txt"
"${RUN[@]}" --duration 100ms --quiet >/dev/null
ok "monitor: and it goes on" wait_for 60 grep -q 'hrtimer done: ' "$TMP/m.txt"
kill -INT "$text"
wait "$text"
sysctl -qw "net.core.rmem_max=$rmem"
exits 2 "monitor: an unknown test" "$RTK" monitor hrtimr
exits 4 "monitor: another user is refused" \
	"${nobody[@]}" "$RTK" monitor

# --- ends ----------------------------------------------------------------------------

run_then INT
eq "Ctrl-C: status by the verdict" "$STATUS" 0
has "Ctrl-C: reported" "$OUT" 'interrupted: interrupted by a signal'
has "Ctrl-C: with numbers" "$OUT" '^all +[1-9][0-9]* '
run_then KILL
ok "SIGKILL: the kernel ends the run" wait_for 60 not_running

alike "another user is told to use sudo" \
	'needs root \(CAP_SYS_ADMIN\): run with sudo' "${nobody[@]}"
alike "root without CAP_SYS_ADMIN is told where to run" \
	'needs CAP_SYS_ADMIN in the initial user namespace.*run on the host' setpriv --bounding-set=-sys_admin
alike "so is the root of a user namespace" \
	'needs CAP_SYS_ADMIN in the initial user namespace.*run on the host' unshare -r
alike "so is a network namespace" \
	'the module is loaded: not in this network namespace; run on the host' unshare -n
bad=
for c in list "get $T" "show $T --allow emulated"; do
	# shellcheck disable=SC2086 # words
	unshare -m sh -c 'umount -a -t debugfs; exec "$@"' sh "$RTK" $c >/dev/null || bad+=" $c"
done
eq "all three work without debugfs" "$bad" ""

ok "histogram-plot.sh" sh -c 'cd "$1" && shift && exec "$@"' sh "$TMP" \
	"$TOP/scripts/histogram-plot.sh" period_ns=10ms warmup_ms=10 --duration 100ms --allow emulated
eq "leaves a picture here" "$(head -c 4 "$TMP/plot.png" | tail -c 3)" PNG

ok "module status" "$RTK" module status
exits 4 "root without CAP_SYS_MODULE can't unload" setpriv --bounding-set=-sys_module "$RTK" module unload
eq "and is told why" "$OUT" \
	"rtk: the kernel lets this process unload no modules (a container?); run on the host"
# A tree of its own, whose module is the loaded one, or of another source.
mkdir -p "$TMP/tree/userspace"
touch "$TMP/tree/Kbuild"
cp "$RTK" "$TMP/tree/userspace/rtk"
other=$TMP/tree/userspace/rtk
cp "${RTK_MODDIR:-$TOP}/rtk.ko" "$TMP/tree/rtk.ko"
ok "module load when it is loaded" "$other" module load
eq "says that and no more" "$OUT" "rtk is loaded already, version $(cat /sys/module/rtk/version)"
sed -i 's/srcversion=./srcversion=x/' "$TMP/tree/rtk.ko"
ok "with another one beside it" "$other" module load
has "says how to have that" "$OUT" \
	"^$TMP/tree/rtk.ko is another one; to have that: sudo $other module unload && sudo $other module load\$"
ok "module unload" "$RTK" module unload
exits 4 "without the module" "$RTK" run "$T"
has "says how to load it" "$OUT" "family 'rtk' not found: module not loaded; run: sudo $RTK module load"
PATH=$(dirname "$RTK"):$PATH exits 4 "found by PATH, without the module" rtk list
has "is called by its name in the hint" "$OUT" 'run: sudo rtk module load'
alike "list, get and show say it" 'module not loaded; run: sudo [^ ]*rtk module load$'
has "list has those in user space all the same" "$("$RTK" list 2>&1)" '^jitter +user '
alike "to another user, too" 'module not loaded; run: sudo [^ ]*rtk module load$' "${nobody[@]}"
exits 4 "module status without it" "$RTK" module status
ok "module load" "$RTK" module load
ok "and it is back" "$RTK" list

ktap_finished
