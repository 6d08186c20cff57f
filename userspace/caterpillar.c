// SPDX-License-Identifier: GPL-2.0
#include <math.h>
#include <string.h>

#include "caterpillar.h"

#define STEP (RTK_CATERPILLAR_LINE / sizeof(__u64))

void rtk_caterpillar_walk(__u64 *words, __u64 lines, __u64 ops)
{
	const __u64 *end = words + lines * STEP;
	__u64 *p = words;

	while (ops--) {
		++*p;
		/* Read and written by now, however pointless it may seem. */
		__asm__ volatile("" : "+m"(*p));
		p += STEP;
		if (p == end)
			p = words;
	}
}

__s64 rtk_session_jitter(struct rtk_session *s, double variance)
{
	s->variances += variance;
	s->samples++;
	return llround(sqrt(s->variances / (double)s->samples));
}

void rtk_session_end(struct rtk_session *s, __s64 *row)
{
	const struct rtk_moments *m = &s->now;
	double variance = rtk_moments_variance(m);

	if (!s->samples || m->min < s->min)
		s->min = m->min;
	if (!s->samples || m->max > s->max)
		s->max = m->max;
	row[RTK_SAMPLE] = (__s64)s->samples;
	row[RTK_SAMPLE_MIN] = m->min;
	row[RTK_SAMPLE_MAX] = m->max;
	row[RTK_SMPL_JITTER] = llround(sqrt(variance));
	row[RTK_SESSION_MIN] = s->min;
	row[RTK_SESSION_MAX] = s->max;
	row[RTK_SESSION_JITTER] = rtk_session_jitter(s, variance);
	memset(&s->now, 0, sizeof(s->now));
}
