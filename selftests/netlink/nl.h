/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The family rtk by libmnl, for tests: every message is looked at strictly and,
 * where nothing else is said, received in 4 KiB.
 */
#ifndef RTK_SELFTEST_NL_H
#define RTK_SELFTEST_NL_H

#include <stdbool.h>
#include <stddef.h>

#include <libmnl/libmnl.h>
#include <linux/genetlink.h>
#include <linux/rtk.h>
#include <linux/rtk_hist.h>
#include <linux/types.h>

#include "../debugfs.h"

/* What a receiver must offer, and what a message must not exceed. */
#define NL_RECV_SIZE	4096
#define NL_MESSAGE_MAX	3584
/* What a receiver may offer; the kernel then packs that full. */
#define NL_RECV_LARGE	32768

#define NL_PARAMS_MAX	64
#define NL_LANES_MAX	32
#define NL_SAMPLES_MAX	20000

/**
 * struct nl - a socket and what came of its last request
 * @sock: socket
 * @portid: its number
 * @family: number of the family rtk
 * @seq: sequence number of the last request
 * @done: the request has been answered in full
 * @intr: NLM_F_DUMP_INTR was seen
 * @messages: answers to it
 * @reads: receptions that they took, the end of a dump included
 * @largest: size of the largest of them, bytes
 * @offset: offset of the attribute at fault in the request, 0 for none
 * @miss_type: type of the attribute that is missing, 0 for none
 * @miss_nest: offset of the nest that it is missing in, 0 for the top
 * @text: text of the extended ack
 * @generation: generation that the last answer gave
 * @no_address: send as write() does, without the address of the kernel
 * @room: bytes offered to a message, at first NL_RECV_SIZE
 * @req: the request
 * @buf: receive buffer
 */
struct nl {
	struct mnl_socket *sock;
	unsigned int portid;
	__u16 family;
	__u32 seq;
	bool done;
	bool intr;
	unsigned int messages;
	unsigned int reads;
	size_t largest;
	__u32 offset;
	__u32 miss_type;
	__u32 miss_nest;
	char text[128];
	__u32 generation;
	bool no_address;
	size_t room;
	char req[16384] __attribute__((aligned(8)));
	char buf[NL_RECV_LARGE] __attribute__((aligned(8)));
};

/* Handles an answer; not 0 makes the call fail with -EBADMSG. */
typedef int (*nl_cb)(const struct nlmsghdr *nlh, void *data);

/* nl.c: transport. Functions return 0 or -errno. */

/* Opens a socket; nl_open() also looks for the family. */
int nl_socket(struct nl *nl);
int nl_open(struct nl *nl);
void nl_close(struct nl *nl);
/* Looks for a family by name: -ENOENT where there is none. */
int nl_family(struct nl *nl, const char *name);
/* The number of the group of events, and membership in it. */
int nl_group(struct nl *nl, __u32 *group);
int nl_join(struct nl *nl, __u32 group);
/* Begins a request. */
struct nlmsghdr *nl_begin(struct nl *nl, int cmd, int flags);
void nl_put_param(struct nlmsghdr *nlh, const char *name, const char *value);
/* An attribute of a request as its policy wants it; not a parameter. */
void nl_put_right(struct nlmsghdr *nlh, int type, __u32 cpu, const char *series);
int nl_send(struct nl *nl, struct nlmsghdr *nlh);
/* Receives once and handles what came; nl->done at the end of the answer. */
int nl_receive(struct nl *nl, nl_cb cb, void *data);
/* Hands on whatever has come, errors too; without waiting, to the last of it. */
int nl_drain(struct nl *nl, nl_cb cb, void *data);
/* Sends and receives to the end. */
int nl_call(struct nl *nl, struct nlmsghdr *nlh, nl_cb cb, void *data);
/**
 * nl_command() - test, maybe parameters, and an ack
 * @nl: socket
 * @cmd: RTK_CMD_SET, START, STOP or RESET
 * @detach: with RTK_A_DETACH
 * @pairs: "name", "value", ..., NULL; or NULL
 */
int nl_command(struct nl *nl, int cmd, bool detach, const char * const *pairs);
/* Dump of RTK_CMD_*_GET with filters; cpu < 0 and NULL are none. */
struct nlmsghdr *nl_dump(struct nl *nl, int cmd, const char *test, int cpu,
			 const char *series);

/* reply.c: what is in the answers */

struct info {
	__u32 generation;
	char test[32];
	char version[64];
	char summary[256];
	char reason[64];
	char last_error[512];
	__u32 features;
	__u32 state;
	unsigned int n_series;
	char series[8][32];
	char series_unit[8][16];
	bool series_ledger[8];
	bool has_run;
	char cpus[512];
	char lost[512];
	bool has_end;
	__u64 started_wall;
	__u64 started_mono;
	__u64 ended_mono;
	__u64 elapsed;
	__u64 planned;
	__u32 owner_pid;
	char owner_comm[32];
};

struct param {
	char name[32];
	char value[2048];
	bool has_run_value;
	char run_value[2048];
	__u32 type;
	char unit[16];
	bool has_range;
	__s64 min;
	__s64 max;
	char def[2048];
	char choices[256];
	char help[512];
};

struct desc {
	unsigned int n_infos;
	struct info info;
	unsigned int n_params;
	struct param param[NL_PARAMS_MAX];
	bool mixed;
};

struct lane {
	__u32 generation;
	__u32 cpu;
	char series[32];
	char unit[16];
	bool running;
	bool has_moments;
	bool has_ledger;
	bool has_end;
	__u64 count;
	__u64 negative;
	__u64 wrong_cpu;
	__s64 min;
	__s64 max;
	__s64 last;
	__u64 moments_count;
	__s64 sum;
	unsigned __int128 sumsq;
	__u64 period;
	__u64 expected;
	__u64 delivered;
	__u64 late;
	__u64 missed;
	__u64 ended;
	__u64 outliers;
	/* hist-get only */
	unsigned int messages;
	unsigned int n_buckets;
	bool end;
	__u64 buckets[RTK_HIST_BUCKETS];
};

struct lanes {
	unsigned int n;
	struct lane lane[NL_LANES_MAX];
};

struct sample {
	bool worst;
	bool has_task;
	__u32 cpu;
	char series[32];
	__s64 value;
	__u64 sequence;
	__u64 wall;
	__u64 mono;
	__u32 pid;
	char comm[32];
};

struct samples {
	unsigned int n;
	struct sample sample[NL_SAMPLES_MAX];
};

/* Callbacks for the dumps of test-get, stats-get, hist-get and outlier-get. */
int desc_cb(const struct nlmsghdr *nlh, void *desc);
int stats_cb(const struct nlmsghdr *nlh, void *lanes);
int hist_cb(const struct nlmsghdr *nlh, void *lanes);
int samples_cb(const struct nlmsghdr *nlh, void *samples);

/* get.c: whole dumps, from nothing */

int get_desc(struct nl *nl, struct desc *desc);
int get_stats(struct nl *nl, struct lanes *lanes);
int get_hist(struct nl *nl, struct lanes *lanes);
int get_samples(struct nl *nl, struct samples *samples);
/* test-get for one test. */
int get_info(struct nl *nl, struct info *info);
const struct param *find_param(const struct desc *desc, const char *name);
/* Reads the description anew; is all of it, but for last-error, as it was? */
bool same_desc(struct nl *nl, const struct desc *before, struct desc *now);
/* Waits up to so many seconds for the run's end. */
int wait_end(struct nl *nl, unsigned int seconds, struct info *info);
/* Stops, drops results, and sets every parameter to its default. */
int clean_slate(struct nl *nl);
/* First line of a file of debugfs, without its newline. */
int read_debugfs(const char *name, char *buf, size_t size);

#endif /* RTK_SELFTEST_NL_H */
