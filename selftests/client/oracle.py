#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Read reports with the readers that others use: oracle.py FOLDER

For each NAME.in.json in it NAME.csv, NAME.junit and NAME.ktap are read, and what
they say is held against the document. KTAP on standard output.
"""
import csv
import glob
import json
import re
import sys
import xml.etree.ElementTree

count = failed = 0


def ok(good, what):
    global count, failed
    count += 1
    failed += not good
    print(f"{'' if good else 'not '}ok {count} {what}")


def check_csv(name, result):
    with open(f"{name}.csv", newline="", encoding="utf-8") as f:
        text = f.read()
    ok(text.count("\r\n") == text.count("\n") == len(result["series"]) + 1,
       f"{name}: lines end in CR LF")
    rows = list(csv.DictReader(text.splitlines(), strict=True))
    for row, s in zip(rows, result["series"]):
        same = (row["series"] == s["name"] and row["cpu"] == str(s["cpu"])
                and int(row["samples"]) == s["count"] and None not in row
                and None not in row.values())
        if s["count"]:
            same &= (int(row["min"]), int(row["max"])) == (s["min"], s["max"])
            same &= float(row["mean"]) == s["mean"]
            same &= int(row["p99.9"]) == s["percentiles"]["99.9"]
        ok(same, f"{name}: CSV, {s['name']} of CPU {s['cpu']}")


def cases_of_ktap(text):
    """The cases of one subtest: name and whether ok, not ok or skipped."""
    plan = int(re.search(r"^    1\.\.(\d+)$", text, re.M).group(1))
    cases = re.findall(r"^    (not )?ok (\d+) ([^:\n]*?)(?:: .*| # SKIP .*)$", text, re.M)
    if [int(c[1]) for c in cases] != list(range(1, plan + 1)):
        raise ValueError("the plan is not kept")
    return {c[2]: "failed" if c[0] else "ok" for c in cases}


def check_cases(name, result):
    suite = xml.etree.ElementTree.parse(f"{name}.junit").getroot().find("testsuite")
    cases = suite.findall("testcase")
    failures = [c.get("name") for c in cases if c.find("failure") is not None]
    ok(int(suite.get("tests")) == len(cases), f"{name}: JUnit counts its cases")
    ok(int(suite.get("failures")) == len(failures), f"{name}: and its failures")
    ok(("verdict" in failures) == (result["verdict"]["status"] == "INVALID"),
       f"{name}: INVALID is a failure, nothing else")
    balanced = all(e["expected"] == e["delivered"] + e["missed"] for e in result["ledger"])
    ok(balanced != any(f.startswith("ledger/") for f in failures), f"{name}: ledger")
    ok(result["verdict"]["exceeded"] == any(f.startswith("max/") for f in failures),
       f"{name}: limit")
    with open(f"{name}.ktap", encoding="utf-8") as f:
        ktap = cases_of_ktap(f.read())
    ok(ktap == {c.get("name"): "failed" if c.get("name") in failures else "ok" for c in cases},
       f"{name}: KTAP has the same cases")


def main():
    print("TAP version 13")
    for path in sorted(glob.glob(f"{sys.argv[1]}/*.in.json")):
        with open(path, encoding="utf-8") as f:
            result = json.load(f)
        name = path[:-len(".in.json")]
        check_csv(name, result)
        check_cases(name, result)
    print(f"1..{count}")
    return failed > 0 or not count


sys.exit(main())
