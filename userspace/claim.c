// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "claim.h"

#define DEVICE "%s/sys/bus/pci/devices/%s"
#define DRIVER "%s/sys/bus/pci/drivers/%s"
/* udev names an interface well within this. */
#define NAME_TRIES 100
#define NAME_NS 50000000

/* How a device is, for the journal. */
static json_t *describe(const char *root, const char *bdf)
{
	char driver[RTK_DRIVER_SIZE], override[RTK_DRIVER_SIZE];
	struct rtk_netif netif[RTK_NETIFS_MAX];
	json_t *list = json_array();
	size_t i, n;

	rtk_pci_driver(root, bdf, driver);
	rtk_pci_override(root, bdf, override);
	n = rtk_pci_netifs(root, bdf, netif);
	for (i = 0; i < n; i++)
		json_array_append_new(list, json_pack("{s:s,s:b}", "name",
						      netif[i].name, "up",
						      netif[i].up));
	return json_pack("{s:s,s:s,s:s,s:o}", "device", bdf, "driver", driver,
			 "override", override, "interfaces", list);
}

static const char *text_of(const json_t *o, const char *name)
{
	const char *s = json_string_value(json_object_get(o, name));

	return s ? s : "";
}

/* An empty one is written as an empty line. */
static int set_override(const char *root, const char *bdf, const char *driver)
{
	return rtk_sysfs_write(*driver ? driver : "\n",
			       DEVICE "/driver_override", root, bdf);
}

static int unbind_driver(const char *root, const char *bdf)
{
	return rtk_sysfs_write(bdf, DEVICE "/driver/unbind", root, bdf);
}

/* Not drivers_probe: this one tells what the driver's probe returned. */
static int bind_driver(const char *root, const char *bdf, const char *driver)
{
	return rtk_sysfs_write(bdf, DRIVER "/bind", root, driver);
}

static bool is_bound(const char *root, const char *bdf, const char *driver)
{
	char now[RTK_DRIVER_SIZE];

	rtk_pci_driver(root, bdf, now);
	return !strcmp(now, driver);
}

static int ioctl_netif(unsigned long request, struct ifreq *r)
{
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0), err = 0;

	if (fd < 0)
		return -errno;
	if (ioctl(fd, request, r))
		err = -errno;
	close(fd);
	return err;
}

static int rename_netif(const char *from, const char *to)
{
	struct ifreq r = { 0 };

	rtk_copy(r.ifr_name, sizeof(r.ifr_name), from);
	rtk_copy(r.ifr_newname, sizeof(r.ifr_newname), to);
	return ioctl_netif(SIOCSIFNAME, &r);
}

static int set_up(const char *name)
{
	struct ifreq r = { 0 };
	int err;

	rtk_copy(r.ifr_name, sizeof(r.ifr_name), name);
	err = ioctl_netif(SIOCGIFFLAGS, &r);
	if (err)
		return err;
	r.ifr_flags |= IFF_UP;
	return ioctl_netif(SIOCSIFFLAGS, &r);
}

/*
 * The port's interface gets its name from udev, or from nobody. What it was named
 * before is the right one in any case.
 */
static int name_netif(const char *root, const char *bdf, const char *name)
{
	const struct timespec pause = { .tv_nsec = NAME_NS };
	bool udev = !access("/run/udev/control", F_OK);
	struct rtk_netif netif[RTK_NETIFS_MAX];
	int tries = NAME_TRIES;
	size_t n;

	do {
		n = rtk_pci_netifs(root, bdf, netif);
		if (n == 1 && !strcmp(netif[0].name, name))
			return 0;
		if (n && !udev)
			break;
		nanosleep(&pause, NULL);
	} while (--tries);
	return n == 1 ? rename_netif(netif[0].name, name) : -ENODEV;
}

static void netifs_back(const char *root, const char *bdf,
			const json_t *interfaces)
{
	const json_t *o = json_array_get(interfaces, 0);
	const char *name = text_of(o, "name");
	int err;

	/* Of several nobody knows which was which. */
	if (json_array_size(interfaces) != 1)
		return;
	err = name_netif(root, bdf, name);
	if (err)
		rtk_err("%s: its interface %s is not there under that name: %s",
			bdf, name, strerror(-err));
	else if (json_is_true(json_object_get(o, "up")) && set_up(name))
		rtk_err("%s: interface %s was up and is not any more", bdf,
			name);
}

/* The device is free, and nothing is in its driver's way. */
static int bind_back(const char *root, const char *bdf, const char *driver)
{
	int err = bind_driver(root, bdf, driver);

	if (is_bound(root, bdf, driver))
		return 0;
	if (err == -ENOENT) {
		rtk_err("%s: its driver %s is not there any more: left without one; run: sudo modprobe %s",
			bdf, driver, driver);
		return 0;
	}
	rtk_err("%s: its driver %s does not take it back: %s; run: echo %s | sudo tee /sys/bus/pci/drivers/%s/bind",
		bdf, driver, strerror(err ? -err : EIO), bdf, driver);
	return err ? err : -EIO;
}

static int give_back(const char *root, const char *bdf, const json_t *before)
{
	const char *driver = text_of(before, "driver");
	char override[RTK_DRIVER_SIZE];
	int err = 0;

	rtk_pci_override(root, bdf, override);
	if (!strcmp(override, RTK_CLAIM_DRIVER))
		err = set_override(root, bdf, text_of(before, "override"));
	if (!err && is_bound(root, bdf, RTK_CLAIM_DRIVER))
		err = unbind_driver(root, bdf);
	if (err) {
		rtk_err("%s: can't be taken from %s: %s", bdf, RTK_CLAIM_DRIVER,
			strerror(-err));
		return err;
	}
	if (*driver && is_bound(root, bdf, ""))
		err = bind_back(root, bdf, driver);
	if (!err && *driver && is_bound(root, bdf, driver))
		netifs_back(root, bdf, json_object_get(before, "interfaces"));
	return err;
}

int rtk_claim_undo(const char *root, const json_t *before, bool dry)
{
	const char *driver = text_of(before, "driver");
	const char *bdf = text_of(before, "device");
	char now[RTK_DRIVER_SIZE];

	if (!rtk_pci_exists(root, bdf)) {
		rtk_err("%s: this device is gone", bdf);
		return 0;
	}
	rtk_pci_driver(root, bdf, now);
	if (*now && strcmp(now, RTK_CLAIM_DRIVER) && strcmp(now, driver)) {
		rtk_err("%s: driver %s has it by now: left there", bdf, now);
		return 0;
	}
	if (dry) {
		printf("would give %s back to %s\n", bdf,
		       *driver ? driver : "no driver");
		return 0;
	}
	return give_back(root, bdf, before);
}

static int bind_rtk(const char *root, const char *bdf, const char *driver)
{
	int err = set_override(root, bdf, RTK_CLAIM_DRIVER);

	if (err) {
		rtk_err("%s: driver_override: %s", bdf, strerror(-err));
		return err;
	}
	if (*driver)
		err = unbind_driver(root, bdf);
	if (err) {
		rtk_err("%s: can't be taken from %s: %s", bdf, driver,
			strerror(-err));
		return err;
	}
	err = bind_driver(root, bdf, RTK_CLAIM_DRIVER);
	if (is_bound(root, bdf, RTK_CLAIM_DRIVER))
		return 0;
	rtk_err("%s: the module refuses it: %s; the kernel log says why; run: sudo dmesg | grep %s",
		bdf, strerror(err ? -err : ENODEV), bdf);
	return err ? err : -ENODEV;
}

int rtk_claim_take(const char *root, struct rtk_journal *j, const char *bdf,
		   bool owned, char file[RTK_CHANGE_FILE_SIZE])
{
	json_t *before = describe(root, bdf);
	int err;

	if (!before)
		return rtk_err_nomem();
	err = rtk_journal_add(j, RTK_CLAIM_KIND, before, owned, file);
	if (!err) {
		err = bind_rtk(root, bdf, text_of(before, "driver"));
		if (err && !rtk_claim_undo(root, before, false))
			rtk_journal_remove(j, file);
	}
	json_decref(before);
	return err;
}

struct search {
	const char *bdf;
	struct rtk_claim *claim;
	int n;
};

static void fill_claim(struct rtk_claim *claim, const struct rtk_change *c)
{
	const json_t *list = json_object_get(c->before, "interfaces");
	size_t i, len = 0;

	memset(claim, 0, sizeof(*claim));
	rtk_copy(claim->file, sizeof(claim->file), c->file);
	rtk_copy(claim->bdf, sizeof(claim->bdf), text_of(c->before, "device"));
	rtk_copy(claim->driver, sizeof(claim->driver),
		 text_of(c->before, "driver"));
	rtk_copy(claim->comm, sizeof(claim->comm), c->comm);
	for (i = 0; i < json_array_size(list) && len < sizeof(claim->netifs);
	     i++)
		len += (size_t)snprintf(claim->netifs + len,
					sizeof(claim->netifs) - len, "%s%s",
					i ? " " : "",
					text_of(json_array_get(list, i),
						"name"));
	claim->pid = c->pid;
	claim->alive = c->alive;
}

static int match(struct rtk_journal *j, const struct rtk_change *c, void *arg)
{
	struct search *s = arg;

	(void)j;
	if (strcmp(c->kind, RTK_CLAIM_KIND) ||
	    (s->bdf ? strcmp(s->bdf, text_of(c->before, "device")) : c->pid))
		return 0;
	if (!s->n++)
		fill_claim(s->claim, c);
	return 0;
}

int rtk_claim_find(struct rtk_journal *j, const char *bdf,
		   struct rtk_claim *claim)
{
	struct search s = { .bdf = bdf, .claim = claim };
	int err;

	memset(claim, 0, sizeof(*claim));
	err = rtk_journal_each(j, match, &s);
	return err && err != -EINVAL ? err : s.n;
}

struct undo {
	const char *root;
	const char *file;
	int err;
};

static int undo_one(struct rtk_journal *j, const struct rtk_change *c,
		    void *arg)
{
	struct undo *u = arg;

	if (strcmp(c->file, u->file))
		return 0;
	u->err = rtk_claim_undo(u->root, c->before, false);
	if (!u->err)
		u->err = rtk_journal_remove(j, c->file);
	else
		rtk_err("what is left can be undone by: sudo %s restore",
			rtk_prog());
	return 1;
}

int rtk_claim_give_back(const char *root, struct rtk_journal *j,
			const char *file)
{
	struct undo u = { .root = root, .file = file };

	/* It is not there where somebody's rtk restore --all was faster. */
	rtk_journal_each(j, undo_one, &u);
	return u.err;
}
