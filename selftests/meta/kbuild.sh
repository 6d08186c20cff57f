# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Sourced after lib.sh by tests that build modules.

# copy_modules FOLDER: the sources of rtk's modules, without what was built.
copy_modules()
{
	mkdir "$1"
	cp -r "$TOP/Kbuild" "$TOP/modules" "$TOP/uapi" "$1/"
	find "$1" \( -name '*.o' -o -name '*.cmd' -o -name '*.ko' -o -name '*.mod*' \) -delete
}

# kbuild KDIR FOLDER [ARG]...
kbuild()
{
	local kdir=$1 dir=$2

	shift 2
	fresh_make -C "$kdir" M="$dir" \
		-j"$(nproc)" CONFIG_DEBUG_INFO_BTF_MODULES= "$@" modules >"$TMP/log" 2>&1 && return
	tail -n 20 "$TMP/log"
	return 1
}
