// SPDX-License-Identifier: GPL-2.0
/* Where interrupts come from. */
#include "rheal.h"

/* The first run decides for all: the values of two sources are no one's. */
int rheal_interrupt(struct rheal *h)
{
	int err;

	if (h->source_known && !h->selfirq)
		return rheal_signal(h);
	rheal_begin(&h->clerk, rheal_selfirq);
	err = rheal_settle(h, 1, rheal_selfirq_bound(h));
	if (err)
		return err;
	err = h->no_selfirq;
	if (h->source_known)
		return err ? rtk_ucpu_fail(h->c, err, "interrupts: %s",
					   h->why) :
			     0;
	h->source_known = true;
	h->selfirq = !err;
	if (h->selfirq) {
		/* A machine with one CPU has nobody who could send. */
		h->c->lane[RHEAL_INTERRUPT_IPI].off =
			!h->sum[RHEAL_INTERRUPT_IPI].n && !rtk_ucpu_over(h->c);
		return 0;
	}
	h->c->lane[RHEAL_INTERRUPT_IPI].off = true;
	return rheal_signal(h);
}
