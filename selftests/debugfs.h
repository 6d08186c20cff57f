/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What tests in C have in common that look into the module's files.
 */
#ifndef RTK_SELFTEST_DEBUGFS_H
#define RTK_SELFTEST_DEBUGFS_H

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#define TEST_NAME	"hrtimer"
#define DEBUGFS_DIR	"/sys/kernel/debug/rtk/" TEST_NAME "/"

/* Then nothing can be tested: "not root, or module rtk is not loaded". */
static inline bool no_module(void)
{
	return getuid() || access("/sys/module/rtk", F_OK);
}

/* The same with debugfs: "not root, or no debugfs of module rtk". */
static inline bool no_debugfs(void)
{
	return getuid() || access(DEBUGFS_DIR "enable", W_OK);
}

/* Makes this all that is in a file; 0 or -errno. */
static inline int put(const char *path, const char *value)
{
	int fd = open(path, O_WRONLY | O_TRUNC), rc;

	if (fd < 0)
		return -errno;
	rc = write(fd, value, strlen(value)) < 0 ? -errno : 0;
	close(fd);
	return rc;
}

#endif /* RTK_SELFTEST_DEBUGFS_H */
