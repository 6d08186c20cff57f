// SPDX-License-Identifier: GPL-2.0
/*
 * rtk: measures how real-time a machine is, by the kernel module of the same
 * name and in user space. Here: the table of commands; the companions rtk-VERB.
 */
#include <errno.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"

static const struct rtk_cmd *const commands[] = {
	&rtk_cmd_run,	 &rtk_cmd_list,	  &rtk_cmd_get,	    &rtk_cmd_set,
	&rtk_cmd_start,	 &rtk_cmd_stop,	  &rtk_cmd_show,    &rtk_cmd_reset,
	&rtk_cmd_module, &rtk_cmd_status, &rtk_cmd_monitor,
};

/* Runs rtk-VERB in our place. It names in its hints what was typed, as we do. */
static int companion(const struct rtk_cli *cli, char **argv)
{
	char path[PATH_MAX];

	if (rtk_cli_companion(argv[0], path, sizeof(path)))
		return strcmp(argv[0], "device") ?
			       rtk_cli_unknown(cli, argv[0]) :
			       rtk_cli_no_device();
	argv[0] = (char *)rtk_prog();
	execv(path, argv);
	rtk_err("%s: %s", path, strerror(errno));
	return RTK_EXIT_ERROR;
}

int main(int argc, char **argv)
{
	static const struct rtk_cli cli = {
		.usage =
			"rtk measures how real-time this machine is, by the kernel module rtk.ko and by\n"
			"tests in user space that need no module.\n"
			"\n"
			"usage: rtk [--help | --version] [COMMAND [ARG]...]\n\n",
		/* The list of commands goes on with the companions. */
		.epilogue =
			"  device   show devices that raise MSIs, take them from their drivers, give back\n"
			"  restore  undo what an rtk that was killed has left changed\n"
			"\n"
			"Help on a command: rtk COMMAND --help. Times take a unit: ns us ms s m h d.\n"
			"Exit status: 0 passed, 1 threshold exceeded, 2 wrong usage or an error,\n"
			"3 the result is INVALID, 4 cannot run here.\n",
		.v = commands,
		.n = RTK_ARRAY_SIZE(commands),
		.bare = &rtk_cmd_status,
		.other = companion,
	};

	return rtk_cli_main(&cli, argc, argv);
}
