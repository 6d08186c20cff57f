#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Validate results against the schema: validate.py SCHEMA FILE...

Beyond the schema: histogram = count, "all" = sum of the CPUs, names unique, the
corrected distributions are what comes out one value after the other, and gaps add
up to the time covered.
Exit status 0, or 1 with a line for each finding, or 4 without jsonschema.
"""
import collections
import fractions
import itertools
import json
import math
import sys

try:
    import jsonschema
except ImportError:
    print("no module jsonschema; run: sudo apt-get install python3-jsonschema")
    sys.exit(4)


def no_twins(pairs):
    """A key twice in an object is legal JSON, and a bug here."""
    keys = [key for key, _ in pairs]
    for key in set(keys):
        if keys.count(key) > 1:
            raise ValueError(f"key {key!r} twice in an object")
    return dict(pairs)


def check_sums(result):
    merged = {}
    for s in result["series"]:
        where = f'{s["name"]} of CPU {s["cpu"]}'
        rows = s["histogram"]
        if sum(row[2] for row in rows) != s["count"]:
            yield f"{where}: the histogram does not add up to count"
        if any(a[1] > b[0] for a, b in zip(rows, rows[1:])):
            yield f"{where}: rows overlap or are out of order"
        if any(row[0] >= row[1] or row[2] < 1 for row in rows):
            yield f"{where}: an empty row"
        if s["count"]:
            values = list(s["percentiles"].values())
            if not s["min"] <= values[0] or sorted(values + [s["max"]]) != values + [s["max"]]:
                yield f"{where}: min, percentiles, max are out of order"
            if not s["min"] <= s["mean"] <= s["max"]:
                yield f"{where}: the mean is out of range"
        merged.setdefault(s["name"], {}).setdefault(s["cpu"] == "all", []).append(s)
    for name, parts in merged.items():
        if len(parts.get(True, [])) != 1:
            yield f"{name}: not exactly one merged series"
            continue
        whole = parts[True][0]
        for key in ("count", "negative"):
            if whole[key] != sum(s[key] for s in parts[False]):
                yield f'{name}: {key} of "all" is not the sum of the CPUs'
        if whole.get("corrected") and whole["corrected"]["added"] != sum(
                s["corrected"]["added"] for s in parts[False]):
            yield f'{name}: added of "all" is not the sum of the CPUs'


def check_gaps(result):
    """Of a test with interrupts off: each ns covered is in one gap."""
    # A CPU's first series: it has the CPU's numbers.
    counts = {s["cpu"]: s for s in reversed(result["series"])}
    for c in result.get("per_cpu", []):
        if "covered_ns" not in c:
            continue
        where = f'CPU {c["cpu"]}'
        s = counts[c["cpu"]]
        if c["samples"] != s["count"]:
            yield f"{where}: samples is not the count of its series"
        if s["count"] and abs(s["mean"] * s["count"] - c["covered_ns"]) > c["covered_ns"] / 100:
            yield f"{where}: the gaps are not the time covered"
        if not result["verdict"]["status"] == "INVALID" and c["covered_ns"] > c["wall_ns"]:
            yield f"{where}: covered more than passed"
    gaps = result.get("gaps", {"list": [], "unexplained": None, "above": 0})
    if len(gaps["list"]) > gaps["above"]:
        yield "gaps: more in the list than above the threshold"
    bare = sum(not g["smi"] and not g["nmi"] for g in gaps["list"])
    if gaps["unexplained"] not in (None, bare):
        yield f'gaps: {gaps["unexplained"]} unexplained, not {bare}'
    for g in gaps["list"]:
        if (g["seen_on"] or 0) > (g["watching"] or 0):
            yield "gaps: one is seen by who did not watch"


def bucket_last(value):
    """Of the bucket that a value, not negative, falls into."""
    return value | (1 << max(value.bit_length() - 7, 0)) - 1


def correct(s, period):
    """Counts by bucket, with the samples that each long one has kept away."""
    counts = collections.Counter()
    for low, high, count in s["histogram"]:
        value = min(high - 1, s["max"])
        counts[bucket_last(value)] += count
        while low >= period and value >= period:
            value -= period
            counts[bucket_last(value)] += count
    return counts


def check_corrected(result):
    period = result["params"].get("period_ns")
    merged = collections.defaultdict(collections.Counter)
    for s in result["series"]:
        if not s.get("corrected") or not s["count"] or not period:
            continue
        if s["cpu"] != "all":
            counts = correct(s, int(period))
            merged[s["name"]].update(counts)
        else:
            counts = merged[s["name"]]
        where = f'{s["name"]} of CPU {s["cpu"]}, corrected'
        count = counts.total()
        if s["corrected"]["added"] != count - s["count"]:
            yield f'{where}: {s["corrected"]["added"]} added, not {count - s["count"]}'
        for name, got in s["corrected"]["percentiles"].items():
            rank, sums = math.ceil(count * fractions.Fraction(name) / 100), 0
            for last, n in sorted(counts.items()):
                sums += n
                if sums >= rank:
                    break
            if got != min(last, s["max"]):
                yield f'{where}: p{name} {got}, not {min(last, s["max"])}'


def check_tables(result):
    for name, table in result.get("tables", {}).items():
        if any(len(row) != len(table["columns"]) for row in table["rows"]):
            yield f"table {name}: a row with another number of values than columns"
        if len(table.get("names", table["rows"])) != len(table["rows"]):
            yield f"table {name}: not a name for each row"


def main():
    with open(sys.argv[1], encoding="utf-8") as f:
        schema = json.load(f)
    cls = jsonschema.validators.validator_for(schema)
    cls.check_schema(schema)
    found = 0
    for path in sys.argv[2:]:
        with open(path, encoding="utf-8") as f:
            result = json.load(f, object_pairs_hook=no_twins)
        for e in cls(schema).iter_errors(result):
            print(f'{path}: {"/".join(map(str, e.absolute_path))}: {e.message[:200]}')
            found += 1
        if not found:
            for text in itertools.chain(check_sums(result), check_corrected(result), check_gaps(result),
                                        check_tables(result)):
                print(f"{path}: {text}")
                found += 1
    return 1 if found else 0


sys.exit(main())
