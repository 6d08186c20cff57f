// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <string.h>

#include "dev.h"

static int release(struct rtk_dev *dev, const struct rtk_claim *claim)
{
	char driver[RTK_DRIVER_SIZE];

	if (claim->alive) {
		rtk_err("%s: in use by process %d (%s), which gives it back at its end; wait, or stop it",
			claim->bdf, claim->pid, claim->comm);
		return RTK_EXIT_ERROR;
	}
	if (rtk_claim_give_back(dev->guard.root, &dev->journal, claim->file))
		return RTK_EXIT_ERROR;
	if (!rtk_pci_exists(dev->guard.root, claim->bdf))
		return RTK_EXIT_OK; /* that was said */
	rtk_pci_driver(dev->guard.root, claim->bdf, driver);
	printf("%s: given back to %s\n", claim->bdf,
	       *driver ? driver : "no driver");
	return RTK_EXIT_OK;
}

static int release_all(struct rtk_dev *dev)
{
	struct rtk_claim claim;
	int n, status = RTK_EXIT_OK;

	n = rtk_claim_find(&dev->journal, NULL, &claim);
	if (!n)
		puts("no device is claimed");
	while (n > 0 && !status) {
		status = release(dev, &claim);
		n = rtk_claim_find(&dev->journal, NULL, &claim);
	}
	return n < 0 ? RTK_EXIT_ERROR : status;
}

static int release_named(struct rtk_dev *dev, const char *text)
{
	struct rtk_claim claim;
	char bdf[RTK_PCI_SIZE];
	bool any = !strcmp(text, "auto");
	int n;

	/* Not a candidate by now: it may be gone. */
	if (!any && rtk_pci_parse(text, bdf))
		return rtk_cmd_usage(&rtk_dev_release,
				     "'%s' is no device's address", text);
	n = rtk_claim_find(&dev->journal, any ? NULL : bdf, &claim);
	if (n < 0)
		return RTK_EXIT_ERROR;
	if (!n || n > 1) {
		rtk_err(n ? "%s: several devices are claimed; name one, or all" :
			    "%s: not claimed; what is, is shown by: %s device list",
			text, rtk_prog());
		return RTK_EXIT_ERROR;
	}
	return release(dev, &claim);
}

static int run_release(int argc, char **argv)
{
	const char *text =
		rtk_dev_args(&rtk_dev_release, argc, argv, NULL, NULL);
	struct rtk_dev dev;
	int status;

	if (!text)
		return RTK_EXIT_ERROR;
	rtk_signals();
	status = rtk_dev_open(&dev, RTK_PCIDEV_MSI, true);
	if (status)
		return status;
	if (!strcmp(text, "all"))
		status = release_all(&dev);
	else
		status = release_named(&dev, text);
	rtk_dev_close(&dev);
	return status;
}

const struct rtk_cmd rtk_dev_release = {
	.name = "device release",
	.args = "BDF|auto|all",
	.summary = "give a claimed device back to its driver",
	.help = "auto is the only one that is claimed, all are those claimed by rtk device claim. Works\n"
		"also when the module is gone. The interface gets its former name.\n",
	.run = run_release,
};
