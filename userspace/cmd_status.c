// SPDX-License-Identifier: GPL-2.0
/* rtk without arguments: where one is, what is missing, what comes next. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd.h"
#include "env.h"
#include "kmod.h"

static void print_machine(const struct rtk_env *e)
{
	const char *isolated = e->fact[RTK_FACT_CPUS_ISOLATED].value;
	const char *online = e->fact[RTK_FACT_CPUS_ONLINE].value;

	printf("kernel:   %s, %s\n", e->fact[RTK_FACT_KERNEL_RELEASE].value,
	       e->rt == 1 ? "real-time (PREEMPT_RT)" :
	       e->rt ? "real-time or not is unknown" :
		       "not a real-time kernel: results are DEGRADED");
	printf("machine:  %s%s\n",
	       !e->fact[RTK_FACT_HYPERVISOR].value ? "virtual or not is unknown" :
	       e->hypervisor ? e->fact[RTK_FACT_HYPERVISOR].value : "bare metal",
	       e->emulated ? ", emulated: results are INVALID" :
	       e->hypervisor ? ", virtual: results are DEGRADED" : "");
	printf("CPUs:     %s online, isolated: %s\n", online ? online : "?",
	       isolated && *isolated ? isolated : "none");
}

/* The step that leads nearest to a measurement. */
static const char *next_step(const struct rtk_kmod *k)
{
	if (k->loaded)
		return geteuid() ? "sudo rtk list" : "rtk run hrtimer";
	if (k->installed[0] || !strcmp(k->built_release, k->release))
		return "sudo rtk module load";
	if (!k->source[0])
		return "make modules in the source tree, then: sudo rtk module load";
	return "rtk module build";
}

static void print_tests(struct rtk_nl *nl)
{
	struct rtk_tests tests;
	size_t i;

	if (rtk_nl_tests(nl, NULL, &tests)) {
		printf("tests:    can't be listed%s\n",
		       geteuid() ? " without root" : "");
		return;
	}
	printf("tests:   ");
	for (i = 0; i < tests.n; i++)
		printf(" %s%s", tests.v[i].name,
		       tests.v[i].state == RTK_STATE_RUNNING ? " (running)" : "");
	putchar('\n');
	rtk_tests_free(&tests);
}

static void print_module(const struct rtk_kmod *k)
{
	char hint[256];
	struct rtk_nl *nl;

	if (k->loaded) {
		printf("module:   loaded, version %s\n",
		       k->version[0] ? k->version : "unknown");
		if (!rtk_nl_open(&nl)) {
			print_tests(nl);
			rtk_nl_close(nl);
		}
		return;
	}
	printf("module:   not loaded; %s\n",
	       k->installed[0] ? "installed" :
	       !k->built[0] ? "not built" :
	       strcmp(k->built_release, k->release) ? "built for another kernel" :
						      "built");
	if (!k->installed[0] && strcmp(k->headers_release, k->release))
		printf("missing:  headers of this kernel; run: %s\n",
		       rtk_kmod_headers_hint(hint, sizeof(hint), k->release));
	if (k->secure_boot == 1)
		puts("note:     Secure Boot is on: the module must be signed with an enrolled key");
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
	if (geteuid())
		puts("rights:   not root; measuring needs it (CAP_SYS_ADMIN)");
	printf("next:     %s\n", next_step(k));
	puts("help:     rtk --help");
	rtk_env_free(&e);
	free(k);
	return RTK_EXIT_OK;
}

const struct rtk_cmd rtk_cmd_status = {
	.name = "status",
	.args = "",
	.summary = "what can be done here and what is missing (as rtk without a command)",
	.run = status_run,
};
