/* SPDX-License-Identifier: GPL-2.0 */
/* Columns of text that are as wide as what is in them. */
#ifndef RTK_GRID_H
#define RTK_GRID_H

#include <stdbool.h>
#include <stdio.h>

#include "util.h"

#define RTK_GRID_CELL 32

/**
 * struct rtk_grid - cells of a table
 * @cell: texts, row by row
 * @cells: their number
 * @cols: columns, to be set first
 * @nomem: a cell is missing
 */
struct rtk_grid {
	char (*cell)[RTK_GRID_CELL];
	size_t cells;
	size_t cols;
	bool nomem;
};

/**
 * rtk_grid_put() - the next cell
 * @g: table
 * @fmt: its text
 */
void rtk_grid_put(struct rtk_grid *g, const char *fmt, ...) __printf(2, 3);

/**
 * rtk_grid_end() - print all cells and free them
 * @out: where to
 * @g: table; the first column goes to the left, the others to the right
 *
 * Return: 0 or -ENOMEM
 */
int rtk_grid_end(FILE *out, struct rtk_grid *g);

#endif
