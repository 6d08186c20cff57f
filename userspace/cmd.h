/* SPDX-License-Identifier: GPL-2.0 */
/* The commands of rtk: a table in rtk.c, a file for each. */
#ifndef RTK_CMD_H
#define RTK_CMD_H

#include <getopt.h>

#include "model.h"
#include "nl.h"
#include "util.h"

/**
 * struct rtk_cmd - a command
 * @name: what is typed
 * @args: its arguments, for the usage line
 * @summary: one line
 * @help: the rest of --help, each line with its newline; may be NULL
 * @run: argv[0] is the command; returns an exit status. --help is done already.
 */
struct rtk_cmd {
	const char *name;
	const char *args;
	const char *summary;
	const char *help;
	int (*run)(int argc, char **argv);
};

extern const struct rtk_cmd rtk_cmd_list;
extern const struct rtk_cmd rtk_cmd_get;
extern const struct rtk_cmd rtk_cmd_set;
extern const struct rtk_cmd rtk_cmd_start;
extern const struct rtk_cmd rtk_cmd_stop;
extern const struct rtk_cmd rtk_cmd_reset;
extern const struct rtk_cmd rtk_cmd_show;
extern const struct rtk_cmd rtk_cmd_run;
extern const struct rtk_cmd rtk_cmd_monitor;
extern const struct rtk_cmd rtk_cmd_module;
extern const struct rtk_cmd rtk_cmd_status;

/**
 * rtk_cmd_open() - connect to the module for a command
 * @nl: set on success
 *
 * Prints what is missing and how to mend it.
 *
 * Return: RTK_EXIT_OK, or the status to exit with
 */
int rtk_cmd_open(struct rtk_nl **nl);

/**
 * rtk_cmd_test() - fetch a test with its parameters
 * @nl: connection
 * @name: test
 * @tests: filled with this one test
 *
 * Prints its error.
 *
 * Return: RTK_EXIT_OK, or the status to exit with
 */
int rtk_cmd_test(struct rtk_nl *nl, const char *name, struct rtk_tests *tests);

/**
 * rtk_cmd_fail() - say why the module refused something
 * @nl: connection
 * @test: test
 * @err: what the request returned, -errno
 * @what: what was asked for, in the infinitive: "start"
 *
 * Return: the status to exit with
 */
int rtk_cmd_fail(struct rtk_nl *nl, const char *test, int err,
		 const char *what);

/**
 * rtk_cmd_each() - a command that is one request for each test named
 * @cmd: command; its name is what is asked for
 * @argc: number of arguments
 * @argv: arguments, the first is the command
 * @request: returns 0 or -errno
 *
 * Prints its errors, and goes on with the next test.
 *
 * Return: the worst status, to exit with
 */
int rtk_cmd_each(const struct rtk_cmd *cmd, int argc, char **argv,
		 int (*request)(struct rtk_nl *nl, const char *test));

/**
 * rtk_cmd_module_only() - refuse a test in user space
 * @cmd: command, for tests of the module only
 * @test: test or NULL
 *
 * Return: RTK_EXIT_OK for any other test; RTK_EXIT_ERROR, printed
 */
int rtk_cmd_module_only(const struct rtk_cmd *cmd, const char *test);

/**
 * rtk_cmd_usage() - say that the arguments are wrong
 * @cmd: command
 * @fmt: what is wrong
 *
 * Return: RTK_EXIT_ERROR
 */
int rtk_cmd_usage(const struct rtk_cmd *cmd, const char *fmt, ...)
	__printf(2, 3);

/**
 * rtk_cmd_bad_option() - say that getopt_long() refused an option
 * @cmd: command
 * @c: what it returned, '?' or ':'
 * @argv: arguments
 *
 * Return: RTK_EXIT_ERROR
 */
int rtk_cmd_bad_option(const struct rtk_cmd *cmd, int c, char **argv);

/**
 * rtk_cmd_not_run() - the same for a command that is mistaken for rtk run
 * @cmd: command; it takes parameters
 * @c: what getopt_long() returned
 * @argv: arguments
 *
 * Of an option of rtk run it says what stands for it here.
 *
 * Return: RTK_EXIT_ERROR
 */
int rtk_cmd_not_run(const struct rtk_cmd *cmd, int c, char **argv);

#endif
