/* SPDX-License-Identifier: GPL-2.0 */
/* How the conditions of a test in user space are spoilt, for unit_verdict.c. */
#ifndef SPOIL_USER_H
#define SPOIL_USER_H

#include "results.h"

/* As a test in user space finds it where it gets all that it asks for. */
static inline struct rtk_ucond *user(struct rtk_result *r)
{
	r->cond = (struct rtk_ucond){ .is_user = true, .alone = true,
				      .latency_held = true, .busy = true,
				      .throttle_us = -1, .realtime = true,
				      .ticks_constant = true };
	return &r->cond;
}

static inline void spoil_priority(struct rtk_result *r)
{
	rtk_copy(user(r)->priority, 64, "Operation not permitted");
}

static inline void spoil_memory(struct rtk_result *r)
{
	rtk_copy(user(r)->memory, 64, "memory is not locked");
}

static inline void spoil_faults(struct rtk_result *r)
{
	user(r);
	add_item(&r->lanes.v[0].counters, "page_faults", 1);
}

static inline void spoil_preempted(struct rtk_result *r)
{
	user(r)->throttle_us = 950000;
	r->cond.throttle_of_us = 1000000;
	add_item(&r->lanes.v[0].counters, "preemptions", 2);
}

static inline void spoil_rests(struct rtk_result *r)
{
	user(r);
	add_item(&r->lanes.v[0].counters, "rest_late_ns", 10000000);
}

static inline void spoil_rows(struct rtk_result *r)
{
	user(r)->rows_lost = 3;
}

static inline void spoil_controller(struct rtk_result *r)
{
	user(r)->alone = false;
}

static inline void spoil_counter(struct rtk_result *r)
{
	user(r)->ticks_constant = false;
}

static inline void spoil_latency(struct rtk_result *r)
{
	user(r)->latency_held = false;
	r->env.deep_cpu = 1;
	r->env.deep_us = 100;
}

#endif
