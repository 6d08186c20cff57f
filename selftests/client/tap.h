/* SPDX-License-Identifier: GPL-2.0 */
/* KTAP for the client's unit tests, which run without a kernel. */
#ifndef TAP_H
#define TAP_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int tap_count, tap_failed;

static inline bool __attribute__((__format__(printf, 4, 5)))
tap_result(bool good, const char *file, int line, const char *fmt, ...)
{
	va_list ap;

	printf("%sok %d ", good ? "" : "not ", ++tap_count);
	va_start(ap, fmt);
	vprintf(fmt, ap);
	va_end(ap);
	putchar('\n');
	if (!good) {
		tap_failed++;
		printf("# at %s:%d\n", file, line);
	}
	return good;
}

/* ok(condition, "what holds", ...) */
#define ok(cond, ...) tap_result((cond), __FILE__, __LINE__, __VA_ARGS__)

#define ok_str(got, want, ...) \
	do { \
		const char *got_ = (got), *want_ = (want); \
		if (!ok(got_ && !strcmp(got_, want_), __VA_ARGS__)) \
			printf("# got:  %s\n# want: %s\n", got_ ? got_ : "NULL", want_); \
	} while (0)

#define ok_num(got, want, ...) \
	do { \
		long long got_ = (got), want_ = (want); \
		if (!ok(got_ == want_, __VA_ARGS__)) \
			printf("# got:  %lld\n# want: %lld\n", got_, want_); \
	} while (0)

static inline void tap_begin(void)
{
	/* A crash must not take lines with it. */
	setvbuf(stdout, NULL, _IOLBF, 0);
	puts("TAP version 13");
}

static inline int tap_end(void)
{
	printf("1..%d\n", tap_count);
	return tap_failed ? 1 : 0;
}

#endif
