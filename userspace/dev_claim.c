// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <string.h>

#include "dev.h"

static int run_claim(int argc, char **argv)
{
	const struct rtk_device *d;
	char file[RTK_CHANGE_FILE_SIZE];
	struct rtk_dev dev;
	bool force = false;
	const char *text =
		rtk_dev_args(&rtk_dev_claim, argc, argv, &force, NULL);
	enum rtk_pcidev_sort sort;
	int status;

	if (!text)
		return RTK_EXIT_ERROR;
	/* Not ended halfway; against kill -9 there is the journal. */
	rtk_signals();
	sort = strcmp(text, "auto") ? RTK_PCIDEV_ANY : RTK_PCIDEV_MSI;
	status = rtk_dev_open(&dev, sort, true);
	if (status)
		return status;
	status = RTK_EXIT_ERROR;
	d = rtk_dev_pick(&dev, text, force);
	if (d && !rtk_claim_take(dev.guard.root, &dev.journal, d->bdf, false,
				 file)) {
		printf("%s: taken from %s; give it back by: sudo %s device release %s\n",
		       d->bdf, *d->driver ? d->driver : "no driver", rtk_prog(),
		       d->bdf);
		status = RTK_EXIT_OK;
	}
	rtk_dev_close(&dev);
	return status;
}

const struct rtk_cmd rtk_dev_claim = {
	.name = "device claim",
	.args = "BDF|auto [--force]",
	.summary = "take a device from its driver for the module's tests",
	.help = "BDF is 0000:03:00.0 or 03:00.0; auto is the only device that may be taken. One that\n"
		"raises no MSIs on demand can be read only, and is taken if it has no driver. One is\n"
		"not taken whose interface is up, or carries the default route or an SSH session, or\n"
		"belongs to a bridge or bond, or that somebody else uses. rtk run claims and gives\n"
		"back by itself; this is for several runs in a row. It is given back by rtk device\n"
		"release, or rtk restore; its addresses are not set again.\n"
		"\n"
		"  --force           also one that carries the network, which is cut\n",
	.run = run_claim,
};
