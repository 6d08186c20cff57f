// SPDX-License-Identifier: GPL-2.0
/* rtk restore: undoes what a killed process has left, by the journal. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "claim.h"
#include "cli.h"

/*
 * How a kind of change is undone. @dry: only say what would be done. Return: 0 or
 * -errno, printed.
 */
static const struct undo {
	const char *kind;
	int (*undo)(const char *root, const json_t *before, bool dry);
} undos[] = {
	{ RTK_CLAIM_KIND, rtk_claim_undo },
};

struct restore {
	bool all;
	bool dry;
	int done;
	int kept;
	int failed;
};

static int undo_entry(struct rtk_journal *j, const struct rtk_change *c,
		      struct restore *r)
{
	const struct undo *u;
	int err;

	for (u = undos; u < undos + RTK_ARRAY_SIZE(undos); u++)
		if (!strcmp(u->kind, c->kind))
			break;
	if (u == undos + RTK_ARRAY_SIZE(undos)) {
		rtk_err("%s: a change of another kind than this rtk knows: %s",
			c->file, c->kind);
		return -1;
	}
	err = u->undo("", c->before, r->dry);
	if (err || r->dry)
		return err;
	return rtk_journal_remove(j, c->file);
}

static int visit(struct rtk_journal *j, const struct rtk_change *c, void *arg)
{
	struct restore *r = arg;
	const char *what =
		json_string_value(json_object_get(c->before, c->kind));

	if (c->alive && !r->all) {
		printf("%s %s: process %d (%s) undoes it at its end\n", c->kind,
		       what ? what : "", c->pid, c->comm);
		r->kept++;
	} else if (undo_entry(j, c, r)) {
		r->failed++;
	} else {
		if (!r->dry)
			printf("%s %s: as it was\n", c->kind, what ? what : "");
		r->done++;
	}
	return 0;
}

static int run_restore(int argc, char **argv);

static const struct rtk_cmd restore = {
	.name = "restore",
	.args = "[--dry-run] [--all]",
	.summary = "undo the changes of this system that a killed rtk has left",
	.help = "Newest first; those of processes that still run are left to them. What rtk device\n"
		"claim has taken has no such process, and is given back, too. Works without the\n"
		"module. What another boot has seen changed needs nothing.\n"
		"\n"
		"  --dry-run         only say what would be done\n"
		"  --all             also what a running process would undo at its end\n",
	.run = run_restore,
};

static int run_restore(int argc, char **argv)
{
	static const struct option options[] = {
		{ "dry-run", no_argument, NULL, 'n' },
		{ "all", no_argument, NULL, 'a' },
		{ 0 },
	};
	struct restore r = { 0 };
	struct rtk_journal j;
	int c;

	opterr = 0;
	while ((c = getopt_long(argc, argv, ":", options, NULL)) != -1) {
		if (c != 'n' && c != 'a')
			return rtk_cmd_bad_option(&restore, c, argv);
		r.dry |= c == 'n';
		r.all |= c == 'a';
	}
	if (optind < argc)
		return rtk_cmd_usage(&restore, "no argument is expected");
	if (!r.dry && geteuid()) {
		rtk_err("the system is changed by root only: run with sudo");
		return RTK_EXIT_CANNOT;
	}
	rtk_signals();
	if (rtk_journal_open(&j, !r.dry))
		return RTK_EXIT_ERROR;
	if (rtk_journal_each(&j, visit, &r))
		r.failed++;
	rtk_journal_close(&j);
	if (!r.done && !r.kept && !r.failed)
		puts("nothing to undo");
	return r.failed ? RTK_EXIT_ERROR : RTK_EXIT_OK;
}

int main(int argc, char **argv)
{
	return rtk_cli_single(&restore, argc, argv);
}
