// SPDX-License-Identifier: GPL-2.0
/* The series, and the words for them. */
#include <errno.h>
#include <string.h>

#include "rheal.h"

#define NS(n)                                                \
	{                                                    \
		.name = (n), .unit = "ns", .is_signed = true \
	}

const struct rtk_useries rheal_series[RHEAL_SERIES] = {
	[RHEAL_SWITCH] = NS("task_switch"),
	[RHEAL_PREEMPTION] = NS("preemption"),
	[RHEAL_INTERRUPT] = NS("interrupt"),
	[RHEAL_INTERRUPT_IPI] = NS("interrupt_ipi"),
	[RHEAL_SEMAPHORE] = NS("semaphore"),
	[RHEAL_DEADLOCK] = NS("deadlock"),
	[RHEAL_MESSAGE_MQ] = NS("message_mq"),
	[RHEAL_MESSAGE_PIPE] = NS("message_pipe"),
	[RHEAL_MESSAGE_EVENTFD] = NS("message_eventfd"),
};

static const struct {
	const char *word;
	unsigned int series;
} words[] = {
	{ "switch", 1U << RHEAL_SWITCH },
	{ "preemption", 1U << RHEAL_PREEMPTION },
	{ "interrupt", 1U << RHEAL_INTERRUPT | 1U << RHEAL_INTERRUPT_IPI },
	{ "semaphore", 1U << RHEAL_SEMAPHORE },
	{ "deadlock", 1U << RHEAL_DEADLOCK },
	{ "message", 1U << RHEAL_MESSAGE_MQ | 1U << RHEAL_MESSAGE_PIPE |
			     1U << RHEAL_MESSAGE_EVENTFD },
};

static unsigned int find(const char *word, size_t len)
{
	size_t i;

	for (i = 0; i < RTK_ARRAY_SIZE(words); i++)
		if (strlen(words[i].word) == len &&
		    !strncmp(words[i].word, word, len))
			return words[i].series;
	return 0;
}

int rheal_only(const char *text, unsigned int *asked)
{
	const char *word = text;
	unsigned int series;
	size_t len;

	*asked = *text ? 0 : (1U << RHEAL_SERIES) - 1;
	while (*text) {
		len = strcspn(word, ",");
		series = find(word, len);
		*asked |= series;
		if (!series) {
			rtk_err("only=%s: '%.*s' is none of switch, preemption, interrupt, semaphore, deadlock, message",
				text, (int)len, word);
			return -EINVAL;
		}
		if (!word[len])
			break;
		word += len + 1;
	}
	return 0;
}
