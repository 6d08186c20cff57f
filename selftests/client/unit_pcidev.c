// SPDX-License-Identifier: GPL-2.0
/* Devices found by libpci in a made-up sysfs; as JSON and in words. */
#include <ctype.h>
#include <errno.h>

#include "files.h"
#include "pcidev.h"
#include "util.h"

#define DEVICES "/sys/bus/pci/devices/"
#define CONFIG_SIZE 4096

static char root[32];

/* A device with a PCIe capability at 0x40 and one for L1 substates at 0x100. */
static void device(const char *bdf, unsigned int vendor, unsigned int id,
		   unsigned int aspm, unsigned int substates)
{
	unsigned char c[CONFIG_SIZE] = {
		vendor & 255, vendor >> 8, id & 255, id >> 8,
		[0x06] = 0x10, [0x34] = 0x40,
		[0x40] = 0x10, [0x42] = 0x02, [0x50] = aspm,
		[0x100] = 0x1e, [0x102] = 1, [0x108] = substates,
	};
	char path[PATH_MAX], text[32];
	FILE *f;

	snprintf(path, sizeof(path), DEVICES "%s/vendor", bdf);
	snprintf(text, sizeof(text), "0x%04x\n", vendor);
	put(root, path, text);
	snprintf(path, sizeof(path), DEVICES "%s/device", bdf);
	snprintf(text, sizeof(text), "0x%04x\n", id);
	put(root, path, text);
	snprintf(path, sizeof(path), "%s" DEVICES "%s/config", root, bdf);
	f = fopen(path, "w");
	if (!f || fwrite(c, sizeof(c), 1, f) != 1 || fclose(f))
		ok(false, "%s is written", path);
}

static void test_scan(void)
{
	struct rtk_pcidevs devs;
	struct rtk_device *d;

	ok(!rtk_pcidev_scan(root, &devs) && !devs.n, "a machine without PCI");
	device("0000:00:1f.0", 0x8086, 0x2918, 0, 0);
	device("0000:05:00.0", 0x8086, 0x125c, 2, 4);
	device("0000:03:00.1", 0x8086, 0x1533, 0, 0xfa);
	device("0000:04:00.0", 0x1234, 0x1533, 0, 0);
	put(root, DEVICES "0000:05:00.0/net/lan0/flags", "0x1002\n");
	put(root, DEVICES "0000:05:00.0/current_link_speed", "5.0 GT/s PCIe\n");
	put(root, DEVICES "0000:05:00.0/current_link_width", "1\n");
	ok(!rtk_pcidev_scan(root, &devs), "a machine with devices");
	ok_num(devs.n, 2, "those that the module takes are found");
	ok_str(devs.v[0].bdf, "0000:03:00.1", "in their order");
	ok(!rtk_pcidev_find(&devs, "0000:00:1f.0"), "the others are not");
	d = &devs.v[0];
	ok_str(d->family, "igb", "an I210 is of family igb");
	ok_str(rtk_device_aspm(d), "off", "ASPM is off");
	ok(!d->l1_2 && !d->l1_2_erratum, "so is L1.2, whatever else there is");
	ok_str(d->link, "", "nobody knows its speed");
	d = rtk_pcidev_find(&devs, "0000:05:00.0");
	ok(d && !strcmp(d->family, "igc"), "an I226 is of family igc");
	ok_str(rtk_device_aspm(d), "L1", "L1 is on");
	ok(d->l1_2 == 1 && d->l1_2_erratum, "so is L1.2, with its erratum");
	ok_str(d->link, "5.0 GT/s PCIe x1", "the link");
	ok(d->netifs == 1 && !strcmp(d->netif[0].name, "lan0"),
	   "the interface");
	rtk_pcidev_free(&devs);
}

/* "INTEL(0x10c9, RTK_NIC_IGB)" of the module's table: a device of each. */
static size_t add_module_ids(char (*family)[16])
{
	char path[PATH_MAX], line[256], bdf[RTK_PCI_SIZE];
	unsigned int id;
	size_t n = 0, i;
	FILE *f;

	snprintf(path, sizeof(path), "%s/../../modules/nic_ids.c", TEST_DIR);
	f = fopen(path, "r");
	ok(f, "the module's table is found");
	while (f && n < 200 && fgets(line, sizeof(line), f)) {
		if (sscanf(line, " INTEL(0x%x, RTK_NIC_%15[A-Z0-9]", &id,
			   family[n]) != 2)
			continue;
		for (i = 0; family[n][i]; i++)
			family[n][i] = (char)tolower(family[n][i]);
		snprintf(bdf, sizeof(bdf), "0001:%02zx:00.0", n++);
		device(bdf, 0x8086, id, 0, 0);
	}
	if (f)
		fclose(f);
	return n;
}

/* What the client offers is what the module takes. */
static void test_table(void)
{
	char family[201][16], bdf[RTK_PCI_SIZE];
	struct rtk_pcidevs devs;
	const struct rtk_device *d;
	size_t n = add_module_ids(family), i, right = 0;

	ok(n > 40, "it has many Intel cards");
	ok(!rtk_pcidev_scan(root, &devs), "a machine with all of them");
	for (i = 0; i < n; i++) {
		snprintf(bdf, sizeof(bdf), "0001:%02zx:00.0", i);
		d = rtk_pcidev_find(&devs, bdf);
		right += d && !strcmp(d->family, family[i]);
	}
	ok_num(right, n, "each is a candidate, of the same family");
	ok_num(rtk_pcidev_known(), n + 1, "and with edu there are no others");
	rtk_pcidev_free(&devs);
}

static char *words(const struct rtk_device *d)
{
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	rtk_device_print(f, d);
	fclose(f);
	return text;
}

static void test_json(void)
{
	struct rtk_device d = {
		.bdf = "0000:05:00.0", .vendor = "8086", .id = "125c",
		.name = "Intel I226-V", .family = "igc", .driver = "igc",
		.netif = { { "lan0", true, 0 }, { "lan1", false, -1 } },
		.netifs = 2, .link = "5.0 GT/s PCIe x1", .aspm = 2,
		.l1_2 = 1, .l1_2_erratum = true, .remapping = 1,
		.vector = 45, .chip = "IR-PCI-MSIX",
	}, again;
	json_t *o = rtk_device_json(&d);
	char *text = json_dumps(o, 0);

	ok(text && !rtk_device_parse(&again, text), "a device as JSON");
	ok(!memcmp(&d, &again, sizeof(d)), "is the same again");
	free(text);
	json_decref(o);
	text = words(&d);
	ok_str(text, "device 0000:05:00.0, Intel I226-V, family igc, taken from igc (lan0 lan1)\n"
		     "link 5.0 GT/s PCIe x1, ASPM L1, L1.2 on (erratum: leaving it takes long), interrupt remapping on, vector 45 (IR-PCI-MSIX)\n",
	       "in words");
	free(text);
	memset(&d, 0, sizeof(d));
	rtk_copy(d.bdf, sizeof(d.bdf), "0000:00:04.0");
	d.aspm = -1;
	d.l1_2 = -1;
	d.remapping = -1;
	d.vector = -1;
	o = rtk_device_json(&d);
	text = json_dumps(o, 0);
	ok(text && !rtk_device_parse(&again, text) &&
	   !memcmp(&d, &again, sizeof(d)), "so is one that is hardly known");
	free(text);
	json_decref(o);
	ok_num(rtk_device_parse(&again, ""), -EBADMSG, "nothing is no device");
	ok_num(rtk_device_parse(&again, "{\"device\":3}"), -EBADMSG,
	       "nor is anything else");
}

int main(void)
{
	tap_begin();
	rtk_copy(root, sizeof(root), "/tmp/rtk-unit-XXXXXX");
	if (!mkdtemp(root))
		return 1;
	test_scan();
	test_table();
	test_json();
	if (!remove_tree(root))
		return 1;
	return tap_end();
}
