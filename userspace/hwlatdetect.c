// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "gaps.h"
#include "hwlatdetect.h"
#include "outfile.h"
#include "params.h"
#include "util.h"

static __s64 number(const struct rtk_result *r, const char *name)
{
	const char *text = rtk_params_value(&r->test, name);

	return text ? strtoll(text, NULL, 10) : 0;
}

/* It knows whole us only; a fraction is shown where there is one. */
static const char *us_text(char *buf, size_t size, __s64 ns)
{
	if (ns % 1000)
		snprintf(buf, size, "%lld.%03lld", ns / 1000, ns % 1000);
	else
		snprintf(buf, size, "%lld", ns / 1000);
	return buf;
}

static void print_head(FILE *out, const struct rtk_result *r, const char *file)
{
	const struct rtk_test *t = &r->test;
	__s64 window = number(r, "window_us"), width = number(r, "width_us");
	__s64 ns = t->planned_ns > 0 ? t->planned_ns : t->elapsed_ns;
	char limit[32];

	fprintf(out, "hwlatdetect:  test duration %lld seconds\n",
		ns > 0 ? ns / 1000000000 : 0);
	fputs("   detector: rtk\n"
	      "   parameters:\n",
	      out);
	fprintf(out, "        CPU list:          %s\n", t->cpus);
	fprintf(out, "        Latency threshold: %sus\n",
		us_text(limit, sizeof(limit), number(r, "threshold_ns")));
	fprintf(out, "        Sample window:     %lldus\n", window);
	fprintf(out, "        Sample width:      %lldus\n", width);
	fprintf(out, "     Non-sampling period:  %lldus\n", window - width);
	fprintf(out, "        Output File:       %s\n", file ? file : "None");
}

static void print_counts(FILE *out, const struct rtk_gaps *g)
{
	__s64 max = 0;
	size_t i;

	for (i = 0; i < g->n; i++)
		if (g->v[i].o->value > max)
			max = g->v[i].o->value;
	if (g->n)
		fprintf(out, "Max Latency: %lldus\n", max / 1000);
	else
		fputs("Max Latency: Below threshold\n", out);
	fprintf(out, "Samples recorded: %zu\n", g->n);
	fprintf(out, "Samples exceeding threshold: %llu\n",
		g->kept < g->above ? g->above : g->n);
}

/* Returns the largest number; its own total is the sum. */
static __u32 print_smis(FILE *out, const struct rtk_result *r, bool quiet)
{
	const struct rtk_summary *s;
	__u64 sum = 0;
	__u32 max = 0;
	size_t i;

	for (i = 0; i < r->nsums; i++) {
		s = &r->sums[i];
		if (s->cpu == RTK_CPU_ALL || !s->smi)
			continue;
		fprintf(out, "%u SMIs occured on cpu %d\n", s->smi, s->cpu);
		sum += s->smi;
		if (s->smi > max)
			max = s->smi;
	}
	if (!quiet)
		fprintf(out, "SMIs during run: %llu\n", sum);
	return max;
}

static void print_samples(FILE *out, const struct rtk_gaps *g, bool cpu)
{
	const struct rtk_gap *gap;
	size_t i;

	for (i = 0; i < g->n; i++) {
		gap = &g->v[i];
		fprintf(out, "ts: %lld.%09lld, inner:%lld, outer:%lld",
			gap->wall_ns / 1000000000, gap->wall_ns % 1000000000,
			gap->inner_ns / 1000, gap->outer_ns / 1000);
		if (cpu)
			fprintf(out, ", cpu:%u", gap->o->cpu);
		fputc('\n', out);
	}
}

static int save(const struct rtk_gaps *g, const struct rtk_hwlatdetect *opt)
{
	char *text = NULL;
	size_t size = 0;
	FILE *f = open_memstream(&text, &size);
	int err;

	if (!f)
		return rtk_err_nomem();
	print_samples(f, g, opt->cpu);
	err = fclose(f) ? rtk_err_nomem() : rtk_outfile_write(opt->file, text);
	free(text);
	return err;
}

/* Where the numbers are others than that program would have found, and why. */
static void print_notes(FILE *out, const struct rtk_result *r,
			const struct rtk_gaps *g, __u32 smis)
{
	const char *source = r->test.smi_source;

	fputs("# rtk compares in ns, hwlatdetect in us without their fractions: rtk finds more\n",
	      out);
	if (g->smis_known)
		fprintf(out,
			"# SMIs of the machine: %u, the maximum over the CPUs: one stops them all\n",
			smis);
	else if (!strcmp(source, "virtual"))
		fputs("# SMIs: the hypervisor's number, which explains nothing\n",
		      out);
	else
		fputs("# SMIs are not counted here\n", out);
	if (g->kept < g->above)
		fputs("# samples that are not recorded were overwritten; more are kept with: outlier_slots=\n",
		      out);
}

int rtk_hwlatdetect_print(FILE *out, const struct rtk_result *r,
			  const struct rtk_hwlatdetect *opt)
{
	const char *source = r->test.smi_source;
	struct rtk_gaps g;
	__u32 smis = 0;
	int err = rtk_gaps_collect(r, &g);

	if (err)
		return rtk_err_nomem();
	if (!opt->quiet) {
		print_head(out, r, opt->file);
		fputs("\nStarting test\n", out);
		if (r->interrupted)
			fputs("interrupted\n", out);
		fputs("test finished\n", out);
		print_counts(out, &g);
	}
	if (*source && strcmp(source, "none"))
		smis = print_smis(out, r, opt->quiet);
	if (opt->file)
		err = save(&g, opt);
	if (opt->file && !err)
		fprintf(out, "report saved to %s (%zu samples)\n", opt->file,
			g.n);
	print_samples(out, &g, opt->cpu);
	if (!opt->quiet)
		print_notes(out, r, &g, smis);
	rtk_gaps_free(&g);
	return err;
}
