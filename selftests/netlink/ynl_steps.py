#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""usage: ynl_steps.py YNL SPEC TEST

Lists the tests, and starts, reads and stops a run of TEST by the kernel's own
netlink client, which lies in the folder YNL. Prints what was answered as JSON.
"""
import json
import struct
import sys
import time


def refused(family, error, *request):
    """The error number of a request."""
    try:
        family.do(*request)
    except error as e:
        return e.error
    return 0


def sums(messages):
    """Counts of the lanes; buckets are {u32 index, u32 0, u64 count}."""
    lanes = {}
    for m in messages:
        lane = f'{m["cpu"]} {m["series"]}'
        counts = [n for _, _, n in struct.iter_unpack('=IIQ', m['hist']['buckets'])]
        lanes[lane] = lanes.get(lane, 0) + sum(counts)
    return lanes


def main():
    sys.path.insert(0, sys.argv[1])
    from lib import NlError, YnlFamily

    # Its schema is looked at elsewhere: that takes seconds.
    family = YnlFamily(sys.argv[2], '')
    test = {'test': sys.argv[3]}
    params = [{'name': 'period_ns', 'value': '10000000'}, {'name': 'warmup_ms', 'value': '0'}]
    answers = {
        'tests': family.dump('test-get', {}),
        'start': family.do('start', {**test, 'param': params}),
        'busy': refused(family, NlError, 'start', test),
        'running': family.do('test-get', test),
    }
    time.sleep(0.2)
    answers |= {
        'stop': family.do('stop', test),
        'stats': family.dump('stats-get', test),
        'sums': sums(family.dump('hist-get', test)),
    }
    json.dump(answers, sys.stdout, default=list)


if __name__ == '__main__':
    main()
