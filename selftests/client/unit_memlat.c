// SPDX-License-Identifier: GPL-2.0
/* The parts of memlat: ring, sizes, strides, room for memory, levels, format. */
#include <errno.h>
#include <stdint.h>

#include "files.h"
#include "levels.h"
#include "lmbench.h"
#include "memcurve.h"
#include "memring.h"
#include "memroom.h"
#include "tap.h"
#include "util.h"

#define KIB 1024LL
#define MIB (1024 * KIB)

/* --- the ring ------------------------------------------------------------- */

static struct rtk_memring make_ring(size_t n, size_t stride)
{
	struct rtk_memring ring = { .stride = stride, .n = n };

	ring.base = calloc(n, stride);
	if (!ring.base)
		exit(1);
	return ring;
}

static size_t index_of(const struct rtk_memring *ring, const void *p)
{
	size_t offset = (size_t)((const char *)p - ring->base);

	return offset % ring->stride ? SIZE_MAX : offset / ring->stride;
}

/* How many elements are visited once when going round for n steps, if it closes. */
static size_t visited(const struct rtk_memring *ring)
{
	char *seen = calloc(ring->n, 1);
	void *p = ring->base;
	size_t i, at, n = 0;

	for (i = 0; i < ring->n; i++) {
		at = index_of(ring, p);
		if (at >= ring->n || seen[at]++)
			break;
		n++;
		p = *(void **)p;
	}
	free(seen);
	return p == ring->base ? n : 0;
}

static void test_one_ring(size_t n, size_t stride, bool random)
{
	struct rtk_memring ring = make_ring(n, stride);
	struct rtk_memring again = make_ring(n, stride);
	const char *order = random ? "random" : "stride";
	size_t i, same = 0, in_order = 0, at;
	void *p;

	ok(rtk_memring_build(&ring, random, NULL), "%zu of %zu, %s: built", n,
	   stride, order);
	ok_num(visited(&ring), n, "every element once, and closed");
	rtk_memring_build(&again, random, NULL);
	for (i = 0; i < n; i++) {
		p = *(void **)(void *)(ring.base + i * stride);
		at = index_of(&again,
			      *(void **)(void *)(again.base + i * stride));
		same += index_of(&ring, p) == at;
		in_order += at == (i + 1) % n;
	}
	ok_num(same, n, "the same each time");
	if (random)
		ok(n < 100 || in_order < n / 20, "%zu of %zu in order", in_order,
		   n);
	else
		ok_num(in_order, n, "in order");
	p = ring.base;
	for (i = 0; i < 3 * RTK_MEMRING_TURN; i++)
		p = *(void **)p;
	ok(rtk_memring_chase(ring.base, 3) == p, "3 turns are 3 times %d loads",
	   RTK_MEMRING_TURN);
	free(ring.base);
	free(again.base);
}

static void test_ring(void)
{
	static const size_t sizes[] = { 1, 2, 3, 24, 1000, 65537 };
	static const size_t strides[] = { 8, 64, 512 };
	atomic_bool stop = true;
	struct rtk_memring ring;
	size_t i;

	for (i = 0; i < RTK_ARRAY_SIZE(sizes) * RTK_ARRAY_SIZE(strides); i++) {
		test_one_ring(sizes[i / 3], strides[i % 3], false);
		test_one_ring(sizes[i / 3], strides[i % 3], true);
	}
	ring = make_ring(10000, 8);
	ok(!rtk_memring_build(&ring, false, &stop), "stopped while building");
	ok(!rtk_memring_build(&ring, true, &stop), "likewise in random order");
	free(ring.base);
}

/* --- sizes, strides ------------------------------------------------------- */

/* From 2 KiB on: powers of two, and what lies in the middle of them. */
static void test_sizes(void)
{
	static const char *const begin[] = { "0.00049", "0.00098", "0.00195",
					     "0.00293", "0.00391", "0.00586",
					     "0.00781" };
	__s64 size = RTK_MEMCURVE_FIRST, want;
	char text[16];
	size_t i;

	for (i = 0; i < 35; i++) {
		want = i == 0 ? 512 :
		       i == 1 ? 1024 :
		       i % 2  ? (3LL << (i - 3) / 2) * KIB :
				(1LL << i / 2) * KIB;
		ok_num(size, want, "size %zu", i);
		snprintf(text, sizeof(text), "%.5f", (double)size / MIB);
		if (i < RTK_ARRAY_SIZE(begin))
			ok_str(text, begin[i], "as lat_mem_rd prints it");
		if (i == 34)
			ok_num(size, 128 * MIB, "the last one of 128 MiB");
		size = rtk_memcurve_next(size);
	}
	ok_num(rtk_memcurve_points(512, 128 * MIB), 35, "so 35 points");
	ok_num(rtk_memcurve_points(512, 127 * MIB), 34, "the last but one");
	ok_num(rtk_memcurve_points(8, 512), 1, "one point");
	ok_num(rtk_memcurve_points(1024, 128 * MIB), 34,
	       "no point is smaller than the stride");
	ok_num(rtk_memcurve_points(MIB, MIB), 1, "one point of one element");
}

static void bad_strides(const char *text, const char *want)
{
	struct rtk_strides s;
	char why[128] = "";

	ok_num(rtk_strides_parse(&s, text, MIB, why, sizeof(why)), -EINVAL,
	       "strides '%s'", text);
	ok_str(why, want, "and why");
}

static void test_strides(void)
{
	static const char list[] = "not a list of bytes such as 64,512";
	struct rtk_strides s;
	char why[128];

	ok_num(rtk_strides_parse(&s, "64,512,1048576,8", MIB, why, sizeof(why)),
	       0, "four strides");
	ok_num(s.n, 4, "all of them");
	ok(s.v[0] == 64 && s.v[1] == 512 && s.v[2] == MIB && s.v[3] == 8,
	   "in their order");
	bad_strides("", list);
	bad_strides("64,", list);
	bad_strides("64 512", list);
	bad_strides("64k", list);
	bad_strides("99999999999999999999", list);
	bad_strides("0", "0: allowed 8..1048576, multiples of 8");
	bad_strides("-64", "-64: allowed 8..1048576, multiples of 8");
	bad_strides("12", "12: allowed 8..1048576, multiples of 8");
	bad_strides("1048584", "1048584: allowed 8..1048576, multiples of 8");
	bad_strides("64,512,64", "64 is there twice");
	bad_strides("8,16,24,32,40,48,56,64,72,80,88,96,104,112,120,128,136",
		    "more than 16");
}

/* --- curve and format ----------------------------------------------------- */

static void test_median(void)
{
	__s64 v[5] = { 0 };
	size_t n = 0;

	rtk_memcurve_insert(v, &n, 7);
	ok_num(rtk_memcurve_median(v, n), 7, "median of one");
	rtk_memcurve_insert(v, &n, 3);
	ok_num(rtk_memcurve_median(v, n), 5, "of two: their mean");
	rtk_memcurve_insert(v, &n, 9);
	rtk_memcurve_insert(v, &n, 1);
	rtk_memcurve_insert(v, &n, 100);
	ok(v[0] == 1 && v[1] == 3 && v[2] == 7 && v[3] == 9 && v[4] == 100,
	   "ascending");
	ok_num(rtk_memcurve_median(v, n), 7, "of five");
}

static const char *const columns[] = { "cpu",	 "stride_bytes", "size_bytes",
				       "min_ps", "median_ps",	 "loads",
				       NULL };

/* Three CPUs, two strides; of the last point one CPU has none. */
static const __s64 rows[][6] = {
	{ 1, 512, 512, 1590, 1595, 1000 },  { 1, 512, 1024, 1591, 1600, 1000 },
	{ 2, 512, 512, 1580, 1700, 2000 },  { 2, 512, 1024, 1600, 1601, 2000 },
	{ 3, 512, 512, 1600, 1601, 3000 },  { 3, 512, 1024, 1605, 1610, 3000 },
	{ 1, 64, 100663296, 13654, 13655, 9 },
	{ 2, 64, 100663296, 13655, 13700, 9 },
};

static void test_merge(void)
{
	struct rtk_result r;
	struct rtk_memcurve c;
	struct rtk_datatable *t;
	char *text = NULL;
	size_t i, len;
	FILE *out;

	rtk_result_init(&r);
	t = rtk_extra_table(&r.extra, "curve", columns);
	for (i = 0; i < RTK_ARRAY_SIZE(rows); i++)
		rtk_extra_row(&r.extra, t, rows[i]);
	ok_num(rtk_memcurve_merge(&c, t), 0, "merged");
	ok_num(c.n, 3, "three points");
	ok(c.v[0].stride == 512 && c.v[0].size == 512, "the first");
	ok_num(c.v[0].min_ps, 1580, "minimum of minima");
	ok_num(c.v[0].median_ps, 1601, "median of medians");
	ok_num(c.v[0].loads, 6000, "all loads");
	ok_num(c.v[1].median_ps, 1601, "the second");
	ok_num(c.v[2].median_ps, 13677, "the last: of two CPUs");
	rtk_memcurve_free(&c);
	out = open_memstream(&text, &len);
	rtk_lmbench_memlat(out, &r, NULL);
	fclose(out);
	ok_str(text,
	       "\"stride=512\n0.00049 1.580\n0.00098 1.591\n\n"
	       "\"stride=64\n96.00000 13.654\n",
	       "as lat_mem_rd prints it");
	free(text);
	rtk_result_free(&r);
}

/* --- levels --------------------------------------------------------------- */

/* A curve with levels up to size[], times ps[]; the last has no end. */
struct made {
	__s64 size[4];
	__s64 ps[4];
	size_t n;
};

static __u64 next(__u64 *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

/*
 * Beyond a cache's size the share of misses rises linearly over an octave; noise
 * is in percent, and each tenth point or so is disturbed, up to twice as slow.
 */
static size_t make_curve(const struct made *m, unsigned int noise, __s64 *size,
			 __s64 *ps, __u64 seed)
{
	__s64 at = RTK_MEMCURVE_FIRST, v;
	size_t n, k = 0;

	for (n = 0; at <= 128 * MIB; n++, at = rtk_memcurve_next(at)) {
		while (k + 1 < m->n && at >= 2 * m->size[k])
			k++;
		v = m->ps[k];
		if (k + 1 < m->n && at > m->size[k])
			v += (m->ps[k + 1] - v) * (at - m->size[k]) /
			     m->size[k];
		if (noise)
			v += v * (__s64)(next(&seed) % (noise * 10)) / 1000;
		if (noise && !(next(&seed) % 10))
			v += v * (__s64)(next(&seed) % 100) / 100;
		size[n] = at;
		ps[n] = v;
	}
	return n;
}

static bool is_within(__s64 v, __s64 low, __s64 high)
{
	return v >= low && v <= high;
}

static void test_curve(const char *name, const struct made *m,
		       unsigned int noise, __u64 seed)
{
	__s64 size[64], ps[64];
	struct rtk_levels l;
	size_t i, n = make_curve(m, noise, size, ps, seed);
	__s64 least;

	rtk_levels_find(&l, size, ps, n);
	if (!ok(l.n == m->n, "%s, noise %u %%, seed %llu: %zu levels", name,
		noise, seed, l.n))
		return;
	for (i = 0; i < m->n; i++) {
		/* Its last point may be a disturbed one. */
		least = noise ? m->size[i] * 2 / 3 : m->size[i];
		if (i + 1 < m->n)
			ok(is_within(l.v[i].size, least, 2 * m->size[i] - 1),
			   "level %zu ends at %lld", i, l.v[i].size);
		else
			ok_num(l.v[i].size, 0, "the last one has no end");
		ok(is_within(l.v[i].ps, m->ps[i], m->ps[i] * 115 / 100 + 1),
		   "level %zu has %lld ps", i, l.v[i].ps);
	}
}

static void test_find(void)
{
	static const struct made three = {
		{ 32 * KIB, MIB, 16 * MIB }, { 950, 3300, 15000, 90000 }, 4
	};
	static const struct made two = { { 48 * KIB, 2 * MIB },
					 { 1100, 4000, 110000 },
					 3 };
	static const struct made flat = { { 0 }, { 1500 }, 1 };
	__s64 size[] = { 512, 1024 }, ps[] = { 1, 1 };
	struct rtk_levels l;
	__u64 seed;

	test_curve("three caches", &three, 0, 1);
	test_curve("two caches", &two, 0, 1);
	test_curve("no cache", &flat, 0, 1);
	for (seed = 1; seed <= 20; seed++) {
		test_curve("three caches", &three, 10, seed);
		test_curve("two caches", &two, 10, seed);
		test_curve("no cache", &flat, 10, seed);
	}
	rtk_levels_find(&l, size, ps, 2);
	ok_num(l.n, 0, "two points are no level");
	rtk_levels_find(&l, size, ps, 0);
	ok_num(l.n, 0, "nor is nothing");
}

static void match(const char *text, const struct rtk_levels *l,
		  const struct rtk_caches *c, const struct rtk_levelrow *want,
		  size_t n)
{
	struct rtk_levelrow row[RTK_LEVELROWS_MAX];
	size_t i;

	ok_num(rtk_levels_match(l, c, row), n, "%s: number of rows", text);
	for (i = 0; i < n; i++) {
		ok_num(row[i].level, want[i].level, "row %zu: level", i);
		ok_num(row[i].stated, want[i].stated, "stated");
		ok_num(row[i].seen, want[i].seen, "seen");
		ok_num(row[i].ps, want[i].ps, "latency");
	}
}

static void test_match(void)
{
	static const struct rtk_caches none, c = {
		{ { 1, 48 * KIB, 64 }, { 2, MIB, 64 }, { 3, 32 * MIB, 64 } }, 3
	};
	static const struct rtk_levels seen = { { { 48 * KIB, 950 },
						  { 768 * KIB, 3300 },
						  { 16 * MIB, 15000 },
						  { 0, 90000 } },
						4 };
	static const struct rtk_levels odd = { { { 8 * KIB, 900 },
						 { 32 * KIB, 1500 },
						 { 4 * MIB, 9000 },
						 { 0, 90000 } },
					       4 };

	match("all are seen", &seen, &c,
	      (const struct rtk_levelrow[]){
		      { 1, 48 * KIB, 48 * KIB, 950 },
		      { 2, MIB, 768 * KIB, 3300 },
		      { 3, 32 * MIB, 16 * MIB, 15000 },
		      { 0, 0, 0, 90000 } },
	      4);
	match("some differ", &odd, &c,
	      (const struct rtk_levelrow[]){ { 0, 0, 8 * KIB, 900 },
					     { 1, 48 * KIB, 32 * KIB, 1500 },
					     { 2, MIB, 0, 0 },
					     { 0, 0, 4 * MIB, 9000 },
					     { 3, 32 * MIB, 0, 0 },
					     { 0, 0, 0, 90000 } },
	      6);
	match("none is stated", &seen, &none,
	      (const struct rtk_levelrow[]){ { 0, 0, 48 * KIB, 950 },
					     { 0, 0, 768 * KIB, 3300 },
					     { 0, 0, 16 * MIB, 15000 },
					     { 0, 0, 0, 90000 } },
	      4);
	match("none is seen", &(const struct rtk_levels){ .n = 0 }, &c,
	      (const struct rtk_levelrow[]){ { 1, 48 * KIB, 0, 0 },
					     { 2, MIB, 0, 0 },
					     { 3, 32 * MIB, 0, 0 } },
	      3);
}

/* --- room ----------------------------------------------------------------- */

static void room(const char *root, int node, __s64 want, const char *of)
{
	char what[128] = "";
	__s64 bytes = -1;

	ok_num(rtk_memroom_free(root, node, &bytes, what, sizeof(what)), 0,
	       "room is known");
	ok_num(bytes, want, "so much");
	ok_str(what, of, "by that");
}

static void test_room(const char *root)
{
	static const char of_a[] = "memory.max of control group /a";
	char text[128];
	__s64 bytes;

	ok_num(rtk_memroom_free(root, -1, &bytes, text, sizeof(text)), -ENOENT,
	       "nothing is known");
	put(root, "/proc/meminfo",
	    "MemTotal:  9000 kB\nMemFree:  10 kB\nMemAvailable:    4000 kB\n");
	room(root, -1, 4096000, "MemAvailable");
	put(root, "/proc/self/cgroup", "0::/\n");
	room(root, -1, 4096000, "MemAvailable");
	put(root, "/proc/self/cgroup", "1:memory:/x\n0::/a/b\n");
	put(root, "/sys/fs/cgroup/a/memory.max", "1000000\n");
	put(root, "/sys/fs/cgroup/a/memory.current", "900000\n");
	put(root, "/sys/fs/cgroup/a/memory.stat",
	    "anon 5\nfile 700\ninactive_file 600\nactive_file 50\n");
	put(root, "/sys/fs/cgroup/a/b/memory.max", "max\n");
	put(root, "/sys/fs/cgroup/a/b/memory.current", "800000\n");
	room(root, -1, 100650, of_a);
	put(root, "/sys/fs/cgroup/a/memory.current", "1100000\n");
	room(root, -1, 0, of_a);
	put(root, "/sys/fs/cgroup/a/memory.max", "max\n");
	room(root, -1, 4096000, "MemAvailable");
	put(root, "/sys/devices/system/node/node1/meminfo",
	    "Node 1 MemTotal: 99 kB\nNode 1 MemFree:   100 kB\n"
	    "Node 1 Active(file):  20 kB\nNode 1 Inactive(file): 3 kB\n");
	room(root, 1, 125952, "free and page cache on node 1");
	room(root, 0, 4096000, "MemAvailable");
}

static void test_huge(const char *root)
{
	static const char dir[] = "/sys/kernel/mm/hugepages/hugepages-2048kB";
	char why[256], path[128];

	ok(!rtk_memroom_huge(root, 2048, -1, 1, why, sizeof(why)), "none");
	ok_str(why, "neither kernel nor CPU have pages of 2048 kB", "why");
	snprintf(path, sizeof(path), "%s/nr_hugepages", dir);
	put(root, path, "10\n");
	snprintf(path, sizeof(path), "%s/free_hugepages", dir);
	put(root, path, "8\n");
	ok(rtk_memroom_huge(root, 2048, -1, 8, why, sizeof(why)), "8 of 8");
	snprintf(path, sizeof(path), "%s/resv_hugepages", dir);
	put(root, path, "3\n");
	ok(rtk_memroom_huge(root, 2048, -1, 5, why, sizeof(why)),
	   "3 are others'");
	ok(!rtk_memroom_huge(root, 2048, -1, 64, why, sizeof(why)), "64 of 5");
	ok_str(why,
	       "64 pages of 2048 kB wanted, 5 free; reserve them: echo 69 > /sys/kernel/mm/hugepages/hugepages-2048kB/nr_hugepages",
	       "why, and what to do");
	ok(!rtk_memroom_huge(root, 2048, 1, 1, why, sizeof(why)),
	   "none on a node");
	put(root, "/sys/devices/system/node/node1/hugepages/hugepages-2048kB/nr_hugepages",
	    "0\n");
	put(root, "/sys/devices/system/node/node1/hugepages/hugepages-2048kB/free_hugepages",
	    "0\n");
	ok(!rtk_memroom_huge(root, 2048, 1, 1, why, sizeof(why)), "0 there");
	ok_str(why,
	       "1 page of 2048 kB wanted, 0 free; reserve them: echo 1 > /sys/devices/system/node/node1/hugepages/hugepages-2048kB/nr_hugepages",
	       "why, and what to do");
}

static void test_node(const char *root)
{
	char have[64];

	ok(rtk_memroom_node(root, 0, have, sizeof(have)), "node 0 without NUMA");
	ok(!rtk_memroom_node(root, 1, have, sizeof(have)), "no other");
	put(root, "/sys/devices/system/node/has_memory", "0,2-3\n");
	ok(rtk_memroom_node(root, 2, have, sizeof(have)), "node 2");
	ok(!rtk_memroom_node(root, 1, have, sizeof(have)), "not node 1");
	ok_str(have, "0,2-3", "those that have memory");
	ok(!rtk_memroom_node(root, 99, have, sizeof(have)), "not node 99");
}

int main(void)
{
	char root[] = "/tmp/rtk-memlat.XXXXXX", cmd[64];

	tap_begin();
	test_ring();
	test_sizes();
	test_strides();
	test_median();
	test_merge();
	test_find();
	test_match();
	if (!mkdtemp(root))
		return 1;
	test_room(root);
	test_huge(root);
	test_node(root);
	snprintf(cmd, sizeof(cmd), "rm -rf %s", root);
	ok_num(system(cmd), 0, "cleaned up");
	return tap_end();
}
