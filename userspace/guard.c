// SPDX-License-Identifier: GPL-2.0
#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <ifaddrs.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "guard.h"

/* Of a route in /proc/net: it is in use, and it does not only refuse. */
#define ROUTE_UP 0x1
#define ROUTE_REJECT 0x200
/* State of a connection in /proc/net/tcp. */
#define ESTABLISHED 1
#define SSH_PORT 22
#define CLASS_NETWORK 0x02

/* One device and the reason found. */
struct look {
	const struct rtk_guard *g;
	const char *bdf;
	const char *netif;
	char *why;
	size_t size;
};

static bool __printf(2, 3) refuse(struct look *l, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(l->why, l->size, fmt, ap);
	va_end(ap);
	return true;
}

int rtk_guard_init(struct rtk_guard *g)
{
	struct rtk_guard_addr *one;
	struct ifaddrs *list, *a;
	const void *addr;
	int err = 0;

	memset(g, 0, sizeof(*g));
	g->root = "";
	g->ssh = getenv("SSH_CONNECTION");
	if (getifaddrs(&list))
		return 0;
	for (a = list; a && !err; a = a->ifa_next) {
		if (!a->ifa_addr || (a->ifa_addr->sa_family != AF_INET &&
				     a->ifa_addr->sa_family != AF_INET6))
			continue;
		if (a->ifa_addr->sa_family == AF_INET)
			addr = &((struct sockaddr_in *)a->ifa_addr)->sin_addr;
		else
			addr = &((struct sockaddr_in6 *)a->ifa_addr)->sin6_addr;
		one = rtk_grow(&g->addr, &g->naddrs, sizeof(*one));
		if (!one) {
			err = rtk_err_nomem();
			break;
		}
		rtk_copy(one->netif, sizeof(one->netif), a->ifa_name);
		inet_ntop(a->ifa_addr->sa_family, addr, one->text,
			  sizeof(one->text));
	}
	freeifaddrs(list);
	return err;
}

void rtk_guard_free(struct rtk_guard *g)
{
	free(g->addr);
	memset(g, 0, sizeof(*g));
}

/* Calls @fn with each line of a file until it says true. */
static bool any_line(struct look *l, const char *file,
		     bool (*fn)(struct look *l, char *line))
{
	char path[PATH_MAX], *line = NULL;
	bool hit = false;
	size_t size = 0;
	FILE *f;

	snprintf(path, sizeof(path), "%s%s", l->g->root, file);
	f = fopen(path, "re");
	if (!f)
		return false;
	while (!hit && getline(&line, &size, f) > 0)
		hit = fn(l, line);
	free(line);
	fclose(f);
	return hit;
}

static bool default_route4(struct look *l, char *line)
{
	unsigned int dest, mask, flags;
	char netif[32];

	return sscanf(line, "%31s %x %*x %x %*d %*d %*d %x", netif, &dest,
		      &flags, &mask) == 4 &&
	       !dest && !mask && flags & ROUTE_UP && !(flags & ROUTE_REJECT) &&
	       !strcmp(netif, l->netif);
}

static bool default_route6(struct look *l, char *line)
{
	unsigned int len, flags;
	char dest[33], netif[32];

	return sscanf(line, "%32s %x %*s %*x %*s %*x %*x %*x %x %31s", dest,
		      &len, &flags, netif) == 4 &&
	       !len && flags & ROUTE_UP && !(flags & ROUTE_REJECT) &&
	       !strcmp(netif, l->netif);
}

static bool is_mine(const struct look *l, const char *address)
{
	size_t i;

	for (i = 0; i < l->g->naddrs; i++)
		if (!strcmp(l->g->addr[i].netif, l->netif) &&
		    !strcmp(l->g->addr[i].text, address))
			return true;
	return false;
}

/* "0100007F" or four such words: memory as words of this machine. */
static void address_text(const char *hex, char *text, socklen_t size)
{
	struct in6_addr a = { 0 };
	size_t i, words = strlen(hex) / 8;
	char word[9] = "";
	__u32 v;

	for (i = 0; i < words && i < 4; i++) {
		memcpy(word, hex + i * 8, 8);
		v = (__u32)strtoul(word, NULL, 16);
		memcpy((char *)&a + i * 4, &v, 4);
	}
	if (words == 4 && IN6_IS_ADDR_V4MAPPED(&a))
		inet_ntop(AF_INET, (char *)&a + 12, text, size);
	else
		inet_ntop(words == 4 ? AF_INET6 : AF_INET, &a, text, size);
}

static bool ssh_connection(struct look *l, char *line)
{
	char local[33], text[INET6_ADDRSTRLEN] = "";
	unsigned int port, state;

	if (sscanf(line, " %*d: %32[0-9A-F]:%x %*[0-9A-F]:%*x %x", local, &port,
		   &state) != 3 ||
	    port != SSH_PORT || state != ESTABLISHED)
		return false;
	address_text(local, text, sizeof(text));
	return is_mine(l, text);
}

/* "CLIENT PORT SERVER PORT": also where sshd has another port. */
static bool ssh_variable(const struct look *l)
{
	char server[INET6_ADDRSTRLEN + 16];

	if (!l->g->ssh || sscanf(l->g->ssh, "%*s %*s %60s", server) != 1)
		return false;
	server[strcspn(server, "%")] = '\0';
	return is_mine(l, server);
}

static bool network_root(struct look *l, char *line)
{
	static const char *const types[] = { "nfs",	   "nfs4",
					     "cifs",	   "smb3",
					     "ceph",	   "afs",
					     "fuse.sshfs", "fuse.glusterfs" };
	char where[256], type[64], source[256];
	char *rest = strstr(line, " - ");
	size_t i;

	(void)l;
	if (!rest || sscanf(line, "%*s %*s %*s %*s %255s", where) != 1 ||
	    sscanf(rest, " - %63s %255s", type, source) != 2 ||
	    strcmp(where, "/"))
		return false;
	for (i = 0; i < RTK_ARRAY_SIZE(types); i++)
		if (!strcmp(type, types[i]))
			return true;
	return !strncmp(source, "/dev/nbd", 8);
}

/* A bridge, a bond, a VLAN on top of it. */
static bool has_upper(const struct look *l, char *upper, size_t size)
{
	char path[PATH_MAX];
	struct dirent *d;
	DIR *dir;

	upper[0] = '\0';
	snprintf(path, sizeof(path), "%s/sys/bus/pci/devices/%s/net/%s",
		 l->g->root, l->bdf, l->netif);
	dir = opendir(path);
	while (dir && !*upper && (d = readdir(dir)))
		if (!strncmp(d->d_name, "upper_", 6))
			rtk_copy(upper, size, d->d_name + 6);
	if (dir)
		closedir(dir);
	return *upper != '\0';
}

/* What a forced claim cuts, the worst first. */
static bool carries_network(struct look *l, const struct rtk_netif *n)
{
	char upper[32], mend[256];

	snprintf(mend, sizeof(mend),
		 "take another port, or cut it by: sudo %s device claim %s --force",
		 rtk_prog(), l->bdf);
	l->netif = n->name;
	if (ssh_variable(l) || any_line(l, "/proc/net/tcp", ssh_connection) ||
	    any_line(l, "/proc/net/tcp6", ssh_connection))
		return refuse(l,
			      "%s: its interface %s carries an SSH session; %s",
			      l->bdf, n->name, mend);
	if (any_line(l, "/proc/net/route", default_route4) ||
	    any_line(l, "/proc/net/ipv6_route", default_route6))
		return refuse(l,
			      "%s: its interface %s carries the default route; %s",
			      l->bdf, n->name, mend);
	if (n->up && any_line(l, "/proc/self/mountinfo", network_root))
		return refuse(l,
			      "%s: its interface %s is up, and the root file system is mounted over the network; %s",
			      l->bdf, n->name, mend);
	if (has_upper(l, upper, sizeof(upper)))
		return refuse(l, "%s: its interface %s belongs to %s; %s",
			      l->bdf, n->name, upper, mend);
	if (n->up)
		return refuse(l,
			      "%s: its interface %s is up; run: sudo ip link set %s down; or %s",
			      l->bdf, n->name, n->name, mend);
	return false;
}

/* A port without an interface here may well have one elsewhere. */
static bool hides_network(struct look *l, const char *driver, size_t netifs)
{
	if (!*driver || netifs ||
	    rtk_pci_class(l->g->root, l->bdf) >> 16 != CLASS_NETWORK)
		return false;
	return refuse(l,
		      "%s: driver %s has no interface here: it may be in another network namespace (a container); bring it back, or cut it by: sudo %s device claim %s --force",
		      l->bdf, driver, rtk_prog(), l->bdf);
}

static bool is_claimed(struct look *l, const struct rtk_claim *c,
		       const char *driver)
{
	if (*c->file && !c->pid)
		return refuse(l,
			      "%s: claimed already; give it back by: sudo %s device release %s",
			      l->bdf, rtk_prog(), l->bdf);
	if (*c->file && c->alive)
		return refuse(l,
			      "%s: claimed by process %d (%s); wait for its end, or stop it",
			      l->bdf, c->pid, c->comm);
	if (*c->file)
		return refuse(l,
			      "%s: claimed by process %d, which was killed; give it back by: sudo %s restore",
			      l->bdf, c->pid, rtk_prog());
	if (!strcmp(driver, RTK_CLAIM_DRIVER))
		return refuse(l,
			      "%s: bound to %s by hand; unbind it by: echo %s | sudo tee /sys/bus/pci/drivers/%s/unbind",
			      l->bdf, driver, l->bdf, driver);
	return false;
}

/* Drivers that give a device to a program. */
static bool is_users(const char *driver)
{
	return !strncmp(driver, "vfio", 4) || !strncmp(driver, "uio_", 4) ||
	       !strcmp(driver, "igb_uio");
}

static bool locked_down(const struct rtk_guard *g)
{
	char text[128];

	rtk_read_text(text, sizeof(text), "%s/sys/kernel/security/lockdown",
		      g->root);
	return *text && !strstr(text, "[none]");
}

/* What --force does not help against. */
static bool is_impossible(struct look *l, const struct rtk_claim *c,
			  const char *driver)
{
	const char *root = l->g->root;
	char path[PATH_MAX];
	__s64 vfs;

	if (is_claimed(l, c, driver))
		return true;
	snprintf(path, sizeof(path), "%s/sys/bus/pci/drivers/" RTK_CLAIM_DRIVER,
		 root);
	if (access(path, F_OK))
		return refuse(l,
			      "%s: the module, whose driver takes it, is not loaded; run: sudo %s module load",
			      l->bdf, rtk_prog());
	if (locked_down(l->g))
		return refuse(l,
			      "%s: the kernel is locked down, which keeps programs from devices; boot with lockdown=none and Secure Boot off",
			      l->bdf);
	if (is_users(driver))
		return refuse(l,
			      "%s: driver %s gives it to a program or a virtual machine; end that, and unbind it by: echo %s | sudo tee /sys/bus/pci/drivers/%s/unbind",
			      l->bdf, driver, l->bdf, driver);
	if (!rtk_read_number(&vfs, "%s/sys/bus/pci/devices/%s/sriov_numvfs",
			     root, l->bdf) &&
	    vfs)
		return refuse(l,
			      "%s: %lld virtual functions of it are there; run: echo 0 | sudo tee /sys/bus/pci/devices/%s/sriov_numvfs",
			      l->bdf, vfs, l->bdf);
	return false;
}

bool rtk_guard_refuses(const struct rtk_guard *g, const char *bdf,
		       const struct rtk_claim *claim, bool force, char *why,
		       size_t size)
{
	struct look l = { .g = g, .bdf = bdf, .why = why, .size = size };
	struct rtk_netif netif[RTK_NETIFS_MAX];
	char driver[RTK_DRIVER_SIZE];
	size_t i, n;

	why[0] = '\0';
	rtk_pci_driver(g->root, bdf, driver);
	if (is_impossible(&l, claim, driver))
		return true;
	if (force)
		return false;
	n = rtk_pci_netifs(g->root, bdf, netif);
	for (i = 0; i < n; i++)
		if (carries_network(&l, &netif[i]))
			return true;
	return hides_network(&l, driver, n);
}
