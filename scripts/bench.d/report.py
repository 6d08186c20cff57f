#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Counts and compares what scripts/bench has traced.

usage: report.py [--counts] JSON KERNEL=RELEASE=TRACE=TEXT...

Prints a table for each kernel and writes everything to JSON. --counts prints
bare numbers, one a line. Exit status: 0 all goals met, 1 not, 2 no numbers.
"""
import json
import sys

import tracefile
from tracefile import mode

NOTE = """\
Instructions, counted exactly; each figure is the most frequent one. This is the
length of the code path and nothing more: no caches, no pipeline, no devices. It
ranks two ways to do the same thing on a kernel; it is not a latency."""

TIMERLAT_OWN = ('timerlat_irq', 'timerlat_main', 'wait_next_period')


def own_rtk(func):
    return func[1] == 'rtk'


def own_timerlat(func):
    return func[0].startswith(TIMERLAT_OWN)


def own_nothing(_):
    return False


def wakes_user(func):
    return func[0] == 'hrtimer_wakeup'


# Window: the handler that makes an interrupt one of the sampler's; its code.
SAMPLERS = {
    'rtk': (own_rtk, own_rtk),
    'rtk-irq': (own_rtk, own_rtk),
    'timerlat': (own_timerlat, own_timerlat),
    'cyclictest': (wakes_user, own_nothing),
    'foreign-alone': (wakes_user, own_nothing),
    'foreign-rtk': (wakes_user, own_nothing),
    'foreign-timerlat': (wakes_user, own_nothing),
}

# Goals: own code is the project's alone. The others have the kernel's own path
# in them, which is not the same in every kernel: where 6.12's is longer by
# more than the goal leaves room for, that much is added.
GOALS = {
    '6.1-rt': {'period': 5450, 'irq_only_stopped': 1780,
               'irq_own': 90, 'thread_own': 110,
               'irq_read': 520, 'thread_read': 3280, 'foreign': 0,
               'gap_longest': 24, 'gap': 24},
    '6.12-rt': {'period': 5450, 'irq_only_stopped': 1780 + 135,
                'irq_own': 90, 'thread_own': 110,
                'irq_read': 520 + 17, 'thread_read': 3280, 'foreign': 0,
                'gap_longest': 24, 'gap': 24},
}

# Row of the table: text, figure, samplers that have it.
PEERS = ('rtk', 'timerlat', 'cyclictest', 'hwlat')
TIMERS = PEERS[:3]
GAPS = ('rtk', 'hwlat')
MODULES = ('rtk', 'timerlat')
ROWS = (
    ('period', 'period', TIMERS),
    ('  with a tick in it', 'period_tick', TIMERS),
    ('period, interrupt only', 'irq_only', ('rtk',)),
    ('  idle with the tick stopped', 'irq_only_stopped', ('rtk',)),
    ('own code, interrupt', 'irq_own', MODULES),
    ('  without what it calls', 'irq_text', MODULES),
    ('own code, thread', 'thread_own', MODULES),
    ('  without what it calls', 'thread_text', MODULES),
    ('  beside it: starting the timer', 'thread_start', MODULES),
    ('interrupt entry to clock, interrupt', 'irq_read', MODULES),
    ('interrupt entry to clock, thread', 'thread_read', MODULES),
    ('interrupt entry to clock, user space', 'user_read', ('cyclictest',)),
    ('added to a foreign wake-up', 'foreign', MODULES),
    ('from clock to clock, looking for gaps', 'gap', GAPS),
    ('  the longer of two', 'gap_longest', GAPS),
)


def figures(clean, others):
    """The figures of a sampler: the most frequent value of each."""
    # What the idle task does around the tick is in the period.
    kept = [p for p in clean if not p.stopped]
    stopped = [p for p in clean if p.stopped]
    period = mode(p.total for p in kept)

    def of(get):
        return mode(get(p) for p in kept)

    def since_entry(get):
        return of(lambda p: get(p) - p.begin if get(p) is not None else None)

    return {
        'periods': len(clean),
        'period': period,
        'period_count': sum(p.total == period for p in kept),
        'period_stopped': mode(p.total for p in stopped),
        'period_tick': mode(p.total for p in others),
        'irq_text': of(lambda p: p.irq.text),
        'irq_own': of(lambda p: p.irq.own.total()),
        'irq_wake': of(lambda p: p.irq.cut['wake_up_process']),
        'thread_text': of(lambda p: p.thread.text),
        'thread_own': of(lambda p: p.thread.own.total()),
        'thread_start': of(lambda p: p.thread.cut['hrtimer_start_range_ns']),
        'irq_read': since_entry(lambda p: p.irq.read),
        'thread_read': since_entry(lambda p: p.thread.read),
        'user_read': since_entry(lambda p: p.user_read),
    }


def breakdown(clean):
    """Instructions by function in a period of the most frequent length."""
    usual = mode(p.total for p in clean if not p.stopped)
    p = next(p for p in clean if p.total == usual)
    return {'irq_own': dict(p.irq.own.most_common()),
            'thread_own': dict(p.thread.own.most_common()),
            'period': dict(p.functions.most_common())}


def analyse(trace, text):
    """Samplers by name: figures and breakdown."""
    windows = tracefile.load(trace, text)
    result = {}
    for name, (handler, is_own) in SAMPLERS.items():
        clean, others = tracefile.cut_periods(windows[name], handler, is_own)
        result[name] = figures(clean, others)
        if result[name]['period'] is None:
            raise ValueError(f'{trace}: window {name} has no undisturbed period')
        result[name]['by_function'] = breakdown(clean)
    alone = result['foreign-alone']['period']
    for name in ('rtk', 'timerlat'):
        result[name]['foreign'] = result['foreign-' + name]['period'] - alone
    for name, gaps in (('rtk', tracefile.load_gaps(text)),
                       ('hwlat', tracefile.tracer_gaps(windows['hwlat']))):
        result.setdefault(name, {}).update(zip(('gap_longest', 'gap'), gaps))
    for suffix in ('', '_stopped'):
        result['rtk']['irq_only' + suffix] = result['rtk-irq']['period' + suffix]
    return result


def judge(kernel, samplers):
    """Goals with what was reached; a figure that is not there is no success."""
    def row(name, goal):
        value = samplers['rtk'][name]
        return {'name': name, 'goal': goal, 'value': value,
                'met': value is not None and value <= goal}
    return {name: row(name, goal) for name, goal in GOALS[kernel].items()}


def print_table(kernel, release, samplers, goals):
    print(f'\n{kernel} ({release}): 1 ms, idle machine, '
          f'{samplers["rtk"]["periods"]} undisturbed periods\n')
    print(f'{"instructions":38}{"goal":>8}' + ''.join(f'{p:>12}' for p in PEERS))
    for text, figure, has in ROWS:
        goal = goals.get(figure)
        values = [samplers[p].get(figure) if p in has else None for p in PEERS]
        cells = ''.join(f'{"-" if v is None else v:>12}' for v in values)
        want = f'<= {goal["goal"]}' if goal else ''
        verdict = ('  pass' if goal['met'] else '  FAIL') if goal else ''
        print(f'{text:38}{want:>8}{cells}{verdict}')


def print_breakdown(samplers, goals):
    """Where the instructions are, for goals that were missed."""
    missed = [name for name, g in goals.items() if not g['met']]
    parts = samplers['rtk']['by_function']
    wanted = [p for p in ('irq_own', 'thread_own', 'period')
              if p in missed or p == 'irq_own' and 'irq_read' in missed
              or p == 'thread_own' and 'thread_read' in missed]
    for part in wanted:
        print(f'\n{part} of rtk, by function:')
        rows = list(parts[part].items())
        for name, n in rows[:30]:
            print(f'{n:8} {name}')
        if rows[30:]:
            print(f'{sum(n for _, n in rows[30:]):8} in {len(rows[30:])} others')


def print_counts(samplers):
    for name, result in samplers.items():
        for figure, value in result.items():
            if isinstance(value, int):
                print(name, figure, value)


def main(argv):
    counts = argv[:1] == ['--counts']
    out, *kernels = argv[counts:]
    result, ok = {'note': NOTE, 'kernels': {}}, True
    for arg in kernels:
        kernel, release, trace, text = arg.split('=')
        try:
            samplers = analyse(trace, text)
        except (OSError, ValueError) as e:
            print(f'bench: {e}', file=sys.stderr)
            return 2
        goals = judge(kernel, samplers)
        ok = ok and all(g['met'] for g in goals.values())
        result['kernels'][kernel] = {'release': release, 'goals': goals,
                                     'samplers': samplers}
        if counts:
            print_counts(samplers)
        else:
            print_table(kernel, release, samplers, goals)
            print_breakdown(samplers, goals)
    if not counts:
        print('\n' + NOTE)
    with open(out, 'w', encoding='ascii') as f:
        json.dump(result, f, indent=1)
        f.write('\n')
    return 0 if ok else 1


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
