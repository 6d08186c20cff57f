// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "checkpoint.h"
#include "json.h"
#include "json_value.h"
#include "live.h"
#include "merge.h"
#include "outfile.h"
#include "util.h"
#include "verdict.h"

void rtk_checkpoint_begin(struct rtk_checkpoint *c)
{
	c->next_ns = rtk_mono_ns() + c->every_ns;
}

bool rtk_checkpoint_due(struct rtk_checkpoint *c)
{
	__s64 now = rtk_mono_ns();

	if (!c->every_ns || now < c->next_ns)
		return false;
	/* After a suspend, or a stall, one is enough. */
	c->next_ns += c->every_ns;
	if (c->next_ns < now)
		c->next_ns = now + c->every_ns;
	return true;
}

int rtk_checkpoint_sum(const struct rtk_checkpoint *c, struct rtk_result *r)
{
	int err = 0;

	if (c->every_ns)
		err = rtk_intervals_look(&r->intervals, &r->lanes, &r->outliers,
					 rtk_wall_ns(), rtk_mono_ns());
	if (!err)
		err = rtk_resume_merge(c->resume, r);
	return err ? err : rtk_result_summarize(r);
}

int rtk_checkpoint_judge(const struct rtk_checkpoint *c, struct rtk_result *r)
{
	int err = rtk_verdict_judge(r);

	if (!err && c->resume)
		err = rtk_merge_verdict(r, &c->resume->before);
	if (err)
		return err;
	r->environment = rtk_env_json(r);
	return r->environment ? 0 : -ENOMEM;
}

static int write_text(const struct rtk_checkpoint *c,
		      const struct rtk_result *r)
{
	char *text = rtk_json_text(r);
	int err = text ? rtk_outfile_save(c->path, text) : -ENOMEM;

	free(text);
	return err;
}

void rtk_checkpoint_save(struct rtk_checkpoint *c, const struct rtk_result *r)
{
	int err = write_text(c, r);

	if (!err == !c->failing)
		return;
	c->failing = err;
	if (c->live)
		rtk_live_clear();
	if (err)
		rtk_err("checkpoint %s: %s; the run goes on, the file is that of the checkpoint before",
			c->path, strerror(-err));
	else
		rtk_err("checkpoint %s: can be written again", c->path);
}
