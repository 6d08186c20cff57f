// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dev.h"

#define WHY_SIZE 512

static void print_netifs(const struct rtk_device *d)
{
	size_t i;

	for (i = 0; i < d->netifs; i++)
		printf("%s%s (%s%s)", i ? ", " : ", interface ",
		       d->netif[i].name, d->netif[i].up ? "up" : "down",
		       d->netif[i].carrier == 1 ? ", has a link" :
		       d->netif[i].carrier == 0 ? ", no link" :
						  "");
}

static void print_claim(const struct rtk_claim *c)
{
	if (!*c->file)
		return;
	printf("  claimed from %s%s%s%s", *c->driver ? c->driver : "no driver",
	       *c->netifs ? " (" : "", c->netifs, *c->netifs ? ")" : "");
	if (c->pid)
		printf(" by process %d (%s)%s", c->pid, c->comm,
		       c->alive ? "" : ", which is gone");
	fputc('\n', stdout);
}

static void print_device(struct rtk_dev *dev, const struct rtk_device *d)
{
	const char *aspm = rtk_device_aspm(d);
	struct rtk_claim claim;
	char why[WHY_SIZE];

	printf("%s  %s (%s:%s)\n", d->bdf, d->name, d->vendor, d->id);
	printf("  family %s, driver %s", *d->family ? d->family : "none",
	       *d->driver ? d->driver : "none");
	print_netifs(d);
	printf("\n  link %s, ASPM %s, L1.2 %s", *d->link ? d->link : "none",
	       aspm ? aspm : "not known",
	       d->l1_2 < 0 ? "not known" :
	       d->l1_2	   ? "enabled" :
			     "off");
	if (d->l1_2_erratum)
		fputs(" (erratum of this device: leaving L1.2 takes longer than it says)",
		      stdout);
	fputc('\n', stdout);
	if (rtk_claim_find(&dev->journal, d->bdf, &claim) > 0)
		print_claim(&claim);
	if (rtk_dev_refused(dev, d->bdf, false, why, sizeof(why)))
		printf("  not to be taken: %s\n", why);
	else
		puts("  may be taken");
}

static json_t *claim_json(const struct rtk_claim *c)
{
	json_t *o;

	if (!*c->file)
		return json_null();
	o = json_pack("{s:s,s:s}", "driver", c->driver, "interfaces",
		      c->netifs);
	json_object_set_new(o, "pid",
			    c->pid ? json_integer(c->pid) : json_null());
	json_object_set_new(o, "alive", json_boolean(c->alive));
	return o;
}

static json_t *device_json(struct rtk_dev *dev, const struct rtk_device *d)
{
	json_t *o = rtk_device_json(d);
	struct rtk_claim claim;
	char why[WHY_SIZE];
	bool refused;

	rtk_claim_find(&dev->journal, d->bdf, &claim);
	refused = rtk_dev_refused(dev, d->bdf, false, why, sizeof(why));
	json_object_set_new(o, "claim", claim_json(&claim));
	json_object_set_new(o, "may_be_taken", json_boolean(!refused));
	json_object_set_new(o, "why_not",
			    refused ? json_string(why) : json_null());
	return o;
}

static int print_json(struct rtk_dev *dev)
{
	json_t *o = json_object(), *list = json_array();
	char *text;
	size_t i;

	for (i = 0; i < dev->all.n; i++)
		json_array_append_new(list, device_json(dev, &dev->all.v[i]));
	json_object_set_new(o, "schema", json_string("rtk-devices/1"));
	json_object_set_new(o, "devices", list);
	text = o ? json_dumps(o, JSON_INDENT(1)) : NULL;
	json_decref(o);
	if (!text) {
		rtk_err_nomem();
		return RTK_EXIT_ERROR;
	}
	puts(text);
	free(text);
	return RTK_EXIT_OK;
}

static int print_all(struct rtk_dev *dev)
{
	size_t i;

	if (!dev->all.n)
		printf("no device here %s\n",
		       dev->sort == RTK_PCIDEV_SAFE ?
			       "has a register that is known to be safe to read" :
			       "raises MSIs on demand");
	for (i = 0; i < dev->all.n; i++)
		print_device(dev, &dev->all.v[i]);
	printf("interrupt remapping is %s\n",
	       rtk_pci_remapping(dev->guard.root) ? "on" : "off");
	return RTK_EXIT_OK;
}

/* Those that raise MSIs, and what is claimed besides, for reading. */
static void keep_usable(struct rtk_pcidevs *all)
{
	size_t i, n = 0;

	for (i = 0; i < all->n; i++)
		if (*all->v[i].family || all->v[i].claimed)
			all->v[n++] = all->v[i];
	all->n = n;
}

static int run_list(int argc, char **argv)
{
	static const struct option options[] = {
		{ "json", no_argument, NULL, 'j' },
		{ "safe", no_argument, NULL, 's' },
		{ 0 },
	};
	enum rtk_pcidev_sort sort = RTK_PCIDEV_ANY;
	bool json = false;
	struct rtk_dev dev;
	int c, status;

	opterr = 0;
	while ((c = getopt_long(argc, argv, ":", options, NULL)) != -1) {
		if (c != 'j' && c != 's')
			return rtk_cmd_bad_option(&rtk_dev_list, c, argv);
		if (c == 's')
			sort = RTK_PCIDEV_SAFE;
		else
			json = true;
	}
	if (optind < argc)
		return rtk_cmd_usage(&rtk_dev_list, "no argument is expected");
	status = rtk_dev_open(&dev, sort, false);
	if (status)
		return status;
	if (sort == RTK_PCIDEV_ANY)
		keep_usable(&dev.all);
	status = json ? print_json(&dev) : print_all(&dev);
	rtk_dev_close(&dev);
	return status;
}

const struct rtk_cmd rtk_dev_list = {
	.name = "device list",
	.args = "[--safe] [--json]",
	.summary = "show the devices that raise MSIs on demand",
	.help = "Says for each whether it may be taken from its driver, and if not, why. Link states\n"
		"(ASPM, L1.2) are read by root only.\n"
		"\n"
		"  --safe            those with a register that is known to be safe to read instead\n"
		"  --json            as a JSON document\n",
	.run = run_list,
};
