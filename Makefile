# SPDX-License-Identifier: GPL-2.0
# rtk: kernel modules, client, checks. The modules' objects are in Kbuild.

KDIR	?= /lib/modules/$(shell uname -r)/build
PREFIX	?= /usr/local
DESTDIR	?=

# Set only where asked for: a newer compiler's new warning must not keep a
# user from building.
ifeq ($(WERROR),1)
WERROR_FLAGS := KCFLAGS=-Werror
export WERROR
endif

# BTF of a module is made by pahole from the kernel's. It is for BPF programs,
# of which we have none, and some kernels' headers fail to build without pahole.
ifeq ($(and $(wildcard $(KDIR)/vmlinux),$(shell command -v pahole)),)
BTF_FLAGS := CONFIG_DEBUG_INFO_BTF_MODULES=
endif

HAVE_KDIR := $(wildcard $(KDIR)/Makefile)

# An absolute M: from 7.2 on the module's folder is the working directory.
KBUILD	= $(MAKE) -C $(KDIR) M=$(CURDIR) $(WERROR_FLAGS) $(BTF_FLAGS)

all: $(if $(HAVE_KDIR),modules,no-headers) client

no-headers:
	@echo "note: no kernel headers at $(KDIR): building the client only"
	@echo "note: headers: apt-get install linux-headers-$(shell uname -r), or: make KDIR=..."

modules:
ifeq ($(HAVE_KDIR),)
	@echo "no kernel headers at $(KDIR)" >&2
	@echo "run: apt-get install linux-headers-$(shell uname -r), or: make modules KDIR=..." >&2
	@exit 2
endif
	+$(KBUILD) modules

client:
	$(MAKE) -C userspace all

check:
	$(MAKE) -C userspace check

install: client $(if $(HAVE_KDIR),modules_install)
	$(MAKE) -C userspace install DESTDIR=$(DESTDIR) PREFIX=$(PREFIX)

# rtk.ko alone, without kbuild's modules_install: the others are for the
# self-tests, and signing with a key that no headers have only prints errors.
# depmod only for this machine, never for a package's staging folder.
# The release is what the module says: Debian's kernel.release is another.
modules_install: modules
	v=$$(modinfo -F vermagic rtk.ko | cut -d ' ' -f 1) && \
	install -D -m 644 rtk.ko $(DESTDIR)/lib/modules/$$v/extra/rtk.ko \
	$(if $(DESTDIR),,&& depmod $$v)

# With the kernel's own checks: memory, locking, data races, failing allocations.
check-debug:
	@scripts/check --only packages --only vm-debug --only vm-debug-rt

style:
	@scripts/style

layers:
	@scripts/layers

regen:
	@scripts/regen

bench:
	@scripts/bench

# kbuild's own clean where there are headers; its leftovers in any case.
clean:
	$(if $(HAVE_KDIR),+$(KBUILD) clean)
	$(RM) Module.symvers modules.order .*.cmd .module-common.o
	$(RM) $(foreach x,ko o mod mod.c mod.o,*.$(x) modules/*.$(x)) modules/.*.cmd
	$(MAKE) -C userspace clean
	$(MAKE) -C selftests clean

help:
	@echo "  all      the modules, where kernel headers are there, and the client"
	@echo "  modules  rtk.ko for KDIR=$(KDIR)"
	@echo "  client   userspace/rtk"
	@echo "  check    unit tests; all tests: sudo scripts/check"
	@echo "  check-debug  self-tests on debug kernels, which it builds; hours, as root"
	@echo "  install  into DESTDIR=$(DESTDIR) PREFIX=$(PREFIX)"
	@echo "  style    checkpatch, kernel-doc, clang-format, sparse, cppcheck, shellcheck"
	@echo "  layers   what may include and call what"
	@echo "  regen    what follows from the netlink spec"
	@echo "  bench    instructions per sample, beside timerlat and cyclictest"
	@echo "  clean    what was built; the downloads in .cache stay"
	@echo "WERROR=1 turns warnings into errors."

.PHONY: all no-headers modules client check check-debug install modules_install style \
	layers regen bench clean help
