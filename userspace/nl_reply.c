// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <string.h>
#include <netlink/attr.h>

#include "nl_msg.h"
#include "util.h"

/* Extended ack: attributes behind the fixed part of an error or a DONE. */
static void read_extack(struct rtk_nl_reply *r, const struct nlmsghdr *nlh,
			size_t skip)
{
	const char *data = (const char *)nlh + NLMSG_HDRLEN + skip;
	struct nlattr *nla;
	size_t len;
	int rem;

	if (!(nlh->nlmsg_flags & NLM_F_ACK_TLVS) ||
	    nlh->nlmsg_len < NLMSG_HDRLEN + skip)
		return;
	len = nlh->nlmsg_len - NLMSG_HDRLEN - skip;
	nla_for_each_attr(nla, (struct nlattr *)data, (int)len, rem) {
		if (nla_type(nla) == NLMSGERR_ATTR_MSG && nla_len(nla) > 0) {
			len = strnlen(nla_data(nla), (size_t)nla_len(nla));
			if (len >= sizeof(r->text))
				len = sizeof(r->text) - 1;
			memcpy(r->text, nla_data(nla), len);
			r->text[len] = '\0';
		}
		if (nla_type(nla) == NLMSGERR_ATTR_OFFS && nla_len(nla) == 4)
			r->offset = nla_get_u32(nla);
	}
}

/* Kernel errors are negative; anything else there is not an error of ours. */
static int take_error(struct rtk_nl_reply *r, int error)
{
	if (error > 0 || error < -4095)
		return -EBADMSG;
	r->error = error;
	return 0;
}

static int feed_error(struct rtk_nl_reply *r, const struct nlmsghdr *nlh)
{
	const struct nlmsgerr *err;
	size_t skip = sizeof(*err);

	if (nlh->nlmsg_len < NLMSG_HDRLEN + sizeof(*err))
		return -EBADMSG;
	err = (const void *)((const char *)nlh + NLMSG_HDRLEN);
	/* Without NLM_F_CAPPED the whole request stands before the ack. */
	if (!(nlh->nlmsg_flags & NLM_F_CAPPED) && err->error) {
		if (err->msg.nlmsg_len < NLMSG_HDRLEN)
			return -EBADMSG;
		skip += NLMSG_ALIGN(err->msg.nlmsg_len) - NLMSG_HDRLEN;
	}
	read_extack(r, nlh, skip);
	r->done = true;
	return take_error(r, err->error);
}

static int feed_done(struct rtk_nl_reply *r, const struct nlmsghdr *nlh)
{
	int error = 0;

	if (nlh->nlmsg_len >= NLMSG_HDRLEN + sizeof(error)) {
		memcpy(&error, (const char *)nlh + NLMSG_HDRLEN, sizeof(error));
		read_extack(r, nlh, sizeof(error));
	}
	r->done = true;
	return take_error(r, error);
}

static int feed_one(struct rtk_nl_reply *r, const struct nlmsghdr *nlh)
{
	int err;

	if (nlh->nlmsg_flags & NLM_F_DUMP_INTR)
		r->interrupted = true;
	switch (nlh->nlmsg_type) {
	case NLMSG_NOOP:
		return 0;
	case NLMSG_OVERRUN:
		return -ENOBUFS;
	case NLMSG_ERROR:
		return feed_error(r, nlh);
	case NLMSG_DONE:
		return feed_done(r, nlh);
	}
	if (nlh->nlmsg_type < NLMSG_MIN_TYPE)
		return -EBADMSG;
	/* A dump's data without MULTI would have no end that we could trust. */
	if (r->dump && !(nlh->nlmsg_flags & NLM_F_MULTI))
		return -EBADMSG;
	err = r->message ? r->message(nlh, r->arg) : 0;
	/* Another run began meanwhile: read on to the end, then ask again. */
	if (err == -EINTR) {
		r->interrupted = true;
		err = 0;
	}
	return err;
}

int rtk_nl_reply_feed(struct rtk_nl_reply *r, const void *buf, size_t len)
{
	const struct nlmsghdr *nlh;
	size_t step;
	int err;

	while (len >= sizeof(*nlh)) {
		nlh = buf;
		if (nlh->nlmsg_len < sizeof(*nlh) || nlh->nlmsg_len > len)
			return -EBADMSG;
		/* An answer to an earlier request that was given up. */
		if (nlh->nlmsg_seq == r->seq && nlh->nlmsg_pid == r->port &&
		    !r->done) {
			err = feed_one(r, nlh);
			if (err)
				return err;
		}
		step = NLMSG_ALIGN(nlh->nlmsg_len);
		if (step > len)
			step = len;
		buf = (const char *)buf + step;
		len -= step;
	}
	return len ? -EBADMSG : 0;
}

int rtk_nl_lanes_check(const struct rtk_lanes *lanes)
{
	const struct rtk_lane *lane;
	__u64 sum;
	size_t i, k;

	for (i = 0; i < lanes->n; i++) {
		lane = &lanes->v[i];
		sum = 0;
		for (k = 0; k < lane->nbuckets; k++) {
			if (lane->buckets[k].index >= 2 * RTK_HIST_BUCKETS)
				return -EBADMSG;
			sum += lane->buckets[k].count;
		}
		if (!lane->complete || sum != lane->count)
			return -EBADMSG;
	}
	return 0;
}
