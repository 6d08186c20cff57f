// SPDX-License-Identifier: GPL-2.0
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "cmd.h"
#include "params.h"

static int start_test(struct rtk_nl *nl, const struct rtk_test *t, char **args)
{
	struct rtk_kvs kvs = { 0 };
	int status = RTK_EXIT_OK, err;
	__u32 generation;

	for (; *args && !status; args++)
		if (rtk_params_add(t, *args, &kvs))
			status = RTK_EXIT_ERROR;
	if (!status) {
		err = rtk_nl_start(nl, t->name, &kvs, true, &generation);
		if (err)
			status = rtk_cmd_fail(nl, t->name, err, "start");
		else
			printf("%s started; results: sudo %s show %s; stop: sudo %s stop %s\n",
			       t->name, rtk_prog(), t->name, rtk_prog(),
			       t->name);
	}
	rtk_kvs_free(&kvs);
	return status;
}

static int start_run(int argc, char **argv)
{
	static const struct option options[] = {
		{ "detach", no_argument, NULL, 'd' }, { 0 }
	};
	struct rtk_tests tests;
	struct rtk_nl *nl;
	int status, c;

	opterr = 0;
	while ((c = getopt_long(argc, argv, ":", options, NULL)) != -1)
		if (c != 'd')
			return rtk_cmd_not_run(&rtk_cmd_start, c, argv);
	argv += optind;
	if (!argv[0])
		return rtk_cmd_usage(&rtk_cmd_start, "a test is needed");
	status = rtk_cmd_module_only(&rtk_cmd_start, argv[0]);
	if (status)
		return status;
	status = rtk_cmd_open(&nl);
	if (status)
		return status;
	status = rtk_cmd_test(nl, argv[0], &tests);
	if (!status) {
		status = start_test(nl, &tests.v[0], argv + 1);
		rtk_tests_free(&tests);
	}
	rtk_nl_close(nl);
	return status;
}

const struct rtk_cmd rtk_cmd_start = {
	.name = "start",
	.args = "TEST [NAME=VALUE]... [--detach]",
	.summary = "start a test in the background",
	.help = "The parameters are set first, all or none. The test runs until its duration_ms\n"
		"is over (0, the default, is endless) or until rtk stop. This command ends at\n"
		"once and the test goes on, so --detach is implied; a run that ends with its\n"
		"client is what rtk run does.\n",
	.run = start_run,
};
