// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "dev.h"
#include "hold.h"

/*
 * What the user has claimed before, or bound by hand, is used and stays so. Return:
 * how many such devices there are; the last is @found.
 */
static size_t find_claimed(struct rtk_dev *dev, const char *text,
			   struct rtk_device **found, struct rtk_claim *claim)
{
	bool any = !strcmp(text, "auto");
	struct rtk_device *d = NULL;
	char bdf[RTK_PCI_SIZE] = "";
	struct rtk_claim one;
	size_t i, n = 0;

	if (!any && rtk_pci_parse(text, bdf))
		return 0;
	for (i = 0; i < dev->all.n; i++) {
		d = &dev->all.v[i];
		if (!d->claimed || (!any && strcmp(d->bdf, bdf)))
			continue;
		if (rtk_claim_find(&dev->journal, d->bdf, &one) < 0 || one.pid)
			continue;
		*claim = one;
		*found = d;
		n++;
	}
	return n;
}

/* Its driver and interfaces are those that it was taken from. */
static void describe_claimed(struct rtk_device *d, const struct rtk_claim *c)
{
	rtk_copy(d->driver, sizeof(d->driver), c->driver);
	d->netifs = *c->netifs ? 1 : 0;
	memset(&d->netif[0], 0, sizeof(d->netif[0]));
	rtk_copy(d->netif[0].name, sizeof(d->netif[0].name), c->netifs);
	d->netif[0].carrier = -1;
}

/* The link as it is without the former driver, the rest as it was with it. */
static int look_again(const struct rtk_dev *dev, struct rtk_device *d)
{
	const struct rtk_device *now;
	struct rtk_pcidevs again;

	if (rtk_pcidev_scan(dev->guard.root, dev->sort, &again))
		return RTK_EXIT_ERROR;
	now = rtk_pcidev_find(&again, d->bdf);
	if (now) {
		d->aspm = now->aspm;
		d->l1_2 = now->l1_2;
		rtk_copy(d->link, sizeof(d->link), now->link);
	}
	rtk_pcidev_free(&again);
	return RTK_EXIT_OK;
}

static int take(struct rtk_dev *dev, const char *text, bool force,
		struct rtk_device *out, char *file)
{
	const struct rtk_device *picked;
	struct rtk_claim claim;
	struct rtk_device *d = NULL;
	size_t n;

	file[0] = '\0';
	n = find_claimed(dev, text, &d, &claim);
	if (n > 1) {
		rtk_err("%zu devices are claimed; name one of them; they are shown by: %s device list",
			n, rtk_prog());
		return RTK_EXIT_ERROR;
	}
	if (n) {
		describe_claimed(d, &claim);
		*out = *d;
		return RTK_EXIT_OK;
	}
	picked = rtk_dev_pick(dev, text, force);
	if (!picked || rtk_claim_take(dev->guard.root, &dev->journal,
				      picked->bdf, true, file))
		return RTK_EXIT_ERROR;
	*out = *picked;
	out->claimed = true;
	/* It was the former driver's. */
	out->vector = -1;
	out->chip[0] = '\0';
	return look_again(dev, out);
}

/*
 * For reading only: a driver that has the device keeps it. An address outside of all
 * devices is none, and the module knows what is there.
 */
static int take_unbound(struct rtk_dev *dev, const char *text, bool force,
			struct rtk_device *out, char *file)
{
	bool at = !strncmp(text, RTK_HOLD_ADDRESS, strlen(RTK_HOLD_ADDRESS));
	const struct rtk_device *d;
	char bdf[RTK_PCI_SIZE];

	file[0] = '\0';
	memset(out, 0, sizeof(*out));
	if (at) {
		rtk_pcidev_at(dev->guard.root,
			      strtoull(text + strlen(RTK_HOLD_ADDRESS), NULL,
				       16),
			      bdf);
		text = bdf;
	}
	if (!*text)
		return RTK_EXIT_OK;
	d = strcmp(text, "auto") ? rtk_dev_candidate(dev, text) :
				   rtk_dev_auto(dev, force);
	if (!d)
		return RTK_EXIT_ERROR;
	if (rtk_dev_is_free(dev, d))
		return take(dev, d->bdf, false, out, file);
	*out = *d;
	return RTK_EXIT_OK;
}

static int announce(const struct rtk_device *d)
{
	json_t *o = *d->bdf ? rtk_device_json(d) : json_pack("{s:n}", "device");
	char *line = o ? json_dumps(o, JSON_COMPACT) : NULL;

	json_decref(o);
	if (!line) {
		rtk_err_nomem();
		return RTK_EXIT_ERROR;
	}
	puts(line);
	free(line);
	return fflush(stdout) ? RTK_EXIT_ERROR : RTK_EXIT_OK;
}

/* Who wants the device has the other end, and may be killed. */
static void wait_for_end(void)
{
	char buf[64];
	ssize_t n;

	do
		n = read(STDIN_FILENO, buf, sizeof(buf));
	while (n > 0 || (n < 0 && errno == EINTR));
}

static int give_back(const char *file)
{
	struct rtk_dev dev;
	int status = rtk_dev_open(&dev, RTK_PCIDEV_MSI, true);

	if (status) {
		rtk_err("the device is not given back; run: sudo %s restore",
			rtk_prog());
		return status;
	}
	if (rtk_claim_give_back(dev.guard.root, &dev.journal, file))
		status = RTK_EXIT_ERROR;
	rtk_dev_close(&dev);
	return status;
}

static int run_hold(int argc, char **argv)
{
	static const int ignored[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT,
				       SIGPIPE };
	bool force = false, unbound = false;
	const char *text =
		rtk_dev_args(&rtk_dev_hold, argc, argv, &force, &unbound);
	enum rtk_pcidev_sort sort = RTK_PCIDEV_MSI;
	char file[RTK_CHANGE_FILE_SIZE];
	struct rtk_device d;
	struct rtk_dev dev;
	int status, back;
	size_t i;

	if (!text)
		return RTK_EXIT_ERROR;
	/* Ctrl-C goes to us, too; who wants the device decides. */
	for (i = 0; i < RTK_ARRAY_SIZE(ignored); i++)
		signal(ignored[i], SIG_IGN);
	if (unbound)
		sort = strcmp(text, "auto") ? RTK_PCIDEV_ANY : RTK_PCIDEV_SAFE;
	status = rtk_dev_open(&dev, sort, true);
	if (status)
		return status;
	status = unbound ? take_unbound(&dev, text, force, &d, file) :
			   take(&dev, text, force, &d, file);
	/* Others may have other devices meanwhile. */
	rtk_dev_close(&dev);
	if (!status)
		status = announce(&d);
	if (!status)
		wait_for_end();
	if (!*file)
		return status;
	back = give_back(file);
	return back ? back : status;
}

const struct rtk_cmd rtk_dev_hold = {
	.name = "device hold",
	.args = "BDF|auto|address=HEX [--unbound] [--force]",
	.summary = "claim a device until standard input ends",
	.help = "What rtk run executes. Prints the device as one line of JSON, waits for the end of\n"
		"standard input, and gives the device back, unless it was claimed already by rtk\n"
		"device claim: then it stays claimed. SIGINT, SIGTERM, SIGHUP and SIGQUIT are ignored.\n"
		"\n"
		"  --force           also one that carries the network, which is cut\n"
		"  --unbound         for reading: any device, or that of a physical address; auto is the\n"
		"                    only one with a register that is safe to read. It is claimed if it\n"
		"                    has no driver; one that has is only shown, and auto is none of\n"
		"                    these without --force\n",
	.run = run_hold,
};
