// SPDX-License-Identifier: GPL-2.0
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "dev.h"

#define WHY_SIZE 512

/* Classes of PCI. */
#define CLASS_STORAGE 0x01
#define CLASS_DISPLAY 0x03
#define CLASS_BRIDGE 0x06

int rtk_dev_open(struct rtk_dev *dev, enum rtk_pcidev_sort sort, bool change)
{
	memset(dev, 0, sizeof(*dev));
	dev->sort = sort;
	dev->journal.dir = -1;
	if (change && geteuid()) {
		rtk_err("a device is taken and given back by root only: run with sudo");
		return RTK_EXIT_CANNOT;
	}
	if (rtk_guard_init(&dev->guard) ||
	    rtk_pcidev_scan(dev->guard.root, sort, &dev->all) ||
	    rtk_journal_open(&dev->journal, change)) {
		rtk_dev_close(dev);
		return RTK_EXIT_ERROR;
	}
	return RTK_EXIT_OK;
}

void rtk_dev_close(struct rtk_dev *dev)
{
	rtk_journal_close(&dev->journal);
	rtk_pcidev_free(&dev->all);
	rtk_guard_free(&dev->guard);
}

bool rtk_dev_is_free(const struct rtk_dev *dev, const struct rtk_device *d)
{
	__u32 class = rtk_pci_class(dev->guard.root, d->bdf) >> 16;

	return d->claimed || (!*d->driver && class != CLASS_STORAGE &&
			      class != CLASS_DISPLAY && class != CLASS_BRIDGE);
}

bool rtk_dev_refused(struct rtk_dev *dev, const char *bdf, bool force,
		     char *why, size_t size)
{
	const struct rtk_device *d = rtk_pcidev_find(&dev->all, bdf);
	struct rtk_claim claim;

	if (d && !*d->family && !rtk_dev_is_free(dev, d)) {
		snprintf(why, size,
			 "%s: it raises no MSIs on demand; such a device is claimed for reading only, if it has no driver, and never a bridge, display or storage controller",
			 bdf);
		return true;
	}
	if (rtk_claim_find(&dev->journal, bdf, &claim) < 0) {
		snprintf(why, size, "%s: the journal can't be read", bdf);
		return true;
	}
	return rtk_guard_refuses(&dev->guard, bdf, &claim, force, why, size);
}

const struct rtk_device *rtk_dev_candidate(const struct rtk_dev *dev,
					   const char *text)
{
	const struct rtk_device *d;
	char bdf[RTK_PCI_SIZE];

	if (rtk_pci_parse(text, bdf)) {
		rtk_err("'%s' is no device's address: expected 0000:03:00.0, 03:00.0 or auto; they are shown by: %s device list",
			text, rtk_prog());
		return NULL;
	}
	d = rtk_pcidev_find(&dev->all, bdf);
	if (!d && rtk_pci_exists(dev->guard.root, bdf))
		rtk_err("%s is no device that raises MSIs on demand; those that do are shown by: %s device list",
			bdf, rtk_prog());
	else if (!d)
		rtk_err(dev->sort == RTK_PCIDEV_ANY ?
				"%s: no such device; they are shown by: lspci -D" :
				"%s: no such device; they are shown by: %s device list",
			bdf, rtk_prog());
	return d;
}

/* What the module would refuse to read. */
static bool has_driver(const struct rtk_device *d, bool force, char *why,
		       size_t size)
{
	snprintf(why, size,
		 "%s: driver %s has it; force=1 reads it nevertheless", d->bdf,
		 d->driver);
	return !force && !d->claimed && *d->driver;
}

static bool is_refused(struct rtk_dev *dev, const struct rtk_device *d,
		       bool force, char *why, size_t size)
{
	if (dev->sort == RTK_PCIDEV_MSI)
		return rtk_dev_refused(dev, d->bdf, force, why, size);
	return has_driver(d, force, why, size);
}

/* Which were found, or why none was. */
static void say_not_one(struct rtk_dev *dev, bool force, size_t n,
			const char *list)
{
	bool msi = dev->sort == RTK_PCIDEV_MSI;
	const char *done = msi ? "taken" : "read";
	char why[WHY_SIZE];
	size_t i;

	if (n)
		rtk_err("%zu devices may be %s: %s; name one of them", n, done,
			list);
	else if (dev->all.n)
		rtk_err("none of the devices may be %s:", done);
	else if (msi)
		rtk_err("this machine has no device that raises MSIs on demand; such are network cards of the families igb, igc and e1000e (82574)");
	else
		rtk_err("this machine has no device with a register that is known to be safe to read; name a device, and offset=");
	for (i = 0; !n && i < dev->all.n; i++) {
		is_refused(dev, &dev->all.v[i], force, why, sizeof(why));
		rtk_err("%s", why);
	}
}

const struct rtk_device *rtk_dev_auto(struct rtk_dev *dev, bool force)
{
	const struct rtk_device *found = NULL;
	char why[WHY_SIZE], list[256] = "";
	size_t i, n = 0, len = 0;

	for (i = 0; i < dev->all.n; i++) {
		if (is_refused(dev, &dev->all.v[i], force, why, sizeof(why)))
			continue;
		found = &dev->all.v[i];
		if (len < sizeof(list))
			len += (size_t)snprintf(list + len, sizeof(list) - len,
						"%s%s", n ? " " : "",
						found->bdf);
		n++;
	}
	if (n == 1)
		return found;
	say_not_one(dev, force, n, list);
	return NULL;
}

const struct rtk_device *rtk_dev_pick(struct rtk_dev *dev, const char *text,
				      bool force)
{
	const struct rtk_device *d;
	char why[WHY_SIZE];

	if (!strcmp(text, "auto"))
		return rtk_dev_auto(dev, force);
	d = rtk_dev_candidate(dev, text);
	if (d && rtk_dev_refused(dev, d->bdf, force, why, sizeof(why))) {
		rtk_err("%s", why);
		return NULL;
	}
	return d;
}

const char *rtk_dev_args(const struct rtk_cmd *cmd, int argc, char **argv,
			 bool *force, bool *unbound)
{
	static const struct option options[] = {
		{ "force", no_argument, NULL, 'f' },
		{ "unbound", no_argument, NULL, 'u' },
		{ 0 },
	};
	bool *flag;
	int c;

	opterr = 0;
	while ((c = getopt_long(argc, argv, ":", options, NULL)) != -1) {
		flag = c == 'f' ? force : c == 'u' ? unbound : NULL;
		if (!flag) {
			rtk_cmd_bad_option(cmd, c, argv);
			return NULL;
		}
		*flag = true;
	}
	if (argc - optind != 1) {
		rtk_cmd_usage(cmd, "one device is needed");
		return NULL;
	}
	return argv[optind];
}
