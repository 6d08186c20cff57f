/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tracepoint rtk:rtk_outlier: a sample above the threshold, in the trace buffer
 * where it belongs in time. Fires in the lane's writer context.
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM rtk

#if !defined(RTK_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define RTK_TRACE_H

#include <linux/tracepoint.h>

#include "compat/trace.h"
#include "rtk.h"

TRACE_EVENT(rtk_outlier,
	    TP_PROTO(const struct rtk_lane *lane, const struct rtk_sample *sample),
	    TP_ARGS(lane, sample),
	    TP_STRUCT__entry(__string(series, lane->series->name)
			     __field(int, cpu)
			     __field(s64, value)
			     __field(u64, sequence)
			     __field(u32, irqs)
			     __field(u32, softirqs)
			     __field(u32, nmis)
			     __field(s32, smis)),
	    TP_fast_assign(rtk_assign_str(series, lane->series->name);
			   __entry->cpu = lane->cpu;
			   __entry->value = sample->value;
			   __entry->sequence = sample->sequence;
			   __entry->irqs = sample->irqs;
			   __entry->softirqs = sample->softirqs;
			   __entry->nmis = sample->nmis;
			   __entry->smis = sample->smis;),
	    TP_printk("cpu=%d series=%s value=%lld sequence=%llu irq=%u softirq=%u nmi=%u smi=%d",
		      __entry->cpu, __get_str(series), __entry->value,
		      __entry->sequence, __entry->irqs, __entry->softirqs,
		      __entry->nmis, __entry->smis)
);

#endif /* RTK_TRACE_H */

#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH .
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE trace
#include <trace/define_trace.h>
