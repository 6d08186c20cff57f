# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Shared by quickstart and check.

# give_back TOP: under sudo in a user's checkout, what was made as root becomes
# the user's again, or a later "make clean" of the user's would fail.
give_back()
{
	[ "${SUDO_UID:-0}" != 0 ] || return 0
	[ "$(stat -c %u "$1")" = "$SUDO_UID" ] || return 0
	find "$1" -xdev -uid 0 -exec chown -h "$SUDO_UID:${SUDO_GID:-$SUDO_UID}" {} +
}
