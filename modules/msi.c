// SPDX-License-Identifier: GPL-2.0
/*
 * Beginning and end of a run of interrupts; see msi.h.
 */
#include <linux/cpumask.h>

#include "compat/hrtimer.h"
#include "msi.h"

/* So long the interrupt's thread gets for what is outstanding, ms. */
#define MSI_GRACE	500

int rtk_msi_check(const struct rtk_common *common, const void *config, struct rtk_err *err)
{
	const struct rtk_msi_config *cfg = config;

	if (!cfg->count)
		return rtk_fail(err, -EINVAL,
				"count=0: no interrupts; give a number, or -1 for no end");
	if (!cpumask_empty(&common->cpus))
		return rtk_fail(err, -EINVAL,
				"cpus=%*pbl: this test has two CPUs with parts of their own; name them by irq_cpu= and work_cpu=",
				cpumask_pr_args(&common->cpus));
	return 0;
}

static int msi_check_cpu(const char *name, s64 cpu, struct rtk_err *err)
{
	if (cpu >= 0 && (cpu >= nr_cpu_ids || !cpu_online(cpu)))
		return rtk_fail(err, -ENODEV, "%s=%lld: there is no such CPU online", name, cpu);
	return 0;
}

/* One of @mask that is not @cpu, the first; -1 if there is none. */
static int msi_other(const struct cpumask *mask, int cpu)
{
	int other;

	for_each_cpu(other, mask)
		if (other != cpu)
			return other;
	return -1;
}

/* @cpus: the isolated ones, or all that are online. Not the first of all, if it can be
 * avoided: most of what is not measured runs there.
 */
static void msi_choose_cpus(struct rtk_msi_config *cfg, const struct cpumask *cpus)
{
	if (cfg->irq_cpu < 0 && cfg->work_cpu < 0)
		cfg->irq_cpu = cpumask_equal(cpus, cpu_online_mask) ? cpumask_last(cpus) :
								      cpumask_first(cpus);
	if (cfg->irq_cpu < 0)
		cfg->irq_cpu = msi_other(cpus, cfg->work_cpu);
	if (cfg->irq_cpu < 0)
		cfg->irq_cpu = msi_other(cpu_online_mask, cfg->work_cpu);
	if (cfg->irq_cpu < 0)
		cfg->irq_cpu = cfg->work_cpu;
	if (cfg->work_cpu < 0)
		cfg->work_cpu = msi_other(cpus, cfg->irq_cpu);
	if (cfg->work_cpu < 0)
		cfg->work_cpu = msi_other(cpu_online_mask, cfg->irq_cpu);
	if (cfg->work_cpu < 0)
		cfg->work_cpu = cfg->irq_cpu;
}

int rtk_msi_choose(void *config, struct cpumask *cpus, struct rtk_err *err)
{
	struct rtk_msi_config *cfg = config;
	int rc = msi_check_cpu("irq_cpu", cfg->irq_cpu, err);

	if (!rc)
		rc = msi_check_cpu("work_cpu", cfg->work_cpu, err);
	if (rc)
		return rc;
	msi_choose_cpus(cfg, cpus);
	cpumask_copy(cpus, cpumask_of(cfg->irq_cpu));
	cpumask_set_cpu(cfg->work_cpu, cpus);
	return 0;
}

int rtk_msi_prepare(struct rtk_msi_config *cfg, struct rtk_msi *m,
		    struct rtk_nic_request *req, struct rtk_err *err)
{
	int rc;

	m->count = cfg->count < 0 ? U64_MAX : cfg->count;
	req->device = cfg->device;
	req->backend = cfg->backend;
	req->reset = cfg->reset;
	req->cpu = cfg->irq_cpu;
	rc = rtk_nic_open(req, &m->nic, err);
	if (rc)
		return rc;
	strscpy(cfg->device, pci_name(m->nic->pdev), sizeof(cfg->device));
	cfg->backend = m->nic->backend;
	cfg->m = m;
	return 0;
}

void rtk_msi_unprepare(struct rtk_msi *m)
{
	rtk_nic_close(m->nic);
}

void rtk_msi_arm(struct rtk_msi *m, struct rtk_cpu *c, const struct rtk_msi_config *cfg,
		 enum hrtimer_restart (*tick)(struct hrtimer *timer))
{
	u64 period = cfg->period_us * NSEC_PER_USEC;
	/* The same on both CPUs. */
	u64 t0 = c->base + RTK_MSI_MARGIN + period;

	rtk_grid_start(c, t0, period);
	if (c->cpu == cfg->irq_cpu) {
		m->irq_side = c;
		/* Pairs with the handler: it finds complete lanes and a window. */
		smp_store_release(&m->irq, c);
	}
	if (c->cpu != cfg->work_cpu)
		return;
	m->work = c;
	hrtimer_setup(&m->timer, tick, CLOCK_MONOTONIC, HRTIMER_MODE_ABS_PINNED_HARD);
	hrtimer_start(&m->timer, ns_to_ktime(t0), HRTIMER_MODE_ABS_PINNED_HARD);
}

/*
 * Until what is under way has come, or is lost; then nothing is raised any more. Its
 * thread, which real-time tasks may keep from running, is not waited for longer than
 * it could be.
 */
static void msi_close(struct rtk_msi *m)
{
	unsigned long grace = jiffies + msecs_to_jiffies(MSI_GRACE);
	u64 state;

	for (;;) {
		state = cmpxchg(&m->state, RTK_MSI_FREE, RTK_MSI_CLOSED);
		if (state == RTK_MSI_FREE || state == RTK_MSI_CLOSED)
			return;
		rtk_msi_give_up(m, m->work);
		if (state == RTK_MSI_TAKEN && time_after(jiffies, grace))
			rtk_nic_fetch_thread(m->nic);
		usleep_range(100, 200);
	}
}

/*
 * Both CPUs have had the same grid points: those of the trigger side until it ended,
 * whose samples the other one has taken, even after its own end.
 */
static void msi_close_windows(struct rtk_cpu *irq, struct rtk_cpu *work)
{
	u64 end = min(work->end, max_t(u64, ktime_get() + 1, work->first));

	WRITE_ONCE(irq->end, end);
	WRITE_ONCE(work->end, end);
}

void rtk_msi_disarm(struct rtk_msi *m)
{
	WRITE_ONCE(m->stopped, true);
	if (m->work) {
		hrtimer_cancel(&m->timer);
		msi_close(m);
	}
	WRITE_ONCE(m->irq, NULL);
	/* Its thread, too. */
	rtk_nic_fetch_thread(m->nic);
	synchronize_irq(m->nic->irq);
	if (m->irq_side && m->work)
		msi_close_windows(m->irq_side, m->work);
}

const char *rtk_msi_watch(const void *config, struct rtk_err *err)
{
	const struct rtk_msi_config *cfg = config;
	struct rtk_msi *m = cfg->m;
	const char *name = pci_name(m->nic->pdev);
	u64 lost = m->work ? READ_ONCE(m->work->counter[RTK_MSI_N_LOST]) : 0;

	if (READ_ONCE(m->stopped)) {
		rtk_fail(err, 0, "one of the run's two CPUs went offline");
		return "cpu-lost";
	}
	if (READ_ONCE(m->nic->gone)) {
		rtk_fail(err, 0, "%s was taken away during the run", name);
		return "device-gone";
	}
	if (READ_ONCE(m->state) == RTK_MSI_TAKEN &&
	    ktime_get() > READ_ONCE(m->stamp) + RTK_MSI_STARVED) {
		rtk_fail(err, 0,
			 "the interrupt's thread has not run for 10 s; is a real-time task keeping CPU %d?",
			 m->irq_side->cpu);
		return "starved";
	}
	/* Asked only when there is doubt: it would disturb what is measured. */
	if (lost == m->seen)
		return NULL;
	m->seen = lost;
	if (!rtk_nic_alive(m->nic)) {
		rtk_fail(err, 0, "%s does not answer any more: removed, or without power",
			 name);
		return "device-gone";
	}
	if (READ_ONCE(m->lost_in_row) < RTK_MSI_SILENT)
		return NULL;
	rtk_fail(err, 0, "%s was told to raise %d interrupts in a row that did not come", name,
		 RTK_MSI_SILENT);
	return "device-silent";
}
