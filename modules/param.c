// SPDX-License-Identifier: GPL-2.0
/*
 * Parameters: one table row each, one parser and one formatter for all
 * surfaces.
 */
#define pr_fmt(fmt) "rtk: " fmt

#include <linux/bitmap.h>
#include <linux/cpu.h>
#include <linux/ctype.h>
#include <linux/kstrtox.h>
#include <linux/sched/isolation.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "internal.h"

static const char * const policy_names[] = {
	[RTK_POLICY_FIFO] = "fifo", [RTK_POLICY_RR] = "rr", [RTK_POLICY_OTHER] = "other", NULL
};

static const struct rtk_param common_params[] = {
	{
		.name = "cpus", .type = RTK_PARAM_TYPE_CPULIST, .def = "",
		.help = "CPUs to measure; empty: the isolated ones, or all online where none is isolated (without the lowest if one must stay free)",
		RTK_FIELD(struct rtk_common, cpus),
	}, {
		.name = "duration_ms", .type = RTK_PARAM_TYPE_U64, .unit = "ms",
		.min = 0, .max = 10LL * 365 * 24 * 3600 * 1000, .def = "0",
		.help = "measured time after warm-up; 0 is endless",
		RTK_FIELD(struct rtk_common, duration_ms),
	}, {
		.name = "warmup_ms", .type = RTK_PARAM_TYPE_U64, .unit = "ms",
		.min = 0, .max = 3600 * 1000, .def = "100",
		.help = "time before it, in no statistics and no ledger",
		RTK_FIELD(struct rtk_common, warmup_ms),
	}, {
		.name = "policy", .type = RTK_PARAM_TYPE_ENUM, .def = "fifo",
		.choices = policy_names,
		.help = "scheduling policy of the measuring threads",
		RTK_FIELD(struct rtk_common, policy),
	}, {
		.name = "priority", .type = RTK_PARAM_TYPE_S64,
		.min = 1, .max = 99, .def = "95",
		.help = "their real-time priority; without meaning for policy other",
		RTK_FIELD(struct rtk_common, priority),
	}, {
		.name = "dma_latency_us", .type = RTK_PARAM_TYPE_S64, .unit = "us",
		.min = -1, .max = 2000000, .def = "0",
		.help = "exit latency allowed to idle states during the run; -1 leaves it alone",
		RTK_FIELD(struct rtk_common, dma_latency_us),
	}, {
		.name = "threshold_ns", .type = RTK_PARAM_TYPE_U64, .unit = "ns",
		.min = 0, .max = S64_MAX - 1, .def = "0",
		.help = "a sample above it is an outlier; 0 for none",
		RTK_FIELD(struct rtk_common, threshold_ns),
	}, {
		.name = "threshold_series", .type = RTK_PARAM_TYPE_STRING, .def = "",
		.help = "series that threshold_ns applies to; empty: the last one recorded",
		RTK_FIELD(struct rtk_common, threshold_series),
	}, {
		.name = "stop_on_threshold", .type = RTK_PARAM_TYPE_BOOL, .def = "0",
		.help = "end the run at the first outlier",
		RTK_FIELD(struct rtk_common, stop_on_threshold),
	}, {
		.name = "stop_tracing", .type = RTK_PARAM_TYPE_BOOL, .def = "0",
		.help = "stop the kernel's trace buffer at an outlier",
		RTK_FIELD(struct rtk_common, stop_tracing),
	}, {
		.name = "outlier_slots", .type = RTK_PARAM_TYPE_U64,
		.min = 2, .max = 65536, .def = "256",
		.help = "outliers kept for each CPU, the latest ones",
		RTK_FIELD(struct rtk_common, outlier_slots),
	}, {
		.name = "verbosity", .type = RTK_PARAM_TYPE_U64,
		.min = 0, .max = 3, .def = "0",
		.help = "in the kernel log: 1 the result, 2 also a line a second, 3 also each outlier",
		RTK_FIELD(struct rtk_common, verbosity),
	}, {
		.name = "share", .type = RTK_PARAM_TYPE_BOOL, .def = "0",
		.help = "run also on CPUs on which another test runs, whatever that one's share is",
		RTK_FIELD(struct rtk_common, share),
	},
};

unsigned int rtk_param_count(const struct rtk_test *test)
{
	return ARRAY_SIZE(common_params) + test->n_params;
}

static bool row_is_common(unsigned int i)
{
	return i < ARRAY_SIZE(common_params);
}

const struct rtk_param *rtk_param_row(const struct rtk_test *test,
				      unsigned int i)
{
	return row_is_common(i) ? &common_params[i] :
				  &test->params[i - ARRAY_SIZE(common_params)];
}

const char *rtk_param_default(const struct rtk_test *test, unsigned int i)
{
	const struct rtk_param *row = rtk_param_row(test, i);
	const struct rtk_default *d;

	for (d = test->defaults; d && d->name; d++)
		if (!strcmp(d->name, row->name))
			return d->def;
	return row->def;
}

static bool row_is_number(const struct rtk_param *row)
{
	return row->type == RTK_PARAM_TYPE_U64 || row->type == RTK_PARAM_TYPE_S64;
}

static int parse_number(const struct rtk_param *row, const char *value,
			s64 *field, struct rtk_err *err)
{
	const char *unit = row->unit ?: "";
	s64 v;

	/* Both number types are bounded by S64_MAX, so one parser does. */
	if (kstrtos64(value, 10, &v) || v < row->min || v > row->max)
		return rtk_fail(err, -EINVAL, "%s=%.32s: allowed %lld..%lld%s%s",
				row->name, value, row->min, row->max,
				*unit ? " " : "", unit);
	*field = v;
	return 0;
}

static int parse_bool(const struct rtk_param *row, const char *value,
		      s64 *field, struct rtk_err *err)
{
	/* Not kstrtobool(): it takes "nonsense" for no. */
	if (!strcmp(value, "1"))
		*field = 1;
	else if (!strcmp(value, "0"))
		*field = 0;
	else
		return rtk_fail(err, -EINVAL, "%s=%.32s: allowed 0 or 1",
				row->name, value);
	return 0;
}

const char *rtk_param_choices(const struct rtk_param *row, char *buf, size_t size)
{
	size_t len = 0;
	int i;

	for (i = 0; row->choices[i]; i++)
		len += scnprintf(buf + len, size - len, "%s%s", i ? "|" : "",
				 row->choices[i]);
	return buf;
}

static int parse_enum(const struct rtk_param *row, const char *value,
		      s64 *field, struct rtk_err *err)
{
	char words[128];
	int i;

	for (i = 0; row->choices[i]; i++) {
		if (!strcmp(value, row->choices[i])) {
			*field = i;
			return 0;
		}
	}
	return rtk_fail(err, -EINVAL, "%s=%.32s: allowed %s", row->name, value,
			rtk_param_choices(row, words, sizeof(words)));
}

static int parse_cpulist(const struct rtk_param *row, const char *value,
			 struct cpumask *field, struct rtk_err *err)
{
	int rc = bitmap_parselist(value, cpumask_bits(field), nr_cpu_ids);

	if (rc == -ERANGE)
		return rtk_fail(err, -EINVAL, "%s=%.64s: beyond the last CPU, %u",
				row->name, value, nr_cpu_ids - 1);
	if (rc)
		return rtk_fail(err, -EINVAL, "%s=%.64s: not a CPU list such as 0,2-3",
				row->name, value);
	/* It is read back written out, and must not be cut short then. */
	if (snprintf(NULL, 0, "%*pbl", cpumask_pr_args(field)) > RTK_PARAM_VALUE_MAX)
		return rtk_fail(err, -EINVAL,
				"%s=%.64s: longer than %d characters when written out",
				row->name, value, RTK_PARAM_VALUE_MAX);
	if (!cpumask_subset(field, cpu_possible_mask))
		return rtk_fail(err, -EINVAL, "%s=%.64s: no such CPU; possible are %*pbl",
				row->name, value, cpumask_pr_args(cpu_possible_mask));
	return 0;
}

static int parse_string(const struct rtk_param *row, const char *value,
			char *field, struct rtk_err *err)
{
	const char *p;

	if (strlen(value) >= RTK_STRING_SIZE)
		return rtk_fail(err, -EINVAL, "%s: longer than %d characters",
				row->name, RTK_STRING_SIZE - 1);
	for (p = value; *p; p++)
		if (*p <= ' ' || *p > '~')
			return rtk_fail(err, -EINVAL, "%s: not one word of ASCII",
					row->name);
	strscpy(field, value, RTK_STRING_SIZE);
	return 0;
}

/* As written, or without the domain, which is 0 then; kept in full. */
static int parse_pci(const struct rtk_param *row, const char *value,
		     char *field, struct rtk_err *err)
{
	unsigned int domain = 0, bus, slot, fn;
	int end = 0;

	if (!strcmp(value, "auto")) {
		strscpy(field, value, RTK_PCI_SIZE);
		return 0;
	}
	if (sscanf(value, "%8x:%2x:%2x.%1x%n", &domain, &bus, &slot, &fn, &end) != 4) {
		domain = 0;
		end = 0;
		if (sscanf(value, "%2x:%2x.%1x%n", &bus, &slot, &fn, &end) != 3)
			end = 0;
	}
	if (!end || value[end] || slot > 0x1f || fn > 7)
		return rtk_fail(err, -EINVAL,
				"%s=%.32s: not the address of a PCI device such as 0000:03:00.0, nor auto",
				row->name, value);
	snprintf(field, RTK_PCI_SIZE, "%04x:%02x:%02x.%x", domain, bus, slot, fn);
	return 0;
}

static int param_parse(const struct rtk_param *row, const char *value,
		       void *field, struct rtk_err *err)
{
	switch (row->type) {
	case RTK_PARAM_TYPE_U64:
	case RTK_PARAM_TYPE_S64:
		return parse_number(row, value, field, err);
	case RTK_PARAM_TYPE_BOOL:
		return parse_bool(row, value, field, err);
	case RTK_PARAM_TYPE_ENUM:
		return parse_enum(row, value, field, err);
	case RTK_PARAM_TYPE_CPULIST:
		return parse_cpulist(row, value, field, err);
	case RTK_PARAM_TYPE_STRING:
		return parse_string(row, value, field, err);
	case RTK_PARAM_TYPE_PCI:
		return parse_pci(row, value, field, err);
	}
	return rtk_fail(err, -EINVAL, "%s: unknown type", row->name);
}

void rtk_param_format(const struct rtk_test *test, unsigned int i,
		      const struct rtk_common *common, const void *config,
		      char *buf)
{
	const struct rtk_param *row = rtk_param_row(test, i);
	const void *field = (row_is_common(i) ? (const void *)common : config) +
			    row->offset;
	size_t size = RTK_PARAM_VALUE_MAX + 1;

	switch (row->type) {
	case RTK_PARAM_TYPE_U64:
	case RTK_PARAM_TYPE_S64:
	case RTK_PARAM_TYPE_BOOL:
		scnprintf(buf, size, "%lld", *(const s64 *)field);
		break;
	case RTK_PARAM_TYPE_ENUM:
		scnprintf(buf, size, "%s", row->choices[*(const s64 *)field]);
		break;
	case RTK_PARAM_TYPE_CPULIST:
		scnprintf(buf, size, "%*pbl",
			  cpumask_pr_args((const struct cpumask *)field));
		break;
	case RTK_PARAM_TYPE_STRING:
	case RTK_PARAM_TYPE_PCI:
		scnprintf(buf, size, "%s", (const char *)field);
		break;
	}
}

static int param_find(const struct rtk_test *test, const char *name)
{
	unsigned int i;

	for (i = 0; i < rtk_param_count(test); i++)
		if (!strcmp(rtk_param_row(test, i)->name, name))
			return i;
	return -ENOENT;
}

static int param_set(const struct rtk_test *test, struct rtk_common *common,
		     void *config, const struct rtk_assign *assign,
		     struct rtk_err *err)
{
	int i = param_find(test, assign->name);
	const struct rtk_param *row;
	void *base;

	if (i < 0)
		return rtk_fail(err, -ENOENT, "%s has no parameter '%.32s'",
				test->name, assign->name);
	row = rtk_param_row(test, i);
	base = row_is_common(i) ? common : config;
	return param_parse(row, assign->value, base + row->offset, err);
}

bool rtk_series_on(const struct rtk_series *series, const void *config)
{
	return !series->enabled || series->enabled(config);
}

int rtk_param_threshold_series(const struct rtk_test *test,
			       const struct rtk_common *common,
			       const void *config)
{
	int i;

	for (i = test->n_series - 1; i >= 0; i--) {
		if (!rtk_series_on(&test->series[i], config))
			continue;
		if (!*common->threshold_series ||
		    !strcmp(common->threshold_series, test->series[i].name))
			return i;
	}
	return -EINVAL;
}

bool rtk_housekeeping_cpu(int cpu)
{
	bool is_one;

	/* Newer kernels can replace the mask. */
	rcu_read_lock();
	is_one = cpumask_test_cpu(cpu, housekeeping_cpumask(HK_TYPE_DOMAIN));
	rcu_read_unlock();
	return is_one;
}

/* The isolated ones, or else all; what is not measured runs on the lowest, mostly. */
static void param_default_cpus(const struct rtk_test *test, struct cpumask *cpus)
{
	int cpu;

	cpumask_clear(cpus);
	for_each_online_cpu(cpu)
		if (!rtk_housekeeping_cpu(cpu))
			cpumask_set_cpu(cpu, cpus);
	if (!cpumask_empty(cpus)) {
		if (test->one_cpu)
			cpumask_copy(cpus, cpumask_of(cpumask_last(cpus)));
		return;
	}
	cpumask_copy(cpus, cpu_online_mask);
	if (num_online_cpus() > 1 && (test->one_cpu || test->spares_cpu))
		cpumask_clear_cpu(cpumask_first(cpus), cpus);
	if (test->one_cpu)
		cpumask_copy(cpus, cpumask_of(cpumask_first(cpus)));
}

void rtk_param_cpus(const struct rtk_test *test, const struct rtk_common *common,
		    struct cpumask *cpus)
{
	if (cpumask_empty(&common->cpus))
		param_default_cpus(test, cpus);
	else
		cpumask_copy(cpus, &common->cpus);
}

static bool assigned_before(const struct rtk_assign *assign, unsigned int n)
{
	unsigned int i;

	for (i = 0; i < n; i++)
		if (!strcmp(assign[i].name, assign[n].name))
			return true;
	return false;
}

int rtk_param_apply(const struct rtk_test *test, struct rtk_common *common,
		    void *config, struct rtk_request *req, struct rtk_err *err)
{
	const struct rtk_assign *assign = req->assign;
	unsigned int i;
	int rc;

	for (i = 0; i < req->n; i++) {
		if (assigned_before(assign, i))
			rc = rtk_fail(err, -EINVAL, "%s is given twice",
				      assign[i].name);
		else
			rc = param_set(test, common, config, &assign[i], err);
		if (rc) {
			req->bad = i;
			return rc;
		}
	}
	if (rtk_param_threshold_series(test, common, config) < 0)
		return rtk_fail(err, -EINVAL,
				"threshold_series=%s: %s does not record such a series now",
				common->threshold_series, test->name);
	return test->check ? test->check(common, config, err) : 0;
}

int rtk_param_defaults(const struct rtk_test *test, struct rtk_common *common,
		       void *config)
{
	struct rtk_assign assign;
	struct rtk_err err;
	unsigned int i;
	int rc;

	for (i = 0; i < rtk_param_count(test); i++) {
		assign.name = rtk_param_row(test, i)->name;
		assign.value = rtk_param_default(test, i);
		rc = param_set(test, common, config, &assign, &err);
		if (rc) {
			pr_err("test %s: default %s\n", test->name, err.text);
			return rc;
		}
	}
	return 0;
}

bool rtk_name_valid(const char *name)
{
	const char *p;

	if (!name || !*name || strlen(name) > RTK_TEST_NAME_MAX)
		return false;
	for (p = name; *p; p++)
		if (!isalnum(*p) && *p != '_')
			return false;
	return true;
}

static size_t field_size(enum rtk_param_type type)
{
	switch (type) {
	case RTK_PARAM_TYPE_CPULIST:
		return sizeof(struct cpumask);
	case RTK_PARAM_TYPE_STRING:
		return RTK_STRING_SIZE;
	case RTK_PARAM_TYPE_PCI:
		return RTK_PCI_SIZE;
	default:
		return sizeof(s64);
	}
}

static int check_row(const struct rtk_test *test, unsigned int i)
{
	const struct rtk_param *row = rtk_param_row(test, i);
	size_t size = row_is_common(i) ? sizeof(struct rtk_common) :
					 test->config_size;

	if (!rtk_name_valid(row->name) || !row->help || !row->def)
		return -EINVAL;
	if (rtk_debugfs_reserved(row->name) ||
	    param_find(test, row->name) != i)
		return -EINVAL;
	if (row->size != field_size(row->type) || row->offset > size ||
	    row->size > size - row->offset)
		return -EINVAL;
	if (row_is_number(row) && row->min > row->max)
		return -EINVAL;
	if (row->type == RTK_PARAM_TYPE_U64 && row->min < 0)
		return -EINVAL;
	return row->type == RTK_PARAM_TYPE_ENUM && !row->choices ? -EINVAL : 0;
}

int rtk_param_check_rows(const struct rtk_test *test)
{
	const struct rtk_default *d;
	unsigned int i;

	for (i = 0; i < rtk_param_count(test); i++)
		if (check_row(test, i)) {
			pr_err("test %s: parameter row %u is not valid\n",
			       test->name, i);
			return -EINVAL;
		}
	for (d = test->defaults; d && d->name; d++) {
		int row = param_find(test, d->name);

		if (row < 0 || !row_is_common(row) || !d->def) {
			pr_err("test %s: default of '%s', which is no common parameter\n",
			       test->name, d->name);
			return -EINVAL;
		}
	}
	return 0;
}
