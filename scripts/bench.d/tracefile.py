# SPDX-License-Identifier: GPL-2.0
"""Reads a trace of scripts/bench and cuts it into periods and their parts.

A period goes from one timer interrupt in which the sampler's handler runs to
the next. Its interrupt part ends where the kernel first switches tasks; what
comes after that is the thread part.

"Own code" of a part goes from the sampler's first to its last instruction in
it: with everything that it calls (reading the clock, the kernel's ring
buffer), without the calls in CUT, which are the kernel's work that any
sampler has to have done: waking the thread, and sleeping.
"""
import array
import bisect
import collections

# mark.h
KIND_CLOCK, KIND_STOP = 1, 2
ADDRESS = (1 << 48) - 1
USER = 1 << 47  # addresses below are user space

ENTRY = 'asm_sysvec_apic_timer_interrupt'
SWITCH = '__switch_to'
TICKS = {'tick_sched_timer', 'tick_nohz_handler'}
STOP_TICK = 'tick_nohz_stop_tick'
# Some compilers put the loop into its caller.
TRACER_LOOP = {'get_sample', 'kthread_fn'}
CUT = {'wake_up_process', 'schedule', 'hrtimer_start_range_ns'}


class Symbols:
    """Names of addresses, from the guest's /proc/kallsyms."""

    def __init__(self, lines):
        table = {}
        for line in lines:
            addr, _, name, *module = line.split()
            # Of two names for an address the first one is taken.
            table.setdefault(int(addr, 16) & ADDRESS,
                             (name, module[0][1:-1] if module else ''))
        self.starts = sorted(table)
        self.table = table
        self.known = {}
        self.address = {name: addr for addr, (name, _) in table.items()}

    def find(self, addr):
        """(name, module) of the function that an address lies in."""
        found = self.known.get(addr)
        if found is None:
            i = bisect.bisect_right(self.starts, addr) - 1
            if addr < USER or i < 0:
                found = ('user', 'user')
            else:
                found = self.table[self.starts[i]]
            self.known[addr] = found
        return found


class Window:
    """The instructions of one window: addresses, names, and clock reads."""

    def __init__(self, words, symbols):
        self.addr = [w & ADDRESS for w in words]
        self.clock = [w >> 56 == KIND_CLOCK for w in words]
        self.func = [symbols.find(a) for a in self.addr]
        entry = symbols.address[ENTRY]
        self.entries = [i for i, a in enumerate(self.addr) if a == entry]


def load(trace, text):
    """Windows by name, from the plugin's file and the guest's text."""
    names, lines = [], []
    for line in open(text, encoding='ascii'):
        if line.startswith('window '):
            names.append(line.split()[1])
        elif line.startswith('gap '):
            continue
        elif line != 'end\n':
            lines.append(line)
    if not lines or line != 'end\n':
        raise ValueError(f'{text}: the guest did not finish')
    symbols = Symbols(lines)
    words = array.array('Q')
    with open(trace, 'rb') as f:
        words.frombytes(f.read())
    windows, begin = {}, 0
    ends = [i for i, w in enumerate(words) if w >> 56 == KIND_STOP]
    if len(ends) != len(names):
        raise ValueError(f'{trace}: {len(ends)} windows, not {len(names)}')
    for name, end in zip(names, ends):
        windows[name] = Window(words[begin:end], symbols)
        begin = end + 1
    return windows


def load_gaps(text):
    """Longest usual and mean gap of hwlat: what the guest has measured itself."""
    for line in open(text, encoding='ascii'):
        if line.startswith('gap '):
            return tuple(int(word) for word in line.split()[1:])
    raise ValueError(f'{text}: no gaps')


def tracer_gaps(window):
    """The same for the kernel's hwlat tracer: it reads the clock in pairs."""
    reads = [i for i, is_read in enumerate(window.clock) if is_read]
    loop = [k for k in range(len(reads) - 2)
            if any(f[0] in TRACER_LOOP for f in window.func[reads[k]:reads[k + 1]])]
    pair = mode(reads[k + 2] - reads[k] for k in loop)
    longest = mode(max(reads[k + 1] - reads[k], reads[k + 2] - reads[k + 1])
                   for k in loop)
    return longest, pair and pair // 2


class Part:
    """A part of a period: instructions begin to end of a window."""

    def __init__(self, window, begin, end, is_own):
        own = [i for i in range(begin, end) if is_own(window.func[i])]
        self.text = len(own)  # in the sampler's own functions alone
        self.own = collections.Counter()  # own code by function
        self.cut = collections.Counter()  # what was cut, by call
        self.read = None  # the own code's clock read
        call = None
        for i in range(own[0], own[-1] + 1) if own else ():
            name = window.func[i][0]
            if is_own(window.func[i]):
                call = None
            elif call is None:
                call = name  # the own code calls this
            if call in CUT:
                self.cut[call] += 1
            else:
                self.own[name] += 1
            if self.read is None and window.clock[i]:
                self.read = i


class Period:
    """One period of a sampler."""

    def __init__(self, window, begin, end, is_own):
        self.begin, self.total = begin, end - begin
        func = window.func
        self.functions = collections.Counter(f[0] for f in func[begin:end])
        self.user_read = next((i for i in range(begin, end)
                               if window.clock[i] and func[i][1] == 'user'), None)
        self.stopped = STOP_TICK in self.functions
        switch = next((i for i in range(begin, end) if func[i][0] == SWITCH), end)
        self.irq = Part(window, begin, switch, is_own)
        self.thread = Part(window, switch, end, is_own)


def cut_periods(window, handler, is_own):
    """(clean periods, others): others have a tick or a foreign interrupt."""
    func, entries = window.func, window.entries
    spans = list(zip(entries, entries[1:]))
    hits = [k for k, (a, b) in enumerate(spans)
            if any(handler(f) for f in func[a:b])]
    clean, others = [], []
    # The edges have the window's own task in them.
    for k, following in list(zip(hits, hits[1:]))[5:-5]:
        a, b = entries[k], entries[following]
        names = {f[0] for f in func[a:b]}
        alone = following == k + 1 and not names & TICKS
        (clean if alone else others).append(Period(window, a, b, is_own))
    return clean, others


def mode(values):
    """The most frequent value; the smallest of several."""
    counts = collections.Counter(v for v in values if v is not None)
    if not counts:
        return None
    top = max(counts.values())
    return min(v for v, n in counts.items() if n == top)
