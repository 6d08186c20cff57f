/* SPDX-License-Identifier: GPL-2.0 */
/* What rtk and its companions have in common: main() around a table of commands. */
#ifndef RTK_CLI_H
#define RTK_CLI_H

#include "cmd.h"

/**
 * struct rtk_cli - a program with commands
 * @usage: first lines of --help, with their newline
 * @epilogue: last lines of it
 * @v: commands; the last word of a name is what is typed
 * @n: their number
 * @bare: what to do without a command
 * @other: what to do with a word that is no command: argv[0]; returns an exit
 *	status
 */
struct rtk_cli {
	const char *usage;
	const char *epilogue;
	const struct rtk_cmd *const *v;
	size_t n;
	const struct rtk_cmd *bare;
	int (*other)(const struct rtk_cli *cli, char **argv);
};

/**
 * rtk_cli_main() - the program
 * @cli: its commands
 * @argc: number of arguments, as main() got it
 * @argv: arguments
 *
 * Return: exit status
 */
int rtk_cli_main(const struct rtk_cli *cli, int argc, char **argv);

/**
 * rtk_cli_single() - a program that is one command
 * @cmd: command
 * @argc: number of arguments, as main() got it
 * @argv: arguments
 *
 * Return: exit status
 */
int rtk_cli_single(const struct rtk_cmd *cmd, int argc, char **argv);

/**
 * rtk_cli_unknown() - say that there is no such command
 * @cli: commands
 * @verb: what was typed; the nearest command is offered
 *
 * Return: RTK_EXIT_ERROR
 */
int rtk_cli_unknown(const struct rtk_cli *cli, const char *verb);

/**
 * rtk_cli_companion() - the program rtk-VERB
 * @verb: verb
 * @path: filled: beside this program's own file, else in the libexec folder. Never
 *	from PATH, since rtk runs as root
 * @size: its size
 *
 * Return: 0, or -ENOENT
 */
int rtk_cli_companion(const char *verb, char *path, size_t size);

/**
 * rtk_cli_no_device() - say that rtk-device was not built
 *
 * Return: RTK_EXIT_CANNOT
 */
int rtk_cli_no_device(void);

/**
 * rtk_cli_rtk() - the program rtk, for a companion
 * @path: filled
 * @size: its size
 *
 * Return: 0, or -ENOENT
 */
int rtk_cli_rtk(char *path, size_t size);

#endif
