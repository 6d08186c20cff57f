// SPDX-License-Identifier: GPL-2.0
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cpuset.h"

static int parse_cpu(const char **p, unsigned int *cpu)
{
	unsigned long v;
	char *end;

	if (!isdigit((unsigned char)**p))
		return -EINVAL;
	v = strtoul(*p, &end, 10);
	if (v >= RTK_CPUSET_MAX)
		return -ERANGE;
	*cpu = (unsigned int)v;
	*p = end;
	return 0;
}

int rtk_cpuset_parse(struct rtk_cpuset *set, const char *list)
{
	unsigned int first, last;
	int err;

	memset(set, 0, sizeof(*set));
	while (*list) {
		err = parse_cpu(&list, &first);
		if (err)
			return err;
		last = first;
		if (*list == '-') {
			list++;
			err = parse_cpu(&list, &last);
			if (err)
				return err;
		}
		if (last < first || (*list && *list != ','))
			return -EINVAL;
		for (; first <= last; first++)
			rtk_cpuset_add(set, first);
		if (*list == ',' && !*++list)
			return -EINVAL;
	}
	return 0;
}

bool rtk_cpuset_has(const struct rtk_cpuset *set, unsigned int cpu)
{
	return cpu < RTK_CPUSET_MAX && set->bits[cpu / 64] >> (cpu % 64) & 1;
}

void rtk_cpuset_add(struct rtk_cpuset *set, unsigned int cpu)
{
	if (cpu < RTK_CPUSET_MAX)
		set->bits[cpu / 64] |= 1ULL << (cpu % 64);
}

int rtk_cpuset_next(const struct rtk_cpuset *set, int from)
{
	int cpu;

	for (cpu = from; cpu < RTK_CPUSET_MAX; cpu++)
		if (rtk_cpuset_has(set, (unsigned int)cpu))
			return cpu;
	return -1;
}

char *rtk_cpuset_text(const struct rtk_cpuset *set)
{
	int first, last;
	size_t size;
	char *text;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	for (first = rtk_cpuset_next(set, 0); first >= 0;
	     first = rtk_cpuset_next(set, last + 1)) {
		last = first;
		while (rtk_cpuset_has(set, (unsigned int)last + 1))
			last++;
		fprintf(out, "%s%d", ftell(out) ? "," : "", first);
		if (last > first)
			fprintf(out, "-%d", last);
	}
	if (!fclose(out))
		return text;
	free(text);
	return NULL;
}
