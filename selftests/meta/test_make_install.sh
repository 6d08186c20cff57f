#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# make install into a package's staging folder. The modules that disturb are built
# with the others, but never installed.
. "$(dirname "$0")/../lib.sh"
# shellcheck source=selftests/meta/kbuild.sh
. "$(dirname "$0")/kbuild.sh"

need_tool make gcc
start 7

copy_modules "$TMP/tree"
cp -r "$TOP/Makefile" "$TOP/userspace" "$TOP/scripts" "$TOP/Documentation" "$TMP/tree/"
kdir=$("$TOP/scripts/fetch" headers:6.12)
release=$(cat "$("$TOP/scripts/fetch" kernel:6.12)/release")
ok "make install" fresh_make -s -j"$(nproc)" \
	-C "$TMP/tree" install KDIR="$kdir" DESTDIR="$TMP/dest" PREFIX=/usr
for m in rtk_heavy rtk_inject rtk_smi; do
	ok "$m.ko was built" test -s "$TMP/tree/modules/$m.ko"
done
eq "rtk.ko alone is below lib, and no table of depmod's" \
	"$(cd "$TMP/dest/lib" && find . ! -type d)" "./modules/$release/extra/rtk.ko"
ok "it is the one that was built" cmp "$TMP/tree/rtk.ko" "$TMP/dest/lib/modules/$release/extra/rtk.ko"
eq "the rest is the client" "$(cd "$TMP/dest" && find . ! -type d ! -path './lib/*' | LC_ALL=C sort | xargs)" \
	"./usr/bin/rtk ./usr/libexec/rtk/eci.sh $(printf './usr/libexec/rtk/rtk-%s ' \
	caterpillar ctx_lat deadlock_bt device histogram-plot.sh hwlatdetect irq_rcu.sh jitter lat_mem_rd \
	mmioLatency.sh msiLatencyTest.sh plot preempt_lat report restore run_msijitter.sh \
	run_rhealstone_bmark semaphore_lat)./usr/share/man/man8/rtk.8"

ktap_finished
