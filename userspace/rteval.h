/* SPDX-License-Identifier: GPL-2.0 */
/* A result in the terms of rteval's reports. */
#ifndef RTK_RTEVAL_H
#define RTK_RTEVAL_H

#include "result.h"

#define RTK_RTEVAL_STATS 9

/**
 * struct rtk_rteval - what such a report says of a run
 * @r: result
 * @all: series that it is about, on all CPUs
 * @core: the same on each
 * @cores: how many
 * @unit: unit of the values
 * @scale: what a value of the series is to be multiplied with
 * @date: beginning, UTC
 * @time: beginning, UTC
 * @days: duration
 * @hours: its rest
 * @minutes: its rest
 * @seconds: its rest
 * @cpus: CPUs of the machine, 0 not known
 * @online: those of them that are online
 * @memory: size, empty not known
 * @memory_unit: its unit
 * @command: what was run, to be freed
 * @remark: verdict, and which series it is
 */
struct rtk_rteval {
	const struct rtk_result *r;
	const struct rtk_summary *all;
	const struct rtk_summary *core;
	size_t cores;
	const char *unit;
	double scale;
	char date[16];
	char time[16];
	__s64 days;
	int hours;
	int minutes;
	int seconds;
	size_t cpus;
	size_t online;
	char memory[24];
	const char *memory_unit;
	char *command;
	char remark[512];
};

/**
 * struct rtk_rteval_stat - a statistic
 * @label: in text
 * @tag: in XML
 * @digits: significant digits: all of an exact one, 12 of a computed one
 * @v: value
 */
struct rtk_rteval_stat {
	const char *label;
	const char *tag;
	int digits;
	double v;
};

/**
 * rtk_rteval_init() - put a result into these terms
 * @t: filled; free with rtk_rteval_free()
 * @r: loaded result
 *
 * Return: 0; -ENODATA it has no samples; -ENOMEM
 */
int rtk_rteval_init(struct rtk_rteval *t, const struct rtk_result *r);

/**
 * rtk_rteval_free() - free them
 * @t: terms
 */
void rtk_rteval_free(struct rtk_rteval *t);

/**
 * rtk_rteval_fact() - a fact of the machine
 * @t: terms
 * @key: key of the document's environment
 *
 * Return: text; "(unknown)" as rteval says it
 */
const char *rtk_rteval_fact(const struct rtk_rteval *t, const char *key);

/**
 * rtk_rteval_dmi() - a fact of its firmware
 * @t: terms
 * @key: key of the environment's "dmi"
 *
 * Return: text; empty where it is not known
 */
const char *rtk_rteval_dmi(const struct rtk_rteval *t, const char *key);

/**
 * rtk_rteval_number() - a number of the machine
 * @t: terms
 * @key: key of the document's environment
 *
 * Return: number, -1 not known
 */
__s64 rtk_rteval_number(const struct rtk_rteval *t, const char *key);

/**
 * rtk_rteval_priority() - priority of the measuring threads
 * @t: terms
 *
 * Return: number as text
 */
const char *rtk_rteval_priority(const struct rtk_rteval *t);

/**
 * rtk_rteval_stats() - statistics of a series
 * @t: terms
 * @s: summary
 * @v: array of RTK_RTEVAL_STATS
 *
 * Return: how many are set: none without samples, no variance of one sample
 */
size_t rtk_rteval_stats(const struct rtk_rteval *t, const struct rtk_summary *s,
			struct rtk_rteval_stat *v);

#endif
