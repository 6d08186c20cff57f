// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cmd.h"
#include "utest.h"

static void print(const char *name, const char *state, const char *summary)
{
	printf("%-16s %-8s %s\n", name, state, summary ? summary : "");
}

static int list_module(void)
{
	struct rtk_tests tests;
	struct rtk_nl *nl;
	size_t i;
	int status, err;

	status = rtk_cmd_open(&nl);
	if (status)
		return status;
	err = rtk_nl_tests(nl, NULL, &tests);
	if (err) {
		status = rtk_cmd_fail(nl, "", err, "list the tests");
	} else {
		for (i = 0; i < tests.n; i++)
			print(tests.v[i].name, rtk_state_name(tests.v[i].state),
			      tests.v[i].summary);
		rtk_tests_free(&tests);
	}
	rtk_nl_close(nl);
	return status;
}

static int list_run(int argc, char **argv)
{
	const struct rtk_utest *u;
	size_t i;

	(void)argv;
	if (argc > 1)
		return rtk_cmd_usage(&rtk_cmd_list, "no argument expected");
	for (i = 0; (u = rtk_utest_at(i)); i++)
		print(u->name, "user", u->summary);
	fflush(stdout);
	return list_module();
}

const struct rtk_cmd rtk_cmd_list = {
	.name = "list",
	.args = "",
	.summary = "the tests, their state, what they measure",
	.help = "Those of state \"user\" run in user space and need no module; the others are the\n"
		"module's, and are missing where it is not loaded: exit status 4.\n",
	.run = list_run,
};
