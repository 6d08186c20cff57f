#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# scripts/style can fail: something for each of its tools, planted in a copy of
# the tree, is found.
. "$(dirname "$0")/../lib.sh"

need_tool git tar
export RTK_CACHE=${RTK_CACHE:-$TOP/.cache}

# style asks git which files there are.
fresh_tree()
{
	rm -rf "$TMP/tree"
	mkdir "$TMP/tree"
	(cd "$TOP" && tar -c --exclude='*.o' --exclude='*.ko' --exclude='*.cmd' --exclude=obj \
		.clang-format .checkpatch.conf .shellcheckrc .gitignore Makefile Kbuild \
		modules scripts uapi userspace selftests/lib.sh) | tar -x -C "$TMP/tree"
	mkdir -p "$TMP/tree/.ci"
	cp "$TOP/.ci/run" "$TMP/tree/.ci/"
	git init -q "$TMP/tree"
}

# plant CHECK FILE TEXT: append, demand a finding in that file by that check.
plant()
{
	fresh_tree
	printf '%b\n' "$3" >>"$TMP/tree/$2"
	fails "$1: it fails" "$TMP/tree/scripts/style" "$1"
	has "$1: it names the file" "$OUT" "^$1: .*${2##*/}"
}

start 15

plant checkpatch userspace/util.c 'int planted( void ){ return 0 ;}'
plant kernel-doc userspace/util.h '/**\n * planted() - nothing\n * @x: is not there\n */\nint planted(int y);'
plant clang-format userspace/util.c 'static int planted(int a){return a;}'
plant sparse userspace/util.c 'static char *planted = 0;'
plant sparse-modules modules/hist.c 'static char *planted = 0;\nchar *rtk_planted(void);\nchar *rtk_planted(void)\n{\n\treturn planted;\n}'
plant cppcheck userspace/util.c 'int planted(void);\nint planted(void)\n{\n\tint a[2];\n\n\ta[2] = 1;\n\treturn a[2];\n}'
plant shellcheck scripts/regen 'rm $undefined/*'

# A tool that breaks is no success.
fresh_tree
mkdir "$TMP/bin"
printf '#!/bin/sh\nexit 139\n' >"$TMP/bin/shellcheck"
chmod +x "$TMP/bin/shellcheck"
echo '# anew' >>"$TMP/tree/scripts/regen"
fails "a tool that breaks" env PATH="$TMP/bin:$PATH" "$TMP/tree/scripts/style" shellcheck

ktap_finished
