// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "gaps.h"
#include "grid.h"
#include "json.h"
#include "units.h"

/* So many are shown, the largest. */
#define SHOWN 16

static int by_size(const void *a, const void *b)
{
	const struct rtk_gap *x = *(const struct rtk_gap *const *)a;
	const struct rtk_gap *y = *(const struct rtk_gap *const *)b;

	if (x->o->value != y->o->value)
		return x->o->value < y->o->value ? 1 : -1;
	return x < y ? -1 : x > y;
}

static int by_place(const void *a, const void *b)
{
	const struct rtk_gap *x = *(const struct rtk_gap *const *)a;
	const struct rtk_gap *y = *(const struct rtk_gap *const *)b;

	return x < y ? -1 : x > y;
}

static void put_number(struct rtk_grid *g, __s64 v)
{
	if (v < 0)
		rtk_grid_put(g, "-");
	else
		rtk_grid_put(g, "%lld", v);
}

static void put_gap(struct rtk_grid *g, const struct rtk_gap *gap)
{
	char time[48] = "-";

	/* Month to us; the year is in the report's head. */
	if (gap->wall_ns >= 0)
		rtk_json_time(time, sizeof(time), gap->wall_ns);
	rtk_grid_put(g, "%.21s", gap->wall_ns < 0 ? time : time + 5);
	rtk_grid_put(g, "%u", gap->o->cpu);
	rtk_grid_put(g, "%lld", gap->o->value);
	put_number(g, gap->inner_ns);
	put_number(g, gap->outer_ns);
	put_number(g, gap->smi);
	put_number(g, gap->nmi);
	if (gap->seen)
		rtk_grid_put(g, "%u of %u", gap->seen, gap->watching);
	else
		rtk_grid_put(g, "-");
}

static void put_head(struct rtk_grid *g)
{
	static const char *const head[] = { "end",	"CPU",	    "gap ns",
					    "inner ns", "outer ns", "SMIs",
					    "NMIs",	"seen on" };
	size_t i;

	g->cols = RTK_ARRAY_SIZE(head);
	for (i = 0; i < g->cols; i++)
		rtk_grid_put(g, "%s", head[i]);
}

/* The largest, in the order of time. */
static int print_list(FILE *out, const struct rtk_gaps *gaps)
{
	const struct rtk_gap **list = calloc(gaps->n + 1, sizeof(*list));
	size_t i, n = gaps->n < SHOWN ? gaps->n : SHOWN;
	struct rtk_grid g = { 0 };

	if (!list)
		return -ENOMEM;
	for (i = 0; i < gaps->n; i++)
		list[i] = &gaps->v[i];
	qsort(list, gaps->n, sizeof(*list), by_size);
	qsort(list, n, sizeof(*list), by_place);
	put_head(&g);
	for (i = 0; i < n; i++)
		put_gap(&g, list[i]);
	free(list);
	return rtk_grid_end(out, &g);
}

static void print_count(FILE *out, const struct rtk_gaps *g, const char *source)
{
	char limit[32];

	if (!g->threshold_ns) {
		fputs("\ngaps are recorded above threshold_ns only, which is 0\n",
		      out);
		return;
	}
	fprintf(out, "\ngaps above %s: %llu",
		rtk_units_print(limit, sizeof(limit), g->threshold_ns),
		g->above);
	if (g->kept < g->above)
		fprintf(out, ", of which %zu are on record", g->kept);
	if (g->smis_known)
		fprintf(out, "; unexplained, without an SMI or an NMI: %zu\n",
			g->unexplained);
	else if (!strcmp(source, "virtual"))
		fputs("; the number of SMIs is the hypervisor's, and explains none\n",
		      out);
	else
		fputs("; SMIs are not counted here\n", out);
}

int rtk_gaps_print(FILE *out, const struct rtk_result *r)
{
	struct rtk_gaps g;
	int err = rtk_gaps_collect(r, &g);

	if (err)
		return err;
	print_count(out, &g, r->test.smi_source);
	if (g.n) {
		if (g.n > SHOWN)
			fprintf(out, "the %d largest (all: --json):\n", SHOWN);
		err = print_list(out, &g);
	}
	rtk_gaps_free(&g);
	return err;
}
