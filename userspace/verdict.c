// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "advice.h"
#include "gaps.h"
#include "json_value.h"
#include "params.h"
#include "reasons.h"
#include "units.h"
#include "verdict.h"
#include "worst.h"

/* Samples below which the far percentiles of a latency say nothing. */
#define ENOUGH_SAMPLES 100000

static bool is_running(const struct rtk_result *r)
{
	return r->test.state == RTK_STATE_RUNNING ||
	       r->test.state == RTK_STATE_STOPPING;
}

static bool reason_is(const struct rtk_result *r, const char *word)
{
	return r->test.reason && !strcmp(r->test.reason, word);
}

/* One line for all lanes concerned: the first, and how many more. */
struct tally {
	const struct rtk_summary *first;
	size_t n;
};

static void tally(struct tally *t, const struct rtk_summary *s)
{
	if (!t->n++)
		t->first = s;
}

static const char *more(const struct tally *t, char *buf, size_t size)
{
	buf[0] = '\0';
	if (t->n > 1)
		snprintf(buf, size, ", and %zu more", t->n - 1);
	return buf;
}

static int judge_gaps(struct rtk_result *r)
{
	const struct rtk_summary *s = rtk_gaps_unbalanced(r);

	if (!s)
		return 0;
	return rtk_reason_add(&r->verdict, RTK_REASON_LEDGER,
			      "CPU %d %s: the gaps add up to %.0f ns, but %lld ns were covered",
			      s->cpu, s->series->name, (double)s->m.sum,
			      rtk_gaps_covered(s));
}

/*
 * A checkpoint takes buckets and sums of a lane one after the other: what was
 * recorded in between is in one of them only. Of each part of which nothing else is
 * left that may be what comes in a second.
 */
static bool sums_fit(const struct rtk_result *r, const struct rtk_summary *s)
{
	__u64 off = s->m.n > s->count ? s->m.n - s->count : s->count - s->m.n;
	__u64 cut = 0;
	size_t i;

	for (i = 0; i + 1 < r->nparts; i++)
		cut += !r->parts[i].ended[0];
	return !s->m.n ||
	       off <= cut * (s->period_ns ? 1000000000 / s->period_ns : 0);
}

static int judge_ledger(struct rtk_result *r)
{
	const struct rtk_summary *s;
	struct tally t = { 0 };
	char rest[32];
	size_t i;

	for (i = 0; i < r->nsums; i++) {
		s = &r->sums[i];
		if (s->cpu == RTK_CPU_ALL || !s->ledger)
			continue;
		if (s->expected != s->delivered + s->missed ||
		    s->delivered != s->count + s->negative || !sums_fit(r, s))
			tally(&t, s);
	}
	if (!t.n)
		return 0;
	s = t.first;
	return rtk_reason_add(&r->verdict, RTK_REASON_LEDGER,
			      "ledger out of balance: CPU %d %s: expected %llu, delivered %llu, missed %llu, recorded %llu%s",
			      s->cpu, s->series->name, s->expected,
			      s->delivered, s->missed, s->count,
			      more(&t, rest, sizeof(rest)));
}

static int judge_negative(struct rtk_result *r)
{
	const struct rtk_summary *s;
	struct tally t = { 0 };
	char rest[32];
	size_t i;

	for (i = 0; i < r->nsums; i++) {
		s = &r->sums[i];
		if (s->cpu != RTK_CPU_ALL && !s->series->is_signed &&
		    s->negative)
			tally(&t, s);
	}
	if (!t.n)
		return 0;
	return rtk_reason_add(&r->verdict, RTK_REASON_NEGATIVE,
			      "%llu negative values: CPU %d %s%s: the clock went backwards",
			      t.first->negative, t.first->cpu,
			      t.first->series->name,
			      more(&t, rest, sizeof(rest)));
}

static int judge_no_samples(struct rtk_result *r)
{
	const struct rtk_summary *s;
	struct rtk_cpuset missing;
	struct tally t = { 0 };
	char rest[32];
	int cpu;
	size_t i;

	if (!r->test.cpus || rtk_cpuset_parse(&missing, r->test.cpus))
		memset(&missing, 0, sizeof(missing));
	for (i = 0; i < r->nsums; i++) {
		s = &r->sums[i];
		if (s->cpu == RTK_CPU_ALL)
			continue;
		missing.bits[s->cpu / 64] &= ~(1ULL << (s->cpu % 64));
		if (!s->count)
			tally(&t, s);
	}
	cpu = rtk_cpuset_next(&missing, 0);
	if (cpu >= 0)
		return rtk_reason_add(&r->verdict, RTK_REASON_NO_SAMPLES,
				      "no sample on CPU %d", cpu);
	if (!t.n)
		return 0;
	return rtk_reason_add(&r->verdict, RTK_REASON_NO_SAMPLES,
			      "no sample on CPU %d in %s%s", t.first->cpu,
			      t.first->series->name,
			      more(&t, rest, sizeof(rest)));
}

/*
 * How long enough samples take at the rate at which they came so far; with
 * missed activations that is longer than the period tells. Rounded up, the
 * coarser the longer: the rate is no promise. Empty where there is none.
 */
static const char *need_text(const struct rtk_summary *s, __s64 elapsed_ns,
			     char *buf, size_t size)
{
	__u64 ms = (__u64)elapsed_ns / 1000000;
	__u64 sec = (ms * ENOUGH_SAMPLES / s->count + 999) / 1000;
	__u64 min = (sec + 59) / 60;

	buf[0] = '\0';
	if (elapsed_ns <= 0)
		return buf;
	if (sec <= 120)
		snprintf(buf, size, "%llus", sec);
	else if (min <= 120)
		snprintf(buf, size, "%llum", min);
	else
		snprintf(buf, size, "%lluh", (min + 59) / 60);
	return buf;
}

/* A longer duration is of no use to a run that ends after so many. */
static const char *need_count(const struct rtk_test *t)
{
	const char *count = rtk_params_value(t, "count");

	return count && atoll(count) > 0 ? " count=-1" : "";
}

static int judge_few(struct rtk_result *r)
{
	const struct rtk_summary *s, *few = NULL;
	char need[32];
	size_t i;

	for (i = 0; i < r->nsums; i++) {
		s = &r->sums[i];
		if (s->cpu == RTK_CPU_ALL || !s->ledger || !s->count ||
		    s->count >= ENOUGH_SAMPLES)
			continue;
		if (!few || s->count < few->count)
			few = s;
	}
	if (!few)
		return 0;
	need_text(few, r->test.elapsed_ns, need, sizeof(need));
	return rtk_reason_add(&r->verdict, RTK_REASON_FEW_SAMPLES,
			      "CPU %d %s has %llu samples of the %d wanted%s%s%s",
			      few->cpu, few->series->name, few->count,
			      ENOUGH_SAMPLES,
			      *need ? "; at this rate that takes --duration " :
				      "",
			      need, *need ? need_count(&r->test) : "");
}

static int judge_coverage(struct rtk_result *r)
{
	__s64 asked = 0;
	const struct rtk_summary *s = rtk_gaps_thin(r, &asked);

	if (!s)
		return 0;
	return rtk_reason_add(&r->verdict, RTK_REASON_COVERAGE,
			      "CPU %d was covered for %.3f s of the %.3f s asked for: others took it, or many gaps were recorded",
			      s->cpu, (double)rtk_gaps_covered(s) / 1e9,
			      (double)asked / 1e9);
}

/* A newer module may have reasons of its own; its cause is in words. */
static int judge_failed(struct rtk_result *r)
{
	const char *reason = r->test.reason ? r->test.reason : "";
	const char *cause = r->test.cause ? r->test.cause : "";

	if (reason_is(r, "overload"))
		return rtk_reason_add(&r->verdict, RTK_REASON_OVERLOAD, "%s",
				      *cause ? cause :
					       "the CPUs could not keep up");
	if (reason_is(r, "suspended"))
		return rtk_reason_add(&r->verdict, RTK_REASON_SUSPENDED,
				      "the machine was suspended during the run");
	if (r->test.state != RTK_STATE_FAILED || reason_is(r, "cpu-lost"))
		return 0;
	return rtk_reason_add(&r->verdict, RTK_REASON_FAILED,
			      "the run failed: %s%s%s", reason,
			      *reason && *cause ? ": " : "", cause);
}

static int judge_end(struct rtk_result *r)
{
	const struct rtk_test *t = &r->test;
	struct rtk_verdict *v = &r->verdict;
	const char *lost = "CPUs went offline during the run";
	int err = 0;

	if (r->cond.is_user)
		lost = "CPUs went offline, or threads were moved off them";
	if (t->lost_cpus && *t->lost_cpus)
		err = rtk_reason_add(v, RTK_REASON_CPU_LOST, "%s: %s", lost,
				     t->lost_cpus);
	if (!err && r->readers_failed > 1)
		err = rtk_reason_add(v, RTK_REASON_READER, "%s, and %zu more",
				     r->readers_why, r->readers_failed - 1);
	else if (!err && r->readers_failed)
		err = rtk_reason_add(v, RTK_REASON_READER, "%s",
				     r->readers_why);
	if (err)
		return err;
	if (r->interrupted)
		return rtk_reason_add(v, RTK_REASON_INTERRUPTED,
				      "interrupted by a signal");
	if (reason_is(r, "owner-gone"))
		return rtk_reason_add(v, RTK_REASON_INTERRUPTED,
				      "the client that started the run ended before it");
	if (reason_is(r, "unregistered"))
		return rtk_reason_add(v, RTK_REASON_INTERRUPTED,
				      "the test was unloaded during the run");
	if (reason_is(r, "stopped") && t->planned_ns > 0 &&
	    t->elapsed_ns < t->planned_ns)
		return rtk_reason_add(v, RTK_REASON_INTERRUPTED,
				      "stopped before its planned end");
	return 0;
}

static int judge_machine(struct rtk_result *r)
{
	const struct rtk_env *e = &r->env;
	const char *clock = e->fact[RTK_FACT_CLOCKSOURCE].value;
	const char *name = e->fact[RTK_FACT_HYPERVISOR].value;
	struct rtk_verdict *v = &r->verdict;
	int err = 0;

	if (clock && r->clocksource_after[0] &&
	    strcmp(clock, r->clocksource_after))
		err = rtk_reason_add(v, RTK_REASON_CLOCKSOURCE,
				     "the clock source changed during the run: %s, then %s",
				     clock, r->clocksource_after);
	if (!err && e->emulated)
		err = rtk_reason_add(v, RTK_REASON_EMULATED,
				     "the machine is emulated (%s): times are the emulator's",
				     name);
	else if (!err && e->hypervisor)
		err = rtk_reason_add(v, RTK_REASON_HYPERVISOR,
				     "runs in a virtual machine (%s)", name);
	/* With interrupts off all kernels are alike. */
	if (!err && !e->rt && !rtk_gaps_measured(r))
		err = rtk_reason_add(v, RTK_REASON_NOT_RT,
				     "the kernel is not PREEMPT_RT");
	return err;
}

/* The limit that kept the CPUs out of deep idle states; -1 none known. */
static __s64 latency_limit(const struct rtk_result *r)
{
	const char *text = rtk_params_value(&r->test, "dma_latency_us");
	__s64 limit = text ? strtoll(text, NULL, 10) : -1;
	__s64 outside = r->env.cpu_latency_us;

	if (r->cond.is_user && !r->cond.latency_held)
		return outside;
	if (limit < 0 || (outside >= 0 && outside < limit))
		return outside;
	return limit;
}

static int judge_power(struct rtk_result *r)
{
	const struct rtk_env *e = &r->env;
	__s64 limit = latency_limit(r);
	size_t i;
	int err = 0;

	/* A CPU that reads a clock all the time is never idle. */
	if (e->deep_cpu >= 0 && !rtk_gaps_measured(r) &&
	    (limit < 0 || e->deep_us <= limit))
		err = rtk_reason_add(&r->verdict, RTK_REASON_IDLE_STATES,
				     "CPU %d may enter idle states that take %lld us to leave; dma_latency_us=0 forbids them",
				     e->deep_cpu, e->deep_us);
	for (i = 0; !err && i < e->ncpus; i++) {
		if (!e->cpus[i].governor[0] ||
		    !strcmp(e->cpus[i].governor, "performance"))
			continue;
		return rtk_reason_add(&r->verdict, RTK_REASON_FREQUENCY_SCALING,
				      "the frequency of CPU %u follows governor '%s', not 'performance'",
				      e->cpus[i].cpu, e->cpus[i].governor);
	}
	return err;
}

static int judge_isolation(struct rtk_result *r)
{
	const char *isolated = r->env.fact[RTK_FACT_CPUS_ISOLATED].value;
	const char *shared = r->test.shared_with;
	struct rtk_cpuset set;
	size_t i;
	int err = 0;

	if (shared && *shared)
		err = rtk_reason_add(&r->verdict, RTK_REASON_SHARED,
				     "test %s ran on the same CPUs", shared);
	/* Others take coverage from a test with interrupts off, and nothing else. */
	if (err || !isolated || rtk_gaps_measured(r) ||
	    rtk_cpuset_parse(&set, isolated))
		return err;
	for (i = 0; i < r->env.ncpus; i++)
		if (!rtk_cpuset_has(&set, r->env.cpus[i].cpu))
			return rtk_reason_add(&r->verdict,
					      RTK_REASON_NOT_ISOLATED,
					      "CPU %u is not isolated (isolcpus=)",
					      r->env.cpus[i].cpu);
	return 0;
}

/* A hypervisor's number says nothing. */
static int judge_smis(struct rtk_result *r)
{
	const struct rtk_summary *s, *most = NULL;
	size_t i;

	for (i = 0; i < r->nsums; i++) {
		s = &r->sums[i];
		if (s->cpu != RTK_CPU_ALL && s->smi > (most ? most->smi : 0))
			most = s;
	}
	if (!most || strcmp(r->test.smi_source, "msr"))
		return 0;
	return rtk_reason_add(&r->verdict, RTK_REASON_SMI,
			      "the firmware took CPU %d away for %u SMI%s during the run",
			      most->cpu, most->smi, most->smi > 1 ? "s" : "");
}

static void judge_limit(struct rtk_result *r)
{
	const struct rtk_summary *s = rtk_worst_series(r);
	bool above = r->fail_above_ns >= 0 && s && s->m.n &&
		     rtk_result_ns(r, s->series->unit, s->m.max) >
			     r->fail_above_ns;

	if (!s || (!above && !reason_is(r, "threshold")))
		return;
	r->verdict.exceeded = true;
	rtk_worst_text(r, s, r->verdict.worst, sizeof(r->verdict.worst));
}

int rtk_verdict_judge(struct rtk_result *r)
{
	static const struct {
		int (*judge)(struct rtk_result *r);
		bool always;
	} judges[] = {
		{ judge_failed, false },
		{ judge_ledger, false },
		{ judge_gaps, false },
		{ judge_negative, true },
		{ judge_no_samples, false },
		{ judge_end, false },
		{ judge_machine, true },
		{ judge_power, true },
		{ judge_isolation, true },
		{ judge_smis, false },
		{ judge_few, false },
		{ judge_coverage, false },
		{ rtk_judge_user, false },
		{ rtk_judge_interrupts, false },
		{ rtk_judge_surroundings, false },
	};
	bool running = is_running(r);
	size_t i;
	int err = 0;

	judge_limit(r);
	if (running)
		err = rtk_reason_add(&r->verdict, RTK_REASON_RUNNING,
				     "the run has not ended yet");
	for (i = 0; !err && i < RTK_ARRAY_SIZE(judges); i++)
		if (!running || judges[i].always)
			err = judges[i].judge(r);
	if (!err && !running)
		rtk_advise(r);
	return err;
}

static bool is_allowed(const struct rtk_allow *allow, const char *id)
{
	size_t i;

	for (i = 0; i < allow->n; i++)
		if (!strcmp(allow->ids[i], id))
			return true;
	return false;
}

enum rtk_exit rtk_verdict_exit(const struct rtk_verdict *v,
			       const struct rtk_allow *allow)
{
	enum rtk_status status = RTK_VALID;
	size_t i;

	for (i = 0; i < v->n; i++)
		if (v->v[i].status > status && !is_allowed(allow, v->v[i].id))
			status = v->v[i].status;
	if (status == RTK_INVALID)
		return RTK_EXIT_INVALID;
	if (v->exceeded || (status == RTK_DEGRADED && allow->strict))
		return RTK_EXIT_FAILED;
	return RTK_EXIT_OK;
}

int rtk_verdict_allow(struct rtk_allow *allow, const char *id)
{
	const char *best = NULL;
	size_t i;

	for (i = 0; rtk_verdict_id(i); i++) {
		best = rtk_nearest(id, best, rtk_verdict_id(i));
		if (strcmp(id, rtk_verdict_id(i)))
			continue;
		if (allow->n < RTK_ARRAY_SIZE(allow->ids))
			allow->ids[allow->n++] = rtk_verdict_id(i);
		return 0;
	}
	if (best)
		rtk_err("--allow %s: no such reason; did you mean '%s'?", id,
			best);
	else
		rtk_err("--allow %s: no such reason; they are listed by: %s run --help",
			id, rtk_prog());
	return -EINVAL;
}
