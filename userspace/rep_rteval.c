// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <jansson.h>
#include <string.h>
#include <linux/rtk_version.h>

#include "rep.h"
#include "rteval.h"

/* The layout is rteval's up to 1.38, blanks at the ends of lines included. */
#define RULE \
	"==================================================================="

static void print_head(FILE *out, const struct rtk_rteval *t)
{
	char rule[sizeof(RULE)];

	memset(rule, '-', sizeof(rule) - 1);
	rule[sizeof(rule) - 1] = '\0';
	fprintf(out, "  %s\n   rtk (v%s) report\n  %s\n", RULE, RTK_VERSION,
		rule);
	fprintf(out, "   Test run:     %s %s\n", t->date, t->time);
	fprintf(out, "   Run time:     %lld days %dh %dm %ds\n", t->days,
		t->hours, t->minutes, t->seconds);
	fprintf(out, "   Remarks:      %s\n\n", t->remark);
	fprintf(out, "   Tested node:  %s\n", rtk_rteval_fact(t, "node"));
	fprintf(out, "   Model:        %s - %s\n", rtk_rteval_dmi(t, "vendor"),
		rtk_rteval_dmi(t, "product"));
	fprintf(out,
		"   BIOS version: %s (ver: %s, rev :, release date: %s)\n\n",
		rtk_rteval_dmi(t, "bios_vendor"),
		rtk_rteval_dmi(t, "bios_version"),
		rtk_rteval_dmi(t, "bios_date"));
}

static void print_machine(FILE *out, const struct rtk_rteval *t)
{
	__s64 nodes = rtk_rteval_number(t, "numa_nodes");

	if (t->cpus)
		fprintf(out, "   CPU cores:    %zu (online: %zu)\n", t->cpus,
			t->online);
	else
		fputs("   CPU cores:    (unknown)\n", out);
	if (nodes >= 0)
		fprintf(out, "   NUMA Nodes:   %lld\n", nodes);
	else
		fputs("   NUMA Nodes:   (unknown)\n", out);
	if (*t->memory)
		fprintf(out, "   Memory:       %s %s\n", t->memory,
			t->memory_unit);
	else
		fputs("   Memory:       (unknown)\n", out);
	fprintf(out, "   Kernel:       %s%s\n",
		rtk_rteval_fact(t, "kernel_release"),
		t->r->env.rt > 0 ? "  (RT enabled)" : "");
	fprintf(out, "   Base OS:      %s\n", rtk_rteval_fact(t, "base_os"));
	fprintf(out, "   Architecture: %s\n", rtk_rteval_fact(t, "machine"));
	fprintf(out, "   Clocksource:  %s\n",
		rtk_rteval_fact(t, "clocksource"));
	fprintf(out, "   Available:    %s\n\n",
		rtk_rteval_fact(t, "clocksources"));
}

static void print_load(FILE *out, const struct rtk_rteval *t)
{
	fputs("   Load commands:\n       Load average: ", out);
	if (t->r->env.load[0] >= 0)
		fprintf(out, "%g\n", t->r->env.load[0]);
	else
		fputs("(unknown)\n", out);
	fputs("       Commands:\n\n", out);
}

static void print_stats(FILE *out, const struct rtk_rteval *t,
			const struct rtk_summary *s)
{
	struct rtk_rteval_stat v[RTK_RTEVAL_STATS];
	size_t n = rtk_rteval_stats(t, s, v), i;

	fputs("      Statistics: ", out);
	fprintf(out, "\n          Samples:           %llu\n", s->count);
	for (i = 0; i < n; i++)
		fprintf(out, "          %s:%*s%.*g%s\n", v[i].label,
			18 - (int)strlen(v[i].label), "", v[i].digits, v[i].v,
			t->unit);
	fputc('\n', out);
}

static void print_result(FILE *out, const struct rtk_rteval *t)
{
	size_t i;

	print_head(out, t);
	print_machine(out, t);
	print_load(out, t);
	fprintf(out, "   Latency test\n      Command:%s\n\n", t->command);
	fprintf(out, "      System:  (%zu cores) %s\n", t->cores,
		rtk_rteval_fact(t, "cpu_model"));
	print_stats(out, t, t->all);
	for (i = 0; i < t->cores; i++) {
		fprintf(out, "      CPU core %d   Priority: %s\n",
			t->core[i].cpu, rtk_rteval_priority(t));
		print_stats(out, t, &t->core[i]);
	}
	fprintf(out, "  %s\n", RULE);
}

int rtk_rep_rteval(FILE *out, const struct rtk_rep *rep)
{
	struct rtk_rteval t;
	size_t i;
	int err;

	for (i = 0; i < rep->n; i++) {
		err = rtk_rteval_init(&t, &rep->v[i]);
		if (!err)
			print_result(out, &t);
		rtk_rteval_free(&t);
		if (err)
			return err;
	}
	return 0;
}
