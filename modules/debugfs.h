/* SPDX-License-Identifier: GPL-2.0 */
/* Between the files of the debugfs surface. */
#ifndef RTK_DEBUGFS_H
#define RTK_DEBUGFS_H

#include <linux/debugfs.h>
#include <linux/fs.h>
#include <linux/seq_file.h>

#include "internal.h"

/* debugfs_lane.c: files over the lanes of a run; the inode has the test. */
extern const struct file_operations rtk_debugfs_stats_fops;
extern const struct file_operations rtk_debugfs_current_value_fops;
extern const struct file_operations rtk_debugfs_hist_fops;
extern const struct file_operations rtk_debugfs_outliers_fops;

#endif /* RTK_DEBUGFS_H */
