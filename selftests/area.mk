# SPDX-License-Identifier: GPL-2.0
# One area of the self-tests: everything named test_*.sh or test_*.c in this
# folder, built, run and installed by the kernel's lib.mk.

include ../ksft.mk

TEST_PROGS += $(sort $(wildcard test_*.sh))
LOCAL_HDRS += $(wildcard *.h ../*.h)
TEST_GEN_PROGS += $(patsubst %.c,%,$(sort $(wildcard test_*.c)))

CFLAGS += -O2 -g -Wall -Wextra -Wno-unused-parameter -Wno-sign-compare
CFLAGS += $(if $(filter 1,$(WERROR)),-Werror)
# A kernel tree has our uapi headers among its own.
CFLAGS += $(if $(wildcard ../../uapi),-I../../uapi,$(KHDR_INCLUDES)) -isystem $(KSFT)

SETTINGS := $(firstword $(wildcard settings ../settings))

# lib.mk's run_tests looks for the settings file inside the kernel's tree and
# would fall back to 45 s, too little for an emulated machine.
export kselftest_override_timeout ?= $(shell sed -n 's/^timeout=//p' $(SETTINGS))

# Also when make was started by another one: lib.mk sets it at level 0 only.
OUTPUT ?= $(CURDIR)

include $(KSFT)/lib.mk

# run_kselftest.sh reads these beside the tests.
install: install_settings
install_settings:
	mkdir -p $(INSTALL_PATH)
	install -m 644 $(SETTINGS) $(INSTALL_PATH)/settings

.PHONY: install_settings
