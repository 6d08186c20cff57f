// SPDX-License-Identifier: GPL-2.0
/* Comma-separated values, RFC 4180: a row for each file, series and CPU. */
#include "json.h"
#include "rep.h"
#include "verdict.h"

#define EOL "\r\n"

static void put_text(FILE *out, const char *text)
{
	fputc('"', out);
	for (; *text; text++) {
		if (*text == '"')
			fputc('"', out);
		fputc(*text, out);
	}
	fputc('"', out);
}

static void print_header(FILE *out)
{
	size_t i;

	fputs("file,test,started,series,unit,cpu,samples,negative,min,mean,stddev",
	      out);
	for (i = 0; i < RTK_STATS_PERCENTILES; i++)
		fprintf(out, ",p%s", rtk_stats_percentiles[i].name);
	fputs(",max,bound_p,expected,delivered,late,missed,verdict" EOL, out);
}

/* Empty where there are no samples. */
static void put_stats(FILE *out, const struct rtk_summary *s)
{
	size_t i;

	if (!s->m.n) {
		for (i = 0; i < RTK_STATS_PERCENTILES + 5; i++)
			fputc(',', out);
		return;
	}
	fprintf(out, ",%lld,%.12g,", s->m.min, s->mean);
	if (s->m.n > 1)
		fprintf(out, "%.12g", s->stddev);
	for (i = 0; i < RTK_STATS_PERCENTILES; i++)
		fprintf(out, ",%lld", s->percentile[i]);
	fprintf(out, ",%lld,%.3g", s->m.max, rtk_stats_bound(s->count));
}

static void print_row(FILE *out, const char *file, const struct rtk_result *r,
		      const struct rtk_summary *s)
{
	char cpu[16], time[48] = "";

	if (r->test.started_wall_ns >= 0)
		rtk_json_time(time, sizeof(time), r->test.started_wall_ns);
	put_text(out, file);
	fprintf(out, ",%s,%s,%s,%s,%s,%llu,%llu", r->test.name, time,
		s->series->name, s->series->unit,
		rtk_rep_cpu(s, cpu, sizeof(cpu)), s->count, s->negative);
	put_stats(out, s);
	if (s->ledger)
		fprintf(out, ",%llu,%llu,%llu,%llu", s->expected, s->delivered,
			s->late, s->missed);
	else
		fputs(",,,,", out);
	fprintf(out, ",%s" EOL, rtk_verdict_name(r->verdict.status));
}

int rtk_rep_csv(FILE *out, const struct rtk_rep *rep)
{
	const struct rtk_result *r;
	size_t i, k;

	print_header(out);
	for (i = 0; i < rep->n; i++) {
		r = &rep->v[i];
		for (k = 0; k < r->nsums; k++)
			print_row(out, rep->file[i], r, &r->sums[k]);
	}
	return 0;
}
