// SPDX-License-Identifier: GPL-2.0
#include "cmd.h"

static int stop_one(struct rtk_nl *nl, const char *test)
{
	return rtk_nl_stop(nl, test, 0);
}

static int stop_run(int argc, char **argv)
{
	return rtk_cmd_each(&rtk_cmd_stop, argc, argv, stop_one);
}

const struct rtk_cmd rtk_cmd_stop = {
	.name = "stop",
	.args = "TEST...",
	.summary = "stop a run and wait for its end",
	.help = "The results stay; they are shown by rtk show. Nothing to stop is no error.\n",
	.run = stop_run,
};
