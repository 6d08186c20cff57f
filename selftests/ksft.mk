# SPDX-License-Identifier: GPL-2.0
# KSFT: the kernel's self-tests with lib.mk, the runner and its headers. In a
# kernel tree they are above us, else they come from linux-source.

ifeq ($(origin KSFT),undefined)
rtk_selftests := $(patsubst %/,%,$(dir $(realpath $(lastword $(MAKEFILE_LIST)))))
ifneq ($(wildcard $(rtk_selftests)/../lib.mk),)
KSFT := $(realpath $(rtk_selftests)/..)
else
KSFT := $(shell $(rtk_selftests)/../scripts/fetch linux-source)/tools/testing/selftests
endif
endif
export KSFT
