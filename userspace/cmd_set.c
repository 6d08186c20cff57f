// SPDX-License-Identifier: GPL-2.0
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "cmd.h"
#include "params.h"

static int set_test(struct rtk_nl *nl, const struct rtk_test *t, bool defaults,
		    char **args)
{
	struct rtk_kvs kvs = { 0 };
	int status = RTK_EXIT_OK, err;

	for (; *args && !status; args++)
		if (rtk_params_add(t, *args, &kvs))
			status = RTK_EXIT_ERROR;
	if (!status && defaults)
		status = rtk_params_defaults(t, &kvs) ? RTK_EXIT_ERROR :
							RTK_EXIT_OK;
	if (!status) {
		err = rtk_nl_set(nl, t->name, &kvs);
		if (err)
			status = rtk_cmd_fail(nl, t->name, err, "set");
	}
	rtk_kvs_free(&kvs);
	return status;
}

static int set_run(int argc, char **argv)
{
	static const struct option options[] = {
		{ "defaults", no_argument, NULL, 'd' }, { 0 }
	};
	struct rtk_tests tests;
	bool defaults = false;
	struct rtk_nl *nl;
	int status, c;

	opterr = 0;
	while ((c = getopt_long(argc, argv, ":", options, NULL)) != -1) {
		if (c != 'd')
			return rtk_cmd_not_run(&rtk_cmd_set, c, argv);
		defaults = true;
	}
	argv += optind;
	if (!argv[0] || (!argv[1] && !defaults))
		return rtk_cmd_usage(&rtk_cmd_set,
				     "a test and a setting are needed");
	status = rtk_cmd_module_only(&rtk_cmd_set, argv[0]);
	if (status)
		return status;
	status = rtk_cmd_open(&nl);
	if (status)
		return status;
	status = rtk_cmd_test(nl, argv[0], &tests);
	if (!status) {
		status = set_test(nl, &tests.v[0], defaults, argv + 1);
		rtk_tests_free(&tests);
	}
	rtk_nl_close(nl);
	return status;
}

const struct rtk_cmd rtk_cmd_set = {
	.name = "set",
	.args = "TEST [--defaults] NAME=VALUE...",
	.summary = "set parameters of a test, all or none",
	.help = "They hold for the next start or run, until they are set again or the module is\n"
		"unloaded. --defaults: those not named get their defaults.\n",
	.run = set_run,
};
