# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash disable=SC2153,SC2154
#
# Sourced by scripts/fetch: builds the kernels debug and debug-rt from Debian's
# linux-source-6.12. Interrupted, it goes on next time where it was.

CONFIGS=$TOP/scripts/fetch.d
# Seconds; it takes half an hour on two cores.
BUILD_LIMIT=10800

configs_sum() { cat "$CONFIGS/common.config" "$CONFIGS/$1.config" | sha256sum | cut -c 1-16; }

# $1 kernel, $2 directory: is that made from the fragments as they are, and,
# with --update, from the newest source?
is_current()
{
	local sum='' version=''
	[ ! -f "$2/stamp" ] || read -r sum version < "$2/stamp"
	[ "$sum" = "$(configs_sum "$1")" ] || return 1
	[ "$UPDATE" = 0 ] || [ "$version" = "$(newest_source)" ]
}

newest_source()
{
	apt-cache "${APT[@]}" show --no-all-versions linux-source-6.12 | sed -n 's/^Version: //p'
}

# Free of what a make that started us hands down. In the foreground: Ctrl-C must
# reach it.
run_make()
{
	env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL -u MAKEOVERRIDES \
		timeout --foreground "$BUILD_LIMIT" nice -n 10 make "$@"
}

# The kernel drops a symbol whose dependencies are not met without a word.
check_config()
{
	local line lost=()
	while IFS= read -r line; do
		case $line in
		CONFIG_*=n) ! grep -q "^${line%n}" "$1/.config" || lost+=("$line") ;;
		CONFIG_*) grep -qxF -e "$line" "$1/.config" || lost+=("$line") ;;
		esac
	done < "$1/rtk.config"
	[ ${#lost[@]} = 0 ] || die "the kernel's configuration has not kept: ${lost[*]}"
}

# $1 kernel, $2 where to put its source, configured
prepare_tree()
{
	local tree=$TMP/tree version
	download_source
	version=$(dpkg-deb -f "$TMP"/src/*.deb Version)
	say "unpacking linux-source-6.12 $version"
	mkdir "$tree"
	source_tar | tar -x -C "$tree" --strip-components=1
	# A boot by PVH compares strings before there is anything to instrument with.
	printf '%s\n' 'KASAN_SANITIZE_string.o := n' 'KCSAN_SANITIZE_string.o := n' >> "$tree/lib/Makefile"
	{
		cat "$CONFIGS/common.config" "$CONFIGS/$1.config"
		echo "CONFIG_LOCALVERSION=\"-$1\""
	} > "$tree/rtk.config"
	run_make -s -C "$tree" allnoconfig KCONFIG_ALLCONFIG="$tree/rtk.config" >&2
	check_config "$tree"
	echo "$(configs_sum "$1") $version" > "$tree/stamp"
	rm -rf "$2"
	mv "$tree" "$2"
}

# $1 kernel, $2 its tree
compile()
{
	say "building $1; this takes half an hour, its output is in $2/build.log"
	run_make -C "$2" -j"$(nproc)" vmlinux modules < /dev/null 2>&1 | tee "$2/build.log" |
		awk -v k="$1" '/^  CC/ && ++n % 200 == 0 { print "fetch: " k ": " n " files compiled"; fflush() }' >&2 ||
		{ tail -n 20 "$2/build.log" >&2; die "cannot build $1"; }
}

# $1 tree, $2 the kernel directory to fill: as a kernel of Debian, and build,
# with what modules are built with.
arrange_built()
{
	local v
	v=$(cat "$1/include/config/kernel.release")
	run_make -s -C "$1" modules_install INSTALL_MOD_PATH="$2" >&2
	rm -f "$2/lib/modules/$v/build"
	run_make -s -C "$1" run-command \
		KBUILD_RUN_COMMAND="\$(srctree)/scripts/package/install-extmod-build $2/build" >&2
	cp "$1/vmlinux" "$1/System.map" "$1/stamp" "$2/"
	cp "$1/.config" "$2/config"
	echo "$v" > "$2/release"
}

# Make kernel $1 unless there is one that is current.
need_debug_kernel()
{
	local dir=$CACHE/kernel/$1 tree missing
	tree=$dir.tree
	! is_current "$1" "$dir" || return 0
	missing=$("$TOP/scripts/packages" --missing kernel | tr '\n' ' ')
	[ -z "$missing" ] || die "missing packages; run: sudo apt-get install $missing"
	lock
	# Another fetch may have made it while this one waited.
	! is_current "$1" "$dir" || return 0
	apt_ready
	use_tools
	PATH=$PATH:/sbin:/usr/sbin
	is_current "$1" "$tree" || prepare_tree "$1" "$tree"
	compile "$1" "$tree"
	mkdir "$TMP/kernel"
	arrange_built "$tree" "$TMP/kernel"
	rm -rf "$dir"
	mv "$TMP/kernel" "$dir"
	rm -rf "$tree"
}

get_debug_kernel()
{
	need_debug_kernel "$1"
	echo "$CACHE/kernel/$1"
}

get_debug_headers()
{
	need_debug_kernel "$1"
	echo "$CACHE/kernel/$1/build"
}
