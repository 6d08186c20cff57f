// SPDX-License-Identifier: GPL-2.0
/* rtk without arguments: where one is, what is missing, what comes next. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <linux/rtk_version.h>

#include "cmd.h"
#include "env.h"
#include "kmod.h"
#include "utest.h"

static const char *or_else(const char *text, const char *otherwise)
{
	return text && *text ? text : otherwise;
}

static void print_machine(const struct rtk_env *e)
{
	static const char *const kernels[] = {
		"real-time or not is unknown",
		"not a real-time kernel: results are DEGRADED",
		"real-time (PREEMPT_RT)",
	};
	const char *note = "";

	if (e->emulated)
		note = ", emulated: results are INVALID";
	else if (e->hypervisor)
		note = ", virtual: results are DEGRADED";
	printf("kernel:   %s, %s\n", e->fact[RTK_FACT_KERNEL_RELEASE].value,
	       kernels[e->rt + 1]);
	printf("machine:  hypervisor %s%s\n",
	       or_else(e->fact[RTK_FACT_HYPERVISOR].value, "unknown"), note);
	printf("CPUs:     %s online, isolated: %s\n",
	       or_else(e->fact[RTK_FACT_CPUS_ONLINE].value, "?"),
	       or_else(e->fact[RTK_FACT_CPUS_ISOLATED].value, "none"));
}

static void print_module_tests(void)
{
	struct rtk_tests tests;
	struct rtk_nl *nl;
	bool running;
	size_t i;

	if (rtk_nl_open(&nl))
		return;
	if (!rtk_nl_tests(nl, NULL, &tests)) {
		for (i = 0; i < tests.n; i++) {
			running = tests.v[i].state == RTK_STATE_RUNNING;
			printf(" %s%s", tests.v[i].name,
			       running ? " (running)" : "");
		}
		putchar(';');
		rtk_tests_free(&tests);
	}
	rtk_nl_close(nl);
}

static void print_tests(bool loaded)
{
	size_t i;

	printf("tests:   ");
	if (loaded)
		print_module_tests();
	printf(" without the module:");
	for (i = 0; rtk_utest_at(i); i++)
		printf(" %s", rtk_utest_at(i)->name);
	putchar('\n');
}

/* Does a module file fit the running kernel? */
static bool is_loadable(const struct rtk_kmod *k)
{
	return k->installed[0] || !strcmp(k->built_release, k->release);
}

static void print_module(const struct rtk_kmod *k)
{
	if (k->loaded) {
		printf("module:   loaded, version %s\n",
		       or_else(k->version, "unknown"));
		return;
	}
	if (is_loadable(k))
		puts("module:   not loaded");
	else if (k->built[0])
		printf("module:   built for kernel %s, not this one\n",
		       or_else(k->built_release, "?"));
	else
		puts("module:   not built");
	if (k->secure_boot == 1)
		puts("note:     Secure Boot is on: the module must be signed with an enrolled key");
}

/* The step that leads nearest to a measurement. */
static void print_next(const struct rtk_kmod *k)
{
	const struct rtk_obstacle *o = rtk_kmod_obstacle("");
	char hint[256];

	if (k->loaded) {
		printf("next:     sudo %s run hrtimer\n", rtk_prog());
	} else if (o) {
		printf("obstacle: %s\n", o->cause);
		printf("next:     %s\n", o->mend);
		printf("or:       sudo %s run %s\n", rtk_prog(),
		       rtk_utest_at(0)->name);
	} else if (is_loadable(k)) {
		printf("next:     sudo %s module load\n", rtk_prog());
	} else if (strcmp(k->headers_release, k->release)) {
		puts("missing:  headers of this kernel, to build the module with");
		printf("next:     %s\n",
		       rtk_kmod_headers_hint(hint, sizeof(hint), k->release));
	} else if (k->source[0]) {
		printf("next:     %s module build\n", rtk_prog());
	} else {
		puts("next:     make modules in the source tree");
	}
}

static int status_run(int argc, char **argv)
{
	struct rtk_kmod *k;
	struct rtk_env e;

	(void)argv;
	if (argc > 1)
		return rtk_cmd_usage(&rtk_cmd_status, "no argument expected");
	k = malloc(sizeof(*k));
	if (!k || rtk_env_capture(&e, "")) {
		free(k);
		rtk_err_nomem();
		return RTK_EXIT_ERROR;
	}
	rtk_kmod_look(k);
	puts("rtk " RTK_VERSION ": measures how real-time this machine is");
	print_machine(&e);
	print_module(k);
	print_tests(k->loaded);
	if (geteuid())
		puts("rights:   not root; measuring needs it (CAP_SYS_ADMIN)");
	print_next(k);
	printf("help:     %s --help\n", rtk_prog());
	rtk_env_free(&e);
	free(k);
	return RTK_EXIT_OK;
}

const struct rtk_cmd rtk_cmd_status = {
	.name = "status",
	.args = "",
	.summary = "what can be done here, and what is missing",
	.run = status_run,
};
