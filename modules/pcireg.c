// SPDX-License-Identifier: GPL-2.0
/*
 * The device of a register: taking it, and keeping it while it is read; see pcireg.h.
 */
#include <linux/ioport.h>
#include <linux/iopoll.h>
#include <linux/mutex.h>
#include <linux/pm_runtime.h>
#include <linux/string.h>
#include <linux/wait.h>

#include "pcireg.h"
#include "nic.h"

/* So long a device gets to wake up, us. */
#define PCIREG_WAKE	(2 * USEC_PER_SEC)
/* Somebody who binds or unbinds it just now is waited for as long. */
#define PCIREG_TRIES	200
#define PCIREG_PAUSE_MS	10

/*
 * The device that is read beside its driver; a test has one run at a time. Innermost
 * lock: the driver core's device_lock may be held by who takes it.
 */
static DEFINE_MUTEX(pcireg_lock);
static struct pci_dev *pcireg_bound;
static bool pcireg_gone;
/* Why nobody would tell that the driver loses it, -errno; else 0. */
static int pcireg_rc;
static DECLARE_WAIT_QUEUE_HEAD(pcireg_left);

/* Never, whoever asks: what stands and falls with them is the machine. */
static const struct {
	u8 base;
	const char *name;
} pcireg_refused[] = {
	{ PCI_BASE_CLASS_BRIDGE, "bridge" },
	{ PCI_BASE_CLASS_DISPLAY, "display controller" },
	{ PCI_BASE_CLASS_STORAGE, "storage controller" },
};

static int pcireg_find_device(const struct rtk_pcireg_request *req, struct rtk_pcireg *m,
			      struct rtk_err *err)
{
	unsigned int domain, bus, slot, fn;

	if (!strcmp(req->device, "auto")) {
		m->nic = rtk_nic_take(req->device, req->user, err);
		if (IS_ERR(m->nic))
			return PTR_ERR(m->nic);
		m->pdev = pci_dev_get(m->nic->pdev);
		return 0;
	}
	/* As the parameter's type has brought it into form. */
	if (sscanf(req->device, "%x:%x:%x.%x", &domain, &bus, &slot, &fn) == 4)
		m->pdev = pci_get_domain_bus_and_slot(domain, bus, PCI_DEVFN(slot, fn));
	if (!m->pdev)
		return rtk_fail(err, -ENODEV, "device=%s: there is no such PCI device, see lspci -D",
				req->device);
	return 0;
}

static int pcireg_check_class(struct pci_dev *pdev, struct rtk_err *err)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(pcireg_refused); i++)
		if (pdev->class >> 16 == pcireg_refused[i].base)
			return rtk_fail(err, -EINVAL, "a %s is never read",
					pcireg_refused[i].name);
	return 0;
}

static int pcireg_seen(struct resource *res, void *arg)
{
	return 1;
}

static bool pcireg_is_exclusive(const struct rtk_pcireg *m, unsigned int width)
{
	return walk_iomem_res_desc(IORES_DESC_NONE,
				   IORESOURCE_MEM | IORESOURCE_BUSY | IORESOURCE_EXCLUSIVE,
				   m->address, m->address + width - 1, NULL, pcireg_seen) == 1;
}

/* Beside its driver. Under device_lock: it does not get another one, nor none. */
static int pcireg_take_bound(const struct rtk_pcireg_request *req, struct rtk_pcireg *m,
			     struct rtk_err *err)
{
	if (pcireg_rc)
		return rtk_fail(err, -EOPNOTSUPP,
				"driver %s has it, and its end can't be heard of (error %d)",
				dev_driver_string(&m->pdev->dev), pcireg_rc);
	if (!req->force)
		return rtk_fail(err, -EBUSY, "driver %s has it; force=1 reads it nevertheless",
				dev_driver_string(&m->pdev->dev));
	if (!req->config && pcireg_is_exclusive(m, req->width))
		return rtk_fail(err, -EBUSY, "its driver %s keeps BAR %d for itself alone",
				dev_driver_string(&m->pdev->dev), m->bar);
	mutex_lock(&pcireg_lock);
	pcireg_bound = m->pdev;
	WRITE_ONCE(pcireg_gone, false);
	mutex_unlock(&pcireg_lock);
	m->bound = true;
	return 0;
}

/*
 * Only tried: who holds device_lock may wait for the end of a run, which needs what our
 * caller holds.
 */
static int pcireg_lock_device(struct pci_dev *pdev, struct rtk_err *err)
{
	int tries = PCIREG_TRIES;

	while (!device_trylock(&pdev->dev)) {
		if (!--tries)
			return rtk_fail(err, -EBUSY,
					"it is being bound to a driver, or taken from one; try again");
		msleep(PCIREG_PAUSE_MS);
	}
	return 0;
}

static int pcireg_take(const struct rtk_pcireg_request *req, struct rtk_pcireg *m,
		       struct rtk_err *err)
{
	struct pci_dev *pdev = m->pdev;
	bool claimed = m->nic;
	int rc = 0;

	if (claimed)
		return 0;
	rc = pcireg_lock_device(pdev, err);
	if (rc)
		return rc;
	/* By now nobody moves its BARs. */
	rc = rtk_pcireg_settle(req, m, err);
	claimed = rtk_nic_owns(pdev);
	if (rc)
		goto out;
	if (!pdev->dev.driver)
		rc = rtk_fail(err, -ENODEV, "it is not claimed; run: rtk device claim %s",
			      pci_name(pdev));
	else if (!claimed)
		rc = pcireg_take_bound(req, m, err);
out:
	device_unlock(&pdev->dev);
	if (rc || !claimed)
		return rc;
	/* If it is still: that is looked for anew. */
	m->nic = rtk_nic_take(pci_name(pdev), req->user, err);
	if (IS_ERR(m->nic))
		return PTR_ERR(m->nic);
	if (m->nic->pdev != pdev)
		return rtk_fail(err, -ENODEV, "another device has taken its place");
	return 0;
}

/*
 * Not waited for without end: its driver may need locks that are held by somebody who
 * waits for what our caller holds.
 */
static int pcireg_wake(struct rtk_pcireg *m, struct rtk_err *err)
{
	struct device *dev = &m->pdev->dev;
	bool awake;

	pm_runtime_get(dev);
	m->awake = true;
	if (read_poll_timeout(pm_runtime_active, awake, awake, USEC_PER_MSEC, PCIREG_WAKE,
			      false, dev))
		return rtk_fail(err, -ENODEV,
				"it sleeps (runtime power management), and does not wake up");
	return 0;
}

/* A virtual function has no bit of its own for that. */
static bool pcireg_decodes(struct pci_dev *pdev)
{
	u16 command = 0;

	pci_read_config_word(pdev, PCI_COMMAND, &command);
	return pdev->no_command_memory || command & PCI_COMMAND_MEMORY;
}

/* What keeps a device from answering, as a format for its name; NULL for nothing. */
static const char *pcireg_state(const struct rtk_pcireg *m)
{
	struct pci_dev *pdev = m->pdev;
	u16 pmcsr = 0;

	if (!pci_device_is_present(pdev))
		return "%s does not answer: gone, or without power";
	if (m->bar < 0)
		return NULL;
	if (pdev->pm_cap)
		pci_read_config_word(pdev, pdev->pm_cap + PCI_PM_CTRL, &pmcsr);
	switch (pmcsr & PCI_PM_CTRL_STATE_MASK) {
	case 1:
		return "%s is in power state D1";
	case 2:
		return "%s is in power state D2";
	case 3:
		return "%s is in power state D3hot";
	}
	return pcireg_decodes(pdev) ? NULL :
	       "%s does not decode memory (see Mem- in lspci -vv)";
}

static int pcireg_map_claimed(struct rtk_pcireg *m, unsigned int width, struct rtk_err *err)
{
	m->part.bar = m->bar;
	m->part.offset = m->offset;
	m->part.size = width;
	return rtk_nic_map(m->pdev, &m->part, &m->reg, err);
}

static int pcireg_map_bound(struct rtk_pcireg *m, unsigned int width, struct rtk_err *err)
{
	m->reg = ioremap(m->address, width);
	return m->reg ? 0 : rtk_fail(err, -ENOMEM, "its registers can't be mapped");
}

static int pcireg_map(const struct rtk_pcireg_request *req, struct rtk_pcireg *m,
		      struct rtk_err *err)
{
	u8 byte;

	/* The driver of such a bus may take a lock that sleeps there. */
	if (req->config && req->atomic && IS_ENABLED(CONFIG_PREEMPT_RT) &&
	    pci_domain_nr(m->pdev->bus))
		return rtk_fail(err, -EINVAL,
				"on PREEMPT_RT the configuration space behind a bus of another domain is not read with interrupts off; use block_irq=0");
	if (req->config)
		return pci_read_config_byte(m->pdev, m->offset, &byte) ?
		       rtk_fail(err, -EINVAL, "offset=0x%llx: this machine has no way there",
				m->offset) : 0;
	/* The second lock, should a BAR lie where none may. */
	if (rtk_pcireg_is_ram(m->address, req->width))
		return rtk_fail(err, -EINVAL, "BAR %d lies in System RAM", m->bar);
	return m->bound ? pcireg_map_bound(m, req->width, err) :
			  pcireg_map_claimed(m, req->width, err);
}

static int pcireg_up(const struct rtk_pcireg_request *req, struct rtk_pcireg *m,
		     struct rtk_err *err)
{
	const char *state;
	int rc = pcireg_check_class(m->pdev, err);

	if (!rc)
		rc = rtk_pcireg_settle(req, m, err);
	if (!rc)
		rc = pcireg_take(req, m, err);
	if (!rc && m->bound)
		rc = pcireg_wake(m, err);
	if (!rc)
		rc = pcireg_map(req, m, err);
	if (rc)
		return rc;
	state = pcireg_state(m);
	if (!state)
		return 0;
	scnprintf(err->text, sizeof(err->text), state, "it");
	return -ENODEV;
}

static void pcireg_leave_bound(void)
{
	mutex_lock(&pcireg_lock);
	WRITE_ONCE(pcireg_bound, NULL);
	mutex_unlock(&pcireg_lock);
	wake_up_all(&pcireg_left);
}

int rtk_pcireg_open(const struct rtk_pcireg_request *req, struct rtk_pcireg *m,
		    struct rtk_err *err)
{
	struct rtk_err why;
	int rc;

	*m = (struct rtk_pcireg){};
	rc = rtk_nic_locked_down(err);
	if (!rc)
		rc = *req->address ? rtk_pcireg_find_address(req, m, err) :
				     pcireg_find_device(req, m, err);
	if (rc)
		return rc;
	rc = pcireg_up(req, m, &why);
	if (!rc)
		return 0;
	rtk_fail(err, rc, "%s: %s", pci_name(m->pdev), why.text);
	rtk_pcireg_close(m);
	return rc;
}

void rtk_pcireg_close(struct rtk_pcireg *m)
{
	if (m->reg && m->bound)
		iounmap(m->reg);
	else if (m->reg)
		rtk_nic_unmap(m->pdev, &m->part, m->reg);
	if (m->awake)
		pm_runtime_put(&m->pdev->dev);
	if (!IS_ERR_OR_NULL(m->nic))
		rtk_nic_leave(m->nic);
	if (m->bound)
		pcireg_leave_bound();
	pci_dev_put(m->pdev);
}

bool rtk_pcireg_doubt(struct rtk_pcireg *m)
{
	const char *why = pcireg_state(m);

	if (why)
		WRITE_ONCE(m->why, why);
	return why;
}

const char *rtk_pcireg_watch(const struct rtk_pcireg *m, struct rtk_err *err)
{
	const char *why = READ_ONCE(m->why);

	if (why) {
		scnprintf(err->text, sizeof(err->text), why, pci_name(m->pdev));
		return "device-gone";
	}
	if (m->bound ? READ_ONCE(pcireg_gone) : READ_ONCE(m->nic->gone)) {
		rtk_fail(err, 0, "%s was taken away during the run", pci_name(m->pdev));
		return "device-gone";
	}
	return NULL;
}

/*
 * A driver is about to lose the device that we read: not before the run has ended, which
 * its controller sees to. Under device_lock, which nothing on the way of a run waits for.
 */
static int pcireg_bus_event(struct notifier_block *nb, unsigned long event, void *data)
{
	struct pci_dev *pdev = to_pci_dev(data);
	bool ours;

	if (event != BUS_NOTIFY_UNBIND_DRIVER)
		return NOTIFY_DONE;
	mutex_lock(&pcireg_lock);
	ours = pcireg_bound == pdev;
	if (ours)
		WRITE_ONCE(pcireg_gone, true);
	mutex_unlock(&pcireg_lock);
	if (ours)
		wait_event(pcireg_left, READ_ONCE(pcireg_bound) != pdev);
	return NOTIFY_OK;
}

static struct notifier_block pcireg_nb = { .notifier_call = pcireg_bus_event };

void rtk_pcireg_init(void)
{
	/* For good: a run could not wait for those who are in it, and wait for the run. */
	pcireg_rc = bus_register_notifier(&pci_bus_type, &pcireg_nb);
}

void rtk_pcireg_exit(void)
{
	if (!pcireg_rc)
		bus_unregister_notifier(&pci_bus_type, &pcireg_nb);
}
