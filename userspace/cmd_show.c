// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cmd.h"
#include "report.h"

static int show_test(struct rtk_nl *nl, const char *test,
		     const struct rtk_report *rep)
{
	const struct rtk_checkpoint none = { 0 };
	struct rtk_result r;
	int status;

	rtk_result_init(&r);
	if (rtk_env_capture(&r.env, "")) {
		rtk_err_nomem();
		status = RTK_EXIT_ERROR;
	} else {
		status = rtk_report_collect(nl, test, 0, &none, &r);
	}
	if (!status)
		status = rtk_report_print(rep, &r);
	rtk_result_free(&r);
	return status;
}

static int show_run(int argc, char **argv)
{
	struct rtk_report rep = { 0 };
	struct rtk_nl *nl;
	int status, c, err;

	opterr = 0;
	while ((c = getopt_long(argc, argv, ":", rtk_show_options, NULL)) !=
	       -1) {
		err = rtk_report_option(&rep, c, optarg);
		if (err == -ENOENT)
			return rtk_cmd_bad_option(&rtk_cmd_show, c, argv);
		if (err)
			return RTK_EXIT_ERROR;
	}
	if (argc - optind != 1)
		return rtk_cmd_usage(&rtk_cmd_show, "one test is needed");
	status = rtk_cmd_module_only(&rtk_cmd_show, argv[optind]);
	if (status)
		return status;
	status = rtk_cmd_open(&nl);
	if (status)
		return status;
	if (rtk_report_check(&rep, argv[optind]))
		status = RTK_EXIT_ERROR;
	else
		status = show_test(nl, argv[optind], &rep);
	rtk_nl_close(nl);
	return status;
}

const struct rtk_cmd rtk_cmd_show = {
	.name = "show",
	.args = "TEST [OPTION]...",
	.summary = "results of a running or ended run",
	.help = RTK_REPORT_HELP,
	.run = show_run,
};
