// SPDX-License-Identifier: GPL-2.0
/*
 * The PCI driver of devices that raise an MSI on demand; see nic.h.
 *
 * Nothing binds by itself: all ids are for driver_override, which user space sets.
 * A device without an id here can be claimed, too; it is left alone until somebody
 * who opens it says what it is.
 *
 * A device is up only while it is open. Suspend needs no callbacks therefore: the
 * core ends all runs before, and what is closed has no state. Nor does runtime PM:
 * the PCI core resumes a device before probe() and holds it until remove() is over,
 * if the driver does not say that it may sleep, as this one doesn't.
 */
#define pr_fmt(fmt) "rtk: " fmt

#include <linux/iopoll.h>
#include <linux/irq.h>
#include <linux/mutex.h>
#include <linux/security.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "nic.h"
#include "task.h"

/* Interrupts that are raised to see them come, to the right CPU twice in a row, */
#define NIC_TRIES	10
/* and how long each is waited for, us: an emulated device can be slow. */
#define NIC_WAIT	USEC_PER_SEC

const char * const rtk_nic_backends[] = {
	[RTK_NIC_AUTO] = "auto",
	[RTK_NIC_IGB] = "igb",
	[RTK_NIC_IGC] = "igc",
	[RTK_NIC_E1000E] = "e1000e",
	[RTK_NIC_EDU] = "edu",
	NULL
};

static const struct rtk_nic_ops * const nic_ops[] = {
	[RTK_NIC_IGB] = &rtk_nic_igb,
	[RTK_NIC_IGC] = &rtk_nic_igc,
	[RTK_NIC_E1000E] = &rtk_nic_e1000e,
	[RTK_NIC_EDU] = &rtk_nic_edu,
};

/*
 * Claimed devices, and who has opened them. Innermost: the PCI core's device_lock,
 * and all locks of the core of rtk, may be held by who takes it.
 */
static DEFINE_MUTEX(nic_lock);
static LIST_HEAD(nic_list);

/* Why the driver could not be registered, -errno; else 0. */
static int nic_rc;

/* Settles the family. Two that are brought up alike may be taken for each other. */
static int nic_choose(struct rtk_nic *nic, enum rtk_nic_backend asked, struct rtk_err *err)
{
	const struct rtk_nic_ops *ops = nic_ops[asked ?: nic->known];
	struct pci_dev *pdev = nic->pdev;

	if (!ops)
		return rtk_fail(err, -EINVAL,
				"device %04x:%04x is not known; if it is like one that is, say so: backend=igb, igc, e1000e or edu",
				pdev->vendor, pdev->device);
	if (nic->known && nic_ops[nic->known]->start != ops->start)
		return rtk_fail(err, -EINVAL, "backend=%s: the device is %s; use backend=auto",
				rtk_nic_backends[asked], rtk_nic_backends[nic->known]);
	if (pdev->vendor != ops->vendor || pdev->class >> 8 != ops->class ||
	    !(pci_resource_flags(pdev, 0) & IORESOURCE_MEM) ||
	    pci_resource_len(pdev, 0) < ops->size)
		return rtk_fail(err, -EINVAL,
				"backend=%s: device %04x:%04x of class %06x is no such device",
				rtk_nic_backends[asked ?: nic->known], pdev->vendor,
				pdev->device, pdev->class);
	nic->ops = ops;
	nic->backend = asked ?: nic->known;
	return 0;
}

int rtk_nic_locked_down(struct rtk_err *err)
{
	if (!security_locked_down(LOCKDOWN_PCI_ACCESS))
		return 0;
	return rtk_fail(err, -EPERM,
			"the kernel is locked down, so no device may be used; see lockdown= and Secure Boot");
}

static bool nic_answers(const struct rtk_nic *nic)
{
	return readl(nic->regs + nic->ops->alive) != ~0U;
}

/* Also what else enabling and disabling do to the command register. */
static void nic_disable(struct pci_dev *pdev, const struct rtk_nic_part *part)
{
	u16 command;

	pci_disable_device(pdev);
	pci_read_config_word(pdev, PCI_COMMAND, &command);
	if (!(part->command & PCI_COMMAND_MEMORY))
		command &= ~PCI_COMMAND_MEMORY;
	command |= part->command & PCI_COMMAND_MASTER;
	pci_write_config_word(pdev, PCI_COMMAND, command);
}

int rtk_nic_map(struct pci_dev *pdev, struct rtk_nic_part *part, void __iomem **regs,
		struct rtk_err *err)
{
	int rc = rtk_nic_locked_down(err);

	if (rc)
		return rc;
	pci_read_config_word(pdev, PCI_COMMAND, &part->command);
	rc = pci_enable_device_mem(pdev);
	if (rc)
		return rtk_fail(err, -ENODEV, "can't be enabled (error %d)", rc);
	rc = pci_request_region(pdev, part->bar, "rtk");
	if (rc) {
		rtk_fail(err, rc, "something else uses its registers, see /proc/iomem");
		goto err_disable;
	}
	*regs = pci_iomap_range(pdev, part->bar, part->offset, part->size);
	if (*regs)
		return 0;
	rc = rtk_fail(err, -ENOMEM, "no memory to map its registers");
	pci_release_region(pdev, part->bar);
err_disable:
	nic_disable(pdev, part);
	return rc;
}

void rtk_nic_unmap(struct pci_dev *pdev, const struct rtk_nic_part *part,
		   void __iomem *regs)
{
	pci_iounmap(pdev, regs);
	pci_release_region(pdev, part->bar);
	nic_disable(pdev, part);
}

static void nic_unmap(struct rtk_nic *nic)
{
	/* Nothing that has been left over in it gets to memory. */
	pci_clear_master(nic->pdev);
	rtk_nic_unmap(nic->pdev, &nic->part, nic->regs);
}

static int nic_map(struct rtk_nic *nic, struct rtk_err *err)
{
	int rc = rtk_nic_map(nic->pdev, &nic->part, &nic->regs, err);

	if (rc || nic_answers(nic))
		return rc;
	nic_unmap(nic);
	return rtk_fail(err, -ENODEV, "does not answer: gone, or without power");
}

/* To the asked CPU before it is requested: so the very first comes there. */
static int nic_request_irq(struct rtk_nic *nic, const struct rtk_nic_request *req,
			   struct rtk_err *err)
{
	struct pci_dev *pdev = nic->pdev;
	int rc = pci_alloc_irq_vectors(pdev, 1, 1, nic->ops->irq_type);

	if (rc < 0)
		return rtk_fail(err, -EIO, "no interrupt vector (error %d); is there pci=nomsi?",
				rc);
	nic->irq = pci_irq_vector(pdev, 0);
	/* A kernel for one CPU only has no way to ask. */
	if (IS_ENABLED(CONFIG_SMP) && req->cpu >= 0)
		rc = irq_set_affinity(nic->irq, cpumask_of(req->cpu));
	if (rc < 0) {
		rtk_fail(err, -EIO, "its interrupt can't be moved to CPU %d (error %d)",
			 req->cpu, rc);
		goto err_vectors;
	}
	/* A handler that RT makes a thread would stamp there. */
	rc = request_threaded_irq(nic->irq, req->handler, req->thread_fn,
				  IRQF_NOBALANCING | IRQF_NO_THREAD, "rtk", req->data);
	if (rc) {
		rtk_fail(err, -EIO, "its interrupt can't be requested (error %d)", rc);
		goto err_vectors;
	}
	return 0;
err_vectors:
	nic->irq = 0;
	pci_free_irq_vectors(pdev);
	return -EIO;
}

void rtk_nic_fetch_thread(const struct rtk_nic *nic)
{
	struct irq_desc *desc = irq_data_to_desc(irq_get_irq_data(nic->irq));
	struct task_struct *thread = desc->action->thread;

	if (thread)
		rtk_task_fetch(thread, task_cpu(thread));
}

static void nic_free_irq(struct rtk_nic *nic, void *data)
{
	/* Its end is waited for. */
	rtk_nic_fetch_thread(nic);
	free_irq(nic->irq, data);
	pci_free_irq_vectors(nic->pdev);
	nic->irq = 0;
}

/*
 * An interrupt that is raised comes, and to the CPU; a plain MSI that was moved may
 * come to the old one once more.
 */
static int nic_prove(struct rtk_nic *nic, int cpu, struct rtk_err *err)
{
	unsigned int good = 0, tries, seen, hits;

	for (tries = 0; tries < NIC_TRIES && good < 2; tries++) {
		seen = READ_ONCE(nic->hits);
		rtk_nic_trigger(nic);
		/* Pairs with rtk_nic_note(): its CPU is known then. */
		if (read_poll_timeout(smp_load_acquire, hits, hits != seen, 50, NIC_WAIT,
				      false, &nic->hits))
			return nic_answers(nic) ?
			       rtk_fail(err, -EIO,
					"an interrupt that it was told to raise has not come in %lu ms",
					NIC_WAIT / USEC_PER_MSEC) :
			       rtk_fail(err, -ENODEV, "does not answer any more: gone, or without power");
		good = cpu < 0 || nic->hit_cpu == cpu ? good + 1 : 0;
	}
	if (good < 2)
		return rtk_fail(err, -EIO, "its interrupts come to CPU %d instead of CPU %d",
				nic->hit_cpu, cpu);
	return 0;
}

static int nic_up(struct rtk_nic *nic, const struct rtk_nic_request *req,
		  struct rtk_err *err)
{
	int rc = nic_choose(nic, req->backend, err);

	if (!rc)
		rc = nic_map(nic, err);
	if (rc)
		return rc;
	/* An MSI is a write to memory by the device. */
	pci_set_master(nic->pdev);
	/* An interrupt that is left over may come at once, when no register is known. */
	nic->ack = NULL;
	rc = nic_request_irq(nic, req, err);
	if (rc)
		goto err_unmap;
	rc = nic->ops->start(nic, req->reset);
	if (rc) {
		rtk_fail(err, rc, "does not answer as a device of this family");
		goto err_irq;
	}
	rc = nic_prove(nic, req->cpu, err);
	if (!rc)
		return 0;
	nic->ops->stop(nic);
err_irq:
	nic_free_irq(nic, req->data);
err_unmap:
	nic_unmap(nic);
	return rc;
}

static void nic_down(struct rtk_nic *nic, void *data)
{
	rtk_nic_timer_stop(nic);
	nic->ops->stop(nic);
	nic_free_irq(nic, data);
	nic_unmap(nic);
}

/* Under nic_lock. */
static struct rtk_nic *nic_find(const char *device, struct rtk_err *err)
{
	bool any = !strcmp(device, "auto");
	struct rtk_nic *nic, *found = NULL;

	list_for_each_entry(nic, &nic_list, link) {
		if (!any && strcmp(device, pci_name(nic->pdev)))
			continue;
		if (found) {
			rtk_fail(err, -EINVAL, "device=auto: %s and %s are claimed; say which",
				 pci_name(found->pdev), pci_name(nic->pdev));
			return ERR_PTR(-EINVAL);
		}
		found = nic;
	}
	if (found)
		return found;
	rtk_fail(err, -ENODEV, "device=%s: %s claimed; run: rtk device claim %s", device,
		 any ? "none is" : "it is not", any ? "DEVICE" : device);
	return ERR_PTR(-ENODEV);
}

struct rtk_nic *rtk_nic_take(const char *device, const char *user, struct rtk_err *err)
{
	struct rtk_nic *nic;

	if (nic_rc) {
		rtk_fail(err, -EOPNOTSUPP,
			 "the driver for devices is not registered (error %d); see the kernel log",
			 nic_rc);
		return ERR_PTR(-EOPNOTSUPP);
	}
	mutex_lock(&nic_lock);
	nic = nic_find(device, err);
	if (!IS_ERR(nic) && nic->user) {
		rtk_fail(err, -EBUSY, "%s: in use by a run of %s; wait for it, or stop it",
			 pci_name(nic->pdev), nic->user);
		nic = ERR_PTR(-EBUSY);
	}
	if (!IS_ERR(nic)) {
		nic->user = user;
		reinit_completion(&nic->closed);
	}
	mutex_unlock(&nic_lock);
	return nic;
}

void rtk_nic_leave(struct rtk_nic *nic)
{
	mutex_lock(&nic_lock);
	nic->user = NULL;
	/* Under the lock: nic_remove() frees it when it has seen either. */
	complete(&nic->closed);
	mutex_unlock(&nic_lock);
}

int rtk_nic_open(const struct rtk_nic_request *req, struct rtk_nic **nicp,
		 struct rtk_err *err)
{
	struct rtk_err why;
	struct rtk_nic *nic;
	int rc;

	nic = rtk_nic_take(req->device, req->user, err);
	if (IS_ERR(nic))
		return PTR_ERR(nic);
	/* Before an interrupt can come: its handler may want it. */
	*nicp = nic;
	rc = nic_up(nic, req, &why);
	if (!rc) {
		nic->data = req->data;
		return 0;
	}
	rtk_fail(err, rc, "%s: %s", pci_name(nic->pdev), why.text);
	*nicp = NULL;
	rtk_nic_leave(nic);
	return rc;
}

void rtk_nic_close(struct rtk_nic *nic)
{
	nic_down(nic, nic->data);
	rtk_nic_leave(nic);
}

bool rtk_nic_alive(const struct rtk_nic *nic)
{
	return !READ_ONCE(nic->gone) && nic_answers(nic);
}

enum rtk_nic_timer rtk_nic_timer_find(struct rtk_nic *nic, u64 cycle_ns)
{
	const struct rtk_nic_ops *ops = nic->ops;

	nic->found = ops->timer_find ? ops->timer_find(nic, cycle_ns) : RTK_NIC_TIMER_NONE;
	return nic->found;
}

void rtk_nic_timer_start(struct rtk_nic *nic, u64 cycle_ns)
{
	nic->cycle = cycle_ns;
	/* First: the handler looks at it. */
	WRITE_ONCE(nic->timer, nic->found);
	if (nic->found)
		nic->ops->timer_start(nic);
}

void rtk_nic_timer_stop(struct rtk_nic *nic)
{
	enum rtk_nic_timer timer = READ_ONCE(nic->timer);

	/* A handler that has begun may still ask for one more. */
	WRITE_ONCE(nic->timer, RTK_NIC_TIMER_NONE);
	if (timer)
		nic->ops->timer_stop(nic);
}

void rtk_nic_timer_next(struct rtk_nic *nic)
{
	rtk_nic_ack(nic);
	/* By name, not by a pointer: it is on the way of each sample. */
	switch (READ_ONCE(nic->timer)) {
	case RTK_NIC_TIMER_TT0:
		rtk_nic_igb_next(nic);
		break;
	case RTK_NIC_TIMER_DMA:
		rtk_nic_edu_next(nic);
		break;
	default:
		break;
	}
}

static irqreturn_t nic_claim_handler(int irq, void *data)
{
	rtk_nic_note(data);
	return IRQ_HANDLED;
}

/* What can't be measured with is not claimed. Its former driver has left it alone. */
static int nic_selftest(struct rtk_nic *nic)
{
	const struct rtk_nic_request req = {
		.cpu = -1,
		.handler = nic_claim_handler,
		.data = nic,
	};
	struct rtk_err err;
	int rc = nic_up(nic, &req, &err);

	if (rc)
		dev_err(&nic->pdev->dev, "not claimed: %s\n", err.text);
	else
		nic_down(nic, nic);
	return rc;
}

static int nic_probe(struct pci_dev *pdev, const struct pci_device_id *id)
{
	struct rtk_nic *nic = kzalloc(sizeof(*nic), GFP_KERNEL);
	int rc = 0;

	if (!nic)
		return -ENOMEM;
	nic->pdev = pdev;
	nic->known = id->driver_data & ~RTK_NIC_HAS_TT0;
	nic->has_tt0 = id->driver_data & RTK_NIC_HAS_TT0;
	init_completion(&nic->closed);
	if (nic->known)
		rc = nic_selftest(nic);
	if (rc) {
		kfree(nic);
		return rc;
	}
	pci_set_drvdata(pdev, nic);
	mutex_lock(&nic_lock);
	list_add_tail(&nic->link, &nic_list);
	mutex_unlock(&nic_lock);
	return 0;
}

/*
 * The PCI core holds device_lock, which nothing on the way of a run takes; so the
 * run ends, however long it has been going to last: its controller sees @gone.
 */
static void nic_remove(struct pci_dev *pdev)
{
	struct rtk_nic *nic = pci_get_drvdata(pdev);
	bool open;

	mutex_lock(&nic_lock);
	WRITE_ONCE(nic->gone, true);
	list_del(&nic->link);
	open = nic->user;
	mutex_unlock(&nic_lock);
	if (open)
		wait_for_completion(&nic->closed);
	kfree(nic);
}

static struct pci_driver nic_driver = {
	.name = "rtk",
	.id_table = rtk_nic_ids,
	.probe = nic_probe,
	.remove = nic_remove,
};

bool rtk_nic_owns(const struct pci_dev *pdev)
{
	return pdev->dev.driver == &nic_driver.driver;
}

bool rtk_nic_harmless(struct pci_dev *pdev, u32 *offset)
{
	/* By its ids alone, whatever driver it has. */
	const struct pci_device_id *id = pci_match_id(rtk_nic_ids, pdev);

	if (!id)
		return false;
	*offset = nic_ops[id->driver_data & ~RTK_NIC_HAS_TT0]->alive;
	return true;
}

void rtk_nic_init(void)
{
	nic_rc = pci_register_driver(&nic_driver);
	if (nic_rc)
		pr_warn("no PCI driver (error %d): tests of devices are not available\n", nic_rc);
}

void rtk_nic_exit(void)
{
	if (!nic_rc)
		pci_unregister_driver(&nic_driver);
}
