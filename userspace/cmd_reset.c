// SPDX-License-Identifier: GPL-2.0
#include "cmd.h"

static int reset_run(int argc, char **argv)
{
	int status, one, i, err;
	struct rtk_nl *nl;

	if (argc < 2)
		return rtk_cmd_usage(&rtk_cmd_reset, "a test is needed");
	status = rtk_cmd_open(&nl);
	if (status)
		return status;
	for (i = 1; i < argc; i++) {
		err = rtk_nl_reset(nl, argv[i]);
		if (!err)
			continue;
		one = rtk_cmd_fail(nl, argv[i], err, "reset");
		if (one > status)
			status = one;
	}
	rtk_nl_close(nl);
	return status;
}

const struct rtk_cmd rtk_cmd_reset = {
	.name = "reset",
	.args = "TEST...",
	.summary = "drop a test's results",
	.help = "The parameters stay. While the test runs this is refused.\n",
	.run = reset_run,
};
