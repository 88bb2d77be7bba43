#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""How soon a UCI engine answers, and what it uses while it waits. Wants a quiet machine.

usage: latency.py ENGINE [-n ROUNDS] [THREADS...]

For each number of threads: `isready` during a search and `stop`, ROUNDS times each (200); `go movetime 20`
beyond its 20 ms; `quit` and the end of input while it searches; and processor time used in a second of
waiting: idle, at the end of `go infinite` with a depth, pondering past its end."""
import argparse
import os
import subprocess
import time


class Engine:
    def __init__(self, path, threads):
        self.process = subprocess.Popen([path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
        self.send('uci', f'setoption name Threads value {threads}')
        self.ask('isready', 'readyok')

    def send(self, *lines):
        self.process.stdin.write(''.join(line + '\n' for line in lines))
        self.process.stdin.flush()

    def ask(self, line, answer):
        """Milliseconds until a line begins with the answer."""
        start = time.perf_counter()
        self.send(line)
        for text in self.process.stdout:
            if text.startswith(answer):
                return (time.perf_counter() - start) * 1e3
        raise SystemExit(f'the engine left instead of answering {line!r}')

    def processor_ms(self, seconds):
        def used():
            with open(f'/proc/{self.process.pid}/stat', encoding='ascii') as file:
                fields = file.read().rsplit(')', 1)[1].split()
            return (int(fields[11]) + int(fields[12])) * 1000 / os.sysconf('SC_CLK_TCK')
        before = used()
        time.sleep(seconds)
        return used() - before

    def leave(self, how):
        start = time.perf_counter()
        how()
        self.process.wait(10)
        return (time.perf_counter() - start) * 1e3


def spread(times):
    times = sorted(times)
    at = [times[min(len(times) - 1, int(share * len(times)))] for share in (.5, .95, .99)]
    return 'p50 %6.2f  p95 %6.2f  p99 %6.2f  max %6.2f ms' % (*at, times[-1])


def measure(path, threads, rounds):
    engine = Engine(path, threads)
    ready, stop, late = [], [], []
    for _ in range(rounds):
        engine.send('position startpos moves e2e4', 'go infinite')
        time.sleep(.012)
        ready.append(engine.ask('isready', 'readyok'))
        stop.append(engine.ask('stop', 'bestmove'))
    for _ in range(rounds // 4):
        late.append(engine.ask('go movetime 20', 'bestmove') - 20)
    for name, times in ('isready', ready), ('stop', stop), ('overshoot', late):
        print('%4d threads  %-9s %s  (n=%d)' % (threads, name, spread(times), len(times)), flush=True)

    waits = []
    waits.append(engine.processor_ms(1))
    for line in 'go infinite depth 3', 'go ponder wtime 100 btime 100 depth 3':
        engine.send(line)
        time.sleep(.3)
        waits.append(engine.processor_ms(1))
        engine.ask('stop', 'bestmove')
    engine.send('go infinite')
    time.sleep(.1)
    gone = engine.leave(lambda: engine.send('quit'))
    engine = Engine(path, threads)
    engine.send('go infinite')
    time.sleep(.1)
    cut = engine.leave(engine.process.stdin.close)
    print('%4d threads  waiting   %.0f ms of processor time in 1 s idle, %.0f infinite, %.0f pondering; '
          'quit %.1f ms, end of input %.1f ms' % (threads, *waits, gone, cut), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('engine')
    parser.add_argument('threads', type=int, nargs='*')
    parser.add_argument('-n', type=int, default=200, metavar='ROUNDS')
    args = parser.parse_intermixed_args()
    try:  # so that the engine is measured and not the client; the engine does not inherit it
        os.sched_setscheduler(0, os.SCHED_FIFO | os.SCHED_RESET_ON_FORK, os.sched_param(1))
    except PermissionError:
        print('(an ordinary client: its own delays count, too)')
    for threads in args.threads or [1]:
        measure(args.engine, threads, args.n)


if __name__ == '__main__':
    main()
