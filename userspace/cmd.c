// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cmd.h"
#include "kmod.h"
#include "report.h"
#include "units.h"
#include "utest.h"

static int needs_root(void)
{
	if (geteuid())
		rtk_err("needs root (CAP_SYS_ADMIN): run with sudo");
	else
		rtk_err("needs CAP_SYS_ADMIN in the initial user namespace, which a container does not have: run on the host");
	return RTK_EXIT_CANNOT;
}

/* The family exists in the initial network namespace only. */
static int not_found(void)
{
	const struct rtk_obstacle *o = rtk_kmod_obstacle("");

	if (!access("/sys/module/rtk", F_OK))
		rtk_err("family 'rtk' not found although the module is loaded: not in this network namespace; run on the host");
	else if (o)
		rtk_err("family 'rtk' not found: %s; %s", o->cause, o->mend);
	else
		rtk_err("family 'rtk' not found: module not loaded; run: sudo %s module load",
			rtk_prog());
	return RTK_EXIT_CANNOT;
}

int rtk_cmd_open(struct rtk_nl **nl)
{
	int err = rtk_nl_open(nl);

	switch (err) {
	case 0:
		return RTK_EXIT_OK;
	case -ENOENT:
		return not_found();
	case -EPROTO:
		rtk_err("the loaded module speaks another version of the protocol; run: sudo %s module unload && sudo %s module load",
			rtk_prog(), rtk_prog());
		return RTK_EXIT_CANNOT;
	case -EPERM:
		return needs_root();
	default:
		rtk_err("can't reach the kernel's generic netlink: %s",
			strerror(-err));
		return RTK_EXIT_CANNOT;
	}
}

static int no_test(struct rtk_nl *nl, const char *name)
{
	struct rtk_tests all;
	const char *best = NULL;
	size_t i;

	if (rtk_nl_tests(nl, NULL, &all))
		memset(&all, 0, sizeof(all));
	for (i = 0; i < all.n; i++)
		best = rtk_nearest(name, best, all.v[i].name);
	for (i = 0; rtk_utest_at(i); i++)
		best = rtk_nearest(name, best, rtk_utest_at(i)->name);
	if (best)
		rtk_err("no test '%s'; did you mean '%s'?", name, best);
	else
		rtk_err("no test '%s'; the tests are shown by: %s list", name,
			rtk_prog());
	rtk_tests_free(&all);
	return RTK_EXIT_ERROR;
}

/* "hrtimer busy: owner pid 123 (rtk), 12 s of 60 s; stop: ..." */
static void print_busy(const struct rtk_test *t)
{
	char elapsed[32], planned[32] = "an endless run";

	rtk_units_print(elapsed, sizeof(elapsed),
			t->elapsed_ns < 0 ? 0 : t->elapsed_ns);
	if (t->planned_ns > 0)
		rtk_units_print(planned, sizeof(planned), t->planned_ns);
	rtk_err("%s busy: owner pid %u (%s), %s of %s; stop: sudo %s stop %s",
		t->name, t->owner_pid, t->owner_comm[0] ? t->owner_comm : "?",
		elapsed, planned, rtk_prog(), t->name);
}

int rtk_cmd_fail(struct rtk_nl *nl, const char *test, int err, const char *what)
{
	char said[512];
	struct rtk_test t;
	int got;

	rtk_copy(said, sizeof(said), rtk_nl_error(nl));
	rtk_test_init(&t);
	got = rtk_nl_test_get(nl, test, &t);
	/* Who may ask is refused for another reason, such as lockdown. */
	if (got == -EPERM)
		return needs_root();
	if (got) {
		if (err == -ENOENT)
			return no_test(nl, test);
	} else if (err == -EBUSY && (t.state == RTK_STATE_RUNNING ||
				     t.state == RTK_STATE_STOPPING)) {
		print_busy(&t);
		goto out;
	} else if (t.last_error && *t.last_error && err != -ETIME) {
		rtk_err("%s", t.last_error);
		goto out;
	}
	rtk_err("can't %s %s: %s", what, test, said[0] ? said : strerror(-err));
out:
	rtk_test_free(&t);
	return err == -EOPNOTSUPP ? RTK_EXIT_CANNOT : RTK_EXIT_ERROR;
}

int rtk_cmd_test(struct rtk_nl *nl, const char *name, struct rtk_tests *tests)
{
	int err;

	if (strlen(name) > RTK_TEST_NAME_MAX)
		return no_test(nl, name);
	err = rtk_nl_tests(nl, name, tests);
	if (!err && tests->n == 1)
		return RTK_EXIT_OK;
	rtk_tests_free(tests);
	if (!err || err == -ENOENT)
		return no_test(nl, name);
	if (err == -EPERM)
		return needs_root();
	rtk_err("can't describe %s: %s", name,
		*rtk_nl_error(nl) ? rtk_nl_error(nl) : strerror(-err));
	return RTK_EXIT_ERROR;
}

int rtk_cmd_module_only(const struct rtk_cmd *cmd, const char *test)
{
	if (!test || !rtk_utest_find(test))
		return RTK_EXIT_OK;
	rtk_err("%s is a test in user space: it keeps neither parameters nor results, so there is no %s of it; run: sudo %s run %s [NAME=VALUE]...",
		test, cmd->name, rtk_prog(), test);
	return RTK_EXIT_ERROR;
}

int rtk_cmd_each(const struct rtk_cmd *cmd, int argc, char **argv,
		 int (*request)(struct rtk_nl *nl, const char *test))
{
	int status, one, i, err;
	struct rtk_nl *nl;

	if (argc < 2)
		return rtk_cmd_usage(cmd, "a test is needed");
	for (i = 1; i < argc; i++)
		if (rtk_cmd_module_only(cmd, argv[i]))
			return RTK_EXIT_ERROR;
	status = rtk_cmd_open(&nl);
	if (status)
		return status;
	for (i = 1; i < argc; i++) {
		err = request(nl, argv[i]);
		if (!err)
			continue;
		one = rtk_cmd_fail(nl, argv[i], err, cmd->name);
		if (one > status)
			status = one;
	}
	rtk_nl_close(nl);
	return status;
}

int rtk_cmd_usage(const struct rtk_cmd *cmd, const char *fmt, ...)
{
	char text[256];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	rtk_err("%s; usage: rtk %s%s%s", text, cmd->name, *cmd->args ? " " : "",
		cmd->args);
	return RTK_EXIT_ERROR;
}

/* The option of rtk run that "--NAME" or "--NAME=VALUE" would be, or NULL. */
static const struct option *find_run_option(const char *arg)
{
	size_t len = strcspn(arg, "=");
	const struct option *o;

	for (o = rtk_run_options; o->name; o++)
		if (len > 2 && !strncmp(arg, "--", 2) &&
		    !strncmp(arg + 2, o->name, len - 2))
			return o;
	return NULL;
}

/* Where one takes only parameters: what to type for an option of rtk run. */
static int translate_option(const char *cmd, const struct option *o,
			    const char *value)
{
	bool duration = o->val == RTK_OPT_DURATION;
	char number[32] = "...";
	__s64 v;

	if (o->val == RTK_OPT_DEFAULTS) {
		rtk_err("%s has no --%s; before it: sudo %s set TEST --%s", cmd,
			o->name, rtk_prog(), o->name);
		return RTK_EXIT_ERROR;
	}
	if (o->val == RTK_OPT_ALL_SAFE) {
		rtk_err("%s has no --%s; that is: sudo %s run TEST --%s", cmd,
			o->name, rtk_prog(), o->name);
		return RTK_EXIT_ERROR;
	}
	if (!duration && o->val != RTK_OPT_FAIL_ABOVE) {
		rtk_err("%s has no --%s; results are reported by: sudo %s show TEST --%s",
			cmd, o->name, rtk_prog(), o->name);
		return RTK_EXIT_ERROR;
	}
	if (value && !rtk_units_parse(value, duration ? "s" : "ns",
				      duration ? "ms" : "ns", &v))
		snprintf(number, sizeof(number), "%lld", v);
	rtk_err("%s has no --%s; give the parameter: %s=%s", cmd, o->name,
		duration ? "duration_ms" : "threshold_ns", number);
	return RTK_EXIT_ERROR;
}

int rtk_cmd_not_run(const struct rtk_cmd *cmd, int c, char **argv)
{
	const struct option *o = find_run_option(argv[optind - 1]);
	const char *equal = strchr(argv[optind - 1], '=');

	if (!o)
		return rtk_cmd_bad_option(cmd, c, argv);
	return translate_option(cmd->name, o, equal ? equal + 1 : argv[optind]);
}

int rtk_cmd_bad_option(const struct rtk_cmd *cmd, int c, char **argv)
{
	if (c == ':')
		return rtk_cmd_usage(cmd, "option '%s' needs an argument",
				     argv[optind - 1]);
	return rtk_cmd_usage(cmd, "option '%s' is not known or ambiguous",
			     argv[optind - 1]);
}
