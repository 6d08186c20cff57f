/* SPDX-License-Identifier: GPL-2.0 */
/* What would make a result say more. */
#ifndef RTK_ADVICE_H
#define RTK_ADVICE_H

#include "result.h"

/**
 * rtk_advise() - fill in a verdict's advice
 * @r: judged result of a run that has ended
 *
 * Of a short run how long would be long enough, of an idle machine to load it. It
 * takes nothing from what the result is worth.
 */
void rtk_advise(struct rtk_result *r);

#endif
