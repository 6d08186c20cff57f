/* SPDX-License-Identifier: GPL-2.0 */
/* rtk.ko on this machine: where it is, whether it fits, what keeps it out. */
#ifndef RTK_KMOD_H
#define RTK_KMOD_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

/**
 * struct rtk_kmod - what there is
 * @release: of the running kernel
 * @loaded: the module is in the kernel
 * @version: of the loaded module, or empty
 * @srcversion: checksum of the loaded module's source, or empty
 * @headers: folder of the running kernel's headers
 * @headers_release: kernel that they belong to, empty where there are none
 * @source: folder of the source tree, or empty
 * @built: rtk.ko in the source tree, or empty
 * @built_release: kernel that @built is for, or empty
 * @installed: rtk.ko known to modprobe, or empty
 * @lockdown: none, integrity or confidentiality; empty unknown
 * @secure_boot: 1 on, 0 off, -1 unknown
 */
struct rtk_kmod {
	char release[128];
	bool loaded;
	char version[64];
	char srcversion[64];
	char headers[PATH_MAX];
	char headers_release[128];
	char source[PATH_MAX];
	char built[PATH_MAX];
	char built_release[128];
	char installed[PATH_MAX];
	char lockdown[32];
	int secure_boot;
};

/**
 * struct rtk_obstacle - what no module file can overcome
 * @cause: why nothing can be loaded
 * @mend: what to do
 */
struct rtk_obstacle {
	const char *cause;
	const char *mend;
};

/**
 * rtk_kmod_obstacle() - why this kernel takes no module at all
 * @root: where its file system is, "" for this machine
 *
 * Return: obstacle, or NULL where none is known
 */
const struct rtk_obstacle *rtk_kmod_obstacle(const char *root);

/**
 * rtk_kmod_look() - find out
 * @k: filled
 */
void rtk_kmod_look(struct rtk_kmod *k);

/**
 * rtk_kmod_choice() - the module file to be loaded
 * @k: state of the machine
 *
 * The built one where it is for the running kernel: who runs the program of a
 * source tree means its module. Else the installed one.
 *
 * Return: path; one for another kernel where there is no better; empty none
 */
const char *rtk_kmod_choice(const struct rtk_kmod *k);

/**
 * rtk_kmod_release() - kernel that a module file is for
 * @path: module, not compressed
 * @buf: filled from its vermagic, empty where there is none
 * @size: its size
 *
 * Return: 0 or -errno
 */
int rtk_kmod_release(const char *path, char *buf, size_t size);

/**
 * rtk_kmod_differs() - is a module file of another source than what is loaded?
 * @k: state of the machine
 * @path: module; of a compressed one that is not known
 *
 * Return: true for one that is, and is for the running kernel
 */
bool rtk_kmod_differs(const struct rtk_kmod *k, const char *path);

/**
 * rtk_kmod_headers_hint() - command that installs the kernel's headers
 * @buf: filled
 * @size: its size
 * @release: kernel
 *
 * Return: @buf
 */
const char *rtk_kmod_headers_hint(char *buf, size_t size, const char *release);

/**
 * rtk_kmod_load() - load a module file
 * @path: module, compressed ones included where the kernel can
 *
 * Return: 0 or -errno
 */
int rtk_kmod_load(const char *path);

/**
 * rtk_kmod_unload() - unload rtk, without waiting
 *
 * Return: 0 or -errno
 */
int rtk_kmod_unload(void);

/**
 * rtk_kmod_explain() - why loading failed, and the command that mends it
 * @k: state of the machine
 * @path: what was loaded
 * @err: what rtk_kmod_load() returned
 * @buf: filled
 * @size: its size
 *
 * Return: @buf
 */
const char *rtk_kmod_explain(const struct rtk_kmod *k, const char *path,
			     int err, char *buf, size_t size);

#endif
