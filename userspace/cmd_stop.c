// SPDX-License-Identifier: GPL-2.0
#include "cmd.h"

static int stop_run(int argc, char **argv)
{
	int status, one, i, err;
	struct rtk_nl *nl;

	if (argc < 2)
		return rtk_cmd_usage(&rtk_cmd_stop, "a test is needed");
	status = rtk_cmd_open(&nl);
	if (status)
		return status;
	for (i = 1; i < argc; i++) {
		err = rtk_nl_stop(nl, argv[i], 0);
		if (!err)
			continue;
		one = rtk_cmd_fail(nl, argv[i], err, "stop");
		if (one > status)
			status = one;
	}
	rtk_nl_close(nl);
	return status;
}

const struct rtk_cmd rtk_cmd_stop = {
	.name = "stop",
	.args = "TEST...",
	.summary = "stop a run and wait for its end",
	.help = "The results stay; they are shown by rtk show. Nothing to stop is no error.\n",
	.run = stop_run,
};
