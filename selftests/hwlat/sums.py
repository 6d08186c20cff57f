#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Does what a run of hwlat says agree with itself?

usage: sums.py JSON STATS CLOCK CPUS

JSON is the client's, STATS the text of debugfs. Prints what does not hold.
"""
import json
import sys


def lines(path):
    """The words of each line by CPU."""
    for line in open(path, encoding='ascii'):
        words = dict(word.split('=', 1) for word in line.split())
        yield int(words['cpu']), words


def outliers(series, threshold):
    """The fewest and the most that there can be."""
    rows = series['histogram']
    return (sum(n for low, _, n in rows if low > threshold),
            sum(n for _, high, n in rows if high - 1 > threshold))


def problems(series, words, threshold):
    """What is wrong with a CPU."""
    count = int(words['count'])
    covered, wall = int(words['covered_ns']), int(words['wall_ns'])
    gaps = series['mean'] * count if count else 0
    if not count:
        yield 'has no samples'
    if series['count'] != count:
        yield f'count is {series["count"]} or {count}'
    if sum(row[2] for row in series['histogram']) + series['negative'] != count:
        yield 'the buckets are not the count'
    least, most = outliers(series, threshold)
    if not least <= int(words['outliers']) <= most:
        yield f'{words["outliers"]} outliers, not {least} to {most}'
    if abs(gaps - covered) > covered / 100:
        yield f'the sum of the gaps is {gaps:.0f}, covered is {covered}'
    if covered > wall:
        yield f'covered {covered} of {wall}'


def main(path, stats, clock, cpus):
    with open(path, encoding='utf-8') as f:
        result = json.load(f)
    if result['params']['clock'] != clock:
        print('clock is', result['params']['clock'])
    series = {s['cpu']: s for s in result['series']}
    got = dict(lines(stats))
    if sorted(got) != [int(c) for c in cpus.split(',')]:
        print('CPUs are', sorted(got))
    for cpu, words in got.items():
        for text in problems(series[cpu], words, result['params']['threshold_ns']):
            print(f'CPU {cpu}: {text}')


if __name__ == '__main__':
    main(*sys.argv[1:])
