// SPDX-License-Identifier: GPL-2.0
/* PCI devices in a made-up sysfs, and what speaks against taking one. */
#include <errno.h>
#include <unistd.h>

#include "files.h"
#include "guard.h"
#include "util.h"

#define BDF "0000:03:00.0"
#define DEVICE "/sys/bus/pci/devices/" BDF
#define NETIF DEVICE "/net/lan0"

static char root[32];

static void drop(const char *path)
{
	char command[PATH_MAX + 16];

	snprintf(command, sizeof(command), "rm -r '%s%s'", root, path);
	if (system(command))
		ok(false, "%s is removed", path);
}

static void test_addresses(void)
{
	static const char *const bad[] = {
		"",	   "auto",	    "03:00",	    "3:00.0",
		"03:20.0", "03:00.8",	    "0000:03:00.0 ", "+3:00.0",
		"03:00.0x", "10000:03:00.0", "0x0:03:00.0",  "0000:03:00.00",
	};
	char bdf[RTK_PCI_SIZE];
	size_t i;

	ok(!rtk_pci_parse("0000:03:00.0", bdf), "an address");
	ok_str(bdf, "0000:03:00.0", "stays as it is");
	ok(!rtk_pci_parse("0a:1F.7", bdf), "one without a domain");
	ok_str(bdf, "0000:0a:1f.7", "gets one");
	ok(!rtk_pci_parse("ABCD:ff:00.1", bdf), "another domain");
	ok_str(bdf, "abcd:ff:00.1", "is kept");
	for (i = 0; i < RTK_ARRAY_SIZE(bad); i++)
		ok_num(rtk_pci_parse(bad[i], bdf), -EINVAL, "not '%s'", bad[i]);
}

static void test_sysfs(void)
{
	struct rtk_netif n[RTK_NETIFS_MAX];
	char text[RTK_DRIVER_SIZE];

	ok(!rtk_pci_exists(root, BDF), "no device");
	put(root, DEVICE "/class", "0x020000\n");
	ok(rtk_pci_exists(root, BDF), "a device");
	rtk_pci_driver(root, BDF, text);
	ok_str(text, "", "without a driver");
	point(root, DEVICE "/driver", "../../../bus/pci/drivers/igb");
	rtk_pci_driver(root, BDF, text);
	ok_str(text, "igb", "with a driver");
	put(root, DEVICE "/driver_override", "(null)\n");
	rtk_pci_override(root, BDF, text);
	ok_str(text, "", "any driver may bind to it");
	put(root, DEVICE "/driver_override", "rtk\n");
	rtk_pci_override(root, BDF, text);
	ok_str(text, "rtk", "one driver only may");
	ok_num(rtk_pci_netifs(root, BDF, n), 0, "no interface");
	put(root, NETIF "/flags", "0x1003\n");
	put(root, NETIF "/carrier", "1\n");
	ok_num(rtk_pci_netifs(root, BDF, n), 1, "an interface");
	ok(!strcmp(n[0].name, "lan0") && n[0].up && n[0].carrier == 1,
	   "which is up and has a link");
	put(root, NETIF "/flags", "0x1002\n");
	drop(NETIF "/carrier");
	rtk_pci_netifs(root, BDF, n);
	ok(!n[0].up && n[0].carrier == -1, "or is down: nobody knows then");
}

static void test_vector(void)
{
	char chip[32];

	ok_num(rtk_pci_vector(root, BDF, chip, sizeof(chip)), -1, "no vector");
	put(root, DEVICE "/msi_irqs/45", "msix\n");
	ok_num(rtk_pci_vector(root, BDF, chip, sizeof(chip)), 45, "a vector");
	ok_str(chip, "", "with a chip that is not known");
	put(root, "/sys/kernel/irq/45/chip_name", "PCI-MSIX-0000:03:00.0\n");
	put(root, "/sys/kernel/irq/9/chip_name", "IO-APIC\n");
	rtk_pci_vector(root, BDF, chip, sizeof(chip));
	ok_str(chip, "PCI-MSIX-0000:03:00.0", "or is");
	ok(!rtk_pci_remapped(chip) && !rtk_pci_remapping(root),
	   "and is not remapped");
	put(root, "/sys/kernel/irq/9/chip_name", "IR-IO-APIC\n");
	ok(rtk_pci_remapping(root), "another one is");
	ok(rtk_pci_remapped("IR-PCI-MSI"), "by the beginning of the name");
}

static struct rtk_guard_addr addresses[] = {
	{ "lan0", "192.0.2.7" },
	{ "lan0", "2001:db8::7" },
	{ "other0", "192.0.2.8" },
};

static struct rtk_guard guard = {
	.root = root,
	.addr = addresses,
	.naddrs = RTK_ARRAY_SIZE(addresses),
};

static const struct rtk_claim unclaimed;

/* refuses(what is said in part, or NULL, what it is) with and without --force */
static void refuses(const char *part, bool forced, const char *what)
{
	char why[512], again[512];
	bool said = rtk_guard_refuses(&guard, BDF, &unclaimed, false, why,
				      sizeof(why));

	ok(said == !!part && (!part || strstr(why, part)), "%s", what);
	if (said != !!part || (part && !strstr(why, part)))
		printf("# said: %s\n", why);
	if (!part)
		return;
	said = rtk_guard_refuses(&guard, BDF, &unclaimed, true, again,
				 sizeof(again));
	ok(said != forced, "which --force %s", forced ? "overrides" :
							"does not help");
}

static void test_impossible(void)
{
	refuses("module load", false, "the module is not loaded");
	put(root, "/sys/bus/pci/drivers/rtk/bind", "");
	refuses(NULL, true, "nothing speaks against it");
	put(root, "/sys/kernel/security/lockdown",
	    "none [integrity] confidentiality\n");
	refuses("locked down", false, "the kernel is locked down");
	put(root, "/sys/kernel/security/lockdown",
	    "[none] integrity confidentiality\n");
	refuses(NULL, true, "or is not");
	put(root, DEVICE "/sriov_numvfs", "2\n");
	refuses("2 virtual functions", false, "it has virtual functions");
	put(root, DEVICE "/sriov_numvfs", "0\n");
	point(root, DEVICE "/driver", "../../../bus/pci/drivers/vfio-pci");
	refuses("vfio-pci", false, "a virtual machine has it");
	point(root, DEVICE "/driver", "../../../bus/pci/drivers/uio_pci_generic");
	refuses("uio_pci_generic", false, "a program has it");
	point(root, DEVICE "/driver", "../../../bus/pci/drivers/rtk");
	refuses("by hand", false, "somebody has bound it by hand");
	point(root, DEVICE "/driver", "../../../bus/pci/drivers/igb");
	refuses(NULL, true, "igb has it");
}

static void test_claimed(void)
{
	struct rtk_claim c = { .file = "1", .bdf = BDF, .comm = "rtk-device" };
	char why[512];

	ok(rtk_guard_refuses(&guard, BDF, &c, true, why, sizeof(why)) &&
	   strstr(why, "device release " BDF), "claimed by the user");
	c.pid = 77;
	c.alive = true;
	ok(rtk_guard_refuses(&guard, BDF, &c, true, why, sizeof(why)) &&
	   strstr(why, "by process 77 (rtk-device); wait"),
	   "claimed by a process");
	c.alive = false;
	ok(rtk_guard_refuses(&guard, BDF, &c, true, why, sizeof(why)) &&
	   strstr(why, "restore"), "which was killed");
}

#define TCP_HEAD \
	"  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid\n"
#define TCP_TAIL \
	" 00000000:00000000 02:000A7B5D 00000000     0        0 21363 2 0 20 4 29 10 -1\n"

static void test_ssh(void)
{
	static const char said[] = "carries an SSH session";

	put(root, "/proc/net/tcp", TCP_HEAD
	    "   0: 00000000:0016 00000000:0000 0A" TCP_TAIL
	    "   1: 070200C0:0050 010200C0:D431 01" TCP_TAIL
	    "   2: 080200C0:0016 010200C0:D431 01" TCP_TAIL
	    "   3: 070200C0:0016 010200C0:D431 06" TCP_TAIL);
	refuses(NULL, true, "listening, other ports, addresses and states");
	put(root, "/proc/net/tcp", TCP_HEAD
	    "   0: 070200C0:0016 010200C0:D431 01" TCP_TAIL);
	refuses(said, true, "a session over IPv4");
	drop("/proc/net/tcp");
	put(root, "/proc/net/tcp6", TCP_HEAD
	    "   0: 0000000000000000FFFF0000070200C0:0016 0000000000000000FFFF0000010200C0:D431 01"
	    TCP_TAIL);
	refuses(said, true, "over IPv4 on a socket for both");
	put(root, "/proc/net/tcp6", TCP_HEAD
	    "   0: B80D0120000000000000000007000000:0016 B80D0120000000000000000001000000:D431 01"
	    TCP_TAIL);
	refuses(said, true, "over IPv6");
	drop("/proc/net/tcp6");
	guard.ssh = "192.0.2.1 50000 192.0.2.7 2222";
	refuses(said, true, "the one that we run in, on another port");
	guard.ssh = "192.0.2.1 50000 192.0.2.8 22";
	refuses(NULL, true, "or not: it comes by another interface");
	guard.ssh = NULL;
}

#define ROUTE_HEAD \
	"Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT\n"

static void test_route(void)
{
	static const char said[] = "carries the default route";

	put(root, "/proc/net/route", ROUTE_HEAD
	    "lan0\t000200C0\t00000000\t0001\t0\t0\t0\t00FFFFFF\t0\t0\t0\n"
	    "other0\t00000000\t010200C0\t0003\t0\t0\t0\t00000000\t0\t0\t0\n");
	refuses(NULL, true, "a route to its own network");
	put(root, "/proc/net/route", ROUTE_HEAD
	    "lan0\t00000000\t010200C0\t0003\t0\t0\t0\t00000000\t0\t0\t0\n");
	refuses(said, true, "the default route");
	drop("/proc/net/route");
	put(root, "/proc/net/ipv6_route",
	    "00000000000000000000000000000000 00 00000000000000000000000000000000 00 00000000000000000000000000000000 ffffffff 00000001 00000000 00200200       lo\n"
	    "20010db8000000000000000000000000 40 00000000000000000000000000000000 00 00000000000000000000000000000000 00000100 00000001 00000000 00000001     lan0\n");
	refuses(NULL, true, "other routes of IPv6");
	put(root, "/proc/net/ipv6_route",
	    "00000000000000000000000000000000 00 00000000000000000000000000000000 00 fe800000000000000000000000000001 00000400 00000001 00000000 00000003     lan0\n");
	refuses(said, true, "the default route of IPv6");
	drop("/proc/net/ipv6_route");
}

static void test_interface(void)
{
	put(root, NETIF "/flags", "0x1003\n");
	refuses("ip link set lan0 down", true, "an interface that is up");
	put(root, "/proc/self/mountinfo",
	    "22 1 8:1 / / rw - ext4 /dev/sda1 rw\n"
	    "30 22 0:40 / /home rw - nfs4 server:/home rw\n");
	refuses("is up; run", true, "a network file system that is not the root");
	put(root, "/proc/self/mountinfo",
	    "22 1 0:21 / / rw,relatime shared:1 - nfs4 server:/ rw\n");
	refuses("root file system", true, "a root file system on the network");
	put(root, NETIF "/flags", "0x1002\n");
	refuses(NULL, true, "an interface that is down does not carry it");
	put(root, NETIF "/upper_br0/x", "");
	refuses("belongs to br0", true, "a bridge's interface");
	drop(NETIF "/upper_br0");
	drop(DEVICE "/net");
	refuses("another network namespace", true,
		"a network card without an interface");
	put(root, DEVICE "/class", "0x00ff00\n");
	refuses(NULL, true, "what is no network card needs none");
}

int main(void)
{
	tap_begin();
	rtk_copy(root, sizeof(root), "/tmp/rtk-unit-XXXXXX");
	if (!mkdtemp(root))
		return 1;
	test_addresses();
	test_sysfs();
	test_vector();
	test_impossible();
	test_claimed();
	test_ssh();
	test_route();
	test_interface();
	if (!remove_tree(root))
		return 1;
	return tap_end();
}
