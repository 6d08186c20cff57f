// SPDX-License-Identifier: GPL-2.0
/*
 * debugfs: the results.
 */
#include <linux/slab.h>

#include "debugfs.h"
#include "smi.h"

/*
 * The files over lanes. A reader has a copy of one lane at a time; position
 * of the sequence: lane * per_lane + place within the lane.
 */
struct lane_reader {
	struct rtk_inst *inst;
	struct rtk_snap snap;
	loff_t snap_lane;
	u32 generation;
	loff_t per_lane;
	/* outliers: copies of samples, and of what a line says of the lane */
	struct rtk_worst worst;
	struct rtk_sample sample;
	int lane_cpu;
	const struct rtk_series *lane_series;
	const char * const *lane_details;
	s64 wall_offset;
};

/* Position in outliers: number of the lane, then place (rtk_outlier_at()). */
#define PLACE_BITS	40
#define PLACE_MASK	((1ULL << PLACE_BITS) - 1)

/* Copies the lane at a position unless it is there; NULL past the last. */
static struct rtk_snap *reader_lane(struct lane_reader *r, loff_t lane)
{
	int rc;

	if (r->snap_lane == lane)
		return &r->snap;
	mutex_lock(&rtk_lock);
	if (!lane)
		r->generation = r->inst->generation;
	/* Not a mixture of two runs. It stays so: seq_file asks more than once. */
	rc = r->generation != r->inst->generation ? -ESTALE :
	     rtk_snap_take(r->inst, lane, &r->snap);
	mutex_unlock(&rtk_lock);
	if (rc == -ENOENT)
		return NULL;
	if (rc)
		return ERR_PTR(rc);
	r->snap_lane = lane;
	return &r->snap;
}

static void *stats_start(struct seq_file *m, loff_t *pos)
{
	struct lane_reader *r = m->private;

	/* Every call anew: the next line is of now. */
	r->snap_lane = -1;
	return reader_lane(r, *pos);
}

static void *stats_next(struct seq_file *m, void *v, loff_t *pos)
{
	++*pos;
	return reader_lane(m->private, *pos);
}

static void lane_stop(struct seq_file *m, void *v)
{
}

static int stats_show(struct seq_file *m, void *v)
{
	const struct rtk_snap *s = v;
	const char *unit = s->series->unit;
	unsigned int i;

	seq_printf(m, "cpu=%d series=%s count=%llu", s->cpu, s->series->name, s->count);
	if (s->m.n && s->count)
		seq_printf(m, " min_%s=%lld mean_%s=%lld stddev_%s=%llu p50_%s=%lld p99_%s=%lld max_%s=%lld",
			   unit, s->m.min, unit, rtk_snap_mean(s), unit,
			   rtk_snap_stddev(s), unit, rtk_snap_percentile(s, 50, 100),
			   unit, rtk_snap_percentile(s, 99, 100), unit, s->max);
	if (rtk_snap_has_ledger(s))
		seq_printf(m, " expected=%llu delivered=%llu late=%llu missed=%llu",
			   s->expected, s->count + s->negative, s->late, s->missed);
	seq_printf(m, " negative=%llu wrong_cpu=%llu outliers=%llu",
		   s->negative, s->wrong_cpu, s->outliers);
	if (s->smis >= 0)
		seq_printf(m, " smi=%lld smi_source=%s", s->smis,
			   rtk_smi_source_name());
	if (s->nmis >= 0)
		seq_printf(m, " nmi=%lld", s->nmis);
	for (i = 0; i < s->n_counters; i++)
		seq_printf(m, " %s=%llu", s->counters[i].name, s->counter[i]);
	seq_putc(m, '\n');
	return 0;
}

static const struct seq_operations stats_seq = {
	.start = stats_start, .next = stats_next, .stop = lane_stop, .show = stats_show,
};

static int current_value_show(struct seq_file *m, void *v)
{
	const struct rtk_snap *s = v;
	const char *unit = s->series->unit;

	seq_printf(m, "cpu=%d series=%s", s->cpu, s->series->name);
	if (s->m.n)
		seq_printf(m, " last_%s=%lld max_%s=%lld mean_%s=%lld min_%s=%lld",
			   unit, s->m.last, unit, s->max, unit, rtk_snap_mean(s),
			   unit, s->m.min);
	seq_putc(m, '\n');
	return 0;
}

static const struct seq_operations current_value_seq = {
	.start = stats_start, .next = stats_next, .stop = lane_stop,
	.show = current_value_show,
};

/*
 * Histogram: place 0 of a lane is its heading, place i + 1 its bucket number i
 * in the order of values: negative ones first, from the largest magnitude on.
 */
static u32 hist_bucket(const struct rtk_snap *s, loff_t place)
{
	u32 i = place - 1;

	if (s->n_buckets == RTK_HIST_BUCKETS)
		return i;
	return i < RTK_HIST_BUCKETS ? 2 * RTK_HIST_BUCKETS - 1 - i :
				      i - RTK_HIST_BUCKETS;
}

/* Moves to the next place that has something to show. */
static void *hist_seek(struct lane_reader *r, loff_t *pos)
{
	struct rtk_snap *s;
	loff_t place;

	for (;;) {
		s = reader_lane(r, *pos / r->per_lane);
		if (IS_ERR_OR_NULL(s))
			return s;
		place = *pos % r->per_lane;
		while (place > 0 && place <= s->n_buckets &&
		       !s->buckets[hist_bucket(s, place)])
			place++;
		if (place <= s->n_buckets) {
			*pos += place - *pos % r->per_lane;
			return pos;
		}
		*pos = (*pos / r->per_lane + 1) * r->per_lane;
	}
}

static void *hist_start(struct seq_file *m, loff_t *pos)
{
	struct lane_reader *r = m->private;

	/* From the beginning: of now. Else the copy that was begun. */
	if (!*pos)
		r->snap_lane = -1;
	return hist_seek(r, pos);
}

static void *hist_next(struct seq_file *m, void *v, loff_t *pos)
{
	++*pos;
	return hist_seek(m->private, pos);
}

static int hist_show(struct seq_file *m, void *v)
{
	struct lane_reader *r = m->private;
	const struct rtk_snap *s = &r->snap;
	loff_t pos = *(loff_t *)v;
	u32 i, k;

	if (!(pos % r->per_lane)) {
		/* Two empty lines: gnuplot's separator of data sets. */
		seq_printf(m, "%s# cpu=%d series=%s\n", pos ? "\n\n" : "",
			   s->cpu, s->series->name);
		return 0;
	}
	i = hist_bucket(s, pos % r->per_lane);
	k = i % RTK_HIST_BUCKETS;
	if (i < RTK_HIST_BUCKETS)
		seq_printf(m, "%llu %llu %llu\n", rtk_hist_low(k),
			   rtk_hist_last(k) + 1, s->buckets[i]);
	else
		seq_printf(m, "-%llu -%lld %llu\n", rtk_hist_last(k),
			   (s64)rtk_hist_low(k) - 1, s->buckets[i]);
	return 0;
}

static const struct seq_operations hist_seq = {
	.start = hist_start, .next = hist_next, .stop = lane_stop, .show = hist_show,
};

/* Moves to the next sample that there is, and copies it. */
static void *outliers_seek(struct lane_reader *r, loff_t *pos)
{
	u64 place = *pos & PLACE_MASK;
	unsigned int number = *pos >> PLACE_BITS;
	struct rtk_lane *lane;
	bool found = false;

	mutex_lock(&rtk_lock);
	if (!*pos)
		r->generation = r->inst->generation;
	/* Not a mixture of two runs. */
	if (r->generation != r->inst->generation) {
		mutex_unlock(&rtk_lock);
		return ERR_PTR(-ESTALE);
	}
	lane = rtk_lane_at(r->inst, number);
	while (lane && !found) {
		found = rtk_outlier_at(lane, &r->worst, &place, &r->sample);
		if (found)
			break;
		lane = rtk_lane_at(r->inst, ++number);
		place = 0;
	}
	if (found) {
		r->lane_cpu = lane->cpu;
		r->lane_series = lane->series;
		r->lane_details = rtk_lane_test(lane)->details;
		r->wall_offset = rtk_run_wall_offset(r->inst->run);
	}
	mutex_unlock(&rtk_lock);
	*pos = (loff_t)number << PLACE_BITS | place;
	return found ? r : NULL;
}

static void *outliers_start(struct seq_file *m, loff_t *pos)
{
	return outliers_seek(m->private, pos);
}

static void *outliers_next(struct seq_file *m, void *v, loff_t *pos)
{
	++*pos;
	return outliers_seek(m->private, pos);
}

static int outliers_show(struct seq_file *m, void *v)
{
	const struct lane_reader *r = v;
	const struct rtk_sample *s = &r->sample;
	unsigned int i;

	seq_printf(m, "cpu=%d series=%s worst=%d value_%s=%lld sequence=%llu mono_ns=%llu wall_ns=%lld",
		   r->lane_cpu, r->lane_series->name,
		   (m->index & PLACE_MASK) < RTK_WORST, r->lane_series->unit,
		   s->value, s->sequence, s->mono, s->mono + r->wall_offset);
	seq_printf(m, " irq=%u softirq=%u nmi=%u", s->irqs, s->softirqs, s->nmis);
	if (s->smis >= 0)
		seq_printf(m, " smi=%d smi_span_ns=%llu smi_source=%s", s->smis,
			   s->smi_span, rtk_smi_source_name());
	for (i = 0; i < RTK_DETAILS && r->lane_details[i]; i++)
		seq_printf(m, " %s=%llu", r->lane_details[i], s->detail[i]);
	/* Last, since a name may hold spaces. */
	if (s->pid >= 0)
		seq_printf(m, " pid=%d comm=%.*s", s->pid, TASK_COMM_LEN, s->comm);
	seq_putc(m, '\n');
	return 0;
}

static const struct seq_operations outliers_seq = {
	.start = outliers_start, .next = outliers_next, .stop = lane_stop,
	.show = outliers_show,
};

static int lane_open(struct inode *inode, struct file *file,
		     const struct seq_operations *ops)
{
	struct rtk_inst *inst = inode->i_private;
	struct lane_reader *r = __seq_open_private(file, ops, sizeof(*r));

	if (!r)
		return -ENOMEM;
	if (rtk_snap_alloc(&r->snap)) {
		seq_release_private(inode, file);
		return -ENOMEM;
	}
	kref_get(&inst->ref);
	r->inst = inst;
	r->snap_lane = -1;
	r->per_lane = 2 * RTK_HIST_BUCKETS + 1;
	return 0;
}

static int lane_release(struct inode *inode, struct file *file)
{
	struct lane_reader *r = ((struct seq_file *)file->private_data)->private;

	rtk_snap_free(&r->snap);
	rtk_inst_put(r->inst);
	return seq_release_private(inode, file);
}

#define LANE_FOPS(name) \
static int name##_open(struct inode *inode, struct file *file) \
{ \
	return lane_open(inode, file, &name##_seq); \
} \
const struct file_operations rtk_debugfs_##name##_fops = { \
	.owner = THIS_MODULE, \
	.open = name##_open, \
	.read = seq_read, \
	.llseek = seq_lseek, \
	.release = lane_release, \
}

LANE_FOPS(stats);
LANE_FOPS(current_value);
LANE_FOPS(hist);
LANE_FOPS(outliers);
