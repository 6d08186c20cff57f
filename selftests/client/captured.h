/* SPDX-License-Identifier: GPL-2.0 */
/* What goes to stderr is kept, so that errors can be held against their text. */
#ifndef CAPTURED_H
#define CAPTURED_H

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static FILE *captured_file;

static inline void capture_errors(void)
{
	captured_file = tmpfile();
	if (!captured_file || dup2(fileno(captured_file), STDERR_FILENO) < 0)
		exit(1);
}

/* Since the last call; valid until the next. */
static inline const char *captured(void)
{
	static char buf[1024];
	size_t n;

	rewind(captured_file);
	n = fread(buf, 1, sizeof(buf) - 1, captured_file);
	buf[n] = '\0';
	rewind(captured_file);
	if (ftruncate(fileno(captured_file), 0))
		buf[0] = '\0';
	return buf;
}

#endif
