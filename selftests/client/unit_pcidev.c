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

	ok(!rtk_pcidev_scan(root, RTK_PCIDEV_MSI, &devs) && !devs.n, "a machine without PCI");
	device("0000:00:1f.0", 0x8086, 0x2918, 0, 0);
	device("0000:05:00.0", 0x8086, 0x125c, 2, 4);
	device("0000:03:00.1", 0x8086, 0x1533, 0, 0xfa);
	device("0000:04:00.0", 0x1234, 0x1533, 0, 0);
	put(root, DEVICES "0000:05:00.0/net/lan0/flags", "0x1002\n");
	put(root, DEVICES "0000:05:00.0/current_link_speed", "5.0 GT/s PCIe\n");
	put(root, DEVICES "0000:05:00.0/current_link_width", "1\n");
	ok(!rtk_pcidev_scan(root, RTK_PCIDEV_MSI, &devs), "a machine with devices");
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

/* What is there for reading: by family, by class, and all of it. */
static void test_readable(void)
{
	struct rtk_pcidevs devs;

	device("0000:00:14.0", 0x8086, 0x1e31, 0, 0);
	put(root, DEVICES "0000:00:14.0/class", "0x0c0330\n");
	device("0000:00:1a.0", 0x8086, 0x1e2d, 0, 0);
	put(root, DEVICES "0000:00:1a.0/class", "0x0c0320\n");
	device("0000:00:1b.0", 0x8086, 0x1e20, 0, 0);
	put(root, DEVICES "0000:00:1b.0/class", "0x040300\n");
	point(root, DEVICES "0000:00:1b.0/driver", "rtk");
	ok(!rtk_pcidev_scan(root, RTK_PCIDEV_SAFE, &devs), "to be read safely");
	ok_num(devs.n, 4, "are two cards, an xHCI and a sound device");
	ok_str(devs.v[0].bdf, "0000:00:14.0", "the xHCI is one of them");
	ok(!*devs.v[0].family && !devs.v[0].claimed, "of no family, not claimed");
	ok(devs.v[1].claimed, "the sound device is claimed");
	rtk_pcidev_free(&devs);
	ok(!rtk_pcidev_scan(root, RTK_PCIDEV_ANY, &devs) && devs.n == 7,
	   "to be read at all are all of them");
	ok(rtk_pcidev_find(&devs, "0000:00:1f.0"), "whatever they are");
	rtk_pcidev_free(&devs);
}

/* at(address, the device that has it or none) */
static void at(__u64 address, const char *want)
{
	char bdf[RTK_PCI_SIZE];

	rtk_pcidev_at(root, address, bdf);
	ok_str(bdf, want, "%llx", address);
}

/* Lines of the file resource: first and last address, flags (memory, 64 bits, ports). */
static void test_addresses(void)
{
	static const char *const without[] = {
		"0000:05:00.0", "0000:04:00.0", "0000:00:1f.0", "0000:00:14.0",
		"0000:00:1a.0", "0000:00:1b.0",
	};
	char path[PATH_MAX];
	size_t i;

	for (i = 0; i < RTK_ARRAY_SIZE(without); i++) {
		snprintf(path, sizeof(path), DEVICES "%s/resource", without[i]);
		put(root, path, "0x0 0x0 0x0\n");
	}
	put(root, DEVICES "0000:03:00.1/resource",
	    "0x00000000febc0000 0x00000000febdffff 0x0000000000040200\n"
	    "0x0000000000000000 0x0000000000000000 0x0000000000000000\n"
	    "0x000000000000c000 0x000000000000c01f 0x0000000000040101\n"
	    "0x0000000380000000 0x0000000380003fff 0x0000000000140204\n"
	    "0x0000000000000000 0x0000000000000000 0x0000000000000000\n"
	    "0x0000000000000000 0x0000000000000000 0x0000000000000000\n"
	    "0x00000000feb80000 0x00000000febbffff 0x0000000000046200\n");
	at(0xfebc0000, "0000:03:00.1");
	at(0xfebdffff, "0000:03:00.1");
	at(0x380003ffc, "0000:03:00.1");
	at(0xfebbffff, "");
	at(0xfebe0000, "");
	at(0xc000, "");
	at(0, "");
	at(0x380004000, "");
	at(~0ULL, "");
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

/* Classes that the module knows to be safe to read: as many as test_readable() has. */
static void test_classes(void)
{
	char path[PATH_MAX], line[256];
	size_t n = 0;
	FILE *f;

	snprintf(path, sizeof(path), "%s/../../modules/pcireg_find.c", TEST_DIR);
	f = fopen(path, "r");
	ok(f, "the module's table of classes is found");
	while (f && fgets(line, sizeof(line), f))
		n += !strncmp(line, "\t{ PCI_CLASS_", 13);
	if (f)
		fclose(f);
	ok_num(n, 2, "it has xHCI and HD audio");
}

/* What the client offers is what the module takes. */
static void test_table(void)
{
	char family[201][16], bdf[RTK_PCI_SIZE];
	struct rtk_pcidevs devs;
	const struct rtk_device *d;
	size_t n = add_module_ids(family), i, right = 0;

	ok(n > 40, "it has many Intel cards");
	ok(!rtk_pcidev_scan(root, RTK_PCIDEV_MSI, &devs), "a machine with all of them");
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
		.claimed = true,
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
	d.claimed = false;
	d.netifs = 1;
	d.family[0] = '\0';
	text = words(&d);
	ok(!strncmp(text, "device 0000:05:00.0, Intel I226-V, left with igc (lan0)\n", 56),
	   "or as its driver has it");
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
	ok_num(rtk_device_parse(&again, "{\"device\":null}"), -ENOENT,
	       "none is said in other words");
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
	test_readable();
	test_addresses();
	test_classes();
	test_table();
	test_json();
	if (!remove_tree(root))
		return 1;
	return tap_end();
}
