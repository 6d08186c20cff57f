// SPDX-License-Identifier: GPL-2.0
/* The tests that run in user space: a table, a file for each. */
#include <string.h>

#include "utest.h"

static const struct rtk_utest *const tests[] = {
	&rtk_utest_jitter,
	&rtk_utest_caterpillar,
	&rtk_utest_rhealstone,
	&rtk_utest_memlat,
};

const struct rtk_utest *rtk_utest_at(size_t i)
{
	return i < RTK_ARRAY_SIZE(tests) ? tests[i] : NULL;
}

const struct rtk_utest *rtk_utest_find(const char *name)
{
	size_t i;

	for (i = 0; i < RTK_ARRAY_SIZE(tests); i++)
		if (!strcmp(tests[i]->name, name))
			return tests[i];
	return NULL;
}
