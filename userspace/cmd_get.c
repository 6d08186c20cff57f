// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <string.h>

#include "cmd.h"
#include "params.h"
#include "utest.h"

static void print_range(const struct rtk_param *p)
{
	if (p->choices && *p->choices)
		printf("%s", p->choices);
	else if (p->type == RTK_PARAM_TYPE_BOOL)
		printf("0|1");
	else if (p->ranged)
		printf("%lld..%lld", p->min, p->max);
	else
		printf("%s",
		       p->type == RTK_PARAM_TYPE_CPULIST ? "CPU list" : "word");
	if (p->unit[0])
		printf(" %s", p->unit);
}

static void print_all(const struct rtk_test *t)
{
	const struct rtk_param *p;
	size_t i;

	printf("%s: %s (%s)\n", t->name, t->summary ? t->summary : "",
	       rtk_utest_find(t->name) ? "user" : rtk_state_name(t->state));
	for (i = 0; i < t->nparams; i++) {
		p = &t->params[i];
		printf("%s=%s\n        %s\n        allowed: ", p->name,
		       p->value ? p->value : "", p->help ? p->help : "");
		print_range(p);
		printf("; default: %s\n", p->def && *p->def ? p->def : "empty");
	}
}

static int print_one(const struct rtk_test *t, const char *name)
{
	const struct rtk_param *p = rtk_test_param(t, name);

	if (p) {
		puts(p->value ? p->value : "");
		return RTK_EXIT_OK;
	}
	rtk_params_unknown(t, name);
	return RTK_EXIT_ERROR;
}

static int print_test(const struct rtk_test *t, const char *param)
{
	if (param)
		return print_one(t, param);
	print_all(t);
	return RTK_EXIT_OK;
}

static int get_user(const struct rtk_utest *u, const char *param)
{
	struct rtk_test t;
	int status;

	if (rtk_utest_describe(u, &t)) {
		rtk_err_nomem();
		return RTK_EXIT_ERROR;
	}
	status = print_test(&t, param);
	rtk_test_free(&t);
	return status;
}

static int get_run(int argc, char **argv)
{
	struct rtk_tests tests;
	struct rtk_nl *nl;
	int status;

	if (argc < 2)
		return rtk_cmd_usage(&rtk_cmd_get, "a test is needed");
	if (argc > 3)
		return rtk_cmd_usage(&rtk_cmd_get, "one parameter, or none");
	if (rtk_utest_find(argv[1]))
		return get_user(rtk_utest_find(argv[1]), argv[2]);
	status = rtk_cmd_open(&nl);
	if (status)
		return status;
	status = rtk_cmd_test(nl, argv[1], &tests);
	if (!status) {
		status = print_test(&tests.v[0], argv[2]);
		rtk_tests_free(&tests);
	}
	rtk_nl_close(nl);
	return status;
}

const struct rtk_cmd rtk_cmd_get = {
	.name = "get",
	.args = "TEST [PARAMETER]",
	.summary = "a test's parameters, or the value of one",
	.help = "Without PARAMETER: every value, what is allowed, and the default. With it: the\n"
		"bare value, in the unit of the parameter's name.\n",
	.run = get_run,
};
