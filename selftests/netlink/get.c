// SPDX-License-Identifier: GPL-2.0
/*
 * Whole dumps, and what every test does before and after.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "nl.h"

int get_desc(struct nl *nl, struct desc *desc)
{
	memset(desc, 0, sizeof(*desc));
	return nl_call(nl, nl_dump(nl, RTK_CMD_TEST_GET, TEST_NAME, -1, NULL), desc_cb, desc);
}

int get_stats(struct nl *nl, struct lanes *lanes)
{
	lanes->n = 0;
	return nl_call(nl, nl_dump(nl, RTK_CMD_STATS_GET, TEST_NAME, -1, NULL), stats_cb, lanes);
}

int get_hist(struct nl *nl, struct lanes *lanes)
{
	lanes->n = 0;
	return nl_call(nl, nl_dump(nl, RTK_CMD_HIST_GET, TEST_NAME, -1, NULL), hist_cb, lanes);
}

int get_samples(struct nl *nl, struct samples *samples)
{
	samples->n = 0;
	return nl_call(nl, nl_dump(nl, RTK_CMD_OUTLIER_GET, TEST_NAME, -1, NULL),
		       samples_cb, samples);
}

int get_info(struct nl *nl, struct info *info)
{
	struct nlmsghdr *nlh = nl_begin(nl, RTK_CMD_TEST_GET, NLM_F_ACK);
	static struct desc desc;
	int rc;

	memset(&desc, 0, sizeof(desc));
	mnl_attr_put_strz(nlh, RTK_A_TEST, TEST_NAME);
	rc = nl_call(nl, nlh, desc_cb, &desc);
	if (!rc && (desc.n_infos != 1 || desc.n_params))
		rc = -EBADMSG;
	*info = desc.info;
	return rc;
}

const struct param *find_param(const struct desc *desc, const char *name)
{
	unsigned int i;

	for (i = 0; i < desc->n_params; i++)
		if (!strcmp(desc->param[i].name, name))
			return &desc->param[i];
	return NULL;
}

bool same_desc(struct nl *nl, const struct desc *before, struct desc *now)
{
	unsigned int i;

	if (get_desc(nl, now) || now->n_params != before->n_params ||
	    now->info.generation != before->info.generation ||
	    now->info.state != before->info.state)
		return false;
	for (i = 0; i < before->n_params; i++)
		if (strcmp(before->param[i].value, now->param[i].value))
			return false;
	return true;
}

int wait_end(struct nl *nl, unsigned int seconds, struct info *info)
{
	time_t end = time(NULL) + seconds;
	int rc;

	for (;;) {
		rc = get_info(nl, info);
		if (rc || (info->state != RTK_STATE_RUNNING &&
			   info->state != RTK_STATE_STOPPING))
			return rc;
		if (time(NULL) > end) {
			fprintf(stderr, "# still running after %u s\n", seconds);
			return -ETIME;
		}
		usleep(20000);
	}
}

/* In one request: single steps might not fit together. */
static int set_defaults(struct nl *nl)
{
	static struct desc desc;
	const char *pairs[2 * NL_PARAMS_MAX + 1] = {};
	unsigned int i;
	int rc = get_desc(nl, &desc);

	for (i = 0; i < desc.n_params; i++) {
		pairs[2 * i] = desc.param[i].name;
		pairs[2 * i + 1] = desc.param[i].def;
	}
	return rc ?: nl_command(nl, RTK_CMD_SET, false, pairs);
}

int clean_slate(struct nl *nl)
{
	int rc = nl_command(nl, RTK_CMD_STOP, false, NULL);

	if (!rc)
		rc = nl_command(nl, RTK_CMD_RESET, false, NULL);
	if (!rc)
		rc = set_defaults(nl);
	if (rc)
		fprintf(stderr, "# no way back to the first state: %s\n", strerror(-rc));
	return rc;
}

int read_debugfs(const char *name, char *buf, size_t size)
{
	char path[256];
	FILE *f;

	snprintf(path, sizeof(path), DEBUGFS_DIR "%s", name);
	f = fopen(path, "r");
	if (!f)
		return -errno;
	if (!fgets(buf, size, f))
		buf[0] = '\0';
	buf[strcspn(buf, "\n")] = '\0';
	fclose(f);
	return 0;
}
