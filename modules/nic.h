/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Devices that raise an MSI when they are told to.
 *
 * nic.c is a PCI driver that binds to nothing by itself: its ids are for
 * driver_override only. A device that is bound to it is claimed. A test opens a
 * claimed device for a run: that brings it up, with one vector whose handler is
 * the test's, and proves that its interrupts come, to the CPU that was asked for.
 * What differs between families is a row of struct rtk_nic_ops (nic_*.c).
 *
 * Nothing on the way of a sample calls through a pointer: an interrupt is raised
 * by one store to an address that is known before.
 */
#ifndef RTK_NIC_H
#define RTK_NIC_H

#include <linux/completion.h>
#include <linux/interrupt.h>
#include <linux/io.h>
#include <linux/list.h>
#include <linux/pci.h>

#include "rtk.h"

/* Size of the text of a parameter of type PCI: "0000:03:00.0", or "auto". */
#define RTK_NIC_NAME_SIZE	RTK_PCI_SIZE

/* Choices of a test's parameter backend, by index; rtk_nic_backends has the words. */
enum rtk_nic_backend {
	RTK_NIC_AUTO,
	RTK_NIC_IGB,
	RTK_NIC_IGC,
	RTK_NIC_E1000E,
	RTK_NIC_EDU,
};

extern const char * const rtk_nic_backends[];

/**
 * enum rtk_nic_timer - what in a device raises interrupts in a cycle of its own
 * @RTK_NIC_TIMER_NONE: nothing
 * @RTK_NIC_TIMER_TT0: target time 0 of its clock, set anew for each interrupt
 * @RTK_NIC_TIMER_TCP: the TCP timer, in a loop of whole ms
 * @RTK_NIC_TIMER_DMA: edu: a transfer that takes 100 ms, started anew each time
 */
enum rtk_nic_timer {
	RTK_NIC_TIMER_NONE,
	RTK_NIC_TIMER_TT0,
	RTK_NIC_TIMER_TCP,
	RTK_NIC_TIMER_DMA,
};

/**
 * struct rtk_nic_part - registers of a device
 * @bar: BAR
 * @offset: their beginning in it
 * @size: how many bytes, 0 for all that there are
 * @command: command register of the device before they were mapped
 */
struct rtk_nic_part {
	int bar;
	unsigned long offset;
	unsigned long size;
	u16 command;
};

/**
 * struct rtk_nic - a claimed device
 * @trigger: register that raises an interrupt when @trigger_value is stored
 * @trigger_value: see @trigger
 * @ack_value: see @ack
 * @ack: register that wants @ack_value after each interrupt, NULL for none
 * @timer: source that rtk_nic_timer_start() has started
 * @regs: all registers, which are
 * @part: those of BAR 0
 * @ops: the family; NULL while it is not known
 * @pdev: device
 * @irq: its vector, 0 while it isn't open
 * @hits: interrupts outside of a measurement, see rtk_nic_note(); wraps
 * @hit_cpu: CPU of the latest of these
 * @gone: it is being taken from us; READ_ONCE()
 * @user: test that has opened it, or NULL
 * @link: in the list of claimed devices
 * @closed: completed when @user has closed it
 * @data: what its handler is called with
 * @backend: family as it was opened
 * @known: family by its ids, RTK_NIC_AUTO if they say nothing
 * @has_tt0: its ids say that there is RTK_NIC_TIMER_TT0
 * @found: what rtk_nic_timer_find() has found
 * @cycle: cycle of @timer, ns
 * @target: RTK_NIC_TIMER_TT0: when the next interrupt is due, ns of the device's clock
 * @dma: RTK_NIC_TIMER_DMA: what is read, over and over again
 * @dma_addr: its address for the device
 *
 * From @link on it belongs to nic.c and nic_*.c.
 */
struct rtk_nic {
	void __iomem *trigger;
	void __iomem *ack;
	u32 trigger_value;
	u32 ack_value;
	enum rtk_nic_timer timer;
	void __iomem *regs;
	struct rtk_nic_part part;
	const struct rtk_nic_ops *ops;
	struct pci_dev *pdev;
	int irq;
	unsigned int hits;
	int hit_cpu;
	bool gone;
	const char *user;
	struct list_head link;
	struct completion closed;
	void *data;
	enum rtk_nic_backend backend;
	enum rtk_nic_backend known;
	bool has_tt0;
	enum rtk_nic_timer found;
	u64 cycle;
	u64 target;
	void *dma;
	dma_addr_t dma_addr;
};

/**
 * struct rtk_nic_ops - a family: what nic.c leaves to nic_*.c
 * @vendor: of all its devices
 * @class: class and subclass of all its devices
 * @size: its registers take at least that much of BAR 0
 * @alive: register that can be read without any effect, and is never all ones
 * @icr: Intel: causes, cleared by reading,
 * @ims: sets its mask,
 * @imc: clears its mask,
 * @eimc: and that of vectors; 0 for none
 * @irq_type: PCI_IRQ_MSI or PCI_IRQ_MSIX, of which vector 0 is used
 * @start: brings the device up, resets it before if asked to, and sets @trigger and
 *	@ack of struct rtk_nic; the handler is in place. May sleep. Returns 0 or
 *	-errno
 * @stop: no interrupt is raised any more. May sleep
 * @timer_find: see rtk_nic_timer_find(); this one and the next two NULL for none
 * @timer_start: starts the source @found with @cycle
 * @timer_stop: stops it
 *
 * All of them also have to end where the device is not there any more, and answers
 * every read with all ones.
 */
struct rtk_nic_ops {
	u16 vendor;
	u16 class;
	u32 size;
	u32 alive;
	u32 icr;
	u32 ims;
	u32 imc;
	u32 eimc;
	unsigned int irq_type;
	int (*start)(struct rtk_nic *nic, bool reset);
	void (*stop)(struct rtk_nic *nic);
	enum rtk_nic_timer (*timer_find)(struct rtk_nic *nic, u64 cycle_ns);
	void (*timer_start)(struct rtk_nic *nic);
	void (*timer_stop)(struct rtk_nic *nic);
};

/* In an id's driver_data, beside its enum rtk_nic_backend: there is TT0. */
#define RTK_NIC_HAS_TT0		BIT(8)
#define RTK_NIC_VENDOR_QEMU	0x1234
extern const struct pci_device_id rtk_nic_ids[];

extern const struct rtk_nic_ops rtk_nic_igb;
extern const struct rtk_nic_ops rtk_nic_igc;
extern const struct rtk_nic_ops rtk_nic_e1000e;
extern const struct rtk_nic_ops rtk_nic_edu;

/* For nic_igb.c and nic_e1000e.c, see there. */
void rtk_nic_intel_quiet(struct rtk_nic *nic, bool reset);
void rtk_nic_intel_mask(struct rtk_nic *nic);

/* What rtk_nic_timer_next() needs of the families. */
void rtk_nic_igb_next(struct rtk_nic *nic);
void rtk_nic_edu_next(struct rtk_nic *nic);

/**
 * struct rtk_nic_request - what a test wants of a device
 * @user: name of the test
 * @device: "0000:03:00.0"; or "auto", for the only one that is claimed
 * @backend: family; RTK_NIC_AUTO for what the device's ids say
 * @reset: reset the device; also cuts what the firmware does with it (AMT, NC-SI)
 * @cpu: CPU to which the interrupts are to come, online
 * @handler: hard interrupt handler, also on PREEMPT_RT. Outside of a measurement
 *	it calls rtk_nic_note()
 * @thread_fn: woken by it (IRQ_WAKE_THREAD), NULL for none
 * @data: what both are called with
 */
struct rtk_nic_request {
	const char *user;
	const char *device;
	enum rtk_nic_backend backend;
	bool reset;
	int cpu;
	irq_handler_t handler;
	irq_handler_t thread_fn;
	void *data;
};

/* The driver: at the module's beginning and end, may sleep. */
#ifdef CONFIG_PCI
void rtk_nic_init(void);
void rtk_nic_exit(void);
#else
static inline void rtk_nic_init(void) {}
static inline void rtk_nic_exit(void) {}
#endif

/**
 * rtk_nic_take() - take a claimed device, as it is
 * @device: "0000:03:00.0"; or "auto", for the only one that is claimed
 * @user: name of the test
 * @err: words for a failure
 *
 * It stays claimed until rtk_nic_leave(): who takes it away waits, and has set @gone.
 *
 * Context: may sleep.
 * Return: device; or ERR_PTR(): -ENODEV (not claimed), -EBUSY (another test has it),
 * -EINVAL (several are claimed), -EOPNOTSUPP (the driver could not be registered)
 */
struct rtk_nic *rtk_nic_take(const char *device, const char *user, struct rtk_err *err);

/* Leaves it to others. May sleep. */
void rtk_nic_leave(struct rtk_nic *nic);

/**
 * rtk_nic_map() - enable a device that was taken, and map registers of it
 * @pdev: device
 * @part: which; its command is set
 * @regs: set on success
 * @err: words for a failure
 *
 * Context: may sleep.
 * Return: 0; -ENODEV, -EBUSY (somebody else uses them), -EPERM (lockdown), -ENOMEM
 */
int rtk_nic_map(struct pci_dev *pdev, struct rtk_nic_part *part, void __iomem **regs,
		struct rtk_err *err);

/* Undoes it, also in the command register. May sleep. */
void rtk_nic_unmap(struct pci_dev *pdev, const struct rtk_nic_part *part,
		   void __iomem *regs);

/* Are devices out of bounds for everybody? Any context. Returns 0, or -EPERM with words. */
int rtk_nic_locked_down(struct rtk_err *err);

/* Is a device claimed? Under its device_lock. */
bool rtk_nic_owns(const struct pci_dev *pdev);

/**
 * rtk_nic_harmless() - a register that can be read without any effect
 * @pdev: device, whatever its driver
 * @offset: set to it, in BAR 0
 *
 * Context: any.
 * Return: false if none is known
 */
bool rtk_nic_harmless(struct pci_dev *pdev, u32 *offset);

/**
 * rtk_nic_open() - take a claimed device and bring it up
 * @req: what is wanted
 * @nic: set on success
 * @err: words for a failure: the cause and its mend
 *
 * Interrupts may come as soon as this runs, so @req->data must be ready for its
 * handler, which may need @nic: that is set before the first one.
 *
 * Context: may sleep, for a second or so; cpus_read_lock() held by the core.
 * Return: 0; -ENODEV (not claimed, gone, or no answer), -EBUSY (another test has
 * opened it, or somebody else uses its registers), -EINVAL (the family is not known,
 * or wrong), -EPERM (lockdown), -EIO (interrupts do not come, or to another CPU),
 * -EOPNOTSUPP (the driver could not be registered), -ENOMEM
 */
int rtk_nic_open(const struct rtk_nic_request *req, struct rtk_nic **nic,
		 struct rtk_err *err);

/**
 * rtk_nic_close() - stop a device and give it back to the driver
 * @nic: opened device
 *
 * No handler runs when it returns, and none will.
 *
 * Context: may sleep.
 */
void rtk_nic_close(struct rtk_nic *nic);

/**
 * rtk_nic_fetch_thread() - bring home the interrupt's thread, if there is one
 * @nic: opened device
 *
 * Real-time tasks may keep it from its CPU, and nothing that waits for it must wait
 * for their end. It has nothing more to measure.
 *
 * Context: may sleep.
 */
void rtk_nic_fetch_thread(const struct rtk_nic *nic);

/**
 * rtk_nic_alive() - is the device still there?
 * @nic: opened device
 *
 * Reads one register, which disturbs what is measured: for cases of doubt.
 *
 * Context: any.
 * Return: false if it is being removed, or answers with all ones
 */
bool rtk_nic_alive(const struct rtk_nic *nic);

/**
 * rtk_nic_timer_find() - which source of its own has a device for a cycle?
 * @nic: opened device
 * @cycle_ns: cycle, ns
 *
 * By writing and reading back its registers.
 *
 * Context: may sleep.
 */
enum rtk_nic_timer rtk_nic_timer_find(struct rtk_nic *nic, u64 cycle_ns);

/**
 * rtk_nic_timer_start() - let the device raise interrupts by itself
 * @nic: opened device
 * @cycle_ns: cycle, one for which rtk_nic_timer_find() has found something
 *
 * The first comes about a cycle later.
 *
 * Context: any, also with interrupts off.
 */
void rtk_nic_timer_start(struct rtk_nic *nic, u64 cycle_ns);

/* Ends that; one more may still come. Any context. */
void rtk_nic_timer_stop(struct rtk_nic *nic);

/**
 * rtk_nic_timer_next() - what a device-timed interrupt needs for the next one
 * @nic: opened device
 *
 * Context: the handler, after its time stamp, instead of rtk_nic_ack().
 */
void rtk_nic_timer_next(struct rtk_nic *nic);

/**
 * rtk_nic_trigger() - raise an interrupt
 * @nic: opened device
 *
 * A posted write: it returns before the device has seen it, and all that was
 * written to memory before is visible to the handler.
 *
 * Context: any. One instruction and a barrier.
 */
static __always_inline void rtk_nic_trigger(const struct rtk_nic *nic)
{
	writel(nic->trigger_value, nic->trigger);
}

/**
 * rtk_nic_ack() - make the next interrupt possible
 * @nic: opened device
 *
 * Context: the handler, after its time stamp.
 */
static __always_inline void rtk_nic_ack(const struct rtk_nic *nic)
{
	if (nic->ack)
		writel(nic->ack_value, nic->ack);
}

/**
 * rtk_nic_note() - an interrupt outside of a measurement
 * @nic: opened device
 *
 * What rtk_nic_open() waits for. Acknowledges it.
 *
 * Context: the handler.
 */
static inline void rtk_nic_note(struct rtk_nic *nic)
{
	rtk_nic_ack(nic);
	nic->hit_cpu = smp_processor_id();
	/* Pairs with the acquire of who waits: the CPU is known then. */
	smp_store_release(&nic->hits, nic->hits + 1);
}

#endif /* RTK_NIC_H */
