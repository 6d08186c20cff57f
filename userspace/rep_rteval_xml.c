// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <math.h>
#include <string.h>
#include <linux/rtk_version.h>

#include "json.h"
#include "rep.h"
#include "rep_xml.h"
#include "rteval.h"

/* The structure is that of rteval's summary.xml since version 2. */

static void put_run(struct rtk_xml *x, const struct rtk_rteval *t)
{
	rtk_xml_open(x, "run_info");
	rtk_xml_attr(x, "days", "%lld", t->days);
	rtk_xml_attr(x, "hours", "%d", t->hours);
	rtk_xml_attr(x, "minutes", "%d", t->minutes);
	rtk_xml_attr(x, "seconds", "%d", t->seconds);
	rtk_xml_leaf(x, "date", "%s", t->date);
	rtk_xml_leaf(x, "time", "%s", t->time);
	rtk_xml_leaf(x, "annotate", "%s", t->remark);
	rtk_xml_close(x);
}

static void put_uname(struct rtk_xml *x, const struct rtk_rteval *t)
{
	rtk_xml_open(x, "uname");
	rtk_xml_leaf(x, "baseos", "%s", rtk_rteval_fact(t, "base_os"));
	rtk_xml_leaf(x, "node", "%s", rtk_rteval_fact(t, "node"));
	rtk_xml_leaf(x, "arch", "%s", rtk_rteval_fact(t, "machine"));
	rtk_xml_open(x, "kernel");
	rtk_xml_attr(x, "is_RT", "%d", t->r->env.rt > 0);
	rtk_xml_text(x, "%s", rtk_rteval_fact(t, "kernel_release"));
	rtk_xml_close(x);
	rtk_xml_close(x);
}

static void put_clocks(struct rtk_xml *x, const struct rtk_rteval *t)
{
	const char *current = rtk_rteval_fact(t, "clocksource");
	const char *name = rtk_result_env(t->r, "clocksources") ?: current;
	size_t len;

	rtk_xml_open(x, "Kernel");
	rtk_xml_open(x, "ClockSource");
	for (; *name; name += len + strspn(name + len, " ")) {
		len = strcspn(name, " ");
		rtk_xml_open(x, "source");
		rtk_xml_attr(x, "current", "%d",
			     strlen(current) == len &&
				     !strncmp(current, name, len));
		rtk_xml_text(x, "%.*s", (int)len, name);
		rtk_xml_close(x);
	}
	rtk_xml_close(x);
	rtk_xml_close(x);
}

static void put_hardware(struct rtk_xml *x, const struct rtk_rteval *t)
{
	__s64 nodes = rtk_rteval_number(t, "numa_nodes");

	rtk_xml_open(x, "CPUtopology");
	rtk_xml_attr(x, "num_cpu_cores", "%zu", t->cpus);
	rtk_xml_attr(x, "num_cpu_cores_online", "%zu", t->online);
	rtk_xml_close(x);
	rtk_xml_open(x, "Memory");
	if (nodes >= 0)
		rtk_xml_leaf(x, "numa_nodes", "%lld", nodes);
	if (*t->memory) {
		rtk_xml_open(x, "memory_size");
		rtk_xml_attr(x, "unit", "%s", t->memory_unit);
		rtk_xml_text(x, "%s", t->memory);
		rtk_xml_close(x);
	}
	rtk_xml_close(x);
}

static void put_firmware(struct rtk_xml *x, const struct rtk_rteval *t)
{
	rtk_xml_open(x, "DMIinfo");
	rtk_xml_open(x, "HardwareInfo");
	rtk_xml_open(x, "GeneralInfo");
	rtk_xml_leaf(x, "Manufacturer", "%s", rtk_rteval_dmi(t, "vendor"));
	rtk_xml_leaf(x, "ProductName", "%s", rtk_rteval_dmi(t, "product"));
	rtk_xml_close(x);
	rtk_xml_open(x, "BIOS");
	rtk_xml_attr(x, "Version", "%s", rtk_rteval_dmi(t, "bios_version"));
	rtk_xml_attr(x, "ReleaseDate", "%s", rtk_rteval_dmi(t, "bios_date"));
	rtk_xml_text(x, "%s", rtk_rteval_dmi(t, "bios_vendor"));
	rtk_xml_close(x);
	rtk_xml_close(x);
	rtk_xml_close(x);
}

static void put_machine(struct rtk_xml *x, const struct rtk_rteval *t)
{
	rtk_xml_open(x, "SystemInfo");
	put_uname(x, t);
	put_clocks(x, t);
	put_hardware(x, t);
	rtk_xml_open(x, "cmdlineInfo");
	rtk_xml_leaf(x, "cmdline", "%s", rtk_rteval_fact(t, "cmdline"));
	rtk_xml_close(x);
	put_firmware(x, t);
	rtk_xml_close(x);
	rtk_xml_open(x, "loads");
	if (t->r->env.load[0] >= 0)
		rtk_xml_attr(x, "load_average", "%g", t->r->env.load[0]);
	rtk_xml_close(x);
}

static void put_stats(struct rtk_xml *x, const struct rtk_rteval *t,
		      const struct rtk_summary *s)
{
	struct rtk_rteval_stat v[RTK_RTEVAL_STATS];
	size_t n = rtk_rteval_stats(t, s, v), i;

	rtk_xml_open(x, "statistics");
	rtk_xml_leaf(x, "samples", "%llu", s->count);
	for (i = 0; i < n; i++) {
		rtk_xml_open(x, v[i].tag);
		rtk_xml_attr(x, "unit", "%s", t->unit);
		rtk_xml_text(x, "%.*g", v[i].digits, v[i].v);
		rtk_xml_close(x);
	}
	rtk_xml_close(x);
}

/* The whole microsecond in which the middle of a bucket lies. */
static __s64 row_index(const struct rtk_rteval *t, const struct rtk_row *row)
{
	double middle =
		(double)row->low + (double)(row->high - 1 - row->low) / 2;

	return (__s64)floor(middle * t->scale);
}

/* Several of our buckets may be one of rteval's. */
static __u64 take_bucket(const struct rtk_rteval *t,
			 const struct rtk_summary *s, size_t *i)
{
	__s64 index = row_index(t, &s->rows[*i]);
	__u64 count = 0;

	for (; *i < s->nrows && row_index(t, &s->rows[*i]) == index; (*i)++)
		count += s->rows[*i].count;
	return count;
}

static void put_histogram(struct rtk_xml *x, const struct rtk_rteval *t,
			  const struct rtk_summary *s)
{
	size_t i, buckets = 0;
	__s64 index;

	for (i = 0; i < s->nrows; buckets++)
		take_bucket(t, s, &i);
	rtk_xml_open(x, "histogram");
	rtk_xml_attr(x, "nbuckets", "%zu", buckets);
	for (i = 0; i < s->nrows;) {
		index = row_index(t, &s->rows[i]);
		rtk_xml_open(x, "bucket");
		rtk_xml_attr(x, "index", "%lld", index);
		rtk_xml_attr(x, "value", "%llu", take_bucket(t, s, &i));
		rtk_xml_close(x);
	}
	rtk_xml_close(x);
}

static void put_time(struct rtk_xml *x, const char *name, __s64 wall_ns)
{
	char text[64];

	if (wall_ns >= 0)
		rtk_xml_leaf(x, name, "%s",
			     rtk_json_time(text, sizeof(text), wall_ns));
}

static void put_times(struct rtk_xml *x, const struct rtk_test *test)
{
	__s64 start = test->started_wall_ns;

	rtk_xml_open(x, "timestamps");
	put_time(x, "runloop_start", start);
	if (start >= 0 && test->elapsed_ns >= 0)
		put_time(x, "runloop_stop", start + test->elapsed_ns);
	rtk_xml_close(x);
}

static void put_measurement(struct rtk_xml *x, const struct rtk_rteval *t)
{
	const struct rtk_summary *s;

	rtk_xml_open(x, "Measurements");
	rtk_xml_open(x, "Profile");
	rtk_xml_attr(x, "loads", "0");
	rtk_xml_attr(x, "parallel", "0");
	rtk_xml_open(x, "cyclictest");
	rtk_xml_attr(x, "command_line", "%s", t->command);
	put_times(x, &t->r->test);
	rtk_xml_open(x, "system");
	rtk_xml_attr(x, "description", "(%zu cores) %s", t->cores,
		     rtk_rteval_fact(t, "cpu_model"));
	put_stats(x, t, t->all);
	put_histogram(x, t, t->all);
	rtk_xml_close(x);
	for (s = t->core; s < t->core + t->cores; s++) {
		rtk_xml_open(x, "core");
		rtk_xml_attr(x, "id", "%d", s->cpu);
		rtk_xml_attr(x, "priority", "%s", rtk_rteval_priority(t));
		put_stats(x, t, s);
		put_histogram(x, t, s);
		rtk_xml_close(x);
	}
	rtk_xml_close(x);
	rtk_xml_close(x);
	rtk_xml_close(x);
}

int rtk_rep_rteval_xml(FILE *out, const struct rtk_rep *rep)
{
	struct rtk_rteval t;
	struct rtk_xml x;
	int err;

	if (rep->n != 1) {
		rtk_err("--format rteval-xml: its documents have one run: give one file");
		return -EINVAL;
	}
	err = rtk_rteval_init(&t, &rep->v[0]);
	if (!err) {
		rtk_xml_begin(&x, false);
		rtk_xml_open(&x, "rteval");
		rtk_xml_attr(&x, "version", "%s", RTK_VERSION);
		rtk_xml_attr(&x, "generator", "rtk");
		put_run(&x, &t);
		put_machine(&x, &t);
		put_measurement(&x, &t);
		rtk_xml_close(&x);
		err = rtk_xml_end(&x, out);
	}
	rtk_rteval_free(&t);
	return err;
}
