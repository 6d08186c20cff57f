#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""A document of jitter or caterpillar against what its rows must be: rows.py FILE.

A line for each finding; silence if there is none.
"""
import json
import math
import sys


def payload(n, seed):
    a = seed
    for i in range(n):
        a = (a + 3 * i + n) % 2**32 & 0x7F0F0000
    return a


def check_jitter(doc, rows, series):
    loop, calls, seed = (int(doc["params"][k]) for k in ("loop", "calls", "seed"))
    f = payload(loop, seed)
    if series["exec"]["count"] != calls + 1 + len(rows) * calls:
        yield f'{series["exec"]["count"]} calls'
    most = 0
    for i, r in enumerate(rows, 1):
        most = max(most, r["inst_jitter"])
        if r["sample"] != i:
            yield f'row {i}: sample {r["sample"]}'
        if r["inst_jitter"] != r["inst_max"] - r["inst_min"]:
            yield f"row {i}: inst_jitter"
        if not r["inst_min"] <= r["last_exec"] <= r["inst_max"]:
            yield f"row {i}: last_exec"
        if r["max_jitter"] != most:
            yield f"row {i}: max_jitter"
        if r["interval"] < calls * r["inst_min"]:
            yield f"row {i}: interval"
        tmp = (1000 + calls + 1 + i * calls) * f % 2**32
        if r["tmp"] != tmp:
            yield f'row {i}: tmp {r["tmp"]}, not {tmp}'
    yield from check_extremes(rows, series, "inst", "abs")
    yield from check_column(rows, series, "inst_jitter")


def check_caterpillar(doc, rows, series):
    calls, ops = (int(doc["params"][k]) for k in ("calls", "ops"))
    ex, values = series["exec"], doc["values"]
    if ex["count"] != len(rows) * calls:
        yield f'{ex["count"]} calls'
    for i, r in enumerate(rows):
        if r["sample"] != i:
            yield f'row {i}: sample {r["sample"]}'
        # The mean of the variances, which are known up to the rounding of their roots.
        low, high = (math.sqrt(sum(max(s["smpl_jitter"] + d, 0) ** 2 for s in rows[:i + 1])
                               / (i + 1)) + d for d in (-0.5, 0.5))
        if not low <= r["session_jitter"] <= high:
            yield f'row {i}: session_jitter {r["session_jitter"]}'
    if len(rows) == 1 and abs(rows[0]["smpl_jitter"] - ex["stddev"]) > 0.501:
        yield f'smpl_jitter {rows[0]["smpl_jitter"]}, not {ex["stddev"]}'
    want = {
        "smpl_jitter_min_ticks": min(r["smpl_jitter"] for r in rows),
        "smpl_jitter_max_ticks": max(r["smpl_jitter"] for r in rows),
        "exec_range_ticks": ex["max"] - ex["min"],
        "exec_p99.9_ticks": ex["percentiles"]["99.9"],
        "exec_variation": ex["stddev"] / ex["mean"],
        "ticks_per_op": ex["mean"] / ops,
    }
    if len(rows) > 1:
        want["smpl_jitter_stddev_ticks"] = series["jitter"]["stddev"]
    for name, value in want.items():
        if not math.isclose(values.get(name, -1), value, rel_tol=1e-9):
            yield f"{name}: {values.get(name)}, not {value}"
    yield from check_extremes(rows, series, "sample", "session")
    yield from check_column(rows, series, "smpl_jitter")


def check_extremes(rows, series, now, ever):
    """Running extremes; the last ones are those of the series."""
    least = most = None
    for i, r in enumerate(rows):
        low, high = r[f"{now}_min"], r[f"{now}_max"]
        if not 0 < low <= high:
            yield f"row {i}: {low} to {high}"
        if r[f"{ever}_min"] > low or r[f"{ever}_max"] < high:
            yield f"row {i}: outside of what there ever was"
        if i and (r[f"{ever}_min"] != min(least, low) or r[f"{ever}_max"] != max(most, high)):
            yield f"row {i}: what there ever was is wrong"
        least, most = r[f"{ever}_min"], r[f"{ever}_max"]
    if (least, most) != (series["exec"]["min"], series["exec"]["max"]):
        yield "the last extremes are not those of series exec"


def check_column(rows, series, name):
    values = [r[name] for r in rows]
    s = series["jitter"]
    if (s["count"], s["min"], s["max"]) != (len(values), min(values), max(values)):
        yield f"series jitter is not column {name}"


def main():
    with open(sys.argv[1], encoding="utf-8") as f:
        doc = json.load(f)
    (table,) = doc["tables"].values()
    rows = [dict(zip(table["columns"], r)) for r in table["rows"]]
    series = {s["name"]: s for s in doc["series"] if s["cpu"] == "all"}
    check = {"jitter": check_jitter, "caterpillar": check_caterpillar}[doc["test"]]
    want = int(doc["params"].get("rows", doc["params"].get("samples", 0)))
    if doc["ended"] == "complete" and len(rows) != want:
        print(f"{len(rows)} rows, not {want}")
    for finding in check(doc, rows, series) if rows else ["no row"]:
        print(finding)


main()
