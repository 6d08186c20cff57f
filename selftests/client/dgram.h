/* SPDX-License-Identifier: GPL-2.0 */
/* Datagrams of the module, made up piece by piece. */
#ifndef DGRAM_H
#define DGRAM_H

#include <linux/genetlink.h>

#include "nl_msg.h"
#include "tap.h"
#include "util.h"

#define SEQ 42
#define PORT 4711
#define FAMILY 0x1d

/* A datagram under construction. */
struct dgram {
	char buf[8192] __attribute__((aligned(8)));
	size_t len;
	size_t msg;
};

static inline struct nlmsghdr *head(struct dgram *d)
{
	return (struct nlmsghdr *)(d->buf + d->msg);
}

static inline void begin(struct dgram *d, int type, int flags)
{
	d->msg = d->len;
	*head(d) = (struct nlmsghdr){
		.nlmsg_type = (__u16)type,
		.nlmsg_flags = (__u16)flags,
		.nlmsg_seq = SEQ,
		.nlmsg_pid = PORT,
	};
	d->len += sizeof(struct nlmsghdr);
}

static inline void raw(struct dgram *d, const void *data, size_t len)
{
	memcpy(d->buf + d->len, data, len);
	memset(d->buf + d->len + len, 0, NLMSG_ALIGN(len) - len);
	d->len += NLMSG_ALIGN(len);
}

static inline void end(struct dgram *d)
{
	head(d)->nlmsg_len = (__u32)(d->len - d->msg);
}

static inline void genl(struct dgram *d, int flags)
{
	struct genlmsghdr g = { .cmd = 1, .version = 1 };

	begin(d, FAMILY, flags);
	raw(d, &g, sizeof(g));
}

static inline void attr(struct dgram *d, int type, const void *data, size_t len)
{
	struct nlattr a = { (__u16)(NLA_HDRLEN + len), (__u16)type };

	memcpy(d->buf + d->len, &a, sizeof(a));
	d->len += sizeof(a);
	raw(d, data, len);
}

static inline void attr_u32(struct dgram *d, int type, __u32 v)
{
	attr(d, type, &v, sizeof(v));
}

static inline void attr_u64(struct dgram *d, int type, __u64 v)
{
	attr(d, type, &v, sizeof(v));
}

static inline void attr_text(struct dgram *d, int type, const char *s)
{
	attr(d, type, s, strlen(s) + 1);
}

static inline size_t nest(struct dgram *d, int type)
{
	size_t at = d->len;

	attr(d, type | NLA_F_NESTED, "", 0);
	return at;
}

static inline void nest_end(struct dgram *d, size_t at)
{
	((struct nlattr *)(d->buf + at))->nla_len = (__u16)(d->len - at);
}

static inline void done(struct dgram *d, int flags, int error)
{
	begin(d, NLMSG_DONE, flags | NLM_F_MULTI);
	raw(d, &error, sizeof(error));
	end(d);
}

static inline struct rtk_nl_reply reply(bool dump, void *message, void *arg)
{
	struct rtk_nl_reply r = { .seq = SEQ, .port = PORT, .dump = dump };

	r.message = message;
	r.arg = arg;
	return r;
}

static inline void put_error(struct dgram *d, int flags, int error,
			     const char *text)
{
	struct nlmsgerr e = { .error = error };
	char request[32] = "the request comes back";

	e.msg.nlmsg_len = NLMSG_HDRLEN + sizeof(request);
	begin(d, NLMSG_ERROR, flags | NLM_F_ACK_TLVS);
	raw(d, &e, sizeof(e));
	if (!(flags & NLM_F_CAPPED))
		raw(d, request, sizeof(request));
	attr_text(d, NLMSGERR_ATTR_MSG, text);
	attr_u32(d, NLMSGERR_ATTR_OFFS, 28);
	end(d);
}

#endif
