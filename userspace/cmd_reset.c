// SPDX-License-Identifier: GPL-2.0
#include "cmd.h"

static int reset_one(struct rtk_nl *nl, const char *test)
{
	return rtk_nl_reset(nl, test);
}

static int reset_run(int argc, char **argv)
{
	return rtk_cmd_each(&rtk_cmd_reset, argc, argv, reset_one);
}

const struct rtk_cmd rtk_cmd_reset = {
	.name = "reset",
	.args = "TEST...",
	.summary = "drop a test's results",
	.help = "The parameters stay. While the test runs this is refused.\n",
	.run = reset_run,
};
