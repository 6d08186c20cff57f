#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Ends what timeout(1) should have ended. usage: overdue.py [GRACE]

Runs beside the self-tests in a VM. With PREEMPT_RT a program's timer runs out in a
thread, which a real-time task can keep from its CPU for ever: a time-out that began
there never comes, and one test that goes wrong takes all those after it with it. A
real-time task's own sleep ends in the interrupt, so this one looks whether some
time-out is late by GRACE seconds (30), and kills what it had to end.
"""
import glob
import os
import signal
import sys
import time


def read(path):
    with open(path, encoding='utf-8', errors='replace') as f:
        return f.read()


def limit_of(pid):
    """Seconds that this process gives another one: none if it is no timeout(1)."""
    name, *args = read(f'/proc/{pid}/cmdline').split('\0')
    if name.rsplit('/', 1)[-1] == 'timeout':
        for arg in args:
            if arg.isdigit():
                return int(arg)
    return None


def late_by(pid):
    """Seconds; none if this leads no group of processes that it could end."""
    limit = limit_of(pid)
    if limit is None or os.getpgid(pid) != pid:
        return None
    started = int(read(f'/proc/{pid}/stat').rsplit(')', 1)[1].split()[19])
    return time.clock_gettime(time.CLOCK_BOOTTIME) - started / os.sysconf('SC_CLK_TCK') - limit


def main():
    grace = int(sys.argv[1]) if len(sys.argv) > 1 else 30
    os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(99))
    while True:
        time.sleep(min(grace, 10))
        for path in glob.glob('/proc/[0-9]*'):
            pid = int(path[6:])
            try:
                if (late_by(pid) or 0) > grace:
                    what = read(f'/proc/{pid}/cmdline').replace('\0', ' ')
                    os.killpg(pid, signal.SIGKILL)
                    print('# overdue:', what, flush=True)
            except (ProcessLookupError, FileNotFoundError):
                pass


if __name__ == '__main__':
    main()
