#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The test mmio with the arguments and the result of Intel's script mmioLatency.sh.
test=mmioLatency.sh
# shellcheck disable=SC2034 # for eci.sh
usage="usage: $test <MMIO_address> <block_irq>
  MMIO_address  physical address in a PCI device's memory, hexadecimal, with or without 0x
  block_irq     1: interrupts are off while a read lasts, 0: they are not
Reads there for a minute, or until Ctrl-C. Reading must have no side effect there: most
registers of most devices do have some. A device with a driver is refused; to read it
all the same: rtk run mmio address=ADDRESS force=1. Times are in ns. Exit status:
0 measured, 2 wrong usage or an error, 3 the result is INVALID, 4 cannot run here."
# shellcheck source=scripts/eci.sh
. "$(dirname "$(readlink -f "$0")")/eci.sh"
help_or_arguments 2 2 "$@"
[[ $1 =~ ^(0[xX])?[0-9a-fA-F]+$ ]] || refuse "MMIO_address $1: not a hexadecimal number"
[[ $2 = [01] ]] || refuse "block_irq $2: not 1 or 0"
exec "$rtk" run mmio "address=$1" "block_irq=$2" --defaults --format eci
