// SPDX-License-Identifier: GPL-2.0
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <linux/rtk_version.h>

#include "cli.h"

/* Where companions lie that are not beside rtk; set by the build. */
#ifndef RTK_LIBEXECDIR
#define RTK_LIBEXECDIR "/usr/local/libexec/rtk"
#endif
#ifndef RTK_BINDIR
#define RTK_BINDIR "/usr/local/bin"
#endif

/* "claim" of the command "device claim". */
static const char *word_of(const struct rtk_cmd *cmd)
{
	const char *blank = strrchr(cmd->name, ' ');

	return blank ? blank + 1 : cmd->name;
}

static int help(const struct rtk_cli *cli)
{
	size_t i;

	fputs(cli->usage, stdout);
	for (i = 0; i < cli->n; i++)
		printf("  %-8s %s\n", word_of(cli->v[i]), cli->v[i]->summary);
	fputs(cli->epilogue, stdout);
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

static const struct rtk_cmd *find(const struct rtk_cli *cli, const char *name)
{
	size_t i;

	for (i = 0; i < cli->n; i++)
		if (!strcmp(word_of(cli->v[i]), name))
			return cli->v[i];
	return NULL;
}

int rtk_cli_unknown(const struct rtk_cli *cli, const char *verb)
{
	const char *best = NULL;
	size_t i;

	for (i = 0; i < cli->n; i++)
		best = rtk_nearest(verb, best, word_of(cli->v[i]));
	if (best)
		rtk_err("no command '%s'; did you mean '%s'?", verb, best);
	else
		rtk_err("no command '%s'; they are shown by: %s --help", verb,
			rtk_prog());
	return RTK_EXIT_ERROR;
}

/* Anything with a slash could lead out of the folder. Some scripts end in ".sh". */
static bool is_verb(const char *name)
{
	const char *p;

	for (p = name; *p; p++)
		if (!isalnum((unsigned char)*p) && *p != '-' && *p != '_' &&
		    *p != '.')
			return false;
	return isalpha((unsigned char)*name);
}

/* A file beside this program's own, else in @folder. */
static int find_program(const char *folder, const char *name, char *path,
			size_t size)
{
	char dir[PATH_MAX];

	if (!rtk_self_dir(dir, sizeof(dir)) &&
	    snprintf(path, size, "%s/%s", dir, name) < (int)size &&
	    !access(path, F_OK))
		return 0;
	if (snprintf(path, size, "%s/%s", folder, name) < (int)size &&
	    !access(path, F_OK))
		return 0;
	return -ENOENT;
}

int rtk_cli_companion(const char *verb, char *path, size_t size)
{
	char name[64];

	if (!is_verb(verb) ||
	    snprintf(name, sizeof(name), "rtk-%s", verb) >= (int)sizeof(name))
		return -ENOENT;
	return find_program(RTK_LIBEXECDIR, name, path, size);
}

int rtk_cli_no_device(void)
{
	rtk_err("there is no rtk-device, which takes devices from their drivers: it was not built, for want of libpci; run: sudo apt-get install libpci-dev, and build again");
	return RTK_EXIT_CANNOT;
}

int rtk_cli_rtk(char *path, size_t size)
{
	return find_program(RTK_BINDIR, "rtk", path, size);
}

static bool wants_help(int argc, char **argv)
{
	int i;

	for (i = 0; i < argc; i++)
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

int rtk_cli_main(const struct rtk_cli *cli, int argc, char **argv)
{
	const struct rtk_cmd *cmd = cli->bare;

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
			return flush(help(cli));
		cmd = find(cli, argv[1]);
		if (cmd)
			return flush(help_command(cmd));
		return cli->other(cli, (char *[]){ argv[1], "--help", NULL });
	}
	if (argc) {
		cmd = find(cli, argv[0]);
		if (!cmd)
			return cli->other(cli, argv);
	}
	if (argc && wants_help(argc - 1, argv + 1))
		return flush(help_command(cmd));
	return flush(cmd->run(argc, argv));
}

int rtk_cli_single(const struct rtk_cmd *cmd, int argc, char **argv)
{
	fill_streams();
	rtk_set_prog(argv[0]);
	if (argc > 1 && wants_help(argc - 1, argv + 1))
		return flush(help_command(cmd));
	return flush(cmd->run(argc, argv));
}
