// SPDX-License-Identifier: GPL-2.0
/*
 * The module out and in, without a process for each.
 */
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>

#include <linux/module.h>

#include "lifetime.h"

/* Generous for a loaded machine; who waits for somebody waits for ever. */
#define AT_ONCE		20

int module_open(void)
{
	const char *dir = getenv("RTK_MODDIR");
	char path[4096] = "";
	FILE *f;
	int fd;

	if (dir) {
		snprintf(path, sizeof(path), "%s/rtk.ko", dir);
	} else {
		f = popen("modinfo -n rtk", "r");
		if (f && fgets(path, sizeof(path), f))
			path[strcspn(path, "\n")] = '\0';
		if (f)
			pclose(f);
	}
	fd = open(path, O_RDONLY);
	return fd < 0 ? -errno : fd;
}

int module_load(int fd)
{
	return syscall(SYS_finit_module, fd, "", 0) ? -errno : 0;
}

int module_unload(void)
{
	struct timespec begin, end;
	int rc;

	clock_gettime(CLOCK_MONOTONIC, &begin);
	rc = syscall(SYS_delete_module, "rtk", O_NONBLOCK) ? -errno : 0;
	clock_gettime(CLOCK_MONOTONIC, &end);
	return end.tv_sec - begin.tv_sec > AT_ONCE ? -ETIME : rc;
}

int module_restore(int fd)
{
	return access("/sys/module/rtk", F_OK) ? module_load(fd) : 0;
}
