#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# What test_quickstart.sh runs in its VM: quickstart_guest.sh TREE HEADERS
ln -s "$2" "/lib/modules/$(uname -r)/build"
cd "$1" || exit
scripts/quickstart --yes --duration 3s && ls results && ! grep ^rtk /proc/modules || exit

echo "== interrupted"
# With a group of its own, which gets Ctrl-C as from a terminal.
set -m
scripts/quickstart --yes --duration 10m &
until userspace/rtk list 2>/dev/null | grep ' running '; do
	kill -0 $! || exit
	sleep 0.2
done
kill -INT -- -$!
wait $!
echo "left: $(grep -o ^rtk /proc/modules)"
