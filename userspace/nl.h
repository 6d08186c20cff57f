/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The module over generic netlink. nl.c and nl_msg.c alone know netlink.
 *
 * Everything returns 0 or -errno; rtk_nl_error() then says more. Every wait is
 * bounded. A dump that was cut or interrupted is repeated and, in the end, an
 * error: what these functions fill is complete or empty.
 */
#ifndef RTK_NL_H
#define RTK_NL_H

#include "model.h"

struct rtk_nl;

/**
 * rtk_nl_open() - connect to the module
 * @nl: set on success; free with rtk_nl_close()
 *
 * Return: 0; -ENOENT module not loaded; -EPROTO it speaks another protocol
 */
int rtk_nl_open(struct rtk_nl **nl);

/**
 * rtk_nl_close() - disconnect; ends the runs that this connection owns
 * @nl: connection or NULL
 */
void rtk_nl_close(struct rtk_nl *nl);

/**
 * rtk_nl_error() - what the kernel said to the last request that failed
 * @nl: connection
 *
 * Return: text, empty where it said no more than a number
 */
const char *rtk_nl_error(const struct rtk_nl *nl);

/**
 * rtk_nl_test_get() - a test and its run, without parameters
 * @nl: connection
 * @name: test
 * @t: filled on success; free with rtk_test_free()
 *
 * Return: 0; -ENOENT no such test; other -errno
 */
int rtk_nl_test_get(struct rtk_nl *nl, const char *name, struct rtk_test *t);

/**
 * rtk_nl_tests() - tests with their parameters
 * @nl: connection
 * @name: this one only, or NULL for all
 * @out: filled on success; free with rtk_tests_free()
 *
 * Return: 0; -ENOENT no such test; other -errno
 */
int rtk_nl_tests(struct rtk_nl *nl, const char *name, struct rtk_tests *out);

/**
 * rtk_nl_set() - set parameters, all or none
 * @nl: connection
 * @name: test
 * @kvs: parameters
 *
 * Return: 0 or -errno
 */
int rtk_nl_set(struct rtk_nl *nl, const char *name, const struct rtk_kvs *kvs);

/**
 * rtk_nl_start() - start a test
 * @nl: connection; owns the run unless @detach
 * @name: test
 * @kvs: parameters to set with it
 * @detach: the run outlives the connection
 * @generation: number of the run
 *
 * Return: 0; -EBUSY test or CPUs in use; other -errno
 */
int rtk_nl_start(struct rtk_nl *nl, const char *name, const struct rtk_kvs *kvs,
		 bool detach, __u32 *generation);

/**
 * rtk_nl_stop() - stop a test's run and wait for its end
 * @nl: connection
 * @name: test
 * @generation: the run meant, 0 for any
 *
 * Return: 0; -ESTALE another run is there by now; other -errno
 */
int rtk_nl_stop(struct rtk_nl *nl, const char *name, __u32 generation);

/**
 * rtk_nl_reset() - drop a test's results
 * @nl: connection
 * @name: test
 *
 * Return: 0; -EBUSY while it runs; other -errno
 */
int rtk_nl_reset(struct rtk_nl *nl, const char *name);

/**
 * rtk_nl_stats() - statistics and ledger of every lane, without buckets
 * @nl: connection
 * @name: test
 * @out: filled on success; free with rtk_lanes_free()
 *
 * Return: 0 or -errno
 */
int rtk_nl_stats(struct rtk_nl *nl, const char *name, struct rtk_lanes *out);

/**
 * rtk_nl_hist() - every lane with its statistics and its buckets
 * @nl: connection
 * @name: test
 * @out: filled on success; free with rtk_lanes_free()
 *
 * Return: 0 or -errno
 */
int rtk_nl_hist(struct rtk_nl *nl, const char *name, struct rtk_lanes *out);

/**
 * rtk_nl_outliers() - the worst samples and the outliers of every lane
 * @nl: connection
 * @name: test
 * @out: filled on success; free with rtk_outliers_free()
 *
 * Return: 0 or -errno
 */
int rtk_nl_outliers(struct rtk_nl *nl, const char *name,
		    struct rtk_outliers *out);

struct rtk_nl_events;

/**
 * rtk_nl_listen() - subscribe to the module's events
 * @events: set on success; free with rtk_nl_unlisten()
 *
 * Return: 0; -ENOENT module not loaded; -EPERM; other -errno
 */
int rtk_nl_listen(struct rtk_nl_events **events);

/**
 * rtk_nl_unlisten() - end a subscription
 * @events: subscription or NULL
 */
void rtk_nl_unlisten(struct rtk_nl_events *events);

/**
 * rtk_nl_events_fd() - what to wait on
 * @events: subscription
 *
 * Return: file descriptor; readable where rtk_nl_event() has something
 */
int rtk_nl_events_fd(const struct rtk_nl_events *events);

/**
 * rtk_nl_event() - take the next event, without waiting
 * @events: subscription
 * @e: filled where there is one; free with rtk_event_free()
 *
 * Return: 1 an event; 0 none for us; -ENOBUFS events were lost, go on;
 * -ENODEV the module was unloaded; other -errno
 */
int rtk_nl_event(struct rtk_nl_events *events, struct rtk_event *e);

#endif
