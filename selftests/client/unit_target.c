// SPDX-License-Identifier: GPL-2.0
/*
 * Which device a run holds, by a made-up rtk-device beside this program. Called with
 * the folder of that.
 */
#include "captured.h"
#include "files.h"
#include "params.h"
#include "target.h"
#include "util.h"

static const char *folder;
static char program[PATH_MAX];

/* It notes its arguments, and has one device. */
static void make_program(void)
{
	char text[512];

	snprintf(text, sizeof(text),
		 "#!/bin/sh\necho \"$*\" >%s/target\necho '{\"device\":\"0000:03:00.0\"}'\n",
		 folder);
	put(folder, "/rtk-device", text);
	snprintf(program, sizeof(program), "%s/rtk-device", folder);
	chmod(program, 0755);
}

static void param(struct rtk_test *t, const char *name, __u32 type,
		  const char *value, const char *def)
{
	struct rtk_param *p = rtk_grow(&t->params, &t->nparams, sizeof(*p));

	rtk_copy(p->name, sizeof(p->name), name);
	p->type = type;
	p->value = strdup(value);
	p->def = strdup(def);
}

/* A test that has read DEVICE or ADDRESS before. */
static void make_test(struct rtk_test *t, const char *device,
		      const char *address)
{
	rtk_test_init(t);
	rtk_copy(t->name, sizeof(t->name), "mmio");
	param(t, "device", RTK_PARAM_TYPE_PCI, device, "auto");
	param(t, "address", RTK_PARAM_TYPE_STRING, address, "");
	param(t, "space", RTK_PARAM_TYPE_ENUM, "memory", "memory");
	param(t, "bar", RTK_PARAM_TYPE_S64, "2", "-1");
	param(t, "offset", RTK_PARAM_TYPE_STRING, "10", "");
	param(t, "width", RTK_PARAM_TYPE_U64, "8", "4");
	param(t, "force", RTK_PARAM_TYPE_BOOL, "0", "0");
}

/*
 * asks(test, what the user gives, what rtk-device is asked for and what is set then);
 * each in words separated by blanks
 */
static void asks(struct rtk_test *t, const char *given, const char *held,
		 const char *set)
{
	char words[256], got[128], all[512] = "";
	struct rtk_kvs kvs = { 0 };
	struct rtk_hold h = { 0 };
	struct rtk_device d = { 0 };
	size_t i, len = 0;
	char *w;

	put(folder, "/target", "");
	rtk_copy(words, sizeof(words), given);
	for (w = strtok(words, " "); w; w = strtok(NULL, " "))
		rtk_params_add(t, w, &kvs);
	ok(!rtk_target_hold(t, &kvs, &h, &d) && !rtk_hold_end(&h), "'%s'",
	   given);
	rtk_read_text(got, sizeof(got), "%s/target", folder);
	ok_str(got, held, "... what is held");
	for (i = 0; i < kvs.n; i++)
		len += (size_t)snprintf(all + len, sizeof(all) - len, "%s%s=%s",
					i ? " " : "", kvs.v[i].name,
					kvs.v[i].value);
	ok_str(all, set, "... what is set");
	rtk_kvs_free(&kvs);
}

static void test_device(void)
{
	struct rtk_test t;

	make_test(&t, "auto", "");
	asks(&t, "", "hold auto --unbound", "device=0000:03:00.0");
	asks(&t, "force=1", "hold auto --unbound --force",
	     "force=1 device=0000:03:00.0");
	asks(&t, "bar=0 device=03:00.0", "hold 03:00.0 --unbound",
	     "bar=0 device=0000:03:00.0 address= space=memory offset= width=4 force=0");
	rtk_test_free(&t);
	make_test(&t, "0000:04:00.0", "");
	asks(&t, "", "hold 0000:04:00.0 --unbound", "device=0000:03:00.0");
	rtk_test_free(&t);
}

static void test_address(void)
{
	struct rtk_test t;

	make_test(&t, "0000:04:00.0", "");
	asks(&t, "address=fe00", "hold address=fe00 --unbound",
	     "address=fe00 device=auto space=memory bar=-1 offset= width=4 force=0");
	/* Do these agree? The module says so, of what is given and not of what is left. */
	asks(&t, "address=fe00 device=03:00.0", "hold 03:00.0 --unbound",
	     "address=fe00 device=03:00.0 space=memory bar=-1 offset= width=4 force=0");
	asks(&t, "address=fe00 bar=1", "hold address=fe00 --unbound",
	     "address=fe00 bar=1 device=auto space=memory offset= width=4 force=0");
	rtk_test_free(&t);
	make_test(&t, "auto", "fe00");
	asks(&t, "", "hold address=fe00 --unbound", "");
	asks(&t, "device=auto", "hold auto --unbound",
	     "device=0000:03:00.0 address= space=memory bar=-1 offset= width=4 force=0");
	asks(&t, "offset=8", "hold auto --unbound",
	     "offset=8 address= device=0000:03:00.0");
	asks(&t, "space=config", "hold auto --unbound",
	     "space=config address= bar=-1 offset= device=0000:03:00.0");
	rtk_test_free(&t);
}

/* One of interrupts takes its device from a driver; another has no device. */
static void test_others(void)
{
	struct rtk_test t;

	rtk_test_init(&t);
	asks(&t, "", "", "");
	ok(!rtk_target_reads(&t), "without a device nothing is read");
	param(&t, "device", RTK_PARAM_TYPE_PCI, "auto", "auto");
	asks(&t, "", "hold auto", "device=0000:03:00.0");
	asks(&t, "device=04:00.0", "hold 04:00.0", "device=0000:03:00.0");
	ok(!rtk_target_reads(&t), "nor where it raises interrupts");
	rtk_test_free(&t);
	make_test(&t, "auto", "");
	ok(rtk_target_reads(&t), "but where there is also an address");
	rtk_test_free(&t);
}

int main(int argc, char **argv)
{
	tap_begin();
	capture_errors();
	if (argc != 2)
		return 1;
	folder = argv[1];
	make_program();
	test_device();
	test_address();
	test_others();
	unlink(program);
	ok_str(captured(), "", "all without a word");
	return tap_end();
}
