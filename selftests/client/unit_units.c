// SPDX-License-Identifier: GPL-2.0
#include <errno.h>

#include "tap.h"
#include "units.h"
#include "util.h"

struct row {
	const char *text;
	const char *bare;
	const char *target;
	int err;
	long long value;
};

static const struct row rows[] = {
	{ "250us", "ns", "ns", 0, 250000 },
	{ "250000", "ns", "ns", 0, 250000 },
	{ "1.5ms", "ns", "ns", 0, 1500000 },
	{ "0.000001s", "ns", "us", 0, 1 },
	{ "10m", "s", "ms", 0, 600000 },
	{ "60", "s", "ms", 0, 60000 },
	{ "1h", "s", "s", 0, 3600 },
	{ "2d", "s", "h", 0, 48 },
	{ "1 ms", "ns", "ns", 0, 1000000 },
	{ "-1", "us", "us", 0, -1 },
	{ "+7", "us", "us", 0, 7 },
	{ "-5ms", "us", "us", 0, -5000 },
	{ "0", "ns", "ns", 0, 0 },
	{ "00012", "ns", "ns", 0, 12 },
	{ "9223372036854775807", "ns", "ns", 0, 9223372036854775807LL },
	{ "9223372036.854775807s", "ns", "ns", 0, 9223372036854775807LL },
	{ "-9223372036854775808", "ns", "ns", 0, -9223372036854775807LL - 1 },
	{ "9223372036854775808", "ns", "ns", -ERANGE, 0 },
	{ "9223372036854776us", "ns", "ns", -ERANGE, 0 },
	{ "18446744073709551616", "ns", "ns", -ERANGE, 0 },
	{ "99999999999999999999999999", "ns", "ns", -ERANGE, 0 },
	{ "106752d", "s", "ns", -ERANGE, 0 },
	{ "106751d", "s", "ns", 0, 106751LL * 86400 * 1000000000 },
	{ "1us", "ms", "ms", -EDOM, 0 },
	{ "0.5ns", "ns", "ns", -EDOM, 0 },
	{ "0.5", "ms", "ms", -EDOM, 0 },
	{ "", "ns", "ns", -EINVAL, 0 },
	{ "-", "ns", "ns", -EINVAL, 0 },
	{ ".", "ns", "ns", -EINVAL, 0 },
	{ "1.", "ns", "ns", -EINVAL, 0 },
	{ "1..2", "ns", "ns", -EINVAL, 0 },
	{ "ms", "ns", "ns", -EINVAL, 0 },
	{ "10 minutes", "ns", "ns", -EINVAL, 0 },
	{ "10us ", "ns", "ns", -EINVAL, 0 },
	{ "1e3", "ns", "ns", -EINVAL, 0 },
	{ "0x10", "ns", "ns", -EINVAL, 0 },
	{ "10US", "ns", "ns", -EINVAL, 0 },
	{ "--1", "ns", "ns", -EINVAL, 0 },
};

static const struct {
	long long ns;
	const char *text;
} prints[] = {
	{ 0, "0 ns" },		     { 999, "999 ns" },
	{ 1000, "1 us" },	     { 31648, "31.65 us" },
	{ 5000000000LL, "5 s" },     { 12345678, "12.35 ms" },
	{ -1500, "-1.5 us" },	     { 60000000000LL, "60 s" },
	{ 172800000000000LL, "172800 s" },
};

int main(void)
{
	char buf[128];
	__s64 v;
	size_t i;
	int err;

	tap_begin();
	for (i = 0; i < RTK_ARRAY_SIZE(rows); i++) {
		v = 0;
		err = rtk_units_parse(rows[i].text, rows[i].bare,
				      rows[i].target, &v);
		ok(err == rows[i].err && (err || v == rows[i].value),
		   "'%s' in %s is %lld (%d)", rows[i].text, rows[i].target, v,
		   err);
	}
	for (i = 0; i < RTK_ARRAY_SIZE(prints); i++)
		ok_str(rtk_units_print(buf, sizeof(buf), prints[i].ns),
		       prints[i].text, "%lld ns in words", prints[i].ns);
	ok_num(rtk_units_ns("min"), 0, "min is no unit");
	ok(strstr(rtk_units_explain(buf, sizeof(buf), -EDOM, "ms"), "ms"),
	   "the explanation names the unit");
	return tap_end();
}
