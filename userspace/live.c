// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "live.h"
#include "units.h"
#include "util.h"

bool rtk_live_wanted(void)
{
	return isatty(STDERR_FILENO);
}

static void add(char *buf, size_t size, const char *text)
{
	size_t len = strlen(buf);

	rtk_copy(buf + len, size - len, text);
}

/* The maximum of one series over all CPUs, and where it was. */
static void add_max(char *buf, size_t size, const struct rtk_series *s,
		    const struct rtk_lanes *lanes)
{
	const struct rtk_lane *max = NULL, *lane;
	char text[96], value[32];
	size_t i;

	for (i = 0; i < lanes->n; i++) {
		lane = &lanes->v[i];
		if (!strcmp(lane->series, s->name) && lane->moments &&
		    (!max || lane->max > max->max))
			max = lane;
	}
	if (!max)
		return;
	if (!strcmp(s->unit, "ns"))
		rtk_units_print(value, sizeof(value), max->max);
	else
		snprintf(value, sizeof(value), "%lld %.8s", max->max, s->unit);
	snprintf(text, sizeof(text), "  %.16s max %s (CPU %u)", s->name, value,
		 max->cpu);
	add(buf, size, text);
}

void rtk_live_text(char *buf, size_t size, const struct rtk_test *t,
		   const struct rtk_lanes *lanes)
{
	__s64 elapsed = t->elapsed_ns < 0 ? 0 : t->elapsed_ns;
	char text[96];
	size_t i;

	if (!elapsed)
		snprintf(text, sizeof(text), "%s warms up", t->name);
	else if (t->planned_ns > 0)
		snprintf(text, sizeof(text), "%s %lld of %lld s (%lld %%)",
			 t->name, elapsed / 1000000000,
			 (t->planned_ns + 500000000) / 1000000000,
			 elapsed / (t->planned_ns / 100 + 1));
	else if (t->total)
		snprintf(text, sizeof(text), "%s %llu of %llu (%llu %%)",
			 t->name, t->done, t->total, t->done * 100 / t->total);
	else
		snprintf(text, sizeof(text), "%s %lld s", t->name,
			 elapsed / 1000000000);
	rtk_copy(buf, size, text);
	for (i = 0; i < t->nseries; i++)
		add_max(buf, size, &t->series[i], lanes);
}

void rtk_live_print(const struct rtk_test *t, const struct rtk_lanes *lanes)
{
	struct winsize ws = { 0 };
	char line[256];
	size_t size = 80;

	/* A line that wraps could not be replaced. */
	if (!ioctl(STDERR_FILENO, TIOCGWINSZ, &ws) && ws.ws_col > 1)
		size = ws.ws_col;
	if (size > sizeof(line))
		size = sizeof(line);
	rtk_live_text(line, size, t, lanes);
	fprintf(stderr, "\r%s\033[K", line);
	fflush(stderr);
}

void rtk_live_clear(void)
{
	fputs("\r\033[K", stderr);
	fflush(stderr);
}
