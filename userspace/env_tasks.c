// SPDX-License-Identifier: GPL-2.0
/* Tasks that may come before what is measured, and who holds the CPUs awake. */
#include <dirent.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "env_parts.h"
#include "json_value.h"
#include "util.h"

/* Of a machine with very many tasks not all are looked at. */
#define LOOK_NS 500000000LL
#define TASKS_MAX 64
#define KERNEL_THREAD 0x00200000ULL

struct walk {
	const struct rtk_env_look *l;
	json_t *tasks;
	json_t *holders;
	size_t more;
	__s64 until_ns;
};

/* What stat says of a task; the name may have any characters. */
struct task {
	int pid;
	int tid;
	char comm[32];
	unsigned long long flags;
	int priority;
	int policy;
};

static bool read_task(struct task *t, const char *root)
{
	char text[1024], *p, *save, *word;
	int field;

	if (rtk_read_text(text, sizeof(text), "%s/proc/%d/task/%d/stat", root,
			  t->pid, t->tid) < 0)
		return false;
	word = strchr(text, '(');
	p = strrchr(text, ')');
	if (!word || !p)
		return false;
	*p++ = '\0';
	rtk_copy(t->comm, sizeof(t->comm), word + 1);
	t->policy = -1;
	word = strtok_r(p, " ", &save);
	for (field = 3; word; field++, word = strtok_r(NULL, " ", &save)) {
		if (field == 9)
			t->flags = strtoull(word, NULL, 10);
		else if (field == 40)
			t->priority = atoi(word);
		else if (field == 41)
			t->policy = atoi(word);
	}
	return t->policy >= 0;
}

/* The measured ones among the CPUs that a task may use, to be freed, or NULL. */
static char *measured(const struct rtk_env_look *l, const struct task *t)
{
	struct rtk_cpuset allowed, both = { 0 };
	char text[8192], *p;
	int cpu;

	rtk_read_text(text, sizeof(text), "%s/proc/%d/task/%d/status", l->root,
		      t->pid, t->tid);
	p = strstr(text, "Cpus_allowed_list:");
	if (!p)
		return NULL;
	p += strlen("Cpus_allowed_list:");
	p += strspn(p, " \t");
	p[strcspn(p, "\n")] = '\0';
	if (rtk_cpuset_parse(&allowed, p))
		return NULL;
	for (cpu = 0; (cpu = rtk_cpuset_next(l->cpus, cpu)) >= 0; cpu++)
		if (rtk_cpuset_has(&allowed, (unsigned int)cpu))
			rtk_cpuset_add(&both, (unsigned int)cpu);
	return rtk_cpuset_next(&both, 0) < 0 ? NULL : rtk_cpuset_text(&both);
}

static const char *policy_name(int policy)
{
	return policy == SCHED_FIFO ? "fifo" :
	       policy == SCHED_RR   ? "rr" :
				      "deadline";
}

static void look_at_task(struct walk *w, struct task *t)
{
	struct rtk_env *e = w->l->e;
	bool kernel;
	char *cpus;

	if (!read_task(t, w->l->root) ||
	    (t->policy != SCHED_FIFO && t->policy != SCHED_RR &&
	     t->policy != SCHED_DEADLINE) ||
	    (t->policy != SCHED_DEADLINE && t->priority < e->priority))
		return;
	cpus = measured(w->l, t);
	if (!cpus)
		return;
	kernel = t->flags & KERNEL_THREAD;
	if (!kernel && !e->rt_tasks++)
		snprintf(e->rt_task, sizeof(e->rt_task),
			 "%s (pid %d, %s %d, CPUs %.64s)", t->comm, t->tid,
			 policy_name(t->policy), t->priority, cpus);
	if (json_array_size(w->tasks) < TASKS_MAX)
		json_array_append_new(w->tasks,
				      json_pack("{s:i, s:i, s:o, s:s, s:i, s:o, s:b}",
						"pid", t->pid, "tid", t->tid,
						"comm",
						rtk_json_string(t->comm),
						"policy",
						policy_name(t->policy),
						"priority", t->priority, "cpus",
						rtk_json_string(cpus), "kernel",
						kernel));
	else
		w->more++;
	free(cpus);
}

static DIR *open_dir(const char *root, int pid, const char *name)
{
	char path[512];

	snprintf(path, sizeof(path), "%s/proc/%d/%s", root, pid, name);
	return opendir(path);
}

static void look_at_files(struct walk *w, int pid)
{
	DIR *dir = open_dir(w->l->root, pid, "fd");
	struct dirent *entry;
	char target[64], comm[32];
	ssize_t len;

	while (dir && (entry = readdir(dir))) {
		len = readlinkat(dirfd(dir), entry->d_name, target,
				 sizeof(target) - 1);
		target[len > 0 ? len : 0] = '\0';
		if (strcmp(target, "/dev/cpu_dma_latency"))
			continue;
		rtk_read_text(comm, sizeof(comm), "%s/proc/%d/comm", w->l->root,
			      pid);
		json_array_append_new(w->holders,
				      json_pack("{s:i, s:o}", "pid", pid,
						"comm", rtk_json_string(comm)));
		break;
	}
	if (dir)
		closedir(dir);
}

static void look_at_process(struct walk *w, int pid)
{
	DIR *dir = open_dir(w->l->root, pid, "task");
	struct dirent *entry;
	struct task t;

	while (dir && (entry = readdir(dir))) {
		memset(&t, 0, sizeof(t));
		t.pid = pid;
		t.tid = atoi(entry->d_name);
		if (t.tid > 0)
			look_at_task(w, &t);
	}
	if (dir)
		closedir(dir);
	look_at_files(w, pid);
}

void rtk_env_tasks(const struct rtk_env_look *l)
{
	struct walk w = { .l = l,
			  .tasks = json_array(),
			  .holders = json_array(),
			  .until_ns = rtk_mono_ns() + LOOK_NS };
	struct dirent *entry;
	char path[512];
	bool all = true;
	DIR *dir;
	int pid;

	snprintf(path, sizeof(path), "%s/proc", l->root);
	dir = opendir(path);
	while (dir && all && (entry = readdir(dir))) {
		pid = atoi(entry->d_name);
		if (pid > 0 && (*l->root || pid != getpid()))
			look_at_process(&w, pid);
		all = rtk_mono_ns() < w.until_ns;
	}
	if (dir)
		closedir(dir);
	rtk_json_set(l->o, "rt_tasks", w.tasks, NULL);
	rtk_json_set(l->o, "rt_tasks_more", rtk_json_counter(w.more), NULL);
	rtk_json_set(l->o, "latency_holders", w.holders, NULL);
	rtk_json_set(l->o, "all_tasks_seen", json_boolean(all), NULL);
}
