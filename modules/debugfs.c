// SPDX-License-Identifier: GPL-2.0
/*
 * debugfs: <debugfs>/rtk/<test>/, one file for each parameter and a handful for
 * the run.
 *
 * The files are wrapped by debugfs itself: an open one keeps the module in
 * place, and removal waits for whoever is inside a read or write.
 */
#define pr_fmt(fmt) "rtk: " fmt

#include <linux/capability.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "debugfs.h"

static struct dentry *debugfs_root;

static void note_error(struct rtk_inst *inst, const char *name, const char *why)
{
	mutex_lock(&rtk_lock);
	scnprintf(inst->last_error.text, sizeof(inst->last_error.text), "%s: %s",
		  name, why);
	mutex_unlock(&rtk_lock);
}

/* Beyond the file's mode, which a bind mount or chmod may have loosened. */
static int check_write(struct rtk_inst *inst, const char *name, size_t size,
		       loff_t pos)
{
	if (!capable(CAP_SYS_ADMIN))
		return -EPERM;
	if (!pos && size <= RTK_PARAM_VALUE_MAX)
		return 0;
	note_error(inst, name, pos ? "write it at once, from the beginning" :
				     "value too long");
	return -EINVAL;
}

/* Text from user space, without the newline that echo adds. */
static char *copy_line(struct rtk_inst *inst, const char *name,
		       const char __user *ubuf, size_t size)
{
	char *buf = memdup_user_nul(ubuf, size);

	if (IS_ERR(buf))
		return buf;
	if (strlen(buf) != size) {
		kfree(buf);
		note_error(inst, name, "a zero byte in the value");
		return ERR_PTR(-EINVAL);
	}
	if (size && buf[size - 1] == '\n')
		buf[size - 1] = '\0';
	return buf;
}

static ssize_t param_write(struct file *file, const char __user *ubuf,
			   size_t size, loff_t *ppos)
{
	const struct rtk_file *pf = file_inode(file)->i_private;
	const char *name = rtk_param_row(pf->inst->test, pf->number)->name;
	struct rtk_assign assign = { .name = name };
	struct rtk_request req = { .assign = &assign, .n = 1 };
	char *buf;
	int rc;

	rc = check_write(pf->inst, name, size, *ppos);
	if (rc)
		return rc;
	buf = copy_line(pf->inst, name, ubuf, size);
	if (IS_ERR(buf))
		return PTR_ERR(buf);
	assign.value = buf;
	rc = rtk_run_set(pf->inst, &req);
	kfree(buf);
	return rc ?: size;
}

static int param_show(struct seq_file *m, void *unused)
{
	const struct rtk_file *pf = m->private;
	char *buf = kmalloc(RTK_PARAM_VALUE_MAX + 1, GFP_KERNEL);

	if (!buf)
		return -ENOMEM;
	mutex_lock(&rtk_lock);
	rtk_param_format(pf->inst->test, pf->number, &pf->inst->common,
			 pf->inst->config, buf);
	mutex_unlock(&rtk_lock);
	seq_printf(m, "%s\n", buf);
	kfree(buf);
	return 0;
}

static int param_open(struct inode *inode, struct file *file)
{
	return single_open(file, param_show, inode->i_private);
}

static const struct file_operations param_fops = {
	.owner = THIS_MODULE,
	.open = param_open,
	.read = seq_read,
	.write = param_write,
	.llseek = seq_lseek,
	.release = single_release,
};

static ssize_t enable_write(struct file *file, const char __user *ubuf,
			    size_t size, loff_t *ppos)
{
	struct rtk_inst *inst = file_inode(file)->i_private;
	struct rtk_request req = {};
	bool on = false;
	char *buf;
	int rc;

	rc = check_write(inst, "enable", size, *ppos);
	if (rc)
		return rc;
	buf = copy_line(inst, "enable", ubuf, size);
	if (IS_ERR(buf))
		return PTR_ERR(buf);
	if (!strcmp(buf, "1")) {
		on = true;
	} else if (strcmp(buf, "0")) {
		note_error(inst, "enable", "allowed 0 or 1");
		rc = -EINVAL;
	}
	kfree(buf);
	if (rc)
		return rc;
	rtk_owner_self(&req.owner, 0);
	rc = on ? rtk_run_start(inst, &req) :
		  rtk_run_stop(inst, 0, RTK_STATE_DONE, "stopped");
	return rc ?: size;
}

static int enable_show(struct seq_file *m, void *unused)
{
	struct rtk_inst *inst = m->private;

	mutex_lock(&rtk_lock);
	seq_printf(m, "%d\n", rtk_inst_busy(inst));
	mutex_unlock(&rtk_lock);
	return 0;
}

static int enable_open(struct inode *inode, struct file *file)
{
	return single_open(file, enable_show, inode->i_private);
}

static const struct file_operations enable_fops = {
	.owner = THIS_MODULE,
	.open = enable_open,
	.read = seq_read,
	.write = enable_write,
	.llseek = seq_lseek,
	.release = single_release,
};

static int state_show(struct seq_file *m, void *unused)
{
	static const char * const names[] = {
		[RTK_STATE_IDLE] = "idle", [RTK_STATE_RUNNING] = "running",
		[RTK_STATE_STOPPING] = "stopping", [RTK_STATE_DONE] = "done",
		[RTK_STATE_FAILED] = "failed",
	};
	struct rtk_inst *inst = m->private;
	struct rtk_run *run;

	mutex_lock(&rtk_lock);
	run = inst->run;
	seq_printf(m, "%s generation=%u", names[inst->state], inst->generation);
	if (*inst->reason)
		seq_printf(m, " reason=%s", inst->reason);
	if (run)
		seq_printf(m, " elapsed_ns=%llu cpus=%*pbl lost_cpus=%*pbl",
			   rtk_run_elapsed(run), cpumask_pr_args(&run->cpus),
			   cpumask_pr_args(&run->lost));
	/* Last, since it is a sentence. */
	if (run && *run->cause.text)
		seq_printf(m, " cause=%s", run->cause.text);
	seq_putc(m, '\n');
	mutex_unlock(&rtk_lock);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(state);

static int last_error_show(struct seq_file *m, void *unused)
{
	struct rtk_inst *inst = m->private;

	mutex_lock(&rtk_lock);
	if (*inst->last_error.text)
		seq_printf(m, "%s\n", inst->last_error.text);
	mutex_unlock(&rtk_lock);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(last_error);

static void help_show_row(struct seq_file *m, const struct rtk_test *test, unsigned int i)
{
	const struct rtk_param *row = rtk_param_row(test, i);
	const char *def = rtk_param_default(test, i);
	char words[128];

	seq_printf(m, "%s: %s\n\t", row->name, row->help);
	switch (row->type) {
	case RTK_PARAM_TYPE_U64:
	case RTK_PARAM_TYPE_S64:
		seq_printf(m, "%lld..%lld%s%s", row->min, row->max,
			   row->unit ? " " : "", row->unit ?: "");
		break;
	case RTK_PARAM_TYPE_BOOL:
		seq_puts(m, "0|1");
		break;
	case RTK_PARAM_TYPE_ENUM:
		seq_puts(m, rtk_param_choices(row, words, sizeof(words)));
		break;
	case RTK_PARAM_TYPE_CPULIST:
		seq_puts(m, "list of CPUs, such as 0,2-3");
		break;
	case RTK_PARAM_TYPE_STRING:
		seq_puts(m, "a word");
		break;
	case RTK_PARAM_TYPE_PCI:
		seq_puts(m, "auto, or a PCI device such as 0000:03:00.0");
		break;
	}
	seq_printf(m, ", default %s\n", *def ? def : "empty");
}

static int help_show(struct seq_file *m, void *unused)
{
	const struct rtk_inst *inst = m->private;
	unsigned int i;

	seq_printf(m, "%s: %s\n\n", inst->test->name, inst->test->summary);
	for (i = 0; i < rtk_param_count(inst->test); i++)
		help_show_row(m, inst->test, i);
	seq_puts(m, "\nenable: write 1 to start, 0 to stop; reads 1 while running\n"
		 "state, stats, histogram, outliers, current_value: the run, also while running\n"
		 "last_error: why the last write was refused\n");
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(help);

static const struct {
	const char *name;
	umode_t mode;
	const struct file_operations *fops;
} debugfs_files[] = {
	{ "enable", 0644, &enable_fops },
	{ "state", 0444, &state_fops },
	{ "stats", 0444, &rtk_debugfs_stats_fops },
	{ "histogram", 0444, &rtk_debugfs_hist_fops },
	{ "outliers", 0444, &rtk_debugfs_outliers_fops },
	{ "current_value", 0444, &rtk_debugfs_current_value_fops },
	{ "help", 0444, &help_fops },
	{ "last_error", 0444, &last_error_fops },
};

bool rtk_debugfs_reserved(const char *name)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(debugfs_files); i++)
		if (!strcmp(name, debugfs_files[i].name))
			return true;
	return !strcmp(name, "per_cpu");
}

static void debugfs_add_params(struct rtk_inst *inst)
{
	unsigned int i, n = rtk_param_count(inst->test);

	for (i = 0; i < n; i++) {
		inst->files[i].inst = inst;
		inst->files[i].number = i;
		debugfs_create_file(rtk_param_row(inst->test, i)->name, 0644,
				    inst->dir, &inst->files[i], &param_fops);
	}
}

static int wait_open(struct inode *inode, struct file *file)
{
	const struct rtk_file *wf = inode->i_private;

	/* A read is there to block; EAGAIN means that nothing is running. */
	if (file->f_flags & O_NONBLOCK)
		return -EINVAL;
	file->private_data = rtk_reader_new(wf->inst, wf->number);
	return file->private_data ? 0 : -ENOMEM;
}

static ssize_t wait_read(struct file *file, char __user *ubuf, size_t size,
			 loff_t *ppos)
{
	struct rtk_wait wait;
	int rc;

	if (size < sizeof(wait))
		return -EINVAL;
	rc = rtk_reader_wait(file->private_data, &wait);
	if (rc <= 0)
		return rc;
	return copy_to_user(ubuf, &wait, sizeof(wait)) ? -EFAULT : sizeof(wait);
}

static int wait_release(struct inode *inode, struct file *file)
{
	rtk_reader_free(file->private_data);
	return 0;
}

static const struct file_operations wait_fops = {
	.owner = THIS_MODULE,
	.open = wait_open,
	.read = wait_read,
	.release = wait_release,
};

/* A file for each CPU that could ever be measured. */
static void debugfs_add_readers(struct rtk_inst *inst)
{
	struct dentry *all = debugfs_create_dir("per_cpu", inst->dir);
	struct rtk_file *files = inst->files + rtk_param_count(inst->test);
	char name[16];
	int cpu;

	for_each_possible_cpu(cpu) {
		snprintf(name, sizeof(name), "cpu%d", cpu);
		files[cpu].inst = inst;
		files[cpu].number = cpu;
		debugfs_create_file("wait", 0444, debugfs_create_dir(name, all),
				    &files[cpu], &wait_fops);
	}
}

int rtk_debugfs_add(struct rtk_inst *inst)
{
	unsigned int i;

	/* No debugfs is no error: netlink can do everything. */
	if (IS_ERR(debugfs_root))
		return 0;
	inst->files = kvcalloc(rtk_param_count(inst->test) + nr_cpu_ids,
			       sizeof(*inst->files), GFP_KERNEL);
	if (!inst->files)
		return -ENOMEM;
	inst->dir = debugfs_create_dir(inst->test->name, debugfs_root);
	/* One of the same name is just being removed. */
	if (IS_ERR(inst->dir)) {
		int rc = PTR_ERR(inst->dir);

		rtk_debugfs_del(inst);
		return rc;
	}
	debugfs_add_params(inst);
	for (i = 0; i < ARRAY_SIZE(debugfs_files); i++)
		debugfs_create_file(debugfs_files[i].name, debugfs_files[i].mode,
				    inst->dir, inst, debugfs_files[i].fops);
	if (rtk_test_has_readers(inst->test))
		debugfs_add_readers(inst);
	return 0;
}

void rtk_debugfs_del(struct rtk_inst *inst)
{
	if (!IS_ERR(inst->dir))
		debugfs_remove(inst->dir);
	inst->dir = NULL;
	kvfree(inst->files);
	inst->files = NULL;
}

int rtk_debugfs_init(void)
{
	debugfs_root = debugfs_create_dir("rtk", NULL);
	if (debugfs_root == ERR_PTR(-EEXIST)) {
		pr_err("debugfs already has a directory rtk that is not ours\n");
		return -EEXIST;
	}
	if (IS_ERR(debugfs_root))
		pr_info("no debugfs (%ld): only netlink\n", PTR_ERR(debugfs_root));
	return 0;
}

void rtk_debugfs_exit(void)
{
	debugfs_remove(debugfs_root);
	debugfs_root = NULL;
}
