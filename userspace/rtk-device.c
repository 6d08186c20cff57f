// SPDX-License-Identifier: GPL-2.0
/* rtk device: devices for the tests of message signalled interrupts. */
#include "cli.h"
#include "dev.h"

static const struct rtk_cmd *const commands[] = {
	&rtk_dev_list,	   &rtk_dev_claim, &rtk_dev_release,
	&rtk_dev_selftest, &rtk_dev_hold,
};

static int unknown(const struct rtk_cli *cli, char **argv)
{
	return rtk_cli_unknown(cli, argv[0]);
}

int main(int argc, char **argv)
{
	static const struct rtk_cli cli = {
		.usage =
			"Devices that raise message signalled interrupts on demand: network cards of the\n"
			"families igb, igc and e1000e (82574), and QEMU's edu.\n"
			"\n"
			"usage: rtk device [COMMAND [ARG]...]\n\n",
		.epilogue =
			"\n"
			"Without a command: list. Help on a command: rtk device COMMAND --help.\n",
		.v = commands,
		.n = RTK_ARRAY_SIZE(commands),
		.bare = &rtk_dev_list,
		.other = unknown,
	};

	return rtk_cli_main(&cli, argc, argv);
}
