#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Counts test results. usage: ktap.py [--plain] <OUTPUT

Reads the output of kselftest's runner, or with --plain that of KTAP programs
run one after the other. Prints failures and skips, then a last line
"total PASSED FAILED SKIPPED".

A program that prints no plan, fewer or more results than it planned, or ends
with an error without having said which test failed, is one more failure; so
is a runner that doesn't come to its end, and an output without any result.
"""
import re
import sys

RESULT = re.compile(r'(not )?ok\b\s*\d*\s*(?:- )?(.*)')
PLAN = re.compile(r'1\.\.(\d+)')
VERSION = re.compile(r'K?TAP version \d+')
PROGRAM = re.compile(r'# selftests: (?:.*selftests/)?(.*)')
VERDICT = re.compile(r'(not )?ok \d+ selftests: \S+ [^#]*(?:# ?(.*))?')


class Counter:
    """The sums, and what is to be said about them."""

    def __init__(self):
        self.passed = self.failed = self.skipped = 0

    def fail(self, name, text):
        self.failed += 1
        print(f'not ok: {name}: {text}' if name else f'not ok: {text}')

    def skip(self, name, text):
        self.skipped += 1
        print(f'skip: {name}: {text}' if name else f'skip: {text}')


class Program:
    """The results of one test program."""

    def __init__(self, counter, name=''):
        self.counter, self.name = counter, name
        self.plan = None
        self.results = self.bad = self.skips = 0
        self.bailed = False

    def seen(self):
        return self.results or self.plan is not None or self.bailed

    def fail(self, text):
        self.bad += 1
        self.counter.fail(self.name, text)

    def skip(self, text):
        self.skips += 1
        self.counter.skip(self.name, text)

    def skip_all(self, text):
        """check brings all that a program needs; one that finds it missing failed."""
        self.fail(f'skipped as a whole: {text}')

    def line(self, line):
        """A line without the runner's prefix; nested results are indented."""
        if m := PLAN.match(line):
            self.plan = int(m[1])
            if self.plan == 0:
                self.skip_all(line)
        elif m := RESULT.match(line):
            self.results += 1
            if m[1] and not re.search(r'# *(XFAIL|TODO)', m[2], re.I):
                self.fail(m[2])
            elif re.search(r'# *SKIP', m[2], re.I):
                self.skip(m[2])
            else:
                self.counter.passed += 1
        elif line.startswith('Bail out!'):
            self.bailed = True
            self.fail(line)

    def end(self):
        if self.bailed:
            return
        if self.plan is None:
            self.fail('printed no plan' if self.results else 'printed no result')
        elif self.results != self.plan:
            self.fail(f'stopped short: {self.results} of {self.plan} results')


def read_plain(lines, counter):
    prog = Program(counter)
    name = ''
    for line in lines:
        if m := re.match(r'# (\S*test_\S+)$', line):
            name = m[1].rsplit('/', 1)[-1]
        if VERSION.match(line) or name != prog.name:
            if prog.seen():
                prog.end()
            prog = Program(counter, name)
        prog.line(line)
    prog.end()


def read_runner(lines, counter):
    prog, plan, done = None, None, 0
    for line in lines:
        if m := PROGRAM.match(line):
            prog = Program(counter, m[1])
        elif m := VERDICT.match(line):
            done += 1
            prog = prog or Program(counter, line)
            if m[2] and m[2].startswith('SKIP'):
                # A skip of the whole program needs no plan.
                if not prog.bad and not prog.skips:
                    prog.skip_all(m[2])
            elif m[1] and not prog.bad:
                prog.fail(f'ended with an error: {m[2] or "no reason given"}')
            else:
                prog.end()
            prog = None
        elif prog:
            prog.line(line[2:] if line.startswith('# ') else '')
        elif VERSION.match(line):
            check_runner(plan, done, counter)
            plan, done = None, 0
        elif m := PLAN.match(line):
            plan = int(m[1])
    if prog:
        prog.fail('did not come to its end')
    check_runner(plan, done, counter)


def check_runner(plan, done, counter):
    """The runner's own plan, one for each area."""
    if plan is not None and done != plan:
        counter.fail('', f'the runner stopped short: {done} of {plan} programs')


def main():
    counter = Counter()
    sys.stdin.reconfigure(errors='replace')
    lines = (line.rstrip('\r\n') for line in sys.stdin)
    if sys.argv[1:] == ['--plain']:
        read_plain(lines, counter)
    elif not sys.argv[1:]:
        read_runner(lines, counter)
    else:
        sys.exit(__doc__)
    if not counter.passed + counter.failed + counter.skipped:
        counter.fail('', 'no test result at all')
    print('total', counter.passed, counter.failed, counter.skipped)


if __name__ == '__main__':
    main()
