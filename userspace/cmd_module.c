// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cmd.h"
#include "kmod.h"

/* Runs a program in the foreground; its exit status, or -errno. */
static int execute(char *const argv[])
{
	pid_t pid;
	int status;

	fflush(stdout);
	pid = fork();
	if (pid < 0)
		return -errno;
	if (!pid) {
		execvp(argv[0], argv);
		rtk_err("%s: %s", argv[0], strerror(errno));
		_exit(127);
	}
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return -errno;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

static int check_headers(const struct rtk_kmod *k)
{
	const struct rtk_obstacle *o = rtk_kmod_obstacle("");
	char makefile[PATH_MAX + 16], hint[256];

	snprintf(makefile, sizeof(makefile), "%s/Makefile", k->headers);
	rtk_kmod_headers_hint(hint, sizeof(hint), k->release);
	if (access(makefile, R_OK) && o) {
		rtk_err("no headers of kernel %s, and %s; %s", k->release,
			o->cause, o->mend);
		return RTK_EXIT_CANNOT;
	}
	if (access(makefile, R_OK)) {
		rtk_err("no headers of kernel %s at %s; run: %s", k->release,
			k->headers, hint);
		return RTK_EXIT_CANNOT;
	}
	if (!k->headers_release[0] || !strcmp(k->headers_release, k->release))
		return RTK_EXIT_OK;
	rtk_err("the headers at %s are those of kernel %s, %s is running; run: %s",
		k->headers, k->headers_release, k->release, hint);
	return RTK_EXIT_CANNOT;
}

static int module_build(const struct rtk_kmod *k)
{
	char kdir[PATH_MAX + 16], source[PATH_MAX];
	char *const argv[] = { "make", "-C", source, kdir, "modules", NULL };
	int status;

	if (!k->source[0]) {
		rtk_err("no source tree beside this program; in the source tree run: make modules");
		return RTK_EXIT_CANNOT;
	}
	status = check_headers(k);
	if (status)
		return status;
	rtk_copy(source, sizeof(source), k->source);
	snprintf(kdir, sizeof(kdir), "KDIR=%s", k->headers);
	if (!execute(argv))
		return RTK_EXIT_OK;
	rtk_err("the module was not built; what make says above is the cause");
	return RTK_EXIT_ERROR;
}

/* A compressed file that the kernel can't unpack itself. */
static bool needs_modprobe(const char *path, int err)
{
	const char *suffix = strrchr(path, '.');

	return (err == -EOPNOTSUPP || err == -EINVAL) && suffix &&
	       strcmp(suffix, ".ko");
}

static int module_load(const struct rtk_kmod *k)
{
	char *const modprobe[] = { "/sbin/modprobe", "rtk", NULL };
	const struct rtk_obstacle *o = rtk_kmod_obstacle("");
	const char *path = rtk_kmod_choice(k);
	char why[512];
	int err;

	if (k->loaded) {
		printf("rtk is loaded already, version %s\n",
		       k->version[0] ? k->version : "unknown");
		if (rtk_kmod_differs(k, path))
			printf("%s is another one; to have that: sudo %s module unload && sudo %s module load\n",
			       path, rtk_prog(), rtk_prog());
		return RTK_EXIT_OK;
	}
	if (o) {
		rtk_err("%s; %s", o->cause, o->mend);
		return RTK_EXIT_CANNOT;
	}
	if (!*path) {
		if (k->source[0])
			rtk_err("no rtk.ko for kernel %s; run: %s module build",
				k->release, rtk_prog());
		else
			rtk_err("no rtk.ko for kernel %s; run: make modules in the source tree",
				k->release);
		return RTK_EXIT_CANNOT;
	}
	err = rtk_kmod_load(path);
	if (needs_modprobe(path, err) && !execute(modprobe))
		err = 0;
	if (!err || err == -EEXIST) {
		printf("loaded %s\n", path);
		return RTK_EXIT_OK;
	}
	rtk_err("%s", rtk_kmod_explain(k, path, err, why, sizeof(why)));
	return RTK_EXIT_CANNOT;
}

/* Names the tests that run; they don't keep the module, but explain much. */
static void print_users(void)
{
	struct rtk_tests tests;
	struct rtk_nl *nl;
	size_t i;

	if (rtk_nl_open(&nl))
		return;
	if (!rtk_nl_tests(nl, NULL, &tests)) {
		for (i = 0; i < tests.n; i++)
			if (tests.v[i].state == RTK_STATE_RUNNING)
				rtk_err("%s runs; stop: sudo %s stop %s",
					tests.v[i].name, rtk_prog(),
					tests.v[i].name);
		rtk_tests_free(&tests);
	}
	rtk_nl_close(nl);
}

static int module_unload(const struct rtk_kmod *k)
{
	const struct rtk_obstacle *o = rtk_kmod_obstacle("");
	int err;

	if (!k->loaded) {
		puts("rtk is not loaded");
		return RTK_EXIT_OK;
	}
	err = rtk_kmod_unload();
	switch (err) {
	case 0:
	case -ENOENT:
		puts("unloaded rtk");
		return RTK_EXIT_OK;
	case -EPERM:
		if (geteuid())
			rtk_err("unloading a module needs root: run with sudo");
		else if (o)
			rtk_err("can't unload rtk: %s; %s", o->cause, o->mend);
		else
			rtk_err("the kernel lets this process unload no modules (a container?); run on the host");
		return RTK_EXIT_CANNOT;
	case -EAGAIN:
	case -EBUSY:
		rtk_err("rtk is in use: a file in debugfs is open, results are being read, or another module needs it");
		print_users();
		return RTK_EXIT_ERROR;
	default:
		rtk_err("can't unload rtk: %s", strerror(-err));
		return RTK_EXIT_ERROR;
	}
}

static const char *or_else(const char *text, const char *otherwise)
{
	return *text ? text : otherwise;
}

static int module_status(const struct rtk_kmod *k)
{
	static const char *const on_off[] = { "unknown", "off", "on" };
	bool fits = !strcmp(k->built_release, k->release);

	printf("kernel:      %s\n", k->release);
	if (k->loaded)
		printf("loaded:      yes, version %s\n",
		       or_else(k->version, "unknown"));
	else
		puts("loaded:      no");
	printf("installed:   %s\n", or_else(k->installed, "no"));
	if (k->built[0])
		printf("built:       %s, for %s%s\n", k->built,
		       or_else(k->built_release, "?"),
		       fits ? "" : " (not this kernel)");
	else
		puts("built:       no");
	if (rtk_kmod_differs(k, rtk_kmod_choice(k)))
		printf("beside it:   %s, of another source\n",
		       rtk_kmod_choice(k));
	if (!k->loaded && *rtk_kmod_choice(k))
		printf("load takes:  %s\n", rtk_kmod_choice(k));
	printf("headers:     %s\n", or_else(k->headers_release, "none"));
	printf("source:      %s\n", or_else(k->source, "none"));
	printf("secure boot: %s\n", on_off[k->secure_boot + 1]);
	printf("lockdown:    %s\n", or_else(k->lockdown, "unknown"));
	return k->loaded ? RTK_EXIT_OK : RTK_EXIT_CANNOT;
}

static int module_run(int argc, char **argv)
{
	static const struct {
		const char *name;
		int (*run)(const struct rtk_kmod *k);
	} verbs[] = {
		{ "build", module_build },
		{ "load", module_load },
		{ "unload", module_unload },
		{ "status", module_status },
	};
	struct rtk_kmod *k;
	size_t i;
	int status;

	if (argc != 2)
		return rtk_cmd_usage(&rtk_cmd_module,
				     "one thing to do is needed");
	for (i = 0; i < RTK_ARRAY_SIZE(verbs); i++) {
		if (strcmp(argv[1], verbs[i].name))
			continue;
		k = malloc(sizeof(*k));
		if (!k) {
			rtk_err_nomem();
			return RTK_EXIT_ERROR;
		}
		rtk_kmod_look(k);
		status = verbs[i].run(k);
		free(k);
		return status;
	}
	return rtk_cmd_usage(&rtk_cmd_module, "no such thing to do: '%s'",
			     argv[1]);
}

const struct rtk_cmd rtk_cmd_module = {
	.name = "module",
	.args = "build|load|unload|status",
	.summary = "build, load, unload the kernel module, or look at it",
	.help = "build   makes rtk.ko in the source tree that this program lies in\n"
		"load    loads the rtk.ko built there for the running kernel, else the installed\n"
		"        one, and says which; exit status 0 also where one is loaded already,\n"
		"        which stays, even if it is of another source: that is said then\n"
		"unload  unloads it, and with it all runs and results\n"
		"status  what there is; exit status 4 where it is not loaded\n",
	.run = module_run,
};
