# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash disable=SC2153,SC2154
#
# Sourced by scripts/vm: builds the modules and the initramfs of a run.

# --- modules -----------------------------------------------------------------

# The sources of the checkout, NUL-separated, relative to it.
list_sources()
{
	if git -C "$TOP" rev-parse --git-dir > /dev/null 2>&1; then
		git -C "$TOP" ls-files -coz --exclude-standard
	else
		(cd "$TOP" && find . \( -name .git -o -path ./.cache -o -path ./results \) -prune -o \
			-type f -printf '%P\0')
	fi | (cd "$TOP" && while IFS= read -r -d '' f; do
		[ ! -f "$f" ] || printf '%s\0' "$f"
	done) | LC_ALL=C sort -z
}

# Bring directory $1 up to date with the sources. Times are kept, so that
# kbuild sees what has changed.
sync_sources()
{
	local dir=$1
	mkdir -p "$dir"
	list_sources > "$dir.list.new"
	if [ -f "$dir.list" ]; then
		LC_ALL=C comm -z -23 "$dir.list" "$dir.list.new" | (cd "$dir" && xargs -0r rm -f --)
	fi
	tar -C "$TOP" --null -T "$dir.list.new" -cf - | tar -C "$dir" -xf -
	mv "$dir.list.new" "$dir.list"
}

# One tree for each kernel; a shared cache holds one for each checkout too.
build_dir()
{
	case $CACHE/ in
	"$TOP"/*) echo "$CACHE/build/$RELEASE" ;;
	*) echo "$CACHE/build/$RELEASE.$(cksum <<< "$TOP" | cut -d' ' -f1)" ;;
	esac
}

# Build the modules and set MODULES to a directory for /lib/modules/RELEASE
# that holds the kernel's modules, ours in extra/, and depmod's tables.
build_modules()
{
	local dir lock
	dir=$(build_dir)
	mkdir -p "$CACHE/build" "$CACHE/modules"
	exec {lock}> "$dir.lock"
	flock "$lock"
	if [ -f "$TOP/Kbuild" ]; then
		type make gcc > /dev/null 2>&1 ||
			die 2 "make or gcc is missing; run: apt-get install make gcc libelf1"
		sync_sources "$dir"
		run_kbuild "$dir" > "$TMP/build.log" 2>&1 || {
			cat "$TMP/build.log" >&2
			die 2 "the modules do not build for $RELEASE"
		}
		# Warnings are for the developer's eyes, the rest is not.
		grep -A 5 -E 'warning:|WARNING:' "$TMP/build.log" >&2 || true
	fi
	arrange_modules "$dir"
	exec {lock}>&-
}

run_kbuild()
{
	local flags=()
	[ "${RTK_WERROR:-0}" != 1 ] || flags+=(KCFLAGS=-Werror)
	# Debian 12 has no pahole new enough for 6.12's BTF.
	env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL -u MAKEOVERRIDES \
		make -C "$KDIR" M="$1" -j"$(nproc)" CONFIG_DEBUG_INFO_BTF_MODULES= "${flags[@]}" modules
}

# $1 build tree. Named by content: a VM that runs keeps its own.
arrange_modules()
{
	local key base
	local kos=()
	[ ! -f "$TOP/Kbuild" ] || mapfile -d '' -t kos < <(find "$1" -name '*.ko' -print0 | LC_ALL=C sort -z)
	[ "$LOAD" = 0 ] || [[ " ${kos[*]} " == *"/rtk.ko "* ]] || die 2 "Kbuild makes no rtk.ko; use --no-module"
	key=$({ echo "$IMAGE $KDIR"; [ ${#kos[@]} = 0 ] || sha256sum "${kos[@]}"; } | sha256sum | cut -c 1-16)
	base=$CACHE/modules/$RELEASE-$key
	MODULES=$base/lib/modules/$RELEASE
	if [ ! -d "$base" ]; then
		mkdir -p "$base.$$/lib/modules"
		cp -al "$IMAGE/lib/modules/$RELEASE" "$base.$$/lib/modules/"
		# Hard links: depmod replaces its tables, it does not write into them.
		mkdir "$base.$$/lib/modules/$RELEASE/extra"
		[ ${#kos[@]} = 0 ] || cp -p "${kos[@]}" "$base.$$/lib/modules/$RELEASE/extra/"
		ln -sfn "$KDIR" "$base.$$/lib/modules/$RELEASE/build"
		"$TOOLS/bin/depmod" -b "$base.$$" "$RELEASE"
		mv -T "$base.$$" "$base"
		# Old ones are dropped when a new one comes.
		find "$CACHE/modules" -mindepth 1 -maxdepth 1 -mmin +1440 -exec rm -rf {} +
	fi
	touch "$base"
}

# The files of modules $@ and all they need, relative to MODULES, in the
# order of loading. What is built in is not listed.
module_closure()
{
	awk -v names="$*" '
		{
			file = $1; sub(/:$/, "", file)
			name = file; sub(/.*\//, "", name); sub(/\.ko$/, "", name); gsub(/-/, "_", name)
			path[name] = file
			needs[name] = ""
			for (i = 2; i <= NF; i++) needs[name] = $i " " needs[name]
		}
		END {
			gsub(/-/, "_", names)
			n = split(names, want, " ")
			for (i = 1; i <= n; i++) {
				if (!(want[i] in path)) continue
				m = split(needs[want[i]] path[want[i]], f, " ")
				for (j = 1; j <= m; j++) if (!seen[f[j]]++) print f[j]
			}
		}' "$MODULES/modules.dep"
}

# Each module asked for is a file or built in.
check_with_modules()
{
	local m
	for m in "${WITH_MODULES[@]}"; do
		[ -z "$(module_closure "$m")" ] || continue
		grep -q "/${m//[-_]/[-_]}\.ko\$" "$MODULES/modules.builtin" ||
			die 2 "--with-module $m: kernel $RELEASE has no such module"
	done
}

# --- initramfs ----------------------------------------------------------------

# Pack directory $1 into cpio file $2: the same content gives the same bytes.
pack()
{
	find "$1" -exec touch -h -d @0 {} +
	(cd "$1" && find . -mindepth 1 -print0 | LC_ALL=C sort -z |
		"$TOOLS/bin/cpio" -0 -o -H newc --reproducible -R 0:0 --quiet) > "$2"
}

# Shell words that give back $@ exactly.
quote()
{
	local w
	for w; do
		printf " '%s'" "${w//\'/\'\\\'\'}"
	done
}

# What the guest's init reads: its settings, the command, busybox, and the
# modules that it needs to find its root.
make_rig()
{
	local rig=$1/rig i=10 f
	mkdir -p "$rig/modules" "$1/dev" "$1/proc" "$1/sys"
	cp "$TOOLS/bin/busybox" "$rig/busybox"
	cp "$TOP/scripts/vm.d/init" "$rig/init"
	chmod 755 "$rig/init"
	ln -s rig/init "$1/init"
	{
		local v
		for v in ROOT TOP CWD RELEASE KERNEL MODULES LOAD INTERACTIVE TTY_SIZE GUEST_TERM; do
			echo "$v=$(quote "${!v}")"
		done
	} | sed 's/= /=/' > "$rig/conf"
	echo "set --$(quote "${COMMAND[@]}")" > "$rig/command"
	if [ "$ROOT" = 9p ]; then
		for f in $(module_closure virtio_pci 9p 9pnet_virtio overlay); do
			cp "$MODULES/$f" "$rig/modules/$i-${f##*/}"
			i=$((i + 1))
		done
	fi
}

# Programs of an initramfs root: real ones where tests depend on their
# options; busybox supplies the rest.
BASE_PROGRAMS=(
	bash sh env cat cp mv rm ln ls mkdir rmdir mktemp touch chmod chown stat head tail wc sort uniq
	cut tr tee seq sleep date timeout printf echo expr true false test '[' basename dirname readlink
	realpath id nproc od stty tty uname sync truncate comm paste fold split dd df du mkfifo nice nohup
	pwd yes numfmt shuf kill grep sed awk find xargs
	taskset chrt ionice setpriv setsid dmesg flock lscpu mount umount mountpoint nsenter unshare prlimit
	logger renice getopt ps pgrep pkill sysctl lspci setpci kmod modprobe insmod rmmod lsmod modinfo
	cyclictest ip
)

# The paths of programs and libraries that files $@ load.
library_closure()
{
	ldd "$@" 2> /dev/null | awk '$2 == "=>" && $3 ~ /^\// { print $3 } $1 ~ /^\/.*ld-linux/ { print $1 }' | sort -u
}

# Copy files $2... into root $1, each under its own name in a merged /usr,
# links resolved.
copy_files()
{
	local root=$1 f dir
	shift
	for f; do
		dir=$(realpath "$(dirname "$f")")
		mkdir -p "$root$dir"
		[ -e "$root$dir/${f##*/}" ] || cp -L "$f" "$root$dir/${f##*/}"
	done
}

# Set BASE to the cpio with the part of an initramfs root that no run
# changes. Named by what is put in.
make_base()
{
	local files=() f key root=$TMP/base
	for f in "${BASE_PROGRAMS[@]}"; do
		# Not by `command -v`: that finds the shell's builtins.
		f=$(PATH=/usr/sbin:/usr/bin type -P "$f") && files+=("$f")
	done
	mapfile -t -O "${#files[@]}" files < <(library_closure "${files[@]}")
	key=$({ stat -L -c '%n %s %Y' "${files[@]}" "$TOOLS/bin/busybox"; cat "$HERE/vm.d/image.sh"; } |
		sha256sum | cut -c 1-16)
	BASE=$CACHE/rootfs/$key.cpio
	if [ -f "$BASE" ]; then
		touch "$BASE"
		return
	fi
	make_skeleton "$root"
	copy_files "$root" "${files[@]}"
	for f in $("$TOOLS/bin/busybox" --list); do
		[ -e "$root/usr/bin/$f" ] || [ -e "$root/usr/sbin/$f" ] || ln -s /rig/busybox "$root/usr/bin/$f"
	done
	mkdir -p "$CACHE/rootfs"
	find "$CACHE/rootfs" -type f -mmin +1440 -delete
	pack "$root" "$TMP/base.cpio"
	mv "$TMP/base.cpio" "$BASE"
}

make_skeleton()
{
	local root=$1 d
	mkdir -p "$root"/{dev,proc,sys,run,tmp,root,etc,var/log,usr/{bin,sbin,lib,lib64,share}}
	for d in bin sbin lib lib64; do
		ln -s "usr/$d" "$root/$d"
	done
	echo "root:x:0:0:root:/root:/bin/bash" > "$root/etc/passwd"
	echo "nobody:x:65534:65534:nobody:/:/bin/false" >> "$root/etc/passwd"
	printf 'root:x:0:\nnogroup:x:65534:\n' > "$root/etc/group"
	echo "127.0.0.1 localhost rtk-vm" > "$root/etc/hosts"
	[ ! -e /usr/share/misc/pci.ids ] || install -D /usr/share/misc/pci.ids "$root/usr/share/misc/pci.ids"
}

# The checkout with what was built in it, and the libraries of its programs.
add_checkout()
{
	local root=$1 elf=()
	mkdir -p "$root$TOP"
	tar -C "$TOP" --exclude=./.git --exclude=./.cache --exclude=./results --exclude='*.o' \
		--exclude='*.ko' --exclude='*.cmd' --exclude='*.a' --exclude=__pycache__ -cf - . |
		tar -C "$root$TOP" -xf -
	mapfile -d '' -t elf < <(find "$root$TOP" -type f -perm -100 -size +4k -print0)
	[ ${#elf[@]} = 0 ] || add_libraries "$root" "${elf[@]}"
}

add_libraries()
{
	local root=$1 libs
	shift
	mapfile -t libs < <(library_closure "$@")
	copy_files "$root" "${libs[@]}"
}

# Programs, files and directories asked for by --with.
add_extras()
{
	local root=$1 x path
	shift
	for x; do
		path=$(PATH=/usr/sbin:/usr/bin type -P "$x") || path=$x
		[ -e "$path" ] || die 2 "--with $x: no such program, file or directory"
		if [ -d "$path" ]; then
			path=$(realpath "$path")
			mkdir -p "$root$path"
			cp -a "$path/." "$root$path/"
		else
			copy_files "$root" "$path"
			add_libraries "$root" "$path"
		fi
	done
}

# Our modules, some device drivers and what they need.
add_modules()
{
	local root=$1/usr/lib/modules/$RELEASE f ours
	mkdir -p "$root"
	mapfile -t ours < <(find "$MODULES/extra" -name '*.ko' -printf '%f\n' | sed 's/\.ko$//; s/-/_/g')
	for f in $(module_closure "${ours[@]}" igb e1000e "${WITH_MODULES[@]}"); do
		mkdir -p "$root/$(dirname "$f")"
		cp "$MODULES/$f" "$root/$f"
	done
	cp "$MODULES"/modules.{builtin,builtin.modinfo,order} "$root/"
	"$TOOLS/bin/depmod" -b "$1/usr" "$RELEASE"
}

# Make $TMP/initrd. The kernel takes cpios one after the other.
make_initrd()
{
	local root=$TMP/root
	check_with_modules
	mkdir "$root"
	make_rig "$root"
	if [ "$ROOT" = initramfs ]; then
		make_base
		add_checkout "$root"
		add_extras "$root" "${WITH[@]}"
		add_modules "$root"
		pack "$root" "$TMP/run.cpio"
		cat "$BASE" "$TMP/run.cpio" > "$TMP/initrd"
	else
		pack "$root" "$TMP/initrd"
	fi
	rm -rf "$root" "$TMP/run.cpio" "$TMP/base"
}
