// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cmd.h"

static int list_run(int argc, char **argv)
{
	struct rtk_tests tests;
	struct rtk_nl *nl;
	size_t i;
	int status, err;

	(void)argv;
	if (argc > 1)
		return rtk_cmd_usage(&rtk_cmd_list, "no argument expected");
	status = rtk_cmd_open(&nl);
	if (status)
		return status;
	err = rtk_nl_tests(nl, NULL, &tests);
	if (err) {
		status = rtk_cmd_fail(nl, "", err, "list the tests");
	} else {
		for (i = 0; i < tests.n; i++)
			printf("%-16s %-8s %s\n", tests.v[i].name,
			       rtk_state_name(tests.v[i].state),
			       tests.v[i].summary ? tests.v[i].summary : "");
		rtk_tests_free(&tests);
	}
	rtk_nl_close(nl);
	return status;
}

const struct rtk_cmd rtk_cmd_list = {
	.name = "list",
	.args = "",
	.summary = "the tests of the module, their state, what they measure",
	.run = list_run,
};
