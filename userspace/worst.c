// SPDX-License-Identifier: GPL-2.0
#include <string.h>

#include "json.h"
#include "params.h"
#include "units.h"
#include "util.h"
#include "worst.h"

const struct rtk_summary *rtk_worst_series(const struct rtk_result *r)
{
	const char *name = rtk_params_value(&r->test, "threshold_series");
	const struct rtk_summary *s = NULL;
	size_t i;

	for (i = 0; i < r->nsums; i++)
		if (r->sums[i].cpu == RTK_CPU_ALL &&
		    (!name || !*name || !strcmp(name, r->sums[i].series->name)))
			s = &r->sums[i];
	return s;
}

void rtk_worst_text(const struct rtk_result *r, const struct rtk_summary *s,
		    char *buf, size_t size)
{
	const struct rtk_outlier *o = rtk_result_worst(r, s->series->name);
	const struct rtk_outlier *task = o ? rtk_result_task(r, o) : NULL;
	char when[64] = "", who[64] = "", time[48];

	if (!o) {
		snprintf(buf, size, "%lld %s in %s", s->m.max, s->series->unit,
			 s->series->name);
		return;
	}
	if (o->wall_ns >= 0)
		snprintf(when, sizeof(when), " at %s",
			 rtk_json_time(time, sizeof(time), o->wall_ns));
	if (task)
		snprintf(who, sizeof(who), ", interrupted %s (pid %u)",
			 task->comm, task->pid);
	snprintf(buf, size, "%lld %s in %s on CPU %u%s%s", o->value,
		 s->series->unit, o->series, o->cpu, when, who);
}

static const char *plural(__s64 n)
{
	return n == 1 ? "" : "s";
}

const char *rtk_worst_between(const struct rtk_outlier *o, char *buf,
			      size_t size)
{
	buf[0] = '\0';
	if (o->irq >= 0 && o->softirq >= 0 && o->nmi >= 0)
		snprintf(buf, size,
			 "%lld interrupt%s, %lld softirq%s, %lld NMI%s since the sample before",
			 o->irq, plural(o->irq), o->softirq, plural(o->softirq),
			 o->nmi, plural(o->nmi));
	return buf;
}

const char *rtk_worst_smis(const struct rtk_outlier *o, const char *source,
			   char *buf, size_t size)
{
	char count[32] = "no", span[32];

	buf[0] = '\0';
	if (!strcmp(source, "none")) {
		rtk_copy(buf, size, "SMIs are not counted here");
		return buf;
	}
	if (o->smi < 0) {
		if (*source)
			rtk_copy(buf, size,
				 "SMIs are counted above threshold_ns only");
		return buf;
	}
	if (o->smi)
		snprintf(count, sizeof(count), "%lld", o->smi);
	rtk_units_print(span, sizeof(span), o->smi_span_ns);
	snprintf(buf, size, "%s SMI%s in %s (%s)", count, o->smi > 1 ? "s" : "",
		 span, *source ? source : "?");
	if (!strcmp(source, "virtual"))
		strncat(buf,
			": the hypervisor's number, which explains nothing",
			size - strlen(buf) - 1);
	return buf;
}

/* With interrupts off nothing but NMIs can have come in. */
static void print_items(FILE *out, const struct rtk_outlier *o)
{
	size_t i;

	fputs(" ", out);
	for (i = 0; i < o->details.n; i++)
		fprintf(out, " %s=%llu", o->details.v[i].name,
			o->details.v[i].value);
	if (o->nmi >= 0)
		fprintf(out, ", %lld NMI%s since the record or burst before",
			o->nmi, plural(o->nmi));
	fputc('\n', out);
}

/* A test with activations has one for each; one that only looks has none. */
static bool has_interrupts(const struct rtk_test *t)
{
	size_t i = 0;

	while (i < t->nseries && !t->series[i].ledger)
		i++;
	return i < t->nseries;
}

void rtk_worst_print(FILE *out, const struct rtk_result *r)
{
	const struct rtk_summary *s = rtk_worst_series(r);
	const struct rtk_outlier *o, *task;
	char text[160], time[48];

	o = s && s->m.n ? rtk_result_worst(r, s->series->name) : NULL;
	if (!o)
		return;
	fprintf(out, "\nworst of %s: %lld %s on CPU %u", o->series, o->value,
		s->series->unit, o->cpu);
	if (o->wall_ns >= 0)
		fprintf(out, " at %s",
			rtk_json_time(time, sizeof(time), o->wall_ns));
	fputc('\n', out);
	task = rtk_result_task(r, o);
	if (task)
		fprintf(out, "  interrupted %s (pid %u)%s\n", task->comm,
			task->pid, task->pid ? "" : ": the CPU was idle");
	if (o->details.n)
		print_items(out, o);
	else if (*rtk_worst_between(o, text, sizeof(text)))
		fprintf(out, "  %s%s\n", text,
			has_interrupts(&r->test) ?
				",\n  the measurement's own interrupt among them" :
				"");
	if (*rtk_worst_smis(o, r->test.smi_source, text, sizeof(text)))
		fprintf(out, "  %s\n", text);
}
