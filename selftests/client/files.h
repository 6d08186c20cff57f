/* SPDX-License-Identifier: GPL-2.0 */
/* Files of a made-up file system. */
#ifndef FILES_H
#define FILES_H

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tap.h"

/* Writes ROOT/PATH, with the folders on the way. */
static inline void put(const char *root, const char *path, const char *text)
{
	char full[PATH_MAX], *p;
	FILE *f;

	snprintf(full, sizeof(full), "%s%s", root, path);
	for (p = full + strlen(root) + 1; (p = strchr(p, '/')); p++) {
		*p = '\0';
		mkdir(full, 0755);
		*p = '/';
	}
	f = fopen(full, "w");
	if (!f || fputs(text, f) < 0 || fclose(f))
		ok(false, "%s is written", full);
}

/* Makes the link ROOT/PATH, or points it elsewhere. */
static inline void point(const char *root, const char *path, const char *target)
{
	char full[PATH_MAX];

	snprintf(full, sizeof(full), "%s%s", root, path);
	unlink(full);
	if (symlink(target, full))
		ok(false, "%s is made", full);
}

/* Removes it all; where that fails the test does. */
static inline bool remove_tree(const char *root)
{
	char command[PATH_MAX];

	snprintf(command, sizeof(command), "rm -rf '%s'", root);
	return !system(command);
}

#endif
