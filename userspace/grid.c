// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "grid.h"

void rtk_grid_put(struct rtk_grid *g, const char *fmt, ...)
{
	char(*cell)[RTK_GRID_CELL] =
		rtk_grow(&g->cell, &g->cells, sizeof(*cell));
	va_list ap;

	if (!cell) {
		g->nomem = true;
		return;
	}
	va_start(ap, fmt);
	vsnprintf(*cell, sizeof(*cell), fmt, ap);
	va_end(ap);
}

static void grid_print(FILE *out, const struct rtk_grid *g)
{
	size_t rows = g->cells / g->cols, row, col, len;
	int width[32] = { 0 };

	for (row = 0; row < rows; row++)
		for (col = 0; col < g->cols; col++) {
			len = strlen(g->cell[row * g->cols + col]);
			if ((int)len > width[col])
				width[col] = (int)len;
		}
	for (row = 0; row < rows; row++) {
		fprintf(out, "%-*s", width[0], g->cell[row * g->cols]);
		for (col = 1; col < g->cols; col++)
			fprintf(out, "  %*s", width[col],
				g->cell[row * g->cols + col]);
		fputc('\n', out);
	}
}

int rtk_grid_end(FILE *out, struct rtk_grid *g)
{
	int err = g->nomem ? -ENOMEM : 0;

	if (!err)
		grid_print(out, g);
	free(g->cell);
	return err;
}
