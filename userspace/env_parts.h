/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The parts of an environment that are looked at after the run, when the measured
 * CPUs are known. For env*.c only.
 */
#ifndef RTK_ENV_PARTS_H
#define RTK_ENV_PARTS_H

#include <jansson.h>

#include "env.h"

/**
 * struct rtk_env_look - what is looked at
 * @e: environment, for what the verdict needs
 * @o: its further keys
 * @root: where the file system is
 * @cpus: measured CPUs
 */
struct rtk_env_look {
	struct rtk_env *e;
	json_t *o;
	const char *root;
	const struct rtk_cpuset *cpus;
};

/**
 * rtk_env_text() - a file's text
 * @l: with the root
 * @path: file
 *
 * Return: new reference; NULL where it can't be read, or is empty
 */
json_t *rtk_env_text(const struct rtk_env_look *l, const char *path);

/**
 * rtk_env_set_file() - set a key to a file's text
 * @l: with the root
 * @o: object
 * @key: key; null with its reason where the file can't be read
 * @path: file
 */
void rtk_env_set_file(const struct rtk_env_look *l, json_t *o, const char *key,
		      const char *path);

/**
 * rtk_env_mount() - where a file system of a type is mounted
 * @root: where the machine's files are
 * @type: type
 * @dir: filled, empty where there is none
 * @size: its size
 *
 * Return: is there one?
 */
bool rtk_env_mount(const char *root, const char *type, char *dir, size_t size);

/* The parts, each in the file of its name: env_hardware.c and so on. */
void rtk_env_hardware(const struct rtk_env_look *l);
void rtk_env_kernel(const struct rtk_env_look *l);
void rtk_env_tasks(const struct rtk_env_look *l);
void rtk_env_resctrl(const struct rtk_env_look *l);
void rtk_env_deltas(const struct rtk_env_look *l);

#endif
