// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>
#include <linux/module.h>

#include "kmod.h"
#include "util.h"

/* Since 5.17; older headers lack it. */
#ifndef MODULE_INIT_COMPRESSED_FILE
#define MODULE_INIT_COMPRESSED_FILE 4
#endif

#define DKMS_KEY "/var/lib/dkms/mok.pub"
#define SECURE_BOOT \
	"/sys/firmware/efi/efivars/SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c"

const struct rtk_obstacle *rtk_kmod_obstacle(const char *root)
{
	static const struct rtk_obstacle none = {
		"this kernel has no loadable modules",
		"boot one that has them, or try rtk in a virtual machine, in its source tree: sudo scripts/quickstart --tier=vm",
	};
	static const struct rtk_obstacle disabled = {
		"no module can be loaded or unloaded until the next boot (kernel.modules_disabled=1)",
		"reboot",
	};
	char text[8];
	__s64 v;

	/* /proc may be missing, and then says nothing. */
	if (rtk_read_text(text, sizeof(text), "%s/proc/version", root) <= 0)
		return NULL;
	if (rtk_read_text(text, sizeof(text), "%s/proc/modules", root) < 0)
		return &none;
	if (!rtk_read_number(&v, "%s/proc/sys/kernel/modules_disabled", root) &&
	    v == 1)
		return &disabled;
	return NULL;
}

/* The word behind "key=" in a module file. */
static int read_modinfo(const char *path, const char *key, char *buf,
			size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), err = 0;
	struct stat st;
	char *map, *found;

	buf[0] = '\0';
	if (fd < 0)
		return -errno;
	if (fstat(fd, &st) || !st.st_size) {
		close(fd);
		return -EINVAL;
	}
	map = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	close(fd);
	if (map == MAP_FAILED)
		return -errno;
	found = memmem(map, (size_t)st.st_size, key, strlen(key));
	if (found) {
		found += strlen(key);
		size_t left = (size_t)(map + st.st_size - found);

		if (left < size)
			size = left + 1;
		rtk_copy(buf, size, found);
		buf[strcspn(buf, " ")] = '\0';
	} else {
		err = -ENOENT;
	}
	munmap(map, (size_t)st.st_size);
	return err;
}

int rtk_kmod_release(const char *path, char *buf, size_t size)
{
	return read_modinfo(path, "vermagic=", buf, size);
}

bool rtk_kmod_differs(const struct rtk_kmod *k, const char *path)
{
	char checksum[64], release[128];

	return k->srcversion[0] &&
	       !rtk_kmod_release(path, release, sizeof(release)) &&
	       !strcmp(release, k->release) &&
	       !read_modinfo(path, "srcversion=", checksum, sizeof(checksum)) &&
	       strcmp(checksum, k->srcversion);
}

/* The line of modules.dep that begins with the path of rtk.ko. */
static void find_installed(struct rtk_kmod *k)
{
	char path[PATH_MAX], *line = NULL, *colon, *name;
	size_t size = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/lib/modules/%s/modules.dep", k->release);
	f = fopen(path, "re");
	if (!f)
		return;
	while (!k->installed[0] && getline(&line, &size, f) > 0) {
		colon = strchr(line, ':');
		if (!colon)
			continue;
		*colon = '\0';
		name = strrchr(line, '/');
		name = name ? name + 1 : line;
		if (strncmp(name, "rtk.ko", 6) || (name[6] && name[6] != '.'))
			continue;
		snprintf(k->installed, sizeof(k->installed),
			 "/lib/modules/%s/%s", k->release, line);
	}
	free(line);
	fclose(f);
}

static void find_source(struct rtk_kmod *k)
{
	char dir[PATH_MAX], file[PATH_MAX], *slash;

	if (rtk_self_dir(dir, sizeof(dir)))
		return;
	slash = strrchr(dir, '/');
	if (!slash)
		return;
	*slash = '\0';
	snprintf(file, sizeof(file), "%s/Kbuild", dir);
	if (access(file, R_OK))
		return;
	rtk_copy(k->source, sizeof(k->source), dir);
	snprintf(file, sizeof(file), "%s/rtk.ko", dir);
	if (access(file, R_OK))
		return;
	rtk_copy(k->built, sizeof(k->built), file);
	rtk_kmod_release(file, k->built_release, sizeof(k->built_release));
}

/* "[none] integrity confidentiality": the word in brackets. */
static void find_lockdown(struct rtk_kmod *k)
{
	char text[128], *open, *close;

	rtk_read_text(text, sizeof(text), "/sys/kernel/security/lockdown");
	open = strchr(text, '[');
	close = open ? strchr(open, ']') : NULL;
	if (!close)
		return;
	*close = '\0';
	rtk_copy(k->lockdown, sizeof(k->lockdown), open + 1);
}

/* Four bytes of attributes, then one of value. */
static int secure_boot(void)
{
	unsigned char v[5];
	int fd = open(SECURE_BOOT, O_RDONLY | O_CLOEXEC), on = -1;

	if (fd < 0)
		return access("/sys/firmware/efi", F_OK) ? 0 : -1;
	if (read(fd, v, sizeof(v)) == sizeof(v))
		on = v[4] == 1;
	close(fd);
	return on;
}

/* Debian's kernel.release names the upstream version, this header does not. */
static void find_headers(struct rtk_kmod *k)
{
	char text[256], *begin, *end;

	snprintf(k->headers, sizeof(k->headers), "/lib/modules/%s/build",
		 k->release);
	rtk_read_text(text, sizeof(text), "%s/include/generated/utsrelease.h",
		      k->headers);
	begin = strchr(text, '"');
	end = begin ? strchr(begin + 1, '"') : NULL;
	if (!end)
		return;
	*end = '\0';
	rtk_copy(k->headers_release, sizeof(k->headers_release), begin + 1);
}

void rtk_kmod_look(struct rtk_kmod *k)
{
	struct utsname u;

	memset(k, 0, sizeof(*k));
	uname(&u);
	rtk_copy(k->release, sizeof(k->release), u.release);
	k->loaded = !access("/sys/module/rtk", F_OK);
	rtk_read_text(k->version, sizeof(k->version),
		      "/sys/module/rtk/version");
	rtk_read_text(k->srcversion, sizeof(k->srcversion),
		      "/sys/module/rtk/srcversion");
	find_headers(k);
	find_installed(k);
	find_source(k);
	find_lockdown(k);
	k->secure_boot = secure_boot();
}

const char *rtk_kmod_choice(const struct rtk_kmod *k)
{
	if (k->built[0] && !strcmp(k->built_release, k->release))
		return k->built;
	return k->installed[0] ? k->installed : k->built;
}

const char *rtk_kmod_headers_hint(char *buf, size_t size, const char *release)
{
	static const struct {
		const char *id;
		const char *command;
	} hints[] = {
		{ "debian", "sudo apt-get install linux-headers-" },
		{ "ubuntu", "sudo apt-get install linux-headers-" },
		{ "fedora", "sudo dnf install kernel-devel-" },
		{ "rhel", "sudo dnf install kernel-devel-" },
		{ "suse", "sudo zypper install kernel-devel-" },
	};
	char os[2048];
	size_t i;

	rtk_read_text(os, sizeof(os), "/etc/os-release");
	for (i = 0; i < RTK_ARRAY_SIZE(hints); i++) {
		if (!strstr(os, hints[i].id))
			continue;
		snprintf(buf, size, "%s%s", hints[i].command, release);
		return buf;
	}
	snprintf(buf, size, "install the headers of kernel %s", release);
	return buf;
}

int rtk_kmod_load(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), err = 0;
	const char *suffix = strrchr(path, '.');
	int flags = suffix && strcmp(suffix, ".ko") ?
			    MODULE_INIT_COMPRESSED_FILE :
			    0;

	if (fd < 0)
		return -errno;
	if (syscall(SYS_finit_module, fd, "", flags))
		err = -errno;
	close(fd);
	return err;
}

int rtk_kmod_unload(void)
{
	return syscall(SYS_delete_module, "rtk", O_NONBLOCK) ? -errno : 0;
}

static void explain_key(const struct rtk_kmod *k, char *buf, size_t size)
{
	const char *what = k->secure_boot == 1 ? "Secure Boot" :
						 "the kernel's signature check";

	if (!access(DKMS_KEY, R_OK))
		snprintf(buf, size,
			 "%s refuses rtk.ko: it is not signed with a key that this machine trusts; enrol yours, then reboot: sudo mokutil --import %s",
			 what, DKMS_KEY);
	else
		snprintf(buf, size,
			 "%s refuses rtk.ko: it is not signed with a key that this machine trusts; create a key to sign it with: sudo apt-get install dkms && sudo dkms generate_mok",
			 what);
}

static bool is_locked(const struct rtk_kmod *k)
{
	return k->lockdown[0] && strcmp(k->lockdown, "none");
}

const char *rtk_kmod_explain(const struct rtk_kmod *k, const char *path,
			     int err, char *buf, size_t size)
{
	char release[128];

	switch (err) {
	case -EKEYREJECTED:
	case -ENOKEY:
		explain_key(k, buf, size);
		break;
	case -EPERM:
		if (geteuid())
			snprintf(buf, size,
				 "loading a module needs root: run with sudo");
		else if (is_locked(k))
			snprintf(buf, size,
				 "the kernel is locked down (%s) and refuses unsigned modules; sign rtk.ko with an enrolled key, or turn Secure Boot off: sudo mokutil --disable-validation",
				 k->lockdown);
		else
			snprintf(buf, size,
				 "the kernel lets this process load no modules%s (a container?); run on the host",
				 k->lockdown[0] ? "" :
						  ": it may be locked down");
		break;
	case -ENOEXEC:
		rtk_kmod_release(path, release, sizeof(release));
		if (strcmp(release, k->release))
			snprintf(buf, size,
				 "%s is for kernel %s, %s is running; run: %s module build",
				 path, release[0] ? release : "unknown",
				 k->release, rtk_prog());
		else
			snprintf(buf, size,
				 "%s does not fit this kernel although the release is the same; run: %s module build",
				 path, rtk_prog());
		break;
	default:
		snprintf(buf, size,
			 "can't load %s: %s; the kernel's log says more: sudo dmesg | tail",
			 path, strerror(-err));
	}
	return buf;
}
