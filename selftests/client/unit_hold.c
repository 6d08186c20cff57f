// SPDX-License-Identifier: GPL-2.0
/*
 * Holding a device for a run, by a made-up rtk-device beside this program. Called
 * with the folder of that.
 */
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include "captured.h"
#include "files.h"
#include "hold.h"

static char program[PATH_MAX];

/* What rtk-device does, as a script. $1 is "hold", $2 the device. */
static void act(const char *folder, const char *script)
{
	char text[512];

	snprintf(text, sizeof(text), "#!/bin/sh\n%s\n", script);
	put(folder, "/rtk-device", text);
	chmod(program, 0755);
	captured();
}

#define LINE "echo '{\"device\":\"0000:03:00.0\",\"family\":\"igb\"}'"
/* Until its standard input ends, and nobody else's. */
#define WAIT "cat >/dev/null"

static void test_held(const char *folder)
{
	struct rtk_hold h, other;
	struct rtk_device d;

	act(folder, "[ \"$1 $2\" = 'hold 03:00.0' ] || exit 9; " LINE "; " WAIT);
	ok(!rtk_hold_begin(&h, "03:00.0", 0, &d), "a device is held");
	ok_str(d.bdf, "0000:03:00.0", "it is the one that was announced");
	ok(h.pid > 0 && !kill(h.pid, 0), "by a process");
	ok(!rtk_hold_begin(&other, "03:00.0", 0, &d), "so is another");
	ok(!rtk_hold_end(&h), "it goes back, though the other still runs");
	ok(!rtk_hold_end(&h), "once");
	ok(!rtk_hold_end(&other), "as the other does");
	ok_str(captured(), "", "without a word");
}

static void test_reading(const char *folder)
{
	struct rtk_hold h;
	struct rtk_device d;

	act(folder, "[ \"$*\" = 'hold 03:00.0 --unbound' ] || exit 9; " LINE);
	ok(!rtk_hold_begin(&h, "03:00.0", RTK_HOLD_UNBOUND, &d) && *d.bdf,
	   "a device that is only read");
	ok(!rtk_hold_end(&h), "need not be held");
	act(folder, "[ \"$*\" = 'hold address=fe --unbound --force' ] || exit 9; echo '{\"device\":null}'");
	ok(!rtk_hold_begin(&h, "address=fe", RTK_HOLD_UNBOUND | RTK_HOLD_FORCE,
			   &d),
	   "an address");
	ok(!*d.bdf && !rtk_hold_end(&h), "may be no device's");
	ok_str(captured(), "", "without a word");
}

static void test_list(const char *folder)
{
	json_t *list = NULL;

	/* More than a pipe holds. */
	act(folder, "[ \"$*\" = 'list --safe --json' ] || exit 9; echo '{\"devices\":[1,2,'; "
		    "yes ' ' | head -c 100000; echo '3]}'");
	ok(!rtk_hold_safe(&list) && json_array_size(list) == 3,
	   "a list of devices");
	json_decref(list);
	ok_str(captured(), "", "without a word");
	act(folder, "echo '{\"devices\":[]}'");
	ok_num(rtk_hold_safe(&list), 2, "none");
	ok(strstr(captured(), "no device with a register"), "is said to be none");
	act(folder, "echo 'rtk: no' >&2; exit 4");
	ok_num(rtk_hold_safe(&list), 4, "an error");
	ok_str(captured(), "rtk: no\n", "for the reason given");
}

static void test_refused(const char *folder)
{
	struct rtk_hold h;
	struct rtk_device d;

	act(folder, "echo 'rtk: it is up' >&2; exit 2");
	ok_num(rtk_hold_begin(&h, "auto", 0, &d), 2, "a device that is refused");
	ok_str(captured(), "rtk: it is up\n", "for the reason given");
	ok(!h.pid && !rtk_hold_end(&h), "nothing is held");
	act(folder, "echo '{}'");
	ok_num(rtk_hold_begin(&h, "auto", 0, &d), 2, "an answer without a device");
	ok(*captured(), "is said to be none");
}

static void test_stays(const char *folder)
{
	struct rtk_hold h;
	struct rtk_device d;

	act(folder, LINE "; " WAIT "; echo 'rtk: igb is gone' >&2; exit 2");
	ok(!rtk_hold_begin(&h, "auto", 0, &d), "a device that does not go back");
	ok_num(rtk_hold_end(&h), 2, "is an error");
	ok_str(captured(), "rtk: igb is gone\n", "for the reason given");
	act(folder, LINE "; " WAIT);
	ok(!rtk_hold_begin(&h, "auto", 0, &d), "a process that is killed");
	kill(h.pid, SIGKILL);
	ok_num(rtk_hold_end(&h), 2, "is an error, too");
	ok(strstr(captured(), "restore"), "which names what mends it");
}

int main(int argc, char **argv)
{
	tap_begin();
	capture_errors();
	if (argc != 2)
		return 1;
	snprintf(program, sizeof(program), "%s/rtk-device", argv[1]);
	test_held(argv[1]);
	test_reading(argv[1]);
	test_list(argv[1]);
	test_refused(argv[1]);
	test_stays(argv[1]);
	unlink(program);
	return tap_end();
}
