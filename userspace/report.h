/* SPDX-License-Identifier: GPL-2.0 */
/* From a run in the kernel to a report: what run and show have in common. */
#ifndef RTK_REPORT_H
#define RTK_REPORT_H

#include <getopt.h>

#include "checkpoint.h"
#include "hwlatdetect.h"
#include "nl.h"
#include "result.h"
#include "verdict.h"

/**
 * struct rtk_report - how to report
 * @json: file for the JSON document, "-" standard output, or NULL
 * @histogram: print the buckets
 * @all_cpus: every CPU, also where there are many
 * @quiet: the verdict's line only
 * @format: name of the text's form, NULL the table
 * @hwlatdetect: options of that format
 * @allow: what does not count for the exit status
 */
struct rtk_report {
	const char *json;
	bool histogram;
	bool all_cpus;
	bool quiet;
	const char *format;
	struct rtk_hwlatdetect hwlatdetect;
	struct rtk_allow allow;
};

/* Values of the options in struct option, letters apart, and in their order. */
enum rtk_report_option {
	RTK_OPT_DURATION = 256,
	RTK_OPT_FAIL_ABOVE,
	RTK_OPT_DEFAULTS,
	RTK_OPT_ALL_SAFE,
	RTK_OPT_CHECKPOINT,
	RTK_OPT_RESUME,
	RTK_OPT_JSON,
	RTK_OPT_HISTOGRAM,
	RTK_OPT_ALL_CPUS,
	RTK_OPT_QUIET,
	RTK_OPT_STRICT,
	RTK_OPT_ALLOW,
	RTK_OPT_FORMAT,
	RTK_OPT_REPORT,
	RTK_OPT_CPU,
};

/* The options of rtk run; those of rtk show are the last of them. */
extern const struct option rtk_run_options[];
extern const struct option *const rtk_show_options;

/* The options' part of --help. */
#define RTK_REPORT_HELP                                                                       \
	"  --json FILE       write the result as JSON, \"-\" to standard output\n"            \
	"  --histogram       print the buckets after the tables\n"                            \
	"  --all-cpus        every CPU, also above 64 (and its buckets)\n"                    \
	"  --quiet           print the verdict only\n"                                        \
	"  --strict          a DEGRADED result is a failure: exit status 1\n"                 \
	"  --allow REASON    this reason does not count for the exit status; repeatable\n"    \
	"  --format FORMAT   of the text: table; for test hwlat: hwlatdetect; for jitter,\n"  \
	"                    caterpillar, rhealstone, msi_latency, msi_jitter, mmio: eci;\n"  \
	"                    for memlat: lmbench\n"                                           \
	"  --report FILE     with hwlatdetect: the samples into this file, too\n"             \
	"  --cpu             with hwlatdetect: the CPU of each sample, too\n"                 \
	"\n"                                                                                  \
	"Reasons: INVALID ledger negative no-samples clocksource-changed overload\n"          \
	"suspended failed emulated; DEGRADED hypervisor not-rt idle-states\n"                 \
	"frequency-scaling not-isolated shared smi cpu-lost interrupted running\n"            \
	"few-samples coverage reader priority memory page-faults preempted rests rows-lost\n" \
	"controller counter interrupts rt-throttled rt-tasks throttled tracer\n"              \
	"smt-sibling cache-shared.\n"

/**
 * rtk_report_option() - take in an option
 * @rep: report
 * @c: value that getopt_long() returned
 * @arg: its argument
 *
 * Return: 0; -ENOENT not one of these options; -EINVAL printed
 */
int rtk_report_option(struct rtk_report *rep, int c, const char *arg);

/**
 * rtk_report_check() - do the options fit each other, the test and the disk?
 * @rep: report
 * @test: test
 *
 * To be asked before a run. Prints its error.
 *
 * Return: 0 or -errno
 */
int rtk_report_check(const struct rtk_report *rep, const char *test);

/**
 * rtk_report_collect() - fetch a run, summarize and judge it
 * @nl: connection
 * @test: test
 * @generation: the run meant, 0 for any
 * @c: the run's checkpoints
 * @r: result; its environment is captured already. What it had of the run before is
 *	replaced
 *
 * Prints its errors.
 *
 * Return: RTK_EXIT_OK, or the status to exit with
 */
int rtk_report_collect(struct rtk_nl *nl, const char *test, __u32 generation,
		       const struct rtk_checkpoint *c, struct rtk_result *r);

/**
 * rtk_report_print() - write everything asked for
 * @rep: report
 * @r: judged result
 *
 * Text goes to standard error where the JSON document has standard output.
 *
 * Return: the status to exit with
 */
int rtk_report_print(const struct rtk_report *rep, const struct rtk_result *r);

#endif
