// SPDX-License-Identifier: GPL-2.0
/*
 * Samples kept with their context: the worst of each lane, and a ring of those
 * above the threshold.
 */
#include <linux/string.h>

#include "internal.h"
#include "smi.h"

#define CREATE_TRACE_POINTS
#include "trace.h"

/* What came in since the lane's previous sample, and who was interrupted. */
static void sample_fill(struct rtk_sample *sample, const struct rtk_lane *lane,
			s64 value, u64 now)
{
	struct rtk_context ctx;

	rtk_context_read(&ctx);
	sample->value = value;
	sample->sequence = lane->m.n + lane->negative - 1;
	sample->mono = now;
	sample->irqs = ctx.irqs - lane->ctx.irqs;
	sample->softirqs = rtk_context_softirqs(&lane->ctx, &ctx);
	sample->nmis = ctx.nmis - lane->ctx.nmis;
	sample->smis = -1;
	sample->smi_span = 0;
	memcpy(sample->detail, lane->detail, sizeof(sample->detail));
	sample->pid = -1;
	if (!lane->hardirq)
		return;
	/*
	 * No lock, unlike get_task_comm(), which sleeps on PREEMPT_RT: a name
	 * that changes meanwhile is read half old, half new, and no worse.
	 */
	sample->pid = current->pid;
	memcpy(sample->comm, current->comm, sizeof(sample->comm));
}

/*
 * SMIs since the counter was read last, which is not since the last sample:
 * reading it costs too much for that. So the span is given, too.
 */
static void sample_fill_smi(struct rtk_sample *sample, struct rtk_lane *lane)
{
	u32 count;

	if (!rtk_smi_count(&count))
		return;
	sample->smis = count - lane->smi_count;
	sample->smi_span = sample->mono - lane->smi_at;
	lane->smi_count = count;
	lane->smi_at = sample->mono;
}

void rtk_outlier_begin(struct rtk_cpu *c)
{
	struct rtk_lane *lane;
	unsigned int i;

	for (i = 0; i < RTK_SERIES_MAX; i++) {
		lane = c->lane[i];
		if (!lane)
			continue;
		rtk_context_read(&lane->ctx);
		rtk_smi_count(&lane->smi_count);
		lane->smi_at = ktime_get();
	}
}

/* Inserts into the list of the worst, which is in falling order. */
static void worst_insert(struct rtk_lane *lane, const struct rtk_sample *sample)
{
	int i = RTK_WORST - 1;

	raw_write_seqcount_begin(&lane->seq);
	while (i > 0 && (!lane->worst[i - 1].mono ||
			 lane->worst[i - 1].value < sample->value)) {
		lane->worst[i] = lane->worst[i - 1];
		i--;
	}
	lane->worst[i] = *sample;
	raw_write_seqcount_end(&lane->seq);
	if (lane->worst[RTK_WORST - 1].mono)
		lane->floor = lane->worst[RTK_WORST - 1].value;
}

void rtk_outlier_note(struct rtk_lane *lane, s64 value, u64 now)
{
	struct rtk_sample sample;

	sample_fill(&sample, lane, value, now);
	if (value > lane->threshold)
		sample_fill_smi(&sample, lane);
	if (value > lane->floor)
		worst_insert(lane, &sample);
	if (value <= lane->threshold)
		return;
	trace_rtk_outlier(lane, &sample);
	/*
	 * The previous number before the slot: a reader that sees a slot being
	 * overwritten sees the number that says so (outlier_copy_ring()).
	 */
	smp_wmb();
	lane->ring[lane->outliers % lane->ring_size] = sample;
	/* The slot before its number: a reader that sees it sees the slot. */
	smp_store_release(&lane->outliers, lane->outliers + 1);
}

/* All of one time; none if the writer was always in the way. */
static void outlier_copy_worst(const struct rtk_lane *lane, struct rtk_worst *worst)
{
	int tries = 100;
	unsigned int seq;

	do {
		seq = raw_read_seqcount(&lane->seq);
		memcpy(worst->sample, lane->worst, sizeof(lane->worst));
	} while ((seq & 1 || read_seqcount_retry(&lane->seq, seq)) && --tries);
	worst->n = 0;
	while (tries && worst->n < RTK_WORST && worst->sample[worst->n].mono)
		worst->n++;
}

/*
 * An outlier that is still in the ring, by its number from 0; one that is
 * overwritten is replaced by the oldest there is, and so is the number. False
 * past the last.
 */
static bool outlier_copy_ring(struct rtk_lane *lane, u64 *number,
			      struct rtk_sample *sample)
{
	const struct rtk_worker *w = container_of(lane->c, struct rtk_worker, c);
	bool final = rtk_worker_closed(w);
	u64 n, oldest;

	for (;; ++*number) {
		/* The number before the slots that it promises. */
		n = smp_load_acquire(&lane->outliers);
		oldest = n > lane->ring_size ? n - lane->ring_size : 0;
		*number = max(*number, oldest);
		if (*number >= n)
			return false;
		*sample = lane->ring[*number % lane->ring_size];
		if (final)
			return true;
		/*
		 * The outlier that is ring_size later goes into the same slot,
		 * and while it is being written its number is not yet counted.
		 * The copy above comes before this second look.
		 */
		smp_rmb();
		if (READ_ONCE(lane->outliers) - *number < lane->ring_size)
			return true;
	}
}

bool rtk_outlier_at(struct rtk_lane *lane, struct rtk_worst *worst, u64 *place,
		    struct rtk_sample *sample)
{
	u64 number = *place < RTK_WORST ? 0 : *place - RTK_WORST;

	if (!*place)
		outlier_copy_worst(lane, worst);
	if (worst && *place < worst->n) {
		*sample = worst->sample[*place];
		return true;
	}
	if (!outlier_copy_ring(lane, &number, sample))
		return false;
	*place = number + RTK_WORST;
	return true;
}

struct rtk_lane *rtk_outlier_worst(struct rtk_inst *inst, struct rtk_sample *sample)
{
	struct rtk_run *run = inst->run;
	struct rtk_lane *worst = NULL;
	struct rtk_worst copy;
	unsigned int i;

	for (i = 0; run && i < run->n; i++) {
		struct rtk_lane *lane = run->w[i]->c.lane[run->threshold_series];

		if (!lane)
			continue;
		outlier_copy_worst(lane, &copy);
		if (!copy.n || (worst && copy.sample[0].value <= sample->value))
			continue;
		worst = lane;
		*sample = copy.sample[0];
	}
	return worst;
}
