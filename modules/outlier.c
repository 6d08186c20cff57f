// SPDX-License-Identifier: GPL-2.0
/*
 * Samples kept with their context: the worst of each lane, and a ring of those
 * above the threshold.
 */
#include <linux/string.h>

#include "internal.h"

/* Order of the parts of a slot for readers that come in between. */
static void sample_fill(struct rtk_sample *sample, const struct rtk_lane *lane,
			s64 value, u64 now, u64 sequence)
{
	sample->value = value;
	sample->sequence = sequence;
	sample->mono = now;
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

void rtk_outlier_note(struct rtk_lane *lane, s64 value, u64 now, u64 sequence)
{
	struct rtk_sample sample;

	sample_fill(&sample, lane, value, now, sequence);
	if (value > lane->floor)
		worst_insert(lane, &sample);
	if (value <= lane->threshold)
		return;
	/*
	 * The previous number before the slot: a reader that sees a slot being
	 * overwritten sees the number that says so (outlier_copy_ring()).
	 */
	smp_wmb();
	lane->ring[lane->outliers % lane->ring_size] = sample;
	/* The slot before its number: a reader that sees it sees the slot. */
	smp_store_release(&lane->outliers, lane->outliers + 1);
}

static int outlier_copy_worst(struct rtk_lane *lane, unsigned int i,
			      struct rtk_sample *sample)
{
	int tries = 100;
	unsigned int seq;

	do {
		seq = raw_read_seqcount(&lane->seq);
		*sample = lane->worst[i];
	} while ((seq & 1 || read_seqcount_retry(&lane->seq, seq)) && --tries);
	if (!tries)
		return -EAGAIN;
	return sample->mono ? 1 : -EAGAIN;
}

static int outlier_copy_ring(struct rtk_lane *lane, unsigned int i,
			     struct rtk_sample *sample)
{
	const struct rtk_worker *w = container_of(lane->c, struct rtk_worker, c);
	u64 n, kept, k;

	/* The number before the slots that it promises. */
	n = smp_load_acquire(&lane->outliers);
	kept = min_t(u64, n, lane->ring_size);
	k = n - kept + i;
	if (i >= kept)
		return -ENOENT;
	*sample = lane->ring[k % lane->ring_size];
	if (rtk_worker_closed(w))
		return 0;
	/*
	 * Outlier k + ring_size goes into the same slot, and while it is being
	 * written the number is still k + ring_size. The copy above comes
	 * before this second look.
	 */
	smp_rmb();
	return READ_ONCE(lane->outliers) - k >= lane->ring_size ? -EAGAIN : 0;
}

int rtk_outlier_copy(struct rtk_lane *lane, unsigned int i,
		     struct rtk_sample *sample)
{
	lockdep_assert_held(&rtk_lock);
	if (i < RTK_WORST)
		return outlier_copy_worst(lane, i, sample);
	return outlier_copy_ring(lane, i - RTK_WORST, sample);
}
