// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>

#include "reasons.h"
#include "util.h"
#include "verdict.h"

static const struct {
	const char *id;
	enum rtk_status status;
} reasons[] = {
	[RTK_REASON_LEDGER] = { "ledger", RTK_INVALID },
	[RTK_REASON_NEGATIVE] = { "negative", RTK_INVALID },
	[RTK_REASON_NO_SAMPLES] = { "no-samples", RTK_INVALID },
	[RTK_REASON_CLOCKSOURCE] = { "clocksource-changed", RTK_INVALID },
	[RTK_REASON_OVERLOAD] = { "overload", RTK_INVALID },
	[RTK_REASON_SUSPENDED] = { "suspended", RTK_INVALID },
	[RTK_REASON_FAILED] = { "failed", RTK_INVALID },
	[RTK_REASON_EMULATED] = { "emulated", RTK_INVALID },
	[RTK_REASON_HYPERVISOR] = { "hypervisor", RTK_DEGRADED },
	[RTK_REASON_NOT_RT] = { "not-rt", RTK_DEGRADED },
	[RTK_REASON_IDLE_STATES] = { "idle-states", RTK_DEGRADED },
	[RTK_REASON_FREQUENCY_SCALING] = { "frequency-scaling", RTK_DEGRADED },
	[RTK_REASON_NOT_ISOLATED] = { "not-isolated", RTK_DEGRADED },
	[RTK_REASON_SHARED] = { "shared", RTK_DEGRADED },
	[RTK_REASON_SMI] = { "smi", RTK_DEGRADED },
	[RTK_REASON_CPU_LOST] = { "cpu-lost", RTK_DEGRADED },
	[RTK_REASON_INTERRUPTED] = { "interrupted", RTK_DEGRADED },
	[RTK_REASON_RUNNING] = { "running", RTK_DEGRADED },
	[RTK_REASON_FEW_SAMPLES] = { "few-samples", RTK_DEGRADED },
	[RTK_REASON_COVERAGE] = { "coverage", RTK_DEGRADED },
	[RTK_REASON_READER] = { "reader", RTK_DEGRADED },
	[RTK_REASON_PRIORITY] = { "priority", RTK_DEGRADED },
	[RTK_REASON_MEMORY] = { "memory", RTK_DEGRADED },
	[RTK_REASON_PAGE_FAULTS] = { "page-faults", RTK_DEGRADED },
	[RTK_REASON_PREEMPTED] = { "preempted", RTK_DEGRADED },
	[RTK_REASON_RESTS] = { "rests", RTK_DEGRADED },
	[RTK_REASON_ROWS_LOST] = { "rows-lost", RTK_DEGRADED },
	[RTK_REASON_CONTROLLER] = { "controller", RTK_DEGRADED },
	[RTK_REASON_COUNTER] = { "counter", RTK_DEGRADED },
	[RTK_REASON_INTERRUPTS] = { "interrupts", RTK_DEGRADED },
	[RTK_REASON_RT_THROTTLED] = { "rt-throttled", RTK_DEGRADED },
	[RTK_REASON_RT_TASKS] = { "rt-tasks", RTK_DEGRADED },
	[RTK_REASON_THROTTLED] = { "throttled", RTK_DEGRADED },
	[RTK_REASON_TRACER] = { "tracer", RTK_DEGRADED },
	[RTK_REASON_SMT_SIBLING] = { "smt-sibling", RTK_DEGRADED },
	[RTK_REASON_CACHE_SHARED] = { "cache-shared", RTK_DEGRADED },
};

const char *rtk_verdict_id(size_t i)
{
	return i < RTK_ARRAY_SIZE(reasons) ? reasons[i].id : NULL;
}

const char *rtk_verdict_name(enum rtk_status status)
{
	static const char *const names[] = {
		[RTK_VALID] = "VALID",
		[RTK_DEGRADED] = "DEGRADED",
		[RTK_INVALID] = "INVALID",
	};

	return names[status];
}

int rtk_reason_add(struct rtk_verdict *v, enum rtk_reason_id id,
		   const char *fmt, ...)
{
	struct rtk_reason *r = rtk_grow(&v->v, &v->n, sizeof(*r));
	va_list ap;

	if (!r)
		return -ENOMEM;
	r->id = reasons[id].id;
	r->status = reasons[id].status;
	va_start(ap, fmt);
	vsnprintf(r->text, sizeof(r->text), fmt, ap);
	va_end(ap);
	if (r->status > v->status)
		v->status = r->status;
	return 0;
}
