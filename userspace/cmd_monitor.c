// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd.h"
#include "json.h"
#include "worst.h"

enum { OPT_JSON = 256 };

/*
 * What is shown, the tests as they were at the beginning, and the time of the
 * sample whose circumstances were printed last.
 */
struct monitor {
	const char *test;
	bool json;
	__s64 explained;
	struct rtk_tests tests;
};

static void print_state(const struct rtk_test *t)
{
	bool over = t->state == RTK_STATE_DONE || t->state == RTK_STATE_FAILED;

	printf("%s", rtk_state_name(t->state));
	if (over && t->reason && *t->reason)
		printf(": %s%s%s", t->reason, t->cause ? ": " : "",
		       t->cause ? t->cause : "");
	else if (!over && t->cpus && *t->cpus)
		printf(" on CPUs %s", t->cpus);
}

/* A worst sample stays the worst for long: explained once. */
static void explain(struct monitor *m, const struct rtk_outlier *o,
		    const struct rtk_test *t)
{
	char text[160];

	if (m->explained == o->mono_ns)
		return;
	m->explained = o->mono_ns;
	if (o->comm[0])
		printf(", interrupted %s (pid %u)", o->comm, o->pid);
	if (*rtk_worst_between(o, text, sizeof(text)))
		printf("; %s", text);
	if (*rtk_worst_smis(o, t ? t->smi_source : "", text, sizeof(text)))
		printf("; %s", text);
}

static void print_outliers(struct monitor *m, const struct rtk_event *e,
			   const struct rtk_test *t)
{
	const struct rtk_outlier *o = &e->worst;
	const struct rtk_series *s = t ? rtk_test_series(t, o->series) : NULL;
	char time[48];

	printf("%llu outlier%s", e->fresh, e->fresh == 1 ? "" : "s");
	if (e->lost)
		printf(", %llu of them lost", e->lost);
	if (!e->has_worst)
		return;
	printf("; worst so far %lld%s%s in %s on CPU %u", o->value,
	       s ? " " : "", s ? s->unit : "", o->series, o->cpu);
	if (o->wall_ns >= 0)
		printf(" at %s", rtk_json_time(time, sizeof(time), o->wall_ns));
	explain(m, o, t);
}

static int print_event(struct monitor *m, const struct rtk_event *e)
{
	const struct rtk_test *t = rtk_tests_find(&m->tests, e->test.name);
	char time[48], *text;

	if (m->test && strcmp(m->test, e->test.name))
		return RTK_EXIT_OK;
	if (m->json) {
		text = rtk_json_event(e, t, rtk_wall_ns());
		if (!text) {
			rtk_err_nomem();
			return RTK_EXIT_ERROR;
		}
		puts(text);
		free(text);
	} else {
		printf("%s %s ",
		       rtk_json_time(time, sizeof(time), rtk_wall_ns()),
		       e->test.name);
		if (e->is_state)
			print_state(&e->test);
		else
			print_outliers(m, e, t);
		putchar('\n');
	}
	return ferror(stdout) ? RTK_EXIT_ERROR : RTK_EXIT_OK;
}

static void print_lost(const struct monitor *m)
{
	char time[48];

	rtk_json_time(time, sizeof(time), rtk_wall_ns());
	if (m->json)
		printf("{\"time\":\"%s\",\"event\":\"lost\"}\n", time);
	else
		printf("%s events lost: they came faster than they were read\n",
		       time);
}

static const char unloaded[] = "the module was unloaded";

static int take(struct monitor *m, struct rtk_nl_events *events)
{
	struct rtk_event e;
	int status, err = rtk_nl_event(events, &e);

	if (err > 0) {
		status = print_event(m, &e);
		rtk_event_free(&e);
		return status;
	}
	if (!err)
		return RTK_EXIT_OK;
	if (err == -ENOBUFS) {
		print_lost(m);
		return RTK_EXIT_OK;
	}
	rtk_err("%s", err == -ENODEV ? unloaded :
		      err == -EBADMSG || err == -EMSGSIZE ?
				       "malformed event from the module" :
				       strerror(-err));
	return RTK_EXIT_ERROR;
}

static int watch(struct monitor *m, struct rtk_nl_events *events)
{
	struct pollfd pfds[] = {
		{ .fd = rtk_signals(), .events = POLLIN },
		{ .fd = rtk_nl_events_fd(events), .events = POLLIN },
	};
	int status = pfds[0].fd < 0 ? RTK_EXIT_ERROR : RTK_EXIT_OK;

	while (!status) {
		if (poll(pfds, RTK_ARRAY_SIZE(pfds), -1) < 0) {
			if (errno == EINTR)
				continue;
			rtk_err("poll: %s", strerror(errno));
			return RTK_EXIT_ERROR;
		}
		if (pfds[0].revents)
			break;
		if (pfds[1].revents)
			status = take(m, events);
	}
	return status;
}

/* Subscribes first, so that nothing falls between the two. */
static int monitor(struct monitor *m, struct rtk_nl *nl)
{
	struct rtk_nl_events *events;
	int status, err = rtk_nl_listen(&events);

	/* It was there when the connection was opened. */
	if (err == -ENOENT) {
		rtk_err("%s", unloaded);
		return RTK_EXIT_ERROR;
	}
	if (err)
		return rtk_cmd_fail(nl, "the module", err,
				    "listen to the events of");
	err = rtk_nl_tests(nl, NULL, &m->tests);
	if (err)
		status = rtk_cmd_fail(nl, "", err, "list the tests");
	else if (m->test && !rtk_tests_find(&m->tests, m->test))
		status = rtk_cmd_fail(nl, m->test, -ENOENT, "monitor");
	else
		status = watch(m, events);
	rtk_tests_free(&m->tests);
	rtk_nl_unlisten(events);
	return status;
}

static int monitor_run(int argc, char **argv)
{
	static const struct option options[] = {
		{ "json", no_argument, NULL, OPT_JSON }, { 0 }
	};
	struct monitor m = { 0 };
	struct rtk_nl *nl;
	int c, status;

	opterr = 0;
	while ((c = getopt_long(argc, argv, ":", options, NULL)) != -1) {
		if (c != OPT_JSON)
			return rtk_cmd_bad_option(&rtk_cmd_monitor, c, argv);
		m.json = true;
	}
	if (argc - optind > 1)
		return rtk_cmd_usage(&rtk_cmd_monitor, "one test at most");
	m.test = argv[optind];
	status = rtk_cmd_open(&nl);
	if (status)
		return status;
	/* Whoever reads a pipe wants each line when it comes. */
	setvbuf(stdout, NULL, _IOLBF, 0);
	status = monitor(&m, nl);
	rtk_nl_close(nl);
	return status;
}

const struct rtk_cmd rtk_cmd_monitor = {
	.name = "monitor",
	.args = "[TEST] [--json]",
	.summary = "print events as they come: states of runs, outliers",
	.help = "One line for each event, of all tests or the one named, until Ctrl-C: when a run\n"
		"starts and ends, and new outliers (values above threshold_ns), at most every\n"
		"100 ms, with the worst sample of the run so far. Events that came too fast to\n"
		"be read are said to be lost.\n"
		"\n"
		"  --json            a JSON object for each line\n",
	.run = monitor_run,
};
