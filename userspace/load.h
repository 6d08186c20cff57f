/* SPDX-License-Identifier: GPL-2.0 */
/* A result read back from its JSON document. */
#ifndef RTK_LOAD_H
#define RTK_LOAD_H

#include "result.h"

/**
 * rtk_load() - read a result
 * @path: its document, "-" for standard input
 * @r: filled; free with rtk_result_free(), not after an error
 *
 * The result is summarized; its verdict is the document's. What only a run that
 * goes on needs (generation, owner, last error) is not there. Prints its errors.
 *
 * Return: 0; -ENOENT and the like for the file; -EBADMSG it is no result, or was
 * damaged; -ENOMEM
 */
int rtk_load(const char *path, struct rtk_result *r);

/**
 * rtk_load_text() - the same of a text
 * @name: how errors call it
 * @text: document
 * @r: see there
 *
 * Return: see there
 */
int rtk_load_text(const char *name, const char *text, struct rtk_result *r);

#endif
