// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <limits.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli.h"
#include "dev.h"

#define COUNT 100
#define TEXT(x) #x
#define COUNT_ARG(x) "count=" TEXT(x)

/* Runs rtk run msi_latency, which claims; its exit status, or -errno. */
static int measure(const char *device, FILE *json, FILE *text)
{
	char arg[64], path[PATH_MAX];
	char *argv[10] = { (char *)rtk_prog(),
			   (char *)"run",
			   (char *)"msi_latency",
			   arg,
			   (char *)COUNT_ARG(COUNT),
			   (char *)"--defaults",
			   (char *)"--quiet",
			   (char *)"--json",
			   (char *)"-",
			   NULL };
	posix_spawn_file_actions_t fa;
	int err, status;
	pid_t pid;

	snprintf(arg, sizeof(arg), "device=%s", device);
	if (rtk_cli_rtk(path, sizeof(path)))
		return -ENOENT;
	err = posix_spawn_file_actions_init(&fa);
	if (err)
		return -err;
	err = posix_spawn_file_actions_adddup2(&fa, fileno(json),
					       STDOUT_FILENO);
	if (!err)
		err = posix_spawn_file_actions_adddup2(&fa, fileno(text),
						       STDERR_FILENO);
	if (!err)
		err = posix_spawn(&pid, path, &fa, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&fa);
	if (err)
		return -err;
	/* The run is bounded by itself. */
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return -errno;
	return WIFEXITED(status) ? WEXITSTATUS(status) : -EINTR;
}

static void copy_errors(FILE *text)
{
	char line[1024];

	rewind(text);
	while (fgets(line, sizeof(line), text))
		fputs(line, stderr);
}

/* Samples of the handler on its CPU. */
static json_int_t came(const json_t *doc)
{
	const json_t *list = json_object_get(doc, "series"), *o;
	const char *name;
	size_t i;

	for (i = 0; i < json_array_size(list); i++) {
		o = json_array_get(list, i);
		name = json_string_value(json_object_get(o, "name"));
		if (name && !strcmp(name, "irq") &&
		    json_is_string(json_object_get(o, "cpu")))
			return json_integer_value(json_object_get(o, "count"));
	}
	return 0;
}

static int judge(const char *text, FILE *json)
{
	json_t *doc, *device;
	const char *bdf;
	json_int_t n;

	rewind(json);
	doc = json_loadf(json, 0, NULL);
	if (!doc) {
		rtk_err("%s: the run has left no result", text);
		return RTK_EXIT_ERROR;
	}
	device = json_object_get(doc, "device");
	bdf = json_string_value(json_object_get(device, "device"));
	n = came(doc);
	printf("%s: %lld of %d interrupts came\n", bdf ? bdf : text,
	       (long long)n, COUNT);
	json_decref(doc);
	return n == COUNT ? RTK_EXIT_OK : RTK_EXIT_FAILED;
}

static int run_selftest(int argc, char **argv)
{
	const char *text =
		rtk_dev_args(&rtk_dev_selftest, argc, argv, NULL, NULL);
	FILE *json = tmpfile(), *errors = tmpfile();
	int status = RTK_EXIT_ERROR;

	if (!text)
		goto out;
	if (!json || !errors) {
		rtk_err("no temporary file: %s", strerror(errno));
		goto out;
	}
	status = measure(text, json, errors);
	if (status < 0)
		rtk_err("can't execute rtk: %s", strerror(-status));
	if (status == RTK_EXIT_ERROR || status == RTK_EXIT_CANNOT)
		copy_errors(errors);
	/* A verdict is about latencies, which nobody asked for. */
	if (status < 0 || status == RTK_EXIT_ERROR || status == RTK_EXIT_CANNOT)
		status = RTK_EXIT_ERROR;
	else
		status = judge(text, json);
out:
	if (json)
		fclose(json);
	if (errors)
		fclose(errors);
	return status;
}

const struct rtk_cmd rtk_dev_selftest = {
	.name = "device selftest",
	.args = "BDF|auto",
	.summary = "tell a device to raise interrupts, and count them",
	.help = "Claims it if it is not claimed, runs msi_latency for 100 interrupts with the defaults\n"
		"of its other parameters, says how many came, and gives it back. Exit status 0 all, 1 not\n"
		"all, 2 an error.\n",
	.run = run_selftest,
};
