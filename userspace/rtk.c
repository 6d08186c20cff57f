// SPDX-License-Identifier: GPL-2.0
/*
 * rtk: measures how real-time a machine is, by the kernel module of the same
 * name and in user space. Here: the table of commands, and finding the companions rtk-VERB.
 */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <linux/rtk_version.h>

#include "cmd.h"

/* Where companions lie that are not beside rtk; set by the build. */
#ifndef RTK_LIBEXECDIR
#define RTK_LIBEXECDIR "/usr/local/libexec/rtk"
#endif

static const struct rtk_cmd *const commands[] = {
	&rtk_cmd_run,	 &rtk_cmd_list,	  &rtk_cmd_get,	    &rtk_cmd_set,
	&rtk_cmd_start,	 &rtk_cmd_stop,	  &rtk_cmd_show,    &rtk_cmd_reset,
	&rtk_cmd_module, &rtk_cmd_status, &rtk_cmd_monitor,
};

static const char epilogue[] =
	"\n"
	"Help on a command: rtk COMMAND --help. Times take a unit: ns us ms s m h d.\n"
	"Exit status: 0 passed, 1 threshold exceeded, 2 wrong usage or an error,\n"
	"3 the result is INVALID, 4 cannot run here.\n";

static int help(void)
{
	size_t i;

	puts("rtk measures how real-time this machine is, by the kernel module rtk.ko and by\n"
	     "tests in user space that need no module.\n"
	     "\n"
	     "usage: rtk [--help | --version] [COMMAND [ARG]...]\n");
	for (i = 0; i < RTK_ARRAY_SIZE(commands); i++)
		printf("  %-8s %s\n", commands[i]->name, commands[i]->summary);
	fputs(epilogue, stdout);
	return RTK_EXIT_OK;
}

static int help_command(const struct rtk_cmd *cmd)
{
	printf("usage: rtk %s%s%s\n\n%s.\n", cmd->name, *cmd->args ? " " : "",
	       cmd->args, cmd->summary);
	if (cmd->help)
		printf("\n%s", cmd->help);
	return RTK_EXIT_OK;
}

static const struct rtk_cmd *find(const char *name)
{
	size_t i;

	for (i = 0; i < RTK_ARRAY_SIZE(commands); i++)
		if (!strcmp(commands[i]->name, name))
			return commands[i];
	return NULL;
}

/* Anything with a slash or a dot could lead out of the folder. */
static bool is_verb(const char *name)
{
	const char *p;

	for (p = name; *p; p++)
		if (!isalnum((unsigned char)*p) && *p != '-' && *p != '_')
			return false;
	return isalpha((unsigned char)*name);
}

/*
 * Runs DIR/rtk-VERB in our place. Returns if there is none, or with the error
 * of one that can't be run. Never searches PATH: rtk runs as root.
 */
static int exec_in(const char *dir, const char *verb, char **argv)
{
	char path[PATH_MAX];

	if (snprintf(path, sizeof(path), "%s/rtk-%s", dir, verb) >= PATH_MAX)
		return -ENAMETOOLONG;
	if (access(path, F_OK))
		return -ENOENT;
	argv[0] = path;
	execv(path, argv);
	rtk_err("%s: %s", path, strerror(errno));
	return -EIO;
}

static int companion(char **argv)
{
	char dir[PATH_MAX];
	const char *verb = argv[0], *best = NULL;
	int err = -ENOENT;
	size_t i;

	if (is_verb(verb)) {
		if (!rtk_self_dir(dir, sizeof(dir)))
			err = exec_in(dir, verb, argv);
		if (err == -ENOENT)
			err = exec_in(RTK_LIBEXECDIR, verb, argv);
	}
	if (err == -EIO)
		return RTK_EXIT_ERROR;
	for (i = 0; i < RTK_ARRAY_SIZE(commands); i++)
		best = rtk_nearest(verb, best, commands[i]->name);
	if (best)
		rtk_err("no command '%s'; did you mean '%s'?", verb, best);
	else
		rtk_err("no command '%s'; they are shown by: %s --help", verb,
			rtk_prog());
	return RTK_EXIT_ERROR;
}

static bool wants_help(int argc, char **argv)
{
	int i;

	for (i = 1; i < argc; i++)
		if (!strcmp(argv[i], "--help") || !strcmp(argv[i], "-h"))
			return true;
	return false;
}

/* "help", "--help" and "-h" are the same. */
static bool is_word(const char *arg, const char *word, const char *letter)
{
	if (!strncmp(arg, "--", 2))
		arg += 2;
	return !strcmp(arg, word) || !strcmp(arg, letter);
}

/* A report that did not reach its reader is an error, as on a full disk. */
static int flush(int status)
{
	if (!fflush(stdout) && !ferror(stdout))
		return status;
	fprintf(stderr, "rtk: standard output: %s\n", strerror(errno));
	return status == RTK_EXIT_CANNOT ? status : RTK_EXIT_ERROR;
}

/*
 * What is opened first in place of a closed stream would get the output meant
 * for that. This one can't be written to, so that the loss is told.
 */
static void fill_streams(void)
{
	int fd;

	do
		fd = open("/dev/null", O_RDONLY);
	while (fd >= 0 && fd <= STDERR_FILENO);
	if (fd >= 0)
		close(fd);
}

int main(int argc, char **argv)
{
	const struct rtk_cmd *cmd = &rtk_cmd_status;

	fill_streams();
	rtk_set_prog(argv[0]);
	argc--;
	argv++;
	if (argc && is_word(argv[0], "version", "-V")) {
		puts("rtk " RTK_VERSION);
		return flush(RTK_EXIT_OK);
	}
	if (argc && is_word(argv[0], "help", "-h")) {
		if (argc == 1)
			return flush(help());
		cmd = find(argv[1]);
		if (cmd)
			return flush(help_command(cmd));
		return companion((char *[]){ argv[1], "--help", NULL });
	}
	if (argc) {
		cmd = find(argv[0]);
		if (!cmd)
			return companion(argv);
	}
	if (wants_help(argc, argv))
		return flush(help_command(cmd));
	return flush(cmd->run(argc, argv));
}
