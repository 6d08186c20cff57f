#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Validate results against the schema: validate.py SCHEMA FILE...

Beyond the schema: histogram = count, "all" = sum of the CPUs, names unique.
Exit status 0, or 1 with a line for each finding, or 4 without jsonschema.
"""
import json
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
            for text in check_sums(result):
                print(f"{path}: {text}")
                found += 1
    return 1 if found else 0


sys.exit(main())
