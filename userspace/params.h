/* SPDX-License-Identifier: GPL-2.0 */
/* "name=value" of the command line against a test's description. */
#ifndef RTK_PARAMS_H
#define RTK_PARAMS_H

#include "extra.h"
#include "model.h"

/**
 * rtk_params_unknown() - say that a test has no such parameter
 * @t: test with its parameters
 * @name: what was asked for; the nearest name is offered
 *
 * Return: -EINVAL
 */
int rtk_params_unknown(const struct rtk_test *t, const char *name);

/**
 * rtk_params_add() - take in one "name=value"
 * @t: test with its parameters
 * @arg: argument; a time may carry a unit
 * @kvs: the setting is appended
 *
 * Only names and units are judged here; limits are the kernel's to judge.
 * Prints its errors.
 *
 * Return: 0, -EINVAL or -ENOMEM
 */
int rtk_params_add(const struct rtk_test *t, const char *arg,
		   struct rtk_kvs *kvs);

/**
 * rtk_params_set() - append a setting, or replace the one of that name
 * @kvs: settings
 * @name: parameter
 * @value: as the kernel reads it
 *
 * Return: 0 or -ENOMEM, printed
 */
int rtk_params_set(struct rtk_kvs *kvs, const char *name, const char *value);

/**
 * rtk_params_defaults() - append the defaults of what has no setting
 * @t: test with its parameters
 * @kvs: settings
 *
 * Return: 0 or -ENOMEM, printed
 */
int rtk_params_defaults(const struct rtk_test *t, struct rtk_kvs *kvs);

/**
 * rtk_params_find() - a setting by name
 * @kvs: settings
 * @name: parameter
 *
 * Return: its value or NULL
 */
const char *rtk_params_find(const struct rtk_kvs *kvs, const char *name);

/**
 * rtk_params_value() - the value that a test's results belong to
 * @t: test with its parameters
 * @name: parameter
 *
 * Return: the value that the run was started with, or the present one, or NULL
 */
const char *rtk_params_value(const struct rtk_test *t, const char *name);

/**
 * rtk_params_settled() - note what the run was not measured with
 * @t: test of a finished run
 * @kvs: what was set
 * @n: how many of them, from the first, the user gave
 * @e: a note is added for each that the kernel has settled otherwise
 *
 * What leaves the choice to the kernel (auto, -1, cpus) is none of these.
 */
void rtk_params_settled(const struct rtk_test *t, const struct rtk_kvs *kvs,
			size_t n, struct rtk_extra *e);

#endif
