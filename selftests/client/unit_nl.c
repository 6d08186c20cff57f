// SPDX-License-Identifier: GPL-2.0
/* What the module's messages say, right, cut and wrong, without a kernel. */
#include <errno.h>

#include "dgram.h"

static void put_test(struct dgram *d, const char *name)
{
	size_t info, series;

	genl(d, NLM_F_MULTI);
	attr_text(d, RTK_A_TEST, name);
	attr_u32(d, RTK_A_GENERATION, 7);
	info = nest(d, RTK_A_INFO);
	attr_text(d, RTK_A_INFO_VERSION, "0.1");
	attr_u32(d, RTK_A_INFO_FEATURES, 3);
	attr_text(d, RTK_A_INFO_SUMMARY, "measures");
	attr_u32(d, RTK_A_INFO_STATE, RTK_STATE_RUNNING);
	series = nest(d, RTK_A_INFO_SERIES);
	attr_text(d, RTK_A_SERIES_NAME, "irq");
	attr_text(d, RTK_A_SERIES_UNIT, "ns");
	attr(d, RTK_A_SERIES_LEDGER, "", 0);
	nest_end(d, series);
	series = nest(d, RTK_A_INFO_SERIES);
	attr_text(d, RTK_A_SERIES_NAME, "diff");
	attr(d, RTK_A_SERIES_SIGNED, "", 0);
	attr_text(d, 99, "of a newer module");
	nest_end(d, series);
	attr_u64(d, RTK_A_INFO_STARTED_WALL_NS, 1700000000123456789ULL);
	attr_text(d, 1000, "of a newer module");
	nest_end(d, info);
	attr_text(d, 500, "of a newer module");
	end(d);
}

static void put_param(struct dgram *d, const char *test, const char *name)
{
	size_t param;

	genl(d, NLM_F_MULTI);
	attr_text(d, RTK_A_TEST, test);
	param = nest(d, RTK_A_PARAM);
	attr_text(d, RTK_A_PARAM_NAME, name);
	attr_text(d, RTK_A_PARAM_VALUE, "250000");
	attr_text(d, RTK_A_PARAM_RUN_VALUE, "1000000");
	attr_u32(d, RTK_A_PARAM_TYPE, RTK_PARAM_TYPE_U64);
	attr_text(d, RTK_A_PARAM_UNIT, "ns");
	attr_u64(d, RTK_A_PARAM_MINIMUM, 10000);
	attr_u64(d, RTK_A_PARAM_MAXIMUM, 1000000000);
	attr_text(d, RTK_A_PARAM_DEFAULT, "250000");
	attr_text(d, RTK_A_PARAM_HELP, "period");
	nest_end(d, param);
	end(d);
}

static void test_tests(void)
{
	struct rtk_tests tests = { 0 };
	struct rtk_nl_reply r = reply(true, rtk_nl_msg_test, &tests);
	struct dgram d = { 0 };
	struct rtk_test *t;

	put_test(&d, "hrtimer");
	put_param(&d, "hrtimer", "period_ns");
	put_param(&d, "hrtimer", "offset_ns");
	put_test(&d, "other");
	put_param(&d, "other", "period_ns");
	ok_num(rtk_nl_reply_feed(&r, d.buf, d.len), 0, "two tests are read");
	ok(tests.n == 2 && tests.v[0].nparams == 2 && tests.v[1].nparams == 1,
	   "each with its parameters");
	t = &tests.v[0];
	ok(t->generation == 7 && t->state == RTK_STATE_RUNNING &&
	   t->features == 3 && !strcmp(t->version, "0.1"), "numbers and texts");
	ok(t->nseries == 2 && t->series[0].ledger && !t->series[0].is_signed &&
	   t->series[1].is_signed && !t->series[1].ledger &&
	   !strcmp(t->series[1].name, "diff"), "series");
	ok(t->started_wall_ns == 1700000000123456789LL &&
	   t->planned_ns == -1 && t->elapsed_ns == -1,
	   "what did not come is -1");
	ok(t->params[1].ranged && t->params[1].min == 10000 &&
	   t->params[1].max == 1000000000 &&
	   !strcmp(t->params[1].name, "offset_ns") &&
	   !strcmp(t->params[1].run_value, "1000000"), "a parameter");
	ok(rtk_test_param(t, "period_ns") && !rtk_test_param(t, "period"),
	   "parameters are found by name");
	rtk_tests_free(&tests);
}

static void test_bad_tests(void)
{
	char name[RTK_NAME_SIZE + 1];
	struct rtk_tests tests = { 0 };
	struct dgram d = { 0 };

	genl(&d, 0);
	end(&d);
	ok_num(rtk_nl_msg_test(head(&d), &tests), -EBADMSG, "a test without a name");
	memset(&d, 0, sizeof(d));
	memset(name, 'x', sizeof(name));
	genl(&d, 0);
	attr(&d, RTK_A_TEST, name, sizeof(name));
	end(&d);
	ok_num(rtk_nl_msg_test(head(&d), &tests), -EBADMSG, "a name that is too long");
	memset(&d, 0, sizeof(d));
	genl(&d, 0);
	attr(&d, RTK_A_TEST, "abc", 3);
	end(&d);
	ok(!rtk_nl_msg_test(head(&d), &tests) && !strcmp(tests.v[0].name, "abc"),
	   "a name without its zero");
	memset(&d, 0, sizeof(d));
	genl(&d, 0);
	attr_text(&d, RTK_A_TEST, "abc");
	attr(&d, RTK_A_GENERATION, "\1\0", 2);
	end(&d);
	ok_num(rtk_nl_msg_test(head(&d), &tests), -EBADMSG, "a number that is too short");
	rtk_tests_free(&tests);
}

static void put_item(struct dgram *d, int type, const char *name, __u64 value)
{
	size_t n = nest(d, type);

	attr_text(d, RTK_A_ITEM_NAME, name);
	attr_text(d, RTK_A_ITEM_UNIT, "ns");
	attr_u64(d, RTK_A_ITEM_VALUE, value);
	nest_end(d, n);
}

struct part {
	__u32 generation;
	__u32 cpu;
	bool lane;
	bool last;
	__u32 first;
	int buckets;
	__u64 total;
};

static void put_lane(struct dgram *d, const struct part *p)
{
	struct rtk_bucket b[64] = { 0 };
	size_t n;
	int i;

	genl(d, NLM_F_MULTI);
	attr_text(d, RTK_A_TEST, "hrtimer");
	attr_u32(d, RTK_A_GENERATION, p->generation);
	if (p->lane) {
		n = nest(d, RTK_A_LANE);
		attr_u32(d, RTK_A_LANE_CPU, p->cpu);
		attr_text(d, RTK_A_LANE_SERIES, "irq");
		attr_u64(d, RTK_A_LANE_COUNT, p->total);
		attr_u64(d, RTK_A_LANE_MAXIMUM, 77);
		attr_u64(d, RTK_A_LANE_SUM, 1000);
		attr_u64(d, RTK_A_LANE_MOMENTS_COUNT, p->total);
		attr_u64(d, RTK_A_LANE_EXPECTED, p->total);
		if (p->cpu == 1) {
			attr_u32(d, RTK_A_LANE_NMI, 3);
			put_item(d, RTK_A_LANE_COUNTER, "covered_ns", 1ULL << 40);
			put_item(d, RTK_A_LANE_COUNTER, "wall_ns", 5);
		}
		nest_end(d, n);
	}
	attr_u32(d, RTK_A_CPU, p->cpu);
	attr_text(d, RTK_A_SERIES, "irq");
	n = nest(d, RTK_A_HIST);
	attr_u32(d, RTK_A_HIST_SUB_BITS, RTK_HIST_SUB_BITS);
	for (i = 0; i < p->buckets; i++) {
		b[i].index = p->first + (__u32)i;
		b[i].count = 10;
	}
	attr(d, RTK_A_HIST_BUCKETS, b, (size_t)p->buckets * sizeof(*b));
	if (p->last)
		attr(d, RTK_A_HIST_END, "", 0);
	nest_end(d, n);
	end(d);
}

static int feed_lanes(struct rtk_lanes *lanes, const struct part *p, size_t n,
		      bool *interrupted)
{
	struct rtk_nl_reply r = reply(true, rtk_nl_msg_lane, lanes);
	struct dgram d = { 0 };
	size_t i;
	int err;

	memset(lanes, 0, sizeof(*lanes));
	for (i = 0; i < n; i++)
		put_lane(&d, &p[i]);
	err = rtk_nl_reply_feed(&r, d.buf, d.len);
	if (interrupted)
		*interrupted = r.interrupted;
	return err ? err : rtk_nl_lanes_check(lanes);
}

static void test_lanes(void)
{
	const struct part good[] = {
		{ 1, 0, true, false, 10, 60, 1000 },
		{ 1, 0, false, true, 90, 40, 0 },
		{ 1, 1, true, true, 0, 0, 0 },
		{ 1, 2, true, true, RTK_HIST_BUCKETS + 5, 2, 20 },
	};
	struct rtk_lanes lanes;

	ok_num(feed_lanes(&lanes, good, RTK_ARRAY_SIZE(good), NULL), 0,
	       "three lanes in four messages");
	ok(lanes.n == 3 && lanes.v[0].nbuckets == 100 &&
	   lanes.v[0].buckets[99].index == 129 && lanes.v[0].max == 77,
	   "with their buckets");
	ok(lanes.v[0].moments && !lanes.v[1].moments && lanes.v[1].ledger,
	   "an empty lane has no moments but a ledger");
	ok(lanes.v[1].nmi == 3 && lanes.v[1].counters.n == 2 &&
	   rtk_items_value(&lanes.v[1].counters, "covered_ns") == 1LL << 40 &&
	   rtk_items_value(&lanes.v[1].counters, "wall_ns") == 5 &&
	   rtk_items_value(&lanes.v[1].counters, "wall") == -1,
	   "NMIs and the test's own counters");
	ok(lanes.v[0].nmi == -1 && !lanes.v[0].counters.n,
	   "which another lane does not have");
	rtk_lanes_free(&lanes);
}

static void test_bad_lanes(void)
{
	static const struct {
		const char *what;
		struct part p[3];
		size_t n;
	} rows[] = {
		{ "a lane without its last message",
		  { { 1, 0, true, false, 10, 10, 100 } }, 1 },
		{ "a lane of which a message is missing",
		  { { 1, 0, true, true, 10, 10, 200 } }, 1 },
		{ "buckets before any lane",
		  { { 1, 0, false, true, 10, 10, 0 } }, 1 },
		{ "buckets of another CPU's lane",
		  { { 1, 0, true, false, 10, 10, 200 },
		    { 1, 1, false, true, 20, 10, 0 } }, 2 },
		{ "buckets behind a lane's end",
		  { { 1, 0, true, true, 10, 10, 100 },
		    { 1, 0, false, true, 20, 10, 0 } }, 2 },
		{ "a bucket out of range",
		  { { 1, 0, true, true, 2 * RTK_HIST_BUCKETS, 1, 10 } }, 1 },
	};
	const struct part two_runs[] = {
		{ 1, 0, true, true, 10, 10, 100 },
		{ 2, 0, true, true, 10, 10, 100 },
	};
	struct rtk_lanes lanes;
	bool interrupted;
	size_t i;

	for (i = 0; i < RTK_ARRAY_SIZE(rows); i++) {
		ok_num(feed_lanes(&lanes, rows[i].p, rows[i].n, NULL), -EBADMSG,
		       "%s is refused", rows[i].what);
		rtk_lanes_free(&lanes);
	}
	ok(!feed_lanes(&lanes, two_runs, 2, &interrupted) && interrupted,
	   "lanes of two runs count as interrupted");
	rtk_lanes_free(&lanes);
}

/* With one detail more than there is room for. */
static void put_outlier(struct dgram *d)
{
	size_t n;
	int i;

	genl(d, NLM_F_MULTI);
	attr_text(d, RTK_A_TEST, "hrtimer");
	attr_u32(d, RTK_A_GENERATION, 1);
	n = nest(d, RTK_A_OUTLIER);
	attr(d, RTK_A_OUTLIER_WORST, "", 0);
	attr_u32(d, RTK_A_OUTLIER_CPU, 3);
	attr_text(d, RTK_A_OUTLIER_SERIES, "irq");
	attr_u64(d, RTK_A_OUTLIER_VALUE, (__u64)-5);
	attr_u64(d, RTK_A_OUTLIER_MONO_NS, 1000);
	attr_u32(d, RTK_A_OUTLIER_PID, 12);
	attr_text(d, RTK_A_OUTLIER_COMM, "ksoftirqd/3");
	attr_u32(d, RTK_A_OUTLIER_IRQ, 2);
	attr_u32(d, RTK_A_OUTLIER_SOFTIRQ, 0);
	attr_u32(d, RTK_A_OUTLIER_NMI, 0xffffffff);
	for (i = 0; i < RTK_ITEMS_MAX + 1; i++)
		put_item(d, RTK_A_OUTLIER_DETAIL, i ? "watching" : "inner_ns",
			 (__u64)i);
	nest_end(d, n);
	end(d);
}

static void test_outliers(void)
{
	struct rtk_outliers list = { 0 };
	struct rtk_nl_reply r = reply(true, rtk_nl_msg_outlier, &list);
	struct dgram d = { 0 };
	struct rtk_outlier *o;

	put_outlier(&d);
	ok_num(rtk_nl_reply_feed(&r, d.buf, d.len), 0, "an outlier is read");
	o = list.v;
	ok(list.n == 1 && o->worst && o->cpu == 3 && o->value == -5 &&
	   o->wall_ns == -1 && o->mono_ns == 1000 && o->pid == 12 &&
	   !strcmp(o->comm, "ksoftirqd/3"), "with everything");
	ok(o->irq == 2 && !o->softirq && o->nmi == 0xffffffff && o->smi == -1,
	   "counters that are there, and one that is not");
	ok(o->details.n == RTK_ITEMS_MAX &&
	   !rtk_items_value(&o->details, "inner_ns") &&
	   rtk_items_value(&o->details, "watching") == 1,
	   "details, as far as there is room");
	rtk_outliers_free(&list);
}

static void put_event(struct dgram *d, bool state)
{
	size_t n;

	genl(d, 0);
	attr_text(d, RTK_A_TEST, "hrtimer");
	attr_u32(d, RTK_A_GENERATION, 7);
	n = nest(d, state ? RTK_A_INFO : RTK_A_EVENT);
	if (state) {
		attr_u32(d, RTK_A_INFO_STATE, RTK_STATE_DONE);
		attr_text(d, RTK_A_INFO_REASON, "duration");
	} else {
		attr_u64(d, RTK_A_EVENT_NEW, 5);
		attr_u64(d, RTK_A_EVENT_LOST, 2);
	}
	nest_end(d, n);
	if (!state) {
		n = nest(d, RTK_A_OUTLIER);
		attr_u32(d, RTK_A_OUTLIER_CPU, 1);
		attr_text(d, RTK_A_OUTLIER_SERIES, "thread");
		attr_u64(d, RTK_A_OUTLIER_VALUE, 12345);
		nest_end(d, n);
	}
	end(d);
}

static void test_events(void)
{
	struct dgram d = { 0 }, bad = { 0 };
	struct rtk_event e;
	size_t n;

	rtk_event_init(&e);
	put_event(&d, true);
	ok(!rtk_nl_msg_event(head(&d), &e) && e.is_state && !e.has_worst &&
	   e.test.generation == 7 && e.test.state == RTK_STATE_DONE &&
	   !strcmp(e.test.reason, "duration"), "an event: the end of a run");
	rtk_event_free(&e);

	memset(&d, 0, sizeof(d));
	put_event(&d, false);
	ok(!rtk_nl_msg_event(head(&d), &e) && !e.is_state && e.fresh == 5 &&
	   e.lost == 2 && e.has_worst && e.worst.value == 12345 &&
	   e.worst.irq == -1 && !strcmp(e.test.name, "hrtimer"),
	   "an event: outliers");
	rtk_event_free(&e);

	genl(&bad, 0);
	attr_text(&bad, RTK_A_TEST, "hrtimer");
	n = nest(&bad, RTK_A_EVENT);
	attr_u32(&bad, RTK_A_EVENT_NEW, 5);
	nest_end(&bad, n);
	end(&bad);
	ok_num(rtk_nl_msg_event(head(&bad), &e), -EBADMSG,
	       "an event with a short number is refused");
	rtk_event_free(&e);
}

/* Damaged messages are refused or misread, but nothing else happens. */
static void test_damage(void)
{
	const struct part lane = { 1, 0, true, true, 10, 60, 600 };
	struct rtk_outliers outliers = { 0 };
	struct rtk_tests tests = { 0 };
	struct rtk_lanes lanes = { 0 };
	struct { void *fn; void *arg; } to[] = {
		{ rtk_nl_msg_test, &tests },
		{ rtk_nl_msg_lane, &lanes },
		{ rtk_nl_msg_outlier, &outliers },
	};
	struct rtk_nl_reply r;
	struct dgram good = { 0 }, d;
	char *exact;
	unsigned int seed = 1;
	int i, k;

	put_test(&good, "hrtimer");
	put_param(&good, "hrtimer", "period_ns");
	put_lane(&good, &lane);
	put_outlier(&good);
	put_error(&good, NLM_F_CAPPED, -EINVAL, "text");
	for (i = 0; i < 30000; i++) {
		d = good;
		for (k = rand_r(&seed) % 4; k >= 0; k--)
			d.buf[(size_t)rand_r(&seed) % d.len] = (char)rand_r(&seed);
		if (i % 3 == 0)
			d.len = (size_t)rand_r(&seed) % d.len;
		/* A block of its own lets the sanitizers see an overrun. */
		exact = malloc(d.len + 1);
		memcpy(exact, d.buf, d.len);
		r = reply(true, to[i % 3].fn, to[i % 3].arg);
		rtk_nl_reply_feed(&r, exact, d.len);
		rtk_nl_lanes_check(&lanes);
		free(exact);
		rtk_tests_free(&tests);
		rtk_lanes_free(&lanes);
		rtk_outliers_free(&outliers);
	}
	ok(true, "30000 damaged datagrams do no harm");
}

int main(void)
{
	tap_begin();
	test_tests();
	test_bad_tests();
	test_lanes();
	test_bad_lanes();
	test_outliers();
	test_events();
	test_damage();
	return tap_end();
}
