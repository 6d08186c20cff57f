# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Sourced by scripts/fetch: what the client is linked with for arm64. Headers and
# archives are enough, since the program is static.

ARM64_LIBS=(libnl-3-dev libnl-genl-3-dev libjansson-dev libgsl-dev)

get_arm64_libs()
{
	if [ ! -d "$CACHE/arm64-libs" ]; then
		lock
		write_sources
		mkdir -p "$CACHE"/apt/arm64/{lists,archives}/partial
		# Lists of its own: those of the kernels are for this machine's architecture.
		APT+=(-o APT::Architecture=arm64 -o APT::Architectures::=arm64
		      -o "Dir::State::lists=$CACHE/apt/arm64/lists" -o "Dir::Cache=$CACHE/apt/arm64")
		say "refreshing the package lists of arm64"
		apt-get "${APT[@]}" update >&2 || die "apt-get update failed"
		download "$TMP/arm64.debs" "${ARM64_LIBS[@]}" || die "cannot download ${ARM64_LIBS[*]}"
		unpack_debs "$TMP/arm64.debs" "$TMP/arm64-libs"
		rm -rf "$CACHE/apt/arm64"
		publish arm64-libs
		# What comes after it is this machine's again.
		apt_opts
	fi
	echo "$CACHE/arm64-libs"
}
