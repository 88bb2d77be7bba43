#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""More threads than processors: it says so, and as many search as there are processors.

usage: test_threads.py ENGINE           exit code 0: passed, 77: this system keeps no account of threads"""
import os
import sys

from session import SCALE, Engine, check

THREADS, SEARCH_MS = 4, 600


def ticks_by_thread(pid):
    """Processor time of each thread, most first."""
    ticks = []
    for task in os.listdir('/proc/%d/task' % pid):
        fields = open('/proc/%d/task/%s/stat' % (pid, task)).read().rsplit(')', 1)[1].split()
        ticks.append(int(fields[11]) + int(fields[12]))
    return sorted(ticks, reverse=True)


def busy_threads(path, processors):
    os.sched_setaffinity(0, processors)
    engine = Engine([path])
    try:
        engine.send(b'setoption name Threads value %d\nisready\n' % THREADS)
        told = engine.find(lambda line: 'threads, but only %d can' % len(processors) in line, 3000 * SCALE)
        check(told, 'nothing said about %d processors' % len(processors))
        before = ticks_by_thread(engine.process.pid)
        engine.send(b'go movetime %d\n' % SEARCH_MS)
        check(engine.find(lambda line: line.startswith('bestmove'), (SEARCH_MS + 3000) * SCALE), 'no bestmove')
        after = ticks_by_thread(engine.process.pid)
        check(len(after) == len(before) >= THREADS, 'there are %d threads' % len(after))
        engine.send(b'quit\n')
        engine.wait(3000 * SCALE)
        return sum(a - b > 5 for a, b in zip(after, before))
    finally:
        engine.kill()


def main():
    if not hasattr(os, 'sched_setaffinity') or not os.path.isdir('/proc/self/task'):
        sys.exit(77)
    mine = sorted(os.sched_getaffinity(0))
    for count in {1, min(2, len(mine))}:
        busy = busy_threads(sys.argv[1], set(mine[:count]))
        check(busy == count, '%d of %d threads searched on %d processors' % (busy, THREADS, count))
    print('ok')


main()
