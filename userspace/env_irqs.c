// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "env_irqs.h"
#include "json_value.h"
#include "util.h"

/* With thousands of CPUs the file has some megabytes. */
#define FILE_MAX (64UL << 20)
#define LISTED 32

struct hit {
	int cpu;
	char irq[16];
	char name[80];
	__u64 count;
};

struct hits {
	struct hit *v;
	size_t n;
};

char *rtk_env_interrupts_read(const char *root)
{
	size_t size = 0, len;
	char path[512], *text = NULL;
	FILE *f, *out;
	char buf[65536];

	snprintf(path, sizeof(path), "%s/proc/interrupts", root);
	f = fopen(path, "re");
	if (!f)
		return NULL;
	out = open_memstream(&text, &size);
	while (out && (size_t)ftell(out) < FILE_MAX &&
	       (len = fread(buf, 1, sizeof(buf), f)))
		fwrite(buf, 1, len, out);
	if (out)
		fclose(out);
	fclose(f);
	return text;
}

static const char *next_line(const char *p)
{
	p += strcspn(p, "\n");
	return p + (*p == '\n');
}

/* The line of the same interrupt; as a rule it is the next one. */
static const char *same_line(const char *text, const char *next,
			     const char *label, size_t len)
{
	const char *p;

	for (p = next; *p; p = next_line(p))
		if (!strncmp(p + strspn(p, " "), label, len))
			return p;
	for (p = text; p < next; p = next_line(p))
		if (!strncmp(p + strspn(p, " "), label, len))
			return p;
	return NULL;
}

/* "12-edge   eth0" with one blank between the words. */
static void copy_name(char *to, size_t size, const char *p)
{
	size_t n = 0;

	for (p += strspn(p, " "); *p && *p != '\n' && n + 1 < size; p++)
		if (*p != ' ' || (p[1] != ' ' && p[1] != '\n'))
			to[n++] = *p;
	to[n] = '\0';
}

/* The columns of a line are those of the first; ERR and MIS have but one. */
static void add_line(struct hits *hits, const struct rtk_cpuset *cpus,
		     const char *header, const char *now, const char *then)
{
	size_t first = hits->n, label = strcspn(now + strspn(now, " "), ":");
	const char *irq = now + strspn(now, " ");
	__u64 a, b;
	struct hit *h;
	char *end;
	long cpu;

	now = strchr(now, ':') + 1;
	then = then ? strchr(then, ':') + 1 : NULL;
	while ((header = strstr(header, "CPU"))) {
		cpu = strtol(header + 3, &end, 10);
		header = end;
		a = strtoull(now, &end, 10);
		if (end == now)
			break;
		now = end;
		b = then ? strtoull(then, &end, 10) : 0;
		then = then ? end : NULL;
		if (a <= b || !rtk_cpuset_has(cpus, (unsigned int)cpu))
			continue;
		h = rtk_grow(&hits->v, &hits->n, sizeof(*h));
		if (!h)
			return;
		h->cpu = (int)cpu;
		h->count = a - b;
		snprintf(h->irq, sizeof(h->irq), "%.*s", (int)label, irq);
	}
	for (; first < hits->n; first++)
		copy_name(hits->v[first].name, sizeof(hits->v[first].name),
			  now);
}

static int by_count(const void *a, const void *b)
{
	const struct hit *x = a, *y = b;

	if (x->count != y->count)
		return x->count < y->count ? 1 : -1;
	return x->cpu - y->cpu;
}

static json_t *hits_json(const struct rtk_env_look *l, struct hits *hits)
{
	json_t *list = json_array();
	__u64 rest = 0;
	struct hit *h;

	if (hits->n)
		qsort(hits->v, hits->n, sizeof(*hits->v), by_count);
	for (h = hits->v; h < hits->v + hits->n; h++) {
		if (h - hits->v >= LISTED) {
			rest += h->count;
			continue;
		}
		json_array_append_new(list,
				      json_pack("{s:i, s:o, s:o, s:o}", "cpu",
						h->cpu, "irq",
						rtk_json_string(h->irq), "name",
						rtk_json_string(h->name),
						"count",
						rtk_json_counter(h->count)));
	}
	rtk_json_set(l->o, "interrupts_rest", rtk_json_counter(rest), NULL);
	return list;
}

void rtk_env_interrupts_set(const struct rtk_env_look *l, const char *before,
			    const char *why)
{
	char *now = before ? rtk_env_interrupts_read(l->root) : NULL;
	const char *line, *then, *next, *label, *header = now;
	size_t head = now ? strcspn(now, "\n") : 0;
	struct hits hits = { 0 };
	char *first;

	if (now && strncmp(now, before, head + 1)) {
		why = "CPUs came or went during the run";
		free(now);
		now = NULL;
	}
	if (!now) {
		rtk_json_set(l->o, "interrupts", NULL, why);
		return;
	}
	first = strndup(header, head);
	next = next_line(before);
	for (line = next_line(now); first && *line; line = next_line(line)) {
		label = line + strspn(line, " ");
		/* The last two are of no CPU. */
		if (label[strcspn(label, ":\n")] != ':' ||
		    !strncmp(label, "ERR:", 4) || !strncmp(label, "MIS:", 4))
			continue;
		then = same_line(before, next, label, strcspn(label, ":") + 1);
		next = then ? next_line(then) : next;
		add_line(&hits, l->cpus, first, line, then);
	}
	rtk_json_set(l->o, "interrupts", hits_json(l, &hits), NULL);
	free(hits.v);
	free(first);
	free(now);
}
